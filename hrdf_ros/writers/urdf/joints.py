# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The ``<joint>`` elements of a URDF.

A revolute or prismatic joint must have finite limits, an effort and a velocity in URDF; where the
Model has none, the named numbers below are written, and a note says so.
"""

from __future__ import annotations

import math
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.model import Coordinate, Mimic, Model, NONE
from hrdf_ros.pose import IDENTITY, Pose, to_rpy
from hrdf_ros.writers.grouped_diagnostics import GroupedDiagnostics
from hrdf_ros.writers.urdf.plan import Drive, Edge, Plan
from hrdf_ros.writers.xml import Element, number, numbers, Raw, raw

DEFAULT_EFFORT = 1000.0
"""Newton metres or newtons."""
DEFAULT_VELOCITY = 100.0
"""Radians or metres per second."""
WIDE = 1000.0
"""Radians or metres: the limit that stands for none."""


class _Limits(NamedTuple):
    """Limits of a joint's own displacement; infinite where there are none."""

    lower: float
    upper: float
    velocity: float
    effort: float

    @property
    def unbounded(self) -> bool:
        """Tell whether neither side has a limit."""
        return math.isinf(self.lower) and math.isinf(self.upper)


def origin_element(pose: Pose) -> tuple[Element, ...]:
    """Return the ``<origin>``, nothing for the identity."""
    if pose == IDENTITY:
        return ()
    attributes = (('xyz', numbers(pose.position)), ('rpy', numbers(to_rpy(pose))))
    return (Element('origin', attributes),)


def joint_element(edge: Edge, model: Model, plan: Plan, notes: GroupedDiagnostics) -> Element:
    """Return the ``<joint>`` of an edge."""
    children: list[Element | Raw] = [
        *origin_element(edge.origin),
        Element('parent', (('link', edge.parent),)), Element('child', (('link', edge.child),))]
    kind: str = edge.kind
    if kind not in ('fixed', 'floating'):
        children.append(Element('axis', (('xyz', numbers(edge.axis)),)))
    if edge.drive is not None:
        limits = _limits(model.coordinates[edge.drive.coordinate], edge.drive)
        if kind == 'revolute' and limits.unbounded:
            kind = 'continuous'
        children += _driven_parts(edge, edge.drive, kind, limits, model, plan, notes)
    elif kind == 'revolute':
        kind = 'continuous'
    if edge.joint != NONE and (edge.drive is None or not edge.drive.follows):
        children += raw(model.joints[edge.joint].extensions, 'urdf')
    return Element('joint', (('name', edge.name), ('type', kind)), tuple(children))


def _driven_parts(
    edge: Edge,
    drive: Drive,
    kind: str,
    limits: _Limits,
    model: Model,
    plan: Plan,
    notes: GroupedDiagnostics,
) -> list[Element]:
    """Return dynamics, limit and mimic of a joint that a coordinate moves."""
    coordinate = model.coordinates[drive.coordinate]
    parts: list[Element] = []
    if not drive.follows:
        parts += _dynamics(coordinate, notes)
    parts += _limit_element(edge.name, kind, limits, coordinate, notes)
    mimic = _mimic(drive, model, plan, notes)
    if mimic is not None:
        parts.append(Element('mimic', (
            ('joint', model.coordinates[mimic.leader].name),
            ('multiplier', number(mimic.multiplier)), ('offset', number(mimic.offset)))))
    return parts


def _dynamics(coordinate: Coordinate, notes: GroupedDiagnostics) -> list[Element]:
    values = (coordinate.damping, coordinate.friction)
    if not any(values):
        return []
    if not all(map(math.isfinite, values)):
        notes.add(
            codes.DETAIL_NOT_REPRESENTABLE, 'URDF has no place for numbers that are infinite',
            f'{coordinate.name}: dynamics', coordinate.location, severity='warning')
        return []
    damping, friction = map(number, values)
    return [Element('dynamics', (('damping', damping), ('friction', friction)))]


def _limits(coordinate: Coordinate, drive: Drive) -> _Limits:
    """Return the limits of ``scale * q + offset``; what is not a number is no limit."""
    scale, offset = drive.scale, drive.offset
    if scale == 0.0:
        return _Limits(offset, offset, math.inf, math.inf)
    lower = scale * _or_none(coordinate.lower, -math.inf) + offset
    upper = scale * _or_none(coordinate.upper, math.inf) + offset
    if scale < 0.0:
        lower, upper = upper, lower
    return _Limits(
        lower, upper, _or_none(coordinate.velocity, math.inf) * abs(scale),
        _or_none(coordinate.effort, math.inf) / abs(scale))


def _or_none(limit: float, none: float) -> float:
    return none if math.isnan(limit) else limit


def _limit_element(
    name: str, kind: str, limits: _Limits, coordinate: Coordinate, notes: GroupedDiagnostics,
) -> list[Element]:
    """Return the ``<limit>``, with named numbers for what the Model leaves open."""
    if kind == 'continuous' and math.isinf(limits.velocity) and math.isinf(limits.effort):
        return []

    def finite(value: float, substitute: float, what: str) -> float:
        if math.isfinite(value):
            return value
        notes.add(
            codes.LIMIT_DEFAULT_USED,
            f'URDF wants a number for every limit; {what} {substitute!r} is written for joints '
            'that have none', name, coordinate.location)
        return substitute

    attributes = []
    if kind != 'continuous':
        lower = finite(limits.lower, min(-WIDE, limits.upper), 'lower')
        upper = finite(limits.upper, max(WIDE, lower), 'upper')
        attributes = [('lower', number(lower)), ('upper', number(upper))]
    attributes += [
        ('effort', number(finite(limits.effort, DEFAULT_EFFORT, 'effort'))),
        ('velocity', number(finite(limits.velocity, DEFAULT_VELOCITY, 'velocity')))]
    return [Element('limit', tuple(attributes))]


def _mimic(drive: Drive, model: Model, plan: Plan, notes: GroupedDiagnostics) -> Optional[Mimic]:
    """Return whom a joint mimics, None where nobody or where the leader has no joint here."""
    coordinate = model.coordinates[drive.coordinate]
    if drive.follows:
        return _through_leaders(
            Mimic(drive.coordinate, drive.scale, drive.offset), model, plan)
    if coordinate.mimic is None or coordinate.mimic.leader in plan.coordinates:
        return coordinate.mimic
    notes.add(
        codes.MIMIC_NOT_REPRESENTABLE,
        'these coordinates mimic one that has no joint in the URDF; the tie is left out',
        coordinate.name, coordinate.location)
    return None


def _through_leaders(mimic: Mimic, model: Model, plan: Plan) -> Mimic:
    """Return the same tie to the coordinate at the head of the chain: most readers stop at one."""
    seen = {mimic.leader}
    while True:
        above = model.coordinates[mimic.leader].mimic
        if above is None or above.leader in seen or above.leader not in plan.coordinates:
            return mimic
        seen.add(above.leader)
        mimic = Mimic(
            above.leader, mimic.multiplier * above.multiplier,
            mimic.multiplier * above.offset + mimic.offset)
