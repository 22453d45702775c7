# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The parts of the benchmark that need ROS run; their figures are nobody's business here."""

from __future__ import annotations

from pathlib import Path
import subprocess
import sys

import pytest

BENCHMARK = Path(__file__).resolve().parents[2] / 'benchmark'


@pytest.mark.parametrize('name, row', [
    ('transforms', '| 6 | hrdf_ros |'), ('starting', '| 6 | hrdf_ros |'),
    ('resting', '| hrdf_ros, six joints | 1 |'), ('fleet', '| 3 | one process |'),
    ('services', '| joint states at 2000 Hz |')])
def test_part(name: str, row: str, domain: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('ROS_DOMAIN_ID', str(domain))
    done = subprocess.run(
        [sys.executable, str(BENCHMARK / f'{name}.py'), '--quick'], text=True,
        capture_output=True, timeout=280.0)
    assert done.returncode == 0, done.stderr
    assert row in done.stdout
