# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Set up what `make demo` needs in a fresh copy of the sources, as after a clone."""

from __future__ import annotations

import os
from pathlib import Path
import resource
import shutil
import subprocess
import sys
import tempfile
import time

from peers import bare_environment, ROOT

_LEFT_OUT = ('.git', '.venv', '__pycache__', 'build', 'install', 'log')
_MEGABYTE = 1e6


def megabytes(directory: Path) -> float:
    """Return how much the files of a directory take on the disk, each once."""
    sizes = {}
    for folder, _, names in os.walk(directory):
        for name in names:
            found = os.lstat(os.path.join(folder, name))
            sizes[found.st_ino] = found.st_blocks * 512
    return sum(sizes.values()) / _MEGABYTE


def _cpu_of_children() -> float:
    """Return the CPU time of all processes that have ended, on all processors, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory(prefix='hrdf_ros_setup_') as scratch:
        tree = Path(scratch, 'hrdf_ros')
        shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*_LEFT_OUT))
        start, before = time.monotonic(), _cpu_of_children()
        subprocess.run(
            ['python3', 'tools/environment.py', 'live'], cwd=tree, env=bare_environment(),
            check=True, stdout=sys.stderr)
        seconds, cpu = time.monotonic() - start, _cpu_of_children() - before
        size = megabytes(tree / '.venv')
        print('## Set-up\n\n| what | seconds | CPU | MB |\n|---|---|---|---|')
        print(f'| the environment of `make demo` | {seconds:.0f} | {cpu:.0f} | {size:.0f} |')


if __name__ == '__main__':
    main()
