# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
What the elements look like.

Built-in components are drawn with the meshes of hebi_description where that package is installed
(file names and placements are its xacro components'), else with plain primitives of about their
size, so that a robot never shows up empty.
"""

from __future__ import annotations

import math
from typing import NamedTuple, Optional

from hrdf_ros.document import SourceRef
from hrdf_ros.model import Box, Cylinder, Geometry, Mesh, Shape
from hrdf_ros.pose import (
    compose,
    from_axis_angle,
    from_rpy,
    IDENTITY,
    Pose,
    translation,
    Vector,
    Z_AXIS,
)
from hrdf_ros.readers.hrdf import catalog
from hrdf_ros.resolve import Resolver

_QUARTER = math.pi / 2
_MILLIMETRE: Vector = (.001, .001, .001)
_CAP = .0127
"""Metres by which a cap covers the end of a link's tube."""
_STRUT_RADIUS = .01


class Shapes(NamedTuple):
    """What is seen of an element, and what of it touches things."""

    visuals: tuple[Shape, ...] = ()
    collisions: tuple[Shape, ...] = ()


class _Part(NamedTuple):
    """A mesh file of hebi_description without its suffix, and body_from_mesh."""

    file: str
    pose: Pose = IDENTITY


def _placed(file: str, y: float, z: float, roll: float, yaw: float) -> _Part:
    return _Part(file, from_rpy((0.0, y, z), (roll, 0.0, yaw)))


_BRACKETS: dict[str, tuple[_Part, ...]] = {
    'X5LightLeft': (_placed('PM-2132-01L', 0., 0., _QUARTER, _QUARTER),),
    'X5LightRight': (_placed('PM-2132-01R', 0., 0., _QUARTER, -_QUARTER),),
    'X5HeavyLeftInside': (
        _placed('PM-2149-01', 0., .005, _QUARTER, _QUARTER),
        _placed('PM-2150-01L', -.03, .04, _QUARTER, math.pi)),
    'X5HeavyLeftOutside': (
        _placed('PM-2149-01', 0., .005, _QUARTER, -_QUARTER),
        _placed('PM-2150-01L', .03, .04, _QUARTER, math.pi)),
    'X5HeavyRightInside': (
        _placed('PM-2149-01', 0., .005, _QUARTER, -_QUARTER),
        _placed('PM-2150-01R', .03, .04, _QUARTER, 0.)),
    'X5HeavyRightOutside': (
        _placed('PM-2149-01', 0., .005, _QUARTER, _QUARTER),
        _placed('PM-2150-01R', -.03, .04, _QUARTER, 0.)),
    'R8LightLeft': (_placed('A-2220-01', 0., 0., 0., math.pi),),
    'R8LightRight': (_placed('A-2220-01', 0., 0., 0., 0.),),
    'R8HeavyLeftInside': (_placed('A-2221-01-Inside', 0., 0., 0., 0.),),
    'R8HeavyLeftOutside': (_placed('A-2221-01-Outside', 0., 0., 0., math.pi),),
    'R8HeavyRightInside': (_placed('A-2221-01-Inside', 0., 0., 0., math.pi),),
    'R8HeavyRightOutside': (_placed('A-2221-01-Outside', 0., 0., 0., 0.),),
}
_LINKS_WITH_MESHES = ('X5', 'R8')
_INPUT_CAPS = {catalog.RIGHT_ANGLE: 'A-2038-02', catalog.INLINE: 'A-2225-01'}
_OUTPUT_CAPS = {catalog.RIGHT_ANGLE: 'A-2039-02', catalog.INLINE: 'A-2226-01'}


def of_actuator(actuator: catalog.Actuator, resolver: Resolver) -> Shapes:
    """Return the housing: the family's mesh, or a box around the centre of mass."""
    family = catalog.FAMILIES[actuator.family]
    reach, width = abs(family.com[0]) + family.radius, 2 * family.radius
    box = _shape(
        Box((2 * reach, width, family.height)),
        translation(family.com[0], 0.0, family.height / 2))
    return _solid(_meshes((_Part(actuator.family),), resolver) or (box,))


def of_bracket(name: str, bracket: catalog.Bracket, resolver: Resolver) -> Shapes:
    """Return the bracket: its meshes, or a box from the input to the output."""
    _, y, z = bracket.input_from_output.position
    box = _shape(Box((.04, abs(y), z)), translation(0.0, y / 2, z / 2))
    return _solid(_meshes(_BRACKETS.get(name, ()), resolver) or (box,))


def of_link(
    name: str, ends: tuple[str, str], extension: float, input_from_output: Pose,
    resolver: Resolver,
) -> Shapes:
    """Return the link: its tube, with a cap on both ends where there are meshes."""
    caps: tuple[Shape, ...] = ()
    if name in _LINKS_WITH_MESHES:
        quarter = from_axis_angle(Z_AXIS, _QUARTER)
        output = input_from_output if ends[1] == catalog.RIGHT_ANGLE else compose(
            input_from_output, quarter)
        caps = _meshes(
            (_Part(_INPUT_CAPS[ends[0]]), _Part(_OUTPUT_CAPS[ends[1]], output)), resolver)
    length = extension - 2 * _CAP if caps else extension
    axis = compose(
        catalog.link_axis(catalog.LINKS[name], ends[0]), translation(0.0, 0.0, extension / 2))
    tube = (_shape(Cylinder(catalog.TUBE_RADIUS, length), axis),) if length > 0.0 else ()
    return _solid(tube + caps)


def of_rigid_body(
    mesh: Optional[str], body_from_mesh: Pose, outputs: tuple[Pose, ...], location: SourceRef,
    resolver: Resolver,
) -> Shapes:
    """Return the mesh that the file names, or a strut from the input to each output."""
    if not mesh:
        return Shapes(_struts(outputs))
    file = resolver.find(mesh, location.document.file)
    return Shapes((Shape('', Mesh(mesh, file), body_from_mesh, location=location),))


def of_end_effector(name: str, output: Pose) -> Shapes:
    """Return a box for a gripper, a strut to the output for a custom end effector."""
    if name == 'Custom':
        return Shapes(_struts((output,)))
    return _solid((_shape(Box(catalog.GRIPPER_SIZE), translation(*catalog.GRIPPER_CENTRE)),))


def _shape(geometry: Geometry, pose: Pose) -> Shape:
    return Shape('', geometry, pose)


def _solid(shapes: tuple[Shape, ...]) -> Shapes:
    """Return shapes that are seen and touch things alike."""
    return Shapes(shapes, shapes)


def _meshes(wanted: tuple[_Part, ...], resolver: Resolver) -> tuple[Shape, ...]:
    """Return hebi_description's meshes, none unless all of them are installed."""
    found = []
    for part in wanted:
        uri = f'package://hebi_description/meshes/{part.file}.stl'
        file = resolver.find(uri, '')
        if file is None:
            return ()
        found.append(_shape(Mesh(uri, file, _MILLIMETRE), part.pose))
    return tuple(found)


def _struts(outputs: tuple[Pose, ...]) -> tuple[Shape, ...]:
    """Return a thin cylinder to each output that is away from the input."""
    return tuple(
        _strut(output.position) for output in outputs if math.hypot(*output.position) > 0.0)


def _strut(end: Vector) -> Shape:
    """Return a cylinder between the origin and a point."""
    length = math.hypot(*end)
    sign = 1.0 if end[2] >= 0.0 else -1.0
    x, y, z = (sign * value / length for value in end)
    across = math.hypot(x, y)
    turn = IDENTITY
    if across > 0.0:
        turn = from_axis_angle((-y / across, x / across, 0.0), math.atan2(across, z))
    middle = translation(end[0] / 2, end[1] / 2, end[2] / 2)
    return _shape(Cylinder(_STRUT_RADIUS, length), compose(middle, turn))
