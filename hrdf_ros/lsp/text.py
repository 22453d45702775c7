# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
A text as an editor has it, and positions in it.

pygls' own ends lines where Python does, at U+2028 too, where no editor does, and writes the whole
text again for each edit: 30 ms for one of 5 MB.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
import re
from typing import NamedTuple, Optional

Position = tuple[int, int]
"""A line and a character as the protocol has them: both count from 0."""

_LINE_END = re.compile(r'\r\n|\n|\r')
_CODECS = {'utf-8': ('utf-8', 1), 'utf-16': ('utf-16-le', 2), 'utf-32': ('utf-32-le', 4)}
"""The encodings of positions, and the bytes of one unit in each."""


class Span(NamedTuple):
    """A part of a text by its offsets in code points."""

    start: int
    end: int

    def has(self, offset: int) -> bool:
        """Return whether an offset is in the part or at one of its ends."""
        return self.start <= offset <= self.end


class Text:
    """A text that does not change; lines end with LF, CR LF or CR, as the protocol has it."""

    def __init__(self, source: str, encoding: str = 'utf-16') -> None:
        self.source = source
        self.encoding = encoding

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(found.end() for found in _LINE_END.finditer(self.source))]

    @cached_property
    def _diagnostic_starts(self) -> list[int]:
        if '\r' not in self.source:
            return self._starts
        return [0, *(found.end() for found in re.finditer('\n', self.source))]

    def offset(self, position: Position) -> int:
        """Return the code point of a position; one beyond the end of its line is that end."""
        line, character = position
        if line >= len(self._starts):
            return len(self.source)
        start, end = self._starts[line], (*self._starts[line + 1:line + 2], len(self.source))[0]
        return start + column(self.source[start:end], character, self.encoding)

    def position(self, offset: int) -> Position:
        """Return the position of a code point."""
        line = bisect_right(self._starts, offset) - 1
        before = self.source[self._starts[line]:offset]
        if before.isascii():
            return line, len(before)
        codec, width = _CODECS[self.encoding]
        return line, len(before.encode(codec, 'surrogatepass')) // width

    def offset_of(self, line: Optional[int], column: Optional[int]) -> int:
        """Return the code point of a line and column of a diagnostic, which only LF separates."""
        starts = self._diagnostic_starts
        index = min(max(line or 1, 1), len(starts)) - 1
        end = starts[index + 1] - 1 if index + 1 < len(starts) else len(self.source)
        return min(starts[index] + max(column or 1, 1) - 1, end)


class Lines:
    """The lines of a text that is edited, each with its end; the last one has none."""

    def __init__(self, source: str, encoding: str) -> None:
        self._lines = _split(source)
        self._encoding = encoding

    def source(self) -> str:
        """Return the text."""
        return ''.join(self._lines)

    def replace(self, start: Position, end: Position, text: str) -> None:
        """Write a text in place of a range."""
        lines = self._lines
        first, first_column = self._place(start)
        last, last_column = max(self._place(end), (first, first_column))
        text = lines[first][:first_column] + text + lines[last][last_column:]
        # a CR and a LF that meet are one end of a line
        before = max(first - 1, 0)
        text = ''.join(lines[before:first]) + text
        after = min(last + 1, len(lines) - 1)
        text += ''.join(lines[last + 1:after + 1])
        changed = _split(text)
        lines[before:after + 1] = changed if after + 1 == len(lines) else changed[:-1]

    def _place(self, position: Position) -> Position:
        """Return the line and column in code points."""
        line, character = position
        if line >= len(self._lines):
            return len(self._lines) - 1, len(self._lines[-1])
        return line, column(self._lines[line], character, self._encoding)


def column(line: str, character: int, encoding: str) -> int:
    """Return how many code points of a line so many units are, at most all but its end."""
    most = len(line.rstrip('\r\n'))
    if not line.isascii():
        codec, width = _CODECS[encoding]
        units = line.encode(codec, 'surrogatepass')[:max(character, 0) * width]
        character = len(units.decode(codec, 'replace'))
    return min(max(character, 0), most)


def _split(source: str) -> list[str]:
    ends = [found.end() for found in _LINE_END.finditer(source)]
    return [source[start:end] for start, end in zip([0, *ends], [*ends, len(source)])]
