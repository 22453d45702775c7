# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Where things stand in a file: documents, and places in them that become locations on demand."""

from __future__ import annotations

import re
from typing import NamedTuple, Optional

from hrdf_ros.diagnostics import Location
from hrdf_ros.document.search import find_value
from hrdf_ros.limits import ResourceLimits

_BLOCK = 1 << 12
_CONTINUATION = bytes(range(0x80, 0xc0))
_LONGEST_TAG = 1 << 16
# These two must not look at a long name more than once: they run over what an attacker wrote.
_ATTRIBUTE = re.compile(r'\s([^\s=<>/"\']+)\s*=\s*("[^"]*"|\'[^\']*\')')
_START_TAG = re.compile(r'<[^\s/>]+(?=[\s/>])(?:[^"\'>]|"[^"]*"|\'[^\']*\')*>')
_BEFORE_TEXT = re.compile(r'(?:\s|<!--.*?-->|<\?.*?\?>)*(?:<!\[CDATA\[\s*)?', re.DOTALL)
_SOURCE_CHARACTER = re.compile(r'&[^;&<]*;|\r\n|.', re.DOTALL)


class SourceFile(NamedTuple):
    """
    A file's name and bytes, the place of the include element that asked for it, its bounds.

    ``encoding`` is that of the bytes where it is known, whatever the XML declaration says.
    """

    file: str
    data: bytes
    included_from: Optional[SourceRef] = None
    limits: ResourceLimits = ResourceLimits()
    encoding: Optional[str] = None


class Size:
    """How many elements and attributes a document and all that it includes have so far."""

    __slots__ = ('items',)

    def __init__(self) -> None:
        self.items = 0


class Document:
    """The text of one file, which turns places in it into locations."""

    __slots__ = ('file', 'data', 'included_from', 'limits', 'size', 'stray', '_lines')

    def __init__(self, source: SourceFile) -> None:
        self.file = source.file
        self.data = source.data
        self.included_from = location = source.included_from
        self.limits = source.limits
        self.size: Size = Size() if location is None else location.document.size
        self._lines: Optional[_Lines] = None
        self.stray: list[SourceRef] = []
        """Text that stands beside child elements, and processing instructions in the root."""

    def location(self, start: int) -> Location:
        """Return the point of a byte offset, with the include elements that led to the file."""
        return self.point(start)._replace(included_from=self.chain)

    def point(self, start: int) -> Location:
        """Return the line and column of a byte offset; code points are counted, a tab is one."""
        return Location(self.file, self.lines.line(start), self.lines.column(start))

    def line(self, start: int) -> int:
        """Return the line of a byte offset."""
        return self.lines.line(start)

    @property
    def lines(self) -> _Lines:
        """What finds lines and columns; made only when a finding is shown."""
        if self._lines is None:
            self._lines = _Lines(self.data)
        return self._lines

    @property
    def chain(self) -> tuple[Location, ...]:
        """The include elements that led to this file, the innermost first."""
        chain = []
        location = self.included_from
        while location is not None:
            chain.append(location.document.point(location.start))
            location = location.document.included_from
        return tuple(chain)

    def excerpt(self, start: int, reach: int) -> Excerpt:
        """Return what stands on the line of a byte offset, at most ``reach`` bytes either way."""
        line_start = self.lines.line_start(start)
        first = max(line_start, start - reach)
        newline = self.data.find(b'\n', start, start + reach)
        last = newline if newline >= 0 else min(start + reach, len(self.data))
        return Excerpt(
            self.data[first:start].decode('utf-8', 'ignore'),
            self.data[start:last].decode('utf-8', 'ignore').rstrip('\r'),
            first > line_start, newline < 0 and last < len(self.data))


class Excerpt(NamedTuple):
    """A part of a line before a point and from it on, and whether the line goes on there."""

    before: str
    after: str
    is_cut_before: bool
    is_cut_after: bool


