# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The models, links and joints that stand for a Model in SDFormat.

Nested models are flattened, their names joined by ``/``; a world stays a world with one model for
each of its own. A joint that no SDFormat type can express is a chain of joints with massless
links ``<joint>/link_1``, ... between them.
"""

from __future__ import annotations

from collections.abc import Sequence
import math
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.model import Constraint, Coordinate, Joint, Model, Motion, NONE
from hrdf_ros.pose import compose, IDENTITY, Pose, Vector
from hrdf_ros.topology import displacement, zero_poses
from hrdf_ros.writers.grouped_diagnostics import GroupedDiagnostics
from hrdf_ros.writers.sdf.names import SdfNames
from hrdf_ros.writers.sdf.rest import WORLD, world_above, world_bodies

Place = tuple[int, str]
"""The group that a link is in, and its name there."""

MIMIC = (1, 11)
WORLD_JOINTS = (1, 10)
_RIGHT_ANGLE = 1e-9


class Link(NamedTuple):
    """A link at ``root_from_link``; ``body`` is -1 for a massless one."""

    name: str
    pose: Pose
    body: int = NONE


class Axis(NamedTuple):
    """
    An axis in the joint frame, moved by ``scale * q[coordinate]``.

    An axis that ``follows`` mimics the joint of the coordinate; else it is that joint's.
    """

    xyz: Vector
    coordinate: int
    scale: float = 1.0
    follows: bool = False


class Part(NamedTuple):
    """
    A joint: ``pose`` is child_from_joint, ``source`` the Model's joint that it is part of.

    ``parent`` and ``child`` are links of the model in which it stands, or scoped ones in a world.
    ``pitch`` is how far a screw moves in one turn, in metres.
    """

    name: str
    type: str  # noqa: A003
    pose: Pose
    axes: tuple[Axis, ...]
    source: int
    pitch: float = 0.0
    parent: str = ''
    child: str = ''


class Gearbox(NamedTuple):
    """A joint that ties the angles of two links against a third, '' where there is none."""

    name: str
    parent: str
    child: str
    reference: str
    constraint: int


class Driver(NamedTuple):
    """The joint and axis that are a coordinate; ``group`` is the model they stand in."""

    group: int
    joint: str
    axis: str


class Group:
    """
    A model: what stands in it, and its namespace. The last group is the world itself.

    ``prefix`` is what the names of a world's Model begin with, where they belong to this model;
    ``source_name`` is the name of the Model's scope.
    """

    def __init__(
        self, name: str, notes: GroupedDiagnostics, prefix: str = '', source_name: str = '',
        pose: Pose = IDENTITY, static: bool = False,
    ) -> None:
        self.name = name
        self.prefix = prefix
        self.source_name = source_name
        self.pose = pose
        self.static = static
        self._names = SdfNames(notes)
        self.links: list[Link] = []
        self.joints: list[Part] = []
        self.gearboxes: list[Gearbox] = []

    def claim(self, name: str, kind: str) -> str:
        """Take a name of the Model in this model's namespace and return it."""
        return self._names.claim(name.removeprefix(self.prefix), kind)


class Plan(NamedTuple):
    """
    All models; ``world`` is the group of what stands beside them.

    ``places[body]`` is where its link is, None for the world's body.
    """

    models: tuple[Group, ...]
    world: Group
    places: tuple[Optional[Place], ...]
    drivers: dict[int, Driver]


def plan_sdf(model: Model, notes: GroupedDiagnostics, version: tuple[int, int]) -> Plan:
    """Return the models, links and joints; what had to be bent is noted."""
    planner = _Planner(world_above(model, notes), notes, version)
    for body in range(len(model.bodies)):
        planner.add_link(body)
    for index in range(len(model.joints)):
        planner.add_joint(index)
    for index, constraint in enumerate(model.constraints):
        planner.add_constraint(index, constraint)
    return Plan(
        tuple(planner.groups[:-1]), planner.groups[-1], tuple(planner.places), planner.drivers)


def _groups(model: Model, notes: GroupedDiagnostics) -> list[Group]:
    """Return the model, or the models of a world; behind them the world."""
    kind = 'world' if model.is_world else 'model'
    name = SdfNames(notes).claim(model.name, kind)
    world = Group(name, notes)
    tops = [scope for scope in model.scopes if scope.parent == NONE]
    if not model.is_world:
        source_name = tops[0].source_name if tops else model.name
        return [Group(name, notes, '', source_name, model.pose, model.static), world]
    return [*(
        Group(
            world.claim(top.name, 'model'), notes, f'{top.name}/', top.source_name, top.pose,
            top.static)
        for top in tops), world]


