# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Live nodes: each test, or each file of tests that share a node, has a ROS domain of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
import fcntl
from pathlib import Path
from tempfile import gettempdir
from typing import Any, NamedTuple

from helpers.live_node import ARM, Client, RunningNode, START
from helpers.running_systems import System
import pytest

Start = Callable[..., RunningNode]


class Shared(NamedTuple):
    """A node on the arm that the tests of a file share, and its client."""

    node: RunningNode
    client: Client
    file: Path


@contextmanager
def free_domain() -> Iterator[int]:
    """Reserve a ROS domain that no other test on this machine uses."""
    for number in range(1, 100):
        try:
            lock = open(Path(gettempdir(), f'hrdf_ros_domain_{number}.lock'), 'w')
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            continue
        with lock:
            yield number
        return
    raise RuntimeError('all ROS domains are taken')


@contextmanager
def nodes(domain: int, directory: Path) -> Iterator[Start]:
    """Give a function that starts the node; what still runs at the end has to end well."""
    running: list[RunningNode] = []

    def start_node(*arguments: str, program: str = START, **parameters: Any) -> RunningNode:
        ros = [word for name, value in parameters.items() for word in ('-p', f'{name}:={value}')]
        words = [*arguments, '--ros-args', *ros]
        log = directory / f'node_{len(running)}.log'
        running.append(RunningNode(domain, words, log, program))
        return running[-1]

    try:
        yield start_node
    except BaseException:  # a set-up that fails leaves no node behind, which the next test hears
        for node in running:
            node.end()
        raise
    for node in running:
        if node.process.poll() is None:
            status = node.end()
            assert status == 0, f'the node ended with {status}:\n{node.log}'


@pytest.fixture(scope='session', autouse=True)
def quick_and_local_discovery() -> Iterator[None]:
    """Let DDS find participants on this machine alone, and at once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')
        for variable in ('FASTRTPS_DEFAULT_PROFILES_FILE', 'FASTDDS_DEFAULT_PROFILES_FILE'):
            patch.setenv(variable, str(Path(__file__).with_name('quick_discovery.xml')))
        yield


@pytest.fixture
def without_shared_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let DDS use sockets: a killed process leaves its locks in shared memory behind."""
    monkeypatch.setenv('FASTDDS_BUILTIN_TRANSPORTS', 'UDPv4')


@pytest.fixture
def domain() -> Iterator[int]:
    """Return the ROS domain of a test."""
    with free_domain() as number:
        yield number


@pytest.fixture
def client(domain: int) -> Iterator[Client]:
    """Return a client in the test's domain."""
    client = Client(domain)
    yield client
    client.end()


@pytest.fixture
def system(domain: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[System]:
    """Return a running system in the domain of a test."""
    monkeypatch.setenv('ROS_DOMAIN_ID', str(domain))
    system = System(domain)
    yield system
    system.end()


@pytest.fixture
def start(domain: int, tmp_path: Path) -> Iterator[Start]:
    """Return a function that starts the node."""
    with nodes(domain, tmp_path) as start_node:
        yield start_node


@pytest.fixture
def run(start: Start, client: Client) -> Start:
    """Return a function that starts the node and waits until it hears joint states."""
    def run_node(*arguments: str, **parameters: Any) -> RunningNode:
        node = start(*arguments, **parameters)
        client.wait_for_node()
        return node
    return run_node


@pytest.fixture(scope='module')
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    """Return a node that every test of a file uses, and has to leave in good order."""
    directory = tmp_path_factory.mktemp('shared')
    file = directory / 'arm.hrdf'
    file.write_text(ARM)
    with free_domain() as domain, nodes(domain, directory) as start_node:
        client = Client(domain)
        node = start_node(str(file), publish_frequency=0.0, history_duration=1.0)
        client.wait_for_node()
        client.move_until_heard({'base': 0.0, 'elbow': 0.0})
        yield Shared(node, client, file)
        client.end()


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    """Return the file of an arm with two joints."""
    file = tmp_path / 'arm.hrdf'
    file.write_text(ARM)
    return file
