# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The outline of a text: the elements that may occur more than once, with their names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import accumulate, islice

from hrdf_ros.lsp.language import DeclaredElement
from hrdf_ros.lsp.library import Library
from hrdf_ros.lsp.names import Buffer
from hrdf_ros.lsp.positions import Span
from hrdf_ros.lsp.syntax import SyntaxNode
from lsprotocol import types as lsp

_DEPTH = 40
"""The most levels of an outline; deeper elements are counted, not listed."""
_SYMBOLS = 5000
"""The most elements of an outline; the innermost are left out first."""
_NAMES = ('name', 'tag', 'path', 'type', 'axis')
"""Attributes that tell elements of the same tag apart, the best first."""
_KINDS = {
    'model': lsp.SymbolKind.Module, 'world': lsp.SymbolKind.Namespace,
    'robot': lsp.SymbolKind.Module, 'link': lsp.SymbolKind.Class, 'body': lsp.SymbolKind.Class,
    'tag': lsp.SymbolKind.Class, 'joint': lsp.SymbolKind.Interface,
    'frame': lsp.SymbolKind.Key, 'marker': lsp.SymbolKind.Key,
    'material': lsp.SymbolKind.Constant, 'include': lsp.SymbolKind.File}


def outline(buffer: Buffer) -> list[lsp.DocumentSymbol]:
    """
    Return the outline of a text to a depth of 40.

    If there are more than 5,000 elements, the innermost are left out, and the last line says how
    many.
    """
    language, syntax = buffer.language, buffer.syntax
    depths: dict[SyntaxNode, int] = {}
    listed = Counter[int]()
    for node in syntax.nodes:
        depth = 0 if node.parent is None else depths[node.parent]
        found = None if language is None else language.declaration(node)
        is_listed = found is not None and _is_listed(found)
        depths[node] = depth + is_listed
        listed[depth] += is_listed
    fitting = left = 0
    for count in accumulate(listed[depth] for depth in range(_DEPTH)):
        if count <= _SYMBOLS:
            fitting, left = fitting + 1, _SYMBOLS - count
    top: list[lsp.DocumentSymbol] = []
    inner: dict[SyntaxNode, list[lsp.DocumentSymbol]] = {}
    for node in syntax.nodes:
        symbols = top if node.parent is None else inner[node.parent]
        inner[node] = symbols
        found = None if language is None else language.declaration(node)
        depth = 0 if node.parent is None else depths[node.parent]
        if found is None or depths[node] == depth or depth >= fitting and (
                depth > fitting or depth == _DEPTH or not left):
            continue
        left -= depth == fitting
        symbol = _outlined(buffer, found)
        symbols.append(symbol)
        symbol.children = inner[node] = []
        listed[depth] -= 1
    if listed.total():
        end = buffer.text.range_of(Span(len(syntax.source), len(syntax.source)))
        top.append(lsp.DocumentSymbol(
            f'{listed.total()} more elements are not listed', lsp.SymbolKind.Null,
            end, end))
    return top


def workspace_symbols(library: Library, typed: str) -> list[lsp.SymbolInformation]:
    """Return up to 5,000 named items of the workspace that match what was typed."""
    return [
        lsp.SymbolInformation(
            one.location, one.name, _KINDS.get(one.kinds[0], lsp.SymbolKind.Field),
            container_name=one.scope.name or None)
        for one in islice(library.symbols(typed), _SYMBOLS)]


def _is_listed(found: DeclaredElement) -> bool:
    """Return whether an element may occur more than once, or has names of its own."""
    return found.content.text is None and (
        found.node.parent is None or found.element.repeated or found.content.scope)


def _outlined(buffer: Buffer, found: DeclaredElement) -> lsp.DocumentSymbol:
    node = found.node
    kinds = (one.names for one in found.content.attributes.values() if one.names)
    kind = next(kinds, '') or node.tag
    name, selection = next(_named(buffer, node), (node.tag, node.tag_span))
    detail = '' if name == node.tag else node.tag
    word = buffer.syntax.value(node, 'type')
    if word and word != name:
        detail += f' {word}'
    whole = Span(node.start, max(node.end, selection.end))
    return lsp.DocumentSymbol(
        name, _KINDS.get(kind, lsp.SymbolKind.Field), buffer.text.range_of(whole),
        buffer.text.range_of(selection), detail or None)


def _named(buffer: Buffer, node: SyntaxNode) -> Iterator[tuple[str, Span]]:
    """Yield the values that may serve as the name of an element, the best first."""
    attributes = (node.attribute(name) for name in _NAMES)
    spans = [found.value for found in attributes if found is not None]
    spans += [
        buffer.syntax.text_span(child) for child in node.children if child.tag in ('name', 'uri')]
    for span in spans:
        text = '' if span is None else buffer.syntax.plain(span).strip()
        if span is not None and text:
            yield text, span
