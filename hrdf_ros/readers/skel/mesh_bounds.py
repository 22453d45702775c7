# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The extents of mesh files: all that DART's inertia of a mesh depends on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
import struct
from typing import Optional

from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceFile
from hrdf_ros.pose import Vector
from hrdf_ros.readers.skel.collada import collada_points
from hrdf_ros.resolve import Resolver

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
