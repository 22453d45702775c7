# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Workers that many robots share."""

from __future__ import annotations

import threading

from hrdf_ros.node.jobs import FileJob, refuse
from hrdf_ros.node.settings import Settings
from hrdf_ros.node.worker import WorkerError
from hrdf_ros.node.worker_pool import WorkerPool
import pytest

JOB = FileJob(Settings())


class Slow:
    """A worker that is busy until it is let go."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.begun = threading.Event()
        self.jobs = 0
        self.ended = False

    def run(self, job, seconds):
        self.jobs += 1
        self.begun.set()
        assert self.go.wait(20.0)
        return refuse('done')

    def end(self):
        self.ended = True


def test_a_slow_job_keeps_nobody_else_waiting() -> None:
    slow, quick = Slow(), Slow()
    quick.go.set()
    pool = WorkerPool([quick, slow])  # the last one is taken first
    busy = threading.Thread(target=pool.run, args=(JOB, 20.0))
    busy.start()
    assert slow.begun.wait(20.0)
    for _ in range(3):
        assert pool.run(JOB, 20.0).first_error == 'done'
    assert (slow.jobs, quick.jobs) == (1, 3)
    slow.go.set()
    busy.join()


def test_the_wait_for_a_worker_is_limited() -> None:
    slow = Slow()
    pool = WorkerPool([slow])
    busy = threading.Thread(target=pool.run, args=(JOB, 20.0))
    busy.start()
    assert slow.begun.wait(20.0)
    with pytest.raises(WorkerError, match='waited for other requests'):
        pool.run(JOB, 0.05)
    slow.go.set()
    busy.join()


def test_a_worker_that_fails_can_be_used_again() -> None:
    class Failing(Slow):
        def run(self, job, seconds):
            raise WorkerError('no')

    pool = WorkerPool([Failing()])
    for _ in range(3):
        with pytest.raises(WorkerError, match='no'):
            pool.run(JOB, 1.0)


def test_all_workers_end() -> None:
    workers = [Slow(), Slow()]
    WorkerPool(workers).end()
    assert all(worker.ended for worker in workers)
