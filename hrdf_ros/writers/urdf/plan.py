# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The tree of links and single-axis joints that stands for a Model in URDF.

Link frames are kept. A joint whose child frame is not its joint frame is folded where that is
exact, and else gets a massless link and a fixed joint ``<joint>/child``. A joint with several
motions is a chain with massless links ``<joint>/link_1``, ... between them.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.model import Joint, Model, Motion, NONE
from hrdf_ros.names import Names
from hrdf_ros.pose import (
    compose,
    from_axis_angle,
    IDENTITY,
    inverse,
    Pose,
    rotate,
    translation,
    Vector,
)
from hrdf_ros.topology import is_single_tree, reverse, span, tf_root, Topology
from hrdf_ros.writers.grouped_diagnostics import GroupedDiagnostics

Kind = Literal['fixed', 'revolute', 'prismatic', 'planar', 'floating']

_ALONG_AXIS = 1e-12
"""How far (metres) a translation may be off a revolute axis and still be folded."""
_FIXED_AXIS: Vector = (1.0, 0.0, 0.0)
_EXPANDED: tuple[tuple[str, Vector], ...] = (
    ('rot_x', (1.0, 0.0, 0.0)), ('rot_y', (0.0, 1.0, 0.0)), ('rot_z', (0.0, 0.0, 1.0)))


class Drive(NamedTuple):
    """
    What moves a URDF joint: ``displacement = scale * q[coordinate] + offset``.

    A joint that ``follows`` mimics the joint named as the coordinate; else it is that joint.
    """

    coordinate: int
    scale: float = 1.0
    offset: float = 0.0
    follows: bool = False


class Link(NamedTuple):
    """A URDF link; ``body`` is -1 for a massless one."""

    name: str
    body: int = NONE


class Edge(NamedTuple):
    """
    A URDF joint: ``parent_from_child(q) = origin * displacement about or along the axis``.

    ``joint`` is the Model's joint that it is part of, -1 for the synthetic root's; planar,
    floating and expanded ball joints have no drive.
    """

    name: str
    kind: Kind
    parent: str
    child: str
    origin: Pose = IDENTITY
    axis: Vector = _FIXED_AXIS
    drive: Optional[Drive] = None
    joint: int = NONE


class Plan(NamedTuple):
    """All links and joints of the URDF; ``coordinates`` have a joint of their name."""

    root: str
    links: tuple[Link, ...]
    joints: tuple[Edge, ...]
    coordinates: frozenset[int]


class _Step(NamedTuple):
    """A part of a joint with one degree of freedom; ``name`` where no coordinate drives it."""

    kind: Kind
    axis: Vector
    origin: Pose = IDENTITY
    drive: Optional[Drive] = None
    name: str = ''


def plan_urdf(
    model: Model, notes: GroupedDiagnostics, report: Report, *, expand_ball: bool = False
) -> Plan:
    """Return the URDF tree of a Model; what had to be bent or left out is noted."""
    topology = span(model)
    _note_loops(model, topology, notes)
    planner = _Planner(model, notes, report, expand_ball)
    if is_single_tree(model, topology):
        root = model.bodies[topology.roots[0]].name
        if model.bodies[topology.roots[0]].pose != IDENTITY:
            notes.add(
                codes.ROOT_POSE_NOT_REPRESENTABLE,
                'a URDF begins at its root link, whose pose in the file is not written', root)
    else:
        root = planner.add_root(tf_root(model, topology), topology)
    backwards = {
        topology.joint[body] for body, turned in enumerate(topology.reversed) if turned}
    loops = set(topology.loops)
    for index in range(len(model.joints)):
        if index not in loops:
            planner.add_joint(index, index in backwards)
    return planner.plan(root)


def _note_loops(model: Model, topology: Topology, notes: GroupedDiagnostics) -> None:
    for index in topology.loops:
        joint = model.joints[index]
        notes.add(
            codes.LOOP_NOT_REPRESENTABLE,
            'a URDF is a tree; joints that close a loop are left out', joint.name, joint.location)


