# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Initial poses on TF of the floating, planar and ball joints that are never reported.

Sliders (joint_state_publisher) do not move them, so that their links would have no transform.
Joints with one axis are left alone: what is never reported is never published.
"""

from __future__ import annotations

from collections.abc import Callable
import time
from typing import Optional

from hrdf_ros.kinematics.tf_transforms import TfTransforms
from hrdf_ros.node.callbacks import create_timer
from hrdf_ros.node.robot_state import RobotState, Sender
from hrdf_ros.node.settings import Settings
from rclpy.node import Node

_PATIENCE = 1.0
"""Seconds in which the joints may still be reported."""
_PERIOD = 0.05
"""Seconds between two messages; more where ``publish_frequency`` allows less."""


class InitialPoses:
    """Publishes initial poses while the parameter ``publish_initial`` is true."""

    def __init__(self, node: Node, state: Callable[[], Optional[RobotState]]) -> None:
        self._node = node
        self._state = state
        self._shown: Optional[RobotState] = None
        self._since = 0.0
        self._known: list[int] = []
        self._transforms: Optional[tuple[TfTransforms, Sender]] = None
        self._timer = create_timer(node, _PERIOD, self._publish)
        self._timer.cancel()

    def follow(self, settings: Settings) -> None:
        """Publish or not."""
        state = self._state()
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
        state = self._state()
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
