# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Workers run a node's jobs: in a process that lives while there are jobs, or in the node itself.

``run`` blocks its caller, a thread of an executor, and no other.
"""

from __future__ import annotations

from contextlib import suppress
import os
import socket
import subprocess
import sys
import threading
import time
from typing import Optional, Protocol

from hrdf_ros.node.jobs import Answer, Job
from hrdf_ros.node.worker_process import Order, receive, Reply, send

IDLE_SECONDS = 5.0
"""How long a worker process waits for another job."""


class WorkerError(RuntimeError):
    """A job without an answer; the message is a sentence for the client."""


class Worker(Protocol):
    """Runs jobs, one at a time."""

    def run(self, job: Job, seconds: float) -> Answer:
        """Return the answer; raise WorkerError if there is none within so many seconds."""

    def end(self) -> None:
        """Stop at once, and accept no more jobs."""


def make_worker(isolation: str, started: Optional[Worker] = None) -> Worker:
    """Return the worker for a value of the parameter ``isolation``, if possible ``started``."""
    if isolation != 'none':
        return started or ProcessWorker()
    if started is not None:
        started.end()
    return InProcessWorker()


def start_worker() -> Worker:
    """Return a worker whose process is starting."""
    worker = ProcessWorker()
    with suppress(WorkerError):  # the first job reports it
        worker.start()
    return worker


class InProcessWorker:
    """Runs jobs in the calling thread; a job that takes too long cannot be stopped."""

    def __init__(self) -> None:
        from hrdf_ros.node.perform import perform  # imports every reader and writer
        self._perform = perform
        self._lock = threading.Lock()

    def run(self, job: Job, seconds: float) -> Answer:
        """Return the answer; raise WorkerError after waiting too long for other jobs."""
        if not self._lock.acquire(timeout=seconds):
            raise _waited(seconds)
        try:
            return self._perform(job)
        finally:
            self._lock.release()

    def end(self) -> None:
        """Do nothing: there is no process."""


class ProcessWorker:
    """Runs jobs in a process, which starts with the first job and ends when it is idle."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ended = False
        self._child: Optional[_Child] = None
        self._rest: Optional[threading.Timer] = None

    def start(self) -> None:
        """Start the process ahead of the first job; raise WorkerError if that fails."""
        with self._lock:
            self._start()
            self._end_when_idle()

    def run(self, job: Job, seconds: float) -> Answer:
        """Return the answer; raise WorkerError if there is none within so many seconds."""
        deadline = time.monotonic() + seconds
        if not self._lock.acquire(timeout=seconds):
            raise _waited(seconds)
        try:
            reply = self._ask(Order(job, seconds), deadline)
        finally:
            self._end_when_idle()
            self._lock.release()
        if reply.failure:
            raise WorkerError(reply.failure)
        answer: Answer = reply.answer
        return answer

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
                f'no process can be spawned to read files ({error}); the parameter '
                'isolation:=none has them read in the node') from None
        return self._child

    def _end_when_idle(self) -> None:
        """End the process after a while, unless there is another job."""
        if self._rest is not None:
            self._rest.cancel()
        self._rest = None
        if self._child is not None:
            self._rest = threading.Timer(IDLE_SECONDS, self._end_idle)
            self._rest.daemon = True
            self._rest.start()

    def _end_idle(self) -> None:
        if self._lock.acquire(blocking=False):  # else there is a job, and it sets another timer
            try:
                self._stop()
            finally:
                self._lock.release()

    def _stop(self) -> str:
        """Kill the process and return how it ended."""
        child, self._child = self._child, None
        return '' if child is None else child.end()

    def end(self) -> None:
        """Kill the process, whatever it does; a job that waits for it fails."""
        self._ended = True
        child = self._child
        if child is not None:
            child.kill()


class _Child:
    """
    A worker process; creating it may raise OSError.

    It finds modules where this one does, a terminal's Ctrl-C does not reach it, and it ends with
    the thread that started it.
    """

    def __init__(self) -> None:
        self._channel, theirs = socket.socketpair()
        code = (
            f'import sys; sys.path[:] = {sys.path!r}; '
            'from hrdf_ros.node.worker_process import main; '
            f'main({theirs.fileno()}, {os.getpid()})')
        with theirs:
            try:
                self.process = subprocess.Popen(
                    [sys.executable, '-c', code], stdin=subprocess.DEVNULL,
                    pass_fds=(theirs.fileno(),), start_new_session=True)
            except OSError:
                self._channel.close()
                raise
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


def _waited(seconds: float) -> WorkerError:
    return WorkerError(
        f'it waited for other requests for longer than request_timeout allows ({seconds:g} s)')
