# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The ROS node: robot_description, TF from joint_states, lookups, diagnostics."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
import os
import threading
import time
from typing import Any, Optional

from diagnostic_msgs.msg import DiagnosticArray
from hrdf_ros.diagnostics import Report
from hrdf_ros.file_watch import FileWatch
from hrdf_ros.node.dedicated_executor import HotSubscriptions, Topic
from hrdf_ros.node.diagnostics import (
    description_status,
    joint_status,
    MOST_FINDINGS,
    one_line,
    shortened,
)
from hrdf_ros.node.multi_dof import coordinates_from_transform
from hrdf_ros.node.parameters import declare
from hrdf_ros.node.robot import load_robot, Robot
from hrdf_ros.node.safe_callback import guarded, refused, SERVICE_QOS
from hrdf_ros.node.settings import BadSetting, changed, RELOADING, Settings
from hrdf_ros.node.tf_buffer import ForeignFrames
from hrdf_ros.node.tf_publisher import (
    bytes_are_understood,
    ByteSender,
    MessageSender,
    pose_of,
    transform_message,
)
from hrdf_ros.node.tf_stream import Live, Throttle, TransformStream
from rcl_interfaces.msg import SetParametersResult
from rclpy.callback_groups import MutuallyExclusiveCallbackGroup
from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.qos import DurabilityPolicy, QoSPolicyKind, QoSProfile, ReliabilityPolicy
from rclpy.qos_overriding_options import QoSOverridingOptions
from sensor_msgs.msg import JointState, MultiDOFJointState
from std_msgs.msg import String
from std_srvs.srv import Trigger
from tf2_msgs.msg import TFMessage

_JOINT_STATES_QOS = QoSProfile(depth=50, reliability=ReliabilityPolicy.BEST_EFFORT)
"""Sensor data, with a queue that outlasts a pause of the interpreter."""
_LATCHED_QOS = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
_TF_QOS = QoSProfile(depth=100)
_OVERRIDES = QoSOverridingOptions.with_default_policies()
"""What a user may change of topics; of /tf, as with tf2_ros's broadcaster, one more."""
_TF_OVERRIDES = QoSOverridingOptions((*_OVERRIDES.policy_kinds, QoSPolicyKind.DURABILITY))
_DIAGNOSTICS_PERIOD = 1.0
_WATCH_PERIOD = 0.2


class DescriptionError(RuntimeError):
    """The description that the node was started with has errors; they are in the report."""

    def __init__(self, report: Report) -> None:
        super().__init__('the description cannot be used')
        self.report = report


