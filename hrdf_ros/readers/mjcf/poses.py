# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Positions and the five ways in which MJCF writes orientations (XML reference, "Frames")."""

import math
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.pose import (
    compose,
    cross,
    dot,
    from_axis_angle,
    from_matrix,
    from_quaternion,
    IDENTITY,
    normalized,
    Pose,
    Vector,
    X_AXIS,
    Y_AXIS,
    Z_AXIS,
    z_to,
)
from hrdf_ros.readers.mjcf.settings import Compiler, Resolved

_AXES = {'x': X_AXIS, 'y': Y_AXIS, 'z': Z_AXIS}
_ORIGIN: Vector = (0.0, 0.0, 0.0)


def read_pose(element: Resolved, compiler: Compiler, report: Report) -> Pose:
    """Return ``parent_from_element`` by ``pos`` and whichever orientation is given."""
    turn = read_orientation(element, compiler, report)
    return Pose(*element.vector3('pos'), *turn[3:])


def read_orientation(element: Resolved, compiler: Compiler, report: Report) -> Pose:
    """
    Return the rotation of an element.

    Another form than ``quat`` wins wherever it is given, in the element or in its class.
    """
    for name, read in (
            ('euler', euler), ('zaxis', _by_z_axis), ('xyaxes', _by_axes),
            ('axisangle', _by_axis_angle)):
        if name in element:
            turn = read(element.value(name), compiler)
            if turn is None:
                report.add(
                    codes.BAD_VALUE, f"'{name}' has an axis of length zero",
                    element.locate(name))
            return turn or IDENTITY
    w, x, y, z = element.value('quat', (1.0, 0.0, 0.0, 0.0))
    if not any((w, x, y, z)) or not math.isfinite(w + x + y + z):
        report.add(
            codes.BAD_VALUE, 'a quaternion must be finite and not zero', element.locate('quat'))
        return IDENTITY
    return from_quaternion(_ORIGIN, (x, y, z, w))


def euler(angles: Vector, compiler: Compiler) -> Pose:
    """Return three rotations in the order of ``eulerseq``: x, y, z moving, X, Y, Z fixed axes."""
    turn = IDENTITY
    for axis, angle in zip(compiler.eulerseq, angles):
        step = from_axis_angle(_AXES[axis.lower()], angle * compiler.radians)
        turn = compose(turn, step) if axis.islower() else compose(step, turn)
    return turn


def _by_axis_angle(values: tuple[float, ...], compiler: Compiler) -> Optional[Pose]:
    x, y, z, angle = values
    axis = normalized((x, y, z))
    return None if axis is None else from_axis_angle(axis, angle * compiler.radians)


def _by_axes(values: tuple[float, ...], _: Compiler) -> Optional[Pose]:
    """Return the rotation by the x axis and a y axis that is made perpendicular to it."""
    x = normalized((values[0], values[1], values[2]))
    if x is None:
        return None
    share = dot(x, (values[3], values[4], values[5]))
    y = normalized((
        values[3] - share * x[0], values[4] - share * x[1], values[5] - share * x[2]))
    if y is None:
        return None
    z = cross(x, y)
    return from_matrix(_ORIGIN, (x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]))


def _by_z_axis(direction: Vector, _: Compiler) -> Optional[Pose]:
    unit = normalized(direction)
    return None if unit is None else z_to(unit)
