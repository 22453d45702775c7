# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The rules about descriptions and joint states."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from math import degrees, inf, pi

from hrdf_ros.doctor.case import (
    Case,
    counted,
    DESCRIPTION,
    is_shared,
    JOINT_STATES,
    JOINT_TOPIC,
    LISTED,
    needed,
    quoted,
    reported,
)
from hrdf_ros.doctor.facts import Finding
from hrdf_ros.model import Coordinate, Model
from hrdf_ros.parsing.suggestions import closest
from hrdf_ros.topology import span

_SLACK = 1e-3
"""The radians or meters by which a position may exceed a limit: encoders are not exact."""
_FOLLOWING = {'angle': 0.05, 'length': 0.002}
"""The radians or meters by which a joint may be off from where its leader moves it."""
_UNITS = {'angle': 'rad', 'length': 'm'}
_DEGREES = 'this looks like degrees, and joint states are in radians'
_ARM = 3
"""
The fewest joints without limits, each below the last, that are an arm.

A wheel below a swivel has two.
"""
_WOUND = 2
"""The fewest joints of an arm beyond a full turn that are reported: one alone may be wound up."""


# ---- descriptions

def no_description(case: Case) -> Iterator[Finding]:
    """Report that nobody publishes a description."""
    published = [each for each in case.facts.endpoints
                 if each.is_publisher and each.topic.endswith(DESCRIPTION)]
    if not published:
        waiting = sorted({each.node for each in case.facts.endpoints
                          if each.topic.endswith(DESCRIPTION)})
        yield Finding(
            'no-description', 'nobody publishes robot_description',
            'RViz, MoveIt and others get the robot from this topic',
            'hrdf node FILE, or ros2 launch hrdf_ros hrdf.launch.py model:=FILE',
            nodes=tuple(waiting))


def several_descriptions(case: Case) -> Iterator[Finding]:
    """Report two nodes that publish a description on the same topic."""
    for topic in case.facts.topics('std_msgs/msg/String'):
        nodes = case.facts.nodes(topic)
        if topic.endswith(DESCRIPTION) and len(nodes) > 1:
            yield Finding(
                'several-descriptions', f'{len(nodes)} nodes publish {topic}: {quoted(nodes)}',
                'who listens gets either of them, by chance',
                'stop one of them, or give each a namespace: --ros-args -r __ns:=/NAME',
                (topic,), tuple(nodes))


def silent_description(case: Case) -> Iterator[Finding]:
    """Report publishers of a description that have sent none."""
    heard = {each.topic for each in case.facts.descriptions}
    for each in case.facts.endpoints:
        if (each.is_publisher and each.is_latched and each.topic.endswith(DESCRIPTION)
                and each.topic not in heard):
            yield Finding(
                'silent-description', f'{each.node} has sent no description on {each.topic}',
                'it is still loading, or what it was given has errors',
                f'look at the log of {each.node}', (each.topic,), (each.node,))


def bad_description(case: Case) -> Iterator[Finding]:
    """Report a description that has errors."""
    for topic, result in case.loaded:
        error = result.report.first_error
        if result.model is None and error is not None:
            yield Finding(
                'bad-description', f'{topic} has an error: {error.message}',
                'no one can read this robot', 'hrdf check the file that the node was given',
                (topic,), tuple(case.facts.nodes(topic)))


def other_description(case: Case) -> Iterator[Finding]:
    """Report a running robot that is not the one in the file."""
    models = [result.model for _, result in case.loaded if result.model is not None]
    if not (case.has_file and models):
        return
    wanted, running = (
        {coordinate.name for coordinate in model.coordinates}
        for model in (case.robots[0].model, models[0]))
    if wanted != running:
        yield Finding(
            'other-description', 'the running robot has other joints than the file: '
            f'{quoted(sorted(wanted ^ running))}', 'the node was started with another file',
            'start the node with this file, or ros2 service call /hrdf_ros/reload '
            'std_srvs/srv/Trigger', tuple(sorted(wanted ^ running)),
            tuple(case.facts.nodes(case.robots[0].topic)))


# ---- joint states

def no_joint_states(case: Case) -> Iterator[Finding]:
    """Report that nobody publishes the joint states to which a robot subscribes."""
    for robot in case.robots:
        if not needed(robot) or any(map(case.facts.nodes, robot.joint_topics)):
            continue
        topic, others = robot.joint_topics[0], case.facts.topics(JOINT_STATES)
        if others:
            yield Finding(
                'other-topic', f'nobody publishes {topic}, only {quoted(others)}',
                'the namespaces of the robot and of its driver do not meet',
                f'start the node with --ros-args -r joint_states:={others[0]}', (topic, *others),
                tuple(case.facts.nodes(others[0])))
        else:
            yield Finding(
                'no-joint-states', f'nobody publishes {topic}',
                'the moving links of the robot are not on TF, and it is in pieces',
                f'start the driver, or try: {_move(needed(robot), topic)}', (topic,))


