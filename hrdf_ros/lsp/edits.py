# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The outline of a document, and its formatting."""

from __future__ import annotations

from collections.abc import Iterator
import re
from typing import NamedTuple, Optional

from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceFile
from hrdf_ros.document.formatter import formatted
from hrdf_ros.lsp.analysis import TextEdit
from hrdf_ros.lsp.documents import Buffer
from hrdf_ros.lsp.places import Language
from hrdf_ros.lsp.syntax import SyntaxNode
from hrdf_ros.lsp.text import Span

_EDITS = 500
"""Edits of white space up to which they are sent one by one; more replace the whole text."""
_BLANKS = re.compile(r'\s+')
_OUTLINE_DEPTH = 40
_OUTLINE_ELEMENTS = 20_000
_NAMES = ('name', 'tag', 'path', 'type', 'axis')
"""Attributes that say which one of several elements it is, the best first."""


class Symbol(NamedTuple):
    """
    An element of the outline: its name, kind and detail, its whole span and that of its name.

    ``kind`` is that of its name in the schema (link, joint, ...), or its tag.
    """

    name: str
    kind: str
    detail: str
    span: Span
    selection: Span
    children: list[Symbol]


def outline(buffer: Buffer) -> list[Symbol]:
    """Return the outline of a text, to a depth of 40."""
    language = buffer.language
    top: list[Symbol] = []
    inner: dict[SyntaxNode, tuple[list[Symbol], int]] = {}
    for node in buffer.syntax.nodes[:_OUTLINE_ELEMENTS] if language is not None else ():
        symbols, depth = (top, 0) if node.parent is None else inner[node.parent]
        symbol = _symbol(buffer, language, node) if language is not None else None
        inner[node] = symbols, depth
        if symbol is not None and depth < _OUTLINE_DEPTH:
            symbols.append(symbol)
            inner[node] = symbol.children, depth + 1
    return top


def _symbol(buffer: Buffer, language: Language, node: SyntaxNode) -> Optional[Symbol]:
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
    kind_word = buffer.syntax.value(node, 'type')
    if kind_word and kind_word != name:
        detail += f' {kind_word}'
    return Symbol(
        name=name, kind=kind, detail=detail, span=Span(node.start, max(node.end, selection.end)),
        selection=selection, children=[])


def _named(buffer: Buffer, node: SyntaxNode) -> Iterator[tuple[str, Span]]:
    """Yield the values that may be shown as the name of an element, the best first."""
    for name in _NAMES:
        attribute = node.attribute(name)
        if attribute is not None and attribute.value is not None:
            text = buffer.syntax.plain(attribute.value).strip()
            if text:
                yield text, attribute.value
    for child in node.children:
        if child.tag in ('name', 'uri'):
            span = buffer.syntax.text_span(child)
            if span.start < span.end:
                yield buffer.syntax.plain(span), span


def formatting(buffer: Buffer) -> list[TextEdit]:
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
    return edits if len(edits) <= _EDITS else [TextEdit(Span(0, len(text)), after)]


def _white_space_edits(before: str, after: str) -> Iterator[TextEdit]:
    """Yield the edits between two texts that differ in their white space only."""
    old, new = _gaps(before), _gaps(after)
    blanks = 0
    for index in sorted({*old, *new}):
        span = old.get(index, Span(index + blanks, index + blanks))
        text = after[slice(*new.get(index, (0, 0)))]
        blanks += span.end - span.start
        if text != before[span.start:span.end]:
            yield TextEdit(span, text)


def _gaps(text: str) -> dict[int, Span]:
    """Return the runs of white space by the number of other characters before them."""
    gaps, blanks = {}, 0
    for found in _BLANKS.finditer(text):
        gaps[found.start() - blanks] = Span(*found.span())
        blanks += found.end() - found.start()
    return gaps
