# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Rules on files that a Model names: meshes and textures exist."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.codes import Code
from hrdf_ros.diagnostics import Locatable, Report, value_location
from hrdf_ros.model import Heightmap, Image, Mesh, Model, Shape
from hrdf_ros.topology import Topology

_REMOTE = ('http://', 'https://')
_PACKAGE = 'package://'
_OF_GAZEBO = 'media/materials/scripts/gazebo.material'
"""Comes with Gazebo Classic, whose colors are named in it."""

_Uris = dict[str, Optional[Locatable]]


class _Missing(NamedTuple):
    """A URI that leads to no file; ``field`` is where the shape has it."""

    uri: str
    field: str


def check_meshes(model: Model, _: Topology, report: Report) -> None:
    """Find mesh files that do not exist, each once, and those of one package together."""
    _report(codes.MESH_NOT_FOUND, 'mesh file', _by_package(model, _missing_meshes), report)


def check_textures(model: Model, _: Topology, report: Report) -> None:
    """Find images and material scripts that do not exist, as meshes are."""
    _report(codes.TEXTURE_NOT_FOUND, 'texture file', _by_package(model, _missing_images), report)


def _missing_meshes(shape: Shape) -> Iterator[_Missing]:
    if isinstance(shape.geometry, Mesh) and shape.geometry.file is None:
        yield _Missing(shape.geometry.uri, 'uri')


def _missing_images(shape: Shape) -> Iterator[_Missing]:
    geometry, material = shape.geometry, shape.material
    if isinstance(geometry, (Heightmap, Image)) and geometry.uri and geometry.file is None:
        yield _Missing(geometry.uri, 'uri')
    if material is None:
        return
    if material.texture and material.texture_file is None and not material.assets:
        yield _Missing(material.texture, 'texture')
    for asset in material.assets:
        if asset.file is None and not asset.uri.endswith(_OF_GAZEBO):
            yield _Missing(asset.uri, asset.tag)


def _by_package(
    model: Model, missing: Callable[[Shape], Iterator[_Missing]],
) -> dict[str, _Uris]:
    """Return the URIs that are not found and where they first are, by package or by themselves."""
    found: dict[str, _Uris] = {}
    for body in model.bodies:
        for shape in (*body.visuals, *body.collisions):
            for uri, field in missing(shape):
                if not uri.startswith(_REMOTE):
                    uris = found.setdefault(_package_of(uri) or uri, {})
                    uris.setdefault(uri, value_location(shape.location, field))
    return found


def _report(code: Code, what: str, missing: dict[str, _Uris], report: Report) -> None:
    for uris in missing.values():
        (uri, location), *others = uris.items()
        package = _package_of(uri)
        message = f"the {what} '{uri}' is not found"
        if others:
            message = (f"{len(uris)} {what}s of the package '{package}' are not found, "
                       f"the first is '{uri}'")
        report.add(
            code, message, location,
            hint=f'--package {package}=DIR says where the package is' if package
            else '--path DIR and --package NAME=DIR say where to look')


def _package_of(uri: str) -> str:
    """Return the name of the package in a ``package://`` URI, empty for another."""
    return uri.removeprefix(_PACKAGE).partition('/')[0] if uri.startswith(_PACKAGE) else ''
