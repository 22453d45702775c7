# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Positions and orientations of elements (XML reference, "Frames")."""

from __future__ import annotations

import math
from typing import Any, Optional

from hrdf_ros import codes, pose
from hrdf_ros.pose import compose, IDENTITY, Pose, Vector
from hrdf_ros.readers.mjcf.elements import Item
from hrdf_ros.readers.mjcf.file_settings import Compiler

_ORIGIN: Vector = (0.0, 0.0, 0.0)
SHORTEST = 1e-7
"""The length below which MuJoCo 4.0.1 says that a vector has no direction, in its own unit."""
_ALONG_Z = 1e-7
"""The sine of an angle below which MuJoCo 4.0.1 says that a direction is that of the z axis."""


def read_pose(item: Item) -> Pose:
    """
    Return ``parent_from_element`` by ``pos`` and the orientation that is given.

    Any other form of orientation overrides ``quat``, whether the element or its class gives it.
    """
    x, y, z = item.vector3('pos')
    for name in ('euler', 'zaxis', 'xyaxes', 'axisangle'):
        if item.has(name):
            turn = _turn(name, item.value(name), item.scope.compiler)
            if turn is None:
                item.add(codes.BAD_VALUE, f"'{name}' has an axis of length zero" if name != 'euler'
                         else "'eulerseq' is not three of x, y, z, X, Y, Z", name)
            return Pose(x, y, z, *(turn or IDENTITY)[3:])
    w, i, j, k = item.value('quat', (1.0, 0.0, 0.0, 0.0))
    if not any((w, i, j, k)) or not math.isfinite(w + i + j + k):
        item.add(codes.BAD_VALUE, 'a quaternion must be finite and not zero', 'quat')
        return Pose(x, y, z)
    return pose.from_quaternion((x, y, z), (i, j, k, w))


def direction(vector: Vector) -> Optional[Vector]:
    """Return a vector with length 1, None for one that is too short."""
    return pose.normalized(vector) if math.hypot(*vector) >= SHORTEST else None


def _turn(name: str, values: Any, compiler: Compiler) -> Optional[Pose]:
    """Return the rotation that an attribute gives; ``xyaxes`` are made perpendicular."""
    x = direction(values[:3])
    if name == 'euler':
        return euler(values, compiler)
    if x is None or name == 'zaxis':
        return x and z_to(x)
    if name == 'axisangle':
        return pose.from_axis_angle(x, values[3] * compiler.radians)
    share = pose.dot(x, values[3:])
    y = direction((
        values[3] - share * x[0], values[4] - share * x[1], values[5] - share * x[2]))
    if y is None:
        return None
    z = pose.cross(x, y)
    return pose.from_matrix(_ORIGIN, (x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]))


def z_to(direction: Vector) -> Pose:
    """Return the shortest rotation of z to a unit vector: near z, none or exactly half a turn."""
    x, y, z = direction
    if math.hypot(x, y) >= _ALONG_Z:
        return pose.z_to(direction)
    return IDENTITY if z > 0.0 else pose.from_axis_angle(pose.X_AXIS, math.pi)


def euler(angles: Vector, compiler: Compiler) -> Optional[Pose]:
    """Return three rotations in the order of ``eulerseq``: xyz are moving axes, XYZ fixed."""
    turn = IDENTITY
    if not set(compiler.eulerseq) <= set('xyzXYZ'):
        return None
    for axis, angle in zip(compiler.eulerseq, angles):
        step = pose.from_axis_angle(
            pose.AXES['xyz'.index(axis.lower())], angle * compiler.radians)
        turn = compose(turn, step) if axis.islower() else compose(step, turn)
    return turn
