# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Masses and moments of inertia as MuJoCo takes them.

MuJoCo refuses moving bodies without mass, and inertias that no body can have.
"""

from __future__ import annotations

import math
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.inertia import from_tensor, Inertia, is_physical, MUJOCO_LEAST, principal_axes
from hrdf_ros.listing import GroupedDiagnostics
from hrdf_ros.model import Body, Model
from hrdf_ros.pose import compose, IDENTITY
from hrdf_ros.topology import Topology

SMALL_MASS = 1e-9
"""The mass in kg that is written for a moving link without mass, which MuJoCo would refuse."""
SMALL_MOMENT = 1e-12
"""The moments of inertia in kg m^2 that are written for a moving link without mass."""
_SLACK = 1e-9
"""
The fraction of the greatest moment of inertia that is added to the other two, so that MuJoCo does
not find the greatest moment larger than their sum after rounding.
"""


def without_mass_below(model: Model, topology: Topology) -> set[int]:
    """Return the bodies without mass that carry no body with mass."""
    found = set(range(len(model.bodies)))
    for body in reversed(topology.order):
        inertia = model.bodies[body].inertia
        if inertia is not None and inertia.mass >= MUJOCO_LEAST:
            found.discard(body)
        if body not in found:
            found.discard(topology.parent[body])
    return found


def note_mass(body: Body, will_fail: bool, notes: GroupedDiagnostics) -> None:
    """Report a moving link without mass or inertia, and what has become of it."""
    text = f'{SMALL_MASS} kg or {SMALL_MOMENT} kg m^2'
    if will_fail:
        notes.add(
            codes.INERTIA_NOT_REPRESENTABLE,
            f'this will not simulate: links without mass that float, or carry none, get {text}',
            body.name, body.location,
            hint='--inertia shapes gives links without mass that of their shapes')
    else:
        notes.about(
            codes.INERTIA_NOT_REPRESENTABLE,
            f'MuJoCo refuses moving links without mass or inertia; they get {text}', body)


def with_some_mass(body: Body, notes: GroupedDiagnostics) -> Body:
    """Return a body that has moments of inertia with a mass; MuJoCo needs none, but Drake ends."""
    inertia = body.inertia
    if inertia is None or inertia.mass != 0.0 or inertia.is_zero:
        return body
    notes.about(
        codes.INERTIA_NOT_REPRESENTABLE,
        f'links with moments of inertia and no mass get {SMALL_MASS} kg, because Drake ends at '
        'them', body, severity='info')
    return body._replace(inertia=inertia._replace(mass=SMALL_MASS))


def _with_slack(inertia: Inertia) -> Inertia:
    """Return an inertia whose moments satisfy MuJoCo's A + B >= C after its own rounding."""
    moments, turn = principal_axes(inertia.tensor)
    total, greatest = sum(moments), max(moments)
    if turn == IDENTITY or total - 2.0 * greatest > _SLACK * greatest:
        return inertia
    a, b, c = (moment if moment == greatest else moment + _SLACK * greatest
               for moment in moments)
    return from_tensor(
        inertia.mass, compose(inertia.pose, turn), (a, b, c, 0.0, 0.0, 0.0), inertia.location)


def accepted_inertia(body: Body, notes: GroupedDiagnostics) -> Optional[Inertia]:
    """Return the inertia of a body if MuJoCo accepts it, else one with the mean of its moments."""
    inertia = body.inertia
    if inertia is None or inertia.mass <= 0.0 and inertia.is_zero:
        return None
    if inertia.mass >= 0.0 and (inertia.is_zero or is_physical(inertia)):
        return _with_slack(inertia)
    mean = max(sum(principal_axes(inertia.tensor)[0]) / 3.0, 0.0)
    notes.add(
        codes.INERTIA_NOT_REPRESENTABLE,
        'MuJoCo refuses an inertia that no body has; its mean about each axis is written',
        body.name, inertia.location or body.location)
    if not math.isfinite(mean):
        return None
    return from_tensor(
        max(inertia.mass, 0.0), inertia.pose, (mean, mean, mean, 0.0, 0.0, 0.0))
