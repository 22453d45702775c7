# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The collision shapes of a robot, for the collision library coal."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any, NamedTuple

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.kinematics import Kinematics
from hrdf_ros.kinematics.transforms import Array, matrices
from hrdf_ros.meshes import LoadedMesh, MeshError, MeshReader, Request
from hrdf_ros.model import Box, Capsule, Cylinder, Geometry, Mesh, Sphere
from hrdf_ros.moveit.robot import UrdfRobot
import numpy as np
from numpy.typing import NDArray


class CollisionLibraryError(Exception):
    """The collision library coal is not installed."""


class _Shape(NamedTuple):
    """A shape of a link: ``pose`` is link_from_shape, ``center`` that of a sphere around it."""

    link: int
    geometry: Any
    pose: Array
    center: Array


class CollisionShapes:
    """
    The shapes of all links.

    ``links`` are the shapes by link, both by index; ``radii`` (S,) those of spheres around them
    in meters; ``unread`` are the links with a mesh that cannot be read, which is reported.
    """

    def __init__(self, robot: UrdfRobot, report: Report) -> None:
        maker = _ShapeMaker(robot, report)
        shapes = list(maker.shapes())
        self.unread = frozenset(maker.unread)
        self.links: dict[int, list[int]] = {}
        for index, shape in enumerate(shapes):
            self.links.setdefault(shape.link, []).append(index)
        self.radii = np.array([shape.geometry.aabb_radius for shape in shapes], float)
        self._coal = maker.coal
        self._geometries = [shape.geometry for shape in shapes]
        self._poses = np.array([shape.pose for shape in shapes]).reshape(-1, 4, 4)
        self._centers = np.array([shape.center for shape in shapes]).reshape(-1, 4)
        self._kinematics = Kinematics(robot.model)
        frames = {frame.name: index for index, frame in enumerate(robot.model.frames)}
        self._frames = [frames[robot.model.bodies[shape.link].name] for shape in shapes]

    def placed(self, rows: Array) -> tuple[Array, Array]:
        """Return root_from_shape (K, S, 4, 4) and the centers (K, S, 3) of the spheres."""
        links = self._kinematics.fk(rows)[:, self._frames]
        return links @ self._poses, np.einsum('ksij,sj->ksi', links, self._centers)[..., :3]

    def collide(self, a: int, b: int, poses: Array) -> bool:
        """Return whether two shapes collide at their poses, (S, 4, 4) of all shapes."""
        return bool(self._coal.collide(
            *self._pair(a, b, poses), self._coal.CollisionRequest(), self._coal.CollisionResult()))

    def distance(self, a: int, b: int, poses: Array) -> float:
        """Return the distance (m) of two shapes, 0 or less where they collide."""
        return float(self._coal.distance(
            *self._pair(a, b, poses), self._coal.DistanceRequest(), self._coal.DistanceResult()))

    def _pair(self, a: int, b: int, poses: Array) -> tuple[Any, ...]:
        place = self._coal.Transform3s
        return (
            self._geometries[a], place(poses[a, :3, :3], poses[a, :3, 3]),
            self._geometries[b], place(poses[b, :3, :3], poses[b, :3, 3]))


class _ShapeMaker:
    """Makes the shapes of the collision library; equal shapes are made once."""

    def __init__(self, robot: UrdfRobot, report: Report) -> None:
        try:
            self.coal: Any = import_module('coal')
        except ImportError as error:
            raise CollisionLibraryError(str(error)) from None
        self.unread: set[int] = set()
        self._robot = robot
        self._report = report
        self._loaded = MeshReader().read(
            Request(shape.geometry) for body in robot.model.bodies for shape in body.collisions
            if isinstance(shape.geometry, Mesh) and shape.geometry.file not in robot.meshes)
        self._made: dict[Geometry, Any] = {}

    def shapes(self) -> Iterator[_Shape]:
        """Yield the collision shapes of all links."""
        for link, body in enumerate(self._robot.model.bodies):
            for shape in body.collisions:
                error = self._loaded.get(Request(shape.geometry))
                if isinstance(error, MeshError):
                    self.unread.add(link)
                    self._report.add(
                        codes.MESH_UNREADABLE, f"the mesh of link '{body.name}' cannot be read: "
                        f'{error}; collisions of the link stay checked', shape.location)
                else:
                    geometry = self._geometry(shape.geometry)
                    pose = matrices([shape.pose])[0]
                    yield _Shape(link, geometry, pose, pose @ [*geometry.aabb_center, 1.0])

    def _geometry(self, geometry: Geometry) -> Any:
        if geometry not in self._made:
            made = self._made[geometry] = self._make(geometry)
            made.computeLocalAABB()
        return self._made[geometry]

    def _make(self, geometry: Geometry) -> Any:
        coal = self.coal
        if isinstance(geometry, Box):
            return coal.Box(*geometry.size)
        if isinstance(geometry, Sphere):
            return coal.Sphere(geometry.radius)
        if isinstance(geometry, Cylinder):
            return coal.Cylinder(geometry.radius, geometry.length)
        if isinstance(geometry, Capsule):
            return coal.Capsule(geometry.radius, geometry.length)
        assert isinstance(geometry, Mesh)  # a URDF has no other
        return self._surface(*self._triangles(geometry))

    def _triangles(self, mesh: Mesh) -> tuple[Array, NDArray[np.int_]]:
        """Return vertices (V, 3) in meters and faces (F, 3)."""
        loaded = self._loaded.get(Request(mesh))
        if isinstance(loaded, LoadedMesh):
            return (np.asarray(loaded.triangles.vertices, float),
                    np.asarray(loaded.triangles.faces, int))
        generate = self._robot.meshes[mesh.file or '']
        vertices = np.array(generate(), float).reshape(-1, 3) * mesh.scale
        return vertices, np.arange(len(vertices)).reshape(-1, 3)

    def _surface(self, vertices: Array, faces: NDArray[np.int_]) -> Any:
        coal = self.coal
        points, triangles = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
        for vertex in vertices:
            points.append(vertex)
        for corners in faces.tolist():
            triangles.append(coal.Triangle(*corners))
        surface = coal.BVHModelOBBRSS()
        surface.beginModel(len(faces), len(vertices))
        surface.addSubModel(points, triangles)
        surface.endModel()
        return surface
