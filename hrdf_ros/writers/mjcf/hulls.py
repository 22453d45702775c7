# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Find the meshes of collisions that differ from their convex hulls.

MuJoCo (4.0.1) collides with the hull of each mesh, so a hollow such as that of a ring is solid.
"""

from __future__ import annotations

from collections.abc import Iterable

from hrdf_ros import codes
from hrdf_ros.listing import GroupedDiagnostics
from hrdf_ros.meshes import MeshError, MeshReader, Request, Triangles
from hrdf_ros.model import Mesh, Model
import numpy as np

_FACES = 300
"""The most faces of a mesh that are compared with its vertices; they are spread over the mesh."""
_TOLERANCE = 1e-3
"""The depth of a hollow, as a fraction of the mesh's size, up to which a mesh is convex."""


def note_hulls(model: Model, meshes: Iterable[Mesh], notes: GroupedDiagnostics) -> None:
    """Note those meshes of collisions that are not convex, or that cannot be read."""
    answers = MeshReader().read(map(Request, meshes))
    hollow = {
        request.geometry for request, answer in answers.items()
        if isinstance(answer, MeshError) or not is_convex(answer.triangles)}
    for body in model.bodies:
        for shape in body.collisions:
            if isinstance(shape.geometry, Mesh) and shape.geometry in hollow:
                notes.add(
                    codes.DETAIL_NOT_REPRESENTABLE,
                    'MuJoCo collides with the convex hulls of meshes', shape.geometry.uri,
                    shape.location,
                    hint='where a hollow has a meaning, use several shapes that are convex')


def is_convex(surface: Triangles) -> bool:
    """Return whether no vertex of a surface (m) is in front of one of its faces."""
    corners = surface.vertices[surface.faces].astype(float)
    step = -(-len(corners) // _FACES) or 1
    some = corners[::step]
    normals = np.cross(some[:, 1] - some[:, 0], some[:, 2] - some[:, 0])
    lengths = np.linalg.norm(normals, axis=1)
    used = lengths > 0.0
    normals, points = normals[used] / lengths[used, None], some[used, 0]
    vertices = corners.reshape(-1, 3)
    if not len(vertices):
        return True
    most = _TOLERANCE * float(np.ptp(vertices, axis=0).max())
    return all(
        float((vertices @ normal).max()) - float(point @ normal) <= most
        for normal, point in zip(normals, points))
