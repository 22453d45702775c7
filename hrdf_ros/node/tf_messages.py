# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Transforms as messages, and those of others on TF, looked up where tf2_ros is installed."""

from __future__ import annotations

import threading
from typing import Any

from geometry_msgs.msg import Transform, TransformStamped
from hrdf_ros.node.callbacks import create_timer
from hrdf_ros.node.cdr import SECOND
from hrdf_ros.node.lookup import lookup, LookupAnswer, NoAnswer, Question, Reason
from hrdf_ros.node.tf_stream import TransformStream
from hrdf_ros.pose import from_quaternion, Pose
from rclpy.duration import Duration
from rclpy.node import Node
from rclpy.time import Time

_FIRST_WAIT = Duration(seconds=1.0)
"""Time that the first lookup waits for the first transforms."""
_LISTENING = 10.0
"""Seconds of listening after a lookup; it costs ten times as much as publishing."""
_REASONS = {
    'ConnectivityException': Reason.NOT_CONNECTED,
    'ExtrapolationException': Reason.OUTSIDE_RECORD,
    'InvalidArgumentException': Reason.INVALID_NAME}
"""Of the exceptions of tf2, by class."""


def transform_message(parent: str, child: str, pose: Pose, stamp: int) -> TransformStamped:
    """Return parent_from_child as a message; the stamp is in ns."""
    message = TransformStamped(child_frame_id=child)
    message.header.stamp.sec, message.header.stamp.nanosec = divmod(stamp, SECOND)
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


class TfBuffer:
    """Frames of the robot and, by a tf2 buffer that listens while they are wanted, of others."""

    def __init__(self, node: Node, stream: TransformStream) -> None:
        self._node = node
        self._stream = stream
        self._buffer: Any = None
        self._listener: Any = None
        self._lock = threading.Lock()
        self._ending = create_timer(node, _LISTENING, self._end)
        self._ending.cancel()

    def answer(self, question: Question) -> LookupAnswer:
        """Answer a question, in place of stamp 0 with the time; raise NoAnswer."""
        answer = lookup(self._stream.state, question, self.lookup_others)
        return answer._replace(stamp=answer.stamp or self._node.get_clock().now().nanoseconds)

    def lookup_others(self, target: str, source: str, stamp: int) -> Pose:
        """Return target_from_source; raise NoAnswer if tf2 has none or is not installed."""
        try:
            import tf2_ros  # part of a ROS installation, not of every environment with rclpy
        except ImportError:
            raise NoAnswer(
                '(frames of others require tf2_ros, which is not installed: package '
                'tf2_ros_py)') from None
        wait = Duration()
        with self._lock:
            if self._listener is None:
                self._buffer = tf2_ros.Buffer()
                self._listener = tf2_ros.TransformListener(self._buffer, self._node)
                wait = _FIRST_WAIT
            buffer = self._buffer
        try:
            found = buffer.lookup_transform(target, source, Time(nanoseconds=stamp), wait)
        except tf2_ros.TransformException as error:
            text = str(error).rstrip('. ')
            reason = _REASONS.get(type(error).__name__, Reason.UNKNOWN)
            raise NoAnswer(f'(tf2: {text})', reason) from None
        finally:
            self._ending.reset()
        return pose_of(found.transform)

    def _end(self) -> None:
        """Stop listening."""
        self._ending.cancel()
        with self._lock:
            listener, self._listener, self._buffer = self._listener, None, None
        if listener is not None:
            listener.unregister()
