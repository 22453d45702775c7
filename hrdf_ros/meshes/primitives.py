# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The surfaces of primitives as triangles.

Vertices are shared where a surface is smooth and repeated where it has an edge, so that a
renderer's vertex normals are right.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from hrdf_ros.limits import POLYLINE_POINTS
from hrdf_ros.lowering.shapes import SHOWN_PLANE
from hrdf_ros.lowering.solids import extruded, TooManyCrossings
from hrdf_ros.model import shapes
import numpy as np
from numpy.typing import ArrayLike, NDArray


class Triangles(NamedTuple):
    """A surface: ``vertices`` (V, 3) in meters, ``faces`` (F, 3) counterclockwise from outside."""

    vertices: NDArray[np.float32]
    faces: NDArray[np.uint32]


def triangles(vertices: ArrayLike, faces: ArrayLike) -> Triangles:
    """Return a surface in the types that a renderer requires."""
    return Triangles(
        np.asarray(vertices, np.float32).reshape(-1, 3),
        np.asarray(faces, np.uint32).reshape(-1, 3))


def surface(geometry: shapes.Geometry) -> Triangles:
    """
    Return the surface of a geometry in its own frame.

    It is empty for geometry that is not drawn: mesh files, images, outlines with too many points.
    A height map is drawn as its bounding box.
    """
    make: Callable[[Any], Triangles] = _SURFACES.get(type(geometry), _nothing)
    return make(geometry)


def _nothing(_: object) -> Triangles:
    return triangles((), ())


def _smooth(mesh: Any, scale: ArrayLike = 1.0) -> Triangles:
    """Return a mesh of trimesh without edges, scaled along its axes."""
    return triangles(mesh.vertices * np.asarray(scale), mesh.faces)


def _edged(mesh: Any) -> Triangles:
    """Return a mesh whose caps, the faces across z, share no vertex with its sides."""
    cap = np.rint(mesh.face_normals[:, 2]).astype(int)
    corners = np.column_stack((mesh.faces.ravel(), np.repeat(cap, 3)))
    kept, faces = np.unique(corners, axis=0, return_inverse=True)
    return triangles(mesh.vertices[kept[:, 0]], faces)


def _flat(corners: ArrayLike) -> Triangles:
    """Return triangles (F, 3, 3) that share no vertex."""
    points = np.asarray(corners, float).reshape(-1, 3)
    return triangles(points, np.arange(len(points)))


def _creation() -> Any:
    return import_module('trimesh.creation')


def _box(box: shapes.Box) -> Triangles:
    mesh = _creation().box(box.size)
    return _flat(mesh.vertices[mesh.faces])


def _sphere(sphere: shapes.Sphere) -> Triangles:
    return _smooth(_creation().icosphere(3), sphere.radius)


def _ellipsoid(ellipsoid: shapes.Ellipsoid) -> Triangles:
    return _smooth(_creation().icosphere(3), ellipsoid.radii)


def _cylinder(cylinder: shapes.Cylinder) -> Triangles:
    return _edged(_creation().cylinder(cylinder.radius, cylinder.length))


def _capsule(capsule: shapes.Capsule) -> Triangles:
    return _smooth(_creation().capsule(capsule.length, capsule.radius, count=(32, 16)))


def _cone(cone: shapes.Cone) -> Triangles:
    mesh = _creation().cone(cone.radius, cone.length)
    mesh.vertices[:, 2] -= 0.5 * cone.length
    return _edged(mesh)


def _pyramid(pyramid: shapes.Pyramid) -> Triangles:
    half = 0.5 * np.array([pyramid.width, pyramid.depth, pyramid.height])
    a, b, c, d = half * ((-1, -1, -1), (1, -1, -1), (1, 1, -1), (-1, 1, -1))
    tip = half * (0, 0, 1)
    return _flat(((a, c, b), (a, d, c), (a, b, tip), (b, c, tip), (c, d, tip), (d, a, tip)))


def _multi_sphere(multi: shapes.MultiSphere) -> Triangles:
    ball = _creation().icosphere(3)
    count = np.arange(len(multi.spheres))[:, None, None] * len(ball.vertices)
    return triangles(
        [ball.vertices * radius + center for radius, center in multi.spheres],
        ball.faces + count)


def _plane(plane: shapes.Plane) -> Triangles:
    width, depth = plane.size or SHOWN_PLANE
    normal = np.asarray(plane.normal) / np.linalg.norm(plane.normal)
    across = np.cross((0.0, 1.0, 0.0) if abs(normal[1]) < 0.9 else (0.0, 0.0, 1.0), normal)
    across /= np.linalg.norm(across)
    along = np.cross(normal, across)
    corners = [plane.offset * normal + 0.5 * (i * width * across + j * depth * along)
               for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return triangles(corners, ((0, 1, 2), (0, 2, 3)))


def _polyline(polyline: shapes.Polyline) -> Triangles:
    if sum(map(len, polyline.lines)) > POLYLINE_POINTS:
        return _nothing(polyline)
    try:
        return _flat(extruded(polyline))
    except TooManyCrossings:
        return _nothing(polyline)


def _heightmap(heightmap: shapes.Heightmap) -> Triangles:
    bounds = _box(shapes.Box(heightmap.size))
    return triangles(bounds.vertices + np.asarray(heightmap.position), bounds.faces)


_SURFACES: dict[type, Callable[[Any], Triangles]] = {
    shapes.Box: _box,
    shapes.Sphere: _sphere,
    shapes.Cylinder: _cylinder,
    shapes.Capsule: _capsule,
    shapes.Cone: _cone,
    shapes.Ellipsoid: _ellipsoid,
    shapes.Pyramid: _pyramid,
    shapes.MultiSphere: _multi_sphere,
    shapes.Plane: _plane,
    shapes.Polyline: _polyline,
    shapes.Heightmap: _heightmap,
}
