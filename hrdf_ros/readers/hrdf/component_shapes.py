# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The shapes of elements.

Built-in components are drawn with the meshes of hebi_description where that package is installed,
with the file names and placements of its xacro components. Otherwise they are boxes and cylinders,
so that a robot is always visible. Collision shapes are coarser there: a box, or a tube.

Where the library has an interface, the boxes and cylinders end: the output disc of an actuator at
the actuator's output, the flanges of a bracket and the ends of a link at their interfaces. What
lies between is drawn by eye.
"""

from collections.abc import Iterable, Sequence
from functools import cache
import math
from typing import NamedTuple, Optional

from hrdf_ros.document import SourceRef
from hrdf_ros.inertia import equal_box, Inertia
from hrdf_ros.model import Box, Cylinder, Geometry, Material, Mesh, Shape
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
from hrdf_ros.readers.hrdf import catalog
from hrdf_ros.resolve import Resolver

_QUARTER = math.pi / 2
"""A quarter turn in radians."""
_MILLIMETER: Vector = (.001, .001, .001)
_CAP_OVERLAP = .0127
"""The length in meters by which a cap covers the end of a link's tube."""
_STRUT_RADIUS = .01
"""The radius in meters of the struts from the input of a part without shapes to its outputs."""
_LEAST_SIDE = .01
"""The least side of a box as a share of its longest, so that rods and plates stay visible."""

_HOUSINGS = {
    family: Material(f'hrdf_housing_{family}', (gray, gray, gray + .02, 1.0))
    for family, gray in (
        ('X5', .30), ('X8', .23), ('R8', .19), ('T5', .27), ('T8', .21), ('R25', .15),
        ('T25', .17))}
_DISC = Material('hrdf_output_disc', (.78, .79, .81, 1.0))
_BRACKET = Material('hrdf_bracket', (.55, .59, .65, 1.0))
_TUBE = Material('hrdf_tube', (.66, .70, .75, 1.0))
_CAP = Material('hrdf_link_cap', (.42, .46, .52, 1.0))
GRIPPER = Material('hrdf_gripper', (.26, .27, .30, 1.0))
FINGER = Material('hrdf_finger', (.90, .60, .15, 1.0))
_BODY = Material('hrdf_rigid_body', (.36, .52, .70, 1.0))
_STRUT = Material('hrdf_strut', (.62, .65, .69, 1.0))

_DISC_HEIGHT = .005
"""The height in meters of the output disc of an actuator that is drawn without meshes."""
_DISC_SHARE = .62
"""The radius of the output disc as a share of the housing's radius."""
_PLATE = .004
"""The thickness in meters of the plates of a bracket that is drawn without meshes."""
_FLANGES = {'X': .05, 'R8': .056, 'R25': .076}
"""The side in meters of the square plate at a bracket's interfaces."""
_CAP_RADII = {'X': .024, 'R8': .026, 'R25': .034}
"""The radius in meters of the caps at the ends of a link, by interface."""
_INLINE_CAP = .014
"""The height in meters of the cap at an inline end of a link."""


class Shapes(NamedTuple):
    """The visuals and collisions of an element."""

    visuals: tuple[Shape, ...] = ()
    collisions: tuple[Shape, ...] = ()


MeshPart = tuple[str, Pose]
"""A mesh file of hebi_description without its suffix, and body_from_mesh."""


_BRACKETS: dict[str, tuple[tuple[str, float, float, int, int], ...]] = {
    'X5LightLeft': (('PM-2132-01L', 0., 0., 1, 1),),
    'X5LightRight': (('PM-2132-01R', 0., 0., 1, -1),),
    'X5HeavyLeftInside': (('PM-2149-01', 0., .005, 1, 1), ('PM-2150-01L', -.03, .04, 1, 2)),
    'X5HeavyLeftOutside': (('PM-2149-01', 0., .005, 1, -1), ('PM-2150-01L', .03, .04, 1, 2)),
    'X5HeavyRightInside': (('PM-2149-01', 0., .005, 1, -1), ('PM-2150-01R', .03, .04, 1, 0)),
    'X5HeavyRightOutside': (('PM-2149-01', 0., .005, 1, 1), ('PM-2150-01R', -.03, .04, 1, 0)),
    'R8LightLeft': (('A-2220-01', 0., 0., 0, 2),),
    'R8LightRight': (('A-2220-01', 0., 0., 0, 0),),
    'R8HeavyLeftInside': (('A-2221-01-Inside', 0., 0., 0, 0),),
    'R8HeavyLeftOutside': (('A-2221-01-Outside', 0., 0., 0, 2),),
    'R8HeavyRightInside': (('A-2221-01-Inside', 0., 0., 0, 2),),
    'R8HeavyRightOutside': (('A-2221-01-Outside', 0., 0., 0, 0),),
}
"""The meshes of each bracket: file, y, z, and roll and yaw in quarter turns."""
_MESH_PACKAGE = 'hebi_description'
_LINKS_WITH_MESHES = ('X5', 'R8')
_INPUT_CAPS = {catalog.RIGHT_ANGLE: 'A-2038-02', catalog.INLINE: 'A-2225-01'}
_OUTPUT_CAPS = {catalog.RIGHT_ANGLE: 'A-2039-02', catalog.INLINE: 'A-2226-01'}


def of_actuator(family: str, resolver: Resolver) -> Shapes:
    """Return the housing: the family's mesh, or its boxes and cylinders."""
    meshes = meshes_of(((family, IDENTITY),), _HOUSINGS[family], resolver)
    return Shapes(meshes, meshes) if meshes else _housing(family)


