# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The common yardstick: a bare rclpy node without any kinematics.

    python benchmark/yardstick.py N --ros-args ...

It answers each JointState with one ready-made TFMessage of N transforms, only the stamp of the
first is set, so that the answer differs from others. The executor is the ordinary one.
"""

from __future__ import annotations

import sys

from geometry_msgs.msg import TransformStamped
import rclpy
from rclpy.executors import ExternalShutdownException
from rclpy.qos import QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState
from tf2_msgs.msg import TFMessage


def main() -> None:
    """Run until interrupted."""
    rclpy.init(args=sys.argv)
    node = rclpy.create_node('yardstick')
    publisher = node.create_publisher(TFMessage, '/tf', QoSProfile(depth=100))
    transforms = [TransformStamped(child_frame_id=f'link_{index + 1}')
                  for index in range(int(sys.argv[1]))]
    for index, transform in enumerate(transforms):
        transform.header.frame_id = f'link_{index}'
    message = TFMessage(transforms=transforms)

    def answer(state: JointState) -> None:
        transforms[0].header.stamp = state.header.stamp
        publisher.publish(message)

    node.create_subscription(
        JointState, 'joint_states', answer,
        QoSProfile(depth=50, reliability=ReliabilityPolicy.BEST_EFFORT))
    try:
        rclpy.spin(node)
    except (KeyboardInterrupt, ExternalShutdownException):
        pass


if __name__ == '__main__':
    main()
