# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
HEBI's component library: the numbers of every built-in element.

Sources, for each column:

- output poses, centers of mass, masses, speeds, efforts: measured by asking hebi-py 2.16.1
  (forward kinematics, masses, max_speeds, max_efforts), rounded to 7 decimals since the library
  holds several of them in single precision. Link formulas agree with it to 3e-16.
- inertia: the xacro components of hebi_description (Apache-2.0), hebi-py answers none. For T5 and
  T8 they are those of X5 and X8 there. None are published for R25 and T25, nor for a parallel
  gripper as one piece: these are approximated here.
- meshes: hebi_description, millimeters. ``radius`` is for drawings without them, an estimate.

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

# ---- actuators

class Family(NamedTuple):
    """The properties of actuators of one housing; the output is ``Trans(0, 0, height) Rz(q)``."""

    since: int
    interface: str
    height: float
    com: Vector
    tensor: Tensor
    radius: float
    approximated: bool = False


class Actuator(NamedTuple):
    """An actuator: its family, mass, maximum speed (rad/s) and effort (Nm)."""

    family: str
    mass: float
    speed: float
    effort: float


_X5_TENSOR = (.00015, .000255, .00035, 3.41e-5, 1.18e-5, 2.29e-6)
_X8_TENSOR = (.000246, .00038, .000463, 4.44e-5, 2.66e-5, 4.22e-6)
_R8_TENSOR = (.000488, .001009, .001186, 1.297e-5, 5.78e-5, 4.94e-6)


def _scaled(tensor: Tensor, mass: float, length: float) -> Tensor:
    """Return the tensor of a similar body: ``mass`` and ``length`` are ratios of the sizes."""
    a, b, c, d, e, f = (term * mass * length * length for term in tensor)
    return a, b, c, d, e, f


FAMILIES = {
    'X5': Family(0, 'X', .03105, (-.0142, -.0031, .0165), _X5_TENSOR, .035),
    'X8': Family(0, 'X', .0451, (-.0145, -.0031, .0242), _X8_TENSOR, .035),
    'R8': Family(2, 'R8', .051, (-.024, -.00161, .0256), _R8_TENSOR, .04),
    'T5': Family(4, 'R8', .034, (-.024, -.00161, .0165), _X5_TENSOR, .04),
    'T8': Family(4, 'R8', .0475, (-.024, -.00161, .0256), _X8_TENSOR, .04),
    'R25': Family(6, 'R25', .069, (-.0268, -.000357, .0349),
                  _scaled(_R8_TENSOR, 1.9 / .685, .069 / .051), .054, True),
    'T25': Family(6, 'R25', .067, (-.0241, -.0001, .0338),
                  _scaled(_R8_TENSOR, 1.5 / .685, .067 / .051), .054, True),
}
_5_SPEEDS = (9.424778, 3.3510322, 1.4660766)
_8_SPEEDS = (11.5191731, 4.0840704, 2.0943951)
_25_SPEEDS = (12.3569311, 4.9218285, 2.4085544)
_5_EFFORTS, _8_EFFORTS, _25_EFFORTS = (2.5, 7.0, 13.0), (8.0, 23.0, 44.0), (16.0, 40.0, 80.0)
_ACTUATORS: tuple[tuple[str, tuple[int, ...], tuple[float, ...], tuple[float, ...],
                        tuple[float, ...]], ...] = (
    ('X5', (1, 4, 9), (.315, .335, .360), _5_SPEEDS, _5_EFFORTS),
    ('X8', (3, 9, 16), (.460, .480, .500), _8_SPEEDS, _8_EFFORTS),
    ('R8', (3, 9, 16), (.670, .685, .715), _8_SPEEDS, _8_EFFORTS),
    ('T5', (1, 4, 9), (.450, .450, .450), _5_SPEEDS, _5_EFFORTS),
    ('T8', (3, 9, 16), (.650, .650, .650), _8_SPEEDS, _8_EFFORTS),
    ('R25', (8, 20, 40), (1.9, 1.9, 1.9), _25_SPEEDS, _25_EFFORTS),
    ('T25', (8, 20, 40), (1.5, 1.5, 1.5), _25_SPEEDS, _25_EFFORTS),
)
ACTUATORS = {
    f'{family}-{gear}': Actuator(family, mass, speed, effort)
    for family, gears, masses, speeds, efforts in _ACTUATORS
    for gear, mass, speed, effort in zip(gears, masses, speeds, efforts)
}


# ---- brackets

class Bracket(NamedTuple):
    """A bracket, with its only output."""

    since: int
    interface: str
    mass: float
    com: Vector
    input_from_output: Pose


def _sides(
    since: int, interface: str, name: str, side: str, mass: float, com: Vector, output: Vector,
) -> dict[str, Bracket]:
    """Return the left bracket that is given and the right one, which mirrors y."""
    return {
        name.format(hand): Bracket(
            since, interface, mass, (com[0], sign * com[1], com[2]),
            compose(translation(output[0], sign * output[1], output[2]),
                    from_axis_angle(X_AXIS, -sign * math.pi / 2)))
        for hand, sign in ((f'Left{side}', 1.0), (f'Right{side}', -1.0))
    }


