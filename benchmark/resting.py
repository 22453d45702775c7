# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Measure what a node costs at rest, and how soon a resting node answers its first request.

    python benchmark/resting.py [--quick]
    python benchmark/resting.py --bare      the node that it is compared with

The bare rclpy node has the same publishers, subscriptions, services and action, and nothing else.
Private memory is Pss_Anon: what would be free if the process ended.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any, NamedTuple

from hrdf_ros_interfaces.srv import Convert, ListFrames, LookupFrame, Validate
from nodes import family, package_and_version, summed_memory
from peers import ROOT
import rclpy
from tables import table

_NODE = ['-c', 'import sys; from hrdf_ros.node import main; sys.exit(main())']
_ROBOT = ROOT / 'examples' / 'hrdf' / 'arm_6dof.hrdf'
_REST = 10.0
"""Seconds in which a node comes to rest: its worker ends 5 s after the last job."""
_TEXT = '<robot name="r"><link name="a"/></robot>'


class Figures(NamedTuple):
    """Processes and bytes of a node and all that it started, and the seconds of its requests."""

    processes: int
    private: int
    proportional: int
    first_answers: list[float]


def serve_bare() -> None:
    """Run a node with the interfaces of ours until it is killed."""
    from diagnostic_msgs.msg import DiagnosticArray
    from rclpy.action import ActionServer
    from sensor_msgs.msg import JointState, MultiDOFJointState
    from std_msgs.msg import String
    from std_srvs.srv import Trigger
    from tf2_msgs.action import LookupTransform
    from tf2_msgs.msg import TFMessage
    rclpy.init()
    node = rclpy.create_node('hrdf_ros')
    for kind, name in ((String, 'robot_description'), (TFMessage, '/tf'),
                       (TFMessage, '/tf_static'), (DiagnosticArray, '/diagnostics')):
        node.create_publisher(kind, name, 10)
    for kind, name in ((JointState, 'joint_states'),
                       (MultiDOFJointState, 'multi_dof_joint_states')):
        node.create_subscription(kind, name, lambda _: None, 10)
    for kind, name in ((Convert, 'convert'), (ListFrames, 'list_frames'), (Trigger, 'reload'),
                       (LookupFrame, 'lookup_frame'), (Validate, 'validate')):
        node.create_service(kind, f'~/{name}', lambda _, response: response)
    ActionServer(node, LookupTransform, '~/tf2_buffer_server', lambda _: None)
    rclpy.spin(node)


def measure(arguments: Sequence[str], driver: Any, turns: int, log: Path) -> Figures:
    """Start a node, let it rest, ask it some times with a rest before each, and kill it."""
    with log.open('wb') as stream:
        process = subprocess.Popen(
            [sys.executable, *arguments], stdout=stream, stderr=subprocess.STDOUT)
    client = driver.create_client(Validate, '/hrdf_ros/validate')
    try:
        if not client.wait_for_service(30.0):
            raise TimeoutError(f'the node does not start:\n{log.read_text()}')
        found = _rest(process.pid)
        took = []
        for _ in range(turns):
            _rest(process.pid)
            begin = time.perf_counter()
            pending = client.call_async(Validate.Request(text=_TEXT))
            rclpy.spin_until_future_complete(driver, pending, timeout_sec=10.0)
            took.append(time.perf_counter() - begin)
        return Figures(
            len(found), sum(summed_memory(each, 'Pss_Anon:') for each in found),
            sum(summed_memory(each) for each in found), took)
    finally:
        driver.destroy_client(client)
        process.kill()
        process.wait()


def _rest(process: int) -> list[int]:
    """Wait until a node has no process besides its own, or for long enough; return all."""
    end = time.monotonic() + _REST
    while len(found := family([process])) > 1 and time.monotonic() < end:
        time.sleep(0.1)
    time.sleep(1.0)
    return found


def main(quick: bool) -> str:
    """Measure both nodes and return the section."""
    rclpy.init()
    driver = rclpy.create_node('driver')
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, 'log')
        bare = measure([__file__, '--bare'], driver, 0, log)
        ours = measure([*_NODE, str(_ROBOT)], driver, 1 if quick else 3, log)
    driver.destroy_node()
    rclpy.shutdown()
    return '\n'.join((
        '## A node at rest\n',
        table(('node', 'processes', 'private memory (MB)', 'memory (MB)', 'first answer (s)'),
              [(name, of.processes, of.private / 1e6, of.proportional / 1e6,
                statistics.median(of.first_answers) if of.first_answers else '')
               for name, of in (('bare rclpy node', bare), ('hrdf_ros, six joints', ours))]),
        'Private memory is Pss_Anon, memory is Pss, of all processes of the node '
        'when its worker has ended. The first answer is that of validate by a node at '
        f'rest. {package_and_version("rclpy")}.\n'))


if __name__ == '__main__':
    if '--bare' in sys.argv:
        serve_bare()
    else:
        print(main('--quick' in sys.argv))
