# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The programs in tools/ that users run."""

from __future__ import annotations

from pathlib import Path
import subprocess
import sys

import pytest

TOOLS = Path(__file__).resolve().parent.parent / 'tools'


@pytest.fixture
def robots(tmp_path: Path) -> Path:
    texts = {
        'sound.urdf': '<robot name="r"><link name="a"/></robot>',
        'copy.urdf': '<robot name="r"><link name="a"/></robot>',
        'info.urdf': '<robot name="r"><link name="a"><contact/></link></robot>',
        'warning.urdf': '<robot name="r"><link name="a"><visuel/><visuel/></link></robot>',
        'error.urdf': '<robot name="r"></robot>',
        'other.sdf': '<sdf version="1.9"/>',
        'notes.txt': 'no robot'}
    for name, text in texts.items():
        file = tmp_path / 'arms' / 'below' / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return tmp_path / 'arms'


def printed(*arguments: object) -> list[str]:
    done = subprocess.run(
        [sys.executable, str(TOOLS / 'count_diagnostics.py'), '--jobs', '1',
         *map(str, arguments)],
        env={'PYTHONPATH': str(TOOLS.parent), 'PYTHONDONTWRITEBYTECODE': '1'}, text=True,
        capture_output=True, timeout=60.0, check=True)
    return done.stdout.splitlines()


def test_counts_files_by_their_worst_diagnostic(robots: Path) -> None:
    lines = printed('--suffix', '.urdf', robots)
    assert lines[2] == '| arms | 4 | 1 | 1 | 1 | 1 | 50% |'
    assert f'| warning | unknown-element | 1 | 2 | {robots}/below/warning.urdf |' in lines


def test_lists_the_files_with_a_code(robots: Path) -> None:
    assert printed('--list', 'no-effect', robots) == [f'{robots}/below/info.urdf']


def test_counts_all_formats_and_adds_up(robots: Path) -> None:
    empty = robots.parent / 'more'
    empty.mkdir()
    (empty / 'b.urdf').write_text('<robot name="r"><link name="b"/></robot>')
    lines = printed(robots, empty)
    assert [line.split(' | ')[0] for line in lines[2:5]] == ['| arms', '| more', '| all']
    assert lines[4].split(' | ')[1] == '6'
