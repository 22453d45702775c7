# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Planning groups of a robot: from its base to each end effector.

Links that fixed joints connect move as one; here they are a segment, named by its first link. A
group ends at

- each end effector that the description names (HRDF),
- a segment that carries a gripper: several short branches at the end of an arm, which become a
  group of their own, and
- each other segment that nothing moves against, except a wheel.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
import re
from typing import NamedTuple, Optional

from hrdf_ros.model import Joint, NONE
from hrdf_ros.moveit.robot import SINGLE_AXIS, UrdfRobot
from hrdf_ros.names import Names
from hrdf_ros.parsing.suggestions import one_of
from hrdf_ros.pose import compose, dot, rotate, Vector
from hrdf_ros.topology import zero_poses

ARM_JOINTS = 3
"""The fewest joints of an arm at whose end short branches count as a gripper."""
_RIGHT_ANGLE = 0.1
"""The cosine of an angle up to which axes count as perpendicular."""
_FINGER_JOINTS = 3
"""The most joints of a branch that counts as a finger."""


class GroupError(ValueError):
    """The robot cannot have this group; the text says why."""


class Group(NamedTuple):
    """
    A planning group: a chain from base to tip, or joints and links by name, or other groups.

    ``joints`` of a chain are the leaders, outside of the chain, of mimic joints in it. ``active``
    are the joints with a position of their own, in document order.
    """

    name: str
    chain: Optional[tuple[str, str]] = None
    joints: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    active: tuple[str, ...] = ()


class EndEffector(NamedTuple):
    """An end effector: its ``group`` is fixed to the ``parent_link`` of ``parent_group``."""

    name: str
    group: str
    parent_link: str
    parent_group: str


class PlanningGroups(NamedTuple):
    """The groups of a robot and its end effectors."""

    groups: tuple[Group, ...]
    end_effectors: tuple[EndEffector, ...]

    @property
    def has_arm(self) -> bool:
        """Whether a group has as many joints as an arm."""
        return any(len(group.active) >= ARM_JOINTS for group in self.groups if not group.groups)


_Tip = tuple[int, tuple[int, ...]]
"""The link at which a group ends, and the joints of the gripper after it."""


def planning_groups(
    robot: UrdfRobot, asked: Sequence[tuple[str, str, str]] = (),
) -> PlanningGroups:
    """
    Return the planning groups of a robot.

    ``asked`` has the name, base link and tip link of groups that replace those of the tree; an
    empty base link means the robot's. An unknown link, or links that form no chain, raise
    GroupError.
    """
    builder = _GroupBuilder(robot)
    for name, base, tip in asked:
        builder.add_asked(name, base, tip)
    if not asked:
        builder.add_found()
    return PlanningGroups(tuple(builder.groups), tuple(builder.end_effectors))


def wheel_joints(robot: UrdfRobot) -> tuple[str, ...]:
    """Return the joints of wheels and casters, which are in no group that the tree suggests."""
    builder = _GroupBuilder(robot)
    builder.add_found()
    return tuple(builder.wheels)


