# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Robots in namespaces as one model, and where TF has each of them; without ROS and browser."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape
from typing import NamedTuple, Optional

from hrdf_ros.model import Body, Coordinate, Frame, Joint, Model, NONE
from hrdf_ros.pose import compose, Pose, translation
from hrdf_ros.topology import span
from hrdf_ros.view.transform_tree import TransformTree

_SPACING = 1.2
"""Of the greatest robot's size: how far robots that TF does not connect stand apart."""


class NamespacedRobot(NamedTuple):
    """A robot of a namespace, without slashes around it; ``size`` in meters."""

    namespace: str
    model: Model
    size: float

    @property
    def prefix(self) -> str:
        """What its names begin with in lists."""
        return f'{self.namespace}/'


class RobotPlace(NamedTuple):
    """
    Where a robot is: its TF frames begin with ``prefix``, ``root`` is the one of its root link.

    ``pose`` is scene_from_root; ``is_shared`` tells that it is seen from the shared frame.
    """

    prefix: str
    root: str
    pose: Pose
    is_shared: bool


class Arrangement(NamedTuple):
    """The place of each robot, and the TF frame that most of them share, if any do."""

    frame: Optional[str]
    places: tuple[RobotPlace, ...]

    @property
    def groups(self) -> tuple[object, ...]:
        """What changes only when another frame connects the robots, or others of them."""
        return (self.frame, *(place.is_shared for place in self.places))


def combine(robots: Sequence[NamespacedRobot]) -> Model:
    """Return one model of all robots, in which the names of each have its prefix."""
    bodies: list[Body] = []
    joints: list[Joint] = []
    coordinates: list[Coordinate] = []
    frames: list[Frame] = []
    for robot in robots:
        model, prefix, body, first = robot.model, robot.prefix, len(bodies), len(coordinates)
        bodies += [
            each._replace(name=prefix + each.name, tag=_tag(prefix, each.tag))
            for each in model.bodies]
        joints += [_joint(each, prefix, body, first) for each in model.joints]
        coordinates += [_coordinate(each, prefix, first) for each in model.coordinates]
        frames += [
            each._replace(name=prefix + each.name, tag=_tag(prefix, each.tag),
                          body=_moved(each.body, body))
            for each in model.frames]
    return Model(
        name=', '.join(robot.prefix + robot.model.name for robot in robots),
        format=', '.join(dict.fromkeys(robot.model.format for robot in robots)), version='',
        root='', bodies=tuple(bodies), joints=tuple(joints), coordinates=tuple(coordinates),
        frames=tuple(frames))


def arrange(robots: Sequence[NamespacedRobot], tree: TransformTree) -> Arrangement:
    """
    Return where the robots are.

    Those below one root frame of TF are where TF has them; the others stand beside them along y,
    or side by side from the origin.
    """
    prefixes = [_prefix(robot, robots, tree) for robot in robots]
    roots = [prefix + _root_link(robot.model) for robot, prefix in zip(robots, prefixes)]
    tops = [tree.top(root) for root in roots]
    frame, count = max(
        Counter(top for top in tops if top is not None).items(), key=lambda item: item[1],
        default=(None, 0))
    shared = frame if count > 1 else None
    poses = [None if shared is None or top != shared else tree.relative(shared, root)
             for top, root in zip(tops, roots)]
    spacing = _SPACING * max((robot.size for robot in robots), default=0.0)
    y = max((pose.y + spacing for pose in poses if pose is not None), default=0.0)
    places = []
    for prefix, root, pose in zip(prefixes, roots, poses):
        places.append(RobotPlace(prefix, root, pose or translation(0.0, y, 0.0), pose is not None))
        y += spacing if pose is None else 0.0
    return Arrangement(shared, tuple(places))


def link_poses(
    robot: NamespacedRobot, place: RobotPlace, tree: TransformTree,
) -> list[Optional[Pose]]:
    """Return scene_from_link of each link, None where TF does not connect it with the root."""
    poses = (tree.relative(place.root, place.prefix + body.name) for body in robot.model.bodies)
    return [None if pose is None else compose(place.pose, pose) for pose in poses]


def about_group(
    robots: Sequence[NamespacedRobot], arrangement: Arrangement, waiting: Sequence[str],
) -> str:
    """Return where the robots are and what is waited for, as HTML."""
    lines = []
    shared = [robot.namespace for robot, place in zip(robots, arrangement.places)
              if place.is_shared]
    apart = [robot.namespace for robot, place in zip(robots, arrangement.places)
             if not place.is_shared]
    if arrangement.frame is not None:
        lines.append(f'{_listed(shared)}: where TF has them in {escape(arrangement.frame)}')
    if apart and len(robots) > 1:
        where = 'beside them' if shared else 'side by side at the origin'
        lines.append(f'{_listed(apart)}: {where}; no frame of TF connects them with others')
    if len({place.root for place in arrangement.places}) < len(robots):
        lines.append(
            'robots with the same TF frames lie over each other: give each its namespace as '
            'frame_prefix')
    lines += [f'waiting for {escape(topic)}' for topic in waiting]
    return f'<div class="hrdf">{"".join(f"<div>{line}.</div>" for line in lines)}</div>'


def _prefix(robot: NamespacedRobot, robots: Sequence[NamespacedRobot], tree: TransformTree) -> str:
    others = [each.namespace for each in robots if each is not robot]
    return tree.prefix([body.name for body in robot.model.bodies], robot.namespace, others)


def _root_link(model: Model) -> str:
    return model.bodies[span(model).order[0]].name


def _listed(names: Sequence[str]) -> str:
    return escape(', '.join(names))


def _tag(prefix: str, tag: str) -> str:
    return prefix + tag if tag else ''


def _moved(index: int, by: int) -> int:
    return index if index == NONE else index + by


def _joint(joint: Joint, prefix: str, body: int, first: int) -> Joint:
    return joint._replace(
        name=prefix + joint.name, parent=_moved(joint.parent, body),
        child=_moved(joint.child, body), motions=tuple(
            motion._replace(coordinates=tuple(index + first for index in motion.coordinates))
            for motion in joint.motions))


def _coordinate(coordinate: Coordinate, prefix: str, first: int) -> Coordinate:
    mimic = coordinate.mimic
    return coordinate._replace(
        name=prefix + coordinate.name,
        mimic=None if mimic is None else mimic._replace(leader=mimic.leader + first))
