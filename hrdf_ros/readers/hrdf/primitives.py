# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Built-in components of boxes and cylinders, where HEBI's own meshes are not installed.

Interfaces are where the library has them, down to the last digit: the output disc of an actuator
ends at its output, the flanges of a bracket and the ends of a link lie in their interfaces. What
lies between is drawn by eye, within the box that stands for the component in collisions.
"""

from __future__ import annotations

from functools import cache
import math

from hrdf_ros.model import Box, Cylinder, Geometry, Material, Shape
from hrdf_ros.pose import compose, from_axis_angle, IDENTITY, Pose, translation, Vector
from hrdf_ros.readers.hrdf import catalog

_GRAYS = {
    'X5': .30, 'X8': .23, 'R8': .19, 'T5': .27, 'T8': .21, 'R25': .15, 'T25': .17,
}
HOUSINGS = {
    family: Material(f'hrdf_housing_{family}', (gray, gray, gray + .02, 1.0))
    for family, gray in _GRAYS.items()
}
DISC = Material('hrdf_output_disc', (.78, .79, .81, 1.0))
BRACKET = Material('hrdf_bracket', (.55, .59, .65, 1.0))
TUBE = Material('hrdf_tube', (.66, .70, .75, 1.0))
CAP = Material('hrdf_link_cap', (.42, .46, .52, 1.0))
GRIPPER = Material('hrdf_gripper', (.26, .27, .30, 1.0))
FINGER = Material('hrdf_finger', (.90, .60, .15, 1.0))
BODY = Material('hrdf_rigid_body', (.36, .52, .70, 1.0))
STRUT = Material('hrdf_strut', (.62, .65, .69, 1.0))

_DISC_HEIGHT = .005
_DISC_SHARE = .62
"""Of the housing's radius."""
_PLATE = .004
_FLANGES = {'X': .05, 'R8': .056, 'R25': .076}
"""The side of the square plate at a bracket's interfaces."""
_CAP_RADII = {'X': .024, 'R8': .026, 'R25': .034}
_INLINE_CAP = .014
_PALM = .6
_FINGER_WIDTH = .014


def shape(geometry: Geometry, pose: Pose, material: Material) -> Shape:
    """Return a shape in one color."""
    return Shape('', geometry, pose, material)


@cache
def actuator(name: str) -> tuple[Shape, ...]:
    """Return the housing, round where it turns the next component, and the disc that does so."""
    family = catalog.FAMILIES[name]
    material = HOUSINGS[name]
    height = family.height - _DISC_HEIGHT
    tail = 2 * abs(family.com[0]) + family.radius
    return (
        shape(Box((tail, 2 * family.radius, height)),
              translation(-tail / 2, 0.0, height / 2), material),
        shape(Cylinder(family.radius, height), translation(0.0, 0.0, height / 2), material),
        shape(Cylinder(_DISC_SHARE * family.radius, _DISC_HEIGHT),
              translation(0.0, 0.0, family.height - _DISC_HEIGHT / 2), DISC))


@cache
def bracket(name: str) -> tuple[Shape, ...]:
    """Return the flange at the input, the one at the output, and ribs behind it if heavy."""
    part = catalog.BRACKETS[name]
    _, face, height = part.input_from_output.position
    towards = 1.0 if 'Left' in name else -1.0
    side = _FLANGES[part.interface]
    back = face - towards * _PLATE
    low, high = min(-side / 2, face, back), max(side / 2, face, back)
    top = height + side / 2
    plates = (
        shape(Box((side, high - low, _PLATE)),
              translation(0.0, (low + high) / 2, _PLATE / 2), BRACKET),
        shape(Box((side, _PLATE, top)), translation(0.0, (face + back) / 2, top / 2), BRACKET))
    if 'Heavy' not in name:
        return plates
    depth = min(abs(back), side / 4)
    return (*plates, *(
        shape(Box((_PLATE, depth, height)),
              translation(sign * (side - _PLATE) / 2, back - towards * depth / 2, height / 2),
              BRACKET)
        for sign in (-1.0, 1.0)))


def link_caps(
    name: str, ends: tuple[str, str], input_from_output: Pose,
) -> tuple[Shape, ...]:
    """Return the pieces in which the tube of a link ends; they lie in its interfaces."""
    link = catalog.LINKS[name]
    return (
        shape(*_cap(link.interface, link.offset, ends[0], 1.0), CAP),
        _placed(input_from_output, *_cap(link.output_interface, link.offset, ends[1], -1.0)))


def _placed(a_from_b: Pose, geometry: Geometry, pose: Pose) -> Shape:
    return shape(geometry, compose(a_from_b, pose), CAP)


def _cap(interface: str, offset: float, end: str, side: float) -> tuple[Geometry, Pose]:
    """Return one cap as seen from its interface, which it is above (1.0) or below (-1.0)."""
    height = 2 * offset if end == catalog.RIGHT_ANGLE else _INLINE_CAP
    return (Cylinder(_CAP_RADII[interface], height),
            translation(0.0, 0.0, side * height / 2))


@cache
def gripper() -> tuple[Shape, ...]:
    """Return a palm and two fingers."""
    x, y, z = catalog.GRIPPER_SIZE
    palm, finger = _PALM * z, (1.0 - _PALM) * z
    return (
        shape(Box((x, y, palm)), translation(0.0, 0.0, palm / 2), GRIPPER),
        *(shape(Box((x / 2, _FINGER_WIDTH, finger)),
                translation(0.0, sign * (y / 4), palm + finger / 2), FINGER)
          for sign in (-1.0, 1.0)))


def rod(end: Vector, radius: float, material: Material) -> Shape:
    """Return a cylinder between the origin and a point."""
    length = math.hypot(*end)
    sign = 1.0 if end[2] >= 0.0 else -1.0
    x, y, z = (sign * value / length for value in end)
    across = math.hypot(x, y)
    turn = IDENTITY
    if across > 0.0:
        turn = from_axis_angle((-y / across, x / across, 0.0), math.atan2(across, z))
    middle = translation(end[0] / 2, end[1] / 2, end[2] / 2)
    return shape(Cylinder(radius, length), compose(middle, turn), material)