BRACKETS = {
    **_sides(0, 'X', 'X5Light{}', '', .1, (0., .0215, .02), (0., .043, .04)),
    **_sides(0, 'X', 'X5Heavy{}', 'Inside', .215, (0., -.02, .0275), (0., -.0225, .055)),
    **_sides(0, 'X', 'X5Heavy{}', 'Outside', .215, (0., .02, .0275), (0., .0375, .055)),
    **_sides(2, 'R8', 'R8Light{}', '', .14, (0., .023, .02), (0., .043, .04)),
    **_sides(2, 'R8', 'R8Heavy{}', 'Inside', .212, (0., -.02, .025), (0., -.0225, .055)),
    **_sides(2, 'R8', 'R8Heavy{}', 'Outside', .212, (0., .02, .025), (0., .0375, .055)),
    **_sides(6, 'R25', 'R25Light{}', '', .264, (0., .0275, .0275), (0., .055, .055)),
    **_sides(6, 'R25', 'R25Heavy{}', 'Inside', .472, (0., -.03, .035), (0., -.035, .07)),
    **_sides(6, 'R25', 'R25Heavy{}', 'Outside', .472, (0., .045, .035), (0., .055, .07)),
}
BRACKET_RADIUS = .06
"""hebi_description takes every bracket for a solid sphere of this radius."""


# ---- links

class Link(NamedTuple):
    """
    A link: interfaces on both ends and how mass and shape follow from the extension.

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


def link_axis(link: Link, input_end: str) -> Pose:
    """Return where the tube begins, its axis along z."""
    if input_end == INLINE:
        return Pose()
    return compose(translation(0.0, 0.0, link.offset), from_axis_angle(Y_AXIS, math.pi / 2))


def link_output(
    link: Link, input_end: str, output_end: str, extension: float, twist: float,
) -> Pose:
    """Return input_from_output of a link."""
    along = compose(
        translation(0.0, 0.0, extension), from_axis_angle(Z_AXIS, twist))
    end = Pose()
    if output_end == RIGHT_ANGLE:
        end = compose(from_axis_angle(Y_AXIS, -math.pi / 2), translation(0.0, 0.0, link.offset))
    return compose(compose(link_axis(link, input_end), along), end)


def link_inertia(link: Link, input_end: str, output_end: str, extension: float) -> Inertia:
    """Return the inertia of a link: a rod along the axis of its tube."""
    mass = link.mass_per_meter * extension + link.bases.get((input_end, output_end), 0.0)
    along = mass * link.offset * link.offset / 2
    across = mass * (extension * extension + 6 * link.offset * link.offset) / 12
    if input_end == INLINE:
        return Inertia(mass, translation(0.0, 0.0, extension / 2), across, across, along)
    return Inertia(
        mass, translation(extension / 2, 0.0, link.offset), along, across, across)


# ---- end effectors and joints

class EndEffectorType(NamedTuple):
    """An end effector; the interface of Custom is None, which fits anything."""

    interface: Optional[str]
    inertia: Inertia
    input_from_output: Pose


GRIPPER_SIZE: Vector = (.045, .09, .09)
GRIPPER_CENTER: Vector = (0.0, 0.0, .045)


def _gripper(interface: str) -> EndEffectorType:
    """Return a parallel gripper; its inertia is that of a box."""
    mass = .2464
    x, y, z = (mass * extent * extent / 12 for extent in GRIPPER_SIZE)
    inertia = Inertia(mass, translation(*GRIPPER_CENTER), y + z, x + z, x + y)
    return EndEffectorType(interface, inertia, translation(0.0, 0.0, .095))


END_EFFECTORS = {
    'Custom': EndEffectorType(None, Inertia(0.0), Pose()),
    'X5Parallel': _gripper('X'),
    'R8Parallel': _gripper('R8'),
}

AXES = {
    f'{sign}{kind}{name}': (
        kind, (0.0 + factor * axis[0], 0.0 + factor * axis[1], 0.0 + factor * axis[2]))
    for sign, factor in (('', 1.0), ('-', -1.0))
    for kind in 'rt'
    for name, axis in (('x', X_AXIS), ('y', Y_AXIS), ('z', Z_AXIS))
}
"""Kind (r turns, t shifts) and axis by name; HEBI's own files use the negative ones too."""

DRAFT_SPELLINGS = {
    f'RT25{rest}'.lower(): f'R25{rest}'
    for rest in ('', '-R8', 'HeavyLeftInside', 'HeavyLeftOutside', 'HeavyRightInside',
                 'HeavyRightOutside', 'LightLeft', 'LightRight')
}
"""Types as drafts of HRDF 1.6.0 spelled them, in lower case, and their released names."""
