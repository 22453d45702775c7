# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The surfaces of primitives as triangles.

Vertices are shared where a surface is smooth and repeated where it has an edge, so that a
renderer's vertex normals are right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import pi
from typing import Any, NamedTuple

from hrdf_ros.lowering.polyline import extruded, MOST_POINTS
from hrdf_ros.lowering.urdf_shapes import SHOWN_PLANE
from hrdf_ros.model import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    Ellipsoid,
    Empty,
    Geometry,
    Heightmap,
    MultiSphere,
    Plane,
    Polyline,
    Pyramid,
    Sphere,
)
from hrdf_ros.pose import Vector
import numpy as np
from numpy.typing import ArrayLike, NDArray

_AROUND = 32
"""Corners of what is drawn for a circle."""


class Triangles(NamedTuple):
    """A surface: ``vertices`` (V, 3) in meters, ``faces`` (F, 3) counterclockwise from outside."""

    vertices: NDArray[np.float32]
    faces: NDArray[np.uint32]


def surface(geometry: Geometry) -> Triangles:
    """
    Return the surface of a geometry in its own frame.

    It is empty for what is not drawn: meshes (see ``meshes``), images, outlines with too many
    points. Of a height map the box around it is drawn.
    """
    make: Callable[[Any], Triangles] = _SURFACES.get(type(geometry), _nothing)
    return make(geometry)


def joined(surfaces: Iterable[Triangles]) -> Triangles:
    """Return several surfaces as one."""
    kept = [part for part in surfaces if len(part.faces)]
    if not kept:
        return _nothing(None)
    starts = np.cumsum([0, *(len(part.vertices) for part in kept[:-1])])
    return _triangles(
        np.concatenate([part.vertices for part in kept]),
        np.concatenate([part.faces + start for part, start in zip(kept, starts)]))


def moved(part: Triangles, offset: ArrayLike, scale: ArrayLike = 1.0) -> Triangles:
    """Return a surface scaled along its axes, then moved."""
    return _triangles(part.vertices * np.asarray(scale) + np.asarray(offset), part.faces)


