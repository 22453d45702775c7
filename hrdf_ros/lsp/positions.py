# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Positions in a text, as the protocol has them.

Those of pygls end lines where Python does, at U+2028 too, where no editor does, place a position
beyond the end of a line before its last character, and split the text again for each position.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
import re
from typing import NamedTuple, TYPE_CHECKING

from hrdf_ros.diagnostics import Location, printable

if TYPE_CHECKING:
    from lsprotocol import types as lsp

EDITED_BYTES = 4 << 20
"""Characters of a text up to which more than its diagnostics is computed."""

_LINE_END = re.compile(r'\r\n|\n|\r')
_CODECS = {'utf-8': ('utf-8', 1), 'utf-16': ('utf-16-le', 2), 'utf-32': ('utf-32-le', 4)}
"""The encodings of positions, and the bytes of one unit in each."""


def code(text: str) -> str:
    """Return Markdown that shows a text of a file, and never a link or an image."""
    quoted = printable(text).replace('`', "'")
    return f'`{quoted}`'


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
        self._codec, self._width = _CODECS[encoding]

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(found.end() for found in _LINE_END.finditer(self.source))]

    @cached_property
    def _diagnostic_starts(self) -> list[int]:
        return [0, *(found.end() for found in re.finditer('\n', self.source))]

    def offset(self, at: lsp.Position) -> int:
        """Return the code point of a position; one beyond the end of its line is that end."""
        if at.line >= len(self._starts):
            return len(self.source)
        start = self._starts[at.line]
        end = (*self._starts[at.line + 1:at.line + 2], len(self.source))[0]
        line = self.source[start:end].rstrip('\r\n').encode(self._codec, 'surrogatepass')
        return start + len(line[:max(at.character, 0) * self._width].decode(
            self._codec, 'replace'))

    def position(self, offset: int) -> lsp.Position:
        """Return the position of a code point."""
        from lsprotocol import types as lsp  # an analysis, which needs none, is forked without
        line = bisect_right(self._starts, offset) - 1
        before = self.source[self._starts[line]:offset].encode(self._codec, 'surrogatepass')
        return lsp.Position(line, len(before) // self._width)

    def span(self, part: lsp.Range) -> Span:
        """Return a range as offsets."""
        start = self.offset(part.start)
        return Span(start, max(start, self.offset(part.end)))

    def range_of(self, span: Span) -> lsp.Range:
        """Return offsets as a range."""
        from lsprotocol import types as lsp
        return lsp.Range(self.position(span.start), self.position(max(span)))

    def offset_of(self, at: Location) -> int:
        """Return the code point of a place of a diagnostic: only LF separates its lines."""
        starts = self._diagnostic_starts
        index = min(max(at.line or 1, 1), len(starts)) - 1
        end = starts[index + 1] - 1 if index + 1 < len(starts) else len(self.source)
        return min(starts[index] + max(at.column or 1, 1) - 1, end)