@cache
def _housing(name: str) -> Shapes:
    """Return the cylindrical housing, and the disc that turns the next component."""
    family = catalog.FAMILIES[name]
    material, radius = _HOUSINGS[name], family.radius
    height, reach = family.height - _DISC_HEIGHT, abs(family.com[0]) + radius
    tail = reach + abs(family.com[0])
    box = Shape(
        '', Box((2 * reach, 2 * radius, family.height)),
        translation(family.com[0], 0.0, family.height / 2))
    return Shapes((
        shape(Box((tail, 2 * radius, height)), translation(-tail / 2, 0.0, height / 2), material),
        shape(Cylinder(radius, height), translation(0.0, 0.0, height / 2), material),
        shape(Cylinder(_DISC_SHARE * radius, _DISC_HEIGHT),
              translation(0.0, 0.0, family.height - _DISC_HEIGHT / 2), _DISC)), (box,))


def of_bracket(name: str, resolver: Resolver) -> Shapes:
    """Return the bracket: its meshes, or its flanges and a box from the input to the output."""
    meshes = meshes_of([
        (file, from_rpy((0.0, y, z), (roll * _QUARTER, 0.0, yaw * _QUARTER)))
        for file, y, z, roll, yaw in _BRACKETS.get(name, ())], _BRACKET, resolver)
    return Shapes(meshes, meshes) if meshes else _plates(name)


@cache
def _plates(name: str) -> Shapes:
    """Return the flanges at the input and the output, with ribs beyond if the bracket is heavy."""
    part = catalog.BRACKETS[name]
    _, face, height = part.output.position
    box = Shape('', Box((.04, abs(face), height)), translation(0.0, face / 2, height / 2))
    towards = 1.0 if 'Left' in name else -1.0
    side = next(size for family, size in _FLANGES.items() if name.startswith(family))
    back = face - towards * _PLATE
    low, high = min(-side / 2, face, back), max(side / 2, face, back)
    top = height + side / 2
    plates = [
        shape(Box((side, high - low, _PLATE)),
              translation(0.0, (low + high) / 2, _PLATE / 2), _BRACKET),
        shape(Box((side, _PLATE, top)), translation(0.0, (face + back) / 2, top / 2), _BRACKET)]
    depth = min(abs(back), side / 4)
    for sign in (-1.0, 1.0) if 'Heavy' in name else ():
        plates.append(shape(
            Box((_PLATE, depth, height)),
            translation(sign * (side - _PLATE) / 2, back - towards * depth / 2, height / 2),
            _BRACKET))
    return Shapes(tuple(plates), (box,))


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
            _CAP, resolver)
    length = extension - 2 * _CAP_OVERLAP if meshes else extension
    axis = compose(
        catalog.link_axis(catalog.LINKS[name], ends[0]), translation(0.0, 0.0, extension / 2))
    tube: tuple[Shape, ...] = ()
    if length > 0.0:
        tube = (shape(
            Cylinder(catalog.TUBE_RADIUS, length), axis, _TUBE),)
    if meshes:
        return Shapes(tube + meshes, tube + meshes)
    link = catalog.LINKS[name]
    geometry, pose = _cap(link.output_interface, link.offset, ends[1], -1.0)
    return Shapes((
        *tube, shape(*_cap(link.interface, link.offset, ends[0], 1.0), _CAP),
        shape(geometry, compose(input_from_output, pose), _CAP)), tube)


def _cap(interface: str, offset: float, end: str, side: float) -> tuple[Geometry, Pose]:
    """Return one cap in the frame of its interface, on the side +z (1.0) or -z (-1.0) of it."""
    height = 2 * offset if end == catalog.RIGHT_ANGLE else _INLINE_CAP
    return (Cylinder(_CAP_RADII[interface], height),
            translation(0.0, 0.0, side * height / 2))


def of_rigid_body(
    mesh: Optional[str], body_from_mesh: Pose, outputs: tuple[Pose, ...],
    inertia: Optional[Inertia], location: SourceRef, resolver: Resolver,
) -> Shapes:
    """Return the mesh that the file names, or the box of equal inertia with struts to outputs."""
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
        shape(Box(size), body_from_box, _BODY),
        *_struts(output for output in outputs if not _is_inside(output, body_from_box, size))))


def _is_inside(output: Pose, body_from_box: Pose, size: Vector) -> bool:
    """Return whether an output lies within a box, where a strut to it would be hidden."""
    point = relative(body_from_box, output).position
    return all(abs(value) <= extent / 2 for value, extent in zip(point, size))


def of_custom_end_effector(output: Pose) -> Shapes:
    """Return a strut to the output."""
    return Shapes(_struts((output,)))


def meshes_of(
    wanted: Sequence[MeshPart], material: Material, resolver: Resolver,
) -> tuple[Shape, ...]:
    """Return hebi_description's meshes, or none unless all of them are installed."""
    if resolver.packages.share(_MESH_PACKAGE) is None:
        return ()
    found = []
    for name, pose in wanted:
        uri = f'package://{_MESH_PACKAGE}/meshes/{name}.stl'
        file = resolver.find(uri, '')
        if file is None:
            return ()
        found.append(shape(Mesh(uri, file, _MILLIMETER), pose, material))
    return tuple(found)


def _struts(outputs: Iterable[Pose]) -> tuple[Shape, ...]:
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
    return shape(Cylinder(_STRUT_RADIUS, length), compose(middle, turn), _STRUT)


def shape(geometry: Geometry, pose: Pose, material: Material) -> Shape:
    """Return a shape in one color."""
    return Shape('', geometry, pose, material)
