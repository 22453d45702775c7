# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Geoms as shapes: their type, size and place, and the assets that they name."""

from __future__ import annotations

import math
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.model import shapes
from hrdf_ros.pose import compose, normalized, Pose, Vector, Z_AXIS, z_to
from hrdf_ros.readers.mjcf.assets import Assets
from hrdf_ros.readers.mjcf.bodies import Item
from hrdf_ros.readers.mjcf.poses import read_orientation
from hrdf_ros.readers.mjcf.settings import Resolved

_FROM_TO = ('capsule', 'cylinder', 'ellipsoid', 'box')
_NUMBERS = {'sphere': 1, 'capsule': 2, 'ellipsoid': 3, 'cylinder': 2, 'box': 3}
"""How many sizes a shape needs, each of them positive."""
_MESHES = ('mesh', 'sdf')


class Solid(NamedTuple):
    """A geom: its type, half sizes and place in the body; ``mesh`` names an asset."""

    kind: str
    size: Vector
    pose: Pose
    mesh: str = ''


def read_solid(
    item: Item, report: Report, default_size: Vector = (0.0, 0.0, 0.0),
) -> Optional[Solid]:
    """Return the shape of a geom or site, None with the reason reported."""
    element = item.element
    kind = element.value('type', 'sphere')
    mesh = element.value('mesh', '')
    sizes = element.numbers('size', default_size)
    x, y, z = (*sizes, 0.0, 0.0, 0.0)[:3]
    size = (x, y, z)
    if 'fromto' in element:
        spanned = _span(element, kind, size, report)
        if spanned is None:
            return None
        size, pose = spanned
    else:
        turn = read_orientation(element, item.scope.compiler, report)
        pose = Pose(*element.vector3('pos'), *turn[3:])
    solid = Solid(kind, size, compose(item.pose, pose), mesh)
    return solid if mesh or _has_size(element, solid, report) else None


def _span(
    element: Resolved, kind: str, size: Vector, report: Report,
) -> Optional[tuple[Vector, Pose]]:
    """Return size and pose of a shape between two points, its z axis toward the first."""
    a, b, c, d, e, f = element.value('fromto')
    offset = (a - d, b - e, c - f)
    direction = normalized(offset)
    fault = ''
    if kind not in _FROM_TO:
        fault = f"'fromto' is for {', '.join(_FROM_TO)}, not for {kind}"
    elif any(element.vector3('pos')):
        fault = "'fromto' and 'pos' exclude each other"
    elif direction is None or math.hypot(*offset) / 2.0 < 1e-14:
        fault = "the points of 'fromto' are too close"
    if fault or direction is None:
        report.add(codes.BAD_VALUE, fault, element.locate('fromto'))
        return None
    half = math.hypot(*offset) / 2.0
    radius = size[0]
    turn = z_to(direction)
    pose = Pose((a + d) / 2.0, (b + e) / 2.0, (c + f) / 2.0, *turn[3:])
    if kind in ('ellipsoid', 'box'):
        return (radius, radius, half), pose
    return (radius, half, size[2]), pose


def _has_size(element: Resolved, solid: Solid, report: Report) -> bool:
    """Return whether the sizes that a shape needs are positive; report it where they are not."""
    if solid.kind in _MESHES:
        report.add(
            codes.MISSING_ATTRIBUTE, f"a geom of type {solid.kind} requires 'mesh'",
            element.locate('type'))
        return False
    needed = _NUMBERS.get(solid.kind, 0)
    good = all(number > 0.0 for number in solid.size[:needed])
    if solid.kind == 'plane':
        x, y, spacing = solid.size
        good = x >= 0.0 and y >= 0.0 and spacing > 0.0
    if not good:
        sizes = f'{needed} positive sizes' if needed else 'two sizes and a positive spacing'
        report.add(
            codes.BAD_VALUE, f'a {solid.kind} needs {sizes}', element.locate('size'))
    return good


def geometry(item: Item, solid: Solid, assets: Assets) -> tuple[shapes.Geometry, Pose]:
    """Return the shape of the Model and body_from_shape."""
    x, y, z = solid.size
    pose = solid.pose
    if solid.kind in _MESHES:
        mesh, mesh_pose = assets.mesh(item.scope, solid.mesh)
        return mesh or shapes.Empty(), compose(pose, mesh_pose)
    forms: dict[str, shapes.Geometry] = {
        'sphere': shapes.Sphere(x), 'capsule': shapes.Capsule(x, 2.0 * y),
        'cylinder': shapes.Cylinder(x, 2.0 * y), 'ellipsoid': shapes.Ellipsoid((x, y, z)),
        'box': shapes.Box((2.0 * x, 2.0 * y, 2.0 * z)),
        'plane': shapes.Plane(Z_AXIS, (2.0 * x, 2.0 * y) if x and y else None)}
    if solid.mesh and not any(solid.size):
        return shapes.Empty(), pose  # only MuJoCo can fit a shape to a mesh
    if solid.kind == 'hfield':
        return assets.height_field(item) or shapes.Empty(), pose
    return forms[solid.kind], pose
