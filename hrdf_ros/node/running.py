# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The ROS node of the commands that examine a running system, or move it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
import time
from types import TracebackType
from typing import Optional

from hrdf_ros.node.callbacks import LATCHED_QOS
from hrdf_ros.node.endpoints import full_name
from hrdf_ros.node.tf2 import pose_of
from hrdf_ros.node.viewer import STATIC_QOS, TF_QOS, transforms_of
from hrdf_ros.pose import Pose
from hrdf_ros.view.live import TransformTree
import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy
from rclpy.signals import SignalHandlerOptions
from rclpy.topic_endpoint_info import TopicEndpointInfo
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

_LOOKUP = 'hrdf_ros_interfaces/srv/LookupFrame'
_PERIOD = 0.05
"""The time in seconds between two joint states, and at most between checks of a condition."""


class NoLookup(Exception):
    """
    No node answers a lookup of a frame.

    The message says why; the message is empty if there is no node to ask.
    """


class RunningSystem:
    """
    A command's node in a running system, for a ``with`` statement.

    Callbacks only run during ``wait``. Signals are left to the command.
    """

    def __init__(self, name: str, arguments: Sequence[str]) -> None:
        rclpy.init(args=['hrdf', *arguments], signal_handler_options=SignalHandlerOptions.NO)
        self.node = Node(name, start_parameter_services=False, enable_rosout=False)
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self.node)

    def __enter__(self) -> RunningSystem:
        return self

    def __exit__(
        self, kind: Optional[type[BaseException]], error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self._executor.shutdown()
        self.node.destroy_node()
        rclpy.try_shutdown()

    def wait(self, seconds: float, condition: Callable[[], object] = lambda: False) -> bool:
        """Wait until a condition holds or the seconds are over; return whether it holds."""
        end = time.monotonic() + seconds
        while not condition() and (left := end - time.monotonic()) > 0.0:
            self._executor.spin_once(min(left, _PERIOD))
        return bool(condition())

    def robot(self) -> MovableRobot:
        """Return the robot of the node's namespace."""
        return MovableRobot(self)

    def other_publishers(self, topic: str) -> list[str]:
        """Return the names of the other nodes that publish a topic."""
        own = full_name(self.node.get_name(), self.node.get_namespace())
        publishers = _nodes(self.node.get_publishers_info_by_topic(topic))
        return [name for name in publishers if name != own]

    def listen_to_tf(self) -> TransformTree:
        """Return the transforms on TF, which are up to date after each wait."""
        tree = TransformTree()

        def receive(message: TFMessage) -> None:
            tree.update(transforms_of(message))

        for topic, qos in (('/tf', TF_QOS), ('/tf_static', STATIC_QOS)):
            self.node.create_subscription(TFMessage, topic, receive, qos)
        return tree

    def look_up(self, frame: str, relative_to: str, seconds: float) -> tuple[str, Pose]:
        """
        Ask a node with lookup_frame; return the frame that the pose is relative to, and the pose.

        If no node answers within the seconds, or none knows the frame, NoLookup is raised.
        """
        names = sorted(
            name for name, kinds in self.node.get_service_names_and_types() if _LOOKUP in kinds)
        if not names:
            raise NoLookup
        try:
            from hrdf_ros_interfaces.srv import LookupFrame  # a package of its own
        except ImportError:
            raise NoLookup('hrdf_ros_interfaces is not built or not sourced') from None
        client = self.node.create_client(LookupFrame, names[0])
        try:
            client.wait_for_service(seconds)
            future = client.call_async(LookupFrame.Request(frame=frame, relative_to=relative_to))
            if not self.wait(seconds, future.done):
                raise NoLookup(f'{names[0]} does not answer')
        finally:
            self.node.destroy_client(client)
        answer = future.result()
        if not answer.success:
            raise NoLookup(f'{names[0]}: {answer.message}')
        transform = answer.transform
        return transform.header.frame_id, pose_of(transform.transform)


class MovableRobot:
    """
    What the outside of a robot's node is: robot_description, and the topic joint_states.

    A node that has just been started offers a description before it has read it, and listens to
    joint states afterwards.
    """

    def __init__(self, system: RunningSystem) -> None:
        self._system = system
        self._texts: list[String] = []
        system.node.create_subscription(
            String, 'robot_description', self._texts.append, LATCHED_QOS)
        self._states = system.node.create_publisher(JointState, 'joint_states', 10)

    @property
    def topic(self) -> str:
        """The full name of the topic of joint states."""
        return str(self._states.topic_name)

    @property
    def description(self) -> Optional[str]:
        """The newest text of robot_description, None if none has come."""
        return self._texts[-1].data if self._texts else None

    @property
    def offering(self) -> list[str]:
        """The nodes that publish robot_description so that it is received, now or later."""
        node = self._system.node
        topic = node.resolve_topic_name('robot_description')
        return _nodes(
            each for each in node.get_publishers_info_by_topic(topic)
            if each.qos_profile.durability == DurabilityPolicy.TRANSIENT_LOCAL)

    @property
    def is_listening(self) -> bool:
        """Whether somebody subscribes to joint states."""
        return self._states.get_subscription_count() > 0

    @property
    def listeners(self) -> list[str]:
        """The nodes that subscribe to joint states."""
        return _nodes(self._system.node.get_subscriptions_info_by_topic(self.topic))

    def move(self, positions: Mapping[str, float], seconds: float) -> None:
        """
        Publish joint states for some seconds.

        One message is not enough: a subscription may discover the publisher after the publisher
        has discovered it.
        """
        message = JointState(name=list(positions), position=list(positions.values()))
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            message.header.stamp = self._system.node.get_clock().now().to_msg()
            self._states.publish(message)
            self._system.wait(_PERIOD)


def _nodes(endpoints: Iterable[TopicEndpointInfo]) -> list[str]:
    """Return the names of the nodes that have endpoints."""
    return sorted({full_name(each.node_name, each.node_namespace) for each in endpoints})
