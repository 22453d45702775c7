# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The rules about stamps, TF and QoS."""

from __future__ import annotations

from collections.abc import Iterator

from hrdf_ros.doctor.case import (
    by_child,
    Case,
    counted,
    needed,
    quoted,
    STATIC_TOPIC,
    TF_TOPIC,
)
from hrdf_ros.doctor.facts import Finding, Stamp
from hrdf_ros.pose import compose, inverse, Pose

_LATE = 2.0
"""Seconds by which a stamp may differ: localization dates its transforms one second ahead."""
_SIMULATED = 1e8
"""Stamps in seconds below this are of a clock that began at zero."""
_MOVED = 1e-4
"""Meters, or length of a difference of quaternions, by which a fixed transform may differ."""


# ---- stamps

def stamps(case: Case) -> Iterator[Finding]:
    """Report messages from the past, the future or another clock, once for each topic."""
    for state in case.facts.joint_states:
        yield from _stamp(case, state.topic, state.stamp)
    faulty = {each.topic for each in case.facts.joint_states
              if any(_stamp(case, each.topic, each.stamp))}
    moving = [each for each in case.facts.transforms if not each.is_static]
    for each in moving if not faulty else ():  # these stamps are those of joint states
        found = next(_stamp(case, TF_TOPIC, each.stamp), None)
        if found is not None:
            yield found._replace(
                message=f"the transform of '{each.child}': {found.message}",
                subjects=(each.child,))
            return


def _stamp(case: Case, topic: str, stamp: Stamp) -> Iterator[Finding]:
    nodes = tuple(case.facts.nodes(topic))
    name = nodes[0] if len(nodes) == 1 else 'NODE'
    simulated = stamp.simulated_age
    age = stamp.age if simulated is None else simulated
    if abs(age) <= _LATE:
        return
    if stamp.seconds == 0.0:
        yield Finding(
            'no-stamp', f'messages on {topic} have no stamp', 'tf2 takes their transforms for '
            'those of the year 1970', 'set header.stamp to the time of the node', (topic,), nodes)
    elif simulated is not None and abs(stamp.age) <= _LATE:
        yield Finding(
            'other-clock', f'messages on {topic} have the time of the computer, but /clock gives '
            'simulated time', 'tf2 finds no common time',
            f'start {name} with --ros-args -p use_sim_time:=true', (topic,), nodes)
    elif simulated is None and stamp.seconds < _SIMULATED:
        yield Finding(
            'other-clock', f'messages on {topic} have simulated time, but nobody publishes /clock',
            'tf2 finds no common time',
            f'start {name} with --ros-args -p use_sim_time:=false, or bridge /clock of the '
            'simulation', (topic,), nodes)
    elif age > 0.0:
        yield Finding(
            'past', f'messages on {topic} are {age:.3g} seconds old',
            'tf2 drops them, or answers with where the robot was',
            'synchronize the clocks of the machines (chrony), or play bags with --clock', (topic,),
            nodes)
    else:
        yield Finding(
            'future', f'messages on {topic} are {-age:.3g} seconds ahead',
            'tf2 has no transform for now', 'synchronize the clocks of the machines (chrony)',
            (topic,), nodes)


# ---- TF

def transform_twice(case: Case) -> Iterator[Finding]:
    """Report transforms that several nodes publish."""
    for topic, is_static in ((TF_TOPIC, False), (STATIC_TOPIC, True)):
        shared = [each.child for each in case.facts.transforms
                  if each.is_shared and each.is_static == is_static]
        nodes = case.facts.nodes(topic)
        if shared:
            yield Finding(
                'transform-twice', f'several nodes publish {counted(shared, "transform")} on '
                f'{topic}: {quoted(shared)}', 'frames jump between them',
                'stop one of the nodes, or give each robot a frame_prefix: '
                '--ros-args -p frame_prefix:=NAME/', tuple(shared), tuple(nodes))


def several_parents(case: Case) -> Iterator[Finding]:
    """Report frames with two parents, or that are published as fixed and as moving."""
    for child, found in sorted(by_child(case).items()):
        parents = sorted({each.parent for each in found})
        topics = sorted({STATIC_TOPIC if each.is_static else TF_TOPIC for each in found})
        nodes = sorted({node for topic in topics for node in case.facts.nodes(topic)})
        if len(parents) > 1:
            yield Finding(
                'several-parents', f"'{child}' has {len(parents)} parents on TF: "
                f'{quoted(parents)}', 'TF is a tree: a frame has one parent, and this one jumps',
                f"stop the node that publishes '{child}' in one of them", (child, *parents),
                tuple(nodes))
        elif len(topics) > 1:
            yield Finding(
                'fixed-and-moving', f"'{child}' is on {TF_TOPIC} and on {STATIC_TOPIC}",
                'tf2 takes either of them', f"stop the node that publishes '{child}' on one of "
                'them', (child,), tuple(nodes))


