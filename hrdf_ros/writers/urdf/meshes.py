# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""How a URDF names meshes and textures, and the meshes that stand for other shapes."""

from __future__ import annotations

import math
import os
import struct
from typing import NamedTuple, Optional
from urllib.parse import quote

from hrdf_ros.file_writer import write_below
from hrdf_ros.lowering import GeneratedMesh, Triangle
from hrdf_ros.pose import Vector
from hrdf_ros.resolve import Resolver


class UrdfOptions(NamedTuple):
    """How files are named, ``relative_to`` a directory or None for URIs; the version of URDF."""

    resolver: Resolver
    relative_to: Optional[str]
    version: str


def written_uri(uri: str, file: Optional[str], options: UrdfOptions) -> str:
    """Return the uri that a URDF names a file by; that of one not found stays as written."""
    if file is None or uri.startswith('package://'):
        return uri
    return file_uri(file, options)


def file_uri(file: str, options: UrdfOptions) -> str:
    """Return a path where relative ones are wanted, else ``package://``, else ``file://``."""
    if options.relative_to is not None:
        return os.path.relpath(file, options.relative_to)
    return options.resolver.packages.uri(file) or f'file://{quote(os.path.abspath(file))}'


def write_mesh(mesh: GeneratedMesh) -> None:
    """Write a mesh as a binary STL file, its directory too; neither may be a symbolic link."""
    folder, name = os.path.split(mesh.file)
    above, folder = os.path.split(folder)
    write_below(above, f'{folder}/{name}', _stl(tuple(mesh.triangles())))


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
