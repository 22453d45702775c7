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
COMMANDS = re.findall('^colcon build .*$', (ROOT / 'docs/how-to/ros.md').read_text(), re.MULTILINE)


@pytest.mark.skipif(shutil.which('colcon') is None, reason='colcon is not installed')
@pytest.mark.parametrize('command', COMMANDS)
def test_colcon_sees_both_packages(command: str, tmp_path: Path) -> None:
    """Nothing is built here: `make test` does it by the first of these commands."""
    clone = tmp_path / 'src' / 'hrdf_ros'
    for source in (*ROOT.glob('*.*'), *ROOT.glob('hrdf_ros_interfaces/*.*')):
        if source.name in ('package.xml', 'setup.py', 'setup.cfg', 'CMakeLists.txt',
                           'colcon_defaults.yaml'):
            copy = clone / source.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, copy)
    listed = subprocess.run(
        shlex.split(command.replace('colcon build', 'colcon list --names-only')),
        cwd=tmp_path if 'src/' in command else clone, text=True, capture_output=True, check=True)
    assert listed.stdout.split() == ['hrdf_ros', 'hrdf_ros_interfaces']
