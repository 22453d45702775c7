# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The parallel gripper: as one body, and its linkage for ``--naming hebi``.

Names, origins, limits, masses and meshes are those of the macro ``gripper`` in
``urdf/components/end_effector.xacro`` of hebi_description (HEBI Robotics, Apache-2.0).
"""

from functools import cache
import math
from typing import NamedTuple, Optional

from hrdf_ros.inertia import box, cylinder, equal_box, Inertia
from hrdf_ros.model import Box, Cylinder, Motion, Shape
from hrdf_ros.pose import compose, from_rpy, IDENTITY, Pose, translation, X_AXIS, Z_AXIS
from hrdf_ros.readers.hrdf import catalog
from hrdf_ros.readers.hrdf.component_shapes import FINGER, GRIPPER, meshes_of, shape, Shapes
from hrdf_ros.resolve import Resolver

_QUARTER = math.pi / 2
"""A quarter turn in radians."""
_RADIUS = .0225
"""The radius in meters of the gripper's round base."""
_HEIGHT = .0075
"""The height in meters of the gripper's round base."""
_PALM = .6
"""The height of the palm as a share of that of a gripper that is drawn without meshes."""
_FINGER_WIDTH = .014
"""The width in meters of a finger that is drawn without meshes."""
EFFORT = VELOCITY = 1000.0
"""The effort and velocity limits of the fingers, in N m and rad/s, as in hebi_description."""
LEADER = 'input_l_finger'
"""The joint that the others follow."""
_TURN = Motion('revolute', X_AXIS, ())


class Part(NamedTuple):
    """
    A part of the linkage, and the joint to it; without ``motion`` the joint is fixed.

    The joint's coordinate is ``multiplier`` times the leader's. ``mesh`` is the name of a file,
    whose mesh is at ``part_from_mesh``.
    """

    name: str
    parent: str
    joint: str
    parent_from_joint: Pose
    inertia: Inertia
    mesh: str = ''
    part_from_mesh: Pose = IDENTITY
    motion: Optional[Motion] = None
    multiplier: float = 1.0
    lower: float = -math.inf
    upper: float = math.inf
    collides: bool = False


def _finger(side: str, base_from_finger: Pose) -> tuple[Part, ...]:
    finger, linkage, gripper = f'{side}_finger', f'{side}_outer_linkage', f'{side}_gripper'
    return (
        Part(
            finger, '', f'input_{finger}', base_from_finger,
            box(.011, .007, .03).with_mass(.022, from_rpy((0.0, .015, 0.0), (_QUARTER, 0.0, 0.0))),
            'PM-2221-01', from_rpy((-.006, -.0055, -.0045), (_QUARTER, 0.0, _QUARTER)),
            _TURN, lower=0.0, upper=.37 * math.pi, collides=True),
        Part(
            linkage, finger, f'{finger}_{linkage}', translation(0.0, .015, 0.0),
            box(.023, .03, .03).with_mass(.010, translation(0.0, .015, .007)),
            'PM-2358-02', from_rpy((-.0115, .029, -.004), (_QUARTER, 0.0, 0.0))),
        Part(
            gripper, linkage, f'{linkage}_{gripper}', translation(0.0, .025, .018),
            box(.01, .01, .05).with_mass(.014, translation(0.0, -.005, .02)),
            'PM-2360-02', from_rpy((-.006, -.0115, -.0036), (_QUARTER, 0.0, _QUARTER)),
            _TURN, -1.0, -_QUARTER, 0.0, collides=True),
        Part(
            f'{gripper}_bend', gripper, f'{gripper}_finger_{gripper}_bend',
            translation(0.0, -.0075, .0165),
            cylinder(.002, .02).with_mass(
                .001, from_rpy((0.0, 0.0, 0.0), (0.0, _QUARTER, 0.0)))))


def _inner_linkage(side: str, sign: float, yaw: float) -> Part:
    return Part(
        f'{side}_inner_linkage', 'center_hub', f'center_hub_{side}_inner_linkage',
        from_rpy((0.0, sign * .005, .023), (-.36 * math.pi, 0.0, yaw)),
        box(.02, .05, .005).with_mass(.010, from_rpy((0.0, 0.0, .0215), (_QUARTER, 0.0, 0.0))),
        'PM-2359-02', translation(-.0115, -.004, -.004), _TURN)


_HOLLOW_SPHERE = Inertia(.010, IDENTITY, *3 * (.66 * .010 * _RADIUS ** 2,))
PARTS = (
    Part(
        'center_hub', '', 'input_center_hub', translation(0.0, 0.0, .0045), _HOLLOW_SPHERE,
        'PM-2357-02', from_rpy((-.0225, .0225, 0.0), (_QUARTER, 0.0, 0.0))),
    Part(
        'center_pinion', 'center_hub', 'center_hub_pinion', IDENTITY, _HOLLOW_SPHERE,
        'PM-2291-01', from_rpy((-.0145, -.008, .0038), (_QUARTER, 0.0, _QUARTER)),
        Motion('prismatic', Z_AXIS, ()), .00001, -1.0, 1.0, collides=True),
    *_finger('l', translation(0.0, .01265, .0115)),
    *_finger('r', from_rpy((0.0, -.01265, .0115), (0.0, 0.0, math.pi))),
    _inner_linkage('l', 1.0, 0.0), _inner_linkage('r', -1.0, math.pi),
)
"""The parts, each after its parent; the parent '' is the base."""
BASE_INERTIA = cylinder(_RADIUS, _HEIGHT).with_mass(.072)
BASE = Shape(
    '', Cylinder(_RADIUS, _HEIGHT), translation(0.0, 0.0, _HEIGHT / 2), GRIPPER)


def as_one_body(resolver: Resolver) -> Shapes:
    """Return the meshes of a gripper whose joints are fixed, or a palm with fingers."""
    box = Shape('', Box(catalog.GRIPPER_SIZE), translation(*catalog.GRIPPER_CENTER))
    return Shapes(_at_rest(resolver) or _palm_and_fingers(), (box,))


@cache
def _palm_and_fingers() -> tuple[Shape, ...]:
    x, y, z = catalog.GRIPPER_SIZE
    palm, finger = _PALM * z, (1.0 - _PALM) * z
    return (
        shape(Box((x, y, palm)), translation(0.0, 0.0, palm / 2), GRIPPER),
        *(shape(Box((x / 2, _FINGER_WIDTH, finger)),
                translation(0.0, sign * (y / 4), palm + finger / 2), FINGER)
          for sign in (-1.0, 1.0)))


def _at_rest(resolver: Resolver) -> tuple[Shape, ...]:
    """Return the parts of a gripper with joints at zero, none unless they are installed."""
    poses, found = {'': IDENTITY}, []
    for part in PARTS:
        poses[part.name] = compose(poses[part.parent], part.parent_from_joint)
        if part.mesh:
            found.append((part.mesh, compose(poses[part.name], part.part_from_mesh)))
    meshes = meshes_of(found, GRIPPER, resolver)
    return meshes and (BASE, *meshes)


def shapes_of(part: Part, resolver: Resolver) -> Shapes:
    """Return a part of a gripper's linkage: its mesh, or the box of equal inertia."""
    material = FINGER if part.collides else GRIPPER
    found: tuple[Shape, ...] = ()
    if part.mesh:
        found = meshes_of(((part.mesh, part.part_from_mesh),), material, resolver)
    box = None if found else equal_box(part.inertia)
    if box is not None:
        found = (Shape('', Box(box[1]), box[0], material),)
    return Shapes(found, found if part.collides else ())
