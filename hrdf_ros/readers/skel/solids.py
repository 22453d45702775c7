# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The inertia that DART gives a body by its shapes.

That of a mesh depends on its extents only, which are measured here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
import math
import struct
from typing import NamedTuple, Optional

from hrdf_ros.diagnostics import Report
from hrdf_ros.document import parse, SourceFile, XmlElement
from hrdf_ros.inertia import rotate_tensor, shift_tensor, Tensor
from hrdf_ros.model import ZERO
from hrdf_ros.model.shapes import (
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
)
from hrdf_ros.pose import from_axis_angle, to_matrix, Vector

Affine = tuple[tuple[float, float, float, float], ...]
"""The upper three rows of a transform that may scale."""

Point = tuple[float, float, float]

Extents = Callable[[str], Optional[Vector]]
"""Returns the size of the box around the mesh in a file, None where it is not known."""

_BLOCK = 1 << 16
_STL_HEADER = 84
_STL_FACET = 50


class _Solid(NamedTuple):
    """A geometry's volume and its moments about its own axes for mass 1."""

    volume: float
    moments: Vector
    scales_with_mass: bool = True


Share = tuple[Shape, _Solid]
"""A shape with the properties that determine its tensor."""


def shares(shapes: Sequence[Shape], extents: Extents) -> list[Share]:
    """Return the shapes whose solids are known: a mesh may be of a kind that is not read."""
    found = [(shape, _solid(shape.geometry, extents)) for shape in shapes]
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


def _solid(geometry: Geometry, extents: Extents) -> Optional[_Solid]:
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
        return _box(_size_of_spheres(geometry))._replace(volume=0.0)
    if isinstance(geometry, Mesh):
        return _mesh(geometry, extents)
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


def _size_of_spheres(geometry: MultiSphere) -> Vector:
    """Return the size of the box around all spheres."""
    if not geometry.spheres:
        return ZERO
    x, y, z = (
        max(center[k] + radius for radius, center in geometry.spheres)
        - min(center[k] - radius for radius, center in geometry.spheres) for k in range(3))
    return x, y, z


def _mesh(mesh: Mesh, extents: Extents) -> Optional[_Solid]:
    size = None if mesh.file is None else extents(mesh.file)
    if size is None:
        return None
    x, y, z = (length * abs(scale) for length, scale in zip(size, mesh.scale))
    return _box((x, y, z))


# ---- the extents of mesh files

def collada_points(source: SourceFile) -> Iterator[Point]:
    """Yield the points of all geometries in the scene; raise ValueError for strange numbers."""
    root = parse(source, Report(), XmlElement)
    if root is None:
        return
    geometries = {f"#{node.get('id')}": node for node in root.walk() if node.tag == 'geometry'}

    @cache
    def positions(url: str) -> list[Point]:
        return list(_positions(geometries[url])) if url in geometries else []

    unit = next((node for node in root.walk() if node.tag == 'unit'), None)
    meter = float((unit.get('meter') if unit is not None else None) or 1.0)
    scenes = (node for node in root.walk() if node.tag == 'visual_scene')
    pending = [(scene, _scale((meter, meter, meter))) for scene in scenes]
    while pending:
        node, root_from_node = pending.pop()
        for child in node.children:
            if child.tag in _TRANSFORMS:
                root_from_node = _product(root_from_node, _TRANSFORMS[child.tag](_floats(child)))
        pending += [(child, root_from_node) for child in node.all('node')]
        for instance in node.all('instance_geometry'):
            for point in positions(instance.get('url') or ''):
                yield _moved(root_from_node, point)


def _positions(geometry: XmlElement) -> Iterator[Point]:
    """Yield the points that the vertices of a geometry name as their positions."""
    arrays = {
        f"#{node.get('id')}": node.child('float_array') for node in geometry.walk()
        if node.tag == 'source'}
    inputs = (
        found for node in geometry.walk() if node.tag == 'vertices' for found in node.all('input'))
    for entry in inputs:
        array = arrays.get(entry.get('source') or '')
        if array is not None and entry.get('semantic') == 'POSITION':
            numbers = iter(_floats(array))
            yield from zip(numbers, numbers, numbers)


def _floats(node: XmlElement) -> list[float]:
    return [float(word) for word in node.text.split()]


def _matrix(numbers: list[float]) -> Affine:
    a, b, c, d, e, f, g, h, i, j, k, m = numbers[:12]
    return (a, b, c, d), (e, f, g, h), (i, j, k, m)


def _translate(numbers: list[float]) -> Affine:
    x, y, z = numbers
    return (1.0, 0.0, 0.0, x), (0.0, 1.0, 0.0, y), (0.0, 0.0, 1.0, z)


def _scale(numbers: list[float] | Point) -> Affine:
    x, y, z = numbers
    return (x, 0.0, 0.0, 0.0), (0.0, y, 0.0, 0.0), (0.0, 0.0, z, 0.0)


def _rotate(numbers: list[float]) -> Affine:
    x, y, z, degrees = numbers
    norm = math.hypot(x, y, z) or 1.0
    m = to_matrix(from_axis_angle((x / norm, y / norm, z / norm), math.radians(degrees)))
    return (*m[0:3], 0.0), (*m[3:6], 0.0), (*m[6:9], 0.0)


_TRANSFORMS: dict[str, Callable[[list[float]], Affine]] = {
    'matrix': _matrix,
    'translate': _translate,
    'rotate': _rotate,
    'scale': _scale,
}


def _product(a: Affine, b: Affine) -> Affine:
    columns = list(zip(*b, (0.0, 0.0, 0.0, 1.0)))
    rows = []
    for row in a:
        entries = [sum(p * q for p, q in zip(row, column)) for column in columns]
        rows.append((entries[0], entries[1], entries[2], entries[3]))
    return tuple(rows)


def _moved(a: Affine, point: Point) -> Point:
    x, y, z = (row[0] * point[0] + row[1] * point[1] + row[2] * point[2] + row[3] for row in a)
    return x, y, z


def mesh_extents(source: SourceFile) -> Optional[Vector]:
    """
    Return the size of the box around a Wavefront, STL or Collada mesh.

    None for other kinds, for strange numbers, and for more points than the bound.
    """
    points = _POINTS.get(source.file.rpartition('.')[2].lower())
    if points is None:
        return None
    try:
        return _extents(points(source), source.limits.mesh_points)
    except ValueError:
        return None


def _extents(points: Iterable[tuple[float, ...]], most: int) -> Optional[Vector]:
    iterator, count = iter(points), 0
    corners: list[tuple[float, ...]] = []
    while block := list(islice(iterator, _BLOCK)):
        count += len(block)
        if count > most:
            return None
        x, y, z = zip(*corners, *block)
        corners = [(min(x), min(y), min(z)), (max(x), max(y), max(z))]
    if not corners:
        return None
    x, y, z = zip(*corners)
    return x[1] - x[0], y[1] - y[0], z[1] - z[0]


def _obj_points(source: SourceFile) -> Iterable[tuple[float, ...]]:
    """Yield the vertices that lines beginning with ``v`` give."""
    for line in source.data.splitlines():
        if line.startswith(b'v '):
            yield tuple(map(float, line.split()[1:4]))


def _stl_points(source: SourceFile) -> Iterable[tuple[float, ...]]:
    """Yield the corners of all facets, of a binary file or of one in text."""
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


_POINTS: dict[str, Callable[[SourceFile], Iterable[tuple[float, ...]]]] = {
    'dae': collada_points,
    'obj': _obj_points,
    'stl': _stl_points,
}
