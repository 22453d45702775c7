# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The rules about TF and QoS."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Optional

from hrdf_ros.doctor.case import (
    by_child,
    Case,
    counted,
    DESCRIPTION,
    is_shared,
    needed,
    quoted,
    STATIC_TOPIC,
    TF_TOPIC,
)
from hrdf_ros.doctor.facts import Finding
from hrdf_ros.pose import compose, inverse, Pose

_MOVED = 1e-4
"""
How far a fixed transform may differ: meters, or the norm of the difference of two quaternions.
"""


# ---- TF

def transform_twice(case: Case) -> Iterator[Finding]:
    """Report transforms that several nodes publish."""
    for topic, is_static in ((TF_TOPIC, False), (STATIC_TOPIC, True)):
        shared = [each.child for each in case.facts.transforms
                  if each.is_shared and each.is_static == is_static]
        nodes = case.facts.nodes(topic)
        if shared and is_shared(case, topic):
            yield Finding(
                'transform-twice', f'several nodes publish {counted(shared, "transform")} on '
                f'{topic}: {quoted(shared)}', 'frames jump between them',
                'stop one of the nodes, or give each robot a frame_prefix: '
                '--ros-args -p frame_prefix:=NAME/', tuple(shared), tuple(nodes))


def several_parents(case: Case) -> Iterator[Finding]:
    """Report frames that have two parents, or are published as both fixed and moving."""
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
    """Report fixed transforms that differ from the description."""
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
    """Report frames below a link's name without the robot's prefix, or with another one."""
    children = set(by_child(case))
    for robot in case.robots:
        links = {body.name for body in robot.model.bodies}
        own = {robot.prefix + link for link in links}
        known, longest = own | children, max(map(len, links), default=0)
        for each in case.facts.transforms:
            link = _link_of(each.parent, links, longest)
            if link is None or each.parent in known or each.child in own:
                continue
            wanted = robot.prefix + link
            if wanted in children:
                yield Finding(
                    'prefix', f"'{each.child}' is below '{each.parent}', which is not on TF; the "
                    f"robot has '{wanted}'", 'the prefixes do not meet, so TF is in two parts',
                    f"publish '{each.child}' in '{wanted}'", (each.child, each.parent),
                    tuple(case.facts.nodes(STATIC_TOPIC if each.is_static else TF_TOPIC)))


def _link_of(frame: str, links: Collection[str], longest: int) -> Optional[str]:
    """
    Return the longest link whose name, alone or behind / or _, ends the name of a frame.

    ``longest`` is the number of characters of the longest link.
    """
    for start in range(max(len(frame) - longest, 0), len(frame)):
        if (start == 0 or frame[start - 1] in '/_') and frame[start:] in links:
            return frame[start:]
    return None


def no_tf(case: Case) -> Iterator[Finding]:
    """Report described robots of which TF has no link."""
    frames = {name for each in case.facts.transforms for name in (each.parent, each.child)}
    for robot in case.robots:
        if robot.model.joints and case.facts.nodes(robot.topic) and not any(
                robot.prefix + body.name in frames for body in robot.model.bodies):
            if TF_TOPIC in case.unreadable:
                continue
            if any(each.joints for each in case.facts.joint_states) or not needed(robot):
                yield Finding(
                    'no-tf', f'no link of the robot of {robot.topic} is on TF',
                    'nobody makes transforms of its joint states', 'hrdf node FILE',
                    (robot.topic,))


def cycle(case: Case) -> Iterator[Finding]:
    """Report frames that are their own ancestors."""
    parents = {each.child: each.parent for each in case.facts.transforms}
    known: set[str] = set()
    for child in sorted(parents):
        path: dict[str, None] = {}
        while child in parents and child not in known:
            known.add(child)
            path[child] = None
            child = parents[child]
        if child in path:
            frames = [*path][[*path].index(child):]
            nodes = {node for topic in (TF_TOPIC, STATIC_TOPIC) for node in
                     case.facts.nodes(topic)}
            yield Finding(
                'cycle', f'TF goes around in a circle: {quoted([*frames, child])}',
                'TF is a tree: tf2 answers nothing about these frames',
                f"stop the node that publishes '{frames[0]}' in '{parents[frames[0]]}', or "
                'exchange its parent and child', tuple(frames), tuple(sorted(nodes)))


