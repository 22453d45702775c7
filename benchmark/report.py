# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Measure everything and write `docs/benchmarks.md`; `make benchmark` runs this.

    python3 benchmark/report.py [--quick] [FILE]

Each part is a script that can be run alone and prints its section. With --quick the counts are
tiny and the figures mean nothing: it is for trying out.
"""

from __future__ import annotations

import os
from pathlib import Path
import platform
import re
import subprocess
import sys
import time

from peers import bare_environment, python_of, ROOT, set_up

sys.path.insert(0, str(ROOT / 'tools'))

from environment import CORE, PYTHON, VENV, VIEW
from run_tests import sourced_environment

PAGE = ROOT / 'docs' / 'benchmarks.md'
HERE = ROOT / 'benchmark'
_HEAD = """# Benchmarks

Written by `make benchmark`: no figure here is by hand. Every part measures its peers in the same
run, by turns; the ratios count, the times are those of one machine. A goal that was missed says
so. What is `absent` was not installed where this was measured.
"""


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
        ('services', PYTHON, live),
        ('fleet', PYTHON, live)]


def run_part(name: str, python: Path, env: dict[str, str], options: list[str]) -> str:
    """Run a script and return its section, or that it failed."""
    print(f'hrdf_ros: benchmark {name} ...', flush=True)
    start = time.monotonic()
    done = subprocess.run(
        [str(python), str(HERE / f'{name}.py'), *options], env=env, stdout=subprocess.PIPE,
        text=True)
    print(f'hrdf_ros: done in {time.monotonic() - start:.0f} s', flush=True)
    if done.returncode:
        raise SystemExit(f'hrdf_ros: benchmark/{name}.py ended with {done.returncode}')
    return done.stdout


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
    """Set up, measure, write."""
    set_up()
    options = [word for word in arguments if word == '--quick']
    files = [word for word in arguments if word not in options]
    sections = [_HEAD, machine()]
    sections += [run_part(*part, options) for part in parts()]
    page = Path(files[0]) if files else PAGE
    page.write_text('\n'.join(sections).rstrip() + '\n')
    print(f'hrdf_ros: wrote {page}')


if __name__ == '__main__':
    main(sys.argv[1:])
