# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The process that reads files and texts for a node: it may run out of memory or be killed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
import gc
import os
import pickle
import resource
import signal
import socket
import struct
import threading
import time
from typing import Any, NamedTuple

from hrdf_ros.node.jobs import Answer, Job
from hrdf_ros.node.memory import address_space, resident

LENGTH = struct.Struct('<Q')
_MAX_MEMORY = 2 << 30
"""Bytes of address space."""
_MAX_RESIDENT = 256 << 20
"""Bytes that a worker may have grown to; it ends after its answer and another one starts."""
_NICE = 10
_LOOK = 0.02
"""Seconds between looks at the memory during a job."""
_RESERVE = 16
"""A job is given up when no more than this part of the memory is left."""
_CHUNK = 1 << 18


class Order(NamedTuple):
    """A job and the CPU seconds that it may take."""

    job: Job
    seconds: float


class Reply(NamedTuple):
    """An answer, or why there is none; ``ends`` tells that the process ends now."""

    answer: Any
    failure: str
    ends: bool


def send(channel: socket.socket, message: Any) -> None:
    """Send one message; TimeoutError and OSError are the channel's."""
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    channel.sendall(LENGTH.pack(len(data)))
    channel.sendall(data)


def receive(channel: socket.socket) -> Any:
    """Return the next message; raise EOFError where the other end is closed."""
    length, = LENGTH.unpack(_read(channel, LENGTH.size))
    data = _read(channel, length)
    gc.disable()  # a collection would look at everything that has come so far, and find nothing
    try:
        return pickle.loads(data)
    finally:
        gc.enable()


def _read(channel: socket.socket, length: int) -> bytearray:
    data = bytearray(length)
    view, start = memoryview(data), 0
    while start < length:
        count = channel.recv_into(view[start:start + _CHUNK])
        if not count:
            raise EOFError('the other end is closed')
        start += count
    return data


def main(descriptor: int, parent: int) -> None:
    """Do the jobs that come through a socket until its other end is closed."""
    os.nice(_NICE)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGTERM,))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _limit(resource.RLIMIT_AS, _MAX_MEMORY)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    from hrdf_ros.node.perform import perform  # every reader and writer, which the node has not
    channel = socket.socket(fileno=descriptor)
    guard = _Guard(parent, channel)
    ends = False
    while not ends:
        try:
            order: Order = receive(channel)
        except (EOFError, OSError, MemoryError):
            return
        guard.begin()
        reply = _serve(order, perform)
        guard.finish()
        send(channel, reply)
        ends = reply.ends


def _limit(kind: int, most: int) -> None:
    """Limit a resource, no more than it is already: a limit from outside cannot be raised."""
    _, hard = resource.getrlimit(kind)
    resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


class _Guard:
    """
    Ends the process when the node is gone, and before a job takes all memory.

    That is not left to MemoryError: where there is no memory for the smallest object, CPython
    3.11 can loop forever in a function that has an except clause.
    """

    def __init__(self, parent: int, channel: socket.socket) -> None:
        self._parent = parent
        self._channel = channel
        self._busy = threading.Event()
        self._answering = threading.Lock()
        threading.Thread(target=self._run, daemon=True).start()

    def begin(self) -> None:
        """Look at the memory from now on."""
        self._busy.set()

    def finish(self) -> None:
        """Let the job be answered, unless that has been done meanwhile: the process ends then."""
        with self._answering:
            self._busy.clear()

    def _run(self) -> None:
        while os.getppid() == self._parent:
            if self._busy.wait(1.0):
                time.sleep(_LOOK)
                self._look()
        os._exit(1)

    def _look(self) -> None:
        most, _ = resource.getrlimit(resource.RLIMIT_AS)
        used = 0
        with suppress(OSError):  # no file can be opened just now
            used = address_space()
        if most == resource.RLIM_INFINITY or used < most - most // _RESERVE:
            return
        with self._answering:
            if self._busy.is_set():
                send(self._channel, Reply(None, _too_much(), ends=True))
                os._exit(1)


def _too_much() -> str:
    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    return f'it takes more than {most >> 20} MB of memory'


def _serve(order: Order, perform: Callable[[Job], Answer]) -> Reply:
    """Do one job within its CPU time: the kernel ends the process that takes more."""
    _limit(resource.RLIMIT_CPU, int(time.process_time() + order.seconds) + 2)
    try:
        answer, failure = perform(order.job), ''
    except MemoryError:
        answer, failure = None, _too_much()
    except Exception as error:  # noqa: BLE001 - the next job must find a process
        answer, failure = None, f'failed unexpectedly: {error!r}'
    return Reply(answer, failure, resident() > _MAX_RESIDENT)
