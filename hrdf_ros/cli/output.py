# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Write what commands write: texts, tables, diagnostics and files; define their errors."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from math import ceil
import os
import sys
from typing import NamedTuple, Optional, TextIO

from hrdf_ros.codes import Severity
from hrdf_ros.diagnostics import Diagnostic, printable, Report
from hrdf_ros.document import SourceRef
from hrdf_ros.listing import count_of, first_of

STANDARD_STREAM = '-'
"""The name of standard input and standard output on the command line."""
PAGE = os.path.join(os.path.dirname(__file__), 'diagnostics.md')
"""The page that explains the diagnostic codes."""
_NARROWEST = 20
"""The minimum width in columns that a terminal is assumed to have; no table fits into less."""
_LEAST_TEXT = 40
"""The minimum width in columns that wrapped text gets beside its indentation."""
_GAP = '  '
"""The space between two columns of a table."""
_CELL = 60
"""The width in columns up to which cells are padded: one long name would widen every line."""
_SEVERITIES: tuple[Severity, ...] = ('error', 'warning', 'info')
_COLORS = {'error': '1;31', 'warning': '1;35', 'info': '1;36', 'location': '1', 'caret': '1;32'}
_ELLIPSIS = '...'
_WIDTH_OF_FILES = 122
"""The width in columns of source excerpts if standard error is not a terminal."""
_LISTED = 5
"""The maximum number of further locations shown of a diagnostic; the others are counted."""


# ---- errors that are not about a place in a file

class UsageError(Exception):
    """A request that cannot be carried out: exit status 2."""


class CommandError(Exception):
    """
    The command cannot continue: exit status 1.

    Without a message, the diagnostics have said why.
    """


def warn(message: str) -> None:
    """Write a warning that is not about a place in a file to standard error."""
    say(f'hrdf: warning: {message}', sys.stderr)


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """Return a message about an unknown name that proposes the nearest known name."""
    from hrdf_ros.parsing.suggestions import one_of
    return f"there is no {what} '{name}'; {one_of(name, list(known))()}"


@contextmanager
def errors_as(
    error: type[Exception], kind: type[Exception], message: str = '{error}', source: str = '',
) -> Iterator[None]:
    """
    Turn exceptions of one type into an error of the command, whose message has their text.

    The message begins with the ``source``, a text of the user's, such as the name of a file.
    """
    try:
        yield
    except kind as found:
        if isinstance(found, ImportError) and (found.name or '').startswith('hrdf_ros'):
            raise
        start = f'{source}: ' if source else ''
        raise error(start + message.format(error=found)) from None


# ---- text

def say(line: str, stream: Optional[TextIO] = None) -> None:
    """Print a line without control characters, by default to standard output."""
    print(harmless(printable(line)), file=stream)


def harmless(line: str) -> str:
    """Return a line that GitHub does not take for a workflow command."""
    return without_commands(line) if os.environ.get('GITHUB_ACTIONS') else line


def without_commands(line: str) -> str:
    """Return a line without GitHub's workflow commands: ``::add-mask::``, ``##[error]``."""
    prefix = '| ' if line.lstrip().startswith('::') else ''
    return prefix + line.replace('##[', '## [')


def write_output(
    text: str, output: str, beside: Mapping[tuple[str, str], bytes] = {},
) -> None:
    """
    Write a text in UTF-8 to standard output, or to a file, which is replaced in one step.

    The files in ``beside`` are written with the text: either all are written or none. A terminal
    receives no control characters.
    """
    if output == STANDARD_STREAM:
        write_bytes(for_terminal(text).encode('utf-8'))
    else:
        from hrdf_ros.file_writer import replace_file  # here, since hrdf check does not need it
        replace_file(output, text.encode('utf-8'), beside)


def for_terminal(text: str) -> str:
    """Return a text without control characters if standard output is a terminal."""
    if not sys.stdout.isatty():
        return text
    return '\n'.join('\t'.join(map(printable, line.split('\t'))) for line in text.split('\n'))


