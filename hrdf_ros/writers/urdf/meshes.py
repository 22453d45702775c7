# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Where URDF finds meshes, and the meshes generated for shapes that URDF does not have."""

from __future__ import annotations

from collections.abc import Iterable
import math
import os
import struct
from typing import NamedTuple, Optional
from urllib.parse import quote

from hrdf_ros.model import Mesh
from hrdf_ros.pose import Vector
from hrdf_ros.resolve import Resolver

Triangle = tuple[Vector, Vector, Vector]

_ROUND = 32
"""Segments of a circle."""


class MeshOptions(NamedTuple):
    """
    How meshes are named, and where generated ones are written.

    ``relative_to`` is the directory that paths are relative to, ``directory`` the one for
    generated meshes; None is not wanted.
    """

    resolver: Resolver
    relative_to: Optional[str] = None
    directory: Optional[str] = None


def mesh_uri(mesh: Mesh, options: MeshOptions) -> str:
    """Return the uri that a URDF names a mesh by; one that nobody found stays as written."""
    if mesh.file is None or mesh.uri.startswith('package://'):
        return mesh.uri
    return file_uri(mesh.file, options)


def file_uri(file: str, options: MeshOptions) -> str:
    """Return a path where relative ones are wanted, else ``package://``, else ``file://``."""
    if options.relative_to is not None:
        return os.path.relpath(file, options.relative_to)
    return options.resolver.package_uri(file) or f'file://{quote(os.path.abspath(file))}'


def write_mesh(name: str, triangles: Iterable[Triangle], options: MeshOptions) -> str:
    """Write a binary STL file into the directory for generated meshes and return its uri."""
    assert options.directory is not None
    os.makedirs(options.directory, exist_ok=True)
    file = os.path.join(options.directory, name)
    with open(file, 'wb') as stream:
        stream.write(_stl(tuple(triangles)))
    return file_uri(file, options)


def _stl(triangles: tuple[Triangle, ...]) -> bytes:
    """Return a binary STL: header, count, then normal, corners and attributes of each."""
    parts = [b'\0' * 80, struct.pack('<I', len(triangles))]
    for corners in triangles:
        values = [*_normal(corners), *corners[0], *corners[1], *corners[2]]
        parts.append(struct.pack('<12fH', *values, 0))
    return b''.join(parts)


def _normal(corners: Triangle) -> Vector:
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = corners
    ux, uy, uz, vx, vy, vz = bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az
    x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    length = math.hypot(x, y, z) or 1.0
    return x / length, y / length, z / length


def unit_sphere() -> list[Triangle]:
    """Return a sphere of radius 1; scaled, it is any ellipsoid."""
    rings = _ROUND // 2
    profile = [
        (math.sin(math.pi * row / rings), -math.cos(math.pi * row / rings))
        for row in range(rings + 1)]
    return _turned(profile)


def unit_cone() -> list[Triangle]:
    """Return a cone of radius 1 and length 1, centred, its tip up."""
    return _turned([(0.0, -0.5), (1.0, -0.5), (0.0, 0.5)])


def unit_pyramid() -> list[Triangle]:
    """Return a pyramid of height 1 on a square of side 1, centred, its tip up."""
    base = [(0.5, 0.5, -0.5), (-0.5, 0.5, -0.5), (-0.5, -0.5, -0.5), (0.5, -0.5, -0.5)]
    sides = [(base[i], base[(i + 1) % 4], (0.0, 0.0, 0.5)) for i in range(4)]
    return [*sides, (base[0], base[2], base[1]), (base[0], base[3], base[2])]


def _turned(profile: list[tuple[float, float]]) -> list[Triangle]:
    """Return what a profile of (radius, height), from bottom to top, sweeps about z."""
    angles = [2.0 * math.pi * column / _ROUND for column in range(_ROUND)]
    circle = [(math.cos(angle), math.sin(angle)) for angle in angles]
    triangles = []
    for (r, low), (s, high) in zip(profile, profile[1:]):
        for column in range(_ROUND):
            (c, d), (e, f) = circle[column], circle[(column + 1) % _ROUND]
            a, b = (r * c, r * d, low), (r * e, r * f, low)
            g, h = (s * e, s * f, high), (s * c, s * d, high)
            triangles += [(a, b, g)] if r > _POINT else []
            triangles += [(a, g, h)] if s > _POINT else []
    return triangles


_POINT = 1e-12
"""The radius below which a circle is a point."""
