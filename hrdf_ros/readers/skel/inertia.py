# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Inertia from shapes, as DART 6.20 works it out where a file gives a mass only.

The mass is shared out by volume (weight 1 for what has none), each shape's tensor is turned into
the body's axes and moved to the center of mass; the center of mass stays where it is.
"""

from collections.abc import Sequence
import math
from typing import NamedTuple, Optional

from hrdf_ros.inertia import rotate_tensor, shift_tensor, Tensor
from hrdf_ros.model import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    Ellipsoid,
    Geometry,
    Mesh,
    MultiSphere,
    Pyramid,
    Shape,
    Sphere,
    ZERO,
)
from hrdf_ros.pose import Vector
from hrdf_ros.readers.skel.mesh_bounds import Meshes


class _Solid(NamedTuple):
    """A geometry's volume and its moments about its own axes for mass 1."""

    volume: float
    moments: Vector
    scales_with_mass: bool = True


Share = tuple[Shape, _Solid]
"""A shape with what its tensor follows from."""


def shares(shapes: Sequence[Shape], meshes: Meshes) -> list[Share]:
    """Return the shapes whose solids are known: a mesh may be of a kind that is not read."""
    found = [(shape, _solid(shape.geometry, meshes)) for shape in shapes]
    return [(shape, solid) for shape, solid in found if solid is not None]


def tensor_of_shares(mass: float, center: Vector, parts: Sequence[Share]) -> Tensor:
    """Return the tensor (kg m^2) about ``center`` of at least one shape with this mass."""
    weights = [solid.volume or 1.0 for _, solid in parts]
    total = sum(weights)
    tensors = [
        _tensor(shape, solid, mass * weight / total, center)
        for (shape, solid), weight in zip(parts, weights)]
    xx, yy, zz, xy, xz, yz = map(sum, zip(*tensors))
    return xx, yy, zz, xy, xz, yz


def _tensor(shape: Shape, solid: _Solid, mass: float, center: Vector) -> Tensor:
    """Return a shape's tensor about the center of mass in the body's axes."""
    xx, yy, zz = solid.moments
    turned = rotate_tensor(shape.pose, (xx, yy, zz, 0.0, 0.0, 0.0))
    if solid.scales_with_mass:
        xx, yy, zz, xy, xz, yz = (mass * moment for moment in turned)
        turned = xx, yy, zz, xy, xz, yz
    x, y, z = (a - b for a, b in zip(shape.pose.position, center))
    return shift_tensor(turned, mass, (x, y, z))


def _solid(geometry: Geometry, meshes: Meshes) -> Optional[_Solid]:
    """Return volume and moments of a geometry; a plane has neither."""
    if isinstance(geometry, Box):
        return _box(geometry.size)
    if isinstance(geometry, (Sphere, Ellipsoid)):
        return _ellipsoid(geometry)
    if isinstance(geometry, (Cylinder, Cone)):
        return _round(geometry)
    if isinstance(geometry, Capsule):
        return _capsule(geometry.radius, geometry.length)
    if isinstance(geometry, Pyramid):
        volume = geometry.width * geometry.depth * geometry.height / 3.0
        return _Solid(volume, (1.0, 1.0, 1.0), scales_with_mass=False)
    if isinstance(geometry, MultiSphere):
        return _box(_extents(geometry))._replace(volume=0.0)
    if isinstance(geometry, Mesh):
        return _mesh(geometry, meshes)
    return _Solid(0.0, ZERO)


def _box(size: Vector) -> _Solid:
    x, y, z = size
    xx, yy, zz = x * x / 12.0, y * y / 12.0, z * z / 12.0
    return _Solid(abs(x * y * z), (yy + zz, xx + zz, xx + yy))


def _ellipsoid(geometry: Sphere | Ellipsoid) -> _Solid:
    radii = geometry.radii if isinstance(geometry, Ellipsoid) else (geometry.radius,) * 3
    x, y, z = (radius * radius / 5.0 for radius in radii)
    volume = 4.0 / 3.0 * math.pi * radii[0] * radii[1] * radii[2]
    return _Solid(volume, (y + z, x + z, x + y))


def _round(geometry: Cylinder | Cone) -> _Solid:
    r2, h2 = geometry.radius * geometry.radius, geometry.length * geometry.length
    volume = math.pi * r2 * geometry.length
    if isinstance(geometry, Cylinder):
        across = r2 / 4.0 + h2 / 12.0
        return _Solid(volume, (across, across, r2 / 2.0))
    across = 3.0 / 20.0 * r2 + h2 / 10.0
    return _Solid(volume / 3.0, (across, across, 3.0 / 10.0 * r2))


def _capsule(radius: float, length: float) -> _Solid:
    r2, h2 = radius * radius, length * length
    whole = length + 4.0 / 3.0 * radius
    cylinder, ends = length / whole, 4.0 / 3.0 * radius / whole
    across = (
        cylinder * (h2 / 12.0 + r2 / 4.0)
        + ends * (2.0 / 5.0 * r2 + h2 / 4.0 + 3.0 / 8.0 * length * radius))
    along = cylinder * r2 / 2.0 + ends * 2.0 / 5.0 * r2
    return _Solid(math.pi * r2 * whole, (across, across, along))


def _extents(geometry: MultiSphere) -> Vector:
    """Return the size of the box around all spheres."""
    if not geometry.spheres:
        return ZERO
    x, y, z = (
        max(center[k] + radius for radius, center in geometry.spheres)
        - min(center[k] - radius for radius, center in geometry.spheres) for k in range(3))
    return x, y, z


def _mesh(mesh: Mesh, meshes: Meshes) -> Optional[_Solid]:
    extents = None if mesh.file is None else meshes.extents(mesh.file)
    if extents is None:
        return None
    x, y, z = (length * abs(scale) for length, scale in zip(extents, mesh.scale))
    return _box((x, y, z))
