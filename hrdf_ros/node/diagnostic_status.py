# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The node's /diagnostics: the state of the description and of the joint states."""

from __future__ import annotations

from typing import Optional

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from hrdf_ros.diagnostics import count_of, printable, Report
from hrdf_ros.node.callbacks import create_timer
from hrdf_ros.node.description import DescriptionLoader
from hrdf_ros.node.log_text import as_line, listed, one_line, short, SHOWN
from hrdf_ros.node.robot_state import RobotState
from hrdf_ros.node.tf_stream import TransformStream
import numpy as np
from rclpy.node import Node

_PERIOD = 1.0
_NAMES = 1000
"""The most names of one list in the values of a status."""


def start_diagnostics(node: Node, stream: TransformStream, loader: DescriptionLoader) -> None:
    """Publish the state of the description and of the joint states once a second."""
    name, counted_before = node.get_fully_qualified_name().lstrip('/'), 0
    publisher = node.create_publisher(DiagnosticArray, '/diagnostics', 10)

    def publish_diagnostics() -> None:
        nonlocal counted_before
        state = stream.state
        statuses = [description_status(name, state, loader.failed)]
        if state is not None:
            received = state.activity.received - counted_before
            counted_before = state.activity.received
            statuses.append(joint_status(name, state, max(received, 0), _PERIOD))
        message = DiagnosticArray(status=statuses)
        message.header.stamp = node.get_clock().now().to_msg()
        publisher.publish(message)

    create_timer(node, _PERIOD, publish_diagnostics)


def description_status(
    name: str, state: Optional[RobotState], failed: Optional[Report],
) -> DiagnosticStatus:
    """Return the loaded description and its diagnostics, or those of one that failed."""
    report = failed if failed is not None else state.robot.report if state else Report()
    status = DiagnosticStatus(name=f'{name}: description', level=DiagnosticStatus.OK)
    if failed is not None:
        status.level = DiagnosticStatus.ERROR
        status.message = (
            'the new description has errors, the last good one is kept' if state
            else 'the description has errors, nothing is published')
    elif state is None:
        status.level = DiagnosticStatus.WARN
        status.message = 'no robot is loaded'
    else:
        status.hardware_id = short(state.robot.model.name)
        status.message = f'{count_of(len(state.robot.model.bodies), "link")} published'
        warnings = sum(found.severity == 'warning' for found in report)
        if warnings:
            status.level = DiagnosticStatus.WARN
            status.message = f'{count_of(warnings, "warning")} in the description'
    status.values = [
        KeyValue(key=found.code, value=as_line(found)) for found in report.diagnostics[:SHOWN]
        if found.severity != 'info']
    return status


def joint_status(name: str, state: RobotState, received: int, seconds: float) -> DiagnosticStatus:
    """
    Return the state of joint_states: ``received`` messages in the last ``seconds``.

    The message has the first names of a list, the values have all of them.
    """
    activity, lists = state.activity, _lists(state)
    problems = ['no joint states arrive'] if not received and state.robot.model.coordinates else []
    if activity.not_finite:
        count = count_of(activity.not_finite, 'message')
        problems.append(f'{count} with positions that are not finite')
    problems += [f'{title}: {listed(names)}' for title, names in lists.items()]
    status = DiagnosticStatus(
        name=f'{name}: joint states', hardware_id=short(state.robot.model.name),
        level=DiagnosticStatus.WARN if problems else DiagnosticStatus.OK,
        message=one_line('; '.join(problems)) or 'joint states arrive')
    counts = {
        'rate': f'{received / seconds:.1f} Hz', 'received': activity.received,
        'published': activity.published, 'ignored': activity.ignored}
    status.values = [
        *(KeyValue(key=key, value=str(value)) for key, value in counts.items()),
        *(KeyValue(key=title, value=printable(', '.join(names[:_NAMES])))
          for title, names in lists.items())]
    return status


def _lists(state: RobotState) -> dict[str, list[str]]:
    """Return the faults of the joint states that concern some messages, joints or loops."""
    model, reported = state.robot.model, state.reported
    solver = state.robot.solver(np.flatnonzero(reported).tolist())
    known = state.assumed.union(solver.indices)
    outside = reported & (
        (state.positions < state.robot.lower) | (state.positions > state.robot.upper))
    loops = {
        ' - '.join(model.joints[index].name for index in loop.joints): loop
        for loop in solver.states(state.positions)}
    found = {
        'ignored messages': list(state.activity.faults),
        'unknown joints': list(state.activity.unknown),
        'never reported': [
            coordinate.name for index, coordinate in enumerate(model.coordinates)
            if not reported[index] and index not in known],
        'out of limits': [model.coordinates[index].name for index in np.flatnonzero(outside)],
        'loops that cannot close': [
            name for name, loop in loops.items() if not loop.closed.all()],
        'loops in a singular configuration': [
            name for name, loop in loops.items() if loop.closed.all() and loop.singular.any()]}
    return {title: names for title, names in found.items() if names}
