# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Make the surfaces of primitives as triangles.

Vertices are shared where a surface is smooth and repeated where it has an edge, so that a
renderer's vertex normals are right.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from hrdf_ros.limits import POLYLINE_POINTS
from hrdf_ros.lowering.shape_lowering import SHOWN_PLANE
from hrdf_ros.lowering.solids import extruded, TooManyCrossings
from hrdf_ros.model import shapes
from hrdf_ros.pose import Vector
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

    The surface is empty for a geometry that is not drawn: a mesh file, an image, an outline of too
    many points. A height map is drawn as its bounding box.
    """
    make = _SURFACES.get(type(geometry))
    return triangles((), ()) if make is None else make(import_module('trimesh.creation'), geometry)


def _smooth(mesh: Any, scale: ArrayLike = 1.0) -> Triangles:
    """Return a mesh of trimesh without edges, scaled along its axes."""
    return triangles(mesh.vertices * np.asarray(scale), mesh.faces)


def _edged(mesh: Any, lowered: float = 0.0) -> Triangles:
    """Return a mesh whose caps, which are perpendicular to z, share no vertex with its sides."""
    cap = np.rint(mesh.face_normals[:, 2]).astype(int)
    corners = np.column_stack((mesh.faces.ravel(), np.repeat(cap, 3)))
    kept, faces = np.unique(corners, axis=0, return_inverse=True)
    return triangles(mesh.vertices[kept[:, 0]] - (0.0, 0.0, lowered), faces)


def _flat(corners: ArrayLike, center: ArrayLike = 0.0) -> Triangles:
    """Return triangles (F, 3, 3) that share no vertex."""
    points = np.asarray(corners, float).reshape(-1, 3) + center
    return triangles(points, np.arange(len(points)))


def _pyramid(pyramid: shapes.Pyramid) -> Triangles:
    half = 0.5 * np.array([pyramid.width, pyramid.depth, pyramid.height])
    a, b, c, d = half * ((-1, -1, -1), (1, -1, -1), (1, 1, -1), (-1, 1, -1))
    tip = half * (0, 0, 1)
    return _flat(((a, c, b), (a, d, c), (a, b, tip), (b, c, tip), (c, d, tip), (d, a, tip)))


def _spheres(ball: Any, spheres: Sequence[tuple[float, Vector]]) -> Triangles:
    count = np.arange(len(spheres))[:, None, None] * len(ball.vertices)
    return triangles(
        [ball.vertices * radius + center for radius, center in spheres], ball.faces + count)


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
        return triangles((), ())
    try:
        return _flat(extruded(polyline))
    except TooManyCrossings:
        return triangles((), ())


_SURFACES: dict[type, Callable[[Any, Any], Triangles]] = {
    shapes.Box: lambda make, box: _flat(make.box(box.size).triangles),
    shapes.Sphere: lambda make, sphere: _smooth(make.icosphere(3), sphere.radius),
    shapes.Cylinder: lambda make, each: _edged(make.cylinder(each.radius, each.length)),
    shapes.Capsule: lambda make, each: _smooth(
        make.capsule(each.length, each.radius, count=(32, 16))),
    shapes.Cone: lambda make, cone: _edged(make.cone(cone.radius, cone.length), 0.5 * cone.length),
    shapes.Ellipsoid: lambda make, ellipsoid: _smooth(make.icosphere(3), ellipsoid.radii),
    shapes.Pyramid: lambda make, pyramid: _pyramid(pyramid),
    shapes.MultiSphere: lambda make, multi: _spheres(make.icosphere(3), multi.spheres),
    shapes.Plane: lambda make, plane: _plane(plane),
    shapes.Polyline: lambda make, polyline: _polyline(polyline),
    shapes.Heightmap: lambda make, field: _flat(make.box(field.size).triangles, field.position),
}
