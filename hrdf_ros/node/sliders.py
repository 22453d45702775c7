# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The sliders of the viewer as joint_states, as joint_state_publisher_gui publishes its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Optional

from hrdf_ros.node.viewer import init, Receive, RobotListener, spin
import rclpy
from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from sensor_msgs.msg import JointState

_PERIOD = 0.05
"""Seconds between two messages: as often as the node publishes TF by default."""


class Sliders:
    """Publishes the latest positions again and again; nothing before the first."""

    def __init__(self) -> None:
        self._positions: Mapping[str, float] = {}
        self._end: Callable[[], None] = rclpy.try_shutdown

    def publish(self, positions: Mapping[str, float]) -> None:
        """Publish these positions from now on; from any thread, and before the start, too."""
        self._positions = dict(positions)

    def start(self, arguments: Sequence[str], receive: Optional[Receive] = None) -> str:
        """
        Start publishing in a thread of its own and return the topic.

        Where there is a receiver it hears the robot, as with ``listen``.
        """
        init(arguments)
        node = Node('hrdf_viewer') if receive is None else RobotListener(receive)
        publisher = node.create_publisher(JointState, 'joint_states', 10)

        def publish() -> None:
            positions = self._positions
            if positions:
                message = JointState(name=list(positions), position=list(positions.values()))
                message.header.stamp = node.get_clock().now().to_msg()
                publisher.publish(message)

        node.create_timer(_PERIOD, publish, clock=Clock(clock_type=ClockType.STEADY_TIME))
        self._end = spin(node)
        return node.resolve_topic_name('joint_states')

    def end(self) -> None:
        """Stop publishing."""
        self._end()
