# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
One process that runs inputs through one target and tells what it does while it does it.

It writes what it is doing to a file that it shares with its supervisor, so that an input that
never ends, or ends the process, is known too.
"""

from __future__ import annotations

from collections.abc import Callable
import hashlib
import mmap
from pathlib import Path
from random import Random
import resource
import struct
import sys
import time
import traceback
from typing import NamedTuple

from fuzz.oracles import Broken
from fuzz.targets import Target, TARGETS

TIME_BOUND = 2.0
"""Seconds of CPU that an input of at most 64 KB may take."""

MEMORY_BOUND = 2 << 30
"""Bytes of address space that a worker may have."""

MAX_INPUT = 1 << 20
_FLIPS = (0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128)
_HEADER = struct.Struct('<QQddQ')
_SIZE = _HEADER.size + MAX_INPUT


class State(NamedTuple):
    """How far a worker is: inputs done, those with faults, seconds of CPU, the present input."""

    executions: int = 0
    faults: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    length: int = 0


class Slot:
    """The state of a worker in a file, and where the inputs with faults go."""

    def __init__(self, file: Path) -> None:
        if not file.exists():
            file.write_bytes(bytes(_SIZE))
        with file.open('r+b') as stream:
            self._memory = mmap.mmap(stream.fileno(), _SIZE)

    def write(self, state: State) -> None:
        """Write the state."""
        _HEADER.pack_into(self._memory, 0, *state)

    def begin(self, data: bytes) -> None:
        """Write the next input."""
        self._memory[_HEADER.size:_HEADER.size + len(data)] = data

    def read(self) -> State:
        """Return the state."""
        return State(*_HEADER.unpack_from(self._memory))

    def input(self) -> bytes:  # noqa: A003
        """Return the present input."""
        length = self.read().length
        return bytes(self._memory[_HEADER.size:_HEADER.size + length])


def keep(directory: Path, target: str, data: bytes, why: str) -> None:
    """Save an input with a fault and what was wrong with it, one for each place."""
    reason = hashlib.sha1(why.partition('\n\n')[0].encode()).hexdigest()[:10]
    file = directory / f'{target}-{reason}'
    if not file.exists() or file.stat().st_size > len(data):
        file.write_bytes(data)
        file.with_suffix('.txt').write_text(why, encoding='utf-8', errors='replace')


class Runner:
    """Runs inputs through a target, measures them and keeps those with faults."""

    def __init__(self, name: str, slot: Slot, directory: Path) -> None:
        self._name = name
        self._target: Target = TARGETS[name]
        self._slot = slot
        self._directory = directory
        self._state = State()

    def __call__(self, data: bytes) -> None:
        """Run one input."""
        data = data[:MAX_INPUT]
        state = self._state
        self._slot.write(state._replace(length=len(data)))
        self._slot.begin(data)
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
        self._slot.write(self._state)

    def _fault(self, data: bytes) -> str:
        """Return what went wrong with an input, where in the code, '' for nothing."""
        try:
            self._target.run(data)
        except Exception as error:  # noqa: BLE001 - any exception is a failure
            frames = traceback.extract_tb(error.__traceback__)[-3:]
            where = ''.join(traceback.format_list(frames))
            what = str(error).partition(':')[0] if isinstance(error, Broken) else ''
            return f'{type(error).__name__} {what}\n{where}\n\n{error}'
        return ''


def bound_memory() -> None:
    """Let allocations fail that would go beyond the bound."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BOUND, MEMORY_BOUND))


def run_random(name: str, seed: int, runner: Callable[[bytes], None], seconds: float) -> None:
    """Run inputs that a seed decides, for some time."""
    rng = Random(f'{name} {seed}')
    generate = TARGETS[name].generate
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        data = generate(rng)
        runner(data)
        for _ in range(TARGETS[name].variations if data else 0):
            varied = bytearray(data)
            varied[rng.randrange(len(data))] = rng.choice(data) ^ rng.choice(_FLIPS)
            runner(bytes(varied))


def main() -> None:
    """Run: target, seed, seconds, file of the slot, directory for what is found."""
    name, seed, seconds, slot, directory = sys.argv[1:]
    bound_memory()
    runner = Runner(name, Slot(Path(slot)), Path(directory))
    run_random(name, int(seed), runner, float(seconds))


if __name__ == '__main__':
    main()
