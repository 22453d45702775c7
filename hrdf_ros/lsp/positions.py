# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Positions in a text, as the protocol defines them.

pygls ends lines where Python does, also at U+2028, where no editor does. It places a position
beyond the end of a line before the line's last character, and splits the text again for each
position.
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
"""The most characters of a text all of which is read again at each key."""
SEARCHED_BYTES = 4 << 20
"""The largest file beside the open ones that is searched for names."""

_LINE_END = re.compile(r'\r\n|\n|\r')
_CODECS = {'utf-8': ('utf-8', 1), 'utf-16': ('utf-16-le', 2), 'utf-32': ('utf-32-le', 4)}
"""The encodings of positions, and the bytes of one unit in each."""


def code(text: str) -> str:
    """Return Markdown that shows a text of a file, never as a link or an image."""
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
    """A text that does not change; lines end with LF, CR LF or CR, as in the protocol."""

    def __init__(self, source: str, encoding: str = 'utf-16') -> None:
        self.source = source
        self.encoding = encoding
        self._codec, self._width = _CODECS[encoding]

    def __reduce__(self) -> tuple[type[Text], tuple[str, str]]:
        """Pickle the text alone: its lines are found again where they are needed."""
        return Text, (self.source, self.encoding)

    def changed(self, span: Span, new: str) -> Text:
        """Return the text with another one in the place of a part; other lines are kept."""
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
        """Return the offset of a position; beyond the end of its line it is that end."""
        if at.line >= len(self._starts):
            return len(self.source)
        start = self._starts[at.line]
        end = (*self._starts[at.line + 1:at.line + 2], len(self.source))[0]
        line = self.source[start:end].rstrip('\r\n').encode(self._codec, 'surrogatepass')
        return start + len(line[:max(at.character, 0) * self._width].decode(
            self._codec, 'replace'))

    def position(self, offset: int) -> lsp.Position:
        """Return the position of an offset."""
        from lsprotocol import types as lsp  # an analysis is forked without it
        line = bisect_right(self._starts, offset) - 1
        before = self.source[self._starts[line]:offset].encode(self._codec, 'surrogatepass')
        return lsp.Position(line, len(before) // self._width)

    def span(self, part: lsp.Range) -> Span:
        """Return a range of the protocol as offsets."""
        start = self.offset(part.start)
        return Span(start, max(start, self.offset(part.end)))

    def range_of(self, span: Span) -> lsp.Range:
        """Return offsets as a range of the protocol."""
        from lsprotocol import types as lsp
        return lsp.Range(self.position(span.start), self.position(max(span)))

    def offset_of(self, at: Location) -> int:
        """Return the offset of the place of a diagnostic, for which only LF ends a line."""
        starts = self._diagnostic_starts
        index = min(max(at.line or 1, 1), len(starts)) - 1
        end = starts[index + 1] - 1 if index + 1 < len(starts) else len(self.source)
        return min(starts[index] + max(at.column or 1, 1) - 1, end)