def not_connected(case: Case) -> Iterator[Finding]:
    """Report parts of TF without any link of a robot; links with a wrong prefix count as well."""
    neighbors: dict[str, set[str]] = {}
    for each in case.facts.transforms:
        neighbors.setdefault(each.parent, set()).add(each.child)
        neighbors.setdefault(each.child, set()).add(each.parent)
    links = [robot.prefix + body.name for robot in case.robots for body in robot.model.bodies]
    links = [link for link in links if link in neighbors]
    reached, ahead = set(links), [*links]
    ahead += [name for finding in prefix(case) for name in finding.subjects]
    while ahead:
        new = neighbors[ahead.pop()] - reached
        reached |= new
        ahead += new
    children = set(by_child(case))
    roots = sorted(set(neighbors) - reached - children)
    if links and roots:
        yield Finding(
            'not-connected', f'nothing on TF connects {quoted(roots)} and what is below with the '
            'robot', 'tf2 has no transform between the two',
            f"start the node that publishes the transform between '{roots[0]}' and '{links[0]}'",
            tuple(roots), tuple(case.facts.nodes(TF_TOPIC)))


def refused_transform(case: Case) -> Iterator[Finding]:
    """Report transforms that tf2 ignores."""
    for child, reason in case.facts.refused:
        nodes = {node for topic in (TF_TOPIC, STATIC_TOPIC) for node in case.facts.nodes(topic)}
        yield Finding(
            'refused-transform', f"the transform of '{child}' is refused: {reason}",
            'tf2 ignores it', 'correct the node that publishes it', (child,), tuple(sorted(nodes)))


# ---- topics

def other_type(case: Case) -> Iterator[Finding]:
    """Report nodes that publish a topic of robots, or subscribe to one, with another type."""
    for each in case.facts.endpoints:
        topic, kind = each.topic, case.types.get(each.topic, each.type)
        if each.type != kind:
            does, fix = ('publishes', 'publish') if each.is_publisher else (
                'subscribes to', 'subscribe to')
            yield Finding(
                'other-type', f'{each.node} {does} {topic} as {each.type}, but its type is {kind}',
                'ROS connects only endpoints of the same type, so nothing arrives',
                f'{fix} {topic} as {kind}, or rename it: --ros-args -r {topic}:=OTHER',
                (topic,), (each.node,))


# ---- QoS

def not_latched(case: Case) -> Iterator[Finding]:
    """Report publishers that send something once and do not keep it for late subscriptions."""
    for each in case.facts.endpoints:
        if (each.is_publisher and not each.is_latched and _is_sent_once(each.topic)
                and each.type == case.types.get(each.topic, each.type)):
            yield Finding(
                'not-latched', f'{each.node} publishes {each.topic} with volatile durability',
                'who starts later never gets it, and RViz gets nothing at all',
                f'publish {each.topic} with durability transient local', (each.topic,),
                (each.node,))


def qos(case: Case) -> Iterator[Finding]:
    """Report subscriptions that ask for more than a publisher offers, so that nothing arrives."""
    for topic in sorted({each.topic for each in case.facts.endpoints}):
        both = [each for each in case.facts.endpoints if each.topic == topic]
        for publisher in (each for each in both if each.is_publisher):
            for heard in (each for each in both if not each.is_publisher):
                if heard.type != publisher.type:
                    continue
                if heard.is_reliable and not publisher.is_reliable:
                    yield _qos(topic, publisher.node, heard.node, 'reliable', 'best effort')
                elif heard.is_latched and not publisher.is_latched and not _is_sent_once(topic):
                    yield _qos(topic, publisher.node, heard.node, 'transient local', 'volatile')


def _is_sent_once(topic: str) -> bool:
    return topic == STATIC_TOPIC or topic.endswith(DESCRIPTION)


def _qos(topic: str, publisher: str, subscriber: str, wanted: str, offered: str) -> Finding:
    return Finding(
        'qos', f'{subscriber} gets nothing from {publisher} on {topic}: it asks for {wanted}, '
        f'which is {offered}', 'ROS connects only what is compatible',
        f'publish {topic} as {wanted}, or subscribe as {offered}', (topic,),
        (publisher, subscriber))


def _differ(first: Pose, second: Pose) -> bool:
    """Return whether two poses differ; a quaternion and its negative are the same rotation."""
    far = max(abs(a - b) for a, b in zip(first.position, second.position))
    cosine = abs(sum(a * b for a, b in zip(first[3:], second[3:])))
    return far > _MOVED or 2.0 * max(1.0 - cosine, 0.0) > _MOVED ** 2
