# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Joint types: which motions each is made of, and what its coordinates are called."""

from __future__ import annotations

from hrdf_ros.document import SourceRef
from hrdf_ros.model import Coordinate, CoordinateKind, Motion
from hrdf_ros.pose import AXES, Vector, X_AXIS

TYPES = ('revolute', 'continuous', 'prismatic', 'fixed', 'floating', 'planar')
_COORDINATES: dict[str, tuple[tuple[str, CoordinateKind], ...]] = {
    'revolute': (('', 'angle'),),
    'continuous': (('', 'angle'),),
    'prismatic': (('', 'length'),),
    'fixed': (),
    'planar': (('_x', 'length'), ('_y', 'length'), ('_rot', 'angle')),
    'floating': (
        ('_rot_x', 'angle'), ('_rot_y', 'angle'), ('_rot_z', 'angle'),
        ('_pos_x', 'length'), ('_pos_y', 'length'), ('_pos_z', 'length')),
}


def joint_dofs(
    kind: str, name: str, axis: Vector, first: int, location: SourceRef,
) -> tuple[tuple[Motion, ...], tuple[Coordinate, ...]]:
    """Return the motions of a joint about or along a unit axis, and its coordinates."""
    coordinates = tuple(
        Coordinate(name + suffix, of, location=location) for suffix, of in _COORDINATES[kind])
    return _motions(kind, axis, first), coordinates


def _motions(kind: str, axis: Vector, first: int) -> tuple[Motion, ...]:
    if kind in ('revolute', 'continuous'):
        return (Motion('revolute', axis, (first,)),)
    if kind == 'prismatic':
        return (Motion('prismatic', axis, (first,)),)
    if kind == 'planar':
        return _planar(axis, first)
    return _floating(first) if kind == 'floating' else ()


def _planar(normal: Vector, first: int) -> tuple[Motion, ...]:
    """
    Return two slides across the normal and a turn about it.

    For the axes x, y, z these slide along y z, z x and x y; else the first of the two is bent
    into the plane.
    """
    along = max(range(3), key=lambda index: abs(normal[index]))
    share = normal[(along + 1) % 3]
    bent = [-share * part for part in normal]
    bent[(along + 1) % 3] += 1.0
    length = sum(part * part for part in bent) ** 0.5
    x, y, z = (part / length + 0.0 for part in bent)
    a, b, c = normal
    across = (b * z - c * y + 0.0, c * x - a * z + 0.0, a * y - b * x + 0.0)
    return (
        Motion('prismatic', (x, y, z), (first,)), Motion('prismatic', across, (first + 1,)),
        Motion('revolute', normal, (first + 2,)))


def _floating(first: int) -> tuple[Motion, ...]:
    """Return three slides, then a rotation; the angles come first among the coordinates."""
    slides = tuple(
        Motion('prismatic', axis, (first + 3 + index,))
        for index, axis in enumerate(AXES))
    return (*slides, Motion('rotation_vector', X_AXIS, (first, first + 1, first + 2)))