def _move(names: Sequence[str], topic: str) -> str:
    """Return the command that reports joints on a topic."""
    namespace, _, name = topic.rpartition('/')
    remap = f'__ns:={namespace}' if name == JOINT_TOPIC else f'joint_states:={topic}'
    return ' '.join((
        'hrdf move', *(f'{name}=0' for name in names[:LISTED]),
        *(() if topic == f'/{JOINT_TOPIC}' else ('--ros-args', '-r', remap))))


def silent_joint_states(case: Case) -> Iterator[Finding]:
    """Report publishers of joint states that send nothing."""
    heard = {each.topic for each in case.facts.joint_states if each.received}
    for topic in sorted({topic for robot in case.robots for topic in robot.joint_topics}):
        nodes = case.facts.nodes(topic)
        if nodes and topic not in heard and topic not in case.unreadable:
            yield Finding(
                'silent-joint-states', f'no message on {topic} in {case.facts.seconds:g} seconds',
                'the moving links of the robot are not on TF, and it is in pieces',
                f'look at the log of {nodes[0]}', (topic,), tuple(nodes))


def joint_not_reported(case: Case) -> Iterator[Finding]:
    """
    Report joints that no joint state has.

    If TF has such a joint, the node of the robot computes it, and nothing is reported.
    """
    moving = {each.child for each in case.facts.transforms if not each.is_static}
    for robot in case.robots:
        joints = reported(case, robot)
        children = {
            robot.model.coordinates[index].name: robot.model.bodies[joint.child].name
            for joint in robot.model.joints for index in joint.coordinates}
        missing = [name for name in needed(robot) if name not in joints
                   and robot.prefix + children.get(name, '') not in moving]
        if joints and missing:
            nodes = case.facts.nodes(robot.joint_topics[0])
            yield Finding(
                'joint-not-reported', f'nobody reports {counted(missing, "joint")}: '
                f'{quoted(missing)}', 'the links below them are not on TF',
                f'let the driver report them, or try: {_move(missing, robot.joint_topics[0])}',
                tuple(missing), tuple(nodes))


def unknown_joint(case: Case) -> Iterator[Finding]:
    """Report joints in joint states that the robot does not have."""
    for topic in sorted({topic for robot in case.robots for topic in robot.joint_topics}):
        listening = [robot for robot in case.robots if topic in robot.joint_topics]
        known = {each.name for robot in listening for each in robot.model.coordinates}
        for state in case.facts.joint_states:
            unknown = [name for name in state.joints if name not in known]
            if state.topic != topic or not unknown:
                continue
            prefix = _common_prefix(unknown, known)
            near = closest(unknown[0], sorted(known))
            meant = f"; the names have the prefix '{prefix}'" if prefix else (
                f"; did you mean '{near}'?" if near else '')
            fix = f"let the driver report names without '{prefix}'" if prefix else (
                f"rename '{unknown[0]}' in the driver"
                + (f" to '{near}'" if near else ', or load the description that has it'))
            yield Finding(
                'unknown-joint', f'{topic} reports {counted(unknown, "joint")} that the robot '
                f'does not have: {quoted(unknown)}{meant}', 'they are ignored', fix,
                tuple(unknown), tuple(case.facts.nodes(topic)))


def outside_limits(case: Case) -> Iterator[Finding]:
    """Report positions that exceed the joint's limits or are not finite."""
    for robot in case.robots:
        joints, nodes = reported(case, robot), case.facts.nodes(robot.joint_topics[0])
        for each in robot.model.coordinates:
            found = joints.get(each.name)
            if found is None:
                continue
            if not found.is_finite:
                yield Finding(
                    'no-number', f"the position of '{each.name}' is not a finite number",
                    'TF refuses the link', 'correct the driver', (each.name,), tuple(nodes))
            elif found.low < each.lower - _SLACK or found.high > each.upper + _SLACK:
                worst = found.low if found.low < each.lower - _SLACK else found.high
                why, fix = _outside(worst, each)
                yield Finding(
                    'outside-limits', f"'{each.name}' is at {worst:.4g}, outside of its limits "
                    f'{each.lower:.4g} and {each.upper:.4g}', why, fix, (each.name,), tuple(nodes))


def _outside(position: float, coordinate: Coordinate) -> tuple[str, str]:
    """Return why a position may be outside of the limits, and what corrects it."""
    if coordinate.kind == 'angle' and abs(position) > 2.0 * pi:
        return _DEGREES, _report_radians(position)
    in_meters = position / 1000.0
    if coordinate.kind == 'length' and abs(position) > 1.0 and (
            coordinate.lower <= in_meters <= coordinate.upper):
        return ('this looks like millimeters, and joint states are in meters',
                f'report {in_meters:.4g} for {position:.4g} mm')
    return ('the driver and the description disagree',
            'correct the limits in the description, or the zero of the driver')


def _report_radians(position: float) -> str:
    return f'report {position / degrees(1.0):.4g} for {position:.4g} degrees'


