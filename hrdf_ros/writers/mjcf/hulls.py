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
"""The most faces of a mesh that are compared with its hull; they are spread over the mesh."""
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
    """
    Return whether the centers of faces are on the hull of a surface (m).

    The depth of a point below the hull is the least of its distances from the planes that touch
    the hull. The planes here are those parallel to the faces, so a hollow is never overlooked at
    the faces that are compared.
    """
    corners = surface.vertices[surface.faces].astype(float)
    step = -(-len(corners) // _FACES) or 1
    some = corners[::step]
    normals = np.cross(some[:, 1] - some[:, 0], some[:, 2] - some[:, 0])
    lengths = np.linalg.norm(normals, axis=1)
    used = lengths > 0.0
    if not used.any():
        return True
    outward = normals[used] / lengths[used, None]
    directions = np.concatenate((outward, -outward))
    vertices = corners.reshape(-1, 3)
    reach = np.array([(vertices @ direction).max() for direction in directions])
    depths = (reach - some[used].mean(axis=1) @ directions.T).min(axis=1)
    return float(depths.max()) <= _TOLERANCE * float(np.ptp(vertices, axis=0).max())
