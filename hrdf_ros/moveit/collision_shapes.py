# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The collision shapes of a robot, and distances between its links, by the library coal."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from itertools import product
from typing import Any, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.kinematics import Kinematics
from hrdf_ros.kinematics.transforms import Array, matrices
from hrdf_ros.meshes import MeshError, MeshReader, Request, Triangles
from hrdf_ros.meshes.primitives import triangles
from hrdf_ros.model import Box, Capsule, Cylinder, Geometry, Mesh, Shape, Sphere
from hrdf_ros.moveit.robot import LinkPair, UrdfRobot
from hrdf_ros.pose import Pose
import numpy as np
from numpy.typing import NDArray

_PAIRS_AT_ONCE = 2048
"""
The number of pairs of shapes whose gaps are computed together; all pairs at once take three times
as long.
"""


class CollisionLibraryError(Exception):
    """The collision library coal is not installed."""


class CollisionShapes:
    """
    The shapes of all links; equal shapes are made once.

    ``links`` has the shapes of each link, both by index. ``radii`` (S,) are the radii (m) of
    spheres around the shapes. ``unread`` are the links with a mesh that cannot be read, which is
    reported.
    """

    def __init__(self, robot: UrdfRobot, report: Report) -> None:
        try:
            self._coal: Any = import_module('coal')
        except ImportError as error:
            raise CollisionLibraryError(str(error)) from None
        self.links: dict[int, list[int]] = {}
        self.unread: set[int] = set()
        made: dict[Geometry, Any] = {}
        self._geometries: list[Any] = []
        hulls: dict[Geometry, Any] = {}
        self._hulls: list[Any] = []
        self._frames: list[int] = []
        poses: list[Pose] = []
        frames = {frame.name: index for index, frame in enumerate(robot.model.frames)}
        for link, shape, read in self._read(robot, report):
            if shape.geometry not in made:
                made[shape.geometry] = self._make(shape.geometry, read)
                made[shape.geometry].computeLocalAABB()
                hulls[shape.geometry] = self._hull(made[shape.geometry])
            self.links.setdefault(link, []).append(len(poses))
            self._geometries.append(made[shape.geometry])
            self._hulls.append(hulls[shape.geometry])
            self._frames.append(frames[robot.model.bodies[link].name])
            poses.append(shape.pose)
        centers = np.array([each.aabb_center for each in self._geometries]).reshape(-1, 3, 1)
        self.radii = np.array([each.aabb_radius for each in self._geometries], float)
        self._poses = matrices(poses)
        self._centers = self._poses @ np.append(centers, np.ones((len(poses), 1, 1)), axis=1)
        self._kinematics = Kinematics(robot.model)

    def placed(self, rows: Array) -> tuple[Array, Array]:
        """Return root_from_shape (K, S, 4, 4), and the centers (K, S, 3) of the spheres."""
        links = self._kinematics.fk(rows)[:, self._frames]
        return links @ self._poses, (links @ self._centers)[..., :3, 0]

    # ---- pairs of links

    def _shape_pairs(self, pair: LinkPair) -> Iterator[tuple[int, int]]:
        first, second = (self.links[link] for link in pair)
        return product(first, second)

    def distance(self, pair: LinkPair, row: Array) -> float:
        """Return the distance (m) between two links in a configuration (n,)."""
        return self.placed_distance(pair, self.placed(row[None])[0][0])

    def placed_distance(self, pair: LinkPair, poses: Array, below: float = np.inf) -> float:
        """Return the distance (m) between two links, or ``below`` if it is not smaller."""
        for a, b in self._shape_pairs(pair):
            below = min(below, self._distance(a, b, poses, below))
        return below

    def gaps(self, pairs: list[LinkPair], centers: Array) -> tuple[Array, Array]:
        """
        Return the gaps (m) between spheres, and the least gap of each pair of links.

        The first are (K, pairs of shapes), the second (K, pairs).
        """
        candidates = [(index, a, b) for index, pair in enumerate(pairs)
                      for a, b in self._shape_pairs(pair)]
        owners, *sides = np.array(candidates, int).T
        gaps = _gaps(centers, self.radii, *sides)
        starts = np.flatnonzero(np.diff(owners, prepend=-1))
        return gaps, np.minimum.reduceat(gaps, starts, axis=1)

    def hits(self, pairs: list[LinkPair], rows: Array) -> Iterator[tuple[LinkPair, int]]:
        """Yield each pair that collides, and the first configuration in which it does."""
        if pairs:
            poses, centers = self.placed(rows)
            yield from self.placed_hits(pairs, poses, self.gaps(pairs, centers)[0])

    def placed_hits(
        self, pairs: list[LinkPair], poses: Array, gaps: Array,
    ) -> Iterator[tuple[LinkPair, int]]:
        candidates = [(pair, a, b) for pair in pairs for a, b in self._shape_pairs(pair)]
        done: set[LinkPair] = set()
        for sample, candidate in np.argwhere(gaps <= 0.0).tolist():
            pair, a, b = candidates[candidate]
            if pair not in done and self._collide(a, b, poses[sample]):
                done.add(pair)
                yield pair, sample

    # ---- pairs of shapes

    def _collide(self, a: int, b: int, poses: Array) -> bool:
        """Return whether two shapes collide at the poses (S, 4, 4) of all shapes."""
        return self._hull_distance(a, b, poses) <= 0.0 and bool(self._coal.collide(
            *self._pair(self._geometries, a, b, poses),
            self._coal.CollisionRequest(), self._coal.CollisionResult()))

    def _distance(self, a: int, b: int, poses: Array, below: float = np.inf) -> float:
        """
        Return the distance (m) between two shapes, which is 0 or less if they collide.

        If it is not smaller than ``below``, the result is ``below``, and most of the work is left
        out.
        """
        if self._hull_distance(a, b, poses) >= below:
            return below
        result = self._coal.DistanceResult()
        result.min_distance = min(below, result.min_distance)
        return min(below, float(self._coal.distance(
            *self._pair(self._geometries, a, b, poses), self._coal.DistanceRequest(), result)))

    def _hull_distance(self, a: int, b: int, poses: Array) -> float:
        """Return the distance (m) between two convex hulls, never more than between the shapes."""
        return float(self._coal.distance(
            *self._pair(self._hulls, a, b, poses), self._coal.DistanceRequest(),
            self._coal.DistanceResult()))

    def _pair(self, shapes: list[Any], a: int, b: int, poses: Array) -> tuple[Any, ...]:
        place = self._coal.Transform3s
        return (
            shapes[a], place(poses[a, :3, :3], poses[a, :3, 3]),
            shapes[b], place(poses[b, :3, :3], poses[b, :3, 3]))

    def _read(
        self, robot: UrdfRobot, report: Report,
    ) -> Iterator[tuple[int, Shape, Optional[Triangles]]]:
        """Yield each link with its shapes, and the surfaces of those that are meshes."""
        shapes = [(link, shape) for link, body in enumerate(robot.model.bodies)
                  for shape in body.collisions]
        loaded = MeshReader().read(
            Request(shape.geometry) for _, shape in shapes
            if isinstance(shape.geometry, Mesh) and shape.geometry.file not in robot.meshes)
        for link, shape in shapes:
            found = loaded.get(Request(shape.geometry))
            if isinstance(found, MeshError):
                self.unread.add(link)
                report.add(
                    codes.MESH_UNREADABLE, f"the mesh of link '{robot.model.bodies[link].name}' "
                    f'cannot be read: {found}; collisions of the link stay checked',
                    shape.location)
            elif found is None and isinstance(shape.geometry, Mesh):  # made for the URDF
                corners = np.array(robot.meshes[shape.geometry.file or '']()).reshape(-1, 3)
                yield link, shape, triangles(
                    corners * shape.geometry.scale, np.arange(len(corners)))
            else:
                yield link, shape, None if found is None else found.triangles

    def _make(self, geometry: Geometry, read: Optional[Triangles]) -> Any:
        coal = self._coal
        if isinstance(geometry, Box):
            return coal.Box(*geometry.size)
        if isinstance(geometry, Sphere):
            return coal.Sphere(geometry.radius)
        if isinstance(geometry, (Cylinder, Capsule)):
            return getattr(coal, type(geometry).__name__)(geometry.radius, geometry.length)
        assert read is not None  # a URDF has no other shape
        points, faces = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
        for vertex in np.asarray(read.vertices, float):
            points.append(vertex)
        for corners in read.faces.tolist():
            faces.append(coal.Triangle(*corners))
        surface = coal.BVHModelOBBRSS()
        surface.beginModel(len(faces), len(points))
        surface.addSubModel(points, faces)
        surface.endModel()
        return surface

    def _hull(self, shape: Any) -> Any:
        """Return the convex hull of a shape, or the shape if it is convex or flat."""
        if not isinstance(shape, self._coal.BVHModelOBBRSS):
            return shape
        try:
            shape.buildConvexHull(True, 'Qt')
        except (RuntimeError, ValueError):  # of Qhull and coal: it is flat, or a triangle
            return shape
        return shape.convex


def _gaps(
    centers: Array, radii: Array, first: NDArray[np.int_], second: NDArray[np.int_],
) -> Array:
    """Return the gaps (K, pairs), in meters, between the spheres of pairs of shapes."""
    result = np.empty((len(centers), len(first)))
    for start in range(0, len(first), _PAIRS_AT_ONCE):  # all at once take longer
        a, b = (side[start:start + _PAIRS_AT_ONCE] for side in (first, second))
        between = centers[:, a] - centers[:, b]
        result[:, start:start + len(a)] = np.linalg.norm(between, axis=2) - (radii[a] + radii[b])
    return result
