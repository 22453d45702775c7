# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The linkage of the parallel gripper, for ``--naming hebi``.

Names, origins, limits, masses and meshes are those of the macro ``gripper`` in
``urdf/components/end_effector.xacro`` of hebi_description (HEBI Robotics, Apache-2.0).
"""

from __future__ import annotations

from collections.abc import Iterator
import math
from typing import NamedTuple, Optional

from hrdf_ros.inertia import Inertia
from hrdf_ros.pose import from_rpy, IDENTITY, Pose, translation, Vector, X_AXIS, Z_AXIS

_QUARTER = math.pi / 2
_RADIUS = .0225
"""Of the gripper's round base, in meters."""
EFFORT = VELOCITY = 1000.0
LEADER = 'input_l_finger'
"""The joint that the others follow."""


class Drive(NamedTuple):
    """The motion of a part: its coordinate follows the leader's by the multiplier."""

    multiplier: float
    axis: Vector = X_AXIS
    lower: float = -math.inf
    upper: float = math.inf
    is_slide: bool = False


class Part(NamedTuple):
    """
    A part of the linkage, and the joint to it; without ``drive`` the joint is fixed.

    ``mesh`` is the name of a file, which is at ``part_from_mesh``.
    """

    name: str
    parent: str
    joint: str
    parent_from_joint: Pose
    inertia: Inertia
    drive: Optional[Drive] = None
    mesh: str = ''
    part_from_mesh: Pose = IDENTITY
    collides: bool = False


def _box(mass: float, pose: Pose, x: float, y: float, z: float) -> Inertia:
    share = mass / 12.0
    return Inertia(
        mass, pose, ixx=share * (y * y + z * z), iyy=share * (x * x + z * z),
        izz=share * (x * x + y * y))


def _cylinder(mass: float, pose: Pose, radius: float, length: float) -> Inertia:
    across = mass / 12.0 * (3.0 * radius ** 2 + length ** 2)
    return Inertia(mass, pose, ixx=across, iyy=across, izz=mass / 2.0 * radius ** 2)


def _hollow_sphere(mass: float) -> Inertia:
    moment = .66 * mass * _RADIUS ** 2
    return Inertia(mass, ixx=moment, iyy=moment, izz=moment)


BASE = _cylinder(.072, IDENTITY, _RADIUS, .0075)
"""The inertia of the end effector's own body."""


def parts() -> Iterator[Part]:
    """Yield the parts, each behind its parent."""
    yield Part(
        'center_hub', '', 'input_center_hub', translation(0.0, 0.0, .0045), _hollow_sphere(.010),
        mesh='PM-2357-02', part_from_mesh=from_rpy((-.0225, .0225, 0.0), (_QUARTER, 0.0, 0.0)))
    yield Part(
        'center_pinion', 'center_hub', 'center_hub_pinion', IDENTITY, _hollow_sphere(.010),
        Drive(.00001, Z_AXIS, -1.0, 1.0, is_slide=True), 'PM-2291-01',
        from_rpy((-.0145, -.008, .0038), (_QUARTER, 0.0, _QUARTER)), collides=True)
    for side, sign, yaw in (('l', 1.0, 0.0), ('r', -1.0, math.pi)):
        yield from _finger(side, from_rpy((0.0, sign * .01265, .0115), (0.0, 0.0, yaw)))
    for side, sign, yaw in (('l', 1.0, 0.0), ('r', -1.0, math.pi)):
        yield Part(
            f'{side}_inner_linkage', 'center_hub', f'center_hub_{side}_inner_linkage',
            from_rpy((0.0, sign * .005, .023), (-.36 * math.pi, 0.0, yaw)),
            _box(.010, from_rpy((0.0, 0.0, .0215), (_QUARTER, 0.0, 0.0)), .02, .05, .005),
            Drive(1.0), 'PM-2359-02', translation(-.0115, -.004, -.004))


def _finger(side: str, base_from_finger: Pose) -> Iterator[Part]:
    finger, linkage, gripper = f'{side}_finger', f'{side}_outer_linkage', f'{side}_gripper'
    yield Part(
        finger, '', f'input_{finger}', base_from_finger,
        _box(.022, from_rpy((0.0, .015, 0.0), (_QUARTER, 0.0, 0.0)), .011, .007, .03),
        Drive(1.0, lower=0.0, upper=.37 * math.pi), 'PM-2221-01',
        from_rpy((-.006, -.0055, -.0045), (_QUARTER, 0.0, _QUARTER)), collides=True)
    yield Part(
        linkage, finger, f'{finger}_{linkage}', translation(0.0, .015, 0.0),
        _box(.010, translation(0.0, .015, .007), .023, .03, .03), mesh='PM-2358-02',
        part_from_mesh=from_rpy((-.0115, .029, -.004), (_QUARTER, 0.0, 0.0)))
    yield Part(
        gripper, linkage, f'{linkage}_{gripper}', translation(0.0, .025, .018),
        _box(.014, translation(0.0, -.005, .02), .01, .01, .05),
        Drive(-1.0, lower=-_QUARTER, upper=0.0), 'PM-2360-02',
        from_rpy((-.006, -.0115, -.0036), (_QUARTER, 0.0, _QUARTER)), collides=True)
    yield Part(
        f'{gripper}_bend', gripper, f'{gripper}_finger_{gripper}_bend',
        translation(0.0, -.0075, .0165),
        _cylinder(.001, from_rpy((0.0, 0.0, 0.0), (0.0, _QUARTER, 0.0)), .002, .02))
