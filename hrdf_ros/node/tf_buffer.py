# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Frames of others on TF, looked up through tf2_ros where it is installed."""

from __future__ import annotations

import threading
from typing import Any

from hrdf_ros.node.callbacks import create_timer
from hrdf_ros.node.lookup import NoAnswer, Reason
from hrdf_ros.node.transform_messages import pose_of
from hrdf_ros.pose import Pose
from rclpy.duration import Duration
from rclpy.node import Node
from rclpy.time import Time

_FIRST_WAIT = Duration(seconds=1.0)
"""Time that the first lookup waits for the first transforms."""
_LISTENING = 10.0
"""Seconds of listening after a lookup; it costs ten times as much as publishing."""


class TfBuffer:
    """A tf2 buffer that listens to TF while frames of others are looked up."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._buffer: Any = None
        self._listener: Any = None
        self._lock = threading.Lock()
        self._ending = create_timer(node, _LISTENING, self._end)
        self._ending.cancel()

    def lookup(self, target: str, source: str, stamp: int) -> Pose:
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
            raise NoAnswer(f'(tf2: {text})', _reason(tf2_ros, error)) from None
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


def _reason(tf2_ros: Any, error: Exception) -> Reason:
    """Return the reason that an exception of tf2 stands for."""
    if isinstance(error, tf2_ros.ConnectivityException):
        return Reason.NOT_CONNECTED
    if isinstance(error, tf2_ros.ExtrapolationException):
        return Reason.OUTSIDE_RECORD
    if isinstance(error, tf2_ros.InvalidArgumentException):
        return Reason.INVALID_NAME
    return Reason.UNKNOWN