class _Planner:
    """Adds bodies and joints one by one."""

    def __init__(self, model: Model, notes: GroupedDiagnostics, version: tuple[int, int]) -> None:
        self.model = model
        self.notes = notes
        self.version = version
        self.poses = zero_poses(model, mimics=False)
        self.groups = _groups(model, notes)
        self._of_prefix = {
            group.prefix: at for at, group in reversed(list(enumerate(self.groups[:-1])))}
        self._lengths = {len(prefix) for prefix in self._of_prefix}
        self.places: list[Optional[Place]] = []
        self.drivers: dict[int, Driver] = {}
        self._worlds = world_bodies(model)

    def add_link(self, index: int) -> None:
        """Add the link of a body; the world's body is none."""
        body = self.model.bodies[index]
        if index in self._worlds:
            self.places.append(None)
            return
        at = self._group_of(body.name)
        group = self.groups[at]
        name = group.claim(body.name, 'link')
        group.links.append(Link(name, self.poses[index], index))
        self.places.append((at, name))

    def _group_of(self, name: str) -> int:
        """Return the model that a name belongs to: in a world the one that it begins with."""
        found = (self._of_prefix.get(name[:length]) for length in self._lengths)
        at = min((at for at in found if at is not None), default=None)
        if at is None:
            alone = self.groups[-1].claim(name, 'model')
            at = len(self.groups) - 1
            self.groups.insert(at, Group(alone, self.notes, f'{name}/'))
            self._of_prefix.setdefault(f'{name}/', at)
            self._lengths.add(len(name) + 1)
        return at

    # ---- joints

    def add_joint(self, index: int) -> None:
        """Add a joint, as several with massless links between them where it takes several."""
        joint = self.model.joints[index]
        part = self._native(joint, index)
        if part is not None:
            self._connect(part, self.places[joint.parent], self.places[joint.child])
        else:
            self._add_chain(joint, index)

    def _native(self, joint: Joint, index: int) -> Optional[Part]:
        """Return the joint in one SDFormat type, None where it takes several."""
        motions = joint.motions
        if not motions:
            return Part(joint.name, 'fixed', joint.child_from_joint, (), index)
        if len(motions) == 1:
            return self._single(motions[0], joint, index)
        if len(motions) == 2 and all(map(self._turns, motions)):
            axes = _axis(motions[0]), _axis(motions[1])
            self._note_names(joint.name, [axis.coordinate for axis in axes], '12', joint)
            return Part(joint.name, _two_axes(joint, axes), joint.child_from_joint, axes, index)
        return None

    def _turns(self, motion: Motion) -> bool:
        return motion.kind == 'revolute' and motion.offset == 0.0 and self._is_direct(motion)

    def _is_direct(self, motion: Motion) -> bool:
        """Tell whether a joint may have the coordinate's own value."""
        if motion.coordinates[0] in self.drivers:
            return False
        angular = self.model.coordinates[motion.coordinates[0]].kind == 'angle'
        if motion.kind == 'screw':
            return angular
        return abs(motion.scale) == 1.0 and angular == (motion.kind == 'revolute')

    def _single(self, motion: Motion, joint: Joint, index: int) -> Optional[Part]:
        """Return a joint of one motion, named as its coordinate; None where it has to mimic."""
        pose = joint.child_from_joint
        if motion.kind == 'rotation_vector':
            if motion.scale != 1.0:
                self._note_scale(joint.name, joint)
            name = joint.name if len(joint.motions) == 1 else f'{joint.name}_rot'
            self._note_names(name, motion.coordinates, 'xyz', joint)
            return Part(name, 'ball', pose, (), index)
        if not self._is_direct(motion):
            return None
        coordinate = self.model.coordinates[motion.coordinates[0]]
        kind: str = motion.kind
        if kind == 'revolute':
            kind = _turning(joint.type, coordinate)
        pitch = math.tau * motion.scale if kind == 'screw' else 0.0
        return Part(coordinate.name, kind, pose, (_axis(motion),), index, pitch)

    def _add_chain(self, joint: Joint, index: int) -> None:
        """Add the joints of the motions one behind the other."""
        parent, child = self.places[joint.parent], self.places[joint.child]
        assert child is not None
        self.notes.add(
            codes.JOINT_EXPANDED,
            'joints that SDFormat has no type for are written as several, with massless links',
            joint.name, joint.location)
        pose = compose(self.poses[joint.parent], joint.parent_from_joint)
        for count, motion in enumerate(joint.motions, 1):
            zeros = [0.0] * len(motion.coordinates)
            before, pose = pose, compose(pose, displacement(motion, zeros))
            last = count == len(joint.motions)
            below = child if last else self._massless(f'{joint.name}/link_{count}', pose, child[0])
            step = joint if last else joint._replace(child_from_joint=IDENTITY)
            part = self._single(motion, step, index)
            if part is None:
                part = self._follower(motion, step, index, parent, below[0], before)
            self._connect(part, parent, below)
            parent = below

    def _massless(self, name: str, pose: Pose, group: int) -> Place:
        free = self.groups[group].claim(name, 'link')
        self.groups[group].links.append(Link(free, pose))
        return group, free

    def _follower(
        self, motion: Motion, joint: Joint, index: int, parent: Optional[Place], group: int,
        pose: Pose,
    ) -> Part:
        """
        Return a joint that mimics its coordinate, with a scale; add the coordinate's own.

        The coordinate's joint carries a massless leaf. Before SDF 1.11 nothing can mimic: the
        joint stands for the coordinate, and its value is another.
        """
        of = motion.coordinates[0]
        coordinate = self.model.coordinates[of]
        kind = motion.kind
        axis = Axis(motion.axis, of, motion.scale, self.version >= MIMIC)
        name = f'{coordinate.name}/{"turn" if kind == "revolute" else "slide"}'
        if not axis.follows:
            self._note_scale(coordinate.name, joint)
            name = coordinate.name if of not in self.drivers else name
        elif of not in self.drivers:
            leaf = self._massless(f'{coordinate.name}/coordinate', pose, group)
            shape = 'revolute' if coordinate.kind == 'angle' else 'prismatic'
            own = Part(coordinate.name, shape, IDENTITY, (Axis(motion.axis, of),), index)
            self._connect(own, parent, leaf)
        return Part(name, kind, joint.child_from_joint, (axis,), index)

    def _note_names(
        self, joint_name: str, coordinates: Sequence[int], suffixes: str, joint: Joint,
    ) -> None:
        for index, suffix in zip(coordinates, suffixes):
            name = self.model.coordinates[index].name
            if name != f'{joint_name}_{suffix}':
                self.notes.add(
                    codes.NAME_CHANGED,
                    'coordinates of a joint of several axes are named after the joint',
                    f'{name} -> {joint_name}_{suffix}', joint.location, severity='info')

    def _note_scale(self, name: str, joint: Joint) -> None:
        self.notes.add(
            codes.SCALE_NOT_REPRESENTABLE,
            'the scale between these coordinates and their joints is lost: positions in the '
            'SDFormat file are those of the joints', name, joint.location)

    def _connect(self, part: Part, parent: Optional[Place], child: Optional[Place]) -> None:
        """Put a joint into the model of both its links, or else into the world."""
        if child is None:
            return
        if parent == child:
            self.notes.add(
                codes.JOINT_NOT_REPRESENTABLE,
                'joints that connect a link with itself are left out: SDFormat has none',
                part.name, self.model.joints[part.source].location)
            return
        group = child[0]
        names = (WORLD if parent is None else parent[1]), child[1]
        if parent is not None and parent[0] != group:
            names = self._scoped(parent), self._scoped(child)
            group = len(self.groups) - 1
            if self.version < WORLD_JOINTS:
                self.notes.add(
                    codes.JOINT_NOT_REPRESENTABLE,
                    'joints between models of a world are left out: SDFormat has them since 1.10',
                    part.name, self.model.joints[part.source].location)
                return
        name = self.groups[group].claim(part.name, 'joint')
        self.groups[group].joints.append(part._replace(name=name, parent=names[0], child=names[1]))
        for tag, axis in zip(('axis', 'axis2'), part.axes):
            if not axis.follows:
                self.drivers.setdefault(axis.coordinate, Driver(group, name, tag))

    def add_constraint(self, index: int, constraint: Constraint) -> None:
        """Add a gearbox; SDFormat has no other constraint, and none between models."""
        places = [place for body in constraint.bodies if (place := self.places[body]) is not None]
        one_model = len({group for group, _ in places}) == 1
        if constraint.kind != 'gearbox' or len(places) < 2 or not one_model:
            self.notes.add(
                codes.CONSTRAINT_NOT_REPRESENTABLE,
                'SDFormat has no constraint but a gearbox within one model', constraint.name,
                constraint.location)
            return
        at = places[0][0]
        parent, child, reference = ([name for _, name in places] + [''])[:3]
        name = self.groups[at].claim(constraint.name, 'joint')
        self.groups[at].gearboxes.append(Gearbox(name, parent, child, reference, index))

    def _scoped(self, place: Place) -> str:
        return f'{self.groups[place[0]].name}::{place[1]}'


def _axis(motion: Motion) -> Axis:
    """Return the axis of a motion; a scale of -1 turns it round."""
    x, y, z = motion.axis
    turned = motion.kind != 'screw' and motion.scale < 0.0
    return Axis((-x, -y, -z) if turned else (x, y, z), motion.coordinates[0])


def _turning(kind: str, coordinate: Coordinate) -> str:
    """Return the type of a joint that turns: the source's own word, else what its limits say."""
    if kind in ('revolute', 'continuous'):
        return kind
    limited = math.isfinite(coordinate.lower) or math.isfinite(coordinate.upper)
    return 'revolute' if limited else 'continuous'


def _two_axes(joint: Joint, axes: tuple[Axis, Axis]) -> str:
    """Return the type of a joint with two axes of rotation."""
    if joint.type in ('universal', 'revolute2'):
        return joint.type
    (a, b, c), (d, e, f) = axes[0].xyz, axes[1].xyz
    return 'universal' if abs(a * d + b * e + c * f) < _RIGHT_ANGLE else 'revolute2'
