# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Lower a Model to SDFormat.

A world stays a world. The nested models of SDFormat stay, unless the target is flat: then their
names are joined by ``/``. A joint that no SDFormat type can express becomes a chain of joints
with massless links ``<joint>/link_1``, ... between them. Source names are the scoped names in the
SDFormat file, ``model::link``, and ``world`` for the world. Poses of bodies are those with every
joint at zero.
"""

from __future__ import annotations

from collections.abc import Sequence
import math
import sys
from typing import NamedTuple, Optional

from hrdf_ros import codes, formats
from hrdf_ros.fields import default_of, unheld
from hrdf_ros.inertia import Inertia, is_physical
from hrdf_ros.listing import GroupedDiagnostics
from hrdf_ros.lowering.coordinates import (
    follower,
    forwards,
    name_after,
    note_joint_name,
    of_coordinate,
    scaled,
)
from hrdf_ros.lowering.losses import report_losses
from hrdf_ros.lowering.sdf_scopes import Scopes, SdfNames, WORLD
from hrdf_ros.lowering.sdf_world import with_scopes_of_frames, with_world_as_link, world_above
from hrdf_ros.lowering.shape_lowering import ShapeLowering
from hrdf_ros.lowering.target import Target
from hrdf_ros.model import (
    Body,
    Constraint,
    Coordinate,
    Joint,
    Material,
    Mimic,
    Model,
    ModelScope,
    Motion,
    Shape,
)
from hrdf_ros.pose import compose, dot, IDENTITY, inverse, Pose, rotation_vector
from hrdf_ros.topology import displacement, span, zero_poses

_RIGHT_ANGLE = 1e-9
"""The greatest cosine of the angle between two axes that count as perpendicular."""
_CLOSED = 1e-6
"""The largest gap of a closed loop: the norm of its distance (m) and angle (rad)."""


def lower_to_sdf(model: Model, target: Target, notes: GroupedDiagnostics) -> Model:
    """Return the Model as a version of SDFormat can express it."""
    above = world_above(with_world_as_link(with_scopes_of_frames(model, notes), notes), notes)
    builder = _SdfBuilder(above, target, notes)
    for index in range(len(above.joints)):
        builder.add_joint(index)
    for constraint in model.constraints:
        builder.add_constraint(constraint)
    lowered = builder.model_in_scopes()
    own_joint = {
        index for joint in model.joints for motion in joint.motions
        if motion.kind != 'rotation_vector' for index in motion.coordinates}
    report_losses(model, target, notes, own_joint, builder.names.new_owner)
    return lowered


class _Part(NamedTuple):
    """A joint of one SDFormat type."""

    name: str
    type: str  # noqa: A003
    motions: tuple[Motion, ...]


class _SdfBuilder:
    """Adds joints one by one, with the links between them."""

    def __init__(self, model: Model, target: Target, notes: GroupedDiagnostics) -> None:
        self.model = model
        self.target = target
        self.notes = notes
        self.shapes = ShapeLowering(target, model.conventions, notes)
        self._lost = {
            name: default_of(Coordinate, name)
            for name in unheld(Coordinate, target.holders, target.features)}
        self.poses = zero_poses(model, span(model), mimics=False)
        self.names = Scopes(model, target.flat, notes)
        self.bodies = [
            self._body(index, body) for index, body in enumerate(model.bodies)]
        self.coordinates = list(map(self._coordinate, model.coordinates))
        self.joints: list[Joint] = []
        self.scope_of_joint: list[int] = []
        self.constraints: list[Constraint] = []
        self.scope_of_driver: dict[int, int] = {}

    def model_in_scopes(self) -> Model:
        """Return the Model of everything that was added."""
        model, target = self.model, self.target
        self._drop_mimics()
        scopes = self.names.records()
        lost = {
            name: default_of(ModelScope, name)
            for name in unheld(ModelScope, target.holders, target.features)}
        scopes = tuple(scope._replace(**lost) for scope in scopes)
        self.notes.about(
            codes.DETAIL_NOT_REPRESENTABLE,
            'SDFormat has static models, no static links; these move',
            *(body for index, (body, scope) in enumerate(zip(self.bodies, self.names.scope_of))
              if body.static and scope != WORLD and not self.names.is_static(index)),
            severity='warning')
        return model._replace(
            name=self.names.model_name, format='sdf', version=self.target.version,
            conventions=formats.SDF,
            bodies=tuple(self.bodies), joints=tuple(self.joints),
            coordinates=tuple(self.coordinates), constraints=tuple(self.constraints),
            frames=tuple(self.names.frames(self.bodies, self.constraints)),
            scopes=scopes, source=None, description='',
            extensions=tuple(
                each._replace(owner=self.names.new_owner[each.owner])
                for each in model.extensions
                if self.target.holds(each) and each.owner in self.names.new_owner
                and each.tag != 'gravity'))

    def _coordinate(self, coordinate: Coordinate) -> Coordinate:
        """Return a coordinate without fields that SDFormat lacks, and without negative limits."""
        coordinate = coordinate._replace(**self._lost)
        if min(coordinate.velocity, coordinate.effort) >= 0.0:
            return coordinate
        self.notes.about(
            codes.DETAIL_NOT_REPRESENTABLE,
            'negative limits of velocity and effort mean none in SDFormat; omitted', coordinate)
        velocity, effort = (
            math.inf if limit < 0.0 else limit
            for limit in (coordinate.velocity, coordinate.effort))
        return coordinate._replace(velocity=velocity, effort=effort)

    # ---- links

    def _body(self, index: int, body: Body) -> Body:
        name, source_name = self.names.claim_body(index, body)
        names = SdfNames(self.notes)
        collisions = self._shapes('collision', body.collisions, body, names)
        if self.model.conventions.separate_shape_names:
            names = SdfNames(self.notes)
        return body._replace(
            name=name, source_name=source_name, pose=self.poses[index],
            inertia=self._inertia(body), collisions=collisions,
            visuals=self._shapes('visual', body.visuals, body, names),
            extensions=tuple(filter(self.target.holds, body.extensions)))

    def _shapes(
        self, tag: str, shapes: Sequence[Shape], body: Body, names: SdfNames,
    ) -> tuple[Shape, ...]:
        """Return the visuals or collisions of a link with unique names."""
        return tuple(
            part._replace(
                name=names.claim(part.name, tag), material=self._material(part.material))
            for shape in shapes for part in self.shapes.parts(shape, body))

    def _material(self, material: Optional[Material]) -> Optional[Material]:
        """Return a material; its only color, if it has one, is also its ambient color."""
        if material is None or not self.model.conventions.single_color:
            return material
        return material._replace(ambient=material.ambient or material.diffuse)

    def _inertia(self, body: Body) -> Optional[Inertia]:
        """Return an inertia that SDFormat accepts."""
        inertia = body.inertia
        if inertia is None or math.isfinite(
                sum(inertia.pose) + inertia.mass) and is_physical(inertia):
            return inertia
        self.notes.add(
            codes.INERTIA_NOT_REPRESENTABLE,
            'SDFormat refuses inertias that no body can have; of these only the mass is written',
            body.name, inertia.location or body.location)
        mass = inertia.mass if math.isfinite(inertia.mass) else 0.0
        pose = inertia.pose if all(map(math.isfinite, inertia.pose)) else IDENTITY
        return Inertia(max(mass, 0.0), pose, location=inertia.location)

    def _massless(self, name: str, pose: Pose, scope: int) -> int:
        index = len(self.bodies)
        free, source_name = self.names.claim(scope, name, 'link')
        self.names.scope_of.append(scope)
        self.bodies.append(Body(free, source_name, pose=pose))
        return index

    # ---- joints

    def add_joint(self, index: int) -> None:
        """Add a joint, as several with massless links between them if necessary."""
        joint = self.model.joints[index]
        note_joint_name(joint, self.model.coordinates, self.notes)
        part = self._native(joint)
        if part is not None:
            self._connect(part, joint)
            return
        scope = self.names.scope_of[joint.child]
        self.notes.about(
            codes.JOINT_EXPANDED,
            'joints that SDFormat has no type for are written as several, with massless links',
            joint)
        pose = compose(self.poses[joint.parent], joint.parent_from_joint)
        step = joint
        for count, motion in enumerate(joint.motions, 1):
            before, pose = pose, compose(pose, _at_zero(motion))
            if count == len(joint.motions):
                step = step._replace(
                    child=joint.child, child_from_joint=joint.child_from_joint)
            else:
                below = self._massless(f'{joint.name}/link_{count}', pose, scope)
                step = step._replace(child=below, child_from_joint=IDENTITY)
            part = self._single(motion, step) or self._follower(motion, step, before)
            self._connect(part, step)
            step = step._replace(parent=step.child, parent_from_joint=IDENTITY)

    def _native(self, joint: Joint) -> Optional[_Part]:
        """Return the joint as one joint of SDFormat, or None if it takes several."""
        motions = joint.motions
        if not motions:
            return _Part(joint.name, 'fixed', ())
        if len(motions) == 1:
            return self._single(motions[0], joint)
        if len(motions) > 2 or not all(
                motion.kind == 'revolute' and motion.offset == 0.0 and self._is_direct(motion)
                for motion in motions):
            return None
        name_after(
            self.coordinates, [motion.coordinates[0] for motion in motions],
            [f'{joint.name}_1', f'{joint.name}_2'], joint, self.notes)
        first, second = map(forwards, motions)
        kind = joint.type
        if kind not in ('universal', 'revolute2'):
            square = abs(dot(first.axis, second.axis)) < _RIGHT_ANGLE
            kind = 'universal' if square else 'revolute2'
        return _Part(joint.name, kind, (first, second))

    def _is_direct(self, motion: Motion) -> bool:
        """Return whether a joint may have the coordinate's own value."""
        if motion.coordinates[0] in self.scope_of_driver:
            return False
        angular = self.model.coordinates[motion.coordinates[0]].kind == 'angle'
        if motion.kind == 'screw':
            return angular
        return abs(motion.scale) == 1.0 and angular == (motion.kind == 'revolute')

    def _single(self, motion: Motion, joint: Joint) -> Optional[_Part]:
        """Return a joint of one motion, named as its coordinate; None if it has to mimic one."""
        if motion.kind == 'rotation_vector':
            if motion.scale != 1.0:
                self._note_scale(joint.name, joint)
            name = joint.name if len(joint.motions) == 1 else f'{joint.name}_rot'
            names = [f'{name}_{axis}' for axis in 'xyz']
            name_after(self.coordinates, motion.coordinates, names, joint, self.notes)
            return _Part(name, 'ball', (motion._replace(scale=1.0),))
        if not self._is_direct(motion):
            return None
        coordinate = self.model.coordinates[motion.coordinates[0]]
        # Gazebo's default engine welds a continuous joint and moves a revolute one without limits
        is_continuous = joint.type == 'continuous' and self.model.conventions.nested_names
        return _Part(
            coordinate.name, joint.type if is_continuous else motion.kind, (forwards(motion),))

    def _follower(self, motion: Motion, joint: Joint, pose: Pose) -> _Part:
        """
        Return a joint that mimics its coordinate by a scale, and add the coordinate's own joint.

        The coordinate's joint carries a massless leaf. Before SDF 1.11 no joint can mimic another:
        the joint then stands for the coordinate, although its value differs.
        """
        of = motion.coordinates[0]
        coordinate = self.model.coordinates[of]
        name = f'{coordinate.name}/{"turn" if motion.kind == "revolute" else "slide"}'
        scale = 1.0 if motion.kind == 'screw' else motion.scale
        if not self.target.mimics and of not in self.scope_of_driver:
            self._note_scale(coordinate.name, joint)
            name, own, self.coordinates[of] = coordinate.name, of, scaled(coordinate, scale)
        else:
            if of not in self.scope_of_driver:
                self._add_leaf(motion, joint, pose)
                self.notes.add(
                    codes.FRAME_NOT_REPRESENTABLE,
                    'frames of these joints move as their coordinates do, without the scale; '
                    '<joint>/turn or <joint>/slide is the frame of the joint itself',
                    coordinate.name, joint.location)
            own = len(self.coordinates)
            angular = motion.kind != 'prismatic'
            self.coordinates.append(follower(coordinate, name, angular, Mimic(of, scale)))
        pitch = motion.scale if motion.kind == 'screw' else 1.0
        return _Part(
            name, motion.kind, (motion._replace(coordinates=(own,), scale=pitch),))

    def _add_leaf(self, motion: Motion, joint: Joint, pose: Pose) -> None:
        """Add the joint that has a coordinate's value, and a massless link below it."""
        of = motion.coordinates[0]
        coordinate = self.model.coordinates[of]
        scope = self.names.scope_of[joint.child]
        leaf = self._massless(f'{coordinate.name}/coordinate', pose, scope)
        own = of_coordinate(motion, coordinate)
        self._connect(
            _Part(coordinate.name, own.kind, (own,)),
            joint._replace(child=leaf, child_from_joint=IDENTITY))

    def _note_scale(self, name: str, joint: Joint) -> None:
        self.notes.add(
            codes.SCALE_NOT_REPRESENTABLE,
            'the scale between these coordinates and their joints is lost: positions in the '
            'SDFormat file are those of the joints', name, joint.location)

    def _connect(self, part: _Part, joint: Joint) -> None:
        """Put a joint into the scope that holds both its links, or else into the world."""
        parent, child = self.names.scope_of[joint.parent], self.names.scope_of[joint.child]
        if child == WORLD:
            return
        scope = self.names.common(
            [child] if parent == WORLD else [parent, child], joint.source_name)
        fault = ''
        if joint.parent == joint.child:
            fault = 'that connect a link with itself are omitted: SDFormat has none'
        elif scope == WORLD and not self.target.world_joints:
            fault = 'between models of a world are omitted: SDFormat has them since 1.10'
        if fault:
            self.notes.add(
                codes.JOINT_NOT_REPRESENTABLE, f'joints {fault}', part.name, joint.location)
            return
        name, source_name = self.names.claim(
            scope, part.name, 'joint', joint.source_name if part.name == joint.name else '')
        start = joint.parent_from_joint
        for motion in part.motions:
            start = compose(start, _at_zero(motion))
        self._note_open_loop(part, joint, start)
        kind = part.type
        if kind == 'screw' and abs(part.motions[0].scale) < sys.float_info.min:
            kind = 'revolute'
        self.scope_of_joint.append(scope)
        self.joints.append(joint._replace(
            name=name, source_name=source_name, type=kind, parent_from_joint=start, actuator='',
            motions=tuple(motion._replace(offset=0.0) for motion in part.motions),
            extensions=tuple(filter(self.target.holds, joint.extensions))))
        if kind != 'ball':
            for motion in part.motions:
                self.scope_of_driver.setdefault(motion.coordinates[0], scope)

    def _note_open_loop(self, part: _Part, joint: Joint, start: Pose) -> None:
        """Note a joint whose loop is not closed with every joint at zero."""
        sides = (compose(self.bodies[joint.parent].pose, start),
                 compose(self.bodies[joint.child].pose, joint.child_from_joint))
        apart = compose(inverse(sides[0]), sides[1])
        if math.hypot(*apart.position, *rotation_vector(apart)) > _CLOSED:
            self.notes.add(
                codes.LOOP_NOT_REPRESENTABLE,
                'the links of these joints meet at zero in SDFormat, and do not here: the loops '
                'that they close become others', part.name, joint.location)

    # ---- mimics and constraints

    def _drop_mimics(self) -> None:
        """Drop the mimics that the target lacks, and those of a coordinate with itself."""
        for index, scope in [
                (motion.coordinates[0], scope)
                for joint, scope in zip(self.joints, self.scope_of_joint) if joint.type != 'ball'
                for motion in joint.motions]:
            coordinate = self.coordinates[index]
            mimic = coordinate.mimic
            if mimic is None or self.target.mimics and mimic.leader != index and (
                    self.scope_of_driver.get(mimic.leader) == scope):
                continue
            of = mimic.leader if index >= len(self.model.coordinates) else index
            self.notes.add(
                codes.MIMIC_NOT_REPRESENTABLE,
                'these coordinates follow one that SDFormat cannot name here (it can since 1.11, '
                'in one model, another joint); the mimic relation is omitted',
                self.model.coordinates[of].name, coordinate.location)
            self.coordinates[index] = coordinate._replace(mimic=None)

    def add_constraint(self, constraint: Constraint) -> None:
        """Add a gearbox; SDFormat has no other constraint, and none between models."""
        bodies = tuple(
            body for body in constraint.bodies if self.names.scope_of[body] != WORLD)
        scope = self.names.common([self.names.scope_of[body] for body in bodies])
        if constraint.kind != 'gearbox' or len(bodies) < 2 or scope == WORLD:
            self.notes.about(
                codes.CONSTRAINT_NOT_REPRESENTABLE,
                'SDFormat has no constraint but a gearbox within one model', constraint)
            return
        name, source_name = self.names.claim(
            scope, constraint.name, 'joint', constraint.source_name)
        self.constraints.append(constraint._replace(
            name=name, source_name=source_name, bodies=bodies, joints=()))


def _at_zero(motion: Motion) -> Pose:
    return displacement(motion, [0.0] * len(motion.coordinates))
