# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Rules on mass and inertia: could a body like this exist."""

from __future__ import annotations

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report, value_location
from hrdf_ros.model import Inertia, Model
from hrdf_ros.topology import Topology

_TOLERANCE = 1e-3
"""Relative to the trace: files round their tensors to a few digits."""


def check_mass(model: Model, _: Topology, report: Report) -> None:
    """Find negative masses."""
    for body in model.bodies:
        inertia = body.inertia
        if inertia is not None and inertia.mass < 0.0:
            report.add(
                codes.MASS_NEGATIVE, f"body '{body.name}' has the mass {inertia.mass!r} kg",
                value_location(inertia.location or body.location, 'mass'))


def check_inertia(model: Model, _: Topology, report: Report) -> None:
    """
    Find inertia tensors that no distribution of mass has; the zero tensor is legal.

    The principal moments must be positive, and none greater than the sum of the other two.
    """
    for body in model.bodies:
        inertia = body.inertia
        if inertia is None or _is_real(inertia):
            continue
        if _is_positive(inertia, 1.0, 0.0):
            broken = 'a principal moment is greater than the sum of the other two'
        else:
            broken = 'a principal moment is negative'
        report.add(
            codes.INERTIA_INVALID,
            f"the inertia tensor of body '{body.name}' is impossible: {broken}",
            inertia.location or body.location,
            hint='give the tensor about the centre of mass, in kg m^2')


def _is_real(inertia: Inertia) -> bool:
    """Tell whether the second moments of mass, ``trace/2 - I``, are positive semidefinite."""
    if inertia[2:8] == (0.0,) * 6:
        return True
    return _is_positive(inertia, -1.0, 0.5)


def _is_positive(inertia: Inertia, sign: float, share: float) -> bool:
    """Tell whether ``sign * I / trace + share`` is positive semidefinite within the tolerance."""
    _, _, ixx, iyy, izz, ixy, ixz, iyz, _ = inertia
    trace = ixx + iyy + izz
    if not trace > 0.0:
        return False
    a = sign * ixx / trace + share + _TOLERANCE
    b = sign * iyy / trace + share + _TOLERANCE
    c = sign * izz / trace + share + _TOLERANCE
    d, e, f = sign * ixy / trace, sign * ixz / trace, sign * iyz / trace
    minor = a * b - d * d
    return (
        a > 0.0 and minor > 0.0
        and c * minor - a * f * f - b * e * e + 2.0 * d * e * f > 0.0)