class HrdfNode(Node):
    """
    Publishes a robot of any format, and answers where its frames are.

    Raises DescriptionError where the first description has errors and is not watched, BadSetting
    for a parameter that cannot be.
    """

    _joint_states: Optional[HotSubscriptions] = None
    _offered: Any = None

    def __init__(self, **options: Any) -> None:
        super().__init__('hrdf_ros', **options)
        self._settings = declare(self)
        self._steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._failed: Optional[Report] = None
        self._pending: Optional[Robot] = None
        self._heard = ''
        self._loading = threading.Lock()
        self._watch = FileWatch(())
        self._counted = 0
        self._tf = self.create_publisher(
            TFMessage, '/tf', _TF_QOS, qos_overriding_options=_TF_OVERRIDES)
        self._tf_static = self.create_publisher(
            TFMessage, '/tf_static', _LATCHED_QOS, qos_overriding_options=_OVERRIDES)
        self._diagnostics = self.create_publisher(DiagnosticArray, '/diagnostics', 10)
        self._description: Any = None
        self._sender = ByteSender if bytes_are_understood() else MessageSender
        if self._sender is MessageSender:
            self.get_logger().warning(
                'this middleware does not serialize as expected: transforms are sent as messages')
        self._stream = TransformStream(
            lambda frames: self._sender(self._tf, frames),
            lambda text: self.get_logger().warning(shortened(text)),
            lambda: self.get_clock().now().nanoseconds)
        self._watch_timer = self.create_timer(
            _WATCH_PERIOD, self._look_at_files, MutuallyExclusiveCallbackGroup(),
            clock=self._steady)
        self._follow_settings(self._settings)
        self._start_with_a_robot()
        self._joint_states = HotSubscriptions(
            self, (
                Topic(JointState, 'joint_states', self._stream.receive, raw=True),
                Topic(MultiDOFJointState, 'multi_dof_joint_states', self._on_multi_dof)),
            _JOINT_STATES_QOS, qos_overriding_options=_OVERRIDES)
        self._offer_services()
        self.add_on_set_parameters_callback(guarded(
            self._on_set_parameters, self,
            lambda reason, _: SetParametersResult(successful=False, reason=reason)))
        self.add_post_set_parameters_callback(self._on_parameters_set)
        self.create_timer(_DIAGNOSTICS_PERIOD, self._publish_diagnostics, clock=self._steady)

    def destroy_node(self) -> None:
        """Stop the threads of the joint states and the lookups, then the node."""
        for served in (self._joint_states, self._offered):
            if served is not None:
                served.end()
        super().destroy_node()

    @property
    def live(self) -> Optional[Live]:
        """The robot that is published, with its state."""
        return self._stream.live

    def _start_with_a_robot(self) -> None:
        """Load what the parameters name; where they name nothing, wait for a topic."""
        settings = self._settings
        if not settings.model and not settings.robot_description:
            self.get_logger().info(
                'neither model nor robot_description is set: waiting for a description on the '
                'topic robot_description')
            self.create_subscription(
                String, 'robot_description', self._on_description, _LATCHED_QOS)
            return
        if self._load() is None and not settings.watch:
            raise DescriptionError(self._failed or Report())

    def _offer_services(self) -> None:
        group = MutuallyExclusiveCallbackGroup()
        self.create_service(
            Trigger, '~/reload', guarded(self._on_reload, self, refused),
            qos_profile=SERVICE_QOS, callback_group=group)
        try:
            from hrdf_ros.node.services import Services
        except ImportError as error:
            if not (error.name or '').startswith('hrdf_ros_interfaces'):
                raise
            self.get_logger().warning(
                'hrdf_ros_interfaces is not on the path: transforms are published, but there are '
                'no lookup, list, validate and convert services. Build it with: colcon build '
                '--packages-select hrdf_ros_interfaces')
            return
        self._offered = Services(
            self, lambda: self.live, lambda: self._settings, ForeignFrames(self))

    def _on_multi_dof(self, message: MultiDOFJointState) -> None:
        """Take the transforms of ball, planar and free joints."""
        live = self.live
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
                self.get_logger().warning(
                    f"multi_dof_joint_states: '{name}' is no ball, planar or free joint",
                    throttle_duration_sec=10.0)
        stamp = message.header.stamp
        self._stream.receive_named(stamp.sec, stamp.nanosec, positions)

    # ---- descriptions

    def _load(self) -> Optional[Robot]:
        """Load the description and take it over if it is good; say what was found."""
        with self._loading:
            robot = self._read(self._settings)
            if robot is not None:
                self._take_over(robot)
            return robot

    def _read(self, settings: Settings) -> Optional[Robot]:
        """Return the robot that the settings describe, None with the findings logged."""
        began = time.time_ns()
        robot, report, files = load_robot(self._with_heard(settings))
        self._log(report)
        self._failed = None if robot is not None else report
        if robot is None:  # what was not reached this time may be what has to be mended
            files = (*files, *self._watch.files, os.path.expanduser(settings.model))
        self._watch = FileWatch(tuple(dict.fromkeys(filter(None, files))), began)
        return robot

    def _with_heard(self, settings: Settings) -> Settings:
        """Return the settings with the description from the topic where they name none."""
        if settings.model or settings.robot_description:
            return settings
        return settings._replace(robot_description=self._heard)

    def _take_over(self, robot: Robot) -> None:
        """Publish another robot from now on; what is known of its joints stays known."""
        live = Live(robot)
        if self.live is not None:
            live.continue_from(self.live)
        self._stream.live = live
        self._log(robot.written)
        if self._settings.model or self._settings.robot_description:
            if self._description is None:
                self._description = self.create_publisher(
                    String, 'robot_description', _LATCHED_QOS)
            self._description.publish(String(data=robot.urdf))
        stamp = self.get_clock().now().to_msg()
        self._tf_static.publish(TFMessage(transforms=[
            transform_message(parent, child, pose, stamp)
            for parent, child, pose in robot.static]))
        self.get_logger().info(
            f"publishing '{robot.described.name}': {len(robot.model.bodies)} links, "
            f'{len(robot.model.coordinates)} coordinates, root frame {robot.prefix}{robot.root}')

    def _log(self, report: Report) -> None:
        logger = self.get_logger()
        for found in islice(report, MOST_FINDINGS):
            # rclpy takes one severity from each place in the code, and raises for another
            if found.severity == 'error':
                logger.error(one_line(found))
            elif found.severity == 'warning':
                logger.warning(one_line(found))
            else:
                logger.debug(one_line(found))
        if len(report) > MOST_FINDINGS:
            logger.warning(f'and {len(report) - MOST_FINDINGS} more findings')

    def _on_description(self, message: String) -> None:
        """Take a description from the topic, where the parameters name none."""
        if not self._settings.model and not self._settings.robot_description:
            self._heard = message.data
            self._load()

    def _on_reload(self, _: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        """Read the description again."""
        if not self._is_described(self._settings):
            response.message = 'neither model nor robot_description is set'
            return response
        robot = self._load()
        response.success = robot is not None
        response.message = (
            f"loaded '{robot.described.name}'" if robot is not None
            else _reason(self._failed or Report()))
        return response

    def _look_at_files(self) -> None:
        """Reload when a watched file has changed."""
        if self._watch.changed():
            self.get_logger().info('a file of the model changed')
            self._load()

    # ---- parameters

    def _on_set_parameters(self, parameters: Sequence[Parameter]) -> SetParametersResult:
        """Refuse what cannot be; a new description is loaded before it is accepted."""
        try:
            settings = changed(
                self._settings, {parameter.name: parameter.value for parameter in parameters})
        except BadSetting as error:
            return SetParametersResult(successful=False, reason=str(error))
        if self._is_described(self._settings) and not self._is_described(settings):
            return SetParametersResult(
                successful=False, reason='neither model nor robot_description would be set')
        self._pending = None
        if self._needs_reload(settings):
            with self._loading:
                self._pending = self._read(settings)
            if self._pending is None:
                return SetParametersResult(
                    successful=False, reason=_reason(self._failed or Report()))
        return SetParametersResult(successful=True)

    def _needs_reload(self, settings: Settings) -> bool:
        differs = any(
            getattr(settings, name) != getattr(self._settings, name) for name in RELOADING)
        return differs and self._is_described(settings)

    def _is_described(self, settings: Settings) -> bool:
        described = self._with_heard(settings)
        return bool(described.model or described.robot_description)

    def _on_parameters_set(self, parameters: Sequence[Parameter]) -> None:
        """Follow parameters that were accepted."""
        with self._loading:
            self._settings = changed(
                self._settings, {parameter.name: parameter.value for parameter in parameters})
            self._follow_settings(self._settings)
            robot, self._pending = self._pending, None
            if robot is not None:
                self._take_over(robot)

    def _follow_settings(self, settings: Settings) -> None:
        frequency = settings.publish_frequency
        self._stream.throttle = Throttle(
            round(1e9 / frequency) if frequency else 0, settings.ignore_timestamp)
        if settings.watch:
            self._watch_timer.reset()
        else:
            self._watch_timer.cancel()

    # ---- diagnostics

    def _publish_diagnostics(self) -> None:
        live, name = self.live, self.get_fully_qualified_name().lstrip('/')
        statuses = [description_status(name, live, self._failed)]
        if live is not None:
            received = live.activity.received - self._counted
            self._counted = live.activity.received
            statuses.append(joint_status(name, live, max(received, 0), _DIAGNOSTICS_PERIOD))
        message = DiagnosticArray(status=statuses)
        message.header.stamp = self.get_clock().now().to_msg()
        self._diagnostics.publish(message)


def _reason(report: Report) -> str:
    """Return the first error of a report in one line."""
    return next((one_line(found) for found in report if found.severity == 'error'), '')
