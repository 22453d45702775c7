# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
A worker, which runs a node's jobs in a process that lives while there are jobs, or in the node.

A job is a function of ``requests`` with its arguments. ``Worker.run`` only blocks the thread of
the executor that calls it. The process may run out of memory or be killed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, ExitStack, suppress
import gc
import os
import pickle
import resource
import signal
import subprocess
import sys
import threading
import time
from typing import Any, Optional, TypeVar, Union

from hrdf_ros.limits import WORKER_BYTES

_Answer = TypeVar('_Answer')
IDLE_SECONDS = 5.0
"""The time in seconds that a worker process waits for another job before it ends."""
_LARGE = 256 << 20
"""The memory in use after an answer, in bytes, above which the process ends."""
_NICE = 10
"""The increment of the process's nice value, so that a load delays no transform."""
_LOOK = 0.02
"""The time in seconds between two checks of the memory in use."""
_RESERVE = 16
"""
The divisor of the memory limit that gives the part to keep free, a sixteenth: the process ends
before a job uses this part.
"""
_OUT_OF_MEMORY = 77
"""The exit status of a process whose job takes too much memory."""
_PR_SET_PDEATHSIG = 1
"""The option of prctl(2) that sets the signal for the end of the parent."""


class WorkerError(RuntimeError):
    """A job has no answer; the message is a sentence for the client."""


class Worker:
    """Runs jobs, one at a time; a load does not queue after the requests of clients."""

    def __init__(self) -> None:
        self._requests = threading.Lock()
        self._job = threading.Lock()
        self._isolates = True
        self._ended = False
        self._process: Optional[subprocess.Popen[bytes]] = None
        self._rest: Optional[threading.Timer] = None

    def start(self) -> None:
        """Start the process ahead of the first job; the job reports a failure."""
        with suppress(WorkerError):
            self._start()
            self._end_when_idle()

    def stay_in_node(self) -> None:
        """Run jobs in the calling thread, where a job that takes too long cannot be stopped."""
        self._isolates = False
        self._stop()

    def run(
        self, seconds: float, job: Callable[[], _Answer], *, is_load: bool = False,
    ) -> _Answer:
        """
        Return the answer of a job: a ``partial`` of a function of ``requests``.

        A load goes ahead of the requests of clients that wait for their turn. Without an answer in
        time, WorkerError is raised.
        """
        deadline = time.monotonic() + seconds
        with self._turn(is_load, seconds):
            if not self._isolates:
                try:
                    return job()
                except MemoryError:
                    raise WorkerError('it takes more memory than there is') from None
            try:
                answer = self._ask(job, deadline, seconds)
            finally:
                self._end_when_idle()
        if isinstance(answer, WorkerError):
            raise answer
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

    def _ask(
        self, job: Callable[[], _Answer], deadline: float, seconds: float,
    ) -> Union[_Answer, WorkerError]:
        """Return the answer of the process, which is killed at the deadline."""
        process = self._process or self._start()
        orders: Any = process.stdin
        answers: Any = process.stdout
        answer: Union[_Answer, WorkerError]
        timer = _after(max(0.0, deadline - time.monotonic()), process.kill)
        try:
            _send(orders, job)
            answers.peek(1)
            with out_of_collections():
                answer, is_large = pickle.load(answers)
        except (OSError, EOFError, pickle.UnpicklingError):
            status = self._stop()
            if status == _OUT_OF_MEMORY:
                reason = f'it takes more than {_most_memory() >> 20} MB of memory'
            elif time.monotonic() >= deadline:
                reason = f'it takes longer than request_timeout allows ({seconds:g} s)'
            else:
                how = f'signal {-status}' if status < 0 else f'exit status {status}'
                reason = f'the process that reads files ended unexpectedly ({how})'
            raise WorkerError(reason) from None
        finally:
            timer.cancel()
        if is_large or time.monotonic() >= deadline:  # the timer has killed it, or will
            self._stop()
        return answer

    def _start(self) -> subprocess.Popen[bytes]:
        """
        Start the process.

        It finds modules where this process does, and a terminal's Ctrl-C does not reach it. The
        kernel ends it with the thread that started it: the main thread, or one of an executor.
        """
        if self._ended:
            raise WorkerError('the node ends')
        code = (f'import sys; sys.path[:] = {sys.path!r}; '
                f'from hrdf_ros.node.worker import main; main({os.getpid()})')
        try:
            self._process = subprocess.Popen(
                [sys.executable, '-c', code], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                start_new_session=True)
        except OSError as error:
            raise WorkerError(
                f'no process can be spawned to read files ({error}); set '
                'isolation:=none to read them in the node') from None
        return self._process

    def _end_when_idle(self) -> None:
        """End the process after a while, unless another job comes."""
        if self._rest is not None:
            self._rest.cancel()
        if self._process is not None and not self._ended:
            self._rest = _after(IDLE_SECONDS, self._end_idle)

    def _end_idle(self) -> None:
        with suppress(WorkerError), self._turn(True, 0.0):
            self._stop()  # without a turn there is a job, which sets a new timer

    def _stop(self) -> int:
        """Kill the process and return its exit status."""
        process, self._process = self._process, None
        if process is None:
            return 0
        with suppress(OSError), process:  # the context closes the pipes
            process.kill()
        return process.wait()

    def end(self) -> None:
        """Kill the process, even at work; a job that waits for it fails."""
        self._ended = True
        if self._rest is not None:
            self._rest.cancel()
        process = self._process
        if process is not None:
            process.kill()
            process.wait()


