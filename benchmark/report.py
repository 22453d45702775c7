# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Measure everything and write `docs/benchmarks.md`; `make benchmark` runs this.

    python3 benchmark/report.py [--quick] [--part NAME] [FILE]

Each part is a script that can be run alone and prints its section. With --part this section of
the page is measured and written anew, and says so; the others stay. With --quick the counts are
tiny and the figures mean nothing: it is for trying out.
"""

from __future__ import annotations

import argparse
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
_WITH_PEERS = ('loading', 'commands', 'viewing', 'kinematics')
_WITHOUT_PEERS = ('editor', 'transforms', 'services', 'resting', 'fleet')
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
        ('starting', PYTHON, live),
        ('services', PYTHON, live),
        ('resting', PYTHON, live),
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


def replaced(page: str, section: str) -> str:
    """Return a page with a section in the place of the one with its title, or at the end."""
    title = section.partition('\n')[0]
    old = re.split(r'^(?=## )', page, flags=re.MULTILINE)
    new = [section if each.startswith(f'{title}\n') else each for each in old]
    if section not in new:
        new.append(section)
    return '\n'.join(f'{each.rstrip()}\n' for each in new)


def parse(arguments: list[str]) -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description='Measure everything and write the page.')
    parser.add_argument('--quick', action='store_true', help='for trying out')
    parser.add_argument(
        '--part', choices=_WITH_PEERS + _WITHOUT_PEERS, help='measure only this one')
    parser.add_argument('page', nargs='?', type=Path, default=PAGE)
    return parser.parse_args(arguments)


def whole_page(flags: list[str]) -> str:
    """Measure everything and return the page."""
    set_up()
    return '\n'.join([_HEAD, machine(), *(run_part(*part, flags) for part in parts())])


def with_part(page: str, name: str, flags: list[str]) -> str:
    """Measure one part and return the page with its section written anew."""
    if name not in _WITHOUT_PEERS:
        set_up()
    where = f'Measured in a run of its own. {machine()}'
    [part] = (part for part in parts() if part[0] == name)
    return replaced(page, f'{run_part(*part, flags).rstrip()}\n\n{where}')


def main(arguments: list[str]) -> None:
    """Measure and write."""
    options = parse(arguments)
    flags = ['--quick'] if options.quick else []
    page = (with_part(options.page.read_text(), options.part, flags) if options.part
            else whole_page(flags))
    options.page.write_text(page.rstrip() + '\n')
    print(f'hrdf_ros: wrote {options.page}')


if __name__ == '__main__':
    main(sys.argv[1:])
