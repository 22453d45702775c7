# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Soak the hot path and a live node, then abuse one; print what grows, what is late, what is lost.

    python -m soak.run [--minutes N] [--seed N] [--only PART ...]

The parts: ``growth``, which takes N minutes and those of the hot path; ``abuses``, each on a node
of its own for nine seconds; ``mixed``, several abuses at a time for N minutes. The exit status is
1 where memory, threads or files grow, or a goal of ``mixed`` is missed.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
import os
from pathlib import Path
import sys
from tempfile import TemporaryDirectory
import time

from soak import growth, latency

_TRANSFORMS = 100_000_000
_SECONDS = 9.0
"""Of each abuse alone."""
_DOMAIN = 101


def _growth(minutes: float, _: int) -> bool:
    """Print the table of what grows; return whether nothing does."""
    print('| run | transforms | time | memory | growth | threads | files | verdict |')
    print('|---|---|---|---|---|---|---|---|', flush=True)
    began = time.monotonic()
    alone = growth.soak_hot_path(_TRANSFORMS)
    print(growth.row('hot path alone', alone, time.monotonic() - began), flush=True)
    with TemporaryDirectory() as directory:
        living = growth.soak_node(_DOMAIN, Path(directory), 60.0 * minutes)
    print(growth.row('live node', living, 60.0 * minutes), flush=True)
    return growth.is_flat(alone) and growth.is_flat(living)


def _abuses(_: float, __: int) -> bool:
    """Print how late transforms are under each abuse."""
    print(latency.page([latency.measure(name, _SECONDS) for name in latency.ROWS]), flush=True)
    return True


def _mixed(minutes: float, seed: int) -> bool:
    """Print what came of several abuses at a time; return whether no goal was missed."""
    found = latency.mix(minutes, seed)
    print('\n'.join((
        latency.mixed_table(found),
        f'{len(found.turns)} turns, {found.sent:,} joint states, {len(found.faults)} faults',
        *found.faults)), flush=True)
    return not found.faults


_PARTS: dict[str, Callable[[float, int], bool]] = {
    'growth': _growth, 'abuses': _abuses, 'mixed': _mixed}


def main() -> int:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description='Soak and abuse the node.')
    parser.add_argument('--minutes', type=float, default=15.0, help='of each longer part')
    parser.add_argument('--seed', type=int, default=1, help='of the abuses at a time')
    parser.add_argument('--only', choices=_PARTS, nargs='*', default=list(_PARTS))
    options = parser.parse_args()
    os.environ.update(ROS_AUTOMATIC_DISCOVERY_RANGE='LOCALHOST', ROS_DOMAIN_ID=str(_DOMAIN))
    good = [_PARTS[name](options.minutes, options.seed) for name in options.only]
    return 0 if all(good) else 1


if __name__ == '__main__':
    sys.exit(main())
