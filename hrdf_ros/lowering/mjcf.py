# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Model -> Model that MJCF can express: a tree below the link ``world``.

Joints lead from the body above to the body below, their motions turn about or slide along axes
at one anchor; a screw is a hinge and a slide that follows it. Loops stay closed, masses that
MuJoCo refuses are replaced, and links keep their names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
import math
from typing import Literal, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import GroupedDiagnostics
from hrdf_ros.inertia import from_tensor, Inertia, is_physical, principal_axes
from hrdf_ros.lowering.losses import report_mjcf_losses
from hrdf_ros.lowering.shapes import ShapeLowering
from hrdf_ros.lowering.target import GeneratedMesh, Target
from hrdf_ros.model import (
    Body,
    Coordinate,
    CoordinateKind,
    Joint,
    Mimic,
    Model,
    Motion,
    NONE,
    Plane,
)
from hrdf_ros.names import Names
from hrdf_ros.pose import AXES, compose, IDENTITY, inverse, rotation_vector, X_AXIS
from hrdf_ros.topology import reverse, span

WORLD = 'world'
SMALL_MASS = 1e-9
SMALL_MOMENT = 1e-12
"""The mass and moments (kg, kg m^2) of moving links without mass, which MuJoCo refuses."""
_LEAST = 1e-15
"""MuJoCo's mjMINVAL."""
_SLACK = 1e-9


def lower_to_mjcf(
    model: Model, target: Target, notes: GroupedDiagnostics,
) -> tuple[Model, tuple[GeneratedMesh, ...]]:
    """Return the Model with a tree below ``world``, its loops behind the joints of the tree."""
    report_mjcf_losses(model, target, notes)
    tree = _Tree(model, notes, target.free_base)
    lowered = model._replace(
        bodies=tuple(tree.bodies), joints=tuple(tree.joints),
        coordinates=tuple(tree.coordinates), root=WORLD, canonical_body=0)
    weightless = _weightless(lowered) - between_joints(lowered)
    moving = _moving(lowered)
    own = model.format == 'mjcf'
    fixed_shapes = ShapeLowering(target, own, notes)
    moving_shapes = ShapeLowering(target._replace(shapes=tuple(
        shape for shape in target.shapes if shape is not Plane)), own, notes)
    bodies = tuple(
        _body(body, index in weightless, moving_shapes if index in moving else fixed_shapes, notes)
        for index, body in enumerate(lowered.bodies))
    return lowered._replace(bodies=bodies), (*fixed_shapes.meshes(), *moving_shapes.meshes())


