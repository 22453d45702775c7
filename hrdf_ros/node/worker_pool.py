# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A few workers that many robots share: a slow job of one keeps the others waiting no longer."""

from __future__ import annotations

from collections.abc import Sequence
import queue
import time

from hrdf_ros.node.jobs import Answer, Job
from hrdf_ros.node.worker import waited, Worker, WorkerError


class WorkerPool:
    """Has each job done by whichever worker is free."""

    def __init__(self, workers: Sequence[Worker]) -> None:
        self._workers = tuple(workers)
        self._free: queue.LifoQueue[Worker] = queue.LifoQueue()
        for worker in self._workers:
            self._free.put(worker)

    def run(self, job: Job, seconds: float) -> Answer:
        """Return the answer; raise WorkerError where there is none within so many seconds."""
        deadline = time.monotonic() + seconds
        try:
            worker = self._free.get(timeout=seconds)
        except queue.Empty:
            raise WorkerError(waited(seconds)) from None
        try:
            return worker.run(job, max(0.001, deadline - time.monotonic()))
        finally:
            self._free.put(worker)

    def end(self) -> None:
        """Stop all of them, whatever they do."""
        for worker in self._workers:
            worker.end()