class _Block(NamedTuple):
    """What stands before a block of bytes: lines, code points, and the last line's start."""

    lines: int
    points: int
    line_start: int


class _Lines:
    """Lines and columns of byte offsets, at the same small cost however long the lines are."""

    __slots__ = ('_data', '_blocks')

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._blocks = [_Block(0, 0, 0)]
        for start in range(0, len(data), _BLOCK):
            block = data[start:start + _BLOCK]
            lines, points, line_start = self._blocks[-1]
            newline = block.rfind(b'\n')
            self._blocks.append(_Block(
                lines + block.count(b'\n'), points + _code_points(block),
                line_start if newline < 0 else start + newline + 1))

    def line(self, offset: int) -> int:
        """Return the line of a byte offset, the first being 1."""
        index = offset // _BLOCK
        return self._blocks[index].lines + self._data.count(b'\n', index * _BLOCK, offset) + 1

    def line_start(self, offset: int) -> int:
        """Return the byte at which the line of a byte offset starts."""
        index = offset // _BLOCK
        newline = self._data.rfind(b'\n', index * _BLOCK, offset)
        return self._blocks[index].line_start if newline < 0 else newline + 1

    def column(self, offset: int) -> int:
        """Return the column of a byte offset in code points, the first being 1."""
        return self._points(offset) - self._points(self.line_start(offset)) + 1

    def _points(self, offset: int) -> int:
        """Return how many code points stand before a byte offset."""
        index = offset // _BLOCK
        return self._blocks[index].points + _code_points(self._data[index * _BLOCK:offset])


def _code_points(data: bytes) -> int:
    """Return how many code points UTF-8 begins in some bytes."""
    return len(data.translate(None, _CONTINUATION))


class SourceRef(NamedTuple):
    """
    A point in a document, resolved to a Location only when somebody asks.

    Without ``part`` it is the element (its ``<``), with an attribute's name that attribute, with
    the empty string the element's text; ``character`` is the faulty one of the value. With
    ``steps`` it is what they lead to from the element, see ``within``.
    """

    document: Document
    start: int
    part: Optional[str] = None
    character: Optional[int] = None
    steps: tuple[str, ...] = ()

    def within(self, *steps: str) -> SourceRef:
        """
        Return the place of a value in this element, which is looked for when somebody asks.

        Each step has the names that the value or an element around it may have, separated by
        blanks. It is as near as the steps lead, so the element itself at worst.
        """
        return self._replace(steps=steps)

    def resolve(self) -> Location:
        """Return the point in the file."""
        return self.document.location(self.offset())

    def offset(self) -> int:
        """Return the byte of the document at which the point is."""
        location = self
        for names in self.steps:
            found = find_value(self.document.data, location.start, names)
            if found is None:
                break
            location = SourceRef(self.document, found.start, found.part, 0)
        return location.start + location._from_start()

    def _from_start(self) -> int:
        """Return how many bytes behind the element's ``<`` the point is."""
        if self.part is None:
            return 0
        text = self.document.data[self.start:self.start + _LONGEST_TAG].decode('utf-8', 'replace')
        tag = _START_TAG.match(text)
        if tag is None:
            return 0
        if self.part == '':
            before = _BEFORE_TEXT.match(text, tag.end())
            start = before.end() if before is not None else tag.end()
            return _value_offset(text, start, self.character or 0)
        for attribute in _ATTRIBUTE.finditer(tag.group()):
            if attribute.group(1) == self.part:
                if self.character is None:
                    return len(text[:attribute.start(1)].encode())
                return _value_offset(text, attribute.start(2) + 1, self.character)
        return 0


def _value_offset(text: str, start: int, index: int) -> int:
    """Return the byte offset of the index-th character of a value whose source begins at start."""
    position = start
    for _ in range(index):
        character = _SOURCE_CHARACTER.match(text, position)
        if character is None:
            break
        position = character.end()
    return len(text[:position].encode())