class _Tree:
    """The bodies below the world, with indices of their own; joints and coordinates."""

    def __init__(
        self, model: Model, notes: GroupedDiagnostics, free_base: bool,
    ) -> None:
        self._model, self._notes = model, notes
        self._names = Names()
        for coordinate in model.coordinates:
            self._names.claim(coordinate.name)
        self.coordinates: list[Coordinate] = list(model.coordinates)
        topology = span(model)
        root = next((
            body for body in topology.roots if model.bodies[body].name == WORLD
            and model.bodies[body].pose == IDENTITY), NONE)
        self.bodies: list[Body] = list(model.bodies)
        self._body_names = Names()
        for name in {body.name for body in self.bodies}:
            self._body_names.claim(name)
        self.joints: list[Joint] = []
        self.inputs: list[Joint] = []
        for at, name in enumerate([each.name for each in self.bodies]):
            if not name or name == WORLD and root == NONE:
                self._rename(at, f'{name}_link' if name else 'link')
        if root == NONE:
            self.bodies.append(Body(WORLD, WORLD, static=True))
            root = len(self.bodies) - 1
        for body in topology.order:
            joint = topology.joint[body]
            if joint != NONE:
                found = model.joints[joint]
                found = self._reversed(found) if topology.reversed[body] else found
                self.joints.append(self._plain(found))
            elif body != root:
                name = model.bodies[body].name
                self.joints.append(Joint(
                    f'{name}_fixed', '', 'fixed', root, body, model.bodies[body].pose))
        if free_base:
            self.joints = [
                self._freed(joint) if joint.parent == root and not joint.motions else joint
                for joint in self.joints]
        self.joints += self.inputs
        self._drop_mimics_of_loops()
        loops = self._loops([model.joints[index] for index in topology.loops])
        self.joints += loops

    def _freed(self, joint: Joint) -> Joint:
        """Return the free joint of a body that is fixed to the world; it starts at its pose."""
        name = f'{self.bodies[joint.child].name}_free'
        pose = compose(joint.parent_from_joint, inverse(joint.child_from_joint))
        first = len(self.coordinates)
        for count, (value, suffix) in enumerate(zip(
                (*pose.position, *rotation_vector(pose)),
                ('pos_x', 'pos_y', 'pos_z', 'rot_x', 'rot_y', 'rot_z'))):
            self.coordinates.append(Coordinate(
                self._names.claim(f'{name}_{suffix}'), 'length' if count < 3 else 'angle',
                initial_position=value, location=joint.location))
        return Joint(
            name, '', 'free', joint.parent, joint.child, location=joint.location,
            motions=(*(Motion('prismatic', axis, (first + index,))
                       for index, axis in enumerate(AXES)),
                     Motion('rotation_vector', X_AXIS, (first + 3, first + 4, first + 5))))

    def _drop_mimics_of_loops(self) -> None:
        """Drop the mimics of coordinates that only joints which close loops have."""
        known = {index for joint in self.joints for motion in joint.motions
                 for index in motion.coordinates}
        for index, coordinate in enumerate(self.coordinates):
            if coordinate.mimic and not known >= {index, coordinate.mimic.leader}:
                self.coordinates[index] = coordinate._replace(mimic=None)
                self._notes.add(
                    codes.MIMIC_NOT_REPRESENTABLE,
                    'MJCF has no coordinates for joints that close loops; mimics are omitted',
                    coordinate.name, coordinate.location)

    def _loops(self, joints: Sequence[Joint]) -> list[Joint]:
        """Return the joints that close loops, without those of a body with itself."""
        for joint in joints:
            if joint.parent == joint.child:
                self._notes.add(
                    codes.LOOP_NOT_REPRESENTABLE, 'MJCF joins no body to itself; omitted',
                    joint.name, joint.location)
        return [joint for joint in joints if joint.parent != joint.child]

    def _rename(self, index: int, wanted: str) -> None:
        """Rename a link without a name, or named as the world of MuJoCo, which it is not."""
        body, name = self.bodies[index], self._body_names.claim(wanted)
        self.bodies[index] = body._replace(name=name)
        self._notes.add(
            codes.NAME_CHANGED, f"links without a name or named '{WORLD}' are renamed", name,
            body.location)

    def _reversed(self, joint: Joint) -> Joint:
        """Return a joint walked from child to parent; a ball turns the other way then."""
        if any(motion.kind == 'rotation_vector' for motion in joint.motions):
            self._notes.add(
                codes.JOINT_REVERSED, 'a ball joint is reversed, so it counts the other way',
                joint.name, joint.location)
        turned = reverse(joint)
        return turned._replace(motions=tuple(
            motion._replace(scale=abs(motion.scale))
            if motion.kind == 'rotation_vector' else motion for motion in turned.motions))

    def _plain(self, joint: Joint) -> Joint:
        """Return a joint without screws and scales, which MuJoCo does not have."""
        motions = tuple(one for motion in joint.motions for one in self._motion(motion, joint))
        return joint._replace(motions=motions)

    def _motion(self, motion: Motion, joint: Joint) -> Iterator[Motion]:
        if motion.kind == 'screw':
            index = motion.coordinates[0]
            leader = self.coordinates[index]
            follower = len(self.coordinates)
            self.coordinates.append(Coordinate(
                self._names.claim(f'{leader.name}_slide'), 'length',
                mimic=Mimic(index, motion.scale, motion.offset), location=leader.location))
            yield Motion('revolute', motion.axis, motion.coordinates)
            yield Motion('prismatic', motion.axis, (follower,))
            return
        if motion.scale != 1.0 and motion.kind != 'rotation_vector':
            motion = self._scaled(motion, joint)
        yield motion

    def _scaled(self, motion: Motion, joint: Joint) -> Motion:
        """
        Return the motion by a coordinate of its own that follows the one that it had.

        MJCF has no scale: the coordinate itself moves a massless link beside the joint.
        """
        index = motion.coordinates[0]
        leader = self.coordinates[index]
        kind: CoordinateKind = 'angle' if motion.kind == 'revolute' else 'length'
        self.coordinates.append(Coordinate(
            self._names.claim(f'{leader.name}_displacement'), kind,
            mimic=Mimic(index, motion.scale, motion.offset), location=leader.location))
        name = f'{leader.name}_input'
        while name in self._body_names:
            name += '_link'
        self._body_names.claim(name)
        self._notes.add(
            codes.LINK_ADDED, 'a massless link is added for a joint with a scale', name,
            joint.location)
        drive: Literal['revolute', 'prismatic'] = (
            'revolute' if leader.kind == 'angle' else 'prismatic')
        self.inputs.append(Joint(
            f'{leader.name}_input', '', drive, joint.parent, len(self.bodies),
            joint.parent_from_joint,
            motions=(Motion(drive, motion.axis, (index,)),), location=joint.location))
        self.bodies.append(Body(name, name))
        return motion._replace(
            coordinates=(len(self.coordinates) - 1,), scale=1.0, offset=0.0)


