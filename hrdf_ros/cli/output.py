# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Results: files, standard output, tables that fit the terminal."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from math import ceil
import os
import sys
from typing import Any, cast, Optional, TextIO

from hrdf_ros.cli.usage import UsageError
from hrdf_ros.diagnostics import printable
from hrdf_ros.model import Model

STANDARD_OUTPUT = '-'
_DIGITS = 6
_NARROWEST = 20
_GAP = '  '
_CELL = 60
"""Columns up to which cells are padded: one long name would widen every line."""


class _WorkflowLog:
    """A stream without workflow commands of GitHub: ``::add-mask::``, ``##[error]``."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._line = ''

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write the lines that are complete."""
        *lines, self._line = (self._line + text).split('\n')
        for line in lines:
            self._stream.write(without_commands(line) + '\n')
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Write the rest."""
        self._stream.write(without_commands(self._line))
        self._line = ''
        self._stream.flush()


def without_commands(line: str) -> str:
    """Return a line that GitHub does not take for a workflow command."""
    prefix = '| ' if line.lstrip().startswith('::') else ''
    return prefix + line.replace('##[', '## [')


@contextmanager
def workflow_log() -> Iterator[None]:
    """
    Write no workflow commands where GitHub would run them: messages quote foreign files.

    Results that ``write_bytes`` writes stay as they are.
    """
    if not os.environ.get('GITHUB_ACTIONS'):
        yield
        return
    streams = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (cast(TextIO, _WorkflowLog(stream)) for stream in streams)
    try:
        yield
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        sys.stdout, sys.stderr = streams


def add_output_option(parser: argparse.ArgumentParser) -> None:
    """Add the option that names the file to write."""
    parser.add_argument(
        '-o', '--output', metavar='OUT', default=STANDARD_OUTPUT,
        help='write to this file (default -, standard output)')


def check_output(options: argparse.Namespace) -> None:
    """Raise a UsageError where OUT is not the name of a file, or would be run as a program."""
    if not os.path.basename(options.output):
        raise UsageError(f"-o: '{options.output}' is not the name of a file")
    if options.output.lower().endswith('.xacro'):
        raise UsageError(
            f'-o {options.output}: xacro would run expressions in names as code; name another '
            'suffix')


def refuse_to_replace_a_source(
    out: str, files: Collection[str], model: Optional[Model] = None,
) -> None:
    """Raise a UsageError where the output is a file that was read, or that the Model names."""
    if model is not None:
        from hrdf_ros.writers.files import named_files  # check, which starts often, writes none
        files = {*files, *(named.file for named, _ in named_files(model) if named.file)}
    if out != STANDARD_OUTPUT and os.path.realpath(out) in map(os.path.realpath, files):
        raise UsageError(
            f'-o: {out} is a source of this conversion and would be lost; name another file')


def write_output(text: str, options: argparse.Namespace) -> None:
    """
    Write a text, in UTF-8, to OUT, which is replaced in one step, or to standard output.

    A terminal gets no control characters.
    """
    if options.output != STANDARD_OUTPUT:
        from hrdf_ros.file_writer import replace_file  # check, which starts often, writes none
        replace_file(options.output, text.encode('utf-8'))
        return
    write_bytes(for_terminal(text).encode('utf-8'))


def for_terminal(text: str) -> str:
    """Return a text without control characters where standard output is a terminal."""
    if not sys.stdout.isatty():
        return text
    return '\n'.join('\t'.join(map(printable, line.split('\t'))) for line in text.split('\n'))


def write_bytes(data: bytes) -> None:
    """Write bytes to standard output, after the text printed so far."""
    sys.stdout.flush()
    rest = memoryview(data)
    while rest:  # an unbuffered stream may take a part only
        rest = rest[sys.stdout.buffer.write(rest):]
    sys.stdout.buffer.flush()


def table(rows: Sequence[Sequence[str]], *, left: int = 1) -> Iterator[str]:
    """
    Yield the lines of a table whose first row is its head.

    The first ``left`` columns are aligned to the left, the others to the right; a cell that is
    wider than 60 columns moves the rest of its line. On a terminal that is too narrow each row
    continues below, aligned to the right.
    """
    cells = [[printable(cell) for cell in row] for row in rows]
    widths = [min(max(map(width, column)), _CELL) for column in zip(*cells)]
    lines, indents = [range(len(widths))], [0]
    if sys.stdout.isatty() and _total(widths) > columns():
        numbers = len(widths) - left
        widths[left:] = [max(widths[left:])] * numbers
        lines = list(_lines(left, numbers, _total(widths[:left]), widths[-1] + len(_GAP)))
        totals = [_total([widths[index] for index in line]) for line in lines]
        indents = [0, *(max(totals[0] - total, 0) for total in totals[1:])]
    for row in cells:
        for line, indent in zip(lines, indents):
            yield ' ' * indent + _GAP.join(
                _padded(row[index], widths[index], left=index < left) for index in line).rstrip()


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + len(_GAP) * (len(widths) - 1)


def _lines(left: int, numbers: int, used: int, size: int) -> Iterator[range]:
    """
    Yield the columns of each line of a row: about as many numbers on each.

    ``used`` is the width of the left columns, ``size`` that of a number with the gap before it.
    """
    first, most = max((columns() - used) // size, 0), max(columns() // size, 1)
    count = 1 + ceil((numbers - first) / most)
    start, end = 0, left
    for rest in range(count, 0, -1):
        share = ceil((left + numbers - end) / rest)
        end += min(share, most if start else first)
        yield range(start, end)
        start = end


def _padded(cell: str, most: int, *, left: bool) -> str:
    space = ' ' * (most - width(cell))
    return cell + space if left else space + cell


def columns() -> int:
    """Return the width of the terminal, at least 20 columns; 80 where there is none."""
    given = os.environ.get('COLUMNS', '')
    if given.isascii() and given.isdigit() and len(given) < _DIGITS and int(given):
        return max(int(given), _NARROWEST)
    try:
        return max(os.get_terminal_size().columns, _NARROWEST)
    except OSError:
        return 80


def width(text: str) -> int:
    """Return how many columns a terminal requires for a text."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width  # needed for other scripts only
    return sum(
        2 if east_asian_width(character) in 'WF' else 0 if combining(character) else 1
        for character in text)
