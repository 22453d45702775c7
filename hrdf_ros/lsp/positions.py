# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Positions in a text, as the protocol defines them.

The positions of pygls are not used: it ends lines where Python does, also at U+2028, where no
editor does; it places a position beyond the end of a line before the line's last character; and it
splits the text again for each position.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
import re
from typing import NamedTuple, TYPE_CHECKING

from hrdf_ros.diagnostics import Location, printable

if TYPE_CHECKING:
    from lsprotocol import types as lsp

READ_WHOLE = 1 << 17
"""The most characters of a text that is read completely at each keystroke."""
SEARCHED_BYTES = 4 << 20
"""The most bytes of a file that is searched for names without being open."""

_LINE_END = re.compile(r'\r\n|\n|\r')
_CODECS = {'utf-8': ('utf-8', 1), 'utf-16': ('utf-16-le', 2), 'utf-32': ('utf-32-le', 4)}
"""The codec of each encoding of positions, and the number of bytes in one of its units."""


def code(text: str) -> str:
    """Return Markdown that shows a text of a file as code, never as a link or an image."""
    quoted = printable(text).replace('`', "'")
    return f'`{quoted}`'


class Span(NamedTuple):
    """A part of a text: the offsets of its ends in code points."""

    start: int
    end: int

    def has(self, offset: int) -> bool:
        """Return whether an offset is inside the span or at one of its ends."""
        return self.start <= offset <= self.end


class Text:
    """An immutable text; lines end with LF, CR LF or CR, as in the protocol."""

    def __init__(self, source: str, encoding: str = 'utf-16') -> None:
        self.source = source
        self.encoding = encoding
        self._codec, self._width = _CODECS[encoding]

    def __reduce__(self) -> tuple[type[Text], tuple[str, str]]:
        """Pickle only the text: the starts of its lines are found again where they are needed."""
        return Text, (self.source, self.encoding)

    def changed(self, span: Span, new: str) -> Text:
        """Return the text with a span replaced; the starts of all other lines are kept."""
        source = self.source
        text = Text(source[:span.start] + new + source[span.end:], self.encoding)
        # a CR or LF at an end of the part may become one end of line with its neighbor
        first = max(bisect_right(self._starts, span.start - 1) - 1, 0)
        last = bisect_right(self._starts, span.end + 1)
        shift, start = len(new) - (span.end - span.start), self._starts[first]
        end = self._starts[last] + shift if last < len(self._starts) else len(text.source)
        between = [found.end() for found in _LINE_END.finditer(text.source, start, end)]
        text._starts = [
            *self._starts[:first + 1], *between,
            *(one + shift for one in self._starts[last + 1:])]
        return text

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(found.end() for found in _LINE_END.finditer(self.source))]

    @cached_property
    def _diagnostic_starts(self) -> list[int]:
        return [0, *(found.end() for found in re.finditer('\n', self.source))]

    def offset(self, at: lsp.Position) -> int:
        """Return the offset of a position; one beyond the end of a line means that end."""
        if at.line >= len(self._starts):
            return len(self.source)
        start = self._starts[at.line]
        end = (*self._starts[at.line + 1:at.line + 2], len(self.source))[0]
        line = self.source[start:end].rstrip('\r\n').encode(self._codec, 'surrogatepass')
        return start + len(line[:max(at.character, 0) * self._width].decode(
            self._codec, 'replace'))

    def position(self, offset: int) -> lsp.Position:
        from lsprotocol import types as lsp  # the process of an analysis does without this import
        line = bisect_right(self._starts, offset) - 1
        before = self.source[self._starts[line]:offset].encode(self._codec, 'surrogatepass')
        return lsp.Position(line, len(before) // self._width)

    def span(self, part: lsp.Range) -> Span:
        """Return the span of a range of the protocol."""
        start = self.offset(part.start)
        return Span(start, max(start, self.offset(part.end)))

    def range_of(self, span: Span) -> lsp.Range:
        """Return a span as a range of the protocol."""
        from lsprotocol import types as lsp
        return lsp.Range(self.position(span.start), self.position(max(span)))

    def offset_of(self, at: Location) -> int:
        """Return the offset of a diagnostic's location, for which only LF ends a line."""
        starts = self._diagnostic_starts
        index = min(max(at.line or 1, 1), len(starts)) - 1
        end = starts[index + 1] - 1 if index + 1 < len(starts) else len(self.source)
        return min(starts[index] + max(at.column or 1, 1) - 1, end)
