# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Live nodes: each test has a ROS domain and processes of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
import itertools
import os
from pathlib import Path
from typing import Any

from live_node import ARM, Client, RunningNode
import pytest

_domains = itertools.count(os.getpid() % 100)


@pytest.fixture
def domain(monkeypatch: pytest.MonkeyPatch) -> int:
    """Return a ROS domain that no other test uses at the same time."""
    monkeypatch.setenv('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')
    return next(_domains) % 100 + 1


@pytest.fixture
def client(domain: int) -> Iterator[Client]:
    """Return a client in the test's domain."""
    client = Client(domain)
    yield client
    client.end()


@pytest.fixture
def start(domain: int, tmp_path: Path) -> Iterator[Callable[..., RunningNode]]:
    """Return a function that starts the node; what still runs is ended after the test."""
    running: list[RunningNode] = []

    def start_node(*arguments: str, **parameters: Any) -> RunningNode:
        ros = [word for name, value in parameters.items() for word in ('-p', f'{name}:={value}')]
        words = [*arguments, '--ros-args', *ros]
        running.append(RunningNode(domain, words, tmp_path / f'node_{len(running)}.log'))
        return running[-1]

    yield start_node
    for node in running:
        if node.process.poll() is None:
            status = node.end()
            assert status == 0, f'the node ended with {status}:\n{node.log}'


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    """Return the file of an arm with two joints."""
    file = tmp_path / 'arm.hrdf'
    file.write_text(ARM)
    return file
