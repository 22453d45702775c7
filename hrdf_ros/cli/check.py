# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf check``: validate descriptions."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterator, Sequence
from functools import partial
import os
import sys
from typing import NamedTuple, NoReturn, Union

from hrdf_ros import codes
from hrdf_ros.cli import output
from hrdf_ros.cli.loading import (
    load_file,
    READING,
    Reading,
    reading_of,
    refuse_without_effect,
)
from hrdf_ros.cli.options import code_option, command, Option, whole_number
from hrdf_ros.cli.output import Checked
from hrdf_ros.diagnostics import count_of, Location, Report
from hrdf_ros.load import LoadRequest
from hrdf_ros.model import contents
from hrdf_ros.readers.registry import CONFIGURATION_SUFFIX, FORMATS

_OUTPUTS = ('text', 'json', 'github', 'sarif', 'junit')
_FEW = 4
"""Files that are checked sooner than processes are started."""


class CheckRequest(NamedTuple):
    """
    Which files are checked, and which of their diagnostics count.

    ``jobs`` is the number of processes, 0 for the default. Without ``select`` all codes count.
    """

    files: Sequence[str]
    reading: Reading
    jobs: int
    select: Collection[str]
    is_strict: bool
    is_quiet: bool


@command(
    Option('FILE...', 'a description in any format, a directory of them, or - for standard input'),
    Option('--strict', 'treat warnings as errors'),
    Option('--quiet', 'report errors only, and only files that have some'),
    code_option('--select', 'report only'),
    Option('--format', 'how to write the diagnostics', default='text', choices=_OUTPUTS),
    Option('--json', 'as --format json', more={
        'dest': 'format', 'action': 'store_const', 'const': 'json'}),
    Option(
        '--jobs N', 'processes for several files (default, and at most: one for each processor)',
        whole_number, 0),
    READING)
def hrdf_check(options: argparse.Namespace) -> int:
    """
    Validate descriptions: syntax, the rules of the format and its version.

    Includes are followed, and the robot must make sense: inertia, limits, axes,
    loops, meshes. Every diagnostic has a location and a code, which
    `hrdf explain CODE` explains.

    for example:
      hrdf check arm.hrdf
      hrdf check robots                   every robot file below a directory
      hrdf check --strict robots/*.sdf    warnings are errors too
      hrdf check --json arm.urdf          for programs; see hrdf schema check
      generate | hrdf check -             standard input

    Diagnostics go to standard error, one verdict for each file to standard output.
    Defaults may be set in pyproject.toml, [tool.hrdf], or in .hrdf.toml.
    """
    request = CheckRequest(
        files=options.files, reading=reading_of(options), jobs=options.jobs,
        select=options.select, is_strict=options.strict, is_quiet=options.quiet)
    checked: list[Checked] = []
    for result in check_files(request):
        checked.append(result)
        if options.format == 'text':
            for line in result.lines:
                print(output.harmless(line), file=sys.stderr)
            counts = output.summary(result.report)
            if not result.report.ok:
                output.say(f'{result.file}: {counts}')
            elif not options.quiet:
                output.say(
                    f'{result.file}: ok: {result.contents}' + (f' ({counts})' if counts else ''))
    is_ok = all(one.report.ok for one in checked)
    if options.format != 'text':
        from hrdf_ros.cli import report_formats  # json, which text output need not import
        text = report_formats.WRITERS[options.format](checked)
        output.write_bytes(f'{text}\n'.encode('utf-8', 'backslashreplace') if text else b'')
    elif any(map(os.path.isdir, options.files)):
        counts = output.summary(found for one in checked for found in one.report)
        verdict = ('ok' if is_ok else 'not ok') + (f' ({counts})' if counts else '')
        print(f'{count_of(len(checked), "file")}: {verdict}')
    return 0 if is_ok else 1


def check_files(request: CheckRequest) -> Iterator[Checked]:
    """
    Yield the result of each file, in order; a file that is named twice is checked once.

    A file whose process ended has a diagnostic of its own.
    """
    found: dict[str, str] = {}
    for name in request.files:
        for file in [*robot_files(name)] or [name]:
            found.setdefault(os.path.abspath(file), file)
    files = list(found.values())
    jobs = min(request.jobs or len(files), len(os.sched_getaffinity(0)), len(files))
    formats = set()
    results: Iterator[Union[Checked, str]] = (_check(file, request) for file in files)
    if (jobs > 1 and (request.jobs or len(files) >= _FEW)
            and output.STANDARD_STREAM not in files):  # other processes do not have it
        from hrdf_ros.cli.workers import run_in_workers
        results = run_in_workers(partial(_check, request=request), files, jobs)
    for file, result in zip(files, results):
        checked = _check(file, request, result) if isinstance(result, str) else result
        formats.add(checked.format)
        yield checked
    refuse_without_effect(request.reading.options, {name for name in formats if name})


def robot_files(name: str, *, to_format: bool = False) -> Iterator[str]:
    """
    Yield a file itself, of a directory the robot files below it.

    Xacro files are only found ``to_format``: reading them runs programs.
    """
    if not os.path.isdir(name):
        yield name
        return
    suffixes = tuple(suffix for one in FORMATS for suffix in one.suffixes)
    if not to_format:
        suffixes = (*(one for one in suffixes if one != '.xacro'), CONFIGURATION_SUFFIX)
    pending = [name]
    while pending:  # one level at a time: os.walk recurs, and a tree may be deep
        directory = pending.pop()
        try:
            _, below, files = next(os.walk(directory, onerror=_raise), (directory, [], []))
        except OSError:
            yield directory  # who reads it says why
            continue
        for file in sorted(files):
            if file.lower().endswith(suffixes):
                yield os.path.join(directory, file)
        paths = (
            os.path.join(directory, one) for one in sorted(below, reverse=True)
            if not one.startswith('.'))
        pending += (path for path in paths if not os.path.islink(path))


def _raise(error: OSError) -> NoReturn:
    raise error


def _without_files(directory: str) -> str:
    """Return why no robot files were found below a directory."""
    try:
        os.listdir(directory)
    except OSError as error:
        return f'cannot read this directory: {error.strerror}'
    return 'there are no robot files below this directory'


def _check(file: str, request: CheckRequest, interruption: str = '') -> Checked:
    """Check a file, or report what interrupted its check."""
    report, model = Report(), None
    if interruption:
        report.add(
            codes.CHECK_INTERRUPTED, f'the process that checked this file {interruption}',
            Location(file), hint='check it alone, in case it takes all memory')
    elif os.path.isdir(file):
        report.add(codes.FILE_NOT_FOUND, _without_files(file), Location(file))
    else:
        options = request.reading.options._replace(placeholders=False)
        loaded = load_file(LoadRequest(file, options))
        report, model = loaded.report, loaded.model
    shown = Report()
    shown.diagnostics = [
        found for found in report if found.code not in request.reading.display.ignore
        and (not request.select or found.code in request.select)]
    if request.is_strict:
        shown = shown.strict()
    if request.is_quiet:
        shown.diagnostics = list(output.at_least(shown, 'error'))
    return Checked(
        file=file, report=shown,
        contents='nothing loaded' if model is None else contents(model),
        lines=tuple(output.lines_of(shown, request.reading.display.color)),
        format=None if model is None else model.format)
