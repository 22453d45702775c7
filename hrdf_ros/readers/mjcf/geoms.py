# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Read geoms as shapes, with the meshes, height fields, materials and textures that they name."""

from __future__ import annotations

from dataclasses import dataclass
import math
from typing import Any, Optional

from hrdf_ros import codes, pose
from hrdf_ros.model import shapes
from hrdf_ros.pose import compose, IDENTITY, inverse, Pose, rotate, Vector, Z_AXIS
from hrdf_ros.readers.mjcf.elements import asset_name, Item
from hrdf_ros.readers.mjcf.meshes import Measured
from hrdf_ros.readers.mjcf.orientations import direction, read_pose, z_to

_FROM_TO = ('capsule', 'cylinder', 'ellipsoid', 'box')
_NUMBERS = {'sphere': 1, 'capsule': 2, 'ellipsoid': 3, 'cylinder': 2, 'box': 3}
"""The number of sizes that each shape needs, all of them positive."""
MESHES = ('mesh', 'sdf')
GRAY: shapes.Color = (0.5, 0.5, 0.5, 1.0)
"""The color of geoms that state none; it does not replace the color of a material."""


@dataclass(eq=False)
class Solid:
    """
    A geom: its type, half sizes and place in the body; ``mesh`` names an asset.

    ``measured`` is what MuJoCo computed for the geom, None where it was not asked.
    """

    item: Item
    kind: str
    size: Vector
    pose: Pose
    mesh: str
    measured: Optional[Measured] = None


def read_solid(item: Item, default_size: Vector = (0.0, 0.0, 0.0)) -> Optional[Solid]:
    """Return the shape of a geom or site, None with the reason reported."""
    kind, mesh = item.value('type', 'sphere'), item.value('mesh', '')
    x, y, z = _height_field_box(item) if kind == 'hfield' else (
        *item.numbers('size', default_size), 0.0, 0.0, 0.0)[:3]
    shaped = _span(item, kind, (x, y, z)) if item.has('fromto') else ((x, y, z), read_pose(item))
    if shaped is None:
        return None
    solid = Solid(item, kind, shaped[0], compose(item.frame, shaped[1]), mesh)
    return solid if mesh or _has_size(solid) else None


def _height_field_box(item: Item) -> Vector:
    """Return the half extents of the box whose volume MuJoCo gives a height field."""
    asset = item.scope.asset('hfield', item.value('hfield', ''))
    x, y, elevation, depth = (asset and asset.value('size')) or (0.0,) * 4
    return x, y, 0.25 * elevation + 0.5 * depth


def _span(item: Item, kind: str, size: Vector) -> Optional[tuple[Vector, Pose]]:
    """Return size and pose of a shape between two points, its z axis toward the first."""
    a, b, c, d, e, f = item.value('fromto')
    offset = (a - d, b - e, c - f)
    along = direction(offset)
    half = math.hypot(*offset) / 2.0
    fault = ''
    if kind not in _FROM_TO:
        fault = f"'fromto' is for {', '.join(_FROM_TO)}, not for {kind}"
    elif any(item.vector3('pos')):
        fault = "'fromto' and 'pos' exclude each other"
    elif along is None:
        fault = "the points of 'fromto' are too close"
    if fault or along is None:
        item.add(codes.BAD_VALUE, fault, 'fromto')
        return None
    radius = size[0]
    shaped = (radius, radius, half) if kind in ('ellipsoid', 'box') else (radius, half, size[2])
    return shaped, Pose(
        (a + d) / 2.0, (b + e) / 2.0, (c + f) / 2.0, *z_to(along)[3:])


def _has_size(solid: Solid) -> bool:
    """Return whether the sizes that a shape needs are positive; report those that are not."""
    item, kind = solid.item, solid.kind
    if kind in MESHES:
        item.add(codes.MISSING_ATTRIBUTE, f"a geom of type {kind} requires 'mesh'", 'type')
        return False
    needed = _NUMBERS.get(kind, 0)
    good = all(number > 0.0 for number in solid.size[:needed])
    if kind == 'plane':
        x, y, spacing = solid.size
        good = not math.isnan(x + y) and spacing > 0.0
    if not good:
        sizes = f'{needed} positive sizes' if needed else 'a positive spacing'
        item.add(codes.BAD_VALUE, f'a {kind} needs {sizes}', 'size')
    return good


