# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The known findings of a project, so that a check reports only new ones.

A finding is identified by its file, code, subjects and message, without its line. A finding in a
file that several robots include counts once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from json import loads
import os
import re

from hrdf_ros.cli.output import Checked, Known, UsageError
from hrdf_ros.diagnostics import Diagnostic
from hrdf_ros.file_reader import open_regular
from hrdf_ros.limits import ResourceLimits

_LINE = re.compile(r'\bline \d+')


Counts = Mapping[Known, int]
"""The number of times that each finding occurs."""


def new_of(
    findings: Iterable[Diagnostic], checked_file: str, baseline: Counts,
) -> tuple[list[Diagnostic], Counts]:
    """Return the findings of a file that the baseline lacks, and how often each finding occurs."""
    seen: Counter[Known] = Counter()
    new = []
    for found in findings:
        known = _known(found, checked_file)
        seen[known] += 1
        if seen[known] > baseline.get(known, 0):
            new.append(found)
    return new, seen


def _known(found: Diagnostic, checked_file: str) -> Known:
    at = found.resolve()
    message = _LINE.sub('line', found.message)
    folder = os.path.dirname(checked_file)
    for directory in (os.path.abspath(folder), folder, os.getcwd()):
        if directory.strip('./'):
            message = message.replace(os.path.join(directory, ''), '')
    file = os.path.abspath(checked_file if at is None else at.file)
    return Known(file, found.code, found.subjects, message)


def gone(
    baseline: Counts, checked: Iterable[Checked], reported: Collection[str],
) -> list[Known]:
    """
    Return the known findings that have disappeared.

    Only findings with codes that are reported are considered, in files that were read or no longer
    exist.
    """
    checked = list(checked)
    seen = _all_of(checked)
    read = {os.path.abspath(file) for one in checked for file in (one.file, *one.files)}
    return [
        known for known, count in baseline.items()
        if known.code in reported and seen[known] < count
        and (known.file in read or not os.path.exists(known.file))]


def _all_of(checked: Iterable[Checked]) -> Counter[Known]:
    """Return the findings of all files; a finding in a file that several include counts once."""
    seen: Counter[Known] = Counter()
    for one in checked:
        seen |= Counter(one.known)
    return seen


def read_baseline(file: str) -> Counts:
    """Return the findings of a baseline; a file that is not a baseline raises UsageError."""
    return _read(os.path.abspath(file), os.stat(file).st_mtime_ns)


@cache  # a process asks for the baseline at each file
def _read(file: str, _: int) -> Counts:
    directory = os.path.dirname(file)
    with open_regular(file) as stream:
        data = stream.read(ResourceLimits().file_bytes)
    try:
        return {
            Known(
                os.path.normpath(os.path.join(directory, one['file'])), str(one['code']),
                tuple(one['subjects']), str(one['message'])): int(one['count'])
            for one in loads(data)['findings']}
    except (KeyError, TypeError, ValueError, RecursionError):
        raise UsageError(
            f'{file}: this is no baseline; hrdf check --write-baseline writes one') from None


def text_of(checked: Iterable[Checked], directory: str) -> str:
    """Return the text of a baseline in a directory, with one line for each finding."""
    from hrdf_ros.cli.report_formats import render  # it imports json
    return render({'findings': [
        {**known._asdict(), 'file': os.path.relpath(known.file, directory), 'count': count}
        for known, count in sorted(_all_of(checked).items())]}) + '\n'
