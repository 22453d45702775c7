# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf review``: describe the differences from a git revision in Markdown."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from filecmp import cmp
import os
import re
from typing import NamedTuple, Optional, TYPE_CHECKING

from hrdf_ros import codes
from hrdf_ros.cli import output
from hrdf_ros.cli.baseline import Counts, new_of
from hrdf_ros.cli.checking import (
    checked_of,
    CHECKING,
    CheckRequest,
    is_program,
    load_found,
    request_of,
    selected,
)
from hrdf_ros.cli.loading import (
    limits_of,
    load_file,
    READING,
    refuse_to_replace,
    source_files,
)
from hrdf_ros.cli.options import command, Option, OutputFile
from hrdf_ros.cli.output import Checked, CommandError, errors_as, Known, UsageError, warn
from hrdf_ros.cli.revisions import reading_in
from hrdf_ros.cli.robot_files import RobotFile
from hrdf_ros.diagnostics import Diagnostic, printable
from hrdf_ros.listing import and_more, count_of
from hrdf_ros.load_result import LoadResult
from hrdf_ros.model import contents, Model
from hrdf_ros.revisions import RevisionError, Snapshot, snapshot

if TYPE_CHECKING:
    from hrdf_ros.diff import Difference

_MOST_ROWS = 30
"""The maximum number of rows of one table, so that the page stays short enough to be read."""
_VISIBLE = ('pose of frame', 'motion of frame')
"""The kinds of differences that a picture shows, besides those of shapes."""
_MARKDOWN = re.compile(r'([\\`*_\[\]<>|~&@#:]|(?<=www)\.)')
"""The characters that begin markup in GitHub's Markdown; a backslash may precede each of them."""


class Robot(NamedTuple):
    """
    A robot that may differ: its path in the repository, and the results of loading both versions.

    ``before`` or ``after`` is None if there is no such file.
    """

    path: str
    before: Optional[LoadResult]
    after: Optional[LoadResult]


class Review(NamedTuple):
    """
    The differences from a revision.

    ``robots`` are the robots that read a changed file, each with its differences if it exists on
    both sides. ``findings`` are the diagnostics that the revision lacks. ``unexpanded`` is the
    number of xacro files that were not read.
    """

    revision: str
    robots: Sequence[tuple[Robot, Sequence[Difference]]]
    findings: Sequence[Diagnostic]
    unexpanded: int


@command(
    Option('REV', 'the revision of git to compare with: HEAD, main, a tag'),
    Option('[FILE...]', 'descriptions, or directories of them (default: this directory)'),
    Option(
        '--picture OUT.png', 'also draw what moved, appeared or vanished, if a picture '
        'shows that', OutputFile),
    *CHECKING, READING)
def hrdf_review(options: argparse.Namespace) -> int:
    """
    Say what differs from a revision of git, in Markdown.

    Each robot that reads a changed file is compared with what it was; findings
    are those that the revision does not have. The GitHub action shows this in
    a pull request. Nothing in the work tree changes.

    for example:
      hrdf review HEAD                            what is not committed yet
      hrdf review main robots > review.md
      hrdf review main --picture moved.png        and a picture of it

    Exit status: 0 written, 2 the revision cannot be read, or wrong usage.
    """
    with errors_as(UsageError, RevisionError, source=options.rev), \
            snapshot(options.rev, os.curdir, limits_of(options)) as files:
        for sentence in files.left_out:
            warn(f'{options.rev}: {sentence}')
        request = request_of(options, options.files or [os.curdir])
        found = review(_request_in(files, request), request, files)
        if options.picture is not None:
            refuse_to_replace([options.picture], {
                file for robot, _ in found.robots if robot.after is not None
                for file in _read(robot.after)})
            _draw(found, options.picture)
    for line in lines_of(found):
        output.say(line)
    return 0


def review(base: CheckRequest, request: CheckRequest, files: Snapshot) -> Review:
    """Return the differences between the files of a revision and those of the work tree."""
    before, after = _by_path(base.files, files.root), _by_path(request.files, files.top)
    known: Counter[Known] = Counter()
    findings: dict[str, Diagnostic] = {}
    robots = []
    for path in sorted({**before, **after}):
        robot = _changed_robot(path, before, after, base, request, files)
        if robot is None:
            continue
        robots.append(robot)
        if robot.before is not None:
            checked = checked_of(before[path].file, robot.before, base)
            known |= Counter(_known_in(checked, files))
    for robot in robots:
        if robot.after is not None:
            file = after[robot.path].file
            checked = checked_of(file, robot.after, request)
            findings.update((str(found), found) for found in new_of(
                checked.report, file, known)[0] if found.severity != 'info')
    return Review(
        files.revision, [(robot, _differences(robot)) for robot in robots],
        list(findings.values()), 0 if request.reading.options.xacro else sum(
            map(is_program, request.files)))


# ---- the robots of both sides

def _request_in(files: Snapshot, request: CheckRequest) -> CheckRequest:
    """Return the request for the same files of the revision, with the revision's settings."""
    def pattern_in(pattern: str) -> str:
        is_path = os.sep in pattern.rstrip(os.sep)
        return files.of(os.path.abspath(pattern)) if is_path else pattern

    reading = reading_in(files, request.reading)
    names = [name for name in map(files.of, request.names) if os.path.exists(name)]
    exclude = list(map(pattern_in, request.exclude))
    return request._replace(
        names=names, exclude=exclude, reading=reading, file_ignores=[
            (pattern_in(pattern), ignored) for pattern, ignored in request.file_ignores],
        files=selected(
            names, exclude, excludes_named=request.excludes_named,
            is_expanding=bool(reading.options.xacro)))


