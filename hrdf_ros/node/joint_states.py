# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The topics joint_states and multi_dof_joint_states, each served by a thread of its own."""

from __future__ import annotations

from hrdf_ros.node.dedicated_executor import DedicatedExecutor, Topic
from hrdf_ros.node.multi_dof import coordinates_from_transform
from hrdf_ros.node.planner import Planner
from hrdf_ros.node.robot_publisher import OVERRIDES
from hrdf_ros.node.texts import listed
from hrdf_ros.node.tf_publisher import pose_of
from hrdf_ros.node.tf_stream import TransformStream
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState, MultiDOFJointState

_QOS = QoSProfile(depth=50, reliability=ReliabilityPolicy.BEST_EFFORT)
"""Sensor data, with a queue that outlasts a pause of the interpreter."""


class JointStateInput:
    """Feeds a stream of transforms with what comes in on the topics."""

    def __init__(self, node: Node, stream: TransformStream, planner: Planner) -> None:
        self._node = node
        self._stream = stream
        self._planner = planner
        self._executors = [DedicatedExecutor(node, topic, _QOS, qos_overriding_options=OVERRIDES)
                           for topic in (
            Topic(JointState, 'joint_states', stream.receive, raw=True),
            Topic(MultiDOFJointState, 'multi_dof_joint_states', self._on_multi_dof))]

    def end(self) -> None:
        """Stop the threads."""
        for executor in self._executors:
            executor.end()
        self._planner.end()

    def _on_multi_dof(self, message: MultiDOFJointState) -> None:
        """Take the transforms of ball, planar and free joints."""
        live = self._stream.live
        if live is None:
            return
        positions: dict[str, float] = {}
        for name, transform in zip(message.joint_names, message.transforms):
            joint = live.robot.joint.get(name)
            found = joint and coordinates_from_transform(
                live.robot.model, joint, pose_of(transform))
            if found:
                positions.update(found)
            else:
                self._node.get_logger().warning(
                    f"multi_dof_joint_states: '{listed([name])}' is not a ball, planar or free "
                    'joint', throttle_duration_sec=10.0)
        stamp = message.header.stamp
        self._stream.receive_named(stamp.sec, stamp.nanosec, positions)
