# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The topics joint_states and multi_dof_joint_states, each served by a thread of its own."""

from __future__ import annotations

from itertools import count
import math

from hrdf_ros.limits import MULTI_DOF_BYTES
from hrdf_ros.listing import count_of
from hrdf_ros.model import Coordinate
from hrdf_ros.node.callbacks import create_timer
from hrdf_ros.node.cdr import JointPositions, SECOND
from hrdf_ros.node.log_text import short
from hrdf_ros.node.rclpy_internals import serve_topic
from hrdf_ros.node.robot import coordinates_from_transform, Robot
from hrdf_ros.node.robot_publisher import OVERRIDES
from hrdf_ros.node.tf2 import pose_of
from hrdf_ros.node.tf_stream import TransformStream
import numpy as np
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rclpy.serialization import deserialize_message
from sensor_msgs.msg import JointState, MultiDOFJointState

_QOS = QoSProfile(depth=50, reliability=ReliabilityPolicy.BEST_EFFORT)
"""The QoS of sensor data, with a queue that outlasts a pause of the interpreter."""
_SWEEP_PERIOD = 0.02
"""The time in seconds between two messages of the animation."""
_SWEEP_SECONDS = 6.0
"""The time in seconds of one sweep of a coordinate to both limits and back."""
_UNLIMITED = {'angle': math.pi / 2.0, 'length': 0.1}
"""The range to either side of a coordinate without limits, in radians or meters."""


class JointStateInput:
    """Passes the messages of both topics to a stream of transforms."""

    def __init__(self, node: Node, stream: TransformStream) -> None:
        self._node = node
        self._stream = stream
        self._executors = (
            serve_topic(
                node, JointState, 'joint_states', stream.receive, stream.go_on,
                qos_profile=_QOS, qos_overriding_options=OVERRIDES),
            serve_topic(
                node, MultiDOFJointState, 'multi_dof_joint_states', self._on_multi_dof,
                qos_profile=_QOS, qos_overriding_options=OVERRIDES))

    def end(self) -> None:
        """Stop the threads."""
        for executor in self._executors:
            executor.stop()
        for executor in self._executors:
            executor.end()

    def _on_multi_dof(self, data: bytes) -> None:
        """
        Take the transforms of ball, planar and free joints.

        A message that is too large is ignored before rclpy makes an object of it, which would
        block all threads.
        """
        state = self._stream.state
        if state is None:
            return
        if len(data) > MULTI_DOF_BYTES:
            self._warn(f'ignored a message of more than {MULTI_DOF_BYTES} bytes')
            return
        try:
            message = deserialize_message(data, MultiDOFJointState)
        except RuntimeError:
            self._warn('ignored bytes that are not a MultiDOFJointState')
            return
        names, transforms = message.joint_names, message.transforms
        if len(names) != len(transforms):
            counts = count_of(len(names), 'name'), count_of(len(transforms), 'transform')
            self._warn(f'ignored a message of {counts[0]} but {counts[1]}')
            return
        positions = self._positions(state.robot, message)
        stamp = message.header.stamp
        self._stream.receive_named(JointPositions(
            stamp.sec * SECOND + stamp.nanosec, tuple(positions),
            np.array([*positions.values()])))

    def _positions(self, robot: Robot, message: MultiDOFJointState) -> dict[str, float]:
        """Return the positions of coordinates at which the joints have these transforms."""
        positions: dict[str, float] = {}
        for name, transform in zip(message.joint_names, message.transforms):
            joint = robot.joint.get(name)
            try:
                found = joint and coordinates_from_transform(
                    robot.model, joint, pose_of(transform))
            except ValueError as error:
                self._warn(f"ignored the transform of '{short(name)}': {error}")
                continue
            if found:
                positions.update(found)
            else:
                self._warn(f"'{short(name)}' is not a ball, planar or free joint")
        return positions

    def _warn(self, text: str) -> None:
        self._node.get_logger().warning(
            f'multi_dof_joint_states: {text}', throttle_duration_sec=10.0)


# ---- animation

def animate(node: Node, stream: TransformStream) -> None:
    """Publish joint_states in which every independent coordinate sweeps between its limits."""
    publisher, ticks = node.create_publisher(JointState, 'joint_states', 10), count()

    def publish() -> None:
        state = stream.state
        if state is None:
            return
        seconds, robot = next(ticks) * _SWEEP_PERIOD, state.robot
        driven = [
            robot.model.coordinates[robot.coordinate[name]]
            for name in robot.kinematics.independent]
        message = JointState(
            name=[coordinate.name for coordinate in driven],
            position=[
                _sweep(coordinate, seconds, index / max(1, len(driven)))
                for index, coordinate in enumerate(driven)])
        message.header.stamp = node.get_clock().now().to_msg()
        publisher.publish(message)

    create_timer(node, _SWEEP_PERIOD, publish)


def _sweep(coordinate: Coordinate, seconds: float, phase: float) -> float:
    """Return the position of a coordinate, on a sine between its limits."""
    reach = _UNLIMITED[coordinate.kind]
    lower = coordinate.lower if math.isfinite(coordinate.lower) else (
        min(coordinate.upper, coordinate.initial_position + reach) - 2.0 * reach)
    upper = coordinate.upper if math.isfinite(coordinate.upper) else lower + 2.0 * reach
    turn = 2.0 * math.pi * (seconds / _SWEEP_SECONDS + phase)
    return (lower + upper) / 2.0 + (upper - lower) / 2.0 * math.sin(turn)
