# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Publish a robot: its description, its static transforms, then its moving joints."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
import time
from typing import Optional

from hrdf_ros.diagnostics import Report
from hrdf_ros.kinematics.tf_transforms import TfTransforms
from hrdf_ros.kinematics.transforms import Array, Indices
from hrdf_ros.listing import and_more
from hrdf_ros.node.answers import LoadAnswer
from hrdf_ros.node.callbacks import create_timer, LATCHED_QOS
from hrdf_ros.node.cdr import TransformTemplate
from hrdf_ros.node.log_text import as_line, short, SHOWN
from hrdf_ros.node.robot import Robot
from hrdf_ros.node.robot_state import RobotState, Sender
from hrdf_ros.node.settings import Settings
from hrdf_ros.node.tf_stream import TransformStream
from hrdf_ros.node.worker import out_of_collections
import numpy as np
from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.qos import QoSPolicyKind, QoSProfile
from rclpy.qos_overriding_options import QoSOverridingOptions
from std_msgs.msg import String

_TF_QOS = QoSProfile(depth=100)
OVERRIDES = QoSOverridingOptions.with_default_policies()
"""The policies of QoS that a user may change."""
_TF_OVERRIDES = QoSOverridingOptions((*OVERRIDES.policy_kinds, QoSPolicyKind.DURABILITY))
"""The policies of QoS that a user may change for /tf: durability too, as with tf2_ros."""

_PATIENCE = 1.0
"""The time in seconds to wait for reports of joints before publishing their initial poses."""
_PERIOD = 0.05
"""The minimum time in seconds between two messages; ``publish_frequency`` may ask for more."""


class RobotPublisher:
    """
    Publishes a robot, and replaces it.

    The publisher of the description is created before the description is read, so that others
    discover it in the meantime. The publishers of transforms are created later.
    """

    def __init__(self, node: Node, stream: TransformStream, settings: Settings) -> None:
        self._node = node
        self._stream = stream
        self._description: Optional[Publisher] = None
        self._transforms: Optional[tuple[Publisher, Publisher]] = None
        self._root = ''
        if settings.is_described:
            self._offer_description()

    def _offer_description(self) -> Publisher:
        """Return the publisher of the description, made by the first call."""
        if self._description is None:
            self._description = self._node.create_publisher(
                String, 'robot_description', LATCHED_QOS)
        return self._description

    def offer_transforms(self) -> tuple[Publisher, Publisher]:
        """Return the publishers of moving and static transforms, made by the first call."""
        if self._transforms is None:
            from tf2_msgs.msg import TFMessage  # the description does not wait for this import
            self._transforms = self._node.create_publisher(
                TFMessage, '/tf', _TF_QOS, qos_overriding_options=_TF_OVERRIDES,
            ), self._node.create_publisher(
                TFMessage, '/tf_static', LATCHED_QOS, qos_overriding_options=OVERRIDES)
        return self._transforms

    def publish(self, answer: LoadAnswer, settings: Settings) -> None:
        """Publish another robot from now on; the positions of joints are kept."""
        info = self._node.get_logger().info
        with out_of_collections():
            robot = Robot(answer, settings)
        if settings.is_described:
            self._offer_description().publish(String(data=answer.urdf))
        moving, static = self.offer_transforms()
        self._stream.replace(RobotState(robot, partial(_make_sender, moving), info))
        fixed = [index for index in robot.edges if not robot.used[index]]
        send = _make_sender(
            static, robot.frames_of(fixed), robot.motions(fixed).at_zero, np.arange(0))
        send(self._node.get_clock().now().nanoseconds, np.zeros(0))
        if answer.written:
            self.log(answer.written)
        for sentence in answer.unseen:
            self._node.get_logger().warning(sentence)
        root = short(robot.prefix + robot.root)
        if self._root not in ('', root):
            self._node.get_logger().warning(
                f"the root frame is '{root}', no longer '{self._root}': select it as the Fixed "
                'Frame of RViz')
        self._root = root
        info(
            f"publishing '{short(robot.model.name)}': {len(robot.model.bodies)} links, "
            f'{len(robot.model.coordinates)} coordinates, '
            f'root frame {root}')

    def log(self, report: Report) -> None:
        """Log the first diagnostics of a report and the number of the others."""
        logger = self._node.get_logger()
        for found in report.diagnostics[:SHOWN]:
            # rclpy accepts only one severity from each line of code, and raises for others
            if found.severity == 'error':
                logger.error(as_line(found))
            elif found.severity == 'warning':
                logger.warning(as_line(found))
            else:
                logger.debug(as_line(found))
        if len(report) > SHOWN:
            logger.warning(and_more(len(report) - SHOWN, 'diagnostics'))


class InitialPoses:
    """
    Publishes initial poses of unreported joints while the parameter ``publish_initial`` is true.

    joint_state_publisher's sliders do not move floating, planar and ball joints, so the links of
    these would have no transform. Joints with one axis are never published before they are
    reported.
    """

    def __init__(self, node: Node, stream: TransformStream) -> None:
        self._node = node
        self._stream = stream
        self._shown: Optional[RobotState] = None
        self._since = 0.0
        self._known: list[int] = []
        self._transforms: Optional[tuple[TfTransforms, Sender]] = None
        self._timer = create_timer(node, _PERIOD, self._publish)
        self._timer.cancel()

    def follow(self, settings: Settings) -> None:
        """Start or stop publishing, as the settings say."""
        state = self._stream.state
        if settings.publish_initial:
            period = max(_PERIOD, 1.0 / (settings.publish_frequency or 1.0 / _PERIOD))
            self._timer.timer_period_ns = round(period * 1e9)
            self._timer.reset()
        else:
            self._timer.cancel()
            self._shown = None
            if state is not None:
                state.assumed = frozenset()

    def _publish(self) -> None:
        state = self._stream.state
        if state is None:
            return
        if state is not self._shown:
            self._shown, self._since = state, time.monotonic()
            self._transforms = None
        if time.monotonic() < self._since + _PATIENCE:
            return
        if self._transforms is None or self._known != state.known:
            self._transforms = self._prepare(state)
        motions, send = self._transforms
        if state.assumed:
            send(self._node.get_clock().now().nanoseconds, motions.numbers(state.positions))

    def _prepare(self, state: RobotState) -> tuple[TfTransforms, Sender]:
        """Find the joints to publish; lookups use their initial positions from now on."""
        robot, self._known = state.robot, state.known
        edges, state.assumed = robot.unknown_edges(
            robot.solver(self._known).moved_by(self._known))
        motions = robot.motions(edges)
        return motions, state.make_sender(
            robot.frames_of(edges), motions.at_zero, motions.changing)


def _make_sender(
    publisher: Publisher, frames: Sequence[tuple[str, str]], at_zero: Array, changing: Indices,
) -> Sender:
    """Return a function that fills in and publishes a serialized message."""
    fill = TransformTemplate(frames, at_zero, changing).fill
    return lambda stamp, numbers: publisher.publish(fill(stamp, numbers))
