# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Formatting as edits: only the white space that changes, so that an editor keeps its place."""

from __future__ import annotations

from collections.abc import Iterator
import re

from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceFile
from hrdf_ros.document.formatter import formatted
from hrdf_ros.lsp.actions import Edit
from hrdf_ros.lsp.buffer import Buffer
from hrdf_ros.lsp.text import Span

_MOST = 500
"""Edits up to which they are sent one by one; more of them replace the whole text."""
_BLANKS = re.compile(r'\s+')


def formatting(buffer: Buffer) -> list[Edit]:
    """Return the edits of ``hrdf format``, none for a text that it refuses."""
    text = buffer.text.source
    source = SourceFile(
        buffer.path, text.encode('utf-8', 'surrogatepass'), encoding='utf-8')
    result = formatted(source, Report())
    if result is None:
        return []
    after = result.decode('utf-8')
    if abs(text.count('\n') - after.count('\n')) <= _MOST:
        edits = list(_edits(text, after))
        if len(edits) <= _MOST:
            return edits
    return [Edit(Span(0, len(text)), after)]


def _edits(before: str, after: str) -> Iterator[Edit]:
    """Yield what makes one text of another that has the same characters but for white space."""
    old, new = dict(_gaps(before)), dict(_gaps(after))
    blanks = 0
    for index in sorted({*old, *new}):
        here = Span(index + blanks, index + blanks)
        span, other = old.get(index, here), new.get(index, Span(0, 0))
        text = after[other.start:other.end]
        blanks += span.end - span.start
        if text != before[span.start:span.end]:
            yield Edit(span, text)


def _gaps(text: str) -> Iterator[tuple[int, Span]]:
    """Yield each run of white space, and how many other characters are before it."""
    blanks = 0
    for found in _BLANKS.finditer(text):
        yield found.start() - blanks, Span(*found.span())
        blanks += found.end() - found.start()
