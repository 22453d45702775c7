# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Elements of a text that need not be well-formed, with the place of every name and value.

A tree as ``document`` makes it ends at the first fault. Here a start tag without its end is an
element without content, an element without an end tag ends where the one around it does, an end
tag too many is ignored. No pattern looks at a character more than a fixed number of times.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
import re
import sys
from typing import NamedTuple, Optional

from hrdf_ros.lsp.text import Span

_MARKUP = re.compile(r"""(?sx)
    (?P<comment> <!-- .*? (?:-->|\Z) )
  | (?P<cdata>   <!\[CDATA\[ .*? (?:\]\]>|\Z) )
  | (?P<other>   <\?  .*? (?:\?>|\Z) | <![^\[>]* (?:\[ [^\]]* \]? \s*)? >? )
  | </(?P<close> [^\s<>/]* ) (?P<closed> \s*>)?
  | <(?P<open>   [^\s<>/=!?"']* )
""")
_ATTRIBUTE = re.compile(r"""(?x)
    \s* (?P<name> [^\s=<>/"']+ ) (?P<equals> \s*=\s* )? (?P<value>
        "(?P<double> [^"<]* )" | '(?P<single> [^'<]* )' | (?P<broken> ["'][^"'<>\n]* ) )?
""")
_TAG_END = re.compile(r'\s*(/?)>')
_JUNK = re.compile(r'\s*[="\'/]')
_WORD = re.compile(r'\S')
_BLANKS = re.compile(r'\s*')
_ENTITY = re.compile(r'&(?!(?:amp|lt|gt|quot|apos|#[0-9]+|#x[0-9a-fA-F]+);)')
_REFERENCE = re.compile(
    '&(?:(?P<name>amp|lt|gt|quot|apos)|#x(?P<hex>[0-9a-fA-F]{1,8})|#(?P<decimal>[0-9]{1,9}));')
_NAMED = {'amp': '&', 'lt': '<', 'gt': '>', 'quot': '"', 'apos': "'"}
_NOT_XML = re.compile('[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|\\]\\]>')
_NAME = re.compile(r'[^\W\d][\w.:-]*')



class SyntaxAttribute(NamedTuple):
    """
    An attribute: its name, and its value without quotes, as far as they are there.

    ``value`` is None where there is no quote; ``is_closed`` tells that the second one is there.
    """

    name: str
    span: Span
    value: Optional[Span] = None
    is_closed: bool = False


class SyntaxNode:
    """
    An element: ``tag_span`` is its name in the start tag, ``close_span`` that in the end tag.

    ``content`` is from the end of the start tag to the end tag. ``is_broken`` tells that the start
    tag has no end, ``is_closed`` that it or an end tag ends the element.
    """

    __slots__ = ('tag', 'start', 'tag_span', 'attributes', 'content', 'end', 'close_span',
                 'parent', 'children', 'is_broken', 'is_empty', 'is_closed', 'texts')

    def __init__(self, tag: str, start: int, parent: Optional[SyntaxNode]) -> None:
        self.tag = tag
        self.start = self.end = start
        self.tag_span = Span(start + 1, start + 1 + len(tag))
        self.attributes: list[SyntaxAttribute] = []
        self.content = Span(start, start)
        self.close_span: Optional[Span] = None
        self.parent = parent
        self.children: list[SyntaxNode] = []
        self.is_broken = self.is_empty = self.is_closed = False
        self.texts: list[Span] = []

    def attribute(self, name: str) -> Optional[SyntaxAttribute]:
        """Return the first attribute of a name."""
        return next((found for found in self.attributes if found.name == name), None)

    def path(self) -> list[SyntaxNode]:
        """Return the elements from the root to this one."""
        path: list[SyntaxNode] = []
        node: Optional[SyntaxNode] = self
        while node is not None:
            path.append(node)
            node = node.parent
        return path[::-1]


