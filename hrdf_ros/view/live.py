# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Running robots: their descriptions and transforms as they arrive, without ROS or a browser.

Robots in several namespaces become one model, in which each robot's names begin with its
namespace.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from html import escape
from itertools import takewhile
from typing import NamedTuple, Optional

from hrdf_ros.diagnostics import Report
from hrdf_ros.limits import HEARD_CHARACTERS, HEARD_RECORD
from hrdf_ros.model import Body, Coordinate, Frame, Joint, Model, NONE
from hrdf_ros.pose import compose, IDENTITY, inverse, Pose, translation
from hrdf_ros.topology import span

_SPACING = 1.2
"""The distance between robots that TF does not connect, in sizes of the largest robot."""
_DEPTH = 2000
"""The most ancestors of a frame that are followed: anybody may publish a long chain on TF."""


class LiveRobot(NamedTuple):
    """
    The robot of a namespace, which is written without slashes at its ends, and its place.

    ``size`` is in meters. ``root_link`` is the name of the link that carries the others. The
    robot's frames on TF begin with ``prefix``; ``pose`` is scene_from_root of its root link. The
    robot ``is_shared`` if this pose is relative to the frame of TF that most robots share.
    """

    namespace: str
    model: Model
    size: float
    root_link: str
    prefix: str = ''
    pose: Pose = IDENTITY
    is_shared: bool = False

    @property
    def root(self) -> str:
        """The frame of the robot's root link on TF."""
        return self.prefix + self.root_link


