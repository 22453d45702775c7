# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Running robots: their descriptions and transforms as they arrive, without ROS and browser.

Robots in several namespaces are one model, in which the names of each begin with its namespace.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from html import escape
from typing import NamedTuple, Optional

from hrdf_ros.diagnostics import Report
from hrdf_ros.model import Body, Coordinate, Frame, Joint, Model, NONE
from hrdf_ros.pose import compose, IDENTITY, inverse, Pose, translation
from hrdf_ros.topology import span

_SPACING = 1.2
"""Distance between robots that TF does not connect, in sizes of the largest one."""
_DEPTH = 2000
"""Ancestors of a frame that are looked at: whoever publishes TF may publish a long chain."""


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

    ``pose`` is scene_from_root; ``is_shared`` if it is relative to the frame that most share.
    """

    prefix: str
    root: str
    pose: Pose
    is_shared: bool


class TransformTree:
    """The newest transform of each frame."""

    def __init__(self) -> None:
        self._parents: dict[str, tuple[str, Pose]] = {}

    def update(self, transforms: Iterable[tuple[str, str, Pose]]) -> None:
        """Store newer transforms: parent, child, parent_from_child."""
        for parent, child, pose in transforms:
            self._parents[child.lstrip('/')] = parent.lstrip('/'), pose

    def prefix(
        self, links: Sequence[str], namespace: str = '', others: Collection[str] = (),
    ) -> str:
        """
        Return the prefix that most links have on TF, usually none.

        Prefixes of other namespaces come last; of equal ones the robot's own namespace wins.
        """
        known = {*self._parents, *(parent for parent, _ in self._parents.values())}
        found = {name[:-len(link)] for link in links[:3] for name in known if name.endswith(link)}

        def fit(prefix: str) -> tuple[bool, int, bool]:
            count = sum(prefix + link in known for link in links)
            return not _is_of(prefix, others), count, _is_of(prefix, (namespace,))

        return max(('', *sorted(found)), key=fit)

    def top(self, frame: str) -> Optional[str]:
        """Return the topmost frame that TF connects with this one, None if TF lacks it."""
        *_, top = self._ancestors(frame)
        is_known = frame in self._parents or any(
            parent == frame for parent, _ in self._parents.values())
        return top if is_known else None

    def relative(self, root: str, frame: str) -> Optional[Pose]:
        """Return root_from_frame, None where TF does not connect the two."""
        up = self._ancestors(frame)
        for ancestor, root_from_ancestor in self._ancestors(root).items():
            if ancestor in up:
                return compose(inverse(root_from_ancestor), up[ancestor])
        return None

    def _ancestors(self, frame: str) -> dict[str, Pose]:
        """Return ancestor_from_frame of all ancestors, the frame itself first."""
        found = {frame: IDENTITY}
        pose = IDENTITY
        while frame in self._parents and len(found) < _DEPTH:
            frame, parent_from_child = self._parents[frame]
            if frame in found:
                break
            pose = found[frame] = compose(parent_from_child, pose)
        return found


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
        self._shared: Optional[str] = None
        self.places: tuple[RobotPlace, ...] = ()

    @property
    def robots(self) -> list[NamespacedRobot]:
        """The robots whose descriptions are known, in the order of the namespaces."""
        return [self._known[name] for name in self._namespaces if name in self._known]

    def describe(self, namespace: str, model: Model, size: float) -> bool:
        """Store the description of a robot; return whether it is its first."""
        is_first = namespace not in self._known
        self._known[namespace] = NamespacedRobot(namespace.strip('/'), model, size)
        self.failed.pop(namespace, None)
        return is_first

    def update(self, transforms: Iterable[tuple[str, str, Pose]]) -> None:
        """Store newer transforms: parent, child, parent_from_child."""
        self._tree.update(transforms)

    def arrange(self) -> bool:
        """
        Find the places of the robots; return whether TF connects others than before.

        Those below one root frame of TF are where TF has them; the others stand beside them along
        y, or side by side from the origin.
        """
        robots, tree = self.robots, self._tree
        before = self._shared, [place.is_shared for place in self.places]
        prefixes = [tree.prefix(
            [body.name for body in robot.model.bodies], robot.namespace,
            [each.namespace for each in robots if each is not robot]) for robot in robots]
        roots = [prefix + robot.model.bodies[span(robot.model).order[0]].name
                 for robot, prefix in zip(robots, prefixes)]
        tops = [tree.top(root) for root in roots]
        frame, count = max(
            Counter(top for top in tops if top is not None).items(), key=lambda item: item[1],
            default=(None, 0))
        shared = self._shared = frame if count > 1 else None
        poses = [None if shared is None or top != shared else tree.relative(shared, root)
                 for top, root in zip(tops, roots)]
        spacing = _SPACING * max((robot.size for robot in robots), default=0.0)
        y = max((pose.y + spacing for pose in poses if pose is not None), default=0.0)
        places = []
        for prefix, root, pose in zip(prefixes, roots, poses):
            places.append(
                RobotPlace(prefix, root, pose or translation(0.0, y, 0.0), pose is not None))
            y += spacing if pose is None else 0.0
        self.places = tuple(places)
        return before != (shared, [place.is_shared for place in places])

    def link_poses(self) -> list[Optional[Pose]]:
        """Return scene_from_link of all links; None where TF does not connect it to its root."""
        poses = [(place, self._tree.relative(place.root, place.prefix + body.name))
                 for robot, place in zip(self.robots, self.places) for body in robot.model.bodies]
        return [None if pose is None else compose(place.pose, pose) for place, pose in poses]

    def about(self) -> str:
        """Return the places of the robots and the topics still missing, as HTML."""
        names: dict[bool, str] = {
            is_shared: escape(', '.join(
                robot.namespace for robot, place in zip(self.robots, self.places)
                if place.is_shared == is_shared)) for is_shared in (True, False)}
        lines = []
        if self._shared is not None:
            lines.append(f'{names[True]}: where TF has them in {escape(self._shared)}')
        if names[False] and len(self.robots) > 1:
            where = 'beside them' if names[True] else 'side by side at the origin'
            lines.append(f'{names[False]}: {where}; no frame of TF connects them with others')
        if len({place.root for place in self.places}) < len(self.places):
            lines.append(
                'robots with the same TF frames overlap: give each its namespace as frame_prefix')
        lines += [f'waiting for {escape(name)}/robot_description' for name in self._namespaces
                  if name and name not in self._known]
        return f'<div class="hrdf">{"".join(f"<div>{line}.</div>" for line in lines)}</div>'


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


def _is_of(prefix: str, namespaces: Collection[str]) -> bool:
    """Return whether a prefix is one of the namespaces, or the last part of one."""
    name = prefix.rstrip('/_')
    return bool(name) and any(
        name in (namespace, namespace.rpartition('/')[2]) for namespace in namespaces)


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
