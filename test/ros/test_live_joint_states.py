# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Joint states are served by a dedicated executor, or by the ordinary one."""

from __future__ import annotations

from pathlib import Path
import subprocess
import sys

import pytest

_MESSAGES_AT_THE_END_OF_A_WAIT = """
import time
from hrdf_ros.node import rclpy_internals
from hrdf_ros.node.cdr import read_string
import rclpy
from rclpy.executors import MultiThreadedExecutor
from rclpy.qos import QoSProfile
from std_msgs.msg import String

rclpy_internals._PAUSE = 1
rclpy.init()
node = rclpy.create_node('waits')
heard = []
executor = rclpy_internals.DedicatedExecutor(
    node, String, 'words', heard.append, qos_profile=QoSProfile(depth=3000))
publisher = node.create_publisher(String, 'words', QoSProfile(depth=3000))
while not publisher.get_subscription_count():
    time.sleep(0.01)
for index in range(3000):
    publisher.publish(String(data=str(index)))
    time.sleep(0.0001)
end = time.monotonic() + 80.0
while len(heard) < 3000 and time.monotonic() < end:
    time.sleep(0.01)
assert [read_string(message) for message in heard] == [str(index) for index in range(3000)]
executor.end()
rclpy.shutdown()
"""


def test_a_message_that_comes_as_a_wait_ends(domain: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """To wait again for what the middleware took out of the wait set ended the process."""
    monkeypatch.setenv('ROS_DOMAIN_ID', str(domain))
    done = subprocess.run(
        [sys.executable, '-c', _MESSAGES_AT_THE_END_OF_A_WAIT], capture_output=True, text=True,
        timeout=100.0)
    assert done.returncode == 0, done.stderr


_WITHOUT = """
import sys
from types import ModuleType, SimpleNamespace
import rclpy.action, rclpy.executors, rclpy.node
NAME = 'rclpy.impl.implementation_singleton'
real = vars(sys.modules[NAME].rclpy_implementation)
sys.modules[NAME] = ModuleType(NAME)
sys.modules[NAME].rclpy_implementation = SimpleNamespace(
    **{name: value for name, value in real.items() if name != 'WaitSet'})
from hrdf_ros.node import main
sys.exit(main())
"""


def test_without_wait_sets_the_ordinary_executor_serves(start, client, arm):
    node = start(str(arm), program=_WITHOUT, publish_frequency=0.0)
    client.wait_for_node()
    for position in (0.1, 0.2):
        moved = client.move_until_heard({'base': 0.0, 'elbow': position})
        assert 'tool/body' in moved
    assert client.lookup('tool').success
    assert ('joint_states is served by the ordinary executor, which takes more CPU time: this '
            'rclpy has no rclpy.impl.implementation_singleton.rclpy_implementation.WaitSet'
            ) in node.log
    assert 'Traceback' not in node.log


def test_without_wait_sets_a_loop_that_is_far_away_is_closed(start, client):
    """``go_on`` is called until it is: no further message comes."""
    file = Path(__file__).parents[2] / 'examples' / 'sdf' / 'four_bar.sdf'
    start(str(file), program=_WITHOUT, publish_frequency=0.0)
    client.wait_for_node()
    assert 'coupler' in client.move_until_heard({'drive': 0.5})