class _Planner:
    """Turns joints into edges one by one, and keeps the names apart."""

    def __init__(
        self, model: Model, notes: GroupedDiagnostics, report: Report, expand_ball: bool
    ) -> None:
        self.model = model
        self.notes = notes
        self.expand_ball = expand_ball
        self.links = [Link(body.name, index) for index, body in enumerate(model.bodies)]
        self.edges: list[Edge] = []
        self.coordinates: set[int] = set()
        self.link_names = Names(report)
        self.joint_names = Names(report)
        for body in model.bodies:
            self.link_names.claim(body.name)
        for coordinate in model.coordinates:
            self.joint_names.claim(coordinate.name)

    def plan(self, root: str) -> Plan:
        """Return what was planned."""
        return Plan(root, tuple(self.links), tuple(self.edges), frozenset(self.coordinates))

    def add_root(self, name: str, topology: Topology) -> str:
        """Let one link carry every component at its pose; it is added unless it is the world."""
        bodies = [self.model.bodies[root] for root in topology.roots]
        if all(body.name != name for body in bodies):
            self.links.insert(0, Link(self.link_names.claim(name)))
        if not bodies:
            self.notes.add(codes.ROOT_ADDED, 'a URDF needs a link; added is', name)
        for child in bodies:
            if child.name == name:
                continue
            joint = self.joint_names.claim(f'{name}/{child.name}')
            self.edges.append(Edge(joint, 'fixed', name, child.name, child.pose))
            self.notes.add(
                codes.ROOT_ADDED,
                f"a URDF has one root; the link '{name}' carries", child.name, child.location)
        return name

    def add_joint(self, index: int, backwards: bool) -> None:
        """Add the edges of a joint, from its child to its parent where the tree runs so."""
        joint = self.model.joints[index]
        if backwards:
            self.notes.add(
                codes.JOINT_REVERSED,
                'the tree runs from child to parent, so these joints are written reversed '
                '(same motion, parent and child exchanged)', joint.name, joint.location)
            joint = reverse(joint)
        if joint.type == 'planar' and self.model.format == 'urdf':
            self._add_whole(index, joint, 'planar', joint.motions[2].axis)
        elif self._floats(joint):
            self.notes.add(
                codes.JOINT_FLOATING,
                'written as floating joints, which robot_state_publisher does not move',
                joint.name, joint.location)
            self._add_whole(index, joint, 'floating', _FIXED_AXIS)
        else:
            self._add_chain(index, joint)

    def _floats(self, joint: Joint) -> bool:
        rotates = any(motion.kind == 'rotation_vector' for motion in joint.motions)
        return rotates and not self.expand_ball

    def _add_whole(self, index: int, joint: Joint, kind: Kind, axis: Vector) -> None:
        """Add a joint that URDF has a type of several degrees of freedom for."""
        self._connect(index, joint, [_Step(kind, axis, joint.parent_from_joint, name=joint.name)])

    def _add_chain(self, index: int, joint: Joint) -> None:
        """Add a joint as single-axis joints one behind the other."""
        steps = [step for motion in joint.motions for step in self._steps(joint, motion)]
        if not steps:
            origin = compose(joint.parent_from_joint, inverse(joint.child_from_joint))
            fixed = _Step('fixed', _FIXED_AXIS, origin, name=joint.name)
            self._connect(index, joint._replace(child_from_joint=IDENTITY), [fixed])
            return
        origin = compose(joint.parent_from_joint, steps[0].origin)
        steps[0] = steps[0]._replace(origin=origin)
        self._connect(index, joint, steps)

    def _steps(self, joint: Joint, motion: Motion) -> list[_Step]:
        """Return the single-axis parts of a motion."""
        if motion.kind == 'rotation_vector':
            self.notes.add(
                codes.JOINT_EXPANDED,
                'a ball joint is written as three revolute joints, whose angles are not its '
                'coordinates', joint.name, joint.location)
            return [
                _Step('revolute', axis, name=f'{joint.name}/{part}') for part, axis in _EXPANDED]
        coordinate = motion.coordinates[0]
        drive = Drive(coordinate, motion.scale, motion.offset)
        if motion.kind == 'screw':
            turn = self._driven('revolute', motion.axis, Drive(coordinate))
            return [turn, _Step('prismatic', motion.axis, drive=drive._replace(follows=True))]
        return [self._driven(motion.kind, motion.axis, drive)]

    def _driven(self, kind: Literal['revolute', 'prismatic'], axis: Vector, drive: Drive) -> _Step:
        """Return the step of a coordinate: its own joint where scale is 1 or -1, else a mimic."""
        first = drive.coordinate not in self.coordinates
        angular = self.model.coordinates[drive.coordinate].kind == 'angle'
        if not first or abs(drive.scale) != 1.0 or angular != (kind == 'revolute'):
            return _Step(kind, axis, drive=drive._replace(follows=True))
        self.coordinates.add(drive.coordinate)
        origin = _displacement(kind, axis, drive.offset)
        if drive.scale < 0.0:
            axis = (-axis[0], -axis[1], -axis[2])
        return _Step(kind, axis, origin, Drive(drive.coordinate))

    def _connect(self, index: int, joint: Joint, steps: list[_Step]) -> None:
        """Add the edges from a joint's parent to its child, with the links between them."""
        parent, child = self.model.bodies[joint.parent].name, self.model.bodies[joint.child].name
        folded = _folded(steps[-1], joint.child_from_joint)
        if folded is not None:
            steps[-1] = folded
        else:
            rest = inverse(joint.child_from_joint)
            steps.append(_Step('fixed', _FIXED_AXIS, rest, name=f'{joint.name}/child'))
        for count, step in enumerate(steps, 1):
            last = count == len(steps)
            below = child if last else self._massless(joint, f'{joint.name}/link_{count}')
            self._add_edge(index, joint, step, parent, below)
            parent = below

    def _add_edge(self, index: int, joint: Joint, step: _Step, parent: str, child: str) -> None:
        if step.drive is None:
            name = self.joint_names.claim(step.name, '_joint', joint.location)
        elif step.drive.follows:
            self._add_leaf(index, joint, step, step.drive.coordinate, parent)
            of = self.model.coordinates[step.drive.coordinate]
            name = self.joint_names.claim(f'{of.name}/{_FOLLOWER[step.kind]}')
        else:
            name = self.model.coordinates[step.drive.coordinate].name
        self.edges.append(
            Edge(name, step.kind, parent, child, step.origin, step.axis, step.drive, index))

    def _add_leaf(
        self, index: int, joint: Joint, step: _Step, coordinate: int, parent: str,
    ) -> None:
        """Add the joint that has a coordinate's name and value, where none has it yet."""
        if coordinate in self.coordinates:
            return
        self.coordinates.add(coordinate)
        of = self.model.coordinates[coordinate]
        kind: Kind = 'revolute' if of.kind == 'angle' else 'prismatic'
        leaf = self._massless(joint, f'{of.name}/coordinate')
        self.edges.append(
            Edge(of.name, kind, parent, leaf, step.origin, step.axis, Drive(coordinate), index))

    def _massless(self, joint: Joint, wanted: str) -> str:
        name = self.link_names.claim(wanted)
        self.links.append(Link(name))
        self.notes.add(
            codes.LINK_ADDED, 'massless links are added between joints', name,
            joint.location)
        return name


