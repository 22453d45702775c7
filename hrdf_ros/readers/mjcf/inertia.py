# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Mass and inertia of bodies: as given, or from their geoms as MuJoCo computes them."""

from __future__ import annotations

from collections.abc import Sequence
import math
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.inertia import (
    combine,
    from_tensor,
    Inertia,
    principal_axes,
    rotate_tensor,
    scale,
    Tensor,
)
from hrdf_ros.pose import AXES, compose, from_axis_angle, IDENTITY, inverse, Pose, Vector
from hrdf_ros.readers.mjcf.bodies import BodyNode, Item
from hrdf_ros.readers.mjcf.geoms import Solid
from hrdf_ros.readers.mjcf.poses import read_pose
from hrdf_ros.readers.mjcf.settings import Compiler

SMALLEST = 1e-14
"""MuJoCo's mjEPS: geoms and volumes below it have no mass."""
_DENSITY = 1000.0
_SWEEPS = 500
_EIGEN = 1e-12
_PRODUCTS = {(0, 1): 3, (0, 2): 4, (1, 2): 5}
"""Where a tensor has the product of inertia of two axes."""


class Massive(NamedTuple):
    """A geom that may have mass; ``measured`` is that of a mesh or shell, by MuJoCo."""

    item: Item
    solid: Solid
    measured: Optional[Inertia] = None


def given_inertia(item: Item, compiler: Compiler, report: Report) -> Optional[Inertia]:
    """Return the inertia of an ``<inertial>`` (its pose in the body), None where it is faulty."""
    element = item.element
    mass = element.number('mass')
    pose = compose(item.pose, read_pose(element, compiler, report))
    full = element.value('fullinertia')
    diagonal = element.value('diaginertia', (0.0, 0.0, 0.0))
    if full is not None and any(diagonal):
        report.add(
            codes.EXCLUSIVE_ATTRIBUTES, "'fullinertia' and 'diaginertia' exclude each other",
            element.locate('fullinertia'))
        return None
    tensor: Tensor = full if full is not None else (*diagonal, 0.0, 0.0, 0.0)
    return from_tensor(mass, pose, tensor, element.element.location)


def bounded_inertia(
    inertia: Inertia, node: BodyNode, compiler: Compiler, report: Report,
) -> Inertia:
    """Return an inertia after ``boundmass``, ``boundinertia`` and ``balanceinertia``."""
    moments, turn = principal_axes(inertia.tensor)
    mass = max(inertia.mass, compiler.boundmass)
    a, b, c = bounded = tuple(max(moment, compiler.boundinertia) for moment in moments)
    if mass < 0.0 or min(bounded) < -SMALLEST:
        report.add(
            codes.MJCF_INERTIA_REFUSED, f"mass and inertia of body '{node.name}' are negative",
            inertia.location)
    excess = max(a - b - c, b - a - c, c - a - b)
    if excess > 1e-12 * max(bounded) and compiler.balanceinertia:
        mean = (a + b + c) / 3.0
        return from_tensor(mass, inertia.pose, (mean, mean, mean, 0.0, 0.0, 0.0), inertia.location)
    if excess > 1e-12 * max(bounded):
        report.add(
            codes.MJCF_INERTIA_REFUSED, f"no body has the inertia of '{node.name}': a moment is "
            'greater than the sum of the other two', inertia.location,
            hint='<compiler balanceinertia="true"/> makes them equal')
    if bounded == moments:
        return inertia._replace(mass=mass)
    return from_tensor(
        mass, compose(inertia.pose, turn), (a, b, c, 0.0, 0.0, 0.0), inertia.location)


def inertia_from_geoms(geoms: Sequence[Massive], report: Report) -> Optional[Inertia]:
    """Return the inertia of the geoms of a body together, None where they have no mass."""
    found = [inertia for inertia in (
        geom_inertia(geom, report) for geom in geoms) if inertia and inertia.mass > SMALLEST]
    if not found:
        return None
    return found[0] if len(found) == 1 else combine(found)


