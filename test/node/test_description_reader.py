# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Descriptions of strangers in the viewer: none of them stops it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
import os
from pathlib import Path
from queue import Queue
import signal
import time

from hrdf_ros.load_result import LoadResult
from hrdf_ros.node.description_reader import DescriptionReader
import pytest

GOOD = '<robot name="good"><link name="a"/></robot>'
TIMEOUT = 60.0

Read = Callable[[str], LoadResult]


@pytest.fixture
def reader() -> Iterator[DescriptionReader]:
    found = DescriptionReader()
    yield found
    found.end()


@pytest.fixture
def read(reader: DescriptionReader) -> Read:
    """Return a function that has a text read and waits for what it comes to."""
    results: Queue[LoadResult] = Queue()

    def wait(text: str) -> LoadResult:
        reader.read('', text, results.put)
        return results.get(timeout=TIMEOUT)

    return wait


def process_of(reader: DescriptionReader) -> int:
    return int(reader._worker._child.process.pid)  # type: ignore[attr-defined]


def test_a_description_is_loaded(read: Read) -> None:
    result = read(GOOD)
    assert result.model is not None and result.model.name == 'good'
    assert read('<robot').model is None


@pytest.mark.parametrize('text, code', [
    ('x', 'request-refused'),
    (f'<robot name="r">{"x" * 70_000_000}</robot>', 'file-too-large'),
    (f'<robot name="r">{"<a/>" * 1_100_000}</robot>', 'too-many-elements'),
    ('<robot>' * 100_000, 'xml-too-deep')], ids=('no XML', 'large', 'elements', 'depth'))
def test_what_is_not_read_is_reported(read: Read, text: str, code: str) -> None:
    result = read(text)
    assert result.model is None
    assert result.report.first_error is not None and result.report.first_error.code == code
    assert read(GOOD).ok


def test_no_program_is_run(read: Read, tmp_path: Path) -> None:
    trace = tmp_path / 'trace'
    result = read(
        '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="a"/>'
        f'<xacro:property name="x" value="${{open(\'{trace}\', \'w\')}}"/>'
        '<link name="${x}"/></robot>')
    assert not trace.exists()
    assert result.report.diagnostics


def test_a_text_that_kills_its_reader_is_answered_for(
        reader: DescriptionReader, read: Read) -> None:
    assert read(GOOD).ok
    results: Queue[LoadResult] = Queue()
    reader.read('', f'<robot name="r">{"<a/>" * 900_000}</robot>', results.put)
    time.sleep(0.3)
    os.kill(process_of(reader), signal.SIGKILL)
    error = results.get(timeout=TIMEOUT).report.first_error
    assert error is not None and 'ended unexpectedly (signal 9)' in error.message
    assert read(GOOD).ok


def test_only_the_latest_text_of_a_robot_waits(reader: DescriptionReader) -> None:
    results: Queue[LoadResult] = Queue()
    reader.read('', f'<robot name="r">{"<a/>" * 900_000}</robot>', results.put)
    while reader._waiting:
        time.sleep(0.01)
    for index in range(100):
        reader.read('', f'<robot name="r{index}"><link name="a"/></robot>', results.put)
    reader.read('other', GOOD, results.put)
    names = [result.model.name for _ in range(3)
             if (result := results.get(timeout=TIMEOUT)).model is not None]
    assert names[-2:] == ['r99', 'good']
    assert results.empty() and not reader._waiting