def geometry(solid: Solid) -> tuple[shapes.Geometry, Pose]:
    """Return the shape of the Model, as MuJoCo fits it to a mesh, and body_from_shape."""
    kind, size, body_from_solid = solid.kind, solid.size, solid.pose
    if kind in MESHES:
        form, solid_from_mesh = _mesh(solid)
        return form, compose(body_from_solid, solid_from_mesh)
    if solid.measured is not None and not solid.measured.fault:
        size = solid.measured.size
        body_from_solid = compose(body_from_solid, solid.measured.pose)
    if solid.mesh and not any(size):
        return shapes.Empty(), body_from_solid  # only MuJoCo can fit a shape to a mesh
    x, y, z = size
    forms: dict[str, Any] = {
        'sphere': shapes.Sphere(x), 'capsule': shapes.Capsule(x, 2.0 * y),
        'cylinder': shapes.Cylinder(x, 2.0 * y), 'ellipsoid': shapes.Ellipsoid((x, y, z)),
        'box': shapes.Box((2.0 * x, 2.0 * y, 2.0 * z)),
        'plane': shapes.Plane(Z_AXIS, (2.0 * x, 2.0 * y) if x > 0.0 and y > 0.0 else None)}
    return forms.get(kind) or _height_field(solid.item), body_from_solid


def _mesh(solid: Solid) -> tuple[shapes.Geometry, Pose]:
    """
    Return a mesh and geom_from_mesh; an empty shape for a mesh that is in no file.

    ``refpos`` and ``refquat`` move the mesh before it is scaled. That is a pose, unless the scale
    differs by axis and the mesh is rotated.
    """
    name = solid.mesh
    asset = solid.item.scope.asset('mesh', name)
    if asset is None:
        return shapes.Empty(), IDENTITY
    uri = asset.element.get('file')
    if not uri:
        asset.add(codes.MJCF_PART_IGNORED, f"mesh '{name}' is in no file, so it is not shown")
        return shapes.Empty(), IDENTITY
    x, y, z = scale = asset.vector3('scale', (1.0, 1.0, 1.0))
    file = asset.scope.file_of(asset.element)
    px, py, pz = asset.vector3('refpos')
    w, i, j, k = asset.value('refquat', (1.0, 0.0, 0.0, 0.0))
    turn = inverse(pose.from_quaternion((0.0, 0.0, 0.0), (i, j, k, w)))
    if (i or j or k) and not x == y == z:
        asset.add(
            codes.DETAIL_NOT_PRESERVED,
            f"mesh '{name}' is turned, then scaled by axis; it is shown turned only", 'refquat')
    ox, oy, oz = rotate(turn, (-px, -py, -pz))
    return shapes.Mesh(file or uri, file, scale), Pose(x * ox, y * oy, z * oz, *turn[3:])


def _height_field(item: Item) -> shapes.Geometry:
    """Return the terrain of a geom, an empty shape where there is none."""
    asset = item.asset('hfield')
    if asset is None:
        return shapes.Empty()
    half_x, half_y, elevation, _ = asset.value('size') or (0.0,) * 4
    return shapes.Heightmap(
        asset.element.get('file') or '', (2.0 * half_x, 2.0 * half_y, elevation),
        file=asset.scope.file_of(asset.element))


def material(item: Item) -> Optional[shapes.Material]:
    """
    Return the material or else the color of a geom, None where it has neither.

    The material may be that of the mesh. A color replaces the color of the material. MuJoCo's
    default color counts as no color.
    """
    mesh = item.scope.asset('mesh', item.value('mesh', ''))
    named = next((one for one in (item, mesh) if one and one.value('material', '')), None)
    asset = named and named.asset('material')
    if asset is None:
        return shapes.Material(diffuse=_color(item.value('rgba'))) if item.has('rgba') else None
    red, green, blue, alpha = color = _color(
        item.value('rgba') if has_own_color(item) else asset.value('rgba', (1.0,) * 4))
    strength, emission = asset.number('specular', 0.5), asset.number('emission')
    name = next((
        layer.get('texture') or '' for layer in asset.element.all('layer')
        if layer.get('role') in ('rgb', 'rgba')), asset.value('texture', ''))
    texture = asset.scope.asset('texture', name)
    return shapes.Material(
        name=asset.scope.of_assets.rename(asset_name(asset.element)), diffuse=color,
        specular=(strength, strength, strength, 1.0) if asset.has('specular') else None,
        emissive=(emission * red, emission * green, emission * blue, alpha)
        if emission else None,
        texture='' if texture is None else texture.element.get('file') or '',
        texture_file=None if texture is None else texture.scope.file_of(texture.element))


def has_own_color(item: Item) -> bool:
    """Return whether the color of a geom replaces the color of its material."""
    return bool(item.value('rgba', GRAY) != GRAY)


def _color(values: Any) -> shapes.Color:
    red, green, blue, alpha = (min(max(float(value), 0.0), 1.0) for value in values)
    return red, green, blue, alpha
