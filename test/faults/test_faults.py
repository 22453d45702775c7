# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The Nth open, read, write, rename, ... of a command fails, with N from 1 until nothing fails.

Whatever fails: all that the command writes is there, or nothing, and it says what failed.
"""

from __future__ import annotations

from itertools import count
from pathlib import Path
import re
from typing import NamedTuple, Optional

from helpers.fault_cases import Case, CASES
from helpers.folders import content_of, fill, is_between
from helpers.system_faults import counted, ERRORS, failing_at, Operations
from hrdf_ros.cli import main
import pytest

Capture = pytest.CaptureFixture[str]
Folder = dict[str, Optional[bytes]]
LEAST = 40
"""Operations of the shortest command."""
UNREAD = 'mesh-not-found'
"""The warning of a conversion without a file that could not be read."""


class End(NamedTuple):
    """How a command ended of which one operation failed, and the files that there are then."""

    number: int
    error: str
    status: int
    text: str
    folder: Folder


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def wrong(end: End, case: Case, before: Folder, complete: Folder) -> str:
    """Return what is wrong with the end of a command in which something failed, '' if nothing."""
    is_known = end.folder in (before, complete) or (
        case.is_one_by_one or end.error == 'ENOENT'  # what is said not to be there stays
    ) and is_between(end.folder, before, complete)
    if 'internal error' in end.text or 'Traceback' in end.text:
        return 'it is an internal error'
    if end.status == 0:
        return '' if is_known or UNREAD in end.text else 'the result is another one'
    if not re.search('^hrdf: error: |: error\\[', end.text, re.MULTILINE):
        return 'no error is shown'
    return '' if is_known else 'something is lost or left behind'


@pytest.mark.parametrize('name, errors', [
    (name, errors) for name in CASES
    for errors in ([tuple(ERRORS)] if CASES[name].has_many else [(one,) for one in ERRORS])])
def test_all_is_written_or_nothing(
    here: Path, capsys: Capture, name: str, errors: tuple[str, ...],
) -> None:
    case = CASES[name]
    fill(here, case.files)
    before = content_of(here)
    assert main(case.words.split()) == 0
    complete = content_of(here)
    capsys.readouterr()
    ends = []
    for number in count(1):
        fill(here, case.files)
        error = errors[number % len(errors)]
        operations, was_reached = failing_at(number, ERRORS[error])
        with counted(operations):
            status = main(case.words.split())
        if not was_reached():
            break
        ends.append(End(number, error, status, capsys.readouterr().err, content_of(here)))
    assert len(ends) > LEAST
    assert [] == [
        (found, *end[:4]) for end in ends if (found := wrong(end, case, before, complete))]


@pytest.mark.parametrize('share', [2, 1000])
@pytest.mark.parametrize('name', CASES)
def test_short_reads_and_writes_change_nothing(
    here: Path, capsys: Capture, name: str, share: int,
) -> None:
    case = CASES[name]
    fill(here, case.files)
    status, shown, complete = main(case.words.split()), capsys.readouterr(), content_of(here)
    fill(here, case.files)
    operations = Operations(share=share)
    with counted(operations):
        assert main(case.words.split()) == status
    assert capsys.readouterr() == shown
    assert content_of(here) == complete
    assert operations.counts['read']