class TransformTree:
    """The newest transform of each frame on TF; frames for which there is no room are ignored."""

    def __init__(self) -> None:
        self._parents: dict[str, tuple[str, Pose]] = {}
        self._room = HEARD_CHARACTERS

    def update(self, transforms: Iterable[tuple[str, str, Pose]]) -> None:
        """Store transforms (parent, child, parent_from_child), which are newer than all others."""
        for parent, child, pose in transforms:
            parent, child = parent.lstrip('/'), child.lstrip('/')
            known = self._parents.get(child)
            added = len(parent) - len(known[0]) if known else (
                HEARD_RECORD + len(parent) + len(child))
            if added <= self._room:
                self._room -= added
                self._parents[child] = parent, pose

    @property
    def frames(self) -> set[str]:
        """The names of all frames, parents and children."""
        return {*self._parents, *(parent for parent, _ in self._parents.values())}

    def prefix(
        self, links: Sequence[str], namespace: str = '', others: Collection[str] = (),
    ) -> str:
        """
        Return the prefix that most links have on TF, which is usually empty.

        Prefixes that are namespaces of other robots come last; among equals the robot's own
        namespace wins.
        """
        known, own = sorted(self.frames), set(links)
        found = {name[:-len(link)] for link in links[:3] for name in known if name.endswith(link)}

        def fit(prefix: str) -> tuple[bool, int, bool]:
            first = bisect_left(known, prefix)
            below = takewhile(
                lambda name: name.startswith(prefix),
                (known[index] for index in range(first, len(known))))
            count = sum(name[len(prefix):] in own for name in below)
            return not _is_of(prefix, others), count, _is_of(prefix, (namespace,))

        return max(('', *sorted(found)), key=fit)

    def has(self, frame: str) -> bool:
        """Return whether a frame is on TF, as a parent or a child."""
        return frame in self._parents or any(
            parent == frame for parent, _ in self._parents.values())

    def relative(self, root: str, frame: str) -> Optional[Pose]:
        """Return root_from_frame, or None if TF does not connect the two."""
        up = self.ancestors(frame)
        for ancestor, root_from_ancestor in self.ancestors(root).items():
            if ancestor in up:
                return compose(inverse(root_from_ancestor), up[ancestor])
        return None

    def ancestors(self, frame: str) -> dict[str, Pose]:
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
    The robots of several namespaces; a single robot may have the namespace ''.

    ``failed`` has the report of each namespace whose description has errors.
    """

    def __init__(self, namespaces: Sequence[str] = ('',)) -> None:
        self.failed: dict[str, Report] = {}
        self.tree = TransformTree()
        self._namespaces = tuple(namespaces)
        self._known: dict[str, LiveRobot] = {}
        self._shared: Optional[str] = None

    @property
    def robots(self) -> list[LiveRobot]:
        """The robots whose descriptions are known, in the order of the namespaces."""
        return [self._known[name] for name in self._namespaces if name in self._known]

    def describe(self, namespace: str, model: Model, size: float) -> bool:
        """Store the description of a robot; return whether it is the first from its namespace."""
        is_first = namespace not in self._known
        root = model.bodies[span(model).order[0]]
        self._known[namespace] = LiveRobot(namespace.strip('/'), model, size, root.name)
        self.failed.pop(namespace, None)
        return is_first

    def arrange(self) -> bool:
        """
        Find the places of the robots; return whether TF connects other robots than before.

        Robots below one root frame of TF are where TF has them. The other robots stand in a row
        along y, beside the first ones or from the origin on.
        """
        robots = self.robots
        before = self._shared, [robot.is_shared for robot in robots]
        robots = [robot._replace(prefix=self.tree.prefix(
            [body.name for body in robot.model.bodies], robot.namespace,
            [each.namespace for each in robots if each is not robot])) for robot in robots]
        ups = [self.tree.ancestors(robot.root) for robot in robots]
        tops = [[*up][-1] for robot, up in zip(robots, ups) if self.tree.has(robot.root)]
        frame, count = max(
            Counter(tops).items(), key=lambda item: item[1], default=(None, 0))
        self._shared = frame if count > 1 else None
        poses = [up.get(self._shared or '') for up in ups]
        spacing = _SPACING * max((robot.size for robot in robots), default=0.0)
        y = max((pose.y + spacing for pose in poses if pose is not None), default=0.0)
        for name, robot, pose in zip(filter(self._known.get, self._namespaces), robots, poses):
            self._known[name] = robot._replace(
                pose=pose or translation(0.0, y, 0.0), is_shared=pose is not None)
            y += spacing if pose is None else 0.0
        return before != (self._shared, [pose is not None for pose in poses])

    def link_poses(self) -> list[Optional[Pose]]:
        """Return scene_from_link of all links, or None for links that TF does not connect."""
        poses = [(robot.pose, self.tree.relative(robot.root, robot.prefix + body.name))
                 for robot in self.robots for body in robot.model.bodies]
        return [pose and compose(place, pose) for place, pose in poses]

    def about(self) -> str:
        """Return the places of the robots, and which topics are missing, as HTML."""
        robots, lines = self.robots, []
        placed, others = (escape(', '.join(
            robot.namespace for robot in robots if robot.is_shared == is_shared))
            for is_shared in (True, False))
        if placed:
            lines.append(f'{placed}: where TF has them in {escape(self._shared or "")}')
        if others and len(robots) > 1:
            where = 'beside them' if placed else 'side by side at the origin'
            lines.append(f'{others}: {where}; no frame of TF connects them with others')
        if len({robot.root for robot in robots}) < len(robots):
            lines.append(
                'robots with the same TF frames overlap: give each its namespace as frame_prefix')
        lines += [f'waiting for {escape(name)}/robot_description' for name in self._namespaces
                  if name and name not in self._known]
        return f'<div class="hrdf">{"".join(f"<div>{line}.</div>" for line in lines)}</div>'


def combine(robots: Sequence[LiveRobot]) -> Model:
    """Return one model of all robots, in which each robot's names begin with its namespace."""
    if len(robots) == 1 and not robots[0].namespace:
        return robots[0].model
    bodies: list[Body] = []
    joints: list[Joint] = []
    coordinates: list[Coordinate] = []
    frames: list[Frame] = []
    names = []
    for namespace, model, *_ in robots:
        prefix, first = f'{namespace}/' if namespace else '', len(coordinates)
        moved = [*range(len(bodies), len(bodies) + len(model.bodies)), NONE]  # NONE is -1
        names.append(prefix + model.name)
        bodies += [each._replace(name=prefix + each.name, tag=each.tag and prefix + each.tag)
                   for each in model.bodies]
        frames += [each._replace(name=prefix + each.name, tag=each.tag and prefix + each.tag,
                                 body=moved[each.body]) for each in model.frames]
        coordinates += [
            each._replace(name=prefix + each.name, mimic=each.mimic and each.mimic._replace(
                leader=each.mimic.leader + first)) for each in model.coordinates]
        joints += [
            each._replace(
                name=prefix + each.name, parent=moved[each.parent], child=moved[each.child],
                motions=tuple(motion._replace(coordinates=tuple(
                    index + first for index in motion.coordinates)) for motion in each.motions))
            for each in model.joints]
    return Model(
        name=', '.join(names), version='', root='', bodies=tuple(bodies), joints=tuple(joints),
        format=', '.join(dict.fromkeys(robot.model.format for robot in robots)),
        coordinates=tuple(coordinates), frames=tuple(frames))


def _is_of(prefix: str, namespaces: Collection[str]) -> bool:
    """Return whether a prefix is one of the namespaces, or the last part of one of them."""
    name = prefix.rstrip('/_')
    return bool(name) and any(
        name in (namespace, namespace.rpartition('/')[2]) for namespace in namespaces)