def _by_path(found: Iterable[RobotFile], top: str) -> dict[str, RobotFile]:
    """
    Return the robots by their paths in the repository, without directories that have no robots.

    A symbolic link is a robot of its own, whose path is that of the link.
    """
    by_path = {}
    for one in found:
        directory, name = os.path.split(os.path.abspath(one.file))
        if not os.path.isdir(one.file):
            by_path[os.path.relpath(os.path.join(os.path.realpath(directory), name), top)] = one
    return by_path


def _changed_robot(
    path: str, before: Mapping[str, RobotFile], after: Mapping[str, RobotFile],
    base: CheckRequest, request: CheckRequest, files: Snapshot,
) -> Optional[Robot]:
    """Return a robot that reads a file that differs, None if it reads no such file."""
    results = [
        None if path not in found or not of.reading.options.xacro and is_program(found[path])
        else load_file(load_found(found[path], of.reading))
        for found, of in ((after, request), (before, base))]
    now, then = results
    _refuse_unknown_arguments(now)
    if now is None and then is None or now is not None and then is not None and not any(
            _differs(file, files) for file in _read(now)):
        return None
    return Robot(path, then, now)


def _refuse_unknown_arguments(loaded: Optional[LoadResult]) -> None:
    """
    Raise a UsageError if a file of the work tree does not declare a xacro argument.

    The error would be in both versions of the file, so it would be no new finding.
    """
    for found in () if loaded is None else loaded.report:
        if found.code == codes.XACRO_UNKNOWN_ARGUMENT.name:
            hint = f'; {found.hint}' if found.hint else ''
            raise UsageError(f'{found.resolve()}: {found.message}{hint}')


def _read(loaded: LoadResult) -> set[str]:
    return {*loaded.files, *(() if loaded.model is None else source_files(loaded.model))}


def _differs(file: str, files: Snapshot) -> bool:
    """Return whether a file of the work tree differs from its version in the revision."""
    old = files.of(file)
    if old == file:  # the file is outside of the repository
        return False
    try:
        return not cmp(old, file, shallow=False)
    except OSError:
        return os.path.exists(old) != os.path.exists(file)


def _known_in(checked: Checked, files: Snapshot) -> Counts:
    """Return the findings of a robot of the revision, identified as in the work tree."""
    here = os.path.join(os.getcwd(), '')

    def in_tree(text: str) -> str:
        return text.replace(files.root, files.top)

    return {
        one._replace(file=in_tree(one.file), message=in_tree(one.message).replace(here, '')): count
        for one, count in new_of(checked.report, checked.file, {})[1].items()}


def _differences(robot: Robot) -> Sequence[Difference]:
    models = _models(robot)
    if models is None:
        return ()
    from hrdf_ros.diff import diff_models  # imports numpy
    with errors_as(UsageError, OverflowError):
        return diff_models(*models)


def _models(robot: Robot) -> Optional[tuple[Model, Model]]:
    """Return the old and the new Model of a robot, None if either cannot be read."""
    before, after = (
        None if loaded is None else loaded.model for loaded in (robot.before, robot.after))
    return None if before is None or after is None else (before, after)


# ---- Markdown

def lines_of(found: Review) -> Iterator[str]:
    """Yield the lines of the page in Markdown."""
    yield f'## Robots that differ from {_text(found.revision)}'
    shown = [(robot, differences) for robot, differences in found.robots
             if differences or _models(robot) is None]
    for robot, differences in shown:
        yield from ('', f'### {_text(robot.path)}', '')
        yield from _table(('what', 'name', 'before', 'after'), [
            (one.what, one.name, one.a, one.b) for one in differences]) if differences else (
            _verdict(robot),)
    if not shown:
        yield from ('', 'No robot differs.')
    if found.unexpanded:
        yield from ('', f'{count_of(found.unexpanded, "xacro file")} not expanded: that takes '
                    '`--xacro`, which runs code in them.')
    yield from ('', '## New findings', '')
    yield from _table(('severity', 'where', 'message', 'code'), [
        (one.severity, str(one.resolve() or '').removeprefix('./'), one.message + (
            f' ({one.hint})' if one.hint else ''), one.code)
        for one in found.findings]) if found.findings else ('None.',)


def _verdict(robot: Robot) -> str:
    """Return what to say about a robot that is missing or unreadable on one side."""
    if robot.after is None:
        return 'Gone.'
    if robot.after.model is None:
        return 'This robot cannot be read, because of errors.'
    kind = 'New' if robot.before is None else 'This robot could not be read before. Now'
    return f'{kind}: {_text(contents(robot.after.model))}.'


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f'| {" | ".join(head)} |'
    yield '|' + '---|' * len(head)
    for row in rows[:_MOST_ROWS]:
        yield f'| {" | ".join(map(_text, row))} |'
    if len(rows) > _MOST_ROWS:
        yield from ('', and_more(len(rows) - _MOST_ROWS))


def _text(text: str) -> str:
    """Return a text without markup for Markdown: a description may have any text as a name."""
    return _MARKDOWN.sub(r'\\\1', printable(' '.join(text.split())))


# ---- the picture

def _draw(found: Review, file: str) -> None:
    """Draw the robots whose shape changed; warn if this machine cannot draw them."""
    pairs = [
        (robot.path, *models) for robot, differences in found.robots
        for models in [_models(robot)] if models is not None and any(
            map(_is_visible, differences))]
    if pairs:
        from hrdf_ros.cli.render import draw_comparisons  # here, since most reviews draw nothing
        try:
            draw_comparisons(file, found.revision, pairs)
        except CommandError as error:
            warn(f'no picture: {error}')


def _is_visible(one: Difference) -> bool:
    """Return whether a picture shows a difference; limits and masses are not visible."""
    return one.is_of_one or 'shapes' in one.groups or one.what in _VISIBLE
