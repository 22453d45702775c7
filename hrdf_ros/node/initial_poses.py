# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Floating, planar and ball joints that nobody reports, shown where they are initially.

Sliders (joint_state_publisher) do not move them, so that their links would have no transform.
Other joints are left alone: what has one axis and is never reported is never published.
"""

from __future__ import annotations

from collections.abc import Callable
import time
from typing import NamedTuple, Optional

from hrdf_ros.kinematics.tf_transforms import TfTransforms
from hrdf_ros.node.robot_state import RobotState, Sender
from hrdf_ros.node.safe_callback import safe_callback
from hrdf_ros.node.settings import Settings
import numpy as np
from rclpy.callback_groups import MutuallyExclusiveCallbackGroup
from rclpy.clock import Clock, ClockType
from rclpy.node import Node

_PATIENCE = 1.0
"""Seconds in which somebody may report the joints."""
_PERIOD = 0.05
"""Seconds between two messages; more where ``publish_frequency`` allows less."""


class _Shown(NamedTuple):
    """What is published of a robot of which so many coordinates are reported."""

    state: RobotState
    since: float
    reported: int
    motions: Optional[TfTransforms] = None
    send: Optional[Sender] = None


class InitialPoses:
    """Publishes what nobody reports, while the parameter ``publish_initial`` is true."""

    def __init__(self, node: Node, state: Callable[[], Optional[RobotState]]) -> None:
        self._node = node
        self._state = state
        self._shown: Optional[_Shown] = None
        self._timer = node.create_timer(
            _PERIOD, safe_callback(self._publish, node), MutuallyExclusiveCallbackGroup(),
            clock=Clock(clock_type=ClockType.STEADY_TIME))
        self._timer.cancel()

    def follow(self, settings: Settings) -> None:
        """Publish or not."""
        if settings.publish_initial:
            period = max(_PERIOD, 1.0 / settings.publish_frequency
                         if settings.publish_frequency else 0.0)
            self._timer.timer_period_ns = round(period * 1e9)
            self._timer.reset()
            return
        self._timer.cancel()
        state = self._state()
        if state is not None:
            state.assumed = frozenset()

    def _publish(self) -> None:
        state, now = self._state(), time.monotonic()
        if state is None:
            return
        shown = self._shown
        if shown is None or shown.state is not state:
            shown = self._shown = _Shown(state, now, -1)
        if now < shown.since + _PATIENCE:
            return
        count = int(np.count_nonzero(state.reported))
        if shown.reported != count:
            shown = self._shown = _assume(state, shown.since, count)
        if shown.send is not None and shown.motions is not None:
            seconds, nanoseconds = divmod(
                self._node.get_clock().now().nanoseconds, 1_000_000_000)
            shown.send(seconds, nanoseconds, shown.motions.numbers(state.positions))


def _assume(state: RobotState, since: float, count: int) -> _Shown:
    """Find out which joints have to be shown, and let lookups know."""
    robot = state.robot
    reported = np.flatnonzero(state.reported).tolist()
    edges, state.assumed = robot.unknown_edges(robot.solver(reported).moved_by(reported))
    if not edges:
        return _Shown(state, since, count)
    motions = robot.motions(edges)
    send = state.make_sender(robot.frames_of(edges), motions.at_zero, motions.changing)
    return _Shown(state=state, since=since, reported=count, motions=motions, send=send)

