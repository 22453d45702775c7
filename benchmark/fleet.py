# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Measure many robots in one process beside a process for each.

Arms of six axes report their joints 50 times a second each; one driver reports for all of them
and hears all their transforms. Everything is as it is by default, isolation included: memory and
CPU time are those of the nodes and of all processes that they start, shared pages divided among
those who share them. Nodes are started as fast as the cores start them, not all at once.
"""

from __future__ import annotations

from collections.abc import Sequence
import math
import os
from pathlib import Path
import signal
import subprocess
import sys
import tempfile
import time
from typing import Any, NamedTuple

from nodes import cpu_seconds, family, Line, package_and_version, summed_memory, write_robot
import rclpy
from tables import number, quantile, table

_NODE = [sys.executable, '-c', 'import sys; from hrdf_ros.node import main; sys.exit(main())']
_JOINTS = 6
_RATE = 50.0
_PATIENCE = 600.0
"""Seconds until all robots answer."""
_SETTLED = 0.02
"""Cores by which the CPU time of two pauses may differ: discovery is over."""
_PAUSE = 3.0
_SETTLING = 300.0
"""Seconds that settling takes at most."""
_GRACE = 60.0
"""Seconds that all nodes have for coming to an end."""


class Figures(NamedTuple):
    """What was measured of one arrangement: seconds, processes, bytes, parts of a core."""

    start: float
    processes: int
    memory_of_nodes: int
    memory: int
    cpu: float
    p50: float
    p99: float
    lost: float


class Processes:
    """The nodes of one arrangement and all that they start."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.nodes: list[subprocess.Popen[bytes]] = []

    def start(self, command: Sequence[str]) -> None:
        """Start one more node."""
        with self._log(len(self.nodes)).open('wb') as log:
            self.nodes.append(subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT))

    def require_all(self) -> None:
        """Raise RuntimeError with the log of a node that has ended."""
        for index, node in enumerate(self.nodes):
            if node.poll() is not None:
                raise RuntimeError(
                    f'node {index} ended with {node.poll()}:\n{self._log(index).read_text()}')

    def all(self) -> list[int]:  # noqa: A003
        """Return the nodes and their descendants."""
        return family([node.pid for node in self.nodes])

    def cpu(self) -> float:
        """Return the seconds of CPU time that all of them have taken."""
        return sum(map(cpu_seconds, self.all()))

    def memory(self) -> int:
        """Return the bytes in use, what is shared divided among those who share it."""
        return sum(map(summed_memory, self.all()))

    def memory_of_nodes(self) -> int:
        """Return the bytes in use by the nodes alone, without the processes that they start."""
        return sum(summed_memory(node.pid) for node in self.nodes)

    def end(self) -> None:
        """Interrupt all of them and wait."""
        for node in self.nodes:
            node.send_signal(signal.SIGTERM)
        end = time.monotonic() + _GRACE
        for node in self.nodes:
            try:
                node.wait(max(0.0, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                node.kill()

    def _log(self, index: int) -> Path:
        return self._folder / f'{index}.log'


class Fleet(Line):
    """Reports the joints of all robots in turn, and hears all transforms on one topic."""

    def __init__(self, node: Any, name: str, count: int) -> None:
        super().__init__(node, name, _JOINTS, range(count))
        self.silent = set(range(count))
        """The robots that have not answered yet."""

    def answers_all(self) -> bool:
        """Return whether every robot has answered; ask those that have not."""
        due: dict[bytes, int] = {}
        robots = {self._send(due, index): index for index in self.silent}
        end = time.perf_counter_ns() + 500_000_000
        while due and time.perf_counter_ns() < end:
            self._hear(10_000_000, due, [])
        self.silent -= {index for stamp, index in robots.items() if stamp not in due}
        return not self.silent


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


def start(commands: Sequence[Sequence[str]], processes: Processes, driver: Fleet) -> None:
    """Start the nodes, as many at a time as there are cores, and wait until all robots answer."""
    end = time.monotonic() + _PATIENCE
    waiting = list(commands)
    while waiting or not driver.answers_all():
        if time.monotonic() > end:
            raise TimeoutError(
                f'{driver.found} robots are served, {len(driver.silent)} do not answer after '
                f'{_PATIENCE} s')
        processes.require_all()
        if waiting and len(processes.nodes) < driver.found + (os.cpu_count() or 1):
            processes.start(waiting.pop(0))
        else:
            time.sleep(0.02)


def settle(processes: Processes) -> None:
    """Wait until what the start has left to do is done: the CPU time of a pause stays the same."""
    end = time.monotonic() + _SETTLING
    before, used = processes.cpu(), math.inf
    while time.monotonic() < end:
        time.sleep(_PAUSE)
        now = processes.cpu()
        if used - (now - before) < _SETTLED * _PAUSE:
            return
        before, used = now, now - before


def measure(
    name: str, count: int, commands: Sequence[Sequence[str]], folder: Path, quick: bool,
) -> Figures:
    """Start one arrangement, drive it, and end it."""
    node = rclpy.create_node(f'driver_{name}')  # before the others, who look for the first only
    driver = Fleet(node, name, count)
    processes = Processes(folder)
    begin = time.perf_counter()
    try:
        start(commands, processes, driver)
        started = time.perf_counter() - begin
        if not quick:
            settle(processes)
        seconds = 1.0 if quick else 20.0
        driver.drive(_RATE * count, 1.0)
        before = processes.cpu()
        took, sent, *_ = driver.drive(_RATE * count, seconds, 0.5)
        cpu = (processes.cpu() - before) / seconds
        processes.require_all()
        return Figures(
            start=started, processes=len(processes.all()),
            memory_of_nodes=processes.memory_of_nodes(), memory=processes.memory(), cpu=cpu,
            p50=quantile(took, 0.5), p99=quantile(took, 0.99), lost=1.0 - len(took) / sent)
    finally:
        node.destroy_node()  # before a process that has to be killed leaves its locks behind
        processes.end()


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
            found[title] = measure(title, count, commands, logs, quick)
    rclpy.shutdown()
    titles = {'together': 'one process', 'apart': 'a process each'}
    return '\n'.join((
        f'## A fleet: {count} arms of {_JOINTS} axes at {_RATE:.0f} Hz\n',
        table(('robots', 'nodes', 'processes', 'memory (MB)', 'of it nodes', 'start (s)',
               'CPU (cores)', 'p50 (us)', 'p99 (us)', 'lost (%)'),
              [(count, titles[title], of.processes, number(of.memory / 1e6),
                number(of.memory_of_nodes / 1e6), of.start, of.cpu, of.p50 * 1e6, of.p99 * 1e6,
                100.0 * of.lost) for title, of in found.items()]),
        'Processes, memory and CPU time are those of the nodes and of all that they start to '
        f'read files; {os.cpu_count()} cores for nodes and driver. '
        f'{package_and_version("rclpy")}.\n'))


if __name__ == '__main__':
    print(main('--quick' in sys.argv))
