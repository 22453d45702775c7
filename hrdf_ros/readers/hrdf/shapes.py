# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The shapes of elements.

Built-in components are drawn with the meshes of hebi_description where that package is installed
(file names and placements are its xacro components'), else with primitives, so that a robot never
shows up empty. Collision shapes are coarser there: a box, or a tube.
"""

from collections.abc import Iterable
from functools import cache
import math
from typing import NamedTuple, Optional

from hrdf_ros.document import SourceRef
from hrdf_ros.inertia import equal_box, Inertia
from hrdf_ros.model import Box, Cylinder, Material, Mesh, Shape
from hrdf_ros.pose import (
    compose,
    from_axis_angle,
    from_rpy,
    IDENTITY,
    Pose,
    relative,
    translation,
    Vector,
    Z_AXIS,
)
from hrdf_ros.readers.hrdf import catalog, primitives
from hrdf_ros.resolve import Resolver

_QUARTER = math.pi / 2
_MILLIMETER: Vector = (.001, .001, .001)
_CAP = .0127
"""Meters by which a cap covers the end of a link's tube."""
_STRUT_RADIUS = .01
_LEAST_SIDE = .01
"""Of a box's longest side: rods and plates of no thickness are to be seen, too."""


class Shapes(NamedTuple):
    """The visuals and collisions of an element."""

    visuals: tuple[Shape, ...] = ()
    collisions: tuple[Shape, ...] = ()


MeshPart = tuple[str, Pose]
"""A mesh file of hebi_description without its suffix, and body_from_mesh."""


def _placed(file: str, y: float, z: float, roll: float, yaw: float) -> MeshPart:
    return file, from_rpy((0.0, y, z), (roll, 0.0, yaw))


_BRACKETS: dict[str, tuple[MeshPart, ...]] = {
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
_MESH_PACKAGE = 'hebi_description'
_LINKS_WITH_MESHES = ('X5', 'R8')
_INPUT_CAPS = {catalog.RIGHT_ANGLE: 'A-2038-02', catalog.INLINE: 'A-2225-01'}
_OUTPUT_CAPS = {catalog.RIGHT_ANGLE: 'A-2039-02', catalog.INLINE: 'A-2226-01'}


def of_actuator(actuator: catalog.Actuator, resolver: Resolver) -> Shapes:
    """Return the housing: the family's mesh, or primitives and the box around them."""
    meshes = meshes_of(
        ((actuator.family, IDENTITY),), primitives.HOUSINGS[actuator.family], resolver)
    if meshes:
        return Shapes(meshes, meshes)
    return Shapes(primitives.actuator(actuator.family), _actuator_box(actuator.family))


@cache
def _actuator_box(name: str) -> tuple[Shape, ...]:
    family = catalog.FAMILIES[name]
    reach, width = abs(family.com[0]) + family.radius, 2 * family.radius
    return (Shape(
        '', Box((2 * reach, width, family.height)),
        translation(family.com[0], 0.0, family.height / 2)),)


def of_bracket(name: str, bracket: catalog.Bracket, resolver: Resolver) -> Shapes:
    """Return the bracket: its meshes, or its flanges and a box from the input to the output."""
    meshes = meshes_of(_BRACKETS.get(name, ()), primitives.BRACKET, resolver)
    if meshes:
        return Shapes(meshes, meshes)
    _, y, z = bracket.input_from_output.position
    box = Shape('', Box((.04, abs(y), z)), translation(0.0, y / 2, z / 2))
    return Shapes(primitives.bracket(name), (box,))


def of_link(
    name: str, ends: tuple[str, str], extension: float, input_from_output: Pose,
    resolver: Resolver,
) -> Shapes:
    """Return the link: its tube, with a cap on both ends."""
    meshes: tuple[Shape, ...] = ()
    if name in _LINKS_WITH_MESHES:
        quarter = from_axis_angle(Z_AXIS, _QUARTER)
        output = input_from_output if ends[1] == catalog.RIGHT_ANGLE else compose(
            input_from_output, quarter)
        meshes = meshes_of(
            ((_INPUT_CAPS[ends[0]], IDENTITY), (_OUTPUT_CAPS[ends[1]], output)),
            primitives.CAP, resolver)
    length = extension - 2 * _CAP if meshes else extension
    axis = compose(
        catalog.link_axis(catalog.LINKS[name], ends[0]), translation(0.0, 0.0, extension / 2))
    tube: tuple[Shape, ...] = ()
    if length > 0.0:
        tube = (primitives.shape(
            Cylinder(catalog.TUBE_RADIUS, length), axis, primitives.TUBE),)
    if meshes:
        return Shapes(tube + meshes, tube + meshes)
    return Shapes(tube + primitives.link_caps(name, ends, input_from_output), tube)


def of_rigid_body(
    mesh: Optional[str], body_from_mesh: Pose, outputs: tuple[Pose, ...],
    inertia: Optional[Inertia], location: SourceRef, resolver: Resolver,
) -> Shapes:
    """Return the mesh that the file names, or the box of equal inertia and struts to outputs."""
    if mesh:
        file = resolver.find(mesh, location.document.file)
        return Shapes((Shape('', Mesh(mesh, file), body_from_mesh, location=location),))
    box = None if inertia is None else equal_box(inertia)
    if box is None:
        return Shapes(_struts(outputs))
    body_from_box, (x, y, z) = box
    least = _LEAST_SIDE * max(x, y, z)
    size = max(x, least), max(y, least), max(z, least)
    return Shapes((
        primitives.shape(Box(size), body_from_box, primitives.BODY),
        *_struts(output for output in outputs if not _is_inside(output, body_from_box, size))))


def _is_inside(output: Pose, body_from_box: Pose, size: Vector) -> bool:
    """Return whether an output lies within a box, where a strut to it would be hidden."""
    point = relative(body_from_box, output).position
    return all(abs(value) <= extent / 2 for value, extent in zip(point, size))


def of_end_effector(name: str, output: Pose, resolver: Resolver) -> Shapes:
    """Return the meshes of a gripper, or a palm with fingers; a strut to a custom output."""
    if name == 'Custom':
        return Shapes(_struts((output,)))
    from hrdf_ros.readers.hrdf import gripper  # few robots have one
    box = Shape('', Box(catalog.GRIPPER_SIZE), translation(*catalog.GRIPPER_CENTER))
    return Shapes(gripper.at_rest(resolver) or primitives.gripper(), (box,))


def meshes_of(
    wanted: tuple[MeshPart, ...], material: Material, resolver: Resolver,
) -> tuple[Shape, ...]:
    """Return hebi_description's meshes, none unless all of them are installed."""
    if resolver.packages.share(_MESH_PACKAGE) is None:
        return ()
    found = []
    for name, pose in wanted:
        uri = f'package://{_MESH_PACKAGE}/meshes/{name}.stl'
        file = resolver.find(uri, '')
        if file is None:
            return ()
        found.append(primitives.shape(Mesh(uri, file, _MILLIMETER), pose, material))
    return tuple(found)


def _struts(outputs: Iterable[Pose]) -> tuple[Shape, ...]:
    """Return a thin cylinder to each output that is away from the input."""
    return tuple(
        primitives.rod(output.position, _STRUT_RADIUS, primitives.STRUT)
        for output in outputs if math.hypot(*output.position) > 0.0)
