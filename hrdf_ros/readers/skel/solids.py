# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Compute the inertia that DART gives a body because of its shapes.

The inertia of a mesh depends on its extents only, which are measured here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
import math
import struct
from typing import Any, Optional

from hrdf_ros.data_files import parse_xml
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceFile
from hrdf_ros.inertia import (
    box,
    capsule,
    cylinder,
    ellipsoid,
    rotate_tensor,
    shift_tensor,
    Solid,
    sphere,
    Tensor,
)
from hrdf_ros.model import shapes, ZERO
from hrdf_ros.pose import from_axis_angle, to_matrix, Vector

Extents = Callable[[str], Optional[Vector]]
"""A function that returns the size of the box around a mesh file, None if it is unknown."""
_Solid = tuple[float, Vector]
"""The volume of a geometry in DART (m^3), and its moments about its own axes for 1 kg (kg m^2)."""
Share = tuple[shapes.Shape, _Solid]
"""A shape with the properties that determine its tensor."""

_BLOCK = 1 << 16
"""The number of points that are measured at a time."""
_STL_HEADER = 84
"""The bytes before the facets of a binary STL file."""
_STL_FACET = 50
"""The bytes of a facet in a binary STL file."""


def shares(found: Sequence[shapes.Shape], extents: Extents) -> list[Share]:
    """Return the shapes whose solids are known; meshes of kinds that are not read are left out."""
    solids = ((shape, _solid(shape.geometry, extents)) for shape in found)
    return [(shape, solid) for shape, solid in solids if solid is not None]


def tensor_of_shares(mass: float, center: Vector, parts: Sequence[Share]) -> Tensor:
    """Return the tensor (kg m^2) about ``center`` of at least one shape with this mass."""
    weights = [volume or 1.0 for _, (volume, _) in parts]
    total = sum(weights)
    tensors = []
    for (shape, (_, moments)), weight in zip(parts, weights):
        share = mass * weight / total
        own = 1.0 if isinstance(shape.geometry, shapes.Pyramid) else share
        xx, yy, zz, xy, xz, yz = (
            own * moment for moment in rotate_tensor(shape.pose, (*moments, 0.0, 0.0, 0.0)))
        x, y, z = (a - b for a, b in zip(shape.pose.position, center))
        tensors.append(shift_tensor((xx, yy, zz, xy, xz, yz), share, (x, y, z)))
    xx, yy, zz, xy, xz, yz = map(sum, zip(*tensors))
    return xx, yy, zz, xy, xz, yz


def _solid(geometry: shapes.Geometry, extents: Extents) -> Optional[_Solid]:
    """Return volume and moments of a geometry; a plane has neither."""
    if isinstance(geometry, shapes.MultiSphere):
        return 0.0, box(*_size_of_spheres(geometry)).moments
    if isinstance(geometry, shapes.Mesh):
        size = None if geometry.file is None else extents(geometry.file)
        return size and _usual(
            box(*(length * abs(scale) for length, scale in zip(size, geometry.scale))))
    solid = _SOLIDS.get(type(geometry))
    return (0.0, ZERO) if solid is None else solid(geometry)


def _usual(solid: Solid) -> _Solid:
    return abs(solid.volume), solid.moments


def _cone(cone: shapes.Cone) -> _Solid:
    """
    Return a cone as in DART: its moments are about the middle of its height.

    Its center of mass is a quarter of the height below the middle, which DART ignores.
    """
    squared_radius, squared_height = cone.radius * cone.radius, cone.length * cone.length
    across = 3.0 / 20.0 * squared_radius + squared_height / 10.0
    return (
        math.pi * squared_radius * cone.length / 3.0,
        (across, across, 3.0 / 10.0 * squared_radius))


def _pyramid(pyramid: shapes.Pyramid) -> _Solid:
    """Return a pyramid as in DART: it gets the unit tensor, whatever its mass."""
    return pyramid.width * pyramid.depth * pyramid.height / 3.0, (1.0, 1.0, 1.0)


_SOLIDS: Mapping[type, Callable[[Any], _Solid]] = {
    shapes.Box: lambda found: _usual(box(*found.size)),
    shapes.Sphere: lambda found: _usual(sphere(found.radius)),
    shapes.Ellipsoid: lambda found: _usual(ellipsoid(*found.radii)),
    shapes.Cylinder: lambda found: _usual(cylinder(found.radius, found.length)),
    shapes.Capsule: lambda found: _usual(capsule(found.radius, found.length)),
    shapes.Cone: _cone, shapes.Pyramid: _pyramid,
}


def _size_of_spheres(geometry: shapes.MultiSphere) -> Vector:
    """Return the size of the box around all spheres."""
    if not geometry.spheres:
        return ZERO
    x, y, z = (
        max(center[k] + radius for radius, center in geometry.spheres)
        - min(center[k] - radius for radius, center in geometry.spheres) for k in range(3))
    return x, y, z


# ---- the extents of mesh files

