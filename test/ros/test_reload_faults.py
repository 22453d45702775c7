# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Reloads of a node of which one operation of the system fails: it stays on its last model."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
import subprocess
import sys
from typing import Any

from helpers.system_faults import counted, ERRORS, failing_at
from hrdf_ros.diagnostics import Report
from hrdf_ros.node import worker as workers
from hrdf_ros.node.answers import LoadAnswer
from hrdf_ros.node.description import DescriptionLoader
from hrdf_ros.node.settings import Settings
from hrdf_ros.node.worker import Worker
import pytest
import rclpy
from std_srvs.srv import Trigger

FILES = {
    'arm.hrdf': '<robot version="1.4.0"><include path="part.hrdf"/></robot>',
    'part.hrdf': '<robot version="1.4.0"><actuator type="X5-4" tag="base"/></robot>',
    'extra.xml': '<robot><gazebo/></robot>'}
FAILING_WORKER = """
import itertools, sys
sys.path[:] = {path!r}
from helpers.system_faults import counted, ERRORS, failing_at
from hrdf_ros.node import jobs
load, numbers = jobs.load_description, itertools.count()
def failing(settings):  # the first job fails nowhere, the next ones one operation later each
    operations, was_reached = failing_at(next(numbers), ERRORS[{error!r}])
    with counted(operations):
        answer = load(settings)
    with open({reached!r}, 'a') as stream:
        print(was_reached(), file=stream)
    return answer
jobs.load_description = failing
"""


class Publisher:
    """Remembers the robot that is published, and what is logged."""

    def __init__(self) -> None:
        self.urdf = ''
        self.logged = Report()

    def publish(self, answer: LoadAnswer, _: Settings) -> None:
        self.urdf = answer.urdf

    def log(self, report: Report) -> None:
        self.logged = report


@pytest.fixture
def published() -> Publisher:
    """Return a publisher."""
    return Publisher()


@pytest.fixture
def loader(tmp_path: Path, domain: int, published: Publisher) -> Iterator[DescriptionLoader]:
    """Return a loader of a robot of two files, and a file that is added to it."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    settings = Settings(
        model=str(tmp_path / 'arm.hrdf'), urdf_extra=str(tmp_path / 'extra.xml'))
    context, worker = rclpy.Context(), Worker()
    rclpy.init(context=context, domain_id=domain)
    node = rclpy.create_node('loads', context=context)
    node.declare_parameter('robot_description', '')
    made: Any = published
    yield DescriptionLoader(node, settings, worker, made)
    worker.end()
    node.destroy_node()
    rclpy.shutdown(context=context)


def check_reload(loader: DescriptionLoader, published: Publisher, urdf: str) -> bool:
    """Reload, check what is published and said, and return whether that succeeded."""
    try:
        answer = loader._on_reload(Trigger.Request(), Trigger.Response())
    except MemoryError:  # after the job: the callback of the service answers for it
        assert published.urdf == urdf
        return False
    assert published.urdf == urdf
    assert answer.message and 'unexpectedly' not in answer.message
    assert answer.success or loader.failed is not None
    return bool(answer.success)


@pytest.mark.parametrize('error', ERRORS)
def test_faults_in_the_node(
    loader: DescriptionLoader, published: Publisher, error: str,
) -> None:
    loader._worker.stay_in_node()
    loader.load()
    urdf, failures = published.urdf, 0
    for number in count(1):
        operations, was_reached = failing_at(number, ERRORS[error])
        with counted(operations):
            is_good = check_reload(loader, published, urdf)
        if not was_reached():
            break
        failures += not is_good
    assert is_good and failures >= 3 * len(FILES)


@pytest.mark.parametrize('error', ['ENOSPC', 'EIO', 'EINTR', 'ENOENT'])
def test_faults_in_the_worker(
    loader: DescriptionLoader, published: Publisher, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, error: str,
) -> None:
    reached = tmp_path / 'reached'
    start = subprocess.Popen

    def start_failing(words: list[str], **options: Any) -> Any:
        code = FAILING_WORKER.format(path=sys.path, error=error, reached=str(reached))
        return start([*words[:2], code + words[2]], **options)

    monkeypatch.setattr(workers.subprocess, 'Popen', start_failing)
    loader.load()
    urdf, failures = published.urdf, 0
    while not (is_good := check_reload(loader, published, urdf)) or (
            reached.read_text().split()[-1] == 'True'):
        failures += not is_good
    assert failures >= 3 * len(FILES)
