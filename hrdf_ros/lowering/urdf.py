# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Lower a Model to URDF, on top of the tree.

Each joint has a coordinate of its own name, which mimics where the joint follows another. A
revolute or prismatic joint must have finite limits, an effort and a velocity; where the Model has
none, the named numbers below stand for them.
"""

from __future__ import annotations

import math

from hrdf_ros import codes, formats
from hrdf_ros.diagnostics import Report
from hrdf_ros.fields import default_of, numbers_of, unheld
from hrdf_ros.inertia import is_finite
from hrdf_ros.listing import GroupedDiagnostics
from hrdf_ros.lowering.losses import is_of_robot, report_losses
from hrdf_ros.lowering.shape_lowering import ShapeLowering
from hrdf_ros.lowering.target import GeneratedMesh, Target
from hrdf_ros.lowering.tree import lower_to_tree
from hrdf_ros.model import (
    Body,
    Coordinate,
    Joint,
    Mimic,
    Model,
    RawElement,
    Shape,
    size_of_urdf,
    without_huge_limits,
)
from hrdf_ros.pose import IDENTITY

DEFAULT_EFFORT = 1000.0
"""The effort, in newton meters or newtons, that stands for an absent effort."""
DEFAULT_VELOCITY = 100.0
"""The velocity, in radians or meters per second, that stands for an absent velocity."""
WIDE = 1000.0
"""The limit, in radians or meters, that stands for an absent limit."""
SINGLE_AXIS = ('revolute', 'continuous', 'prismatic')
"""The types of URDF joints that have one coordinate."""


def lower_to_urdf(
    model: Model, target: Target, notes: GroupedDiagnostics, report: Report,
) -> tuple[Model, tuple[GeneratedMesh, ...]]:
    """Return the Model as URDF can express it, and the meshes that its shapes need."""
    tree = lower_to_tree(model, target, notes, report)
    notes.about(
        codes.JOINT_FLOATING,
        'written as floating joints, which robot_state_publisher does not move',
        *(joint for joint in tree.joints if joint.type == 'floating'))
    _note_coordinates(tree, notes)
    root = next(body for body in tree.bodies if body.name == tree.root)
    if root.pose != IDENTITY:
        notes.add(
            codes.ROOT_POSE_NOT_REPRESENTABLE,
            'a URDF begins at its root link, whose pose in the file is not written', root.name)
    shapes = ShapeLowering(target, model.conventions, notes)
    bodies = tuple(_body(body, target, shapes, notes) for body in tree.bodies)
    limits = _Limits(tree, len(model.coordinates), target, notes)
    joints = tuple(map(limits.joint, tree.joints))
    report_losses(model, target, notes, _driven(joints))
    links = {body.name for body in bodies}
    lowered = tree._replace(
        name=model.name or 'robot', format='urdf', version=target.version, bodies=bodies,
        coordinates=tuple(limits.coordinates), constraints=(), scopes=(),
        joints=tuple([
            joint._replace(actuator='', extensions=_kept(joint.extensions, target))
            if joint.actuator or joint.extensions else joint for joint in joints]),
        frames=tuple(frame for frame in tree.frames if frame.name in links),
        static=target.gazebo and (
            model.static or bool(model.bodies) and all(body.static for body in model.bodies)),
        extensions=_kept(
            tuple(each for each in model.extensions if is_of_robot(each, model)), target),
        description='', conventions=formats.URDF)
    return lowered, shapes.meshes()


def _note_coordinates(tree: Model, notes: GroupedDiagnostics) -> None:
    """Note each coordinate whose name a reader of the URDF derives from its floating joint."""
    for joint in tree.joints:
        if joint.type != 'floating':
            continue
        derived = {f'{joint.name}_{part}_{axis}' for part in ('rot', 'pos') for axis in 'xyz'}
        for index in joint.coordinates:
            coordinate = tree.coordinates[index]
            if coordinate.name not in derived:
                notes.add(
                    codes.NAME_CHANGED,
                    'coordinates of floating joints are named after the joint',
                    coordinate.name, coordinate.location, severity='info')


def _kept(extensions: tuple[RawElement, ...], target: Target) -> tuple[RawElement, ...]:
    """Return the raw elements that the target holds."""
    return extensions and tuple(filter(target.holds, extensions))


def _body(
    body: Body, target: Target, shapes: ShapeLowering, notes: GroupedDiagnostics,
) -> Body:
    inertia = body.inertia
    if inertia is not None and not is_finite(inertia):
        notes.add(
            codes.DETAIL_NOT_REPRESENTABLE, 'URDF has no place for numbers that are infinite',
            f'{body.name}: inertia', inertia.location or body.location, severity='warning')
        inertia = None
    visuals = tuple(sorted(shapes.visible(body.visuals, body), key=_place_of_visual))
    collisions = tuple(
        shape if shape.material is None else shape._replace(material=None)
        for shape in shapes.lowered(body.collisions, body))
    return body._replace(
        inertia=inertia, visuals=visuals, collisions=collisions,
        extensions=_kept(body.extensions, target))


def _place_of_visual(shape: Shape) -> tuple[bool, float]:
    """
    Return the key by which the visuals of a link are ordered: the largest comes first.

    RViz 2 paints all visuals of a link with the material of the first one, and only meshes have
    colors of their own besides. So a visual without a material comes last. A mesh counts as the
    largest, because its size is only in its file.
    """
    size = size_of_urdf(shape.geometry)
    return shape.material is None, -math.inf if size is None else -math.prod(size)


def _driven(joints: tuple[Joint, ...]) -> set[int]:
    """Return the coordinates that have the value of a joint."""
    return {joint.motions[0].coordinates[0] for joint in joints if joint.type in SINGLE_AXIS}


class _Limits:
    """Gives each joint the numbers that URDF requires; ``own`` are the coordinates of the file."""

    def __init__(
        self, tree: Model, own: int, target: Target, notes: GroupedDiagnostics,
    ) -> None:
        self._tree, self._own_count, self._notes = tree, own, notes
        self._lost = unheld(Coordinate, target.holders)
        self._driven = _driven(tree.joints)
        self.coordinates = list(tree.coordinates)

    def joint(self, joint: Joint) -> Joint:
        """Return a joint of its final kind, and limit its coordinate."""
        if joint.type not in ('revolute', 'prismatic'):
            return joint
        index = joint.motions[0].coordinates[0]
        coordinate = without_huge_limits(self.coordinates[index])
        if index < self._own_count:
            coordinate = self._own(coordinate)
        elif coordinate.mimic is not None:
            coordinate = coordinate._replace(mimic=self._through_leaders(coordinate.mimic))
        kind = joint.type
        if kind == 'revolute' and not any(
                map(math.isfinite, (coordinate.lower, coordinate.upper))):
            kind = 'continuous'
        self.coordinates[index] = self._limited(joint.name, kind, coordinate)
        return joint._replace(type=kind)

    def _own(self, coordinate: Coordinate) -> Coordinate:
        """Return a coordinate without dynamics and mimic relations that URDF has no place for."""
        kind = type(coordinate)
        coordinate = coordinate._replace(**{name: default_of(kind, name) for name in self._lost})
        infinite = [
            name for name in numbers_of(kind) if not math.isfinite(getattr(coordinate, name))]
        if infinite:
            self._notes.add(
                codes.DETAIL_NOT_REPRESENTABLE, 'URDF has no place for numbers that are infinite',
                f'{coordinate.name}: dynamics', coordinate.location, severity='warning')
            coordinate = coordinate._replace(
                **{name: default_of(kind, name) for name in infinite})
        if coordinate.mimic is None or coordinate.mimic.leader in self._driven:
            return coordinate
        self._notes.about(
            codes.MIMIC_NOT_REPRESENTABLE,
            'these coordinates mimic one that has no joint in the URDF; the mimic relation is '
            'omitted', coordinate)
        return coordinate._replace(mimic=None)

    def _through_leaders(self, mimic: Mimic) -> Mimic:
        """Return the mimic of the first leader in a chain: most readers follow only one mimic."""
        seen = {mimic.leader}
        while True:
            above = self._tree.coordinates[mimic.leader].mimic
            if above is None or above.leader in seen or above.leader not in self._driven:
                return mimic
            seen.add(above.leader)
            mimic = Mimic(
                above.leader, mimic.multiplier * above.multiplier,
                mimic.multiplier * above.offset + mimic.offset)

    def _limited(self, name: str, kind: str, coordinate: Coordinate) -> Coordinate:
        """Return a coordinate with numbers for the limits that its joint has to have."""
        rates = coordinate.velocity, coordinate.effort
        if kind == 'continuous' and all(map(math.isinf, rates)):
            return coordinate

        def finite(value: float, substitute: float, what: str) -> float:
            if math.isfinite(value):
                return value
            self._notes.add(
                codes.LIMIT_DEFAULT_USED,
                f'URDF requires a number for every limit; {what} {substitute!r} is written for '
                'joints that have none', name, coordinate.location)
            return substitute

        if kind != 'continuous':
            lower = finite(coordinate.lower, min(-WIDE, coordinate.upper), 'lower')
            upper = finite(coordinate.upper, max(WIDE, lower), 'upper')
            coordinate = coordinate._replace(lower=lower, upper=upper)
        return coordinate._replace(
            effort=finite(coordinate.effort, DEFAULT_EFFORT, 'effort'),
            velocity=finite(coordinate.velocity, DEFAULT_VELOCITY, 'velocity'))
