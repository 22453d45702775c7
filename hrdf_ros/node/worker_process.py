# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The worker process reads files and texts for a node; it may run out of memory or be killed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
import gc
from io import BufferedReader
import os
import pickle
import resource
import signal
import socket
import threading
import time
from typing import Any, NamedTuple

from hrdf_ros.limits import WORKER_BYTES
from hrdf_ros.node.jobs import Answer, Job

_LARGE = 256 << 20
"""Bytes of memory in use after an answer: a process that has more ends."""
_NICE = 10
_LOOK = 0.02
"""Seconds between looks at the memory during a job."""
_RESERVE = 16
"""A job is given up when less than this part of the memory is left."""
_PR_SET_PDEATHSIG = 1


class Order(NamedTuple):
    """A job and the CPU seconds that it may take."""

    job: Job
    seconds: float


class Reply(NamedTuple):
    """An answer, or why there is none; ``ends``: the process ends after it."""

    answer: Any
    failure: str
    ends: bool


def send(channel: socket.socket, message: Order | Reply) -> None:
    """Send one message; TimeoutError and OSError are the channel's."""
    channel.sendall(pickle.dumps(message, pickle.HIGHEST_PROTOCOL))


def receive(stream: BufferedReader) -> Any:
    """
    Return the next message; raise EOFError if the other end is closed.

    It is read through Python's socket, piece by piece, so that other threads run meanwhile; it
    is kept out of garbage collections, which would take 0.3 s for a robot of 100,000 links.
    """
    if not stream.peek(1):
        raise EOFError('the other end is closed')
    gc.collect(1)
    gc.disable()
    try:
        return pickle.load(stream)
    except pickle.UnpicklingError:
        raise EOFError('the other end was closed in a message') from None
    finally:
        gc.freeze()
        gc.enable()


def main(descriptor: int, parent: int) -> None:
    """Run the jobs that come through a socket until its other end is closed."""
    os.nice(_NICE)
    _end_with(parent)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGTERM,))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _limit(resource.RLIMIT_AS, WORKER_BYTES)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    from hrdf_ros.node.perform import perform  # every reader and writer; the node has none
    channel = socket.socket(fileno=descriptor)
    stream = channel.makefile('rb')
    guard = _Guard(channel)
    ends = False
    while not ends:
        try:
            order: Order = receive(stream)
        except (EOFError, OSError, MemoryError):
            return
        guard.watch(True)
        reply = _serve(order, perform)
        guard.watch(False)
        send(channel, reply)
        ends = reply.ends


def _end_with(parent: int) -> None:
    """Have the kernel kill this process when the node is gone, even while it is stopped."""
    import ctypes  # the node imports this file, too
    with suppress(AttributeError):  # Linux only; elsewhere the closed socket ends it
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _limit(kind: int, most: int) -> None:
    """Limit a resource, unless a lower limit has been set from outside."""
    _, hard = resource.getrlimit(kind)
    resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


class _Guard:
    """
    Ends the process before a job takes all memory.

    That is not left to MemoryError: where there is no memory for the smallest object, CPython
    3.11 can loop forever in a function that has an except clause.
    """

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._busy = False
        self._answering = threading.Lock()
        threading.Thread(target=self._run, daemon=True).start()

    def watch(self, busy: bool) -> None:
        """Watch the memory or not; never returns if the guard has answered the job."""
        with self._answering:
            self._busy = busy

    def _run(self) -> None:
        while True:
            time.sleep(_LOOK)
            with self._answering:
                if self._busy and _is_nearly_full():
                    send(self._channel, Reply(None, _too_much(), ends=True))
                    os._exit(1)


def _is_nearly_full() -> bool:
    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    used = 0
    with suppress(OSError):  # no file can be opened at the moment
        used = _memory()[0]
    return most != resource.RLIM_INFINITY and used >= most - most // _RESERVE


def _memory() -> tuple[int, int]:
    """Return the bytes of address space, which RLIMIT_AS limits, and those of memory in use."""
    with open('/proc/self/statm') as stream:
        space, resident, *_ = map(int, stream.read().split())
    return space * resource.getpagesize(), resident * resource.getpagesize()


def _too_much() -> str:
    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    return f'it takes more than {most >> 20} MB of memory'


def _serve(order: Order, perform: Callable[[Job], Answer]) -> Reply:
    """Run one job within its CPU time: the kernel ends the process that takes more."""
    _limit(resource.RLIMIT_CPU, int(time.process_time() + order.seconds) + 2)
    try:
        answer, failure = perform(order.job), ''
    except MemoryError:
        answer, failure = None, _too_much()
    except Exception as error:  # noqa: BLE001 - the next job must find a process
        answer, failure = None, f'failed unexpectedly: {error!r}'
    return Reply(answer, failure, _memory()[1] > _LARGE)
