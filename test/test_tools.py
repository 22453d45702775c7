# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The programs in tools/ that users run."""

from __future__ import annotations

import os
from pathlib import Path
import pty
import subprocess
import sys

TOOLS = Path(__file__).resolve().parent.parent / 'tools'


# ---- pytest where ROS is sourced

def test_plugins_of_a_sourced_ros_are_not_loaded(tmp_path: Path) -> None:
    """launch_testing imports tests by their bare names, and fails where two are the same."""
    (tmp_path / 'breaks.py').write_text('raise SystemExit("a plugin of ROS was loaded")\n')
    for name in ('launch_testing', 'launch_ros', 'launch_pytest'):
        installed = tmp_path / f'{name}-3.4.3.dist-info'
        installed.mkdir()
        (installed / 'METADATA').write_text(f'Name: {name}\nVersion: 3.4.3\n')
        (installed / 'entry_points.txt').write_text(f'[pytest11]\n{name} = breaks\n')
    env = {**os.environ, 'PYTHONPATH': f'{tmp_path}:{TOOLS.parent}'}
    env.pop('PYTEST_DISABLE_PLUGIN_AUTOLOAD', None)
    done = subprocess.run(
        [sys.executable, '-m', 'pytest', '--collect-only', '-p', 'no:cacheprovider',
         'test/test_tools.py'], cwd=TOOLS.parent, env=env, text=True, capture_output=True,
        timeout=60.0)
    assert done.returncode == 0, done.stdout + done.stderr


# ---- what the set-up shows while it runs

_SETUP = """
import sys
from pathlib import Path
import environment
environment.PROGRESS_INTERVAL = 0.0
command = [sys.executable, '-c', 'print("first"); print("second")']
environment.run(command, Path('setup.log'), {})
"""


def set_up(folder: Path, **channels: int) -> None:
    """Run two lines of a set-up in a folder."""
    subprocess.run(
        [sys.executable, '-c', _SETUP], cwd=folder, timeout=60.0, check=True,
        env={'PYTHONPATH': str(TOOLS), 'PYTHONDONTWRITEBYTECODE': '1'}, **channels)
    assert (folder / 'setup.log').read_text() == 'first\nsecond\n'


def test_a_set_up_without_a_terminal_prints_lines(tmp_path: Path) -> None:
    with (tmp_path / 'out').open('w') as out:
        set_up(tmp_path, stdout=out.fileno())
    assert (tmp_path / 'out').read_text() == 'hrdf_ros:   first\nhrdf_ros:   second\n'


def test_a_set_up_on_a_terminal_shows_its_last_line_in_one_place(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    set_up(tmp_path, stdout=theirs)
    os.close(theirs)
    shown = os.read(ours, 10_000).decode()
    os.close(ours)
    assert 'second' in shown
    assert '\n' not in shown
