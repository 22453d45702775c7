# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Joint states that animate a robot."""

from __future__ import annotations

import math

from hrdf_ros.model import Coordinate
from hrdf_ros.node.callbacks import create_timer
from hrdf_ros.node.node import HrdfNode
from sensor_msgs.msg import JointState

_PERIOD = 0.02
_SWEEP_SECONDS = 6.0
_UNLIMITED = {'angle': math.pi / 2.0, 'length': 0.1}
"""How far a coordinate without limits goes to each side, in radians or meters."""


class Animation:
    """Publishes joint_states on which every independent coordinate sweeps within its limits."""

    def __init__(self, node: HrdfNode) -> None:
        self._node = node
        self._ticks = 0
        self._publisher = node.create_publisher(JointState, 'joint_states', 10)
        self._timer = create_timer(node, _PERIOD, self._publish)

    def _publish(self) -> None:
        state = self._node.robot_state
        if state is None:
            return
        seconds = self._ticks * _PERIOD
        self._ticks += 1
        robot = state.robot
        coordinates = robot.model.coordinates
        driven = [
            coordinates[robot.coordinate[name]] for name in robot.kinematics.independent]
        message = JointState(
            name=[coordinate.name for coordinate in driven],
            position=[
                sweep(coordinate, seconds, index / max(1, len(driven)))
                for index, coordinate in enumerate(driven)])
        message.header.stamp = self._node.get_clock().now().to_msg()
        self._publisher.publish(message)

    def end(self) -> None:
        """Stop moving."""
        self._timer.cancel()


def sweep(coordinate: Coordinate, seconds: float, phase: float) -> float:
    """Return where a coordinate is: on a sine between its limits."""
    reach = _UNLIMITED[coordinate.kind]
    lower = coordinate.lower if math.isfinite(coordinate.lower) else (
        min(coordinate.upper, coordinate.initial_position + reach) - 2.0 * reach)
    upper = coordinate.upper if math.isfinite(coordinate.upper) else lower + 2.0 * reach
    turn = 2.0 * math.pi * (seconds / _SWEEP_SECONDS + phase)
    return (lower + upper) / 2.0 + (upper - lower) / 2.0 * math.sin(turn)
