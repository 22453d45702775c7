# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The extents of mesh files: all that DART's inertia of a mesh depends on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import islice
import math
import struct
from typing import Optional

from hrdf_ros.diagnostics import Report
from hrdf_ros.document import parse, SourceFile, XmlElement
from hrdf_ros.pose import from_axis_angle, to_matrix, Vector
from hrdf_ros.resolve import Resolver

Affine = tuple[tuple[float, float, float, float], ...]
"""The upper three rows of a transform that may scale."""

Point = tuple[float, float, float]


def collada_points(source: SourceFile) -> Iterator[Point]:
    """Yield the points of all geometries in the scene; raise ValueError for strange numbers."""
    root = parse(source, Report())
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


_BLOCK = 1 << 16
_STL_HEADER = 84
_STL_FACET = 50


class Meshes:
    """Measures the mesh files of one load, each of them once."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._extents: dict[str, Optional[Vector]] = {}

    def extents(self, file: str) -> Optional[Vector]:
        """Return the size of the box around a mesh, None where it cannot be read or measured."""
        if file not in self._extents:
            source = self._resolver.read(file, Report())
            self._extents[file] = None if source is None else mesh_extents(source)
        return self._extents[file]


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
