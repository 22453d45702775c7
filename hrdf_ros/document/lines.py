# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Find the lines and columns of byte offsets, and what to show of a line."""

from typing import NamedTuple

from hrdf_ros.document.tokenizer import count_code_points

_BLOCK = 1 << 12
"""The number of bytes between two counts of lines and code points."""


class Excerpt(NamedTuple):
    """A part of a line before and after a point, and whether the line continues at each end."""

    before: str
    after: str
    is_cut_before: bool
    is_cut_after: bool


class Lines:
    """An index that finds the line and column of a byte offset quickly, however long lines are."""

    __slots__ = ('_data', '_blocks')

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._blocks = [(0, 0, 0)]
        """The counts before each block: lines, code points, and the start of the last line."""
        for start in range(0, len(data), _BLOCK):
            block = data[start:start + _BLOCK]
            lines, points, line_start = self._blocks[-1]
            newline = block.rfind(b'\n')
            self._blocks.append((
                lines + block.count(b'\n'), points + count_code_points(block),
                line_start if newline < 0 else start + newline + 1))

    def line(self, offset: int) -> int:
        """Return the line of a byte offset, the first being 1."""
        index = offset // _BLOCK
        return self._blocks[index][0] + self._data.count(b'\n', index * _BLOCK, offset) + 1

    def line_start(self, offset: int) -> int:
        """Return the byte at which the line of a byte offset starts."""
        index = offset // _BLOCK
        newline = self._data.rfind(b'\n', index * _BLOCK, offset)
        return self._blocks[index][2] if newline < 0 else newline + 1

    def column(self, offset: int) -> int:
        """Return the column of a byte offset in code points, the first being 1."""
        return self._points(offset) - self._points(self.line_start(offset)) + 1

    def _points(self, offset: int) -> int:
        """Return how many code points are before a byte offset."""
        index = offset // _BLOCK
        return self._blocks[index][1] + count_code_points(self._data[index * _BLOCK:offset])

    def excerpt(self, offset: int, reach: int) -> Excerpt:
        """Return the line of a byte offset, cut to ``reach`` bytes either way."""
        line_start = self.line_start(offset)
        first = max(line_start, offset - reach)
        newline = self._data.find(b'\n', offset, offset + reach)
        last = newline if newline >= 0 else min(offset + reach, len(self._data))
        return Excerpt(
            self._data[first:offset].decode('utf-8', 'ignore'),
            self._data[offset:last].decode('utf-8', 'ignore').rstrip('\r'),
            first > line_start, newline < 0 and last < len(self._data))
