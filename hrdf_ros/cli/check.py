# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf check``: validate descriptions."""

import argparse
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from functools import partial
import os
import sys
from typing import get_args, NamedTuple, TYPE_CHECKING, Union

from hrdf_ros import codes
from hrdf_ros.cli import output
from hrdf_ros.cli.loading import (
    load_file,
    READING,
    Reading,
    reading_of,
    refuse_to_replace,
    refuse_without_effect,
    standard_input,
)
from hrdf_ros.cli.options import code_option, command, file_codes, Option, OutputFile, whole_number
from hrdf_ros.cli.output import Checked, Known
from hrdf_ros.cli.robot_files import kind_of, matches, robot_files, RobotFile
from hrdf_ros.diagnostics import count_of, Diagnostic, Location, Report
from hrdf_ros.load import LoadRequest
from hrdf_ros.load_result import LoadResult
from hrdf_ros.model import ConsumerName, contents

if TYPE_CHECKING:
    from hrdf_ros.cli.fixing import FixJob

CONSUMER_NAMES: tuple[ConsumerName, ...] = get_args(ConsumerName)
_OUTPUTS = ('text', 'json', 'github', 'sarif', 'junit')
_FEW = 4
"""Files that are checked sooner than processes are started."""


class CheckRequest(NamedTuple):
    """
    Which files are checked, and which of their diagnostics count.

    ``names`` are the files and directories as the user names them, and ``files`` the robots among
    and below them. ``output`` is the value of ``--format``. ``jobs`` is the number of processes,
    0 for the default. Without ``select`` all codes count;
    ``file_ignores`` are codes that do not, by pattern of files. ``baseline`` is the file with the
    known findings, empty without one, and ``writes`` the one that will have them. ``consumers``
    are the programs that the descriptions are for.
    """

    names: Sequence[str]
    files: Sequence[RobotFile]
    reading: Reading
    output: str
    jobs: int
    select: Collection[str]
    file_ignores: Sequence[tuple[str, Sequence[str]]]
    is_strict: bool
    is_quiet: bool
    baseline: str
    writes: str
    consumers: Sequence[ConsumerName]

    def counts(self, found: Diagnostic, file: str) -> bool:
        """Return whether a diagnostic of a checked file is reported."""
        at = found.resolve() if self.file_ignores else None
        place = file if at is None else at.file
        return self.counts_code(found.code) and not any(
            found.code in ignored and matches(place, [pattern])
            for pattern, ignored in self.file_ignores)

    def counts_code(self, code: str) -> bool:
        """Return whether the diagnostics of a code are reported, but for those of some files."""
        return code not in self.reading.display.ignore and (
            not self.select or code in self.select)


def _consumers(text: str) -> list[str]:
    names = [name.strip() for name in text.split(',')]
    for name in names:
        if name not in CONSUMER_NAMES:
            raise argparse.ArgumentTypeError(output.unknown('consumer', name, CONSUMER_NAMES))
    return names