def write_bytes(data: bytes) -> None:
    """Write bytes to standard output, after the text printed so far."""
    sys.stdout.flush()
    rest = memoryview(data)
    while rest:  # an unbuffered stream may write only a part
        rest = rest[sys.stdout.buffer.write(rest):]
    sys.stdout.buffer.flush()


def print_table(rows: Sequence[Sequence[str]], *, left: int = 1) -> None:
    """
    Print a table whose first row is its head.

    The first ``left`` columns are aligned to the left, the others to the right. A cell wider than
    60 columns moves the rest of its line. On a terminal that is too narrow, columns that do not
    fit continue below, the same number in each line.
    """
    cells = [[printable(cell) for cell in row] for row in rows]
    widths = [min(max(map(width, column)), _CELL) for column in zip(*cells)]
    start = sum(widths[:left]) + len(_GAP) * (left - 1)
    share = count = len(widths) - left
    if sys.stdout.isatty() and start + sum(size + len(_GAP) for size in widths[left:]) > columns():
        size = max(widths[left:])
        widths[left:] = [size] * count
        most = max((columns() - start) // (size + len(_GAP)), 1)
        share = ceil(count / ceil(count / most))
        start = max(min(start, columns() - share * (size + len(_GAP))), 0)
    for row in cells:
        line = _GAP.join(
            cell + ' ' * (size - width(cell)) for cell, size in zip(row[:left], widths))
        for first in range(left, len(row), share):
            line += ''.join(
                _GAP + ' ' * (widths[index] - width(row[index])) + row[index]
                for index in range(first, min(first + share, len(row))))
            print(harmless(line.rstrip()))
            line = ' ' * start


def wrapped(line: str, indent: str) -> list[str]:
    """Return a line as a list, wrapped for a terminal with all but the first part indented."""
    if not sys.stdout.isatty() or width(line) <= columns():
        return [line]
    from textwrap import wrap  # loaded late: only narrow terminals need it
    return wrap(
        line, max(columns(), len(indent) + _LEAST_TEXT), subsequent_indent=indent,
        break_long_words=False, break_on_hyphens=False)


def columns() -> int:
    """Return the width of the terminal in columns, at least 20; 80 if there is none."""
    try:
        return max(int(os.environ.get('COLUMNS') or os.get_terminal_size().columns), _NARROWEST)
    except (OSError, ValueError):
        return 80


def width(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width  # loaded late: only other scripts need it
    return sum(
        2 if east_asian_width(character) in 'WF' else 0 if combining(character) else 1
        for character in text)


# ---- diagnostics: the location, the message, the source line with a caret

class Known(NamedTuple):
    """
    The identity of a finding, which does not depend on its line.

    ``file`` is an absolute path. ``message`` has neither line numbers nor the directory of the
    file or of the command.
    """

    file: str
    code: str
    subjects: tuple[str, ...]
    message: str

    def __str__(self) -> str:
        return f'{os.path.relpath(self.file)}: {self.code}: {self.message}'


class Checked(NamedTuple):
    """
    The result of ``hrdf check`` for one file.

    ``report`` has the diagnostics that count, and ``lines`` the text that shows them. ``contents``
    says what the model contains, if there is one. ``files`` are the files that were read.
    ``hidden`` is the number of diagnostics that the baseline knows. ``known`` has the identities
    of all diagnostics, and how often each occurs.
    """

    file: str
    report: Report
    contents: str
    lines: tuple[str, ...]
    format: Optional[str]
    files: tuple[str, ...]
    hidden: int
    known: Mapping[Known, int]


class Display(NamedTuple):
    """
    How the user wants diagnostics shown.

    The codes in ``ignore`` are left out; ``color`` is auto, always or never.
    """

    ignore: Collection[str] = ()
    color: str = 'auto'


def show(
    diagnostics: Iterable[Diagnostic], display: Display, *,
    least: Severity = 'warning', is_stopped: bool = False,
) -> None:
    """
    Write the diagnostics that are at least as severe as ``least`` to standard error.

    Diagnostics that ``--ignore`` names are left out, except for errors that stopped the command.
    """
    shown = [
        found for found in at_least(diagnostics, least)
        if found.code not in display.ignore or is_stopped and found.severity == 'error']
    for line in lines_of(shown, display.color):
        print(harmless(line), file=sys.stderr)


def show_or_fail(report: Report, display: Display, *, least: Severity = 'warning') -> None:
    """Show the diagnostics; end the command if one of them is an error."""
    show(report, display, least=least)
    if not report.ok:
        raise CommandError


def at_least(diagnostics: Iterable[Diagnostic], least: Severity) -> Iterator[Diagnostic]:
    """Yield the diagnostics that are at least as severe as ``least``."""
    shown = _SEVERITIES[:_SEVERITIES.index(least) + 1]
    return (found for found in diagnostics if found.severity in shown)


def summary(diagnostics: Iterable[Diagnostic]) -> str:
    """Return the numbers of diagnostics by severity, such as ``2 errors, 1 warning``."""
    found = [one.severity for one in diagnostics]
    return ', '.join(
        count_of(found.count(each), each) for each in _SEVERITIES if each in found)


def lines_of(diagnostics: Iterable[Diagnostic], color: str) -> Iterator[str]:
    """
    Yield the lines that show diagnostics; a message at several places is shown once.

    ``color`` is auto, always or never. auto means on a terminal, unless the environment has
    ``NO_COLOR``; with ``FORCE_COLOR`` it means always.
    """
    colored = color == 'always' or color == 'auto' and _is_color_wanted()

    def paint(text: str, role: str) -> str:
        return f'\x1b[{_COLORS[role]}m{text}\x1b[0m' if colored else text

    groups: dict[tuple[str, ...], list[Diagnostic]] = {}
    for found in diagnostics:
        groups.setdefault((found.severity, found.code, found.message), []).append(found)
    for first, *others in groups.values():
        yield first.line(paint)
        if first.severity != 'info' and isinstance(first.location, SourceRef):
            for line, mark in _excerpt(first.location):
                yield f'  {line}{mark and paint(mark, "caret")}'
        at = first.resolve()
        for included in at.included_from if at is not None else ():
            yield f'  {printable(included.lead())}'
        if first.hint is not None:
            yield f'  hint: {printable(first.hint)}'
        if others:
            place = partial(_place, '' if at is None else at.file)
            yield f'  also at {first_of(others, _LISTED, place)}'


def _place(file: str, found: Diagnostic) -> str:
    """Return the location of a diagnostic, without the file if that is the checked one."""
    return printable(str(found.resolve()).removeprefix(f'{file}:'))


def _is_color_wanted() -> bool:
    if os.environ.get('NO_COLOR'):
        return False
    forced = os.environ.get('FORCE_COLOR', '0') not in ('', '0')
    return forced or sys.stderr.isatty() and os.environ.get('TERM') != 'dumb'


def _excerpt(location: SourceRef) -> Iterator[tuple[str, str]]:
    """Yield the source line, cut to the width, and a line with the caret below it."""
    most = max((columns() if sys.stderr.isatty() else _WIDTH_OF_FILES) - 2, 20)
    excerpt = location.document.lines.excerpt(location.offset(), most)
    before, after = (printable(part.replace('\t', '    ')) for part in (
        excerpt.before, excerpt.after))
    if not (before.strip() or after.strip()):
        return
    if excerpt.is_cut_before or width(before) > most // 2:
        before = _ELLIPSIS + _fitted(before[::-1], most // 2 - len(_ELLIPSIS))[::-1]
    if excerpt.is_cut_after or width(after) > most - width(before):
        after = _fitted(after, most - width(before) - len(_ELLIPSIS)) + _ELLIPSIS
    yield before + after, ''
    yield ' ' * width(before), '^'


def _fitted(text: str, most: int) -> str:
    """Return as much of the start of a text as fits into ``most`` columns."""
    text = text[:most]
    while width(text) > most:
        text = text[:-1]
    return text
