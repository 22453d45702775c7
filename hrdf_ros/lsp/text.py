# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A text as an editor has it: positions in lines and UTF-16 units, and edits."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
import re
from typing import Literal, NamedTuple, Optional

PositionEncoding = Literal['utf-8', 'utf-16', 'utf-32']
"""What the characters of a position count: bytes, UTF-16 units or code points."""

_LINE_END = re.compile(r'\r\n|\n|\r')


class Position(NamedTuple):
    """A point in a text as the protocol has it; both numbers count from 0."""

    line: int
    character: int


class Span(NamedTuple):
    """A part of a text by its offsets in code points."""

    start: int
    end: int

    def has(self, offset: int) -> bool:
        """Tell whether an offset is in the part or at one of its ends."""
        return self.start <= offset <= self.end


class Change(NamedTuple):
    """A text in place of a range; of the whole without one."""

    start: Optional[Position]
    end: Optional[Position]
    text: str


class Text:
    """A text that does not change; lines end with LF, CR LF or CR, as the protocol has it."""

    def __init__(self, source: str, encoding: PositionEncoding = 'utf-16') -> None:
        self.source = source
        self.encoding: PositionEncoding = encoding

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(found.end() for found in _LINE_END.finditer(self.source))]

    @cached_property
    def _is_plain(self) -> bool:
        """Whether every character is one unit."""
        return self.encoding == 'utf-32' or self.source.isascii()

    def offset(self, position: Position) -> int:
        """Return the code point of a position; one beyond the end of its line is that end."""
        line = max(position.line, 0)
        if line >= len(self._starts):
            return len(self.source)
        start, end = self._starts[line], self._line_end(line)
        if self._is_plain:
            return min(start + max(position.character, 0), end)
        return start + _points(self.source[start:end], position.character, self.encoding)

    def position(self, offset: int) -> Position:
        """Return the position of a code point."""
        line = bisect_right(self._starts, offset) - 1
        before = self.source[self._starts[line]:offset]
        return Position(line, len(before) if self._is_plain else _units(before, self.encoding))

    def offset_of(self, line: int, column: int) -> int:
        """Return the code point of a line and column of a diagnostic, which only LF separates."""
        starts = self._diagnostic_lines
        index = min(max(line, 1), len(starts)) - 1
        following = starts[index + 1] if index + 1 < len(starts) else len(self.source) + 1
        return min(starts[index] + max(column, 1) - 1, following - 1)

    @cached_property
    def _diagnostic_lines(self) -> list[int]:
        if '\r' not in self.source:
            return self._starts
        return [0, *(found.end() for found in re.finditer('\n', self.source))]

    def changed(self, change: Change) -> Text:
        """Return the text after an edit."""
        if change.start is None or change.end is None:
            return Text(change.text, self.encoding)
        start, end = self.offset(change.start), self.offset(change.end)
        source = self.source[:start] + change.text + self.source[max(start, end):]
        return Text(source, self.encoding)

    def _line_end(self, line: int) -> int:
        """Return the code point after the last one of a line, before what ends it."""
        if line + 1 == len(self._starts):
            return len(self.source)
        end = self._starts[line + 1]
        return end - 2 if self.source.endswith('\r\n', self._starts[line], end) else end - 1


def _units(text: str, encoding: PositionEncoding) -> int:
    """Return how many units a text is."""
    if encoding == 'utf-16':
        return len(text) + sum(character > '\uffff' for character in text)
    return len(text.encode('utf-8', 'surrogatepass'))


def _points(text: str, units: int, encoding: PositionEncoding) -> int:
    """Return how many code points some units at the start of a text are."""
    for index, character in enumerate(text):
        if units <= 0:
            return index
        units -= _units(character, encoding)
    return len(text)
