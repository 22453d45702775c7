# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Diagnostics as people read them: the location, the message, the source line with a caret."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from itertools import islice
import os
import sys
from typing import TextIO

from hrdf_ros.cli.output import columns, width
from hrdf_ros.codes import Severity
from hrdf_ros.diagnostics import Diagnostic, printable
from hrdf_ros.document import SourceRef

_COLORS = {'error': '1;31', 'warning': '1;35', 'info': '1;36', 'location': '1', 'caret': '1;32'}
_TAB = '    '
_ELLIPSIS = '...'
_WIDTH_OF_FILES = 122
"""Columns of the excerpts where standard error is not a terminal."""
_LISTED = 5


class Style:
    """
    How a stream is written to: whether in color, and on how many columns.

    ``color`` is auto, always or never; auto means on a terminal, unless the environment has
    ``NO_COLOR``, or ``FORCE_COLOR`` for everywhere.
    """

    def __init__(self, stream: TextIO, color: str = 'auto') -> None:
        self._colored = color == 'always' or color == 'auto' and _is_color_wanted(stream)
        self.width = columns() if stream.isatty() else _WIDTH_OF_FILES

    def paint(self, text: str, role: str) -> str:
        """Return the text in the color of its role."""
        return f'\x1b[{_COLORS[role]}m{text}\x1b[0m' if self._colored else text


def _is_color_wanted(stream: TextIO) -> bool:
    if os.environ.get('NO_COLOR'):
        return False
    forced = os.environ.get('FORCE_COLOR', '0') not in ('', '0')
    return forced or stream.isatty() and os.environ.get('TERM') != 'dumb'


def show(
    diagnostics: Iterable[Diagnostic], options: argparse.Namespace, *,
    least: Severity = 'warning', is_stopped: bool = False,
) -> None:
    """
    Write the diagnostics that are at least as severe as ``least`` to standard error.

    Those that ``--ignore`` names are left out, but for errors that stopped the command.
    """
    shown = [
        found for found in at_least(diagnostics, least)
        if found.code not in options.ignore or is_stopped and found.severity == 'error']
    for line in lines(shown, Style(sys.stderr, options.color)):
        print(line, file=sys.stderr)


def at_least(diagnostics: Iterable[Diagnostic], least: Severity) -> Iterator[Diagnostic]:
    """Yield the diagnostics that are at least as severe as ``least``."""
    severities = ('error', 'warning', 'info')
    shown = severities[:severities.index(least) + 1]
    return (found for found in diagnostics if found.severity in shown)


def lines(diagnostics: Iterable[Diagnostic], style: Style) -> Iterator[str]:
    """Yield the lines that show diagnostics; the same message at several places is shown once."""
    groups: dict[tuple[str, ...], list[Diagnostic]] = {}
    for found in diagnostics:
        groups.setdefault((found.severity, found.code, found.message), []).append(found)
    for first, *others in groups.values():
        yield from _lines(first, style)
        if others:
            yield f'  also at {_locations(first, others)}'


def _locations(first: Diagnostic, others: list[Diagnostic]) -> str:
    """Return where the same is reported again, the file only where it is another one."""
    at = first.resolve()
    file = '' if at is None else f'{at.file}:'
    shown = [
        printable(str(other.resolve()).removeprefix(file))
        for other in islice(others, _LISTED)]
    rest = len(others) - len(shown)
    return ', '.join(shown) + (f' and {rest} more' if rest else '')


def summary(diagnostics: Iterable[Diagnostic]) -> str:
    """Return how many diagnostics of which severity there are, as ``2 errors, 1 warning``."""
    counts = {'error': 0, 'warning': 0, 'info': 0}
    for found in diagnostics:
        counts[found.severity] += 1
    return ', '.join(count_of(count, severity) for severity, count in counts.items() if count)


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
    """Yield the source line cut to the width, and a caret under the column."""
    if not isinstance(found.location, SourceRef):
        return
    most = max(style.width - 2, 20)
    excerpt = found.location.document.excerpt(found.location.offset(), most)
    before, after = _visible(excerpt.before), _visible(excerpt.after)
    if not (before.strip() or after.strip()):
        return
    if excerpt.is_cut_before or width(before) > most // 2:
        before = _ELLIPSIS + _last(before, most // 2 - len(_ELLIPSIS))
    if excerpt.is_cut_after or width(after) > most - width(before):
        after = _first(after, most - width(before) - len(_ELLIPSIS)) + _ELLIPSIS
    yield f'  {before}{after}'
    yield '  ' + ' ' * width(before) + style.paint('^', 'caret')


def _visible(line: str) -> str:
    return printable(line.replace('\t', _TAB))


def _first(text: str, most: int) -> str:
    """Return the beginning of a text that fits on so many columns."""
    text = text[:most]
    while width(text) > most:
        text = text[:-1]
    return text


def _last(text: str, most: int) -> str:
    """Return the end of a text that fits on so many columns."""
    text = text[-most:]
    while width(text) > most:
        text = text[1:]
    return text


def count_of(count: int, noun: str) -> str:
    """Return a count and its noun, in the plural unless it is one."""
    return f'{count} {noun}{"" if count == 1 else "s"}'
