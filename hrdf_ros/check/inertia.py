# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Rules on mass and inertia: could a body like this exist."""

from __future__ import annotations

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report, value_location
from hrdf_ros.inertia import is_plausible, is_positive
from hrdf_ros.model import Model
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
        if inertia is None or is_plausible(inertia, _TOLERANCE):
            continue
        if is_positive(inertia, _TOLERANCE):
            broken = 'a principal moment is greater than the sum of the other two'
        else:
            broken = 'a principal moment is negative'
        report.add(
            codes.INERTIA_INVALID,
            f"the inertia tensor of body '{body.name}' is impossible: {broken}",
            inertia.location or body.location,
            hint='give the tensor about the center of mass, in kg m^2')
