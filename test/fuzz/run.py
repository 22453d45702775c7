# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Fuzz for some minutes: workers, what they find in `.fuzz`, a table in the end.

`python -m fuzz.run --minutes 10`, with the project and its directory `test` on the Python path.
`--replay FILE` runs one input that was kept. With atheris every other worker is guided by
coverage.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
import os
from pathlib import Path
import subprocess
import sys
import time
from typing import NamedTuple

from fuzz.targets import TARGETS
from fuzz.worker import HANG, keep, read_state

FOUND = Path(__file__).resolve().parents[2] / '.fuzz'
SLICE = 30.0
"""Seconds that one worker lives: the next one begins with another seed and empty memory."""
LATE = 30.0 * HANG
"""Seconds after its end when a worker is killed: its input hangs in code that is not Python."""
COLUMNS = {
    'executions': 'executions', 'guided': 'of these guided by coverage', 'seconds': 'CPU s',
    'faults': 'faults', 'deaths': 'deaths'}


class Task(NamedTuple):
    """A slice of a target's time."""

    target: str
    seed: int
    seconds: float
    is_guided: bool


def tasks(minutes: float, jobs: int, seed: int, names: Sequence[str]) -> Iterator[Task]:
    """Yield slices of all targets in turn, each target's part of the time in all."""
    guided = find_spec('atheris') is not None
    whole = sum(TARGETS[name].share for name in names)
    left = {name: minutes * 60 * jobs * TARGETS[name].share / whole for name in names}
    while any(seconds > 0.5 for seconds in left.values()):
        for name in names:
            if left[name] > 0.5:
                seconds = min(SLICE, left[name])
                left[name] -= seconds
                seed += 1
                yield Task(name, seed, seconds, guided and seed // len(names) % 2 == 1)


def do(task: Task) -> Counter[str]:
    """Run a worker and return what it did; keep its input if it did not end on its own."""
    file = FOUND / f'state-{task.seed}'
    command = [
        sys.executable, '-m', 'fuzz.guided' if task.is_guided else 'fuzz.worker', task.target,
        str(task.seed), str(task.seconds), str(file), str(FOUND)]
    with (FOUND / f'log-{task.target}').open('wb') as log:
        try:
            status = subprocess.run(
                command, env={**os.environ, 'OPENBLAS_NUM_THREADS': '1'}, check=False,
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                timeout=task.seconds + LATE).returncode
        except subprocess.TimeoutExpired:
            status = 1
    if not file.exists():
        raise SystemExit(f'{task.target}: the worker does not start, see {log.name}')
    state, data = read_state(file)
    file.unlink()
    if status:
        keep(FOUND, task.target, data, f'the process died or hangs, seed {task.seed}')
    print(f'{task.target:12} seed {task.seed:<6} {"guided" if task.is_guided else "random":7}'
          f'{state.executions:>9} executions {state.seconds:7.1f} s  '
          f'slowest {state.slowest * 1e3:7.1f} ms  {state.faults} faults', flush=True)
    return Counter(
        executions=state.executions, guided=state.executions * task.is_guided,
        seconds=round(state.seconds), faults=state.faults, deaths=int(bool(status)))


def replay(file: Path) -> None:
    """Run an input that was kept; its name begins with its target."""
    name = file.name.removeprefix('slowest-').partition('-')[0]
    start = time.process_time()
    TARGETS[name].run(file.read_bytes())
    print(f'{name}: nothing found, {time.process_time() - start:.3f} s')


def main() -> int:
    """Fuzz and print the table; return 1 where something was found."""
    parser = argparse.ArgumentParser(prog='fuzz.run')
    parser.add_argument('--minutes', type=float, default=10.0)
    parser.add_argument('--jobs', type=int, default=1, help='workers at a time')
    parser.add_argument('--seed', type=int, default=0, help='the first worker has this plus 1')
    parser.add_argument('--replay', type=Path, help='run this input only')
    parser.add_argument('targets', nargs='*', default=list(TARGETS), metavar='TARGET')
    options = parser.parse_args()
    if options.replay:
        replay(options.replay)
        return 0
    FOUND.mkdir(exist_ok=True)
    queue = [*tasks(options.minutes, options.jobs, options.seed, options.targets)]
    tallies: dict[str, Counter[str]] = {name: Counter() for name in options.targets}
    with ThreadPoolExecutor(options.jobs) as pool:
        for task, tally in zip(queue, pool.map(do, queue)):
            tallies[task.target] += tally
    tallies['**all**'] = sum(tallies.values(), Counter())
    print(f'| target | {" | ".join(COLUMNS.values())} |\n|---|{"---:|" * len(COLUMNS)}')
    for name, tally in tallies.items():
        print(f'| {name} | {" | ".join(f"{tally[column]:,}" for column in COLUMNS)} |')
    return int(bool(tallies['**all**']['faults'] or tallies['**all**']['deaths']))


if __name__ == '__main__':
    sys.exit(main())