class _GroupBuilder:
    """
    Collects the groups of a robot, and keeps their names distinct.

    It knows the joint that carries each link, and the segments.
    """

    def __init__(self, robot: UrdfRobot) -> None:
        self.robot = robot
        self.groups: list[Group] = []
        self.end_effectors: list[EndEffector] = []
        self.wheels: list[str] = []
        self._names = Names()
        self.bodies = robot.model.bodies
        self.joints = robot.model.joints
        self.index = {body.name: index for index, body in enumerate(self.bodies)}
        topology = robot.topology
        self._poses = zero_poses(robot.model, topology)
        self.parent, self.joint = topology.parent, topology.joint
        self.order = topology.order
        self.root = topology.roots[0]
        named = {frame.name for frame in robot.source.frames}
        self._added = {
            index for index, body in enumerate(self.bodies) if body.name not in named}
        self.carrying = frozenset(self.parent)
        self.segment = list(range(len(self.bodies)))
        self.moving: dict[int, list[int]] = {}
        for body in self.order:
            above = self.parent[body]
            if above == NONE:
                continue
            if self.carrier(body).type == 'fixed':
                self.segment[body] = self.segment[above]
            # a link that lowering added and that carries nothing only stands for a coordinate
            elif body not in self._added or body in self.carrying:
                self.moving.setdefault(self.segment[above], []).append(body)

    def carrier(self, body: int) -> Joint:
        """Return the joint that carries a link."""
        return self.joints[self.joint[body]]

    def path(self, body: int) -> list[int]:
        """Return the links from the root to a link."""
        links = []
        while body != NONE:
            links.append(body)
            body = self.parent[body]
        return links[::-1]

    # ---- ends of groups

    def tips(self) -> Iterator[_Tip]:
        """Yield the tips of groups in document order."""
        ends = self._end_effectors()
        pending = [self.segment[self.root]]
        while pending:
            segment = pending.pop()
            below = self.moving.get(segment, [])
            fingers = self._gripper(segment)
            if segment in ends:
                first, *others = ends[segment]
                yield from ((first, fingers), *((tip, ()) for tip in others))
            elif fingers or not below:
                yield self._outermost(segment), fingers
            if not fingers:
                pending.extend(reversed(below))

    def _end_effectors(self) -> dict[int, list[int]]:
        """Return the links that the description calls end effectors, by segment."""
        found: dict[int, list[int]] = {}
        for frame in self.robot.source.frames:
            if frame.kind == 'end_effector' and frame.name in self.index:
                link = self.index[frame.name]
                found.setdefault(self.segment[link], []).append(link)
        return found

    def _gripper(self, segment: int) -> tuple[int, ...]:
        """Return the joints of the gripper that a segment carries, or () if there is none."""
        fingers = self.moving.get(segment, [])
        carried = sum(
            self.carrier(body).type != 'fixed' for body in self.path(segment) if body != self.root)
        if len(fingers) < 2 or carried < ARM_JOINTS:
            return ()
        joints: list[int] = []
        pending = [(body, 1) for body in reversed(fingers)]
        while pending:
            body, length = pending.pop()
            if length > _FINGER_JOINTS:
                return ()
            joints.append(self.joint[body])
            pending += [(below, length + 1) for below in reversed(self.moving.get(body, []))]
        return tuple(joints)

    def _outermost(self, segment: int) -> int:
        """Return the outermost of a segment's links without mass and shapes, else its first."""
        ends = [
            body for body, link in enumerate(self.bodies)
            if self.segment[body] == segment != body and body not in self.carrying
            and link.inertia is None and not link.visuals and not link.collisions]
        ends.sort(key=self.order.index)
        return max(ends, key=lambda body: len(self.path(body)), default=segment)

    # ---- chains

    def base(self, tip: int) -> int:
        """Return the first link of a group: no joint of several axes comes after it."""
        path = self.path(tip)
        base = 0
        for index, body in enumerate(path[1:], 1):
            if self.carrier(body).type not in (*SINGLE_AXIS, 'fixed'):
                base = index
        is_world = path[0] in self._added or self.bodies[path[0]].name == 'world'
        if base == 0 and is_world and len(path) > 1 and self.carrier(path[1]).type == 'fixed':
            base = 1
        return path[base]

    def between(self, base: int, tip: int) -> list[int]:
        """Return the joints, by index, from a link to another one below it."""
        path = self.path(tip)
        if base not in path:
            raise GroupError(
                f"the link '{self.bodies[tip].name}' is not below "
                f"'{self.bodies[base].name}': they form no chain")
        return [self.joint[body] for body in path[path.index(base) + 1:]]

    # ---- groups

    def add_found(self) -> None:
        """Add the groups that the tree suggests, and a group of all arms if there are several."""
        movable = [
            (tip, gripper, base) for tip, gripper in self.tips()
            if self._active(self.between(base := self.base(tip), tip))]
        wheels = [tip for tip, _, base in movable if self._is_wheel(self.between(base, tip))]
        if len(wheels) > 1:  # a single joint without limits may be a turntable
            self.wheels = list(dict.fromkeys(
                self.joints[joint].name for tip, _, base in movable if tip in wheels
                for joint in self.between(base, tip) if self.joints[joint].type != 'fixed'))
            movable = [one for one in movable if one[0] not in wheels]
        arms = []
        for tip, gripper, base in movable:
            only, word = len(movable) == 1, _word(self._name(tip))
            arm = self._add_chain('arm' if only else word, base, tip)
            arms.append(arm)
            if gripper:
                group = self._add(Group(
                    'gripper' if only else f'{word}_gripper',
                    joints=tuple(self.joints[joint].name for joint in gripper),
                    active=self._active(gripper)))
                parent = self._name(self.segment[tip])
                self.end_effectors.append(EndEffector(group, group, parent, arm))
            else:
                self._add_end_effector(tip, arm)
        if len(arms) > 1:
            active = dict.fromkeys(
                joint for group in self.groups if group.name in arms for joint in group.active)
            self._add(Group('all', groups=tuple(arms), active=tuple(active)))

    def _is_wheel(self, joints: Sequence[int]) -> bool:
        """
        Return whether joints carry a wheel.

        A wheel turns without limits. It is the only joint, or the other joint is a caster or
        steering joint whose axis is perpendicular to that of the wheel.
        """
        moving = [self.joints[joint] for joint in joints if self.joints[joint].type != 'fixed']
        if len(moving) > 2 or moving[-1].type != 'continuous':
            return False
        return len(moving) == 1 or (
            moving[0].type in ('continuous', 'revolute')
            and abs(dot(*map(self._axis, moving))) < _RIGHT_ANGLE)

    def _axis(self, joint: Joint) -> Vector:
        """Return a joint's axis, expressed in the root frame with all coordinates at zero."""
        root_from_joint = compose(self._poses[joint.parent], joint.parent_from_joint)
        return rotate(root_from_joint, joint.motions[0].axis)

    def add_asked(self, name: str, base: str, tip: str) -> None:
        """Add a group that the user asks for."""
        if name in self._names:
            raise GroupError(f"two groups are named '{name}'")
        last = self._link(tip)
        first = self._link(base) if base else self.base(last)
        if not self._active(self.between(first, last)):
            raise GroupError(f"no joint moves '{tip}' against '{self._name(first)}'")
        self._add_end_effector(last, self._add_chain(name, first, last))

    def _link(self, name: str) -> int:
        if name not in self.index:
            raise GroupError(
                f"the URDF has no link '{name}'; {one_of(name, list(self.index))()}")
        return self.index[name]

    def _name(self, link: int) -> str:
        return self.bodies[link].name

    def _add(self, group: Group) -> str:
        """Add a group; return its name, which is changed if it is taken."""
        name = self._names.claim(group.name)
        self.groups.append(group._replace(name=name))
        return name

    def _add_chain(self, name: str, base: int, tip: int) -> str:
        joints = self.between(base, tip)
        leaders = self._leaders(joints)
        return self._add(Group(
            name, chain=(self._name(base), self._name(tip)), joints=leaders,
            active=tuple(dict.fromkeys((*self._active(joints), *leaders)))))

    def _add_end_effector(self, tip: int, arm: str) -> None:
        """
        Add an end effector for a tip that a fixed joint holds.

        A tip on a moving joint needs no end effector: the group of the tip contains this joint.
        """
        if self.parent[tip] != NONE and self.carrier(tip).type == 'fixed':
            name, parent = self._name(tip), self._name(self.parent[tip])
            group = self._add(Group(f'{arm}_end_effector', links=(name,)))
            self.end_effectors.append(EndEffector(_word(name), group, parent, arm))

    def _active(self, joints: Sequence[int]) -> tuple[str, ...]:
        """Return the joints with a position of their own; if there are none, their leaders."""
        found = [self.joints[joint] for joint in joints]
        own = tuple(joint.name for joint in found if self.robot.is_active(joint))
        return own or self._leaders(joints)

    def _leaders(self, joints: Sequence[int]) -> tuple[str, ...]:
        """Return the leaders of mimic joints that are not among the joints themselves."""
        carried = [self.joints[joint] for joint in joints]
        names = {joint.name for joint in carried}
        coordinates = filter(None, map(self.robot.coordinate, carried))
        leaders = [
            leader.name for leader in map(self.robot.leader, coordinates)
            if leader.mimic is None and leader.name not in names]
        return tuple(dict.fromkeys(leaders))


def _word(name: str) -> str:
    """Return a name in the form that it has within the name of a parameter."""
    return re.sub(r'\W+', '_', name)
