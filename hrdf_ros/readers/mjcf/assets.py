# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Meshes, height fields, materials and textures by name, and the files that they are in."""

from __future__ import annotations

import os
from typing import Any, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.model import Color, Heightmap, Material, Mesh
from hrdf_ros.pose import from_quaternion, IDENTITY, inverse, Pose, rotate, Vector
from hrdf_ros.readers.mjcf.bodies import Item, Scope
from hrdf_ros.readers.mjcf.settings import MAIN, report_unknown, Resolved
from hrdf_ros.readers.schema import TypedElement

_NAMED_BY_FILE = ('mesh', 'hfield', 'texture', 'model')


class Assets:
    """The assets of a model and of the models that it attaches."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._tables: dict[int, dict[tuple[str, str], Resolved]] = {}
        self._materials: dict[tuple[int, str], Material] = {}

    def find(self, scope: Scope, kind: str, name: str) -> Optional[Resolved]:
        """Return an asset of a file by its kind and name, None where there is none."""
        table = self._tables.get(id(scope.root))
        if table is None:
            table = self._tables[id(scope.root)] = self._table(scope)
        return table.get((kind, name))

    def require(self, item: Item, kind: str, name: str) -> Optional[Resolved]:
        """Return an asset that an element names; report it where there is none."""
        found = self.find(item.scope, kind, name)
        if found is None:
            known = [other for of, other in self._tables[id(item.scope.root)] if of == kind]
            report_unknown(self._report, kind, name, known, item.element, kind)
        return found

    def _table(self, scope: Scope) -> dict[tuple[str, str], Resolved]:
        table: dict[tuple[str, str], Resolved] = {}
        for section in scope.root.all('asset'):
            for element in section.children:
                table.setdefault(
                    (element.tag, asset_name(element)), scope.classes.resolve(element, MAIN))
        return table

    def mesh(self, scope: Scope, name: str) -> tuple[Optional[Mesh], Pose]:
        """
        Return a mesh and geom_from_mesh; None for one that is in no file.

        ``refpos`` and ``refquat`` move the mesh before it is scaled: that is a pose unless the
        scale differs by axis and the mesh is turned.
        """
        asset = self.find(scope, 'mesh', name)
        if asset is None:
            return None, IDENTITY
        uri = asset.element.get('file')
        if not uri:
            self._report.add(
                codes.MJCF_PART_IGNORED, f"mesh '{name}' is in no file, so it is not shown",
                asset.element.location)
            return None, IDENTITY
        x, y, z = scale = asset.vector3('scale', (1.0, 1.0, 1.0))
        file = scope.file_of(asset.element)
        mesh = Mesh(uri if file is None else file, file, scale)
        px, py, pz = asset.vector3('refpos')
        w, i, j, k = asset.value('refquat', (1.0, 0.0, 0.0, 0.0))
        turn = inverse(from_quaternion((0.0, 0.0, 0.0), (i, j, k, w)))
        if (i or j or k) and not x == y == z:
            self._report.add(
                codes.DETAIL_NOT_PRESERVED,
                f"mesh '{name}' is turned, then scaled by axis; it is shown turned only",
                asset.element.locate('refquat'))
        ox, oy, oz = rotate(turn, (-px, -py, -pz))
        return mesh, Pose(x * ox, y * oy, z * oz, *turn[3:])

    def height_field_box(self, item: Item) -> Vector:
        """Return the half extents of the box whose volume MuJoCo gives a height field."""
        asset = self.find(item.scope, 'hfield', item.element.value('hfield', ''))
        size = None if asset is None else asset.element.values.get('size')
        x, y, elevation, depth = size or (0.0, 0.0, 0.0, 0.0)
        return x, y, 0.25 * elevation + 0.5 * depth

    def height_field(self, item: Item) -> Optional[Heightmap]:
        """Return the terrain of a geom, None for one that is in no file or does not exist."""
        asset = self.require(item, 'hfield', item.element.value('hfield', ''))
        if asset is None:
            return None
        half_x, half_y, elevation, _ = asset.element.values.get('size') or (0.0,) * 4
        file = item.scope.file_of(asset.element)
        return Heightmap(
            asset.element.get('file') or '', (2.0 * half_x, 2.0 * half_y, elevation), file=file)

    def material(self, item: Item) -> Optional[Material]:
        """Return the look of a geom: its material, else its color; None where it has neither."""
        element = item.element
        name = element.value('material', '')
        if name and self.require(item, 'material', name) is not None:
            key = id(item.scope.root), item.scope.prefix + name
            if key not in self._materials:
                self._materials[key] = self._material(item.scope, name)
            return self._materials[key]
        if 'rgba' not in element:
            return None
        return Material(diffuse=_color(element.value('rgba')))

    def _material(self, scope: Scope, name: str) -> Material:
        asset = self.find(scope, 'material', name)
        assert asset is not None
        red, green, blue, alpha = color = _color(asset.value('rgba', (1.0, 1.0, 1.0, 1.0)))
        strength = asset.number('specular', 0.5)
        emission = asset.number('emission', 0.0)
        texture = self.find(scope, 'texture', self._texture_name(asset))
        return Material(
            name=scope.of_assets.rename(name), diffuse=color,
            specular=(strength, strength, strength, 1.0) if 'specular' in asset else None,
            emissive=(emission * red, emission * green, emission * blue, alpha)
            if emission else None,
            texture='' if texture is None else texture.element.get('file') or '',
            texture_file=None if texture is None else scope.file_of(texture.element))

    def _texture_name(self, material: Resolved) -> str:
        for layer in material.element.all('layer'):
            if layer.get('role') in ('rgb', 'rgba'):
                return layer.get('texture') or ''
        name: str = material.value('texture', '')
        return name


def asset_name(element: TypedElement) -> str:
    """Return the name of an asset: that of its file where it has none."""
    name = element.get('name')
    if name:
        return name
    file = element.get('file') or ''
    stem = os.path.splitext(os.path.basename(file.replace('\\', '/')))[0]
    return stem if element.tag in _NAMED_BY_FILE else ''


def _color(values: Any) -> Color:
    red, green, blue, alpha = (min(max(float(value), 0.0), 1.0) for value in values)
    return red, green, blue, alpha
