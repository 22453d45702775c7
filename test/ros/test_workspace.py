# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The commands of docs/how-to/ros.md for a clone and a workspace: both packages are seen."""

from __future__ import annotations

from pathlib import Path
import re
import shlex
import shutil
import subprocess

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {'hrdf_ros', 'hrdf_ros_interfaces'}
COMMAND = re.compile(r'^((?:rosdep install|colcon build) .*)$', re.MULTILINE)

pytestmark = pytest.mark.skipif(
    shutil.which('colcon') is None, reason='colcon is not installed')


def commands(program: str) -> list[str]:
    """Return the page's commands of a program."""
    found = COMMAND.findall((ROOT / 'docs' / 'how-to' / 'ros.md').read_text(encoding='utf-8'))
    return [command for command in found if command.startswith(program)]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """Return a workspace whose `src` has both packages, as a clone does."""
    clone = tmp_path / 'src' / 'hrdf_ros'
    for folder in (clone, clone / 'hrdf_ros_interfaces'):
        folder.mkdir(parents=True, exist_ok=True)
        for name in ('package.xml', 'setup.py', 'setup.cfg', 'CMakeLists.txt',
                     'colcon_defaults.yaml'):
            source = ROOT / folder.relative_to(clone) / name
            if source.is_file():
                shutil.copy(source, folder)
    return tmp_path


def directory(workspace: Path, command: str) -> Path:
    """Return where a command of the page runs: above `src`, or in the clone."""
    return workspace if 'src/' in command else workspace / 'src' / 'hrdf_ros'


@pytest.mark.parametrize('command', commands('colcon'))
def test_colcon_sees_both_packages(command: str, workspace: Path) -> None:
    """Nothing is built here: `make test` does it by the first of these commands."""
    words = shlex.split(command.replace('colcon build', 'colcon list --names-only'))
    listed = subprocess.run(
        words, cwd=directory(workspace, command), text=True, capture_output=True, check=True)
    assert set(listed.stdout.split()) == PACKAGES
