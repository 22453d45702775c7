# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A running robot in the viewer: robot_description, joint_states and TF."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from threading import Thread

from hrdf_ros.pose import from_quaternion
from hrdf_ros.view.transform_tree import Transform
import rclpy
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

_LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
_STATIC = QoSProfile(depth=100, durability=DurabilityPolicy.TRANSIENT_LOCAL)
_TF = QoSProfile(depth=100)
_SENSOR = QoSProfile(depth=10, reliability=ReliabilityPolicy.BEST_EFFORT)

Receive = Callable[[str, object], None]
"""What takes a message: its kind and content, see ``LiveViewer.receive``."""


class RobotListener(Node):
    """Listens to a robot: its description and joints in the namespace, TF wherever it is."""

    def __init__(self, receive: Receive) -> None:
        super().__init__('hrdf_viewer')
        self._receive = receive
        self.create_subscription(
            String, 'robot_description', lambda text: receive('description', text.data), _LATCHED)
        self.create_subscription(
            JointState, 'joint_states', self._on_joints, _SENSOR)
        for topic, qos in (('/tf', _TF), ('/tf_static', _STATIC)):
            self.create_subscription(TFMessage, topic, self._on_transforms, qos)

    def _on_joints(self, message: JointState) -> None:
        if len(message.name) == len(message.position):
            self._receive('joints', dict(zip(message.name, message.position)))

    def _on_transforms(self, message: TFMessage) -> None:
        self._receive('transforms', list(_transforms(message)))


def _transforms(message: TFMessage) -> Iterator[Transform]:
    for each in message.transforms:
        at, turned = each.transform.translation, each.transform.rotation
        try:
            pose = from_quaternion((at.x, at.y, at.z), (turned.x, turned.y, turned.z, turned.w))
        except ValueError:
            continue  # not a rotation: tf2 ignores it as well
        yield Transform(each.header.frame_id, each.child_frame_id, pose)


def listen(receive: Receive, arguments: Sequence[str]) -> Callable[[], None]:
    """Start listening in a thread of its own and return what ends it."""
    rclpy.init(args=['hrdf', *arguments])
    return spin(RobotListener(receive))


def spin(node: Node) -> Callable[[], None]:
    """Serve a node in a thread of its own and return what ends both, and ROS."""
    executor = SingleThreadedExecutor()
    executor.add_node(node)

    def run() -> None:
        try:
            executor.spin()
        except ExternalShutdownException:
            pass  # the way in which it ends

    thread = Thread(target=run)
    thread.start()

    def end() -> None:
        rclpy.try_shutdown()
        thread.join()

    return end
