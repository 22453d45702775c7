# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Measure everything beside its peers and print it; `make benchmark` runs this.

    python3 benchmark/report.py [--quick] [PART ...]

Each part is a script that can be run alone and prints its section. Its peers are measured in the
same run, by turns: the ratios count, the times are those of one machine. With --quick the counts
are tiny and the figures mean nothing: it is for trying out.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
import platform
import re
import subprocess
import sys

from peers import bare_environment, python_of, ROOT, set_up

sys.path.insert(0, str(ROOT / 'tools'))

from environment import CORE, PYTHON, VENV, VIEW
from run_tests import sourced_environment

HERE = ROOT / 'benchmark'


def core_environment() -> dict[str, str]:
    """Return environment variables without ROS, with hrdf_ros."""
    return {**bare_environment(), 'PYTHONPATH': str(ROOT)}


def live_environment() -> dict[str, str]:
    """Return environment variables with ROS, in a domain of our own."""
    return {**sourced_environment(VENV / 'setup.sh'), 'ROS_DOMAIN_ID': str(os.getpid() % 100 + 1),
            'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST'}


def parts() -> list[tuple[str, Path, dict[str, str]]]:
    """Return the scripts, which Python runs them, and where."""
    core, live = core_environment(), live_environment()
    here = Path(sys.executable)
    return [
        ('loading', here, core),
        ('commands', here, core),
        ('editor', CORE / 'bin' / 'python', core),
        ('viewing', VIEW / 'bin' / 'python', core),
        ('kinematics', python_of('urdf') or PYTHON, core if python_of('urdf') else live),
        ('transforms', PYTHON, live),
        ('starting', PYTHON, live),
        ('services', PYTHON, live),
        ('resting', PYTHON, live),
        ('fleet', PYTHON, live),
        ('setup', here, core)]


def run_part(name: str, python: Path, env: dict[str, str], options: list[str]) -> None:
    """Run a script, which prints its section."""
    done = subprocess.run([str(python), str(HERE / f'{name}.py'), *options], env=env)
    if done.returncode:
        raise SystemExit(f'hrdf_ros: benchmark/{name}.py ended with {done.returncode}')


def machine() -> str:
    """Say on what this was measured."""
    found = re.search(r'model name\s*: (.*)', Path('/proc/cpuinfo').read_text())
    processor = found.group(1) if found else platform.machine()
    memory = os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2 ** 30
    load = os.getloadavg()[0]
    return (f'{processor}, {os.cpu_count()} cores, {memory:.0f} GB; '
            f'{platform.system()} {platform.release()}, Python {platform.python_version()}; '
            f'load average before it began: {load:.2f}.\n')


def main(arguments: list[str]) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description='Measure everything and print it.')
    parser.add_argument('--quick', action='store_true', help='for trying out')
    parser.add_argument('part', nargs='*', help='measure only these')
    options = parser.parse_args(arguments)
    set_up()
    print(machine(), flush=True)
    for name, python, env in parts():
        if name in options.part or not options.part:
            run_part(name, python, env, ['--quick'] if options.quick else [])


if __name__ == '__main__':
    main(sys.argv[1:])
