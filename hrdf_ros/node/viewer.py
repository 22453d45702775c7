# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A running robot in the viewer: robot_description, joint_states and TF."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from threading import Thread

from hrdf_ros.node.description_reader import DescriptionReader
from hrdf_ros.pose import from_quaternion
from hrdf_ros.view.transform_tree import Transform
import rclpy
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from rclpy.signals import SignalHandlerOptions
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

_LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
_STATIC = QoSProfile(depth=100, durability=DurabilityPolicy.TRANSIENT_LOCAL)
_TF = QoSProfile(depth=100)
_GRACE = 1.0
"""Seconds that a callback has for coming to an end."""
_SENSOR = QoSProfile(depth=10, reliability=ReliabilityPolicy.BEST_EFFORT)

Receive = Callable[[str, object], None]
"""What takes a message: its kind and content, see ``LiveViewer.receive``."""


class RobotListener(Node):
    """
    Listens to robots: their descriptions and joints in namespaces, TF wherever it is.

    Without namespaces it is one robot, in the node's own. With them the content of what is
    received of a robot is ``(namespace, content)``, the namespace as it is given. Descriptions
    are loaded by a process of its own before they are received.
    """

    def __init__(self, receive: Receive, namespaces: Sequence[str] = ()) -> None:
        super().__init__('hrdf_viewer')
        self._receive = receive
        self._reader = DescriptionReader()
        if not namespaces:
            self._hear('', receive)
        for namespace in namespaces:
            self._hear(f'{namespace}/', partial(_receive_of, receive, namespace))
        for topic, qos in (('/tf', _TF), ('/tf_static', _STATIC)):
            self.create_subscription(TFMessage, topic, self._on_transforms, qos)

    def _hear(self, prefix: str, receive: Receive) -> None:
        """Listen to the description and the joints of a robot."""
        def on_joints(message: JointState) -> None:
            if len(message.name) == len(message.position):
                receive('joints', dict(zip(message.name, message.position)))

        def on_description(message: String) -> None:
            self._reader.read(prefix, message.data, partial(receive, 'description'))

        self.create_subscription(
            String, f'{prefix}robot_description', on_description, _LATCHED)
        self.create_subscription(JointState, f'{prefix}joint_states', on_joints, _SENSOR)

    def destroy_node(self) -> None:
        """End what reads descriptions, then the node."""
        self._reader.end()
        super().destroy_node()

    def _on_transforms(self, message: TFMessage) -> None:
        self._receive('transforms', list(_transforms(message)))


def _receive_of(receive: Receive, namespace: str, kind: str, content: object) -> None:
    receive(kind, (namespace, content))


def _transforms(message: TFMessage) -> Iterator[Transform]:
    for each in message.transforms:
        at, turned = each.transform.translation, each.transform.rotation
        try:
            pose = from_quaternion((at.x, at.y, at.z), (turned.x, turned.y, turned.z, turned.w))
        except ValueError:
            continue  # not a rotation: tf2 ignores it as well
        yield Transform(each.header.frame_id, each.child_frame_id, pose)


def listen(
    receive: Receive, arguments: Sequence[str], namespaces: Sequence[str] = (),
) -> Callable[[], None]:
    """Start listening in a thread of its own and return what ends it."""
    init(arguments)
    return spin(RobotListener(receive, namespaces))


def init(arguments: Sequence[str]) -> None:
    """Start ROS; signals are left to the command."""
    rclpy.init(args=['hrdf', *arguments], signal_handler_options=SignalHandlerOptions.NO)


def spin(node: Node) -> Callable[[], None]:
    """Serve a node in a thread of its own and return what ends both, and ROS."""
    executor = SingleThreadedExecutor()
    executor.add_node(node)

    def run() -> None:
        try:
            executor.spin()
        except ExternalShutdownException:
            pass  # the way in which it ends

    thread = Thread(target=run, daemon=True)
    thread.start()

    def end() -> None:
        rclpy.try_shutdown()
        thread.join(timeout=_GRACE)
        node.destroy_node()

    return end
