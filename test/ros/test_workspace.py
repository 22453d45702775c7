# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The commands of docs/how-to/ros.md for a clone and a workspace: both packages are seen."""

from __future__ import annotations

import os
from pathlib import Path
import re
import shlex
import shutil
import subprocess
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {'hrdf_ros', 'hrdf_ros_interfaces'}
COMMAND = re.compile(r'^((?:rosdep install|colcon build) .*)$', re.MULTILINE)
INDEX = '%YAML 1.1\n---\ndistributions: {}\ntype: index\nversion: 4\n'

pytestmark = pytest.mark.skipif(
    shutil.which('rosdep') is None or shutil.which('colcon') is None,
    reason='rosdep or colcon is not installed')


def commands(program: str) -> list[str]:
    """Return the page's commands of a program."""
    found = COMMAND.findall((ROOT / 'docs' / 'how-to' / 'ros.md').read_text(encoding='utf-8'))
    return [command for command in found if command.startswith(program)]


def keys() -> set[str]:
    """Return all packages that the two manifests depend on, but the two themselves."""
    manifests = (ROOT / 'package.xml', ROOT / 'hrdf_ros_interfaces' / 'package.xml')
    found = {element.text or '' for manifest in manifests
             for element in ElementTree.parse(manifest).iter() if element.tag.endswith('depend')}
    return found - PACKAGES


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


def run(command: list[str], folder: Path, **variables: str) -> str:
    """Run a command, which must pass; return what it prints."""
    done = subprocess.run(command, cwd=folder, env={**os.environ, **variables}, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, done.stdout
    return done.stdout


def rosdep_variables(folder: Path) -> dict[str, str]:
    """Write rules that install nothing for each key; return what lets rosdep use them alone."""
    folder.mkdir()
    rules = ''.join(f'{key}: {{ubuntu: []}}\n' for key in sorted(keys()))
    (folder / 'rules.yaml').write_text(rules)
    (folder / '10-rules.list').write_text(f'yaml file://{folder}/rules.yaml\n')
    (folder / 'index.yaml').write_text(INDEX)
    return {
        'ROSDEP_SOURCE_PATH': str(folder), 'ROS_HOME': str(folder / 'home'),
        'ROSDISTRO_INDEX_URL': f'file://{folder}/index.yaml', 'ROS_DISTRO': 'jazzy',
        'ROS_OS_OVERRIDE': 'ubuntu:24.04:noble', 'ROS_PYTHON_VERSION': '3'}


@pytest.mark.parametrize('command', commands('rosdep'))
def test_rosdep_resolves_every_dependency(command: str, workspace: Path) -> None:
    """A package that rosdep does not see is a key without a rule, and an error."""
    variables = rosdep_variables(workspace / 'rosdep')
    run(['rosdep', 'update'], workspace, **variables)
    said = run(shlex.split(command), directory(workspace, command), **variables)
    assert 'All required rosdeps installed successfully' in said


@pytest.mark.parametrize('command', commands('colcon'))
def test_colcon_sees_both_packages(command: str, workspace: Path) -> None:
    """Nothing is built here: `make test` does it by the first of these commands."""
    words = shlex.split(command.replace('colcon build', 'colcon list --names-only'))
    listed = run(words, directory(workspace, command))
    assert set(listed.split()) == PACKAGES


def test_both_ways_are_on_the_page() -> None:
    for program in ('rosdep', 'colcon'):
        assert ['src/' in command for command in commands(program)] == [True, False]