@command(
    Option('FILE...', 'a description in any format, a directory of them, or - for standard input'),
    Option('--strict', 'treat warnings as errors'),
    Option('--quiet', 'report errors only, and only files that have some'),
    code_option('--select', 'report only'),
    Option(
        '--for CONSUMER,...', 'report what these programs refuse, drop or invent: '
        f'{", ".join(CONSUMER_NAMES)}', _consumers, many=True,
        complete=lambda **_: CONSUMER_NAMES, more={'dest': 'consumers', 'action': 'extend'}),
    Option(
        '--per-file-ignores PATTERN=CODE,...', 'do not report these codes in the files that a '
        'pattern matches; repeatable', file_codes, many=True),
    Option(
        '--exclude PATTERN', 'leave out the files and directories below a directory that a '
        'pattern matches (old, *_draft.sdf, robots/old/*.urdf); repeatable', many=True),
    Option(
        '--force-exclude', 'select named files as those of a directory: by --exclude, and only '
        'robots'),
    Option(
        '--fix', 'apply the fixes that are unique to the named files and what they include from '
        'below their directory, then check again'),
    Option('--diff', 'with --fix: write nothing; show what would change, with status 1'),
    Option(
        '--unsafe-fixes', 'with --fix: also fixes that guess (degrees for radians, millimeters '
        'for meters), and xacro files'),
    Option('--baseline FILE', 'report only findings that are not in this file', default=''),
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
    reading = reading_of(options)
    request = CheckRequest(
        names=options.files,
        files=_selected(
            options.files, options.exclude, excludes_named=options.force_exclude,
            is_expanding=bool(reading.options.xacro)),
        reading=reading, output=options.format, jobs=options.jobs, select=options.select,
        file_ignores=options.per_file_ignores, is_strict=options.strict, is_quiet=options.quiet,
        baseline=options.baseline, writes=options.write_baseline or '',
        consumers=tuple(dict.fromkeys(options.consumers)))
    if (options.diff or options.unsafe_fixes) and not options.fix:
        raise output.UsageError('--diff and --unsafe-fixes require --fix')
    if options.fix:
        return _fix(request, is_unsafe=options.unsafe_fixes, writes=not options.diff)
    return _check_all(request)


def _fix(request: CheckRequest, *, is_unsafe: bool, writes: bool) -> int:
    """Fix the files or show what would change, then check them; return the exit status."""
    from hrdf_ros.cli import fixing  # which a check need not import
    files = [
        one for one in request.files if not os.path.isdir(one.file)
        and (request.reading.options.xacro or not _is_program(one))]
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
    checked = _checked(name, after, request)
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
        from hrdf_ros.cli import report_formats  # json, which text output need not import
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
    """Write the diagnostics of a file and its verdict."""
    for line in result.lines:
        print(output.harmless(line), file=sys.stderr)
    if not result.report.ok:
        output.say(f'{result.file}: {_counted([result])}')
    elif not request.is_quiet:
        output.say(f'{result.file}: ok: {result.contents}{_in_parentheses([result])}')


def _counted(checked: Sequence[Checked]) -> str:
    """Return how many diagnostics files have, and how many that the baseline knows."""
    counts = output.summary(found for one in checked for found in one.report)
    hidden = sum(one.hidden for one in checked)
    return ', '.join(filter(None, [counts, hidden and f'{hidden} known' or '']))


def _in_parentheses(checked: Sequence[Checked]) -> str:
    counts = _counted(checked)
    return f' ({counts})' if counts else ''


# ---- which files

def _selected(
    names: Iterable[str], exclude: Sequence[str], *, excludes_named: bool, is_expanding: bool,
) -> list[RobotFile]:
    """Return the files to check, each once; a directory that has none stands for itself."""
    found: dict[str, RobotFile] = {}
    for name in names:
        chosen = list(_files_of(name, exclude, excludes_named))
        if os.path.isdir(name) and all(map(_is_program, chosen)) and not is_expanding:
            chosen.insert(0, RobotFile(name, xacro_files=len(chosen)))
        for one in chosen:
            found.setdefault(os.path.abspath(one.file), one)
    return list(found.values())


def _files_of(name: str, exclude: Sequence[str], excludes_named: bool) -> Iterator[RobotFile]:
    """Yield a file itself, of a directory the robots below it."""
    if os.path.isdir(name):
        yield from robot_files(name, exclude)
    elif not excludes_named or not os.path.exists(name) or (
            kind_of(name) is not None and not matches(name, exclude)):
        yield RobotFile(name)


def _is_program(found: RobotFile) -> bool:
    """Return whether a file of a directory is a xacro file, by its name and content."""
    return bool(found.is_xacro) and found.file.lower().endswith('.xacro')


def _say_unexpanded(request: CheckRequest) -> None:
    """Say how many xacro files of directories were not checked."""
    count = 0 if request.reading.options.xacro else sum(map(_is_program, request.files))
    if count and not request.is_quiet:
        are = 'is' if count == 1 else 'are'
        output.say(
            f'{count_of(count, "xacro file")} {are} not expanded and not checked; --xacro does '
            'that, which runs code in them', sys.stderr)


# ---- known findings

def _name_gone(checked: Sequence[Checked], request: CheckRequest) -> None:
    """Name the findings of the baseline that are not there any more."""
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
    Yield the result of each file, in order.

    A file whose process ended has a diagnostic of its own.
    """
    is_expanding = request.reading.options.xacro
    files = [one for one in request.files if is_expanding or not _is_program(one)]
    jobs = min(request.jobs or len(files), len(os.sched_getaffinity(0)), len(files))
    formats = set()
    results: Iterator[Union[Checked, str]] = (_check(file, request) for file in files)
    if request.baseline:
        from hrdf_ros.cli.baseline import read_baseline
        read_baseline(request.baseline)  # once, for the processes too
    if (jobs > 1 and (request.jobs or len(files) >= _FEW)
            and all(one.file != output.STANDARD_STREAM for one in files)):
        # other processes do not have standard input
        from hrdf_ros.cli.workers import run_in_workers
        results = run_in_workers(partial(_check, request=request._replace(files=())), files, jobs)
    for file, result in zip(files, results):
        checked = _check(file, request, result) if isinstance(result, str) else result
        formats.add(checked.format)
        yield checked
    refuse_without_effect(request.reading.options, {name for name in formats if name})


def _without_files(directory: str) -> str:
    """Return why no robot files were found below a directory."""
    try:
        os.listdir(directory)
    except OSError as error:
        return f'cannot read this directory: {error.strerror}'
    return 'there are no robot files below this directory'


def load_found(found: RobotFile, reading: Reading) -> LoadRequest:
    """Return how a file is loaded: one of a directory is expanded if it is xacro."""
    options = reading.options._replace(placeholders=False)
    if found.is_xacro is not None:
        is_xacro = found.is_xacro and bool(options.xacro)
        options = options._replace(
            xacro=is_xacro, xacro_arguments=options.xacro_arguments if is_xacro else None)
    return LoadRequest(found.file, options)


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
            codes.FILE_NOT_FOUND, _without_files(file), Location(file),
            hint=f'there are xacro files with a robot ({found.xacro_files}), which --xacro '
            'expands' if found.xacro_files else None)
    else:
        return _checked(file, load_file(load_found(found, request.reading)), request)
    return _checked(file, LoadResult(None, report, ()), request)


def _checked(file: str, loaded: LoadResult, request: CheckRequest) -> Checked:
    """Return the result of the check of a file that was loaded."""
    model, report = loaded.model, loaded.report
    if request.consumers and model is not None:
        from hrdf_ros.consumers import check_for  # which a check for none need not import
        check_for(model, request.consumers, report)
    reported = [one for one in report if request.counts(one, file)]
    new, known = _new_of(reported, file, request)
    shown = Report()
    shown.diagnostics = new
    if request.is_strict:
        shown = shown.strict()
    if request.is_quiet:
        shown.diagnostics = list(output.at_least(shown, 'error'))
    return Checked(
        file=file, report=shown,
        contents='nothing loaded' if model is None else contents(model),
        lines=tuple(output.lines_of(shown, request.reading.display.color)),
        format=None if model is None else model.format, files=loaded.files,
        hidden=len(reported) - len(new), known=known)


def _new_of(
    reported: list[Diagnostic], file: str, request: CheckRequest,
) -> tuple[list[Diagnostic], Mapping[Known, int]]:
    """Return the diagnostics that the baseline does not know, and what all are known by."""
    if not (request.baseline or request.writes):
        return reported, {}
    from hrdf_ros.cli import baseline  # which a check without one need not import
    counts = baseline.read_baseline(request.baseline) if request.baseline else {}
    return baseline.new_of(reported, file, counts)
