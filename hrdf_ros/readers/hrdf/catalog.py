# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
HEBI's component library: the numbers of every built-in element.

Sources, for each column:

- output poses, centers of mass, masses, speeds, efforts: measured by asking hebi-py 2.16.1
  (forward kinematics, masses, max_speeds, max_efforts), rounded to 7 decimals since the library
  holds several of them in single precision. Link formulas agree with it to 3e-16.
- inertia: the xacro components of hebi_description (Apache-2.0), because hebi-py reports none.
  There the tensors of T5 and T8 are those of X5 and X8. None are published for R25 and T25, nor
  for a parallel gripper as one piece: these are approximated here.
- meshes: hebi_description, in millimeters. ``radius`` is an estimate, for drawings without meshes.

Frames are relative to the element's input frame; meters, kilograms, radians, newton meters.
"""

import math
from typing import NamedTuple, Optional

from hrdf_ros.inertia import Inertia, Tensor
from hrdf_ros.pose import (
    compose,
    from_axis_angle,
    Pose,
    translation,
    Vector,
    X_AXIS,
    Y_AXIS,
    Z_AXIS,
)

Interface = tuple[str, bool]
"""A family of interfaces, and whether it is the output of an actuator rather than its housing."""


class Part(NamedTuple):
    """
    A component of the library.

    ``accepts`` and ``offers`` are the interfaces at its input and output; None fits any interface.
    ``velocity`` (rad/s) and ``effort`` (Nm) are the limits of an actuator, whose joint acts at the
    output.
    """

    inertia: Inertia = Inertia(0.0)
    output: Pose = Pose()
    accepts: Optional[Interface] = None
    offers: Optional[Interface] = None
    since: int = 0
    family: str = ''
    velocity: float = math.inf
    effort: float = math.inf


# ---- actuators

class Family(NamedTuple):
    """The properties of actuators of one housing; the output is ``Trans(0, 0, height) Rz(q)``."""

    since: int
    interface: str
    height: float
    com: Vector
    tensor: Tensor
    radius: float
    gears: tuple[int, int, int]
    masses: Vector
    speeds: Vector
    efforts: Vector
    approximated: bool = False


_X5_TENSOR = (.00015, .000255, .00035, 3.41e-5, 1.18e-5, 2.29e-6)
_X8_TENSOR = (.000246, .00038, .000463, 4.44e-5, 2.66e-5, 4.22e-6)
_R8_TENSOR = (.000488, .001009, .001186, 1.297e-5, 5.78e-5, 4.94e-6)


def _scaled(tensor: Tensor, mass: float, length: float) -> Tensor:
    """Return the tensor of a similar body: ``mass`` and ``length`` are ratios of the sizes."""
    a, b, c, d, e, f = (term * mass * length * length for term in tensor)
    return a, b, c, d, e, f


_5, _8, _25 = (1, 4, 9), (3, 9, 16), (8, 20, 40)
_5_SPEEDS = (9.424778, 3.3510322, 1.4660766)
_8_SPEEDS = (11.5191731, 4.0840704, 2.0943951)
_25_SPEEDS = (12.3569311, 4.9218285, 2.4085544)
_5_EFFORTS, _8_EFFORTS, _25_EFFORTS = (2.5, 7.0, 13.0), (8.0, 23.0, 44.0), (16.0, 40.0, 80.0)
FAMILIES = {
    'X5': Family(
        0, 'X', .03105, (-.0142, -.0031, .0165), _X5_TENSOR, .035,
        _5, (.315, .335, .360), _5_SPEEDS, _5_EFFORTS),
    'X8': Family(
        0, 'X', .0451, (-.0145, -.0031, .0242), _X8_TENSOR, .035,
        _8, (.460, .480, .500), _8_SPEEDS, _8_EFFORTS),
    'R8': Family(
        2, 'R8', .051, (-.024, -.00161, .0256), _R8_TENSOR, .04,
        _8, (.670, .685, .715), _8_SPEEDS, _8_EFFORTS),
    'T5': Family(
        4, 'R8', .034, (-.024, -.00161, .0165), _X5_TENSOR, .04,
        _5, (.450, .450, .450), _5_SPEEDS, _5_EFFORTS),
    'T8': Family(
        4, 'R8', .0475, (-.024, -.00161, .0256), _X8_TENSOR, .04,
        _8, (.650, .650, .650), _8_SPEEDS, _8_EFFORTS),
    'R25': Family(
        6, 'R25', .069, (-.0268, -.000357, .0349), _scaled(_R8_TENSOR, 1.9 / .685, .069 / .051),
        .054, _25, (1.9, 1.9, 1.9), _25_SPEEDS, _25_EFFORTS, True),
    'T25': Family(
        6, 'R25', .067, (-.0241, -.0001, .0338), _scaled(_R8_TENSOR, 1.5 / .685, .067 / .051),
        .054, _25, (1.5, 1.5, 1.5), _25_SPEEDS, _25_EFFORTS, True),
}
ACTUATORS = {
    f'{name}-{gear}': Part(
        Inertia(mass, translation(*family.com), *family.tensor),
        translation(0.0, 0.0, family.height), (family.interface, False), (family.interface, True),
        family.since, name, speed, effort)
    for name, family in FAMILIES.items()
    for gear, mass, speed, effort in zip(
        family.gears, family.masses, family.speeds, family.efforts)
}


# ---- brackets

_BRACKETS: tuple[tuple[int, str, str, float, Vector, Vector], ...] = (
    (0, 'X', 'X5Light{}', .1, (0., .0215, .02), (0., .043, .04)),
    (0, 'X', 'X5Heavy{}Inside', .215, (0., -.02, .0275), (0., -.0225, .055)),
    (0, 'X', 'X5Heavy{}Outside', .215, (0., .02, .0275), (0., .0375, .055)),
    (2, 'R8', 'R8Light{}', .14, (0., .023, .02), (0., .043, .04)),
    (2, 'R8', 'R8Heavy{}Inside', .212, (0., -.02, .025), (0., -.0225, .055)),
    (2, 'R8', 'R8Heavy{}Outside', .212, (0., .02, .025), (0., .0375, .055)),
    (6, 'R25', 'R25Light{}', .264, (0., .0275, .0275), (0., .055, .055)),
    (6, 'R25', 'R25Heavy{}Inside', .472, (0., -.03, .035), (0., -.035, .07)),
    (6, 'R25', 'R25Heavy{}Outside', .472, (0., .045, .035), (0., .055, .07)),
)
"""
Each bracket: first version (index), interface, name, mass (kg), center of mass and output (m).