def static_differs(case: Case) -> Iterator[Finding]:
    """Report fixed transforms that are not those of the description."""
    static = {(each.parent, each.child): each for each in case.facts.transforms if each.is_static}
    for robot in case.robots:
        for joint in robot.model.joints:
            parent, child = (
                robot.prefix + robot.model.bodies[body].name
                for body in (joint.parent, joint.child))
            found = static.get((parent, child))
            if joint.motions or found is None:
                continue
            expected = compose(joint.parent_from_joint, inverse(joint.child_from_joint))
            if _differ(expected, found.pose):
                yield Finding(
                    'static-differs', f"'{child}' in '{parent}' is not where the description has "
                    'it', 'somebody else publishes it, or the node was started with another file',
                    f"stop the other node that publishes '{child}', or restart the node",
                    (child, parent), tuple(case.facts.nodes(STATIC_TOPIC)))


def prefix(case: Case) -> Iterator[Finding]:
    """Report who uses a link without the robot's prefix, or with another one."""
    children = set(by_child(case))
    for robot in case.robots:
        links = {body.name for body in robot.model.bodies}
        own = {robot.prefix + link for link in links}
        for each in case.facts.transforms:
            link = next((one for one in links if each.parent.endswith(one)), None)
            if link is None or each.parent in own | children or each.child in own:
                continue
            if each.parent != link and each.parent[:-len(link)][-1] not in '/_':
                continue
            wanted = robot.prefix + link
            if wanted in children:
                yield Finding(
                    'prefix', f"'{each.child}' is below '{each.parent}', which is not on TF; the "
                    f"robot has '{wanted}'", 'the prefixes do not meet, so TF is in two parts',
                    f"publish '{each.child}' in '{wanted}'", (each.child, each.parent),
                    tuple(case.facts.nodes(STATIC_TOPIC if each.is_static else TF_TOPIC)))


def no_tf(case: Case) -> Iterator[Finding]:
    """Report robots without any link on TF."""
    frames = {name for each in case.facts.transforms for name in (each.parent, each.child)}
    for robot in case.robots:
        if robot.model.joints and not any(
                robot.prefix + body.name in frames for body in robot.model.bodies):
            if any(each.ranges for each in case.facts.joint_states) or not needed(robot):
                yield Finding(
                    'no-tf', f'no link of the robot of {robot.topic} is on TF',
                    'nobody makes transforms of its joint states', 'hrdf node FILE',
                    (robot.topic,))


# ---- QoS

def qos(case: Case) -> Iterator[Finding]:
    """Report subscriptions that ask for more than a publisher offers: nothing arrives."""
    for topic in sorted({each.topic for each in case.facts.endpoints}):
        both = [each for each in case.facts.endpoints if each.topic == topic]
        for publisher in (each for each in both if each.is_publisher):
            for heard in (each for each in both if not each.is_publisher):
                if heard.is_reliable and not publisher.is_reliable:
                    yield _qos(topic, publisher.node, heard.node, 'reliable', 'best effort')
                elif heard.is_latched and not publisher.is_latched:
                    yield _qos(topic, publisher.node, heard.node, 'transient local', 'volatile')


def _qos(topic: str, publisher: str, subscriber: str, wanted: str, offered: str) -> Finding:
    return Finding(
        'qos', f'{subscriber} gets nothing from {publisher} on {topic}: it asks for {wanted}, '
        f'which is {offered}', 'ROS connects only what is compatible',
        f'publish {topic} as {wanted}, or subscribe as {offered}', (topic,),
        (publisher, subscriber))


def _differ(first: Pose, second: Pose) -> bool:
    """Return whether two poses differ; a quaternion and its opposite are the same rotation."""
    far = max(abs(a - b) for a, b in zip(first.position, second.position))
    cosine = abs(sum(a * b for a, b in zip(first[3:], second[3:])))
    return far > _MOVED or 2.0 * max(1.0 - cosine, 0.0) > _MOVED ** 2
