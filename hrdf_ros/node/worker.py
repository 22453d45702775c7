# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Who does a node's jobs: a process that is kept warm and may be killed, or the node itself.

``run`` blocks its caller, one of the threads of an executor, and nobody else.
"""

from __future__ import annotations

from contextlib import suppress
import os
import socket
import subprocess
import threading
import time
from typing import Optional, Protocol

from hrdf_ros.node.child_process import spawn
from hrdf_ros.node.jobs import Answer, Job
from hrdf_ros.node.worker_process import Order, receive, Reply, send


class WorkerError(RuntimeError):
    """A job that was not done; the message is a sentence for whoever asked for it."""


class Worker(Protocol):
    """Does jobs, one at a time."""

    def run(self, job: Job, seconds: float) -> Answer:
        """Return the answer; raise WorkerError where there is none within so many seconds."""

    def end(self) -> None:
        """Stop, whatever is being done."""


def make_worker(isolation: str, started: Optional[Worker] = None) -> Worker:
    """Return the worker for a value of the parameter ``isolation``: one that was ``started``."""
    if isolation != 'none':
        return started or start_worker()
    if started is not None:
        started.end()
    return InProcessWorker()


def start_worker() -> Worker:
    """Return a worker whose process is on the way."""
    worker = ProcessWorker()
    with suppress(WorkerError):  # the first job says why
        worker.start()
    return worker


class InProcessWorker:
    """Does jobs in the calling thread: nothing can stop one that takes too long."""

    def __init__(self) -> None:
        from hrdf_ros.node.perform import perform  # every reader and writer
        self._perform = perform
        self._lock = threading.Lock()

    def run(self, job: Job, seconds: float) -> Answer:
        """Return the answer; raise WorkerError where others are in the way for too long."""
        if not self._lock.acquire(timeout=seconds):
            raise WorkerError(waited(seconds))
        try:
            return self._perform(job)
        finally:
            self._lock.release()

    def end(self) -> None:
        """Nothing is to be stopped."""


class ProcessWorker:
    """Has jobs done by a process, which is spawned once and again whenever it ended."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ended = False
        self._process: Optional[subprocess.Popen[bytes]] = None
        self._channel: Optional[socket.socket] = None

    def start(self) -> None:
        """Spawn the process ahead of the first job; a WorkerError says why there is none."""
        with self._lock:
            self._spawn()

    def run(self, job: Job, seconds: float) -> Answer:
        """Return the answer; raise WorkerError where there is none within so many seconds."""
        deadline = time.monotonic() + seconds
        if not self._lock.acquire(timeout=seconds):
            raise WorkerError(waited(seconds))
        try:
            reply = self._ask(job, seconds, deadline)
        finally:
            self._lock.release()
        if reply.failure:
            raise WorkerError(reply.failure)
        answer: Answer = reply.answer
        return answer

    def _ask(self, job: Job, seconds: float, deadline: float) -> Reply:
        channel = self._channel or self._spawn()
        try:
            channel.settimeout(max(0.001, deadline - time.monotonic()))
            send(channel, Order(job, seconds))
            channel.settimeout(max(0.001, deadline - time.monotonic()))
            reply: Reply = receive(channel)
        except TimeoutError:
            self._replace()
            raise WorkerError(
                f'it takes longer than request_timeout allows ({seconds:g} s)') from None
        except (OSError, EOFError):
            raise WorkerError(
                f'the process that reads files ended unexpectedly ({self._replace()})') from None
        if reply.ends:
            with suppress(WorkerError):  # the next job says why
                self._replace()
        return reply

    def _spawn(self) -> socket.socket:
        """Spawn the process and return the socket that leads to it."""
        if self._ended:
            raise WorkerError('the node ends')
        try:
            self._process, self._channel = spawn(
                'hrdf_ros.node.worker_process', parent=os.getpid())
        except OSError as error:
            raise WorkerError(
                f'no process can be spawned to read files ({error}); the parameter '
                'isolation:=none has them read in the node') from None
        return self._channel

    def _replace(self) -> str:
        """Kill the process, spawn another one, and say how the old one ended."""
        status = self._stop()
        if not self._ended:
            self._spawn()
        return status

    def _stop(self) -> str:
        process, channel = self._process, self._channel
        self._process = self._channel = None
        if channel is not None:
            channel.close()
        if process is None:
            return ''
        process.kill()
        status = process.wait()
        return f'signal {-status}' if status < 0 else f'exit status {status}'

    def end(self) -> None:
        """Kill the process, whatever it does."""
        self._ended = True
        process = self._process
        if process is not None:
            process.kill()
            process.wait()


def waited(seconds: float) -> str:
    """Say that a job had to wait for others for too long."""
    return f'it waited for other requests for longer than request_timeout allows ({seconds:g} s)'
