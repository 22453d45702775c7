# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A live node in full flood, with reloads, lookups and nonsense in between."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
import random
import time

from chain import chain, states
from helpers.live_node import Client, RunningNode
from rclpy.qos import QoSProfile
from std_srvs.srv import Trigger
from tf2_msgs.msg import TFMessage
from usage import Usage, usage

JOINTS = 300
RATE = 1000
SAMPLES = 40
WARM_UP = 60


def soak(domain: int, directory: Path, seconds: float) -> list[Usage]:
    """Publish joint states at a rate for some seconds; sample what the node holds."""
    file = directory / 'chain.urdf'
    file.write_text(chain(JOINTS))
    client = Client(domain, listening=False)
    count = _count_transforms(client)
    node = RunningNode(
        domain,
        [str(file), '--ros-args', '-p', 'publish_frequency:=0', '-p', 'history_duration:=0.2'],
        directory / 'soak.log')
    try:
        client.wait_for_node()
        _publish_until_heard(client, count)
        for _ in range(WARM_UP):  # what every part holds once it has been used
            _flood(client, 0.05, node)
        samples = []
        for _ in range(SAMPLES):
            _flood(client, seconds / SAMPLES, node)
            samples.append(usage(node.process.pid, count()))
        return samples
    finally:
        node.end()
        client.end()


def _count_transforms(client: Client) -> Callable[[], int]:
    """Count what arrives on /tf, without looking into it further than to its length."""
    received = 0

    def take(data: bytes) -> None:
        nonlocal received
        received += int.from_bytes(data[4:8], 'little')

    client.node.create_subscription(TFMessage, '/tf', take, QoSProfile(depth=1000), raw=True)
    return lambda: received


def _publish_until_heard(client: Client, count: Callable[[], int]) -> None:
    """Publish until transforms come back: what is sent before all have met may be lost."""
    state = states(JOINTS)

    def heard() -> bool:
        client.joint_states.publish(state(time.time_ns()))
        return count() > 0

    client.wait_for(heard, '/tf')


def _flood(client: Client, seconds: float, node: RunningNode) -> None:
    """Publish for some seconds, then ask for a reload and a lookup, and publish nonsense."""
    state = states(JOINTS)
    end = time.monotonic() + seconds
    while (now := time.monotonic()) < end:
        client.joint_states.publish(state(time.time_ns()))
        time.sleep(max(0.0, 1.0 / RATE - (time.monotonic() - now)))
    client.joint_states.publish(b'\0\1\0\0' + random.randbytes(100))
    for answer in (
            client.lookup('l10'), client.call(Trigger)):
        assert answer.success, f'{answer.message}\n{node.log}'
