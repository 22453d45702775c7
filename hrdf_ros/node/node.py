# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The ROS node of one robot: robot_description, TF from joint_states, lookups."""

from __future__ import annotations

from collections.abc import Callable
import threading
from typing import Any

from hrdf_ros.limits import WAITING_REQUESTS
from hrdf_ros.node.description import declare, DescriptionLoader
from hrdf_ros.node.log_text import one_line
from hrdf_ros.node.robot_publisher import InitialPoses, RobotPublisher
from hrdf_ros.node.settings import Settings
from hrdf_ros.node.tf_stream import Throttle, TransformStream
from hrdf_ros.node.worker import out_of_collections, Worker
from rclpy.executors import MultiThreadedExecutor
from rclpy.node import Node
from rclpy.serialization import deserialize_message

_THREADS = WAITING_REQUESTS + 6
"""The number of threads of the executor: one per request that may wait, and six for the rest."""
GRACE = 1.0
"""The time in seconds within which callbacks have to return at shutdown."""
_NO_INTERFACES = (
    'hrdf_ros_interfaces is not on the path: transforms are published, but there are no lookup, '
    'list, validate and convert services. Build it with: colcon build '
    '--packages-select hrdf_ros_interfaces')


def _deserialize_joint_state(data: bytes) -> Any:
    from sensor_msgs.msg import JointState  # the description does not wait for this import
    return deserialize_message(data, JointState)


class HrdfNode(Node):
    """
    Publishes a robot of any format and answers lookups, once it is started.

    An invalid parameter raises BadSetting when the node is created.
    """

    def __init__(self, worker: Worker, **options: Any) -> None:
        super().__init__('hrdf_ros', **options)
        self._worker = worker
        self._ended = threading.Event()
        self._executor = MultiThreadedExecutor(_THREADS)
        self._spinning = threading.Thread(target=self._spin, name='executor', daemon=True)
        self._ends: list[Callable[[], None]] = []
        try:
            self.settings = declare(self)
        except BaseException:
            super().destroy_node()
            raise
        settings = self.settings
        if settings.isolation == 'none':
            worker.stay_in_node()
        self.stream = TransformStream(
            lambda text: self.get_logger().warning(one_line(text)),
            lambda: self.get_clock().now().nanoseconds, _deserialize_joint_state)
        self._publisher = RobotPublisher(self, self.stream, settings)
        self._initial_poses = InitialPoses(self, self.stream)
        self._loader = DescriptionLoader(self, settings, worker, self._publisher)
        self._follow(settings)

    def start(self, *, required: bool = True) -> None:
        """
        Load the description, then start everything that it and TF need not wait for.

        BadSetting is raised if the description has errors, is ``required``, and is not watched.
        """
        self._loader.start(required=required)
        from hrdf_ros.node.diagnostic_status import start_diagnostics
        from hrdf_ros.node.joint_states import JointStateInput
        from hrdf_ros.node.tf2 import BufferServer, TfBuffer
        self._publisher.offer_transforms()
        joint_states = JointStateInput(self, self.stream)
        frames = TfBuffer(self, self.stream)
        try:
            from hrdf_ros.node.services import Services
            Services(self, self._worker, self._loader, self.stream, frames)
        except ImportError as error:
            if not (error.name or '').startswith('hrdf_ros_interfaces'):
                raise
            self.get_logger().warning(_NO_INTERFACES)
        self._ends = [joint_states.end, BufferServer(self, frames).end]
        self._loader.follow_parameters(self._follow)
        start_diagnostics(self, self.stream, self._loader)
        with out_of_collections():
            pass  # the modules imported since are kept out, too

    def _follow(self, settings: Settings) -> None:
        """Follow the parameters that need no new load."""
        frequency = settings.publish_frequency
        self.stream.throttle = Throttle(
            round(1e9 / frequency) if frequency else 0, settings.ignore_timestamp)
        self._initial_poses.follow(settings)

    def serve(self) -> None:
        """Serve the node in threads of its own until it ends."""
        self._executor.add_node(self)
        self._spinning.start()

    def _spin(self) -> None:
        """Spin until the end; log exceptions of callbacks, so that no message ends the node."""
        while not self._ended.is_set():
            try:
                self._executor.spin()
            except Exception as error:  # noqa: BLE001
                if not self._ended.is_set() and self.context.ok():
                    self.get_logger().error(
                        f'a callback failed unexpectedly: {error!r}', throttle_duration_sec=1.0)

    def stop(self) -> None:
        """Begin to stop, without waiting: all jobs of the worker fail from now on."""
        self._ended.set()
        self._worker.end()

    def destroy_node(self) -> None:
        """Wait a while for the callbacks, then stop the threads and destroy the node."""
        if self._spinning.is_alive():
            self._executor.shutdown(timeout_sec=GRACE)
            self._spinning.join(timeout=GRACE)
        for end in self._ends:
            end()
        super().destroy_node()