The numbers are those of left brackets; right ones are mirrored in y.
"""
_BRACKET_RADIUS = .06
"""The radius in meters of a solid sphere, whose inertia hebi_description gives every bracket."""
BRACKETS = {
    name.format(hand): Part(
        Inertia(mass, translation(com[0], sign * com[1], com[2]),
                *3 * (.4 * mass * _BRACKET_RADIUS ** 2,)),
        compose(translation(output[0], sign * output[1], output[2]),
                from_axis_angle(X_AXIS, -sign * math.pi / 2)),
        (interface, True), (interface, False), since)
    for since, interface, name, mass, com, output in _BRACKETS
    for hand, sign in (('Left', 1.0), ('Right', -1.0))
}


# ---- links

class Link(NamedTuple):
    """
    A link: interfaces on both ends, and how mass and shape follow from the extension.

    ``offset`` is from a right-angle interface to the axis of the tube. ``bases`` are the masses
    without the tube by (input, output); a pair that is missing does not exist.
    """

    since: int
    interface: str
    output_interface: str
    offset: float
    mass_per_meter: float
    bases: dict[tuple[str, str], float]


RIGHT_ANGLE, INLINE = 'RightAngle', 'Inline'
_SMALL = {
    (RIGHT_ANGLE, RIGHT_ANGLE): .199, (RIGHT_ANGLE, INLINE): .212,
    (INLINE, RIGHT_ANGLE): .214, (INLINE, INLINE): .227,
}
_LARGE = {
    (RIGHT_ANGLE, RIGHT_ANGLE): .525, (RIGHT_ANGLE, INLINE): .637,
    (INLINE, RIGHT_ANGLE): .526, (INLINE, INLINE): .638,
}
LINKS = {
    'X5': Link(0, 'X', 'X', .02, .4, _SMALL),
    'R8': Link(2, 'R8', 'R8', .02, .4, _SMALL),
    'R25': Link(6, 'R25', 'R25', .0275, .56, _LARGE),
    'R25-R8': Link(6, 'R25', 'R8', .0275, .56, {
        ends: mass for ends, mass in _LARGE.items() if ends[1] == RIGHT_ANGLE}),
}
LINK_ENDS = (RIGHT_ANGLE, INLINE)
TUBE_RADIUS = .016
"""The radius in meters of the tube of a link."""


def link_axis(link: Link, input_end: str) -> Pose:
    """Return the point where the tube begins, with its axis along z."""
    if input_end == INLINE:
        return Pose()
    return compose(translation(0.0, 0.0, link.offset), from_axis_angle(Y_AXIS, math.pi / 2))


def link_part(name: str, ends: tuple[str, str], extension: float, twist: float) -> Part:
    """Return a link as a part, whose inertia is that of a rod along the axis of its tube."""
    link = LINKS[name]
    end = Pose()
    if ends[1] == RIGHT_ANGLE:
        end = compose(from_axis_angle(Y_AXIS, -math.pi / 2), translation(0.0, 0.0, link.offset))
    along = compose(translation(0.0, 0.0, extension), from_axis_angle(Z_AXIS, twist))
    mass = link.mass_per_meter * extension + link.bases.get(ends, 0.0)
    axial = mass * link.offset * link.offset / 2
    across = mass * (extension * extension + 6 * link.offset * link.offset) / 12
    if ends[0] == INLINE:
        inertia = Inertia(mass, translation(0.0, 0.0, extension / 2), across, across, axial)
    else:
        com = translation(extension / 2, 0.0, link.offset)
        inertia = Inertia(mass, com, axial, across, across)
    return Part(
        inertia, compose(compose(link_axis(link, ends[0]), along), end),
        (link.interface, True), (link.output_interface, False))


# ---- end effectors and joints

GRIPPER_SIZE: Vector = (.045, .09, .09)
"""The sides in meters of the box around the gripper."""
GRIPPER_CENTER: Vector = (0.0, 0.0, .045)
"""The center in meters of the box around the gripper."""


def _gripper(interface: str) -> Part:
    """Return a parallel gripper; its inertia is that of a box."""
    mass = .2464
    x, y, z = (mass * extent * extent / 12 for extent in GRIPPER_SIZE)
    return Part(
        Inertia(mass, translation(*GRIPPER_CENTER), y + z, x + z, x + y),
        translation(0.0, 0.0, .095), (interface, True))


END_EFFECTORS = {'Custom': Part(), 'X5Parallel': _gripper('X'), 'R8Parallel': _gripper('R8')}

AXES = {
    f'{sign}{kind}{name}': (
        kind, (0.0 + factor * axis[0], 0.0 + factor * axis[1], 0.0 + factor * axis[2]))
    for sign, factor in (('', 1.0), ('-', -1.0))
    for kind in 'rt'
    for name, axis in (('x', X_AXIS), ('y', Y_AXIS), ('z', Z_AXIS))
}
"""The kind (r rotates, t translates) and axis by name; HEBI's files use negative ones too."""

DRAFT_SPELLINGS = {
    f'RT25{rest}'.lower(): f'R25{rest}'
    for rest in ('', '-R8', 'HeavyLeftInside', 'HeavyLeftOutside', 'HeavyRightInside',
                 'HeavyRightOutside', 'LightLeft', 'LightRight')
}
"""The types of HRDF 1.6.0's drafts, in lower case, with their released names."""
