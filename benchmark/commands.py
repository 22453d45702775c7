# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Measure whole processes: `hrdf check` and `hrdf convert` beside the start of lxml and others."""

from __future__ import annotations

from collections.abc import Sequence
import os
from pathlib import Path
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

from inputs import sdf_chain
from peers import bare_environment, python_of, ROOT, sdf_load
from tables import middle, table

_HRDF = 'import sys; from hrdf_ros.cli import main; sys.exit(main())'
"""What the installed command does."""
_FLOOR = "python -c 'import lxml.etree'"


class Cost(NamedTuple):
    """Medians of a whole process in milliseconds."""

    wall: float
    cpu: float


def make_commands(file: Path) -> dict[str, list[str]]:
    """Return what to run, by title; only what is there."""
    python = str(python_of('lxml') or sys.executable)
    arm = str(ROOT / 'examples' / 'hrdf' / 'arm_6dof.hrdf')
    commands = {
        'python -c pass': [python, '-c', 'pass'],
        _FLOOR: [python, '-c', 'import lxml.etree'],
        'hrdf check, HRDF arm of 6 axes': [python, '-c', _HRDF, 'check', arm],
        'hrdf check, SDFormat of 10 links': [python, '-c', _HRDF, 'check', str(file)],
        'hrdf convert, HRDF arm of 6 axes': [python, '-c', _HRDF, 'convert', arm],
        'hrdf convert, SDFormat of 10 links': [python, '-c', _HRDF, 'convert', str(file)],
        'hrdf frames, HRDF arm of 6 axes': [python, '-c', _HRDF, 'frames', arm],
    }
    program = sdf_load()
    if program is not None:
        commands['libsdformat, SDFormat of 10 links'] = [str(program), str(file), '1']
    return commands


def run(command: Sequence[str]) -> Cost:
    """Run a process and return what it took."""
    env = {**bare_environment(), 'PYTHONPATH': str(ROOT)}
    env.pop('PYTHONDONTWRITEBYTECODE', None)
    before, start = os.times(), time.perf_counter()
    subprocess.run(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   check=True)
    wall, after = time.perf_counter() - start, os.times()
    cpu = (after.children_user + after.children_system
           - before.children_user - before.children_system)
    return Cost(wall * 1e3, cpu * 1e3)


def measure(commands: dict[str, list[str]], rounds: int) -> dict[str, Cost]:
    """Run all commands in turn, once to warm up (byte code is written), and take medians."""
    for command in commands.values():
        run(command)
    costs: dict[str, list[Cost]] = {title: [] for title in commands}
    for _ in range(rounds):
        for title, command in commands.items():
            costs[title].append(run(command))
    return {title: Cost(middle([cost.wall for cost in found]) or 0.0,
                        sum(cost.cpu for cost in found) / len(found))
            for title, found in costs.items()}


def main(quick: bool) -> str:
    """Measure all of it and return the page."""
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / 'chain.sdf'
        file.write_text(sdf_chain(10))
        costs = measure(make_commands(file), 1 if quick else 15)
    floor = costs[_FLOOR].wall
    rows = [(title, cost.wall, cost.cpu, cost.wall / floor) for title, cost in costs.items()]
    return '\n'.join((
        '## Whole processes\n',
        table(('command', 'wall (ms), median', 'CPU (ms), mean', 'to the import'), rows)))


if __name__ == '__main__':
    print(main('--quick' in sys.argv))
