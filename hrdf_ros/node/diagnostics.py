# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The node's /diagnostics: the state of the description and of the joint states."""

from __future__ import annotations

from collections.abc import Callable
from typing import Optional

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from hrdf_ros.diagnostics import Report
from hrdf_ros.kinematics.dependent_solver import DependentSolver
from hrdf_ros.node.jobs import as_line, SHOWN
from hrdf_ros.node.robot_state import RobotState
from hrdf_ros.node.safe_callback import safe_callback
from hrdf_ros.node.texts import listed, one_line, short
import numpy as np
from rclpy.callback_groups import MutuallyExclusiveCallbackGroup
from rclpy.clock import Clock, ClockType
from rclpy.node import Node

_PERIOD = 1.0


class DiagnosticsPublisher:
    """Publishes the state of the description and of the joint states once a second."""

    def __init__(
        self, node: Node, live: Callable[[], Optional[RobotState]],
        failed: Callable[[], Optional[Report]],
    ) -> None:
        self._node = node
        self._live = live
        self._failed = failed
        self._counted = 0
        self._publisher = node.create_publisher(DiagnosticArray, '/diagnostics', 10)
        node.create_timer(
            _PERIOD, safe_callback(self._publish_diagnostics, node),
            MutuallyExclusiveCallbackGroup(), clock=Clock(clock_type=ClockType.STEADY_TIME))

    def _publish_diagnostics(self) -> None:
        live, name = self._live(), self._node.get_fully_qualified_name().lstrip('/')
        statuses = [description_status(name, live, self._failed())]
        if live is not None:
            received = live.activity.received - self._counted
            self._counted = live.activity.received
            statuses.append(joint_status(name, live, max(received, 0), _PERIOD))
        message = DiagnosticArray(status=statuses)
        message.header.stamp = self._node.get_clock().now().to_msg()
        self._publisher.publish(message)


def description_status(
    name: str, live: Optional[RobotState], failed: Optional[Report],
) -> DiagnosticStatus:
    """Return the loaded description and its diagnostics, or those of one that failed."""
    report = failed if failed is not None else live.robot.report if live else Report()
    status = _status(f'{name}: description')
    if failed is not None:
        status.level = DiagnosticStatus.ERROR
        status.message = (
            'the new description has errors, the last good one is kept' if live
            else 'the description has errors, nothing is published')
    elif live is None:
        status.level = DiagnosticStatus.WARN
        status.message = 'no robot is loaded'
    else:
        status.hardware_id = short(live.robot.description.name)
        status.message = f'{len(live.robot.model.bodies)} links published'
        warnings = sum(found.severity == 'warning' for found in report)
        if warnings:
            status.level = DiagnosticStatus.WARN
            status.message = f'{warnings} warnings in the description'
    status.values = [
        KeyValue(key=found.code, value=as_line(found)) for found in report.diagnostics[:SHOWN]
        if found.severity != 'info']
    return status


def joint_status(name: str, live: RobotState, received: int, seconds: float) -> DiagnosticStatus:
    """Return the state of joint_states: ``received`` messages in the last ``seconds``."""
    activity = live.activity
    problems = _problems(live, received)
    status = _status(f'{name}: joint states')
    status.hardware_id = short(live.robot.description.name)
    status.level = DiagnosticStatus.WARN if problems else DiagnosticStatus.OK
    status.message = one_line('; '.join(problems)) or 'joint states arrive'
    status.values = [
        KeyValue(key='rate', value=f'{received / seconds:.1f} Hz'),
        KeyValue(key='received', value=str(activity.received)),
        KeyValue(key='published', value=str(activity.published)),
        KeyValue(key='ignored', value=str(activity.ignored)),
    ]
    return status


def _problems(live: RobotState, received: int) -> list[str]:
    """Return a sentence for each fault of the joint states."""
    activity, model = live.activity, live.robot.model
    problems = []
    if not received and model.coordinates:
        problems.append('no joint states arrive')
    if activity.ignored:
        problems.append(f'{activity.ignored} messages ignored: {listed(list(activity.faults))}')
    if activity.not_finite:
        problems.append(f'{activity.not_finite} messages with positions that are not finite')
    if activity.unknown:
        problems.append(f'unknown joints: {listed(list(activity.unknown))}')
    solver = live.robot.solver(np.flatnonzero(live.reported).tolist())
    missing = [
        coordinate.name for index, coordinate in enumerate(model.coordinates)
        if not live.reported[index] and index not in solver.indices
        and index not in live.assumed]
    if missing:
        problems.append(f'never reported: {listed(missing)}')
    outside = np.flatnonzero(live.reported & (
        (live.positions < live.robot.lower) | (live.positions > live.robot.upper)))
    if len(outside):
        names = [model.coordinates[index].name for index in outside]
        problems.append(f'out of limits: {listed(names)}')
    problems += _loops(live, solver)
    return problems


def _loops(live: RobotState, solver: DependentSolver) -> list[str]:
    """Return a sentence for each closed loop that cannot close or is singular."""
    robot, problems = live.robot, []
    for state in solver.states(live.positions):
        names = listed([robot.model.joints[index].name for index in state.joints])
        if not state.closed.all():
            problems.append(f'the loop through {names} cannot close here')
        elif state.singular.any():
            problems.append(f'the loop through {names} is in a singular configuration')
    return problems


def _status(name: str) -> DiagnosticStatus:
    return DiagnosticStatus(name=name, level=DiagnosticStatus.OK)
