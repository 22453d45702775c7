# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The committed seeds: for each target, the fewest inputs that reach what many inputs reached.

`python -m fuzz.seeds` adds those of new inputs; it draws them from examples, fault files and
generators of this project alone, so that no text of others is committed.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from functools import partial
import hashlib
from pathlib import Path
from random import Random
import sys
from types import FrameType
from typing import Any, Optional

from fuzz.corpus import PUBLIC_SEEDS
from fuzz.targets import TARGETS

SEEDS = Path(__file__).parent / 'seeds'
LARGEST = 6000
"""Bytes of the largest input that is kept."""

Line = tuple[str, int]


def seeds_of(name: str) -> list[Path]:
    """Return the committed inputs of a target."""
    return sorted(SEEDS.glob(f'{name}-*'))


def lines_reached(work: Callable[[], object]) -> set[Line]:
    """Return the lines of the package that some work runs."""
    found: set[Line] = set()

    def in_frame(frame: FrameType, event: str, _: Any) -> Any:
        if event == 'line':
            found.add((frame.f_code.co_filename, frame.f_lineno))
        return in_frame

    def at_call(frame: FrameType, event: str, _: Any) -> Optional[Any]:
        return in_frame if frame.f_globals.get('__name__', '').startswith('hrdf_ros') else None

    sys.settrace(at_call)
    try:
        work()
    finally:
        sys.settrace(None)
    return found


def fewest(inputs: Iterable[bytes], run: Callable[[bytes], None]) -> list[bytes]:
    """Return inputs, the smallest first, of which each reaches a line that no smaller one does."""
    reached: set[Line] = set()
    kept = []
    for data in sorted(inputs, key=len):
        lines = lines_reached(partial(run, data))
        if not lines <= reached:
            reached |= lines
            kept.append(data)
    return kept


def main() -> None:
    """Replace the seeds by the fewest of them and of new inputs that reach the same lines."""
    parser = argparse.ArgumentParser(prog='fuzz.seeds')
    parser.add_argument('--inputs', type=int, default=200, help='new inputs of each target')
    parser.add_argument('--seed', default='seeds')
    parser.add_argument('targets', nargs='*', default=list(TARGETS), metavar='TARGET')
    options = parser.parse_args()
    if PUBLIC_SEEDS.exists():
        raise SystemExit(f'move {PUBLIC_SEEDS} away: it has files of others')
    SEEDS.mkdir(exist_ok=True)
    for name in options.targets:
        target, rng = TARGETS[name], Random(f'{name} {options.seed}')
        drawn = [target.generate(rng) for _ in range(min(options.inputs, target.executions))]
        before = seeds_of(name)
        inputs = {*(file.read_bytes() for file in before), *drawn}
        kept = fewest([data for data in inputs if len(data) <= LARGEST], target.run)
        for file in before:
            file.unlink()
        for data in kept:
            (SEEDS / f'{name}-{hashlib.sha1(data).hexdigest()[:10]}').write_bytes(data)
        print(f'{name}: {len(kept)} of {len(inputs)}, {sum(map(len, kept)):,} bytes', flush=True)


if __name__ == '__main__':
    main()
