# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A robot of many joints, and the joint states that move it, ready serialized."""

from __future__ import annotations

from collections.abc import Callable
import math
import struct

from rclpy.serialization import serialize_message
from sensor_msgs.msg import JointState


def chain(joints: int) -> str:
    """Return the URDF of a chain."""
    links = ''.join(
        f'<link name="l{index}"/><joint name="j{index}" type="revolute">'
        f'<parent link="{f"l{index - 1}" if index else "base"}"/><child link="l{index}"/>'
        '<origin xyz="0 0 0.1" rpy="0.1 0 0"/><axis xyz="0 0.6 0.8"/>'
        '<limit lower="-3" upper="3" effort="1" velocity="1"/></joint>' for index in range(joints))
    return f'<robot name="chain"><link name="base"/>{links}</robot>'


def states(joints: int) -> Callable[[int], bytes]:
    """Return the function from a stamp in nanoseconds to a serialized joint state."""
    poses = []
    for step in range(32):
        message = JointState(name=[f'j{index}' for index in range(joints)])
        message.position = [math.sin(0.2 * step + index) for index in range(joints)]
        poses.append(bytearray(serialize_message(message)))
    count = 0

    def state(stamp: int) -> bytes:
        nonlocal count
        count += 1
        data = poses[count % len(poses)]
        struct.pack_into('<iI', data, 4, *divmod(stamp, 1_000_000_000))
        return bytes(data)

    return state