def _weightless(model: Model) -> set[int]:
    """Return the bodies that a joint moves and that nothing fixed to them gives mass."""
    fixed: dict[int, list[int]] = {}
    joints = tree_joints(model)
    for joint in joints:
        if not joint.motions:
            fixed.setdefault(joint.parent, []).append(joint.child)
    return {
        joint.child for joint in joints
        if joint.motions and not _is_heavy(joint.child, fixed, model.bodies)}


def tree_joints(model: Model) -> list[Joint]:
    """Return the joints that carry bodies, without those that close loops."""
    carriers: dict[int, Joint] = {}
    for joint in model.joints:
        if model.bodies[joint.child].name != WORLD:
            carriers.setdefault(joint.child, joint)
    return list(carriers.values())


def between_joints(model: Model) -> set[int]:
    """
    Return the bodies of a Model of MJCF that stand between two joints of a body of the file.

    They have nothing but these joints; the writer makes one body of them again.
    """
    if model.format != 'mjcf':
        return set()
    below: dict[int, list[Joint]] = {}
    joints = tree_joints(model)
    for joint in joints:
        below.setdefault(joint.parent, []).append(joint)
    framed = {frame.body for frame in model.frames if frame.kind != 'link'}
    return {
        joint.child for joint in joints
        if joint.motions and _is_bare(model.bodies[joint.child]) and joint.child not in framed
        and [bool(one.motions) for one in below.get(joint.child, ())] == [True]}


def _is_bare(body: Body) -> bool:
    return body.inertia is None and not (body.visuals or body.collisions or body.extensions)


def _moving(model: Model) -> set[int]:
    """Return the bodies that are not fixed to the world."""
    found: set[int] = set()
    for joint in tree_joints(model):  # those above come first
        if joint.motions or joint.parent in found:
            found.add(joint.child)
    return found


def _is_heavy(body: int, fixed: dict[int, list[int]], bodies: Sequence[Body]) -> bool:
    """Return whether a body, or one that is fixed to it, has a mass that MuJoCo takes."""
    pending = [body]
    while pending:
        index = pending.pop()
        inertia = bodies[index].inertia
        if inertia is not None and inertia.mass >= _LEAST and (
                min(principal_axes(inertia.tensor)[0]) >= _LEAST):
            return True
        pending += fixed.get(index, ())
    return False


def _body(
    body: Body, needs_mass: bool, shapes: ShapeLowering, notes: GroupedDiagnostics,
) -> Body:
    inertia = _inertia(body, notes)
    if needs_mass:
        notes.add(
            codes.INERTIA_NOT_REPRESENTABLE,
            f'MuJoCo refuses moving links without mass or inertia; they get {SMALL_MASS} kg or '
            f'{SMALL_MOMENT} kg m^2', body.name, body.location)
        mass = SMALL_MASS if inertia is None else max(inertia.mass, SMALL_MASS)
        pose = IDENTITY if inertia is None else inertia.pose
        inertia = from_tensor(mass, pose, (SMALL_MOMENT,) * 3 + (0.0, 0.0, 0.0))
    same = body.visuals == body.collisions
    visuals = shapes.visible(body.visuals, body)
    collisions = visuals if same else shapes.lowered(body.collisions, body)
    return body._replace(inertia=inertia, visuals=visuals, collisions=collisions)


def _with_slack(inertia: Inertia) -> Inertia:
    """Return an inertia whose moments keep MuJoCo's A + B >= C after its own rounding."""
    moments, turn = principal_axes(inertia.tensor)
    total, greatest = sum(moments), max(moments)
    if turn == IDENTITY or total - 2.0 * greatest > _SLACK * greatest:
        return inertia
    a, b, c = (moment if moment == greatest else moment + _SLACK * greatest
               for moment in moments)
    return from_tensor(
        inertia.mass, compose(inertia.pose, turn), (a, b, c, 0.0, 0.0, 0.0), inertia.location)


def _inertia(body: Body, notes: GroupedDiagnostics) -> Optional[Inertia]:
    """Return the inertia of a body where a body can have it, else one that MuJoCo takes."""
    inertia = body.inertia
    if inertia is None or inertia.mass <= 0.0 and inertia.is_zero:
        return None
    if inertia.mass >= 0.0 and (inertia.is_zero or is_physical(inertia)):
        return _with_slack(inertia)
    mean = max(sum(principal_axes(inertia.tensor)[0]) / 3.0, 0.0)
    notes.add(
        codes.INERTIA_NOT_REPRESENTABLE,
        'MuJoCo refuses an inertia that no body has; its mean about each axis is written',
        body.name, inertia.location or body.location)
    if not math.isfinite(mean):
        return None
    return from_tensor(
        max(inertia.mass, 0.0), inertia.pose, (mean, mean, mean, 0.0, 0.0, 0.0))
