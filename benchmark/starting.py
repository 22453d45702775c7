# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Measure how soon a robot is there: from the start of a process to its robot_description.

    python benchmark/starting.py [--quick]
    python benchmark/starting.py --bare FILE --ros-args ...     what it runs beside itself

Beside our node a bare rclpy node that reads the file and publishes it, which is the least that
Python can do, and, where there is one, the C++ robot_state_publisher. They start by turns;
another node hears them, so that discovery is a part of what is measured.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
import compileall
import os
from pathlib import Path
import statistics
import sys
import tempfile
import time
from typing import Any, NamedTuple, Optional

from nodes import hrdf_node, robot_state_publisher, RunningNode, write_robot
from peers import ROOT
import rclpy
from rclpy.executors import ExternalShutdownException
from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.qos import DurabilityPolicy, QoSProfile
from std_msgs.msg import String
from tables import table

_LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
_BARE, _OURS = 'bare rclpy node', 'hrdf_ros'
_JOINTS = (6, 300)
_PROFILES = 'FASTRTPS_DEFAULT_PROFILES_FILE'
"""Where Fast DDS looks for its settings; nodes start without."""
_PATIENCE = 30.0
_SETTLING = 0.3
"""Seconds between the start of who listens and that of the node."""

Start = Callable[[], Optional[RunningNode]]


class Sample(NamedTuple):
    """One start: seconds until the description was heard, and the CPU time until then."""

    seconds: float
    cpu: float


def measure_one(name: str, start: Start) -> Optional[Sample]:
    """
    Start a node, wait for its description, and end it; None where there is no such one.

    Who listens is new each time, and announces itself all the time: by default, one that missed
    the first announcements waits for the next ones for three seconds.
    """
    os.environ[_PROFILES] = str(ROOT / 'test' / 'ros' / 'quick_discovery.xml')
    rclpy.init()
    listener = rclpy.create_node('listener')
    del os.environ[_PROFILES]
    subscription = listener.create_subscription(
        String, f'/{name}/robot_description', lambda _: None, _LATCHED, raw=True)
    time.sleep(_SETTLING)
    began = time.perf_counter()
    running = start()
    try:
        if running is None:
            return None
        _wait_for_one(subscription, listener.context)
        return Sample(time.perf_counter() - began, running.cpu)
    finally:
        if running is not None:
            running.end()
        listener.destroy_node()
        rclpy.shutdown()


def _wait_for_one(subscription: Any, context: Any) -> None:
    wait_set = rclpy_implementation.WaitSet(1, 0, 0, 0, 0, 0, context.handle)
    wait_set.clear_entities()
    wait_set.add_subscription(subscription.handle)
    wait_set.wait(round(_PATIENCE * 1e9))
    if subscription.handle.take_message(String, True) is None:
        raise TimeoutError(f'no {subscription.topic_name} within {_PATIENCE:.0f} s')


def bare_node(robot: Path, folder: Path) -> RunningNode:
    """Start the bare node."""
    return RunningNode(
        'bare', [sys.executable, __file__, '--bare', str(robot), '--ros-args'], folder)


def run_bare(file: str) -> None:
    """Publish what is in a file until interrupted."""
    rclpy.init(args=sys.argv)
    node = rclpy.create_node('bare')
    publisher = node.create_publisher(String, 'robot_description', _LATCHED)
    publisher.publish(String(data=Path(file).read_text()))
    try:
        rclpy.spin(node)
    except (KeyboardInterrupt, ExternalShutdownException):
        pass


def measure(robot: Path, folder: Path, turns: int) -> dict[str, list[Sample]]:
    """Start the nodes by turns; return the samples of each that there is."""
    starts: Mapping[str, tuple[str, Start]] = {
        _BARE: ('bare', lambda: bare_node(robot, folder)),
        _OURS: ('hrdf_ros', lambda: hrdf_node(robot, folder)),
        'robot_state_publisher': (
            'robot_state_publisher', lambda: robot_state_publisher(robot, folder))}
    found: dict[str, list[Sample]] = {name: [] for name in starts}
    for _ in range(turns):
        for name, (topic, start) in starts.items():
            sample = measure_one(topic, start)
            if sample is not None:
                found[name].append(sample)
    return {name: samples for name, samples in found.items() if samples}


def rows(joints: int, found: Mapping[str, list[Sample]]) -> list[tuple[object, ...]]:
    """Return the rows of a table, one for each node."""
    bare = _middle(found[_BARE])
    return [(joints, name, _middle(samples) * 1e3, min(samples).seconds * 1e3,
             statistics.median(sample.cpu for sample in samples) * 1e3, _middle(samples) / bare)
            for name, samples in found.items()]


def _middle(samples: list[Sample]) -> float:
    return statistics.median(sample.seconds for sample in samples)


def main(quick: bool) -> str:
    """Measure all of it and return the page."""
    if not quick:
        compileall.compile_dir(ROOT / 'hrdf_ros', quiet=1)  # as pip leaves it
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        found = {joints: measure(write_robot(joints, folder), folder, 1 if quick else 9)
                 for joints in _JOINTS}
    return '\n'.join((
        '## From the start of a process to robot_description\n',
        table(('N', 'node', 'median (ms)', 'best', 'CPU', 'to the bare node'),
              [row for joints, samples in found.items() for row in rows(joints, samples)]),
        'From the start of the process until another node has the description; CPU time of the '
        'process until then, without those that it starts. Who listens announces itself every 50 '
        'ms; with the settings of Fast DDS discovery may take up to 3 s more. The bare node '
        'imports rclpy, reads the file, publishes it, and does nothing else.\n'))


if __name__ == '__main__':
    if '--bare' in sys.argv:
        run_bare(sys.argv[sys.argv.index('--bare') + 1])
    else:
        print(main('--quick' in sys.argv))
