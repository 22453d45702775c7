# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Publishing a robot: its description, static transforms, and from then on its joints."""

from __future__ import annotations

from functools import partial
from typing import Optional

from hrdf_ros.node.description import LATCHED_QOS, Loaded
from hrdf_ros.node.jobs import Summary
from hrdf_ros.node.live import Live
from hrdf_ros.node.settings import Settings
from hrdf_ros.node.texts import short
from hrdf_ros.node.tf_publisher import choose_sender
from hrdf_ros.node.tf_stream import TransformStream
import numpy as np
from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.qos import QoSPolicyKind, QoSProfile
from rclpy.qos_overriding_options import QoSOverridingOptions
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

_TF_QOS = QoSProfile(depth=100)
OVERRIDES = QoSOverridingOptions.with_default_policies()
"""What a user may change of topics; of /tf, as with tf2_ros's broadcaster, one more."""
_TF_OVERRIDES = QoSOverridingOptions((*OVERRIDES.policy_kinds, QoSPolicyKind.DURABILITY))


class RobotPublisher:
    """Publishes robots, one after another."""

    def __init__(self, node: Node, stream: TransformStream) -> None:
        self._node = node
        self._stream = stream
        self._tf = node.create_publisher(
            TFMessage, '/tf', _TF_QOS, qos_overriding_options=_TF_OVERRIDES)
        self._tf_static = node.create_publisher(
            TFMessage, '/tf_static', LATCHED_QOS, qos_overriding_options=OVERRIDES)
        self._description: Optional[Publisher] = None
        self._sender = choose_sender(node)

    def publish(self, loaded: Loaded, settings: Settings) -> None:
        """Publish another robot from now on; what is known of its joints stays known."""
        robot = loaded.robot
        self._stream.replace(Live(robot, partial(self._sender, self._tf), self._tell))
        self.log(loaded.written)
        if settings.model or settings.robot_description:
            if self._description is None:
                self._description = self._node.create_publisher(
                    String, 'robot_description', LATCHED_QOS)
            self._description.publish(String(data=loaded.urdf))
        self._publish_static(loaded)
        self._node.get_logger().info(
            f"publishing '{short(robot.description.name)}': {len(robot.model.bodies)} links, "
            f'{len(robot.model.coordinates)} coordinates, '
            f'root frame {short(robot.prefix + robot.root)}')

    def _tell(self, text: str) -> None:
        self._node.get_logger().info(text)

    def _publish_static(self, loaded: Loaded) -> None:
        static = loaded.robot.description.static
        poses = np.array([transform.parent_from_child for transform in static], dtype=float)
        send = self._sender(
            self._tf_static, [(transform.parent, transform.child) for transform in static],
            poses.reshape(len(static), 7), np.arange(0))
        send(*divmod(self._node.get_clock().now().nanoseconds, 1_000_000_000), ())

    def log(self, report: Summary) -> None:
        """Log the first diagnostics of a report, and how many more there are."""
        logger = self._node.get_logger()
        for found in report.shown:
            # rclpy takes one severity from each place in the code, and raises for another
            if found.severity == 'error':
                logger.error(found.line)
            elif found.severity == 'warning':
                logger.warning(found.line)
            else:
                logger.debug(found.line)
        if report.more:
            logger.warning(f'and {report.more} more diagnostics')
