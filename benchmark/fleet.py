# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Measure many robots in one process beside a process for each.

Arms of six axes report their joints 50 times a second each; one driver reports for all of them
and hears all their transforms. Everything is as it is by default, isolation included: memory is
that of the nodes and of all processes that they start, shared pages divided among them.
"""

from __future__ import annotations

from collections.abc import Sequence
import os
from pathlib import Path
import signal
import struct
import subprocess
import sys
import tempfile
import time
from typing import Any, NamedTuple

from inputs import joint_names
from nodes import package_and_version, write_robot
import rclpy
from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.qos import QoSProfile
from rclpy.serialization import serialize_message
from sensor_msgs.msg import JointState
from tables import goal, number, quantile, ratio, table
from tf2_msgs.msg import TFMessage

_NODE = [sys.executable, '-c', 'import sys; from hrdf_ros.node import main; sys.exit(main())']
_JOINTS = 6
_RATE = 50.0
_STAMP = struct.Struct('<iI')
_PATIENCE = 300.0


class Figures(NamedTuple):
    """What was measured of one arrangement: seconds, processes, bytes, parts of a core."""

    start: float
    processes: int
    memory: int
    cpu: float
    p50: float
    p99: float
    lost: float


class Processes:
    """The nodes of one arrangement and all that they start."""

    def __init__(self, commands: Sequence[Sequence[str]], folder: Path) -> None:
        self._nodes = []
        for index, command in enumerate(commands):
            with (folder / f'{index}.log').open('wb') as log:
                self._nodes.append(subprocess.Popen(
                    command, stdout=log, stderr=subprocess.STDOUT))

    def all(self) -> list[int]:  # noqa: A003
        """Return the nodes and their descendants."""
        found = [node.pid for node in self._nodes]
        for process in found:
            for tasks in Path(f'/proc/{process}/task').glob('*/children'):
                found += map(int, tasks.read_text().split())
        return found

    def cpu(self) -> float:
        """Return the seconds of CPU time that all of them have taken."""
        return sum(
            int(file.read_text().split()[0]) for process in self.all()
            for file in Path(f'/proc/{process}/task').glob('*/schedstat')) / 1e9

    def memory(self) -> int:
        """Return the bytes in use, what is shared divided among those who share it."""
        return sum(_proportional(process) for process in self.all())

    def end(self) -> None:
        """Interrupt all of them and wait."""
        for node in self._nodes:
            node.send_signal(signal.SIGTERM)
        for node in self._nodes:
            try:
                node.wait(20.0)
            except subprocess.TimeoutExpired:
                node.kill()


def _proportional(process: int) -> int:
    for line in Path(f'/proc/{process}/smaps_rollup').read_text().splitlines():
        if line.startswith('Pss:'):
            return int(line.split()[1]) * 1024
    return 0


class Driver:
    """Reports the joints of all robots in turn, and hears all transforms on one topic."""

    def __init__(self, node: Any, name: str, count: int) -> None:
        self._publish = [
            node.create_publisher(
                JointState, f'/{name}{index}/joint_states', QoSProfile(depth=100))
            for index in range(count)]
        self._subscription = node.create_subscription(
            TFMessage, f'/{name}/tf', lambda _: None, QoSProfile(depth=5000), raw=True)
        self._message = bytearray(serialize_message(
            JointState(name=joint_names(_JOINTS), position=[0.25] * _JOINTS)))
        self._wait_set = rclpy_implementation.WaitSet(1, 0, 0, 0, 0, 0, node.context.handle)
        self._stamp = time.time_ns()

    def wait(self) -> None:
        """Wait until every robot answers."""
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            if all(each.get_subscription_count() for each in self._publish):
                answers, sent = self.drive(0.5, 2.0)  # one message for each
                if len(answers) == sent:
                    return
            time.sleep(0.1)
        raise TimeoutError(f'waited {_PATIENCE} s in vain for {len(self._publish)} robots')

    def drive(self, seconds: float, rate: float = _RATE) -> tuple[list[float], int]:
        """Return the seconds that each answer took, and how many were asked for; Hz a robot."""
        due: dict[bytes, int] = {}
        took: list[float] = []
        rate *= len(self._publish)
        count = round(rate * seconds)
        start = time.perf_counter_ns()
        for index in range(count):
            at = start + round(index * 1e9 / rate)
            while (rest := at - time.perf_counter_ns()) > 0:
                self._hear(rest, due, took)
            self._stamp += 1_000_000
            _STAMP.pack_into(self._message, 4, *divmod(self._stamp, 1_000_000_000))
            due[bytes(self._message[4:12])] = time.perf_counter_ns()
            self._publish[index % len(self._publish)].publish(bytes(self._message))
        end = time.perf_counter_ns() + 500_000_000
        while len(took) < count and time.perf_counter_ns() < end:
            self._hear(10_000_000, due, took)
        return took, count

    def _hear(self, nanoseconds: int, due: dict[bytes, int], took: list[float]) -> None:
        handle = self._subscription.handle
        self._wait_set.clear_entities()
        self._wait_set.add_subscription(handle)
        self._wait_set.wait(nanoseconds)
        while (taken := handle.take_message(TFMessage, True)) is not None:
            sent = due.pop(taken[0][8:16], None)
            if sent is not None:
                took.append((time.perf_counter_ns() - sent) / 1e9)


def together(count: int, robot: Path, folder: Path) -> list[list[str]]:
    """Return the command of one process for all robots."""
    file = folder / 'fleet.yaml'
    file.write_text('robots:\n' + ''.join(
        f'- {{namespace: together{index}, model: {robot}, prefix: r{index}/}}\n'
        for index in range(count)))
    return [[*_NODE, '--robots', str(file), '--ros-args', '-p', 'publish_frequency:=0.0',
             *_remaps('together')]]


def apart(count: int, robot: Path) -> list[list[str]]:
    """Return the commands of a process for each robot."""
    return [
        [*_NODE, str(robot), '--ros-args', '-r', f'__ns:=/apart{index}',
         '-p', 'publish_frequency:=0.0', '-p', f'frame_prefix:=r{index}/', *_remaps('apart')]
        for index in range(count)]


def _remaps(name: str) -> list[str]:
    return ['-r', f'/tf:=/{name}/tf', '-r', f'/tf_static:=/{name}/tf_static']


def measure(
    name: str, count: int, commands: Sequence[Sequence[str]], folder: Path, seconds: float,
) -> Figures:
    """Start one arrangement, drive it, and end it."""
    node = rclpy.create_node(f'driver_{name}')  # before the others, who look for the first only
    driver = Driver(node, name, count)
    begin = time.perf_counter()
    processes = Processes(commands, folder)
    try:
        driver.wait()
        start = time.perf_counter() - begin
        driver.drive(1.0)
        before = processes.cpu()
        took, sent = driver.drive(seconds)
        cpu = (processes.cpu() - before) / seconds
        return Figures(
            start, len(processes.all()), processes.memory(), cpu, quantile(took, 0.5),
            quantile(took, 0.99), 1.0 - len(took) / sent)
    finally:
        processes.end()
        node.destroy_node()


def main(quick: bool) -> str:
    """Measure both arrangements and return the page."""
    count = 3 if quick else 50
    rclpy.init()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        robot = write_robot(_JOINTS, folder)
        found = {}
        for title, commands in (('together', together(count, robot, folder)),
                                ('apart', apart(count, robot))):
            logs = folder / title
            logs.mkdir()
            found[title] = measure(title, count, commands, logs, 1.0 if quick else 20.0)
    rclpy.shutdown()
    titles = {'together': 'one process', 'apart': 'a process each'}
    one, many = found['together'], found['apart']
    return '\n'.join((
        f'## A fleet: {count} arms of {_JOINTS} axes at {_RATE:.0f} Hz\n',
        table(('robots', 'nodes', 'processes', 'memory (MB)', 'start (s)', 'CPU (cores)',
               'p50 (us)', 'p99 (us)', 'lost (%)'),
              [(count, titles[title], of.processes, number(of.memory / 1e6), of.start, of.cpu,
                of.p50 * 1e6, of.p99 * 1e6, 100.0 * of.lost) for title, of in found.items()]),
        'Memory is that of the nodes and of the processes that read files for them; '
        f'{os.cpu_count()} cores for nodes and driver. '
        f'{package_and_version("rclpy")}.\n',
        goal('memory of one process to that of a process each',
             ratio(one.memory, many.memory), 0.1),
        goal('CPU of one process to that of a process each', ratio(one.cpu, many.cpu), 1.0)))


if __name__ == '__main__':
    print(main('--quick' in sys.argv))
