# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Which inertias libsdformat accepts.

The criterion is that of gz-math's ``MassMatrix3::IsValid``, rounding included, so that a file is
accepted here exactly where it is accepted there.
"""

from __future__ import annotations

import math

from hrdf_ros.model import Inertia
from hrdf_ros.pose import Vector

_ROUNDING = 10.0 * 2.220446049250313e-16
_DIAGONAL = 1e-6
_LARGEST = 1e200
"""The square of moments beyond which the closed form overflows."""


def is_possible(inertia: Inertia) -> bool:
    """
    Tell whether a body can have this inertia; the zero tensor and the limit case can be.

    Mass and tensor must not be negative, and no principal moment greater than the sum of the
    other two.
    """
    mass, _, ixx, iyy, izz, ixy, ixz, iyz, _ = inertia
    slack = _slack(ixx + iyy + izz)
    minor = ixx * iyy - ixy * ixy
    determinant = (
        ixx * (iyy * izz - iyz * iyz) - ixy * (ixy * izz - iyz * ixz)
        + ixz * (ixy * iyz - iyy * ixz))
    if not (mass >= 0.0 and ixx + slack >= 0.0 and minor + slack >= 0.0
            and determinant + slack >= 0.0):
        return False
    a, b, c = _principal_moments((ixx, iyy, izz), (ixy, ixz, iyz))
    slack = _slack(a + b + c)
    return (
        min(a, b, c) + slack >= 0.0 and a + b + slack >= c and b + c + slack >= a
        and c + a + slack >= b)


def _slack(trace: float) -> float:
    return _ROUNDING * 0.5 * abs(trace)


def _principal_moments(moments: Vector, products: Vector) -> Vector:
    """Return the eigenvalues of a symmetric matrix in closed form (arXiv 1306.6291)."""
    ixx, iyy, izz = moments
    ixy, ixz, iyz = products
    tolerance = _DIAGONAL * max(moments)
    if abs(ixy) <= tolerance and abs(ixz) <= tolerance and abs(iyz) <= tolerance:
        return moments
    b = ixx + iyy + izz
    c = ixx * iyy - ixy * ixy + ixx * izz - ixz * ixz + iyy * izz - iyz * iyz
    d = (
        ixx * (iyz * iyz) + iyy * (ixz * ixz) + izz * (ixy * ixy)
        - ixx * iyy * izz - 2.0 * ixy * ixz * iyz)
    p = b * b - 3.0 * c
    if p < tolerance * tolerance:
        return b / 3.0, b / 3.0, b / 3.0
    if not max(b * b, p) < _LARGEST:
        return math.nan, math.nan, math.nan
    q = 2.0 * b ** 3 - 9.0 * b * c - 27.0 * d
    delta = math.acos(max(-1.0, min(1.0, 0.5 * q / p ** 1.5)))
    root = 2.0 * math.sqrt(p)
    first, second, third = (
        (b + root * math.cos((delta + turn) / 3.0)) / 3.0 for turn in (0.0, math.tau, -math.tau))
    return first, second, third
