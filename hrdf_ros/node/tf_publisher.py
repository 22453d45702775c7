# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Transforms are published as bytes, or as messages if the middleware reads bytes differently."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from builtin_interfaces.msg import Time
from geometry_msgs.msg import Transform, TransformStamped
from hrdf_ros.kinematics.transforms import Array, Indices
from hrdf_ros.node.cdr import TransformTemplate
from hrdf_ros.node.robot_state import Sender
from hrdf_ros.pose import from_quaternion, Pose
import numpy as np
from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.serialization import deserialize_message
from tf2_msgs.msg import TFMessage


def transform_message(parent: str, child: str, pose: Pose, stamp: Time) -> TransformStamped:
    """Return parent_from_child as a message."""
    message = TransformStamped(child_frame_id=child)
    message.header.stamp = stamp
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


def byte_sender(
    publisher: Publisher, frames: Sequence[tuple[str, str]], at_zero: Array, changing: Indices,
) -> Sender:
    """Return a sender that fills in a serialized message."""
    fill = TransformTemplate(frames, at_zero, changing).fill
    return lambda seconds, nanoseconds, numbers: publisher.publish(
        fill(seconds, nanoseconds, numbers))


def message_sender(
    publisher: Publisher, frames: Sequence[tuple[str, str]], at_zero: Array, changing: Indices,
) -> Sender:
    """Return a sender that makes ordinary messages: the fallback."""
    rows = at_zero.copy()

    def send(seconds: int, nanoseconds: int, numbers: Array) -> None:
        rows.reshape(-1)[changing] = numbers
        publisher.publish(tf_message(frames, seconds, nanoseconds, rows))
    return send


def tf_message(
    frames: Sequence[tuple[str, str]], seconds: int, nanoseconds: int, transforms: Array,
) -> TFMessage:
    """Return what ``tf2_ros.TransformBroadcaster`` would send."""
    stamp = Time(sec=seconds, nanosec=nanoseconds)
    return TFMessage(transforms=[
        transform_message(parent, child, Pose(*row), stamp)
        for (parent, child), row in zip(frames, transforms.tolist())])


def choose_sender(node: Node) -> Callable[..., Sender]:
    """Return the quick sender, or the fallback if the middleware is not as expected."""
    if bytes_are_understood():
        return byte_sender
    node.get_logger().warning(
        'this middleware does not serialize as expected: transforms are sent as messages')
    return message_sender


def bytes_are_understood() -> bool:
    """Return whether this middleware reads our bytes as the message that they encode."""
    frames = [('a', 'bcd'), ('world/base', 'é'), ('', 'x')]
    transforms: Array = np.arange(21, dtype=np.float64).reshape(3, 7) / 8.0
    data = TransformTemplate(frames, transforms, np.arange(0)).fill(
        -7, 999_999_999, np.zeros(0))
    try:
        return deserialize_message(data, TFMessage) == tf_message(
            frames, -7, 999_999_999, transforms)
    except RuntimeError:
        return False
