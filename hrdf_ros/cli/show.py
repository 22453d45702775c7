# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Diagnostics as people read them: the place, the message, the line of source with a caret."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
import os
import sys
from typing import TextIO

from hrdf_ros.codes import Severity
from hrdf_ros.diagnostics import Diagnostic, printable
from hrdf_ros.document import SourceRef

_COLORS = {'error': '1;31', 'warning': '1;35', 'info': '1;36', 'location': '1', 'caret': '1;32'}
_TAB = '    '
_REACH = 60
_ELLIPSIS = '...'


class Style:
    """How a stream is written to: in colour only on a terminal, and never with ``NO_COLOR``."""

    def __init__(self, stream: TextIO) -> None:
        self._colored = (
            stream.isatty() and not os.environ.get('NO_COLOR')
            and os.environ.get('TERM') != 'dumb')

    def paint(self, text: str, role: str) -> str:
        """Return the text in the colour of its role."""
        return f'\x1b[{_COLORS[role]}m{text}\x1b[0m' if self._colored else text


def show(diagnostics: Iterable[Diagnostic], *, least: Severity = 'warning') -> None:
    """Write the findings that are at least as bad as ``least`` to standard error."""
    style = Style(sys.stderr)
    severities = ('error', 'warning', 'info')
    shown = severities[:severities.index(least) + 1]
    for found in diagnostics:
        if found.severity in shown:
            for line in _lines(found, style):
                print(line, file=sys.stderr)


def summary(diagnostics: Iterable[Diagnostic]) -> str:
    """Return how many findings of which severity there are, as ``2 errors, 1 warning``."""
    counts = {'error': 0, 'warning': 0, 'info': 0}
    for found in diagnostics:
        counts[found.severity] += 1
    plural = {'error': 'errors', 'warning': 'warnings', 'info': 'infos'}
    return ', '.join(
        f'{count} {severity if count == 1 else plural[severity]}'
        for severity, count in counts.items() if count)


def _lines(found: Diagnostic, style: Style) -> Iterator[str]:
    yield found.line(style.paint)
    if found.severity != 'info':
        yield from _source(found, style)
    at = found.resolve()
    for included in at.included_from if at is not None else ():
        yield f'  included from {printable(str(included))}'
    if found.hint is not None:
        yield f'  hint: {printable(found.hint)}'


def _source(found: Diagnostic, style: Style) -> Iterator[str]:
    """Yield the line of source, and a caret under the column."""
    if not isinstance(found.location, SourceRef):
        return
    excerpt = found.location.document.excerpt(found.location.offset(), _REACH)
    before = _visible((_ELLIPSIS if excerpt.is_cut_before else '') + excerpt.before)
    after = _visible(excerpt.after + (_ELLIPSIS if excerpt.is_cut_after else ''))
    if before.strip() or after.strip():
        yield f'  {before}{after}'
        yield '  ' + ' ' * width(before) + style.paint('^', 'caret')


def _visible(line: str) -> str:
    return printable(line.replace('\t', _TAB))


def columns() -> int:
    """Return the width of the terminal, 80 where there is none."""
    given = os.environ.get('COLUMNS', '')
    if given.isdigit():
        return int(given)
    try:
        return os.get_terminal_size().columns
    except OSError:
        return 80


def width(text: str) -> int:
    """Return how many columns a terminal needs for a text."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width  # needed for other scripts only
    return sum(
        2 if east_asian_width(character) in 'WF' else 0 if combining(character) else 1
        for character in text)
