# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Shapes of a Model as SDFormat can express them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from hrdf_ros import codes
from hrdf_ros.diagnostics import GroupedDiagnostics
from hrdf_ros.lowering.sdf_scopes import SdfNames
from hrdf_ros.lowering.target import Target
from hrdf_ros.model import (
    Box,
    Cone,
    Cylinder,
    Geometry,
    MultiSphere,
    Plane,
    Pyramid,
    Shape,
    Sphere,
)
from hrdf_ros.pose import compose, IDENTITY, Pose, translation


class _Part(NamedTuple):
    """A geometry that stands for a shape or a part of it; ``pose`` is shape_from_part."""

    geometry: Geometry
    pose: Pose = IDENTITY


def lower_shapes(
    tag: str, shapes: Iterable[Shape], target: Target, notes: GroupedDiagnostics,
) -> tuple[Shape, ...]:
    """Return the visuals or collisions of a link; a geometry may become several."""
    names = SdfNames(notes)
    lowered = []
    for shape in shapes:
        for geometry, pose in _parts(shape, target, notes):
            name = names.claim(shape.name, tag)
            if name != shape.name or geometry is not shape.geometry or pose is not IDENTITY:
                pose = compose(shape.pose, pose)
                lowered.append(shape._replace(name=name, geometry=geometry, pose=pose))
            else:
                lowered.append(shape)
    return tuple(lowered)


def _parts(shape: Shape, target: Target, notes: GroupedDiagnostics) -> list[_Part]:
    geometry = shape.geometry
    name = type(geometry).__name__.lower()
    if isinstance(geometry, MultiSphere):
        notes.add(
            codes.GEOMETRY_REPLACED,
            'the hull of several spheres is written as the spheres alone', shape.name or name,
            shape.location)
        return [
            _Part(Sphere(radius), translation(*center)) for radius, center in geometry.spheres]
    if isinstance(geometry, Pyramid) or isinstance(geometry, Cone) and not target.cones:
        notes.add(
            codes.GEOMETRY_REPLACED, f'a {name} is written as its bounding shape',
            shape.name or name, shape.location)
        return [_Part(_around(geometry))]
    if isinstance(geometry, Plane):
        x, y, z = (geometry.offset * part for part in geometry.normal)
        return [_Part(geometry._replace(offset=0.0), translation(x, y, z))]
    return [_Part(geometry)]


def _around(geometry: Pyramid | Cone) -> Geometry:
    """Return the box around a pyramid, the cylinder around a cone."""
    if isinstance(geometry, Pyramid):
        return Box((geometry.width, geometry.depth, geometry.height))
    return Cylinder(geometry.radius, geometry.length)
