# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
A worker runs a node's jobs: in a process that lives while there are jobs, or in the node itself.

``Worker.run`` blocks its caller, a thread of an executor, and no other. The process may run out of
memory or be killed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, ExitStack, suppress
import gc
from io import BufferedReader
import os
import pickle
from queue import SimpleQueue
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from typing import Any, NamedTuple, Optional, Union

from hrdf_ros.limits import WORKER_BYTES
from hrdf_ros.node.jobs import Answer, Job, LoadJob

IDLE_SECONDS = 5.0
"""How long a worker process waits for another job."""
_LARGE = 256 << 20
"""Bytes of memory in use after an answer: a process that has more ends."""
_NICE = 10
_LOOK = 0.02
"""Seconds between looks at the memory during a job."""
_RESERVE = 16
"""A job is given up when less than this part of the memory is left."""
_PR_SET_PDEATHSIG = 1


class WorkerError(RuntimeError):
    """A job without an answer; the message is a sentence for the client."""


class Worker:
    """Runs jobs, one at a time; a load does not queue behind the requests of clients."""

    def __init__(self) -> None:
        self._requests = threading.Lock()
        self._job = threading.Lock()
        self._isolates = True
        self._ended = False
        self._child: Optional[_Child] = None
        self._rest: Optional[threading.Timer] = None

    def start(self) -> None:
        """Start the process ahead of the first job, which reports a failure."""
        with suppress(WorkerError):
            self._start()
            self._end_when_idle()

    def stay_in_node(self) -> None:
        """Run jobs in the calling thread: one that takes too long cannot be stopped."""
        self._isolates = False
        self._stop()

    def run(self, job: Job, seconds: float) -> Answer:
        """Return the answer; raise WorkerError if there is none within so many seconds."""
        deadline = time.monotonic() + seconds
        with self._turn(isinstance(job, LoadJob), seconds):
            if not self._isolates:
                from hrdf_ros.node.perform import perform  # imports every reader and writer
                return perform(job)
            try:
                reply = self._ask(Order(job, seconds), deadline)
            finally:
                self._end_when_idle()
        if reply.failure:
            raise WorkerError(reply.failure)
        answer: Answer = reply.answer
        return answer

    @contextmanager
    def _turn(self, is_load: bool, seconds: float) -> Iterator[None]:
        """Wait for a turn; raise WorkerError if it does not come in time."""
        deadline = time.monotonic() + seconds
        with ExitStack() as held:
            for lock in (self._job,) if is_load else (self._requests, self._job):
                if not lock.acquire(timeout=max(0.0, deadline - time.monotonic())):
                    raise WorkerError(
                        'it waited for other requests for longer than request_timeout allows '
                        f'({seconds:g} s)')
                held.callback(lock.release)
            yield

    def _ask(self, order: Order, deadline: float) -> Reply:
        child = self._child or self._start()
        try:
            reply = child.ask(order, deadline)
        except TimeoutError:
            self._stop()
            raise WorkerError(
                f'it takes longer than request_timeout allows ({order.seconds:g} s)') from None
        except (OSError, EOFError):
            raise WorkerError(
                f'the process that reads files ended unexpectedly ({self._stop()})') from None
        if reply.ends:
            self._stop()
        return reply

    def _start(self) -> _Child:
        if self._ended:
            raise WorkerError('the node ends')
        try:
            self._child = _Child()
        except OSError as error:
            raise WorkerError(
                f'no process can be spawned to read files ({error}); set '
                'isolation:=none to read them in the node') from None
        return self._child

    def _end_when_idle(self) -> None:
        """End the process after a while, unless there is another job."""
        if self._rest is not None:
            self._rest.cancel()
        if self._child is not None and not self._ended:
            self._rest = threading.Timer(IDLE_SECONDS, self._end_idle)
            self._rest.daemon = True
            self._rest.start()

    def _end_idle(self) -> None:
        with suppress(WorkerError), self._turn(True, 0.0):
            self._stop()  # else there is a job, and it sets another timer

    def _stop(self) -> str:
        """Kill the process and return how it ended."""
        child, self._child = self._child, None
        return '' if child is None else child.end()

    def end(self) -> None:
        """Kill the process, whatever it does; a job that waits for it fails."""
        self._ended = True
        if self._rest is not None:
            self._rest.cancel()
        child = self._child
        if child is not None:
            child.kill()


class _Child:
    """A worker process; creating it may raise OSError."""

    def __init__(self) -> None:
        self._channel, theirs = socket.socketpair()
        started: SimpleQueue[Union[subprocess.Popen[bytes], Exception]] = SimpleQueue()
        threading.Thread(target=_start, args=(theirs, started), daemon=True).start()
        process = started.get()
        if isinstance(process, Exception):
            self._channel.close()
            raise process
        self.process = process
        self._stream = self._channel.makefile('rb')

    def ask(self, order: Order, deadline: float) -> Reply:
        """Return the reply; may raise TimeoutError, OSError, EOFError."""
        self._channel.settimeout(max(0.001, deadline - time.monotonic()))
        send(self._channel, order)
        self._channel.settimeout(max(0.001, deadline - time.monotonic()))
        reply: Reply = receive(self._stream)
        return reply

    def kill(self) -> int:
        """Kill the process and return its exit status."""
        self.process.kill()
        return self.process.wait()

    def end(self) -> str:
        """Kill the process and return how it ended."""
        self._stream.close()
        self._channel.close()
        status = self.kill()
        return f'signal {-status}' if status < 0 else f'exit status {status}'


def _start(
    channel: socket.socket, started: SimpleQueue[Union[subprocess.Popen[bytes], Exception]],
) -> None:
    """
    Start a worker process and wait for its end: it ends with the thread that started it.

    It finds modules where this process does, and a terminal's Ctrl-C does not reach it.
    """
    code = (
        f'import sys; sys.path[:] = {sys.path!r}; from hrdf_ros.node.worker import main; '
        f'main({channel.fileno()}, {os.getpid()})')
    with channel:
        try:
            process = subprocess.Popen(
                [sys.executable, '-c', code], stdin=subprocess.DEVNULL,
                pass_fds=(channel.fileno(),), start_new_session=True)
        except Exception as error:  # noqa: BLE001 - raised where the process is started
            started.put(error)
            return
    started.put(process)
    process.wait()


# ---- messages

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

    It is read through Python's socket, piece by piece, so that other threads run meanwhile.
    """
    if not stream.peek(1):
        raise EOFError('the other end is closed')
    try:
        with out_of_collections():
            return pickle.load(stream)
    except pickle.UnpicklingError:
        raise EOFError('the other end was closed in a message') from None


@contextmanager
def out_of_collections() -> Iterator[None]:
    """
    Keep all objects that exist or are made in the context out of garbage collections.

    A collection over a robot of thousands of links delays joint states by 40 ms, and reading one
    of 100,000 links by 0.3 s. Robots have no reference cycles: each is freed with its last
    reference.
    """
    gc.collect(1)
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        gc.enable()


# ---- the process

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
    import ctypes  # the node needs none
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
