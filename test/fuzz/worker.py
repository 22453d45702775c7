# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
One process that runs inputs through one target.

It writes each input to a file before it runs it, so that an input that ends the process is known.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from random import Random
import resource
import signal
import struct
import sys
import time
import traceback
from typing import Any, NamedTuple

from fuzz.oracles import Broken
from fuzz.targets import TARGETS

TIME_BOUND = 2.0
"""Seconds of CPU that an input of at most 64 KB may take."""
HANG = 10.0
"""Seconds of CPU after which an input is interrupted."""
MEMORY_BOUND = 2 << 30
"""Bytes of address space that a worker may have."""
MAX_INPUT = 1 << 20
_FLIPS = (0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128)
_STATE = struct.Struct('<QQdd')


class State(NamedTuple):
    """How far a worker is: inputs done, those with faults, seconds of CPU."""

    executions: int = 0
    faults: int = 0
    seconds: float = 0.0
    slowest: float = 0.0


def read_state(file: Path) -> tuple[State, bytes]:
    """Return the state of a worker, and its present input."""
    data = file.read_bytes()
    return State(*_STATE.unpack_from(data)), data[_STATE.size:]


def keep(directory: Path, target: str, data: bytes, why: str) -> None:
    """Save an input with a fault and what was wrong with it, one for each place."""
    reason = hashlib.sha1(why.partition('\n\n')[0].encode()).hexdigest()[:10]
    file = directory / f'{target}-{reason}'
    if not file.exists() or file.stat().st_size > len(data):
        file.write_bytes(data)
        file.with_suffix('.txt').write_text(why, encoding='utf-8', errors='replace')


class _Hang(BaseException):
    """An input takes too long."""


def _interrupt(*_: Any) -> None:
    raise _Hang


class Runner:
    """Runs inputs through a target, measures them and keeps those with faults."""

    def __init__(self, name: str, file: Path, directory: Path) -> None:
        self._name, self._directory = name, directory
        self._run = TARGETS[name].run
        self._file = os.open(file, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
        self._state = State()

    def __call__(self, data: bytes) -> None:
        """Run one input."""
        data, state = data[:MAX_INPUT], self._state
        os.ftruncate(self._file, _STATE.size + len(data))
        os.pwrite(self._file, _STATE.pack(*state) + data, 0)
        start = time.process_time()
        fault = self._fault(data)
        spent = time.process_time() - start
        if not fault and spent > TIME_BOUND:
            fault = f'{self._name}: an input takes more than {TIME_BOUND} s'
        if fault:
            keep(self._directory, self._name, data, fault)
        if spent > state.slowest:
            (self._directory / f'slowest-{self._name}').write_bytes(data)
        self._state = State(
            state.executions + 1, state.faults + bool(fault), state.seconds + spent,
            max(state.slowest, spent))
        os.pwrite(self._file, _STATE.pack(*self._state), 0)

    def _fault(self, data: bytes) -> str:
        """Return what went wrong with an input, where in the code, '' for nothing."""
        signal.setitimer(signal.ITIMER_PROF, HANG)
        try:
            self._run(data)
        except (Exception, _Hang) as error:  # noqa: BLE001 - any exception is a failure
            frames = traceback.extract_tb(error.__traceback__)[-3:]
            where = ''.join(traceback.format_list(frames))
            what = str(error).partition(':')[0] if isinstance(error, Broken) else ''
            return f'{type(error).__name__} {what}\n{where}\n\n{error}'
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0.0)
        return ''


def prepare() -> None:
    """Let allocations fail beyond the bound, and inputs that take too long."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BOUND, resource.RLIM_INFINITY))
    signal.signal(signal.SIGPROF, _interrupt)


def main() -> None:
    """Run inputs that a seed decides: target, seed, seconds, file of the state, directory."""
    name, seed, seconds, file, directory = sys.argv[1:]
    prepare()
    runner = Runner(name, Path(file), Path(directory))
    rng = Random(f'{name} {seed}')
    target = TARGETS[name]
    end = time.monotonic() + float(seconds)
    while time.monotonic() < end:
        data = target.generate(rng)
        runner(data)
        for _ in range(target.variations if data else 0):
            varied = bytearray(data)
            varied[rng.randrange(len(data))] = rng.choice(data) ^ rng.choice(_FLIPS)
            runner(bytes(varied))


if __name__ == '__main__':
    main()
