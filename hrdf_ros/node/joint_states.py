# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The topics joint_states and multi_dof_joint_states, each served by a thread of its own."""

from __future__ import annotations

from hrdf_ros.node.dedicated_executor import DedicatedExecutor, Topic
from hrdf_ros.node.live import Live
from hrdf_ros.node.multi_dof import coordinates_from_transform
from hrdf_ros.node.planner import Planner
from hrdf_ros.node.robot_publisher import OVERRIDES
from hrdf_ros.node.texts import short
from hrdf_ros.node.tf_publisher import pose_of
from hrdf_ros.node.tf_stream import TransformStream
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rclpy.serialization import deserialize_message
from sensor_msgs.msg import JointState, MultiDOFJointState

_QOS = QoSProfile(depth=50, reliability=ReliabilityPolicy.BEST_EFFORT)
"""Sensor data, with a queue that outlasts a pause of the interpreter."""
_MAX_MULTI_DOF = 1 << 18
"""Bytes of a MultiDOFJointState: some 3,000 transforms."""


class JointStateInput:
    """Feeds a stream of transforms with what comes in on the topics."""

    def __init__(self, node: Node, stream: TransformStream, planner: Planner) -> None:
        self._node = node
        self._stream = stream
        self._planner = planner
        self._executors = [DedicatedExecutor(node, topic, _QOS, qos_overriding_options=OVERRIDES)
                           for topic in (
            Topic(JointState, 'joint_states', stream.receive, raw=True),
            Topic(MultiDOFJointState, 'multi_dof_joint_states', self._on_multi_dof, raw=True))]

    def end(self) -> None:
        """Stop the threads."""
        for executor in self._executors:
            executor.end()
        self._planner.end()

    def _on_multi_dof(self, data: bytes) -> None:
        """
        Take the transforms of ball, planar and free joints.

        A large message would occupy the interpreter while rclpy makes an object of it.
        """
        live = self._stream.live
        if live is None:
            return
        if len(data) > _MAX_MULTI_DOF:
            self._warn(f'ignored a message of more than {_MAX_MULTI_DOF} bytes')
            return
        try:
            message = deserialize_message(data, MultiDOFJointState)
        except RuntimeError:
            self._warn('ignored bytes that are not a MultiDOFJointState')
            return
        names, transforms = message.joint_names, message.transforms
        if len(names) != len(transforms):
            self._warn(f'ignored a message of {len(names)} names but {len(transforms)} transforms')
            return
        self._take(live, message)

    def _take(self, live: Live, message: MultiDOFJointState) -> None:
        """Take those transforms that joints of the robot can make."""
        positions: dict[str, float] = {}
        for name, transform in zip(message.joint_names, message.transforms):
            joint = live.robot.joint.get(name)
            try:
                found = joint and coordinates_from_transform(
                    live.robot.model, joint, pose_of(transform))
            except ValueError as error:
                self._warn(f"ignored the transform of '{short(name)}': {error}")
                continue
            if found:
                positions.update(found)
            else:
                self._warn(f"'{short(name)}' is not a ball, planar or free joint")
        stamp = message.header.stamp
        self._stream.receive_named(stamp.sec, stamp.nanosec, positions)

    def _warn(self, text: str) -> None:
        self._node.get_logger().warning(
            f'multi_dof_joint_states: {text}', throttle_duration_sec=10.0)
