# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Running robots: their descriptions and transforms as they arrive, without ROS and browser.

Robots in several namespaces are one model, in which the names of each begin with its namespace.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple, Optional

from hrdf_ros.diagnostics import Report
from hrdf_ros.model import Body, Coordinate, Frame, Joint, Model, NONE
from hrdf_ros.pose import compose, Pose, translation
from hrdf_ros.topology import span
from hrdf_ros.view.transform_tree import TransformTree

_SPACING = 1.2
"""Distance between robots that TF does not connect, in sizes of the largest one."""


class NamespacedRobot(NamedTuple):
    """A robot of a namespace, without slashes around it; ``size`` in meters."""

    namespace: str
    model: Model
    size: float

    @property
    def prefix(self) -> str:
        """The prefix of its names in lists, empty without a namespace."""
        return f'{self.namespace}/' if self.namespace else ''


class RobotPlace(NamedTuple):
    """
    The place of a robot: its TF frames begin with ``prefix``, ``root`` is its root link's frame.

    ``pose`` is scene_from_root; ``is_shared`` if it is relative to the shared frame.
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
        """A value that changes only when TF connects other robots, or by another frame."""
        return (self.frame, *(place.is_shared for place in self.places))


class LiveRobots:
    """
    The robots of namespaces; a single one may have none, which is the empty text.

    ``failed`` has the report of each description that has errors.
    """

    def __init__(self, namespaces: Sequence[str] = ('',)) -> None:
        self.failed: dict[str, Report] = {}
        self._namespaces = tuple(namespaces)
        self._tree = TransformTree()
        self._known: dict[str, NamespacedRobot] = {}
        self._arrangement = Arrangement(None, ())

    @property
    def robots(self) -> list[NamespacedRobot]:
        """The robots whose descriptions are known, in the order of the namespaces."""
        return [self._known[name] for name in self._namespaces if name in self._known]

    def describe(self, namespace: str, model: Model, size: float) -> bool:
        """Take over the description of a robot; return whether it is its first."""
        is_first = namespace not in self._known
        self._known[namespace] = NamespacedRobot(namespace.strip('/'), model, size)
        self.failed.pop(namespace, None)
        return is_first

    def update(self, transforms: Iterable[tuple[str, str, Pose]]) -> None:
        """Take over newer transforms: parent, child, parent_from_child."""
        self._tree.update(transforms)

    def arrange(self) -> bool:
        """Find the places of the robots; return whether other robots are connected now."""
        before, self._arrangement = self._arrangement, arrange(self.robots, self._tree)
        return self._arrangement.groups != before.groups

    @property
    def roots(self) -> list[Pose]:
        """The pose scene_from_root of each robot."""
        return [place.pose for place in self._arrangement.places]

    def link_poses(self) -> list[Optional[Pose]]:
        """Return scene_from_link of all links; None where TF does not connect it to its root."""
        return [pose for robot, place in zip(self.robots, self._arrangement.places)
                for pose in link_poses(robot, place, self._tree)]

    def about(self) -> str:
        """Return the places of the robots and the topics still missing, as HTML."""
        waiting = [f'{name}/robot_description' for name in self._namespaces
                   if name and name not in self._known]
        return about_group(self.robots, self._arrangement, waiting)


def combine(robots: Sequence[NamespacedRobot]) -> Model:
    """Return one model of all robots, in which the names of each have its prefix."""
    if len(robots) == 1 and not robots[0].prefix:
        return robots[0].model
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
    Return the places of the robots.

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
    """Return the places of several robots and the topics still missing, as HTML."""
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
            'robots with the same TF frames overlap: give each its namespace as frame_prefix')
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