def geom_inertia(geom: Massive, report: Report) -> Optional[Inertia]:
    """Return mass and inertia of a geom in the frame of the body, None where it has no mass."""
    if geom.measured is not None:
        return geom.measured
    element, solid = geom.item.element, geom.solid
    volume = _volume(solid)
    mass = element.value('mass')
    density = element.number('density', _DENSITY)
    if mass is None:
        mass = density * volume
    elif volume <= SMALLEST:
        mass = 0.0
    if mass < 0.0 or density < 0.0:
        report.add(
            codes.BAD_VALUE, 'mass and density must not be negative',
            element.locate('mass' if 'mass' in element else 'density'))
        return None
    if mass == 0.0:
        return None
    return from_tensor(
        mass, solid.pose, (*_moments(solid, mass), 0.0, 0.0, 0.0), element.element.location)


def _volume(solid: Solid) -> float:
    x, y, z = solid.size
    return {
        'sphere': 4.0 * math.pi * x * x * x / 3.0,
        'capsule': math.pi * (x * x * 2.0 * y + 4.0 * x * x * x / 3.0),
        'cylinder': math.pi * x * x * 2.0 * y,
        'ellipsoid': 4.0 * math.pi * x * y * z / 3.0,
        'box': x * y * z * 8.0, 'hfield': x * y * z * 8.0}.get(solid.kind, 0.0)


def _moments(solid: Solid, mass: float) -> Vector:
    """Return the moments of a body of even density about its center."""
    x, y, z = solid.size
    height = 2.0 * y
    if solid.kind == 'sphere':
        return (2.0 * mass * x * x / 5.0,) * 3
    if solid.kind == 'cylinder':
        across = mass * (3.0 * x * x + height * height) / 12.0
        return across, across, mass * x * x / 2.0
    if solid.kind == 'capsule':
        ball = mass * 4.0 * x / (4.0 * x + 3.0 * height)
        rod = mass - ball
        own = 2.0 * ball * x * x / 5.0
        across = (
            rod * (3.0 * x * x + height * height) / 12.0
            + own + ball * height * (3.0 * x + 2.0 * height) / 8.0)
        return across, across, rod * x * x / 2.0 + own
    share = mass / (5.0 if solid.kind == 'ellipsoid' else 3.0)
    return share * (y * y + z * z), share * (x * x + z * z), share * (x * x + y * y)


def principal_frame(tensor: Tensor) -> tuple[Vector, Pose]:
    """
    Return the principal moments, the largest first, and the rotation to their axes.

    Of the frames that have these axes it is the one that MuJoCo chooses: by Jacobi's method, then
    by turns of 90 degrees that sort the moments.
    """
    turn = IDENTITY
    for _ in range(_SWEEPS):
        moments = rotate_tensor(inverse(turn), tensor)
        xy, xz, yz = map(abs, moments[3:])
        row, column, axis = (
            (0, 1, 2) if xy > xz and xy > yz else (0, 2, 1) if xz > yz else (1, 2, 0))
        product = moments[_PRODUCTS[row, column]]
        if abs(product) < _EIGEN:
            break
        tau = (moments[column] - moments[row]) / (2.0 * product)
        tangent = math.copysign(1.0, tau) / (abs(tau) + math.sqrt(1.0 + tau * tau))
        angle = -math.atan(tangent) if axis != 1 else math.atan(tangent)
        if math.cos(angle) > 1.0 - _EIGEN:
            break
        turn = compose(turn, from_axis_angle(AXES[axis], angle))
    sorted_moments = list(rotate_tensor(inverse(turn), tensor)[:3])
    for first in (0, 1, 0):
        if sorted_moments[first] + _EIGEN < sorted_moments[first + 1]:
            sorted_moments[first:first + 2] = sorted_moments[first + 1], sorted_moments[first]
            turn = compose(turn, from_axis_angle(AXES[(first + 2) % 3], math.pi / 2.0))
    a, b, c = sorted_moments
    return (a, b, c), turn


def scaled_to(inertias: Sequence[Inertia], total: float) -> list[Inertia]:
    """Return inertias with masses that add up to a total (``settotalmass``)."""
    mass = sum(inertia.mass for inertia in inertias)
    return [
        scale(inertia, inertia.mass * total / mass) if inertia.mass > 0.0 else inertia
        for inertia in inertias]