def mesh_extents(source: SourceFile) -> Optional[Vector]:
    """
    Return the size of the box around a Wavefront, STL or Collada mesh.

    It is None for other kinds, for faulty numbers, and for more points than the limit.
    """
    points = _POINTS.get(source.file.rpartition('.')[2].lower())
    if points is None:
        return None
    try:
        return _extents(points(source), source.limits.mesh_points)
    except ValueError:
        return None


def _extents(points: Iterable[Sequence[float]], most: int) -> Optional[Vector]:
    iterator, count = iter(points), 0
    corners: list[Sequence[float]] = []
    while block := list(islice(iterator, _BLOCK)):
        count += len(block)
        if count > most:
            return None
        x, y, z = zip(*corners, *block)
        corners = [(min(x), min(y), min(z)), (max(x), max(y), max(z))]
    if not corners:
        return None
    low, high = corners
    return high[0] - low[0], high[1] - low[1], high[2] - low[2]


def _obj_points(source: SourceFile) -> Iterator[Sequence[float]]:
    """Yield the vertices that lines beginning with ``v`` give."""
    for line in source.data.splitlines():
        if line.startswith(b'v '):
            yield tuple(map(float, line.split()[1:4]))


def _stl_points(source: SourceFile) -> Iterator[Sequence[float]]:
    """Yield the corners of all facets, of a binary or a text file."""
    data = source.data
    count = struct.unpack_from('<I', data, 80)[0] if len(data) >= _STL_HEADER else -1
    if len(data) == _STL_HEADER + _STL_FACET * count:
        for facet in struct.iter_unpack('<12f2x', data[_STL_HEADER:]):
            yield from (facet[3:6], facet[6:9], facet[9:12])
    else:
        for line in data.splitlines():
            words = line.split()
            if words[:1] == [b'vertex']:
                yield tuple(map(float, words[1:4]))


def _collada_points(source: SourceFile) -> Iterator[Sequence[float]]:
    """Yield the points of all geometries in the scene; raise ValueError for faulty numbers."""
    root = parse_xml(source, Report(), large=True)
    if root is None:
        return
    geometries = {f"#{node.get('id')}": node for node in root.iter('{*}geometry')}
    unit = next(root.iter('{*}unit'), None)
    meter = float((None if unit is None else unit.get('meter')) or 1.0)
    pending = [
        (scene, _affine('scale', (meter, meter, meter)))
        for scene in root.iter('{*}visual_scene')]
    while pending:
        node, root_from_node = pending.pop()
        for child in node:
            kind = child.tag.rpartition('}')[2]
            if kind in ('matrix', 'translate', 'rotate', 'scale'):
                columns = list(zip(*_affine(kind, _floats(child)), (0.0, 0.0, 0.0, 1.0)))
                root_from_node = [
                    [sum(a * b for a, b in zip(row, column)) for column in columns]
                    for row in root_from_node]
        pending += [(child, root_from_node) for child in node.iterfind('{*}node')]
        for instance in node.iterfind('{*}instance_geometry'):
            for x, y, z in _positions(geometries.get(instance.get('url'))):
                yield [a * x + b * y + c * z + d for a, b, c, d in root_from_node]


def _positions(geometry: Any) -> Iterator[Sequence[float]]:
    """Yield the points that the vertices of a geometry use as positions."""
    if geometry is None:
        return
    arrays = {
        f"#{node.get('id')}": node.find('{*}float_array') for node in geometry.iter('{*}source')}
    for entry in geometry.iterfind('.//{*}vertices/{*}input'):
        array = arrays.get(entry.get('source'))
        if array is not None and entry.get('semantic') == 'POSITION':
            numbers = iter(_floats(array))
            yield from zip(numbers, numbers, numbers)


def _floats(node: Any) -> list[float]:
    return [float(word) for word in (node.text or '').split()]


def _affine(kind: str, numbers: Sequence[float]) -> list[Sequence[float]]:
    """Return the upper three rows of a transform of COLLADA, which may include a scale."""
    if kind == 'matrix':
        a, b, c, d, e, f, g, h, i, j, k, m = numbers[:12]
        return [(a, b, c, d), (e, f, g, h), (i, j, k, m)]
    x, y, z, *rest = numbers
    if kind == 'translate':
        return [(1.0, 0.0, 0.0, x), (0.0, 1.0, 0.0, y), (0.0, 0.0, 1.0, z)]
    if kind == 'scale':
        return [(x, 0.0, 0.0, 0.0), (0.0, y, 0.0, 0.0), (0.0, 0.0, z, 0.0)]
    degrees, = rest
    norm = math.hypot(x, y, z) or 1.0
    turn = to_matrix(
        from_axis_angle((x / norm, y / norm, z / norm), math.radians(degrees)))
    return [(*turn[0:3], 0.0), (*turn[3:6], 0.0), (*turn[6:9], 0.0)]


_POINTS: Mapping[str, Callable[[SourceFile], Iterator[Sequence[float]]]] = {
    'dae': _collada_points, 'obj': _obj_points, 'stl': _stl_points}
