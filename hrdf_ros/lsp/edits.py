# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The outline of a document, and its formatting."""

from __future__ import annotations

from collections.abc import Iterator
import re
from typing import Optional

from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceFile
from hrdf_ros.document.formatter import formatted
from hrdf_ros.lsp.library import Buffer
from hrdf_ros.lsp.places import Language
from hrdf_ros.lsp.syntax import SyntaxNode
from hrdf_ros.lsp.text import Span
from lsprotocol import types as lsp

_EDITS = 500
"""Edits of white space up to which they are sent one by one; more replace the whole text."""
_BLANKS = re.compile(r'\s+')
_OUTLINE_DEPTH = 40
_OUTLINE_ELEMENTS = 20_000
_NAMES = ('name', 'tag', 'path', 'type', 'axis')
"""Attributes that say which one of several elements it is, the best first."""
_KINDS = {
    'model': lsp.SymbolKind.Module, 'world': lsp.SymbolKind.Namespace,
    'robot': lsp.SymbolKind.Module, 'link': lsp.SymbolKind.Class, 'body': lsp.SymbolKind.Class,
    'tag': lsp.SymbolKind.Class, 'joint': lsp.SymbolKind.Interface,
    'frame': lsp.SymbolKind.Key, 'marker': lsp.SymbolKind.Key,
    'material': lsp.SymbolKind.Constant, 'include': lsp.SymbolKind.File}


def outline(buffer: Buffer) -> list[lsp.DocumentSymbol]:
    """Return the outline of a text, to a depth of 40."""
    language = buffer.language
    top: list[lsp.DocumentSymbol] = []
    inner: dict[SyntaxNode, tuple[list[lsp.DocumentSymbol], int]] = {}
    for node in buffer.syntax.nodes[:_OUTLINE_ELEMENTS] if language is not None else ():
        symbols, depth = (top, 0) if node.parent is None else inner[node.parent]
        symbol = _symbol(buffer, language, node) if language is not None else None
        inner[node] = symbols, depth
        if symbol is not None and depth < _OUTLINE_DEPTH:
            children: list[lsp.DocumentSymbol] = []
            symbol.children = children
            symbols.append(symbol)
            inner[node] = children, depth + 1
    return top


def _symbol(
    buffer: Buffer, language: Language, node: SyntaxNode,
) -> Optional[lsp.DocumentSymbol]:
    found = language.declaration(node)
    if found is None or not node.tag:
        return None
    is_listed = node.parent is None or found.element.repeated or found.content.scope
    if not is_listed or found.content.text is not None:
        return None
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
    """Yield the values that may be shown as the name of an element, the best first."""
    attributes = (node.attribute(name) for name in _NAMES)
    spans = [found.value for found in attributes if found is not None]
    spans += [
        buffer.syntax.text_span(child) for child in node.children if child.tag in ('name', 'uri')]
    for span in spans:
        text = '' if span is None else buffer.syntax.plain(span).strip()
        if span is not None and text:
            yield text, span


def formatting(buffer: Buffer) -> list[lsp.TextEdit]:
    """
    Return the edits of ``hrdf format``: of white space only, so that an editor keeps its place.

    There are none for a text that it refuses, or that is not a robot description.
    """
    text = buffer.text.source
    source = SourceFile(buffer.path, text.encode('utf-8', 'surrogatepass'), encoding='utf-8')
    result = None if buffer.language is None else formatted(source, Report())
    if result is None:
        return []
    after = result.decode('utf-8')
    edits = list(_white_space_edits(text, after))
    if len(edits) > _EDITS:
        edits = [(Span(0, len(text)), after)]
    return [lsp.TextEdit(buffer.text.range_of(span), new) for span, new in edits]


def _white_space_edits(before: str, after: str) -> Iterator[tuple[Span, str]]:
    """Yield the edits between two texts that differ in their white space only."""
    old, new = _gaps(before), _gaps(after)
    blanks = 0
    for index in sorted({*old, *new}):
        span = old.get(index, Span(index + blanks, index + blanks))
        text = after[slice(*new.get(index, (0, 0)))]
        blanks += span.end - span.start
        if text != before[span.start:span.end]:
            yield span, text


def _gaps(text: str) -> dict[int, Span]:
    """Return the runs of white space by the number of other characters before them."""
    gaps, blanks = {}, 0
    for found in _BLANKS.finditer(text):
        gaps[found.start() - blanks] = Span(*found.span())
        blanks += found.end() - found.start()
    return gaps
