# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Measure lookups: alone, by service, and while joint states flood in; and memory over time.

    python benchmark/services.py [--quick]
    python benchmark/services.py --flood     what it runs beside itself, until the input is closed
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
import select
import subprocess
import sys
import tempfile
import time
from typing import Any, Optional

from builtin_interfaces.msg import Time
from hrdf_ros.node.cdr import JointPositions
from hrdf_ros.node.jobs import load_description
from hrdf_ros.node.lookup import lookup, Question
from hrdf_ros.node.robot import Robot
from hrdf_ros.node.robot_state import RobotState
from hrdf_ros.node.settings import Settings
from hrdf_ros.node.tf_stream import Throttle, TransformStream
from hrdf_ros_interfaces.srv import LookupFrame
from inputs import joint_names, urdf_chain
from nodes import Driver, hrdf_node, RunningNode, write_robot
import numpy as np
from rclpy.impl.implementation_singleton import rclpy_implementation
from tables import middle, quantile, table

_JOINTS = 100
_FLOOD = 2000.0
_CALLS = 20.0


def lookup_costs(count: int) -> dict[str, float]:
    """Return the median CPU time in microseconds of lookups in this process."""
    state = _robot_state()
    last = f'link_{_JOINTS}'
    given = dict.fromkeys(joint_names(_JOINTS), 0.5)
    questions = {
        'from the root to the tip, latest': Question(last),
        'from the root to the tip, in the past': Question(last, '', 1_500_000_000),
        'from the root to the tip, configuration given': Question(last, '', 0, given),
        'between neighbors, latest': Question('link_50', 'link_49'),
    }
    return {title: _median_us(state, question, count) for title, question in questions.items()}


def _robot_state() -> RobotState:
    """Return a robot that has had joint states for two seconds."""
    description = load_description(Settings(robot_description=urdf_chain(_JOINTS)))
    stream = TransformStream(print, lambda: 0, bytes)
    stream.throttle = Throttle(0)
    state = RobotState(Robot(description, Settings()), lambda *_: lambda *_: None)
    stream.replace(state)
    for step in range(200):
        stream.receive_named(JointPositions(
            1_000_000_000 + step * 10_000_000, tuple(joint_names(_JOINTS)),
            np.full(_JOINTS, 0.01 * step)))
    return state


def _median_us(state: RobotState, question: Question, count: int) -> float:
    times = []
    for _ in range(count):
        start = time.process_time_ns()
        lookup(state, question, None)
        times.append((time.process_time_ns() - start) / 1e3)
    return middle(times) or 0.0


class Caller:
    """
    Calls ``lookup_frame`` of a node.

    Without an executor: spin_until_future_complete of rclpy 7.1 takes longer with each call.
    """

    def __init__(self, node: Any, name: str) -> None:
        client = node.create_client(LookupFrame, f'/{name}/lookup_frame')
        if not client.wait_for_service(20.0):
            raise TimeoutError(f'the node {name} offers no lookup_frame')
        self._handle = client.handle
        self._wait_set = rclpy_implementation.WaitSet(0, 0, 0, 1, 0, 0, node.context.handle)

    def call(self, stamp: Optional[Time] = None) -> float:
        """Ask for the tip of the chain; return the milliseconds until the answer."""
        request = LookupFrame.Request(frame=f'link_{_JOINTS}', stamp=stamp or Time())
        start = time.perf_counter()
        self._handle.send_request(request)
        self._wait_set.clear_entities()
        self._wait_set.add_client(self._handle)
        self._wait_set.wait(5_000_000_000)
        response = self._handle.take_response(LookupFrame.Response)[1]
        elapsed = time.perf_counter() - start
        if response is None or not response.success:
            raise TimeoutError('a lookup was not answered')
        return elapsed * 1e3


def measure_calls(caller: Caller, rate: float, seconds: float) -> list[float]:
    """Call at a rate for some seconds; return the milliseconds of each call."""
    times, start = [], time.perf_counter()
    for index in range(max(1, round(rate * seconds))):
        time.sleep(max(0.0, start + index / rate - time.perf_counter()))
        times.append(caller.call())
    return times


@contextmanager
def flood() -> Iterator[None]:
    """Have another process publish joint states meanwhile."""
    with subprocess.Popen([sys.executable, __file__, '--flood'], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdout.readline()
        yield
        process.stdin.close()


def run_flood() -> None:
    """Publish joint states until the input is closed; say when it begins."""
    driver = Driver()
    line = driver.connect('hrdf_ros', _JOINTS)
    print('flooding', flush=True)
    while not select.select([sys.stdin], [], [], 0.0)[0]:
        line.drive(_FLOOD, 0.25, patience=0.0)
    driver.end()


def by_service(node: RunningNode, caller: Caller, seconds: float) -> tuple[list[float], float]:
    """Return the milliseconds of calls without a flood, and the CPU time of each (us)."""
    before, start = node.cpu, time.perf_counter()
    time.sleep(seconds)
    idle = (node.cpu - before) / (time.perf_counter() - start)
    before, start = node.cpu, time.perf_counter()
    times = measure_calls(caller, 100.0, seconds)
    spent = node.cpu - before - idle * (time.perf_counter() - start)
    return times, spent / len(times) * 1e6


def watch_memory(
    node: RunningNode, caller: Caller, seconds: float,
) -> tuple[list[float], list[int]]:
    """Call while joint states flood in; return the milliseconds, and the memory by and by."""
    times, memory = [], []
    with flood():
        time.sleep(min(4.0, seconds))
        for _ in range(8):
            times += measure_calls(caller, _CALLS, seconds / 8.0)
            memory.append(node.memory)
    return times, memory


def main(quick: bool) -> str:
    """Measure all of it and return the page."""
    seconds = 0.4 if quick else 16.0
    costs = lookup_costs(5 if quick else 500)
    driver = Driver()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        node = hrdf_node(write_robot(_JOINTS, folder), folder, history_duration=1.0)
        try:
            driver.connect('hrdf_ros', _JOINTS)
            caller = Caller(driver.node, 'hrdf_ros')
            calm, cpu = by_service(node, caller, seconds / 4.0)
            loaded, memory = watch_memory(node, caller, seconds)
        finally:
            node.end()
    driver.end()
    return page(costs, calm, cpu, loaded, memory)


def page(costs: dict[str, float], calm: list[float], cpu: float, loaded: list[float],
         memory: list[int]) -> str:
    """Return what was measured."""
    rows = [(title, *(quantile(times, part) for part in (0.5, 0.99)), max(times), len(times))
            for title, times in (('calm', calm), (f'joint states at {_FLOOD:.0f} Hz', loaded))]
    resident = ', '.join(f'{of / 1e6:.1f}' for of in memory)
    return '\n'.join((
        f'## Lookups on a robot of {_JOINTS} joints\n',
        table(('lookup', 'CPU (us)'), list(costs.items())),
        table(('service call', 'p50 (ms)', 'p99', 'longest', 'calls'), rows),
        f'The node spends {cpu:.0f} us of CPU time on a whole service call, of which the lookup '
        'is a part; the rest is the messages and the middleware.\n',
        '\n### Memory of the node under the flood\n',
        f'Resident, in MB, over the time of these calls: {resident}.\n'))


if __name__ == '__main__':
    if '--flood' in sys.argv:
        run_flood()
    else:
        print(main('--quick' in sys.argv))
