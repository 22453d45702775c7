# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
SIGTERM and Ctrl-C come at each operation that changes files, one after the other.

All that the command writes is there then, or nothing.
"""

from __future__ import annotations

from itertools import count
from pathlib import Path
import signal

from helpers.fault_cases import CASES
from helpers.folders import content_of, fill, is_between
from helpers.system_faults import ended_by_signal
from hrdf_ros.cli import main
import pytest

STATUSES = {signal.SIGTERM: {-signal.SIGTERM, 128 + signal.SIGTERM},
            signal.SIGINT: {128 + signal.SIGINT}}



@pytest.mark.parametrize('name, kind, is_after', [
    (name, kind, is_after)
    for name in CASES if name != 'check'
    for kind, is_after in (
        (signal.SIGTERM, False), (signal.SIGTERM, True), (signal.SIGINT, True))
    if (kind, is_after) == (signal.SIGTERM, True) or not CASES[name].has_many])
def test_all_is_there_or_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, kind: signal.Signals,
    is_after: bool,
) -> None:
    case = CASES[name]
    monkeypatch.chdir(tmp_path)
    fill(tmp_path, case.files)
    before = content_of(tmp_path)
    assert main(case.words.split()) == 0
    complete = content_of(tmp_path)
    found = []
    for number in count(1):
        fill(tmp_path, case.files)
        status = ended_by_signal(
            lambda: main(case.words.split()), number, kind, is_after=is_after)
        if status is None:
            break
        assert status in STATUSES[kind]
        found.append(content_of(tmp_path))
        assert found[-1] in (before, complete) or (
            case.is_one_by_one and is_between(found[-1], before, complete)), number
    assert complete in found if is_after else before in found