def unit_sphere() -> Triangles:
    """Return a sphere of radius 1."""
    return _revolved([(np.sin(a), -np.cos(a)) for a in np.linspace(0.0, pi, _AROUND // 2 + 1)])


def box(size: Vector) -> Triangles:
    """Return a box by its full extents."""
    x, y, z = (0.5 * extent for extent in size)
    corner = np.array([
        (-x, -y, -z), (x, -y, -z), (x, y, -z), (-x, y, -z),
        (-x, -y, z), (x, -y, z), (x, y, z), (-x, y, z)])
    sides = ((3, 2, 1, 0), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))
    return joined(_polygon(corner[list(side)]) for side in sides)


def _triangles(vertices: ArrayLike, faces: ArrayLike) -> Triangles:
    return Triangles(np.asarray(vertices, np.float32), np.asarray(faces, np.uint32))


def _nothing(_: object) -> Triangles:
    return _triangles(np.empty((0, 3)), np.empty((0, 3)))


def _polygon(corners: ArrayLike) -> Triangles:
    """Return a flat convex polygon as a fan."""
    points = np.asarray(corners)
    return _triangles(points, [(0, i, i + 1) for i in range(1, len(points) - 1)])


def _revolved(outline: Sequence[tuple[float, float]]) -> Triangles:
    """Return the smooth surface of an outline (radius, z), from below upwards, about z."""
    angles = np.linspace(0.0, 2.0 * pi, _AROUND, endpoint=False)
    rings = [np.column_stack((
        radius * np.cos(angles), radius * np.sin(angles), np.full(_AROUND, z)))
        for radius, z in outline]
    here = np.arange(_AROUND)
    beside = np.roll(here, -1)
    faces = []
    for ring, ((low, _), (high, _)) in enumerate(zip(outline, outline[1:])):
        below, above = ring * _AROUND, (ring + 1) * _AROUND
        if low > 0.0:
            faces.append(np.column_stack((below + here, below + beside, above + beside)))
        if high > 0.0:
            faces.append(np.column_stack((below + here, above + beside, above + here)))
    return _triangles(np.concatenate(rings), np.concatenate(faces))


def _disc(radius: float, z: float, up: bool) -> Triangles:
    angles = np.linspace(0.0, 2.0 * pi, _AROUND, endpoint=False)
    points = np.column_stack((
        radius * np.cos(angles), radius * np.sin(angles), np.full(_AROUND, z)))
    return _polygon(points if up else points[::-1])


def _sphere(sphere: Sphere) -> Triangles:
    return moved(unit_sphere(), 0.0, sphere.radius)


def _ellipsoid(ellipsoid: Ellipsoid) -> Triangles:
    return moved(unit_sphere(), 0.0, ellipsoid.radii)


def _cylinder(cylinder: Cylinder) -> Triangles:
    radius, end = cylinder.radius, 0.5 * cylinder.length
    return joined((
        _revolved(((radius, -end), (radius, end))),
        _disc(radius, -end, False), _disc(radius, end, True)))


def _capsule(capsule: Capsule) -> Triangles:
    radius, end = capsule.radius, 0.5 * capsule.length
    quarter = np.linspace(0.0, 0.5 * pi, _AROUND // 4 + 1)
    below = [(radius * np.sin(a), -end - radius * np.cos(a)) for a in quarter]
    return _revolved([*below, *((r, -z) for r, z in reversed(below))])


def _cone(cone: Cone) -> Triangles:
    end = 0.5 * cone.length
    return joined((
        _revolved(((cone.radius, -end), (0.0, end))), _disc(cone.radius, -end, False)))


def _pyramid(pyramid: Pyramid) -> Triangles:
    x, y, z = 0.5 * pyramid.width, 0.5 * pyramid.depth, 0.5 * pyramid.height
    base = [(-x, -y, -z), (x, -y, -z), (x, y, -z), (-x, y, -z)]
    tip = (0.0, 0.0, z)
    return joined((
        _polygon(base[::-1]),
        *(_polygon((a, b, tip)) for a, b in zip(base, (*base[1:], base[0])))))


def _multi_sphere(multi: MultiSphere) -> Triangles:
    return joined(moved(unit_sphere(), center, radius) for radius, center in multi.spheres)


def _plane(plane: Plane) -> Triangles:
    width, depth = plane.size or SHOWN_PLANE
    normal = np.asarray(plane.normal) / np.linalg.norm(plane.normal)
    across = np.cross((0.0, 1.0, 0.0) if abs(normal[1]) < 0.9 else (0.0, 0.0, 1.0), normal)
    across /= np.linalg.norm(across)
    along = np.cross(normal, across)
    center = plane.offset * normal
    corners = [center + 0.5 * (i * width * across + j * depth * along)
               for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return _polygon(corners)


def _polyline(polyline: Polyline) -> Triangles:
    if sum(map(len, polyline.lines)) > MOST_POINTS:
        return _nothing(polyline)
    corners = np.array(extruded(polyline), np.float32).reshape(-1, 3)
    return _triangles(corners, np.arange(len(corners)).reshape(-1, 3))


def _heightmap(heightmap: Heightmap) -> Triangles:
    return moved(box(heightmap.size), heightmap.position)


_SURFACES: dict[type, Callable[[Any], Triangles]] = {
    Box: lambda shape: box(shape.size),
    Sphere: _sphere,
    Cylinder: _cylinder,
    Capsule: _capsule,
    Cone: _cone,
    Ellipsoid: _ellipsoid,
    Pyramid: _pyramid,
    MultiSphere: _multi_sphere,
    Plane: _plane,
    Polyline: _polyline,
    Heightmap: _heightmap,
    Empty: _nothing,
}
