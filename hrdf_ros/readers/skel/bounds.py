# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The extents of a mesh file: all that DART's inertia of a mesh depends on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
import struct
from typing import Optional

from hrdf_ros.document import Source
from hrdf_ros.pose import Vector
from hrdf_ros.readers.skel.collada import collada_points

MAX_POINTS = 1 << 21
"""Points that a mesh may have, however often a scene repeats them."""

_BLOCK = 1 << 16
_STL_HEADER = 84
_STL_FACET = 50


def mesh_extents(source: Source) -> Optional[Vector]:
    """
    Return the size of the box around a Wavefront, STL or Collada mesh.

    None for other kinds, for strange numbers, and for more points than the bound.
    """
    points = _POINTS.get(source.file.rpartition('.')[2].lower())
    if points is None:
        return None
    try:
        return _extents(points(source))
    except ValueError:
        return None


def _extents(points: Iterable[tuple[float, ...]]) -> Optional[Vector]:
    iterator = iter(points)
    corners: list[tuple[float, ...]] = []
    for _ in range(MAX_POINTS // _BLOCK + 1):
        columns = list(zip(*corners, *islice(iterator, _BLOCK)))
        if not columns:
            return None
        x, y, z = columns
        if len(x) == len(corners):
            return max(x) - min(x), max(y) - min(y), max(z) - min(z)
        corners = [(min(x), min(y), min(z)), (max(x), max(y), max(z))]
    return None


def _obj_points(source: Source) -> Iterable[tuple[float, ...]]:
    """Yield the vertices that lines beginning with ``v`` give."""
    for line in source.data.splitlines():
        if line.startswith(b'v '):
            yield tuple(map(float, line.split()[1:4]))


def _stl_points(source: Source) -> Iterable[tuple[float, ...]]:
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


_POINTS: dict[str, Callable[[Source], Iterable[tuple[float, ...]]]] = {
    'dae': collada_points,
    'obj': _obj_points,
    'stl': _stl_points,
}
