# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Soak the hot path and a live node: a chain of 300 joints in full flood.

Print by how much the least in the last quarter of each run exceeds the most in its first half:
a worker process that comes and goes is no leak. Exit status 1 where memory, threads or files grow.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
import os
from pathlib import Path
import sys
from tempfile import TemporaryDirectory
import time

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'test'))

from floods import growth, is_flat, soak_hot_path, soak_node, Usage  # noqa: E402

TRANSFORMS = 100_000_000
DOMAIN = 101


def row(name: str, samples: Sequence[Usage], seconds: float) -> str:
    """Return one run as a line of the table."""
    grown, last = growth(samples), samples[-1]
    return (
        f'| {name} | {last.transforms:,} | {seconds:,.0f} s | {last.megabytes:.1f} MB '
        f'| {grown.megabytes:+.2f} MB | {grown.threads:+d} | {grown.files:+d} '
        f'| {"flat" if is_flat(samples) else "GROWS"} |')


def main() -> int:
    """Soak for as long as the command line says."""
    parser = argparse.ArgumentParser(description='Soak the node.')
    parser.add_argument('--minutes', type=float, default=15.0, help='of the live node')
    options = parser.parse_args()
    os.environ['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'LOCALHOST'
    began = time.monotonic()
    print('| run | transforms | time | memory | growth | threads | files | verdict |')
    print('|---|---|---|---|---|---|---|---|', flush=True)
    alone = soak_hot_path(TRANSFORMS)
    print(row('hot path alone', alone, time.monotonic() - began), flush=True)
    with TemporaryDirectory() as directory:
        living = soak_node(DOMAIN, Path(directory), 60.0 * options.minutes)
    print(row('live node', living, 60.0 * options.minutes))
    return 0 if is_flat(alone) and is_flat(living) else 1


if __name__ == '__main__':
    sys.exit(main())
