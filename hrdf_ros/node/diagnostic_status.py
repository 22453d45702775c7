# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The node's messages on /diagnostics: the state of the description and of the joint states."""

from __future__ import annotations

from collections.abc import Sequence
import time
from typing import Optional

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from hrdf_ros.diagnostics import printable, Report
from hrdf_ros.doctor import Facts, Finding, JointFact, JointStateFact, judge_robot, Stamp
from hrdf_ros.doctor.case import CLOCK_TOPIC, DESCRIPTION, JOINT_STATES, LISTED, Robot
from hrdf_ros.listing import count_of
from hrdf_ros.node.callbacks import create_timer
from hrdf_ros.node.cdr import SECOND
from hrdf_ros.node.description import DescriptionLoader
from hrdf_ros.node.endpoints import endpoints_of
from hrdf_ros.node.log_text import as_line, listed, one_line, short, SHOWN
from hrdf_ros.node.robot_state import RobotState
from hrdf_ros.node.tf_stream import TransformStream
from rclpy.node import Node

_PERIOD = 1.0
"""The time in seconds between two messages, as is usual on /diagnostics."""
_NAMES = 1000
"""The maximum number of names in one value of a status."""
_NO_CLOCK = Finding(
    'no-clock', f'use_sim_time is true, but nobody publishes {CLOCK_TOPIC}',
    'the time of this node stands still', f'bridge {CLOCK_TOPIC} of the simulation, or start the '
    'node without use_sim_time')


def start_diagnostics(node: Node, stream: TransformStream, loader: DescriptionLoader) -> None:
    """Publish the state of the description and of the joint states once a second."""
    name, counted_before = node.get_fully_qualified_name().lstrip('/'), 0
    publisher = node.create_publisher(DiagnosticArray, '/diagnostics', 10)

    def publish_diagnostics() -> None:
        nonlocal counted_before
        state = stream.state
        statuses = [description_status(name, state, loader.failed)]
        if state is not None:
            received = max(state.activity.received - counted_before, 0)
            counted_before = state.activity.received
            statuses.append(joint_status(name, state, _findings(node, state, received), received))
        message = DiagnosticArray(status=statuses)
        message.header.stamp = node.get_clock().now().to_msg()
        publisher.publish(message)

    create_timer(node, _PERIOD, publish_diagnostics)


def _findings(node: Node, state: RobotState, received: int) -> list[Finding]:
    """Return what the rules of ``hrdf doctor``, except those on TF, find in the node's facts."""
    description, *topics = (node.resolve_topic_name(each) for each in (
        DESCRIPTION, 'joint_states', 'multi_dof_joint_states'))
    endpoints = endpoints_of(node, (description, *topics, CLOCK_TOPIC))
    published = {each.topic for each in endpoints if each.is_publisher}
    topic = next(filter(published.__contains__, topics), topics[0])
    if topic not in published:
        endpoints += endpoints_of(node, (
            name for name, kinds in node.get_topic_names_and_types() if JOINT_STATES in kinds))
    is_simulated, has_clock = node.get_parameter('use_sim_time').value, CLOCK_TOPIC in published
    simulated = node.get_clock().now().nanoseconds if is_simulated and has_clock else None
    facts = Facts(
        seconds=_PERIOD, endpoints=tuple(endpoints),
        joint_states=(joint_fact(state, topic, received, simulated),))
    robot = Robot(description, state.robot.model, (topic,), state.robot.prefix)
    return [*([] if has_clock or not is_simulated else [_NO_CLOCK]), *judge_robot(facts, robot)]


def description_status(
    name: str, state: Optional[RobotState], failed: Optional[Report],
) -> DiagnosticStatus:
    """Return the loaded description and its diagnostics, or those of the one that failed."""
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


def joint_status(
    name: str, state: RobotState, findings: Sequence[Finding], received: int,
) -> DiagnosticStatus:
    """
    Return the state of joint_states: ``received`` messages in the last period.

    Each value is a finding, or lists all names where a finding has only the first names.
    """
    activity, others = state.activity, _lists(state)
    problems = [each.message for each in findings]
    problems += [f'{title}: {listed(names)}' for title, names in others.items()]
    status = DiagnosticStatus(
        name=f'{name}: joint states', hardware_id=short(state.robot.model.name),
        level=DiagnosticStatus.WARN if problems else DiagnosticStatus.OK,
        message=one_line('; '.join(problems)) or 'joint states arrive')
    counts = {
        'rate': f'{received / _PERIOD:.1f} Hz', 'received': activity.received,
        'published': activity.published, 'ignored': activity.ignored}
    names = {
        each.rule: each.subjects for each in findings if len(each.subjects) > LISTED} | others
    status.values = [
        *(KeyValue(key=key, value=str(value)) for key, value in counts.items()),
        *(KeyValue(key=each.rule, value=one_line(f'{each.message}: {each.why}; {each.fix}'))
          for each in findings[:SHOWN]),
        *(KeyValue(key=title, value=printable(', '.join(found[:_NAMES])))
          for title, found in names.items())]
    return status


def joint_fact(
    state: RobotState, topic: str, received: int, simulated: Optional[int],
) -> JointStateFact:
    """
    Return what is known about the joint states; ``simulated`` is the time of /clock in ns.

    Joints that are computed or shown at their initial positions count as reported.
    """
    activity, positions = state.activity, state.positions.tolist()
    known = {*state.known, *state.assumed, *state.robot.solver(state.known).indices}
    coordinates = state.robot.model.coordinates
    joints = {name: JointFact(0.0, 0.0) for name in activity.unknown}
    for index in sorted(known):
        joints[coordinates[index].name] = JointFact(positions[index], positions[index])
    joints |= {name: JointFact(0.0, 0.0, is_finite=False) for name in activity.not_finite}
    stamp = Stamp(
        seconds=activity.stamp / SECOND, age=(time.time_ns() - activity.stamp) / SECOND,
        simulated_age=None if simulated is None else (simulated - activity.stamp) / SECOND)
    return JointStateFact(topic, joints, stamp, received=received)


def _lists(state: RobotState) -> dict[str, list[str]]:
    """Return the faults of messages and closed loops, which only the node can see."""
    model = state.robot.model
    solver = state.robot.solver(state.known)
    loops = {
        ' - '.join(model.joints[index].name for index in loop.joints): loop
        for loop in solver.states(state.positions)}
    found = {
        'ignored messages': list(state.activity.faults),
        'loops that cannot close': [
            name for name, loop in loops.items() if not loop.closed.all()],
        'loops in a singular configuration': [
            name for name, loop in loops.items() if loop.closed.all() and loop.singular.any()]}
    return {title: names for title, names in found.items() if names}
