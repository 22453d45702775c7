# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Fuzz for some minutes: workers under supervision, what they find in `.fuzz`, a table in the end.

`python -m fuzz.run --minutes 10`, with the project and its directory `test` on the Python path.
`--replay FILE` runs one input that was kept. With atheris every other worker is guided by
coverage.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
import os
from pathlib import Path
import subprocess
import sys
import time
from typing import NamedTuple

from fuzz.targets import TARGETS
from fuzz.worker import keep, Slot

ROOT = Path(__file__).resolve().parents[2]
FOUND = ROOT / '.fuzz'
SLICE = 30.0
"""Seconds that one worker lives: the next one begins with another seed and empty memory."""

HANG = 10.0
"""Seconds of CPU for one input after which a worker is ended."""

Tally = Counter[str]
"""Executions (and how many of them were guided), faults, hangs and deaths, and seconds of CPU."""

_TICKS = os.sysconf('SC_CLK_TCK')


class Task(NamedTuple):
    """A slice of a target's time."""

    target: str
    seed: int
    seconds: float
    is_guided: bool


class Worker:
    """A process that does a task, seen from outside."""

    def __init__(self, task: Task, number: int) -> None:
        self.task = task
        self.file = FOUND / f'slot-{number}'
        self.file.unlink(missing_ok=True)
        self.slot = Slot(self.file)
        self._executions = -1
        self._cpu_before = 0.0
        engine = 'fuzz.guided' if task.is_guided else 'fuzz.worker'
        command = [sys.executable, '-m', engine, task.target, str(task.seed), str(task.seconds),
                   str(self.file), str(FOUND)]
        self._log = (FOUND / f'log-{number}').open('wb')
        self._process = subprocess.Popen(
            command, env={**os.environ, 'OPENBLAS_NUM_THREADS': '1'},
            stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log)

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    @property
    def failed(self) -> bool:
        """Return whether the process was ended by something else."""
        return bool(self._process.returncode)

    def is_stuck(self) -> bool:
        """Return whether the present input has taken too much of the CPU."""
        state, cpu = self.slot.read(), self._cpu()
        if state.executions != self._executions:
            self._executions, self._cpu_before = state.executions, cpu
        return state.executions > 0 and cpu - self._cpu_before > HANG

    def _cpu(self) -> float:
        try:
            fields = Path(f'/proc/{self._process.pid}/stat').read_text().rpartition(')')[2].split()
        except OSError:
            return self._cpu_before
        return (int(fields[11]) + int(fields[12])) / _TICKS

    def end(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()


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


def supervise(queue: Iterator[Task], jobs: int, tallies: dict[str, Tally]) -> None:
    """Run the tasks, some at a time, and record their results."""
    running: list[Worker] = []
    number = 0
    while True:
        while len(running) < jobs and (task := next(queue, None)) is not None:
            number += 1
            running.append(Worker(task, number % (2 * jobs)))
        if not running:
            return
        time.sleep(0.2)
        for worker in list(running):
            if worker.is_running and not worker.is_stuck():
                continue
            running.remove(worker)
            finish(worker, tallies[worker.task.target])


def finish(worker: Worker, tally: Tally) -> None:
    """Note what a worker did; keep its input if it did not end on its own."""
    task, state = worker.task, worker.slot.read()
    if worker.is_running:
        worker.end()
        tally['hangs'] += 1
        keep(FOUND, task.target, worker.slot.input(), f'hang with seed {task.seed}')
    elif worker.failed:
        tally['deaths'] += 1
        keep(FOUND, task.target, worker.slot.input(), f'the process died, seed {task.seed}')
    tally['executions'] += state.executions
    tally['guided'] += state.executions * task.is_guided
    tally['faults'] += state.faults
    tally['seconds'] += round(state.seconds)
    print(f'{task.target:12} seed {task.seed:<6} {"guided" if task.is_guided else "random":7}'
          f'{state.executions:>9} executions {state.seconds:7.1f} s  '
          f'slowest {state.slowest * 1e3:7.1f} ms  {state.faults} faults', flush=True)


def table(tallies: dict[str, Tally]) -> str:
    """Return the table of all targets."""
    rows = [
        '| target | executions | of these guided by coverage | CPU s | faults | hangs | deaths |',
        '|---|---:|---:|---:|---:|---:|---:|']
    for name, tally in (*tallies.items(), ('**all**', sum(tallies.values(), Tally()))):
        rows.append(
            f'| {name} | {tally["executions"]:,} | {tally["guided"]:,} | {tally["seconds"]} '
            f'| {tally["faults"]} | {tally["hangs"]} | {tally["deaths"]} |')
    return '\n'.join(rows)


def replay(file: Path) -> None:
    """Run an input that was kept; its name begins with its target."""
    name = file.name.removeprefix('slowest-').partition('-')[0]
    start = time.process_time()
    TARGETS[name].run(file.read_bytes())
    print(f'{name}: nothing found, {time.process_time() - start:.3f} s')


def arguments() -> argparse.Namespace:
    """Return what the command line asks for."""
    parser = argparse.ArgumentParser(prog='fuzz.run')
    parser.add_argument('--minutes', type=float, default=10.0)
    parser.add_argument('--jobs', type=int, default=1, help='workers at a time')
    parser.add_argument('--seed', type=int, default=0, help='the first worker has this plus 1')
    parser.add_argument('--replay', type=Path, help='run this input only')
    parser.add_argument('targets', nargs='*', default=list(TARGETS), metavar='TARGET')
    return parser.parse_args()


def main() -> int:
    """Fuzz and print the table; return 1 where something was found."""
    options = arguments()
    if options.replay:
        replay(options.replay)
        return 0
    FOUND.mkdir(exist_ok=True)
    tallies = {name: Tally() for name in options.targets}
    queue = tasks(options.minutes, options.jobs, options.seed, options.targets)
    try:
        supervise(queue, options.jobs, tallies)
    except KeyboardInterrupt:
        print('interrupted: what was done until now')
    print(table(tallies))
    found = sum(tallies.values(), Tally())
    return int(bool(found['faults'] or found['hangs'] or found['deaths']))


if __name__ == '__main__':
    sys.exit(main())
