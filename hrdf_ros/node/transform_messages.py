# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Poses as messages."""

from __future__ import annotations

from builtin_interfaces.msg import Time
from geometry_msgs.msg import Transform, TransformStamped
from hrdf_ros.pose import from_quaternion, Pose


def transform_message(parent: str, child: str, pose: Pose, stamp: int) -> TransformStamped:
    """Return parent_from_child as a message; the stamp is in ns."""
    seconds, nanoseconds = divmod(stamp, 1_000_000_000)
    message = TransformStamped(child_frame_id=child)
    message.header.stamp = Time(sec=seconds, nanosec=nanoseconds)
    message.header.frame_id = parent
    translation, rotation = message.transform.translation, message.transform.rotation
    translation.x, translation.y, translation.z = pose.position
    rotation.x, rotation.y, rotation.z, rotation.w = pose[3:]
    return message


def pose_of(transform: Transform) -> Pose:
    """Return the pose of a message; a quaternion of any length but zero is normalized."""
    position, turned = transform.translation, transform.rotation
    return from_quaternion(
        (position.x, position.y, position.z), (turned.x, turned.y, turned.z, turned.w))
