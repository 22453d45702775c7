# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Choose the files that check and review read, and which diagnostics of these files count."""

import argparse
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
import os
from typing import get_args, NamedTuple

from hrdf_ros.cli.loading import is_expanded, Reading, reading_of
from hrdf_ros.cli.options import code_option, file_codes, Option
from hrdf_ros.cli.output import at_least, Checked, Known, lines_of, unknown, UsageError
from hrdf_ros.cli.robot_files import kind_of, matches, robot_files, RobotFile
from hrdf_ros.diagnostics import Diagnostic, Report
from hrdf_ros.load import LoadRequest
from hrdf_ros.load_result import LoadResult
from hrdf_ros.model import ConsumerName, contents

CONSUMER_NAMES: tuple[ConsumerName, ...] = get_args(ConsumerName)


def _consumers(text: str) -> list[str]:
    names = [name.strip() for name in text.split(',')]
    for name in names:
        if name not in CONSUMER_NAMES:
            raise argparse.ArgumentTypeError(unknown('consumer', name, CONSUMER_NAMES))
    return names


CHECKING = (
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
    Option('--baseline FILE', 'report only findings that are not in this file', default=''))
"""The options that say which files are checked, and which of their diagnostics count."""


class CheckRequest(NamedTuple):
    """
    A request that says which files are checked, and which of their diagnostics count.

    ``names`` are the files and directories that the user names. ``files`` are the robots among and
    below them, except those that ``exclude`` matches; with ``excludes_named``, ``exclude`` applies
    to named files, too.

    ``output`` is the value of ``--format``, and ``jobs`` the number of processes, 0 for the
    default. Without ``select`` all codes count; ``file_ignores`` has the codes that do not count,
    by pattern of files. ``baseline`` is the file with the known findings, or '', and ``writes``
    the file to which the findings are written, or ''. ``consumers`` are the programs that have to
    understand the descriptions.
    """

    names: Sequence[str]
    files: Sequence[RobotFile]
    exclude: Sequence[str]
    excludes_named: bool
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
        """Return whether diagnostics of a code count, except where ``file_ignores`` applies."""
        return code not in self.reading.display.ignore and (
            not self.select or code in self.select)


def request_of(
    options: argparse.Namespace, names: Sequence[str], *, output: str = 'text', jobs: int = 0,
    writes: str = '',
) -> CheckRequest:
    """Return the request of a command that has the options CHECKING and READING."""
    reading = reading_of(options)
    files = selected(
        names, options.exclude, excludes_named=options.force_exclude,
        is_expanding=bool(reading.options.xacro))
    given = reading.options.xacro_arguments or {}
    if given and any(map(os.path.isdir, names)) and not any(
            is_expanded(load_found(one, reading)) for one in files):
        raise UsageError(
            f'{next(iter(given))}:= is for xacro files, and none of the files is expanded; '
            'in directories --xacro does that, which runs code in them')
    return CheckRequest(
        names=names, files=files,
        exclude=options.exclude, excludes_named=options.force_exclude,
        reading=reading, output=output, jobs=jobs, select=options.select,
        file_ignores=options.per_file_ignores, is_strict=options.strict, is_quiet=options.quiet,
        baseline=options.baseline, writes=writes,
        consumers=tuple(dict.fromkeys(options.consumers)))


# ---- which files

def selected(
    names: Iterable[str], exclude: Sequence[str], *, excludes_named: bool, is_expanding: bool,
) -> list[RobotFile]:
    """
    Return the files to check, each once.

    A directory with nothing but xacro files is listed itself, unless these are expanded.
    """
    found: dict[str, RobotFile] = {}
    for name in names:
        chosen = list(_files_of(name, exclude, excludes_named))
        if os.path.isdir(name) and all(map(is_program, chosen)) and not is_expanding:
            chosen.insert(0, RobotFile(name, xacro_files=len(chosen)))
        for one in chosen:
            found.setdefault(os.path.abspath(one.file), one)
    return list(found.values())


def _files_of(name: str, exclude: Sequence[str], excludes_named: bool) -> Iterator[RobotFile]:
    """Yield a file itself; yield the robots below a directory."""
    if os.path.isdir(name):
        yield from robot_files(name, exclude)
    elif not excludes_named or not os.path.exists(name) or (
            kind_of(name) is not None and not matches(name, exclude)):
        yield RobotFile(name)


def is_program(found: RobotFile) -> bool:
    """Return whether a file found in a directory is a xacro file, by its name and content."""
    return bool(found.is_xacro) and found.file.lower().endswith('.xacro')


# ---- the check of one file

def load_found(found: RobotFile, reading: Reading) -> LoadRequest:
    """Return the request to load a file; a xacro file found in a directory is expanded."""
    options = reading.options._replace(placeholders=False)
    if found.is_xacro is not None:
        is_xacro = found.is_xacro and bool(options.xacro)
        options = options._replace(
            xacro=is_xacro, xacro_arguments=options.xacro_arguments if is_xacro else None)
    return LoadRequest(found.file, options)


def checked_of(file: str, loaded: LoadResult, request: CheckRequest) -> Checked:
    """Return the result of the check of a loaded file."""
    model, report = loaded.model, loaded.report
    if request.consumers and model is not None:
        from hrdf_ros.consumers import check_for  # here, since most checks name no consumer
        check_for(model, request.consumers, report)
    reported = [one for one in report if request.counts(one, file)]
    new, known = _new_of(reported, file, request)
    shown = Report()
    shown.diagnostics = new
    if request.is_strict:
        shown = shown.strict()
    if request.is_quiet:
        shown.diagnostics = list(at_least(shown, 'error'))
    return Checked(
        file=file, report=shown,
        contents='nothing loaded' if model is None else contents(model),
        lines=tuple(lines_of(shown, request.reading.display.color)),
        format=None if model is None else model.format, files=loaded.files,
        hidden=len(reported) - len(new), known=known)


def _new_of(
    reported: list[Diagnostic], file: str, request: CheckRequest,
) -> tuple[list[Diagnostic], Mapping[Known, int]]:
    """Return the diagnostics that the baseline lacks, and how often each finding occurs."""
    if not (request.baseline or request.writes):
        return reported, {}
    from hrdf_ros.cli import baseline  # a check without one does not need it
    counts = baseline.read_baseline(request.baseline) if request.baseline else {}
    return baseline.new_of(reported, file, counts)
