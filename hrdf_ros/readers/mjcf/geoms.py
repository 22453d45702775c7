# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Geoms as shapes, and the meshes, height fields, materials and textures that they name."""

from __future__ import annotations

import math
import os
from typing import Any, NamedTuple, Optional

from hrdf_ros import codes, pose
from hrdf_ros.model import shapes
from hrdf_ros.pose import compose, IDENTITY, inverse, Pose, rotate, Vector, Z_AXIS
from hrdf_ros.readers.mjcf.elements import Item, read_pose, Scope
from hrdf_ros.readers.schema import TypedElement

_FROM_TO = ('capsule', 'cylinder', 'ellipsoid', 'box')
_NUMBERS = {'sphere': 1, 'capsule': 2, 'ellipsoid': 3, 'cylinder': 2, 'box': 3}
"""How many sizes a shape needs, each of them positive."""
MESHES = ('mesh', 'sdf')
_NAMED_BY_FILE = ('mesh', 'hfield', 'texture', 'model')


class Solid(NamedTuple):
    """A geom: its type, half sizes and place in the body; ``mesh`` names an asset."""

    kind: str
    size: Vector
    pose: Pose
    mesh: str = ''


def read_solid(item: Item, default_size: Vector = (0.0, 0.0, 0.0)) -> Optional[Solid]:
    """Return the shape of a geom or site, None with the reason reported."""
    kind, mesh = item.value('type', 'sphere'), item.value('mesh', '')
    x, y, z = (*item.numbers('size', default_size), 0.0, 0.0, 0.0)[:3]
    size = (x, y, z)
    shaped = _span(item, kind, size) if item.has('fromto') else (size, read_pose(item))
    if shaped is None:
        return None
    solid = Solid(kind, shaped[0], compose(item.frame, shaped[1]), mesh)
    return solid if mesh or _has_size(item, solid) else None


def _span(item: Item, kind: str, size: Vector) -> Optional[tuple[Vector, Pose]]:
    """Return size and pose of a shape between two points, its z axis toward the first."""
    a, b, c, d, e, f = item.value('fromto')
    offset = (a - d, b - e, c - f)
    direction = pose.normalized(offset)
    half = math.hypot(*offset) / 2.0
    fault = ''
    if kind not in _FROM_TO:
        fault = f"'fromto' is for {', '.join(_FROM_TO)}, not for {kind}"
    elif any(item.vector3('pos')):
        fault = "'fromto' and 'pos' exclude each other"
    elif direction is None or half < 1e-14:
        fault = "the points of 'fromto' are too close"
    if fault or direction is None:
        item.add(codes.BAD_VALUE, fault, 'fromto')
        return None
    radius = size[0]
    shaped = (radius, radius, half) if kind in ('ellipsoid', 'box') else (radius, half, size[2])
    return shaped, Pose(
        (a + d) / 2.0, (b + e) / 2.0, (c + f) / 2.0, *pose.z_to(direction)[3:])


def _has_size(item: Item, solid: Solid) -> bool:
    """Return whether the sizes that a shape needs are positive; report it where they are not."""
    if solid.kind in MESHES:
        item.add(
            codes.MISSING_ATTRIBUTE, f"a geom of type {solid.kind} requires 'mesh'", 'type')
        return False
    needed = _NUMBERS.get(solid.kind, 0)
    good = all(number > 0.0 for number in solid.size[:needed])
    if solid.kind == 'plane':
        x, y, spacing = solid.size
        good = x >= 0.0 and y >= 0.0 and spacing > 0.0
    if not good:
        sizes = f'{needed} positive sizes' if needed else 'two sizes and a positive spacing'
        item.add(codes.BAD_VALUE, f'a {solid.kind} needs {sizes}', 'size')
    return good


def geometry(item: Item, solid: Solid, assets: Assets) -> tuple[shapes.Geometry, Pose]:
    """Return the shape of the Model and body_from_shape."""
    x, y, z = solid.size
    if solid.kind in MESHES:
        mesh, mesh_pose = assets.mesh(item.scope, solid.mesh)
        return mesh or shapes.Empty(), compose(solid.pose, mesh_pose)
    if solid.mesh and not any(solid.size):
        return shapes.Empty(), solid.pose  # only MuJoCo can fit a shape to a mesh
    if solid.kind == 'hfield':
        return assets.height_field(item) or shapes.Empty(), solid.pose
    forms: dict[str, shapes.Geometry] = {
        'sphere': shapes.Sphere(x), 'capsule': shapes.Capsule(x, 2.0 * y),
        'cylinder': shapes.Cylinder(x, 2.0 * y), 'ellipsoid': shapes.Ellipsoid((x, y, z)),
        'box': shapes.Box((2.0 * x, 2.0 * y, 2.0 * z)),
        'plane': shapes.Plane(Z_AXIS, (2.0 * x, 2.0 * y) if x and y else None)}
    return forms[solid.kind], solid.pose


