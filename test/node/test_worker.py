# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Jobs in a process of their own: limits, timeouts, processes that die or cannot be spawned."""

from collections.abc import Callable, Iterator
from functools import partial
import os
from pathlib import Path
import resource
import signal
import subprocess
import sys
import threading
import time

from helpers.processes import LONG
from hrdf_ros.node.answers import FileAnswer
from hrdf_ros.node.requests import check_or_convert, load_description
from hrdf_ros.node.settings import Settings
from hrdf_ros.node.worker import IDLE_SECONDS, Worker, WorkerError
import pytest

ARM = '<robot name="r"><link name="a"/></robot>'


@pytest.fixture
def worker() -> Iterator[Worker]:
    """Return a worker that is ended."""
    worker = Worker()
    yield worker
    worker.end()


def process_of(worker: Worker) -> int:
    assert worker._process is not None
    return worker._process.pid


def check(worker: Worker, text: str = ARM, seconds: float = 30.0) -> FileAnswer:
    return worker.run(seconds, partial(check_or_convert, Settings(), text=text))


@pytest.mark.parametrize('isolation', ['process', 'none'])
def test_jobs_are_done(worker: Worker, isolation: str) -> None:
    if isolation == 'none':
        worker.stay_in_node()
    assert check(worker).ok
    answer = worker.run(30.0, partial(load_description, Settings(robot_description=ARM)))
    again = worker.run(30.0, partial(
        check_or_convert, Settings(), target='sdf', loaded=answer.loaded))
    assert '<link name="a">' in again.text
    assert (worker._process is None) == (isolation == 'none')


def test_the_process_lives_while_there_are_jobs_and_a_little_longer(
    worker: Worker, monkeypatch: pytest.MonkeyPatch,
) -> None:
    ends: list[tuple[float, Callable[[], object]]] = []

    def remember(seconds: float, function: Callable[[], object]) -> threading.Timer:
        ends.append((seconds, function))
        return threading.Timer(seconds, function)  # never started

    monkeypatch.setitem(Worker.run.__globals__, '_after', remember)
    processes = set()
    for _ in range(3):
        assert check(worker).ok
        processes.add(process_of(worker))
    [process] = processes
    seconds, end_idle = ends[-1]
    assert seconds == IDLE_SECONDS
    end_idle()
    assert not Path(f'/proc/{process}').exists()
    assert check(worker).ok


def test_sigint_is_for_the_node(worker: Worker) -> None:
    assert check(worker).ok
    process = process_of(worker)
    os.kill(process, signal.SIGINT)
    assert check(worker).ok
    assert process_of(worker) == process


def test_memory_is_limited_and_the_priority_is_low(worker: Worker) -> None:
    check(worker)
    niceness = [os.getpriority(os.PRIO_PROCESS, pid) for pid in (0, process_of(worker))]
    assert niceness[1] == min(19, niceness[0] + 10)
    assert resource.prlimit(process_of(worker), resource.RLIMIT_AS)[0] == 2 << 30


def test_requests_wait_for_no_longer_than_they_may(worker: Worker) -> None:
    with worker._job, pytest.raises(WorkerError, match='waited for other requests'):
        check(worker, ARM, 0.05)


def test_a_load_does_not_wait_for_all_requests(worker: Worker) -> None:
    with worker._requests:  # one is under way, and others wait
        answer = worker.run(
            60.0, partial(load_description, Settings(robot_description=ARM)), is_load=True)
    assert answer.model is not None


def test_the_end_waits_for_nothing(worker: Worker) -> None:
    check(worker)
    failures: list[str] = []

    def ask() -> None:
        try:
            check(worker, LONG)
        except WorkerError as error:
            failures.append(str(error))

    os.kill(process_of(worker), signal.SIGSTOP)  # so that there is no answer
    asking = threading.Thread(target=ask)
    asking.start()
    while asking.is_alive() and not worker._job.locked():
        time.sleep(0.001)
    worker.end()
    asking.join()
    assert failures


def test_a_lower_limit_of_memory_is_kept() -> None:
    program = f"""
from functools import partial
import resource
from hrdf_ros.node.requests import check_or_convert
from hrdf_ros.node.settings import Settings
from hrdf_ros.node.worker import Worker, WorkerError
resource.setrlimit(resource.RLIMIT_AS, (300 << 20, 300 << 20))
worker = Worker()
for text in ('<robot name="r">' + '<link name="a"/>' * 450_000 + '</robot>', {ARM!r}):
    try:
        print(worker.run(300.0, partial(check_or_convert, Settings(), text=text)).ok)
    except WorkerError as error:
        print(error)
worker.end()
"""
    found = subprocess.run([sys.executable, '-c', program], capture_output=True, text=True)
    assert (found.stdout, found.stderr) == ('it takes more than 300 MB of memory\nTrue\n', '')


def test_files_that_are_used_up_for_a_while(worker: Worker) -> None:
    most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (len(os.listdir('/proc/self/fd')), most[1]))
    try:
        with pytest.raises(WorkerError, match='no process can be spawned to read files'):
            check(worker)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, most)
    assert check(worker).ok


def test_a_node_with_a_process_imports_no_reader() -> None:
    program = """
import sys
from functools import partial
from hrdf_ros.node.requests import load_description
from hrdf_ros.node.settings import Settings
from hrdf_ros.node.worker import Worker
worker = Worker()
answer = worker.run(60.0, partial(load_description, Settings(robot_description='<robot/>')))
worker.end()
print([name for name in sys.modules if name.startswith((
    'hrdf_ros.node.jobs', 'hrdf_ros.readers.urdf', 'hrdf_ros.writers'))])"""
    found = subprocess.run([sys.executable, '-c', program], capture_output=True, text=True)
    assert (found.stdout, found.stderr) == ('[]\n', '')