def _after(seconds: float, function: Callable[[], object]) -> threading.Timer:
    timer = threading.Timer(seconds, function)
    timer.daemon = True
    timer.start()
    return timer


def _send(stream: Any, message: Any) -> None:
    stream.write(pickle.dumps(message, pickle.HIGHEST_PROTOCOL))
    stream.flush()


def _most_memory() -> int:
    """Return the limit in bytes on a process's address space; a lower one from outside is kept."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    return WORKER_BYTES if hard == resource.RLIM_INFINITY else min(WORKER_BYTES, hard)


@contextmanager
def out_of_collections() -> Iterator[None]:
    """
    Keep the objects that exist, or are made in this context, out of garbage collections.

    A collection that includes a robot of thousands of links delays joint states by 40 ms, and one
    during the reading of 100,000 links by 0.3 s. Robots have no reference cycles: each object is
    freed with its last reference.
    """
    gc.collect(1)
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        gc.enable()


# ---- the process

def main(node: int) -> None:
    """Run the jobs that come on standard input until it is closed, and write their answers."""
    import ctypes  # the node does not need it
    with suppress(AttributeError):  # only Linux has it
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != node:
        return
    os.nice(_NICE)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGTERM,))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a service manager sends it to all processes
    most = _most_memory()
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    answers = os.fdopen(os.dup(1), 'wb')
    os.dup2(2, 1)  # what libraries print must not mix with answers
    threading.Thread(target=_guard, args=(most,), daemon=True).start()
    import hrdf_ros.node.jobs  # noqa: F401 - it is ready before the first job
    orders: Any = os.fdopen(0, 'rb')
    while orders.peek(1):
        job = pickle.load(orders)
        try:
            _send(answers, (job(), _memory()[1] > _LARGE))
        except MemoryError:
            os._exit(_OUT_OF_MEMORY)
        except Exception as error:  # noqa: BLE001 - the next job must find a process
            _send(answers, (WorkerError(f'failed unexpectedly: {error!r}'), False))


def _guard(most: int) -> None:
    """
    End the process before a job takes all memory.

    MemoryError does not suffice: without memory for the smallest object, CPython 3.11 can loop
    forever in a function that has an except clause.
    """
    while True:
        time.sleep(_LOOK)
        with suppress(OSError):  # too many files are open at the moment
            if _memory()[0] >= most - most // _RESERVE:
                os._exit(_OUT_OF_MEMORY)


def _memory() -> tuple[int, int]:
    """Return the address space, which RLIMIT_AS limits, and the memory in use, both in bytes."""
    with open('/proc/self/statm') as stream:
        space, resident, *_ = map(int, stream.read().split())
    return space * resource.getpagesize(), resident * resource.getpagesize()
