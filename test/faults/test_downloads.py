# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Faults of the system and signals while ``hrdf fetch`` writes what it has downloaded."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
import signal

from helpers.file_server import Answer, Server, serving, zipped
from helpers.folders import content_of, fill
from helpers.system_faults import counted, ended_by_signal, ERRORS, failing_at
from hrdf_ros.cli import main
import pytest

Capture = pytest.CaptureFixture[str]
ADDRESSES = {'file': '/a/b.stl', 'model': '/1.0/o/models/M'}


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """Return a server of a mesh and a model of Fuel; the caches are below an empty home."""
    for name in ('GZ_FUEL_CACHE_PATH', 'IGN_FUEL_CACHE_PATH', 'XDG_CACHE_HOME', 'http_proxy'):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv('HOME', str(tmp_path))
    monkeypatch.chdir(tmp_path)
    with serving() as found:
        found.answers['/a/b.stl'] = Answer(b'solid s\nendsolid s\n')
        found.answers['/1.0/o/models/M/tip/M.zip'] = Answer(zipped({
            'model.config': b'<model><name>m</name><sdf version="1.9">model.sdf</sdf></model>',
            'model.sdf': b'<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>'}))
        yield found


@pytest.mark.parametrize('error', ERRORS)
@pytest.mark.parametrize('kind', ADDRESSES)
def test_a_download_is_complete_or_not_there(
    server: Server, tmp_path: Path, capsys: Capture, kind: str, error: str,
) -> None:
    words = ['fetch', '--loopback', server.address + ADDRESSES[kind]]
    assert main(words) == 0
    complete = content_of(tmp_path)
    for number in count(1):
        fill(tmp_path, {})
        capsys.readouterr()
        operations, was_reached = failing_at(number, ERRORS[error])
        with counted(operations):
            status = main(words)
        if not was_reached():
            break
        text, found = capsys.readouterr().err, content_of(tmp_path)
        assert found == complete or status and found == {}, (number, text)
        assert status == 0 or 'hrdf: error: ' in text or ': error[' in text, number
        assert 'internal error' not in text
    assert number > len(complete)


@pytest.mark.parametrize('by', [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize('kind', ADDRESSES)
def test_a_signal_leaves_no_part_of_a_download(
    server: Server, tmp_path: Path, kind: str, by: signal.Signals,
) -> None:
    words = ['fetch', '--loopback', server.address + ADDRESSES[kind]]
    assert main(words) == 0
    complete = content_of(tmp_path)
    for number in count(1):
        fill(tmp_path, {})
        if ended_by_signal(lambda: main(words), number, by, is_after=True) is None:
            break
        assert content_of(tmp_path) in ({}, complete), number
    assert number > len(complete)