class Syntax:
    """The elements of a text: ``roots`` are all at the top, of which only one should be there."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.roots: list[SyntaxNode] = []
        self.nodes: list[SyntaxNode] = []
        self.comments: list[Span] = []
        self.strays: list[Span] = []
        """End tags that end nothing, and ``<`` that starts nothing."""
        _Reader(self).run()

    @property
    def root(self) -> Optional[SyntaxNode]:
        """The first element at the top."""
        return self.roots[0] if self.roots else None

    def value(self, node: SyntaxNode, name: str) -> Optional[str]:
        """Return the value of an attribute, None where it is absent."""
        attribute = node.attribute(name)
        if attribute is None or attribute.value is None:
            return None
        return self.plain(attribute.value)

    def values(self, node: SyntaxNode) -> dict[str, str]:
        """Return the values of all attributes."""
        return {
            found.name: self.plain(found.value) for found in reversed(node.attributes)
            if found.value is not None}

    def plain(self, span: Span) -> str:
        """Return a part of the text with the characters that references mean."""
        text = self.source[span.start:span.end]
        return _REFERENCE.sub(_character, text) if '&' in text else text

    def text_span(self, node: SyntaxNode) -> Span:
        """Return the first text of an element without white space around it; empty if none."""
        for span in node.texts:
            text = self.source[span.start:span.end]
            found = _WORD.search(text)
            if found is not None:
                return Span(span.start + found.start(), span.start + len(text.rstrip()))
        return Span(node.content.start, node.content.start)

    def node_at(self, offset: int) -> Optional[SyntaxNode]:
        """Return the innermost element that an offset is in, or in a tag of."""
        found, nodes = None, self.roots
        while True:
            index = bisect_left(nodes, offset, key=_start_of) - 1
            if index < 0 or not _reaches(nodes[index], offset):
                return found
            found = nodes[index]
            nodes = found.children

    @cached_property
    def recovered(self) -> RecoveredText:
        """The text as XML: of the same lines, with blanks for what is none."""
        return _recovered(self)


def _start_of(node: SyntaxNode) -> int:
    return node.start


def _reaches(node: SyntaxNode, offset: int) -> bool:
    """Tell whether an offset behind the start of an element is in it."""
    return offset < node.end or offset == node.end and not node.is_closed


class RecoveredText(NamedTuple):
    """
    A text made well-formed: faults are blank, end tags are inserted.

    ``inserted`` are the offsets in the original at which text was inserted, and how much.
    """

    source: str
    inserted: tuple[tuple[int, int], ...]

    def original(self, offset: int) -> int:
        """Return the offset in the original text of an offset in this one."""
        shift = 0
        for position, length in self.inserted:
            if offset - shift <= position:
                break
            shift += min(length, offset - shift - position)
        return offset - shift


def _blank_end(source: str, position: int) -> int:
    blanks = _BLANKS.match(source, position)
    return position if blanks is None else blanks.end()


def _character(found: re.Match[str]) -> str:
    """Return the character that a reference means, or the reference where it means none."""
    if found['name']:
        return _NAMED[found['name']]
    number = int(found['hex'], 16) if found['hex'] else int(found['decimal'])
    return chr(number) if number <= sys.maxunicode else found[0]


class _Reader:
    """One pass over a text."""

    def __init__(self, syntax: Syntax) -> None:
        self._syntax = syntax
        self._source = syntax.source
        self._open: list[SyntaxNode] = []
        self._tags: Counter[str] = Counter()

    def run(self) -> None:
        position, source = 0, self._source
        found = _MARKUP.search(source, position)
        while found is not None:
            self._add_text(position, found.start())
            position = found.end()
            if found['open'] is not None:
                position = self._start(found['open'], found.start())
            elif found['close'] is not None:
                self._close(found)
            elif found['comment'] is not None:
                self._syntax.comments.append(Span(found.start(), position))
            elif found['cdata'] is not None:
                self._add_text(found.start() + len('<![CDATA['), position - len(']]>'))
            found = _MARKUP.search(source, position)
        self._add_text(position, len(source))
        while self._open:
            self._pop(len(source))

    def _add_text(self, start: int, end: int) -> None:
        if self._open and start < end:
            self._open[-1].texts.append(Span(start, end))

    def _start(self, tag: str, start: int) -> int:
        """Read a start tag; return where it ends."""
        parent = self._open[-1] if self._open else None
        node = SyntaxNode(tag, start, parent)
        (self._syntax.roots if parent is None else parent.children).append(node)
        self._syntax.nodes.append(node)
        position = self._attributes(node) if tag else node.tag_span.end
        end = _TAG_END.match(self._source, position)
        if end is None or _NAME.fullmatch(tag) is None:
            node.is_broken = True
            node.end = _blank_end(self._source, position) if end is None else end.end()
            return node.end
        node.is_empty = node.is_closed = end[1] == '/'
        node.end = end.end()
        node.content = Span(end.end(), end.end())
        if not node.is_empty:
            node.end = len(self._source)
            self._open.append(node)
            self._tags[tag] += 1
        return end.end()

    def _attributes(self, node: SyntaxNode) -> int:
        position = node.tag_span.end
        while True:
            found = _ATTRIBUTE.match(self._source, position)
            if found is None:
                junk = _JUNK.match(self._source, position)
                if junk is None or _TAG_END.match(self._source, position):
                    return position
                position = junk.end()
                continue
            value, is_closed = None, False
            if found['value'] is not None:
                is_closed = found['broken'] is None
                value = Span(found.start('value') + 1, found.end('value') - is_closed)
            node.attributes.append(
                SyntaxAttribute(found['name'], Span(*found.span('name')), value, is_closed))
            position = found.end()

    def _close(self, found: re.Match[str]) -> None:
        """End the element that an end tag names, and those in it that have none."""
        tag = found['close']
        if not self._tags[tag]:
            self._syntax.strays.append(Span(*found.span()))
            return
        while self._open[-1].tag != tag:
            self._pop(found.start())
        node = self._pop(found.start())
        node.is_closed = found['closed'] is not None
        node.end = found.end()
        node.close_span = Span(*found.span('close'))

    def _pop(self, end: int) -> SyntaxNode:
        node = self._open.pop()
        self._tags[node.tag] -= 1
        node.end = end
        node.content = Span(node.content.start, end)
        return node


def _recovered(syntax: Syntax) -> RecoveredText:
    """Return the text of a tree with blanks for what is not XML, and with all end tags."""
    source = syntax.source
    faults = [*syntax.strays, *(Span(*found.span()) for found in _ENTITY.finditer(source))]
    faults += [
        Span(*found.span()) for found in _NOT_XML.finditer(source)
        if found[0] != ']]>' or not _ends_cdata(source, found.start())]
    inserted: list[tuple[int, str]] = []
    for node in syntax.nodes:
        faults += _faults_of(node)
        if not (node.is_broken or node.is_closed):
            end = node.end if node.close_span is None else node.close_span.start - 2
            faults += [] if node.close_span is None else [Span(end, node.end)]
            inserted.append((end, f'</{node.tag}>'))
    faults += _outside(syntax)
    inserted = [one for one in inserted if syntax.root and one[0] <= syntax.root.end]
    return _applied(source, faults, inserted[::-1])


def _ends_cdata(source: str, position: int) -> bool:
    start = source.rfind('<![CDATA[', 0, position)
    return start >= 0 and source.find(']]>', start) == position


def _faults_of(node: SyntaxNode) -> Iterator[Span]:
    """Yield what of a start tag is not XML: all of it, or attributes that are not complete."""
    if node.is_broken:
        yield Span(node.start, node.end)
        return
    seen, position = set(), node.tag_span.end
    for attribute in node.attributes:
        start, end = attribute.span.start, attribute.span.end
        if attribute.value is not None:
            end = attribute.value.end + attribute.is_closed
        yield Span(position, start)
        is_name = _NAME.fullmatch(attribute.name) is not None
        if (not attribute.is_closed or not is_name or attribute.name in seen
                or start == position):
            yield Span(start, end)
        seen.add(attribute.name)
        position = end
    yield Span(position, node.end - 2 if node.is_empty else node.content.start - 1)


def _outside(syntax: Syntax) -> Iterator[Span]:
    """Yield what is beside the root element and is none of XML."""
    root = syntax.root
    if root is None:
        return
    for span in (Span(0, root.start), Span(root.end, len(syntax.source))):
        position = span.start
        for found in _MARKUP.finditer(syntax.source, span.start, span.end):
            yield Span(position, found.start())
            if found['comment'] is None and found['other'] is None:
                yield Span(*found.span())
            position = found.end()
        yield Span(position, span.end)


def _applied(
    source: str, faults: list[Span], inserted: list[tuple[int, str]],
) -> RecoveredText:
    """Blank the faults, line breaks aside, and insert texts."""
    characters = list(source)
    for start, end in faults:
        for index in range(start, min(end, len(characters))):
            if characters[index] not in '\r\n':
                characters[index] = ' '
    pieces, position = [], 0
    for offset, text in sorted(inserted, key=lambda one: one[0]):
        pieces += [*characters[position:offset], text]
        position = offset
    pieces += characters[position:]
    return RecoveredText(
        ''.join(pieces), tuple(sorted((offset, len(text)) for offset, text in inserted)))
