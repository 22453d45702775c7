# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Other URIs for the files that a Model names: its meshes, textures and material scripts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
import re
from typing import Literal, NamedTuple, Optional

from hrdf_ros.document import escape
from hrdf_ros.model import (
    Asset,
    Geometry,
    Heightmap,
    Image,
    Material,
    Mesh,
    Model,
    RawElement,
    Shape,
)

AssetKind = Literal['mesh', 'texture', 'script']


class NamedFile(NamedTuple):
    """A file that a shape names; ``file`` is None where it was not found."""

    kind: AssetKind
    uri: str
    file: Optional[str]


Rename = Callable[[NamedFile], NamedFile]
"""Returns the replacement of a file that was found."""


def named_files(model: Model) -> Iterator[tuple[NamedFile, Shape]]:
    """Yield each file that a Model names, with the shape that does, in document order."""
    for body in model.bodies:
        for shape in (*body.visuals, *body.collisions):
            geometry, material = shape.geometry, shape.material
            if isinstance(geometry, (Mesh, Heightmap, Image)) and geometry.uri:
                yield _of_geometry(geometry), shape
            if material is not None and material.texture:
                yield NamedFile('texture', material.texture, material.texture_file), shape
            for asset in () if material is None else material.assets:
                yield _of_asset(asset), shape


def with_uris(model: Model, rename: Rename) -> Model:
    """Return a Model in which ``rename`` has replaced each file that was found."""
    return model._replace(bodies=tuple(
        body._replace(
            visuals=tuple(_shape(shape, rename) for shape in body.visuals),
            collisions=tuple(_shape(shape, rename) for shape in body.collisions))
        for body in model.bodies))


def _of_geometry(geometry: Mesh | Heightmap | Image) -> NamedFile:
    return NamedFile(
        'mesh' if isinstance(geometry, Mesh) else 'texture', geometry.uri, geometry.file)


def _of_asset(asset: Asset) -> NamedFile:
    return NamedFile('script' if asset.tag == 'script' else 'texture', asset.uri, asset.file)


def _shape(shape: Shape, rename: Rename) -> Shape:
    geometry = _geometry(shape.geometry, rename)
    material = None if shape.material is None else _material(shape.material, rename)
    if geometry is shape.geometry and material is shape.material:
        return shape
    return shape._replace(geometry=geometry, material=material)


def _geometry(geometry: Geometry, rename: Rename) -> Geometry:
    if not isinstance(geometry, (Mesh, Heightmap, Image)) or geometry.file is None:
        return geometry
    _, uri, file = rename(_of_geometry(geometry))
    return geometry._replace(uri=uri, file=file)


def _material(material: Material, rename: Rename) -> Material:
    """Return a material with other URIs, in the raw text that belongs to it, too."""
    if material.texture_file is not None:
        _, uri, file = rename(NamedFile('texture', material.texture, material.texture_file))
        material = material._replace(texture=uri, texture_file=file)
    renamed = tuple(_asset(asset, rename) for asset in material.assets)
    written = {escape(old.uri): escape(new.uri) for old, new in zip(material.assets, renamed)}
    if not written:
        return material
    return material._replace(
        extensions=tuple(_raw(extension, written) for extension in material.extensions),
        assets=renamed)


def _asset(asset: Asset, rename: Rename) -> Asset:
    if asset.file is None:
        return asset
    _, uri, file = rename(_of_asset(asset))
    return asset._replace(uri=uri, file=file)


def _raw(extension: RawElement, written: Mapping[str, str]) -> RawElement:
    """Return raw text with other URIs, both as they are in XML."""
    pattern = '|'.join(map(re.escape, written))
    return extension._replace(text=re.sub(
        rf'>\s*({pattern})\s*<', lambda match: f'>{written[match[1]]}<', extension.text))
