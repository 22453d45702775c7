# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
A worker runs a node's jobs: in a process that lives while there are jobs, or in the node itself.

``run`` blocks its caller, a thread of an executor, and no other.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, ExitStack, suppress
import os
from queue import SimpleQueue
import socket
import subprocess
import sys
import threading
import time
from typing import Optional, Union

from hrdf_ros.node.jobs import Answer, Job, LoadJob
from hrdf_ros.node.worker_process import Order, receive, Reply, send

IDLE_SECONDS = 5.0
"""How long a worker process waits for another job."""


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
        f'import sys; sys.path[:] = {sys.path!r}; from hrdf_ros.node.worker_process import main; '
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
