# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The parts of the benchmark run; what they measure is nobody's business here."""

from __future__ import annotations

import os
from pathlib import Path
import subprocess
import sys

import pytest

ROOT = Path(__file__).resolve().parent.parent
BENCHMARK = ROOT / 'benchmark'


def run_part(name: str) -> str:
    """Run a part with tiny counts and return what it prints."""
    env = {**os.environ, 'PYTHONPATH': str(ROOT)}
    done = subprocess.run(
        [sys.executable, str(BENCHMARK / f'{name}.py'), '--quick'], env=env, text=True,
        capture_output=True, timeout=250.0)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_editor() -> None:
    pytest.importorskip('pygls', reason='pygls is not installed')
    assert '| chain.hrdf, 1002 lines | completion |' in run_part('editor')


def test_kinematics() -> None:
    page = run_part('kinematics')
    assert page.startswith('## Kinematics\n')
    assert '| all frames, 6 joints |' in page


@pytest.mark.skipif(
    not (ROOT / '.venv' / 'peers' / 'lxml' / '.stamp').is_file(),
    reason='the peers of the benchmark are not set up (python3 benchmark/peers.py)')
@pytest.mark.parametrize('name, row', [
    ('loading', '| chain of 10 links |'), ('commands', '| hrdf check, SDFormat of 10 links |')])
def test_beside_peers(name: str, row: str) -> None:
    assert row in run_part(name)