_FOLLOWER = {'revolute': 'turn', 'prismatic': 'slide'}


def _displacement(kind: str, axis: Vector, amount: float) -> Pose:
    """Return the motion about or along an axis."""
    if amount == 0.0:
        return IDENTITY
    if kind == 'revolute':
        return from_axis_angle(axis, amount)
    return translation(amount * axis[0], amount * axis[1], amount * axis[2])


def _folded(step: _Step, child_from_joint: Pose) -> Optional[_Step]:
    """
    Return the step whose child frame is the child's own, None where that changes the motion.

    ``O M inverse(C) = (O inverse(C)) (C M inverse(C))``, and the bracket is again a motion of
    one axis for a translation always, for a rotation if C moves only along the axis.
    """
    if child_from_joint == IDENTITY:
        return step
    if step.kind not in ('revolute', 'prismatic'):
        return None
    axis = rotate(child_from_joint, step.axis)
    if step.kind == 'revolute' and not _along(child_from_joint.position, axis):
        return None
    return step._replace(axis=axis, origin=compose(step.origin, inverse(child_from_joint)))


def _along(vector: Vector, axis: Vector) -> bool:
    """Tell whether a vector is parallel to a unit axis."""
    length = sum(a * b for a, b in zip(vector, axis))
    return all(abs(a - length * b) <= _ALONG_AXIS for a, b in zip(vector, axis))