def degrees_without_limits(case: Case) -> Iterator[Finding]:
    """
    Report arms without limits of which several joints are beyond a full turn at once.

    Wheels, swivels and a single joint may have turned so far. Positions above 360 are not taken
    for degrees, which rarely exceed one turn.
    """
    for robot in case.robots:
        joints = reported(case, robot)
        wound = {
            name: found.high for name, found in joints.items()
            if found.is_finite and 2.0 * pi < abs(found.high) <= 360.0}
        far = _wound_in_arms(robot.model, wound) if len(wound) >= _WOUND else []
        if far:
            yield Finding(
                'degrees', f'joints without limits are more than a full turn from zero: '
                f"{quoted(far)}; '{far[0]}' is at {wound[far[0]]:.4g}",
                _DEGREES, _report_radians(wound[far[0]]), tuple(far),
                tuple(case.facts.nodes(robot.joint_topics[0])))


def _wound_in_arms(model: Model, wound: Collection[str]) -> list[str]:
    """Return the wound coordinates that are in arms with several of them, the root's first."""
    tree = span(model)
    names: dict[int, str] = {}
    counts: dict[int, tuple[int, int]] = {}
    for body in tree.order:
        joint = model.joints[tree.joint[body]] if tree.joint[body] >= 0 else None
        own = [model.coordinates[index]
               for index in (() if joint is None else joint.coordinates)]
        free, far = counts.get(tree.parent[body], (0, 0))
        if len(own) == 1 and own[0].kind == 'angle' and (
                own[0].lower, own[0].upper) == (-inf, inf):
            names[body] = own[0].name
            free, far = free + 1, far + (own[0].name in wound)
        counts[body] = free, far
    in_arms = {
        body for body, (free, far) in counts.items() if free >= _ARM and far >= _WOUND}
    for body in reversed(tree.order):
        if body in in_arms:
            in_arms.add(tree.parent[body])
    return [names[body] for body in tree.order
            if body in in_arms and names.get(body) in wound]


def mimic_differs(case: Case) -> Iterator[Finding]:
    """Report joints whose own positions differ from those to which their leader moves them."""
    for robot in case.robots:
        joints, coordinates = reported(case, robot), robot.model.coordinates
        for each in coordinates:
            leader = coordinates[each.mimic.leader].name if each.mimic is not None else ''
            if each.mimic is None or not all(
                    name in joints and joints[name].is_finite for name in (each.name, leader)):
                continue
            expected = sorted(
                each.mimic.multiplier * value + each.mimic.offset for value in joints[leader][:2])
            off = max(abs(a - b) for a, b in zip(expected, joints[each.name][:2]))
            if off > _FOLLOWING[each.kind]:
                yield Finding(
                    'mimic-differs', f"'{each.name}' is {off:.3g} {_UNITS[each.kind]} off from "
                    f"where '{leader}' moves it by <mimic>", 'its own position counts, and the '
                    'links do not fit together', f"let the driver report '{leader}' alone, or "
                    'correct multiplier and offset in the description', (each.name, leader),
                    tuple(case.facts.nodes(robot.joint_topics[0])))


def joint_twice(case: Case) -> Iterator[Finding]:
    """Report joints that several nodes report, or that a message has twice."""
    for state in case.facts.joint_states:
        nodes = tuple(case.facts.nodes(state.topic))
        repeated = [name for name, joint in state.joints.items() if joint.is_repeated]
        shared = [name for name, joint in state.joints.items() if joint.is_shared]
        if repeated:
            yield Finding(
                'repeated-joint', f'a message on {state.topic} has {counted(repeated, "joint")} '
                f'twice: {quoted(repeated)}', 'some nodes take the first position, others the '
                'last', 'send each joint once', tuple(repeated), nodes)
        if shared and is_shared(case, state.topic):
            yield Finding(
                'joint-twice', f'several nodes report {counted(shared, "joint")} on '
                f'{state.topic}: {quoted(shared)}', 'the robot jumps between them',
                'stop one of the nodes: sliders (joint_state_publisher) and a driver exclude each '
                'other', tuple(shared), nodes)


def uneven_joint_state(case: Case) -> Iterator[Finding]:
    """Report joint states with more or fewer positions than names."""
    for state in case.facts.joint_states:
        if state.is_uneven:
            yield Finding(
                'uneven-joint-state', f'messages on {state.topic} have more or fewer positions '
                'than names', 'such a message is ignored', 'send a position for each name',
                (state.topic,), tuple(case.facts.nodes(state.topic)))
        elif state.is_empty and not state.joints:
            yield Finding(
                'no-positions', f'messages on {state.topic} have no positions',
                'velocities and efforts do not say where a link is',
                'send a position for each name', (state.topic,),
                tuple(case.facts.nodes(state.topic)))


def _common_prefix(unknown: Sequence[str], known: set[str]) -> str:
    """Return the prefix without which all unknown names are known, '' if there is none."""
    for name in sorted(known, key=len, reverse=True):
        start = unknown[0][:-len(name)]
        if start and unknown[0].endswith(name) and all(
                one.startswith(start) and one[len(start):] in known for one in unknown):
            return start
    return ''
