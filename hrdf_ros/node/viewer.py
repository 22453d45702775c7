# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The ROS node of ``hrdf view``.

It listens to running robots: to robot_description, joint_states and TF. It publishes the values of
the sliders as joint_states, as joint_state_publisher_gui does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from threading import Thread

from hrdf_ros.load_result import LoadResult
from hrdf_ros.node.callbacks import create_timer, LATCHED_QOS
from hrdf_ros.node.log_text import refusal
from hrdf_ros.node.requests import load_text
from hrdf_ros.node.settings import Settings
from hrdf_ros.node.tf2 import pose_of, refusal_of
from hrdf_ros.node.worker import Worker, WorkerError
from hrdf_ros.pose import Pose
import rclpy
from rclpy.callback_groups import MutuallyExclusiveCallbackGroup
from rclpy.executors import ExternalShutdownException, MultiThreadedExecutor
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from rclpy.signals import SignalHandlerOptions
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

STATIC_QOS = QoSProfile(depth=100, durability=DurabilityPolicy.TRANSIENT_LOCAL)
TF_QOS = QoSProfile(depth=100)
_SENSOR = QoSProfile(depth=10, reliability=ReliabilityPolicy.BEST_EFFORT)
_GRACE = 1.0
"""The time in seconds within which a callback has to end."""
_PERIOD = 0.05
"""The time in seconds between two messages of the sliders, which is also TF's default."""

Receive = Callable[[str, object], None]
"""
A function that takes the kind and content of a message, as ``Viewer.receive`` of the viewer does.
"""


class ViewerNode:
    """A node with a thread of its own, from ``start`` to ``end``."""

    def __init__(self, arguments: Sequence[str]) -> None:
        rclpy.init(  # signals are left to the command
            args=['hrdf', *arguments], signal_handler_options=SignalHandlerOptions.NO)
        self._node = Node('hrdf_viewer')
        self._thread = Thread(target=self._spin, daemon=True)
        self._worker = Worker()
        self._ended = False
        self._positions: Mapping[str, float] = {}

    def listen(self, receive: Receive, namespaces: Sequence[str] = ('',)) -> None:
        """
        Listen to the robots of namespaces; the namespace '' is the node's own.

        TF is common to all. A worker process loads the descriptions, one at a time; meanwhile the
        latest description of each robot waits in the middleware.
        """
        self._worker.start()
        subscribe, group = self._node.create_subscription, MutuallyExclusiveCallbackGroup()

        def on_joints(namespace: str, message: JointState) -> None:
            if len(message.name) == len(message.position):
                receive('joints', (namespace, dict(zip(message.name, message.position))))

        def on_description(namespace: str, message: String) -> None:
            try:
                result = self._worker.run(
                    Settings().request_timeout, partial(load_text, message.data))
            except WorkerError as error:
                report = refusal(f'the description was not loaded: {error}')
                result = LoadResult(None, report, ())
            if not self._ended:
                receive('description', (namespace, result))

        def on_transforms(message: TFMessage) -> None:
            receive('transforms', list(transforms_of(message)))

        for namespace in namespaces:
            prefix = f'{namespace}/' if namespace else ''
            subscribe(
                String, f'{prefix}robot_description', partial(on_description, namespace),
                LATCHED_QOS, callback_group=group)
            subscribe(JointState, f'{prefix}joint_states', partial(on_joints, namespace), _SENSOR)
        for topic, qos in (('/tf', TF_QOS), ('/tf_static', STATIC_QOS)):
            subscribe(TFMessage, topic, on_transforms, qos)

    def advertise(self) -> str:
        """Publish the latest positions from now on, once there are any; return the topic."""
        publisher = self._node.create_publisher(JointState, 'joint_states', 10)

        def publish() -> None:
            positions = self._positions
            if positions:
                message = JointState(name=list(positions), position=list(positions.values()))
                message.header.stamp = self._node.get_clock().now().to_msg()
                publisher.publish(message)

        create_timer(self._node, _PERIOD, publish)
        return self._node.resolve_topic_name('joint_states')

    def start(self) -> None:
        """Serve the node in its thread."""
        self._thread.start()

    def publish(self, positions: Mapping[str, float]) -> None:
        """Publish these positions from now on; any thread may call this."""
        self._positions = dict(positions)

    def end(self) -> None:
        """Stop the thread, the node and ROS."""
        self._ended = True
        self._worker.end()
        rclpy.try_shutdown()
        if self._thread.is_alive():
            self._thread.join(timeout=_GRACE)
        self._node.destroy_node()

    def _spin(self) -> None:
        executor = MultiThreadedExecutor(2)
        executor.add_node(self._node)
        try:
            executor.spin()
        except ExternalShutdownException:
            pass  # ``end`` shuts ROS down


def transforms_of(message: TFMessage) -> Iterator[tuple[str, str, Pose]]:
    """Yield the parent, the child and parent_from_child of each transform that tf2 accepts."""
    for each in message.transforms:
        parent, child = each.header.frame_id.lstrip('/'), each.child_frame_id.lstrip('/')
        if not refusal_of(parent, child, each.transform):
            yield parent, child, pose_of(each.transform)
