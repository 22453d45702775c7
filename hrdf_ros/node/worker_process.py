# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The process that reads files and texts for a node: it may run out of memory or be killed."""

from __future__ import annotations

from collections.abc import Callable
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
from hrdf_ros.node.memory import resident

LENGTH = struct.Struct('<Q')
_MAX_MEMORY = 2 << 30
"""Bytes of address space."""
_MAX_RESIDENT = 256 << 20
"""Bytes that a worker may have grown to; it ends after its answer and another one starts."""
_NICE = 10
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
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    channel = socket.socket(fileno=descriptor)
    ends = False
    while not ends:
        try:
            order: Order = receive(channel)
        except (EOFError, OSError, MemoryError):
            return
        reply = _serve(order, perform)
        send(channel, reply)
        ends = reply.ends


def _limit(kind: int, most: int) -> None:
    """Limit a resource, no more than it is already: a limit from outside cannot be raised."""
    _, hard = resource.getrlimit(kind)
    resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _end_with(parent: int) -> None:
    """End when the node is gone, whatever is being done."""
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)


def _serve(order: Order, perform: Callable[[Job], Answer]) -> Reply:
    """Do one job within its CPU time: the kernel ends the process that takes more."""
    _limit(resource.RLIMIT_CPU, int(time.process_time() + order.seconds) + 2)
    try:
        answer, failure = perform(order.job), ''
    except MemoryError:
        most, _ = resource.getrlimit(resource.RLIMIT_AS)
        answer, failure = None, f'it takes more than {most >> 20} MB of memory'
    except Exception as error:  # noqa: BLE001 - the next job must find a process
        answer, failure = None, f'failed unexpectedly: {error!r}'
    return Reply(answer, failure, resident() > _MAX_RESIDENT)
