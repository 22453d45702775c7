# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Compute mass and inertia of links that have none, from their shapes and a density."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.inertia import (
    box,
    capsule,
    combine,
    cylinder,
    ellipsoid,
    from_tensor,
    Inertia,
    Solid,
    sphere,
)
from hrdf_ros.listing import GroupedDiagnostics
from hrdf_ros.meshes.files import MeshError
from hrdf_ros.meshes.primitives import surface, Triangles
from hrdf_ros.meshes.reader import MeshReader, Request
from hrdf_ros.model import (
    Body,
    Box,
    Capsule,
    Cone,
    Cylinder,
    Ellipsoid,
    Geometry,
    Mesh,
    Model,
    Polyline,
    Pyramid,
    Shape,
    Sphere,
)
from hrdf_ros.pose import compose, translation
import numpy as np

_LEAST = 1e-12
"""The volume in cubic meters below which a mesh is not a solid."""
_SURFACES = (Cone, Mesh, Polyline, Pyramid)
"""The geometries that are measured by their surface."""


def with_inertia_of_shapes(model: Model, density: float, notes: GroupedDiagnostics) -> Model:
    """
    Return the Model in which links without mass have the mass and inertia of their shapes.

    The shapes are the collisions of a link, else its visuals, each a solid of the ``density``
    (kg/m^3); overlaps count twice. A mesh that is not closed counts as the box around it. Static
    links and those with a mass keep what they have.
    """
    lacking = [
        index for index, body in enumerate(model.bodies)
        if not body.static and (body.inertia is None or body.inertia.mass == 0.0)]
    shapes = {index: model.bodies[index].collisions or model.bodies[index].visuals
              for index in lacking}
    loaded = _loaded(shape for found in shapes.values() for shape in found)
    bodies = list(model.bodies)
    for index, found in shapes.items():
        body = bodies[index]
        parts = [
            part for shape in found
            if (part := _inertia(shape, body, density, loaded, notes)) is not None]
        if parts:
            bodies[index] = body._replace(
                inertia=(parts[0] if len(parts) == 1 else combine(parts))._replace(
                    location=body.location))
    changed = [new for new, old in zip(bodies, model.bodies) if new is not old]
    notes.about(
        codes.INERTIA_FROM_SHAPES,
        f'these links have the mass and inertia of their shapes, of {density:g} kg/m^3', *changed)
    return model if not changed else model._replace(bodies=tuple(bodies))


def _loaded(shapes: Iterable[Shape]) -> Mapping[Geometry, Triangles | MeshError]:
    """Return the surface of each mesh, or the reason why there is none."""
    answers = MeshReader().read(
        Request(shape.geometry) for shape in shapes if isinstance(shape.geometry, Mesh))
    return {
        request.geometry: answer if isinstance(answer, MeshError) else answer.triangles
        for request, answer in answers.items()}


def _inertia(
    shape: Shape, body: Body, density: float, loaded: Mapping[Geometry, Triangles | MeshError],
    notes: GroupedDiagnostics,
) -> Optional[Inertia]:
    """Return the inertia of one shape in the frame of the body, or None if it has no volume."""
    geometry = shape.geometry
    solid = _solid(geometry)
    if solid is not None:
        mass = density * solid.volume
        return solid.with_mass(mass, shape.pose) if mass > 0.0 else None
    if not isinstance(geometry, _SURFACES):
        return None
    found = loaded[geometry] if isinstance(geometry, Mesh) else surface(geometry)
    if isinstance(found, MeshError):
        notes.add(
            codes.INERTIA_NOT_REPRESENTABLE, f'a mesh has no volume: {found}', body.name,
            shape.location or body.location)
        return None
    measured, is_closed = _of_surface(found, density)
    if measured is None:
        notes.add(
            codes.INERTIA_NOT_REPRESENTABLE,
            'a shape has no volume: it is flat, or cannot be drawn',
            body.name, shape.location or body.location)
        return None
    if not is_closed:
        notes.add(
            codes.INERTIA_FROM_SHAPES, 'meshes that are not closed count as the box around them',
            body.name, shape.location or body.location)
    return measured._replace(pose=compose(shape.pose, measured.pose))


def _solid(geometry: Geometry) -> Optional[Solid]:
    """Return a primitive as a Solid, or None for other geometries."""
    if isinstance(geometry, Box):
        return box(*geometry.size)
    if isinstance(geometry, Sphere):
        return sphere(geometry.radius)
    if isinstance(geometry, Cylinder):
        return cylinder(geometry.radius, geometry.length)
    if isinstance(geometry, Capsule):
        return capsule(geometry.radius, geometry.length)
    return ellipsoid(*geometry.radii) if isinstance(geometry, Ellipsoid) else None


def _of_surface(found: Triangles, density: float) -> tuple[Optional[Inertia], bool]:
    """
    Return the inertia inside a surface, and whether the surface is closed.

    A surface that is open, or encloses less than _LEAST, counts as the box around it.
    """
    corners = np.asarray(found.vertices, np.float64)[np.asarray(found.faces)]
    if not len(corners):
        return None, True
    low, high = corners.min((0, 1)), corners.max((0, 1))
    edges = np.sort(np.asarray(_welded(found))[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    is_closed = bool((np.unique(edges, axis=0, return_counts=True)[1] % 2 == 0).all())
    middle = (low + high) / 2.0
    a, b, c = (corners[:, index] - middle for index in range(3))
    volumes = np.einsum('ij,ij->i', a, np.cross(b, c)) / 6.0
    volume = float(volumes.sum())
    if not is_closed or abs(volume) < _LEAST:
        around = box(*(high - low).tolist())
        mass, pose = density * around.volume, translation(*middle.tolist())
        return around.with_mass(mass, pose) if mass > 0.0 else None, is_closed
    center = (volumes[:, None] * (a + b + c)).sum(0) / (4.0 * volume)
    total = a + b + c
    second = sum(
        np.einsum('i,ij,ik->jk', volumes, one, one) for one in (a, b, c, total)) / 20.0
    second = (second - volume * np.outer(center, center)) * np.sign(volume) * density
    tensor = np.trace(second) * np.eye(3) - second
    xx, yy, zz = np.diag(tensor).tolist()
    return from_tensor(
        density * abs(volume), translation(*(middle + center).tolist()),
        (xx, yy, zz, float(tensor[0, 1]), float(tensor[0, 2]), float(tensor[1, 2]))), True


def _welded(found: Triangles) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Return the faces by points: a file may name a point several times."""
    _, same = np.unique(np.asarray(found.vertices), axis=0, return_inverse=True)
    faces: np.ndarray[tuple[int, ...], np.dtype[np.int64]] = same.reshape(-1)[
        np.asarray(found.faces)]
    return faces
