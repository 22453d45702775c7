# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Other URIs for the files that a Model names: its meshes, textures and material scripts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
import re
from typing import Literal, NamedTuple, Optional

from hrdf_ros.document import escape
from hrdf_ros.model import Heightmap, Image, Mesh, Model, RawElement, Shape

AssetKind = Literal['mesh', 'texture', 'script']


class NamedFile(NamedTuple):
    """A file that a shape names; ``file`` is None where it was not found."""

    kind: AssetKind
    uri: str
    file: Optional[str]


Rename = Callable[[NamedFile, Shape], NamedFile]


def named_files(model: Model) -> list[tuple[NamedFile, Shape]]:
    """Return each file that a Model names, with the shape that does, in document order."""
    found: list[tuple[NamedFile, Shape]] = []

    def note(named: NamedFile, shape: Shape) -> NamedFile:
        found.append((named, shape))
        return named

    for body in model.bodies:
        for shape in (*body.visuals, *body.collisions):
            _shape(shape, note)
    return found


def with_uris(model: Model, rename: Callable[[NamedFile], NamedFile]) -> Model:
    """Return a Model in which ``rename`` has replaced each file that was found."""
    def found(named: NamedFile, _: Shape) -> NamedFile:
        return named if named.file is None else rename(named)

    return model._replace(bodies=tuple(
        body._replace(
            visuals=tuple(_shape(shape, found) for shape in body.visuals),
            collisions=tuple(_shape(shape, found) for shape in body.collisions))
        for body in model.bodies))


def _shape(shape: Shape, rename: Rename) -> Shape:
    """Return a shape with other files, in the raw text of its material, too."""
    geometry, material = shape.geometry, shape.material
    if isinstance(geometry, (Mesh, Heightmap, Image)) and geometry.uri:
        kind: AssetKind = 'mesh' if isinstance(geometry, Mesh) else 'texture'
        _, uri, file = rename(NamedFile(kind, geometry.uri, geometry.file), shape)
        shape = shape._replace(geometry=geometry._replace(uri=uri, file=file))
    if material is None:
        return shape
    if material.texture:
        _, uri, file = rename(NamedFile('texture', material.texture, material.texture_file), shape)
        material = material._replace(texture=uri, texture_file=file)
    assets, written = [], {}
    for asset in material.assets:
        kind = 'script' if asset.tag == 'script' else 'texture'
        _, uri, file = rename(NamedFile(kind, asset.uri, asset.file), shape)
        assets.append(asset._replace(uri=uri, file=file))
        if uri != asset.uri:
            written[escape(asset.uri)] = escape(uri)
    if written:
        material = material._replace(extensions=tuple(
            _raw(extension, written) for extension in material.extensions))
    return shape._replace(material=material._replace(assets=tuple(assets)))


def _raw(extension: RawElement, written: Mapping[str, str]) -> RawElement:
    """Return raw text with other URIs, both as they are in XML."""
    pattern = '|'.join(map(re.escape, written))
    return extension._replace(text=re.sub(
        rf'>\s*({pattern})\s*<', lambda match: f'>{written[match[1]]}<', extension.text))