class Assets:
    """The assets of a model and of the models that it attaches."""

    def __init__(self) -> None:
        self._tables: dict[int, dict[tuple[str, str], Item]] = {}
        self._materials: dict[tuple[int, str], shapes.Material] = {}

    def find(self, scope: Scope, kind: str, name: str) -> Optional[Item]:
        """Return an asset of a file by its kind and name, None where there is none."""
        table = self._tables.get(id(scope.root))
        if table is None:
            table = self._tables[id(scope.root)] = {}
            for section in scope.root.all('asset'):
                for element in section.children:
                    table.setdefault((element.tag, asset_name(element)), scope.item(element))
        return table.get((kind, name))

    def require(self, item: Item, kind: str) -> Optional[Item]:
        """Return the asset of a kind that an element names; report it where there is none."""
        name = item.value(kind, '')
        found = self.find(item.scope, kind, name)
        if found is None:
            known = [other for of, other in self._tables[id(item.scope.root)] if of == kind]
            item.unknown(kind, name, known, kind)
        return found

    def mesh(self, scope: Scope, name: str) -> tuple[Optional[shapes.Mesh], Pose]:
        """
        Return a mesh and geom_from_mesh; None for one that is in no file.

        ``refpos`` and ``refquat`` move the mesh before it is scaled: that is a pose unless the
        scale differs by axis and the mesh is turned.
        """
        asset = self.find(scope, 'mesh', name)
        uri = asset and asset.element.get('file')
        if asset is None or not uri:
            if asset is not None:
                asset.add(
                    codes.MJCF_PART_IGNORED, f"mesh '{name}' is in no file, so it is not shown")
            return None, IDENTITY
        x, y, z = scale = asset.vector3('scale', (1.0, 1.0, 1.0))
        file = scope.file_of(asset.element)
        px, py, pz = asset.vector3('refpos')
        w, i, j, k = asset.value('refquat', (1.0, 0.0, 0.0, 0.0))
        turn = inverse(pose.from_quaternion((0.0, 0.0, 0.0), (i, j, k, w)))
        if (i or j or k) and not x == y == z:
            asset.add(
                codes.DETAIL_NOT_PRESERVED,
                f"mesh '{name}' is turned, then scaled by axis; it is shown turned only",
                'refquat')
        ox, oy, oz = rotate(turn, (-px, -py, -pz))
        return shapes.Mesh(file or uri, file, scale), Pose(x * ox, y * oy, z * oz, *turn[3:])

    def height_field_box(self, item: Item) -> Vector:
        """Return the half extents of the box whose volume MuJoCo gives a height field."""
        asset = self.find(item.scope, 'hfield', item.value('hfield', ''))
        x, y, elevation, depth = (asset and asset.value('size')) or (0.0,) * 4
        return x, y, 0.25 * elevation + 0.5 * depth

    def height_field(self, item: Item) -> Optional[shapes.Heightmap]:
        """Return the terrain of a geom, None for one that does not exist."""
        asset = self.require(item, 'hfield')
        if asset is None:
            return None
        half_x, half_y, elevation, _ = asset.value('size') or (0.0,) * 4
        return shapes.Heightmap(
            asset.element.get('file') or '', (2.0 * half_x, 2.0 * half_y, elevation),
            file=item.scope.file_of(asset.element))

    def material(self, item: Item) -> Optional[shapes.Material]:
        """Return the look of a geom: its material, else its color; None where it has neither."""
        asset = self.require(item, 'material') if item.value('material', '') else None
        if asset is not None:
            key = id(item.scope.root), item.scope.prefix + asset_name(asset.element)
            if key not in self._materials:
                self._materials[key] = self._material(asset, item.scope)
            return self._materials[key]
        return shapes.Material(diffuse=_color(item.value('rgba'))) if item.has('rgba') else None

    def _material(self, asset: Item, scope: Scope) -> shapes.Material:
        red, green, blue, alpha = color = _color(asset.value('rgba', (1.0, 1.0, 1.0, 1.0)))
        strength, emission = asset.number('specular', 0.5), asset.number('emission')
        texture_name = next((
            layer.get('texture') or '' for layer in asset.element.all('layer')
            if layer.get('role') in ('rgb', 'rgba')), asset.value('texture', ''))
        texture = self.find(scope, 'texture', texture_name)
        return shapes.Material(
            name=scope.of_assets.rename(asset_name(asset.element)), diffuse=color,
            specular=(strength, strength, strength, 1.0) if asset.has('specular') else None,
            emissive=(emission * red, emission * green, emission * blue, alpha)
            if emission else None,
            texture='' if texture is None else texture.element.get('file') or '',
            texture_file=None if texture is None else scope.file_of(texture.element))


def asset_name(element: TypedElement) -> str:
    """Return the name of an asset: that of its file where it has none."""
    name, file = element.get('name'), element.get('file') or ''
    if name or element.tag not in _NAMED_BY_FILE:
        return name or ''
    return os.path.splitext(os.path.basename(file.replace('\\', '/')))[0]


def _color(values: Any) -> shapes.Color:
    red, green, blue, alpha = (min(max(float(value), 0.0), 1.0) for value in values)
    return red, green, blue, alpha
