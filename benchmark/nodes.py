# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Nodes in processes of their own, what they cost, and a driver that feeds and hears them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
import os
from pathlib import Path
import shutil
import signal
import struct
import subprocess
import sys
import time
from typing import Any, NamedTuple, Optional
from xml.etree import ElementTree

from inputs import joint_names, urdf_chain
import rclpy
from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.qos import QoSProfile
from rclpy.serialization import serialize_message
from sensor_msgs.msg import JointState
from tf2_msgs.msg import TFMessage

HERE = Path(__file__).resolve().parent
_NODE = 'import sys; from hrdf_ros.node import main; sys.exit(main())'
_STAMP = struct.Struct('<iI')
_DISCOVERY = 200.0
"""Seconds in which a node has to be found, to load its robot and to answer."""
_PATIENCE = 2.0
"""Seconds that an answer may take on a busy machine before the next attempt."""


class RunningNode:
    """A node that hears ``joint_states`` and publishes ``/tf`` below a namespace of its own."""

    def __init__(self, name: str, command: Sequence[str], folder: Path) -> None:
        self.name = name
        remaps = [word for topic in ('joint_states', 'robot_description', 'tf', 'tf_static')
                  for word in ('-r', f'/{topic}:=/{name}/{topic}')]
        self._log = folder / f'{name}.log'
        with self._log.open('wb') as log:
            self._process = subprocess.Popen(
                [*command, *remaps], stdout=log, stderr=subprocess.STDOUT)

    @property
    def cpu(self) -> float:
        """The seconds of CPU time that all threads have taken."""
        return cpu_seconds(self._process.pid)

    @property
    def memory(self) -> int:
        """The bytes that are resident."""
        pages = Path(f'/proc/{self._process.pid}/statm').read_text().split()[1]
        return int(pages) * os.sysconf('SC_PAGE_SIZE')

    @property
    def proportional_memory(self) -> int:
        """The bytes that are resident, shared ones divided among the processes that share them."""
        return summed_memory(self._process.pid)

    @property
    def log(self) -> str:
        """What it has printed."""
        return self._log.read_text(errors='replace')

    def end(self) -> float:
        """Interrupt it and wait; return the seconds that it took."""
        start = time.perf_counter()
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(10.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
        return time.perf_counter() - start


def cpu_seconds(process: int) -> float:
    """Return the CPU time of the threads of a process that run."""
    nanoseconds = 0
    for file in Path(f'/proc/{process}/task').glob('*/schedstat'):
        with suppress(OSError):  # the thread has ended
            nanoseconds += int(file.read_text().split()[0])
    return nanoseconds / 1e9


def family(processes: Sequence[int]) -> list[int]:
    """Return processes and their descendants."""
    found = list(processes)
    for process in found:
        for children in Path(f'/proc/{process}/task').glob('*/children'):
            with suppress(OSError):
                found += map(int, children.read_text().split())
    return found


def summed_memory(process: int, field: str = 'Pss:') -> int:
    """Return a field of the summed memory maps of a process, in bytes; 0 where it has ended."""
    with suppress(OSError):
        for line in Path(f'/proc/{process}/smaps_rollup').read_text().splitlines():
            if line.startswith(field):
                return int(line.split()[1]) * 1024
    return 0


def write_robot(joints: int, folder: Path) -> Path:
    """Write the URDF of a chain and return its file."""
    file = folder / f'chain_{joints}.urdf'
    file.write_text(urdf_chain(joints))
    return file


def hrdf_node(robot: Path, folder: Path, name: str = 'hrdf_ros', **more: Any) -> RunningNode:
    """Start our node on a robot; every message is answered."""
    parameters = {'publish_frequency': 0.0, 'model': robot, **more}
    words = [word for key, value in parameters.items() for word in ('-p', f'{key}:={value}')]
    return RunningNode(name, [sys.executable, '-c', _NODE, '--ros-args', *words], folder)


def yardstick(joints: int, folder: Path) -> RunningNode:
    """Start the bare rclpy node."""
    script = str(HERE / 'yardstick.py')
    return RunningNode(
        'yardstick', [sys.executable, script, str(joints), '--ros-args'], folder)


def robot_state_publisher(robot: Path, folder: Path) -> Optional[RunningNode]:
    """Start the C++ robot_state_publisher, if there is one on the path."""
    program = find_robot_state_publisher()
    if program is None:
        return None
    parameters = folder / 'robot_state_publisher.yaml'
    text = robot.read_text().replace('\n', ' ').replace("'", '"')
    parameters.write_text(
        '/**:\n  ros__parameters:\n    ignore_timestamp: true\n    publish_frequency: 1000.0\n'
        f"    robot_description: '{text}'\n")
    return RunningNode('robot_state_publisher', [
        program, '--ros-args', '--params-file', str(parameters)], folder)


def find_robot_state_publisher() -> Optional[str]:
    """Return the program, looked for in the ament prefixes and on PATH."""
    folders = [str(prefix / 'lib' / 'robot_state_publisher') for prefix in _prefixes()]
    return shutil.which(
        'robot_state_publisher', path=os.pathsep.join([*folders, os.environ.get('PATH', '')]))


def package_and_version(package: str) -> str:
    """Return the name of a ROS package and its version, nothing where there is none."""
    files = [prefix / 'share' / package / 'package.xml' for prefix in _prefixes()]
    for file in filter(Path.is_file, files):
        return f'{package} {ElementTree.parse(file).findtext("version")}'
    return ''


def _prefixes() -> list[Path]:
    """Return the ament prefixes, the overlays first."""
    return [
        Path(prefix) for prefix in os.environ.get('AMENT_PREFIX_PATH', '').split(os.pathsep)
        if prefix]


class Answers(NamedTuple):
    """What came back: the seconds that each answer took, and how many were asked and answered."""

    seconds: list[float]
    sent: int
    took: float
    """Seconds from the first to the last message that was sent."""
    gap: float
    """The longest time between two answers, in seconds."""

    @property
    def lost(self) -> float:
        """The part that was not answered."""
        return 1.0 - len(self.seconds) / self.sent


class Line:
    """Publishes joint states to robots in turn and hears their transforms, all serialized."""

    def __init__(
        self, node: Any, name: str, joints: int, robots: Iterable[object] = ('',),
    ) -> None:
        self._publishers = [
            node.create_publisher(
                JointState, f'/{name}{robot}/joint_states', QoSProfile(depth=100))
            for robot in robots]
        self._subscription = node.create_subscription(
            TFMessage, f'/{name}/tf', lambda _: None, QoSProfile(depth=5000), raw=True)
        names = joint_names(joints)
        self._message = bytearray(serialize_message(
            JointState(name=names, position=[0.25] * joints)))
        self._context = node.context
        self._wait_set = rclpy_implementation.WaitSet(1, 0, 0, 0, 0, 0, self._context.handle)
        self._stamp = time.time_ns()
        self._heard: list[int] = []

    @property
    def is_complete(self) -> bool:
        """Return whether the node was found in both directions."""
        return self.found == len(self._publishers) and (
            self._subscription.get_publisher_count() > 0)

    @property
    def found(self) -> int:
        """The robots whose nodes have subscribed to their joint states."""
        return sum(each.get_subscription_count() > 0 for each in self._publishers)

    def drive(self, rate: float, seconds: float, patience: float = 0.2) -> Answers:
        """Send joint states at a rate; wait at the end for what is under way."""
        due: dict[bytes, int] = {}
        took: list[float] = []
        self._heard = []
        start = time.perf_counter_ns()
        count = max(1, round(rate * seconds))
        for index in range(count):
            at = start + round(index * 1e9 / rate)
            while True:
                rest = at - time.perf_counter_ns()
                if rest <= 0:
                    break
                self._hear(rest, due, took)
            self._send(due, index % len(self._publishers))
        duration = (time.perf_counter_ns() - start) / 1e9
        end = time.perf_counter_ns() + round(patience * 1e9)
        while len(took) < count and time.perf_counter_ns() < end:
            self._hear(10_000_000, due, took)
        gaps = [after - before for before, after in zip(self._heard, self._heard[1:])]
        return Answers(took, count, duration, max(gaps, default=0) / 1e9)

    def _send(self, due: dict[bytes, int], robot: int) -> bytes:
        """Report the joints of a robot; return the stamp, which its answer will have."""
        self._stamp += 1_000_000
        _STAMP.pack_into(self._message, 4, *divmod(self._stamp, 1_000_000_000))
        stamp = bytes(self._message[4:12])
        due[stamp] = time.perf_counter_ns()
        self._publishers[robot].publish(bytes(self._message))
        return stamp

    def _hear(self, nanoseconds: int, due: dict[bytes, int], took: list[float]) -> None:
        """Wait at most so long for answers and note when each was asked for."""
        handle = self._subscription.handle
        self._wait_set.clear_entities()
        self._wait_set.add_subscription(handle)
        self._wait_set.wait(nanoseconds)
        while True:
            taken = handle.take_message(TFMessage, True)
            if taken is None:
                return
            sent = due.pop(taken[0][8:16], None)
            if sent is not None:
                self._heard.append(time.perf_counter_ns())
                took.append((self._heard[-1] - sent) / 1e9)


class Driver:
    """A node in this process with a line to each other node."""

    def __init__(self) -> None:
        rclpy.init()
        self.node = rclpy.create_node('driver')

    def connect(self, name: str, joints: int) -> Line:
        """Return a line once the node at its other end was found and answers."""
        line = Line(self.node, name, joints)
        for _ in _attempts(f'the node {name}'):
            if line.is_complete and line.drive(100.0, 0.05, _PATIENCE).seconds:
                return line
        raise AssertionError

    def discover(self, name: str) -> None:
        """Wait until a node is known here."""
        for _ in _attempts(f'the node {name}'):
            if name in self.node.get_node_names():
                return

    def is_answered(self, kind: Any, name: str, patience: float) -> bool:
        """Return whether a service answers an empty request within so many seconds."""
        client = self.node.create_client(kind, name)
        try:
            if not client.wait_for_service(patience):
                return False
            answer = client.call_async(kind.Request())
            rclpy.spin_until_future_complete(self.node, answer, timeout_sec=patience)
            return bool(answer.done())
        finally:
            self.node.destroy_client(client)

    def end(self) -> None:
        """Leave ROS."""
        self.node.destroy_node()
        rclpy.shutdown()


def _attempts(what: str) -> Iterator[None]:
    """Yield every now and then until it is too late; then raise TimeoutError."""
    end = time.monotonic() + _DISCOVERY
    while time.monotonic() < end:
        yield
        time.sleep(0.05)
    raise TimeoutError(f'waited {_DISCOVERY} s in vain for {what}')
