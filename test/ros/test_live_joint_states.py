# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Joint states are served by a dedicated executor."""

from __future__ import annotations

import subprocess
import sys

import pytest

_MESSAGES_AT_THE_END_OF_A_WAIT = """
import time
from hrdf_ros.node import joint_states
from hrdf_ros.node.cdr import read_string
import rclpy
from rclpy.executors import MultiThreadedExecutor
from rclpy.qos import QoSProfile
from std_msgs.msg import String

joint_states._PAUSE = 1
rclpy.init()
node = rclpy.create_node('waits')
heard = []
executor = joint_states.DedicatedExecutor(
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
