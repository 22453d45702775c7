# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf check``: validate descriptions."""

import argparse
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from functools import partial
import os
import sys
from typing import TYPE_CHECKING, Union

from hrdf_ros import codes
from hrdf_ros.cli import output
from hrdf_ros.cli.checking import (
    checked_of,
    CHECKING,
    CheckRequest,
    is_program,
    load_found,
    request_of,
)
from hrdf_ros.cli.loading import (
    load_file,
    READING,
    refuse_to_replace,
    refuse_without_effect,
    standard_input,
)
from hrdf_ros.cli.options import command, Option, OutputFile, whole_number
from hrdf_ros.cli.output import Checked
from hrdf_ros.cli.robot_files import RobotFile
from hrdf_ros.diagnostics import Location, Report
from hrdf_ros.listing import count_of
from hrdf_ros.load_result import LoadResult

if TYPE_CHECKING:
    from hrdf_ros.cli.fixing import FixJob

_OUTPUTS = ('text', 'json', 'github', 'sarif', 'junit')
_FEW = 4
"""
The number of files at which several processes begin to pay off: fewer files are checked before
processes have started.
"""


@command(
    Option('FILE...', 'a description in any format, a directory of them, or - for standard input'),
    *CHECKING,
    Option(
        '--fix', 'apply the fixes that are unique to the named files and what they include from '
        'below their directory, then check again'),
    Option('--diff', 'with --fix: write nothing; show what would change, with status 1'),
    Option(
        '--unsafe-fixes', 'with --fix: also fixes that guess (degrees for radians, millimeters '
        'for meters), and xacro files'),
    Option('--write-baseline FILE', 'write the findings to this file', OutputFile),
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
      hrdf check --xacro robots           xacro files too, which runs code in them
      hrdf check --strict robots/*.sdf    warnings are errors too
      hrdf check --for rviz,moveit a.urdf       what RViz and MoveIt will do with it
      hrdf check robots --write-baseline known.json
      hrdf check robots --baseline known.json       only what is new
      hrdf check --fix arm.urdf
      hrdf check --fix --diff robots      show the fixes, write nothing
      hrdf check --json arm.urdf          for programs; see hrdf schema check
      generate | hrdf check -             standard input

    Diagnostics go to standard error, one verdict for each file to standard output.
    Defaults may be set in pyproject.toml, [tool.hrdf], or in .hrdf.toml.
    """
    request = request_of(
        options, options.files, output=options.format, jobs=options.jobs,
        writes=options.write_baseline or '')
    if (options.diff or options.unsafe_fixes) and not options.fix:
        raise output.UsageError('--diff and --unsafe-fixes require --fix')
    if options.fix:
        return _fix(request, is_unsafe=options.unsafe_fixes, writes=not options.diff)
    return _check_all(request)


def _fix(request: CheckRequest, *, is_unsafe: bool, writes: bool) -> int:
    """Fix the files, or show what would change; then check them. Return the exit status."""
    from hrdf_ros.cli import fixing  # a check without --fix does not need it
    files = [
        one for one in request.files if not os.path.isdir(one.file)
        and (request.reading.options.xacro or not is_program(one))]
    job = fixing.FixJob(
        requests=[load_found(one, request.reading) for one in files
                  if one.file != output.STANDARD_STREAM],
        counts=request.counts, is_unsafe=is_unsafe, writes=writes)
    if any(one.file == output.STANDARD_STREAM for one in files):
        if len(request.files) > 1:
            raise output.UsageError('--fix of standard input is of that alone')
        return _fix_standard_input(request, job)
    is_changing = fixing.fix_files(job)
    if writes:
        return _check_all(request)
    with redirect_stdout(sys.stderr):  # standard output is for the diff
        return 1 if is_changing else _check_all(request)


def _fix_standard_input(request: CheckRequest, job: 'FixJob') -> int:
    """Write the fixed text, or the diff, to standard output; return the exit status."""
    from hrdf_ros.cli import fixing
    name = output.STANDARD_STREAM
    loading = load_found(request.files[0], request.reading)
    text = standard_input(loading.options.limits)
    new, after = fixing.fix_text(text, loading, job)
    if job.writes:
        output.write_bytes(new.encode('utf-8', 'surrogateescape'))
    else:
        fixing.show_diff(name, text, new)
    checked = checked_of(name, after, request)
    with redirect_stdout(sys.stderr):
        _show(checked, request)
    return 0 if checked.report.ok and (job.writes or new == text) else 1


def _check_all(request: CheckRequest) -> int:
    """Check the files and show what was found; return the exit status."""
    checked: list[Checked] = []
    for result in check_files(request):
        checked.append(result)
        if request.output == 'text':
            _show(result, request)
    is_ok = all(one.report.ok for one in checked)
    if request.output != 'text':
        from hrdf_ros.cli import report_formats  # imports json, which text output does not need
        text = report_formats.WRITERS[request.output](checked)
        output.write_bytes(f'{text}\n'.encode('utf-8', 'backslashreplace') if text else b'')
    elif any(map(os.path.isdir, request.names)):
        verdict = ('ok' if is_ok else 'not ok') + _in_parentheses(checked)
        print(f'{count_of(len(checked), "file")}: {verdict}')
    _say_unexpanded(request)
    _name_gone(checked, request)
    if request.writes:
        _write_baseline(checked, request.writes)
    return 0 if is_ok or request.writes and not request.baseline else 1


def _show(result: Checked, request: CheckRequest) -> None:
    """Write the diagnostics and the verdict of a file."""
    for line in result.lines:
        print(output.harmless(line), file=sys.stderr)
    if not result.report.ok:
        output.say(f'{result.file}: {_counted([result])}')
    elif not request.is_quiet:
        output.say(f'{result.file}: ok: {result.contents}{_in_parentheses([result])}')


def _counted(checked: Sequence[Checked]) -> str:
    """Return text that counts the diagnostics of files, and those that the baseline hides."""
    counts = output.summary(found for one in checked for found in one.report)
    hidden = sum(one.hidden for one in checked)
    return ', '.join(filter(None, [counts, hidden and f'{hidden} known' or '']))


def _in_parentheses(checked: Sequence[Checked]) -> str:
    counts = _counted(checked)
    return f' ({counts})' if counts else ''


def _say_unexpanded(request: CheckRequest) -> None:
    """Say how many xacro files in directories were not checked."""
    count = 0 if request.reading.options.xacro else sum(map(is_program, request.files))
    if count and not request.is_quiet:
        are = 'is' if count == 1 else 'are'
        output.say(
            f'{count_of(count, "xacro file")} {are} not expanded and not checked; --xacro does '
            'that, which runs code in them', sys.stderr)


# ---- known findings

def _name_gone(checked: Sequence[Checked], request: CheckRequest) -> None:
    """Name the findings of the baseline that have disappeared."""
    if request.baseline:
        from hrdf_ros.cli.baseline import gone, read_baseline
        reported = [code for code in codes.CODES if request.counts_code(code)]
        for known in gone(read_baseline(request.baseline), checked, reported):
            output.say(f'{request.baseline}: gone: {known}', sys.stderr)


def _write_baseline(checked: Sequence[Checked], file: str) -> None:
    from hrdf_ros.cli.baseline import text_of
    refuse_to_replace([file], [name for one in checked for name in (one.file, *one.files)])
    output.write_output(text_of(checked, os.path.dirname(os.path.abspath(file))), file)


# ---- the check

def check_files(request: CheckRequest) -> Iterator[Checked]:
    """
    Yield the result of each file, in the order of the files.

    A file whose process ended has a diagnostic that says so.
    """
    is_expanding = request.reading.options.xacro
    files = [one for one in request.files if is_expanding or not is_program(one)]
    jobs = min(request.jobs or len(files), len(os.sched_getaffinity(0)), len(files))
    formats = set()
    results: Iterator[Union[Checked, str]] = (_check(file, request) for file in files)
    if request.baseline:
        from hrdf_ros.cli.baseline import read_baseline
        read_baseline(request.baseline)  # read once, since forks inherit the cache
    if (jobs > 1 and (request.jobs or len(files) >= _FEW)
            and all(one.file != output.STANDARD_STREAM for one in files)):
        # only this process has standard input
        from hrdf_ros.cli.workers import run_in_workers
        results = run_in_workers(partial(_check, request=request._replace(files=())), files, jobs)
    for file, result in zip(files, results):
        checked = _check(file, request, result) if isinstance(result, str) else result
        formats.add(checked.format)
        yield checked
    refuse_without_effect(request.reading.options, {name for name in formats if name})


def _why_no_files(directory: str) -> str:
    """Return why there are no robot files below a directory."""
    try:
        os.listdir(directory)
    except OSError as error:
        return f'cannot read this directory: {error.strerror}'
    return 'there are no robot files below this directory'


def _check(found: RobotFile, request: CheckRequest, interruption: str = '') -> Checked:
    """Check a file, or report what interrupted its check."""
    file = found.file
    report = Report()
    if interruption:
        report.add(
            codes.CHECK_INTERRUPTED, f'the process that checked this file {interruption}',
            Location(file), hint='check it alone, in case it takes all memory')
    elif os.path.isdir(file):
        report.add(
            codes.FILE_NOT_FOUND, _why_no_files(file), Location(file),
            hint=f'there are xacro files with a robot ({found.xacro_files}), which --xacro '
            'expands' if found.xacro_files else None)
    else:
        return checked_of(file, load_file(load_found(found, request.reading)), request)
    return checked_of(file, LoadResult(None, report, ()), request)
