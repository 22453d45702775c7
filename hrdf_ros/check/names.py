# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Rules on names and files: names are unique, mesh files exist."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Optional, Protocol

from hrdf_ros import codes
from hrdf_ros.diagnostics import Locatable, Report, value_location
from hrdf_ros.model import Mesh, Model
from hrdf_ros.topology import Topology

_REMOTE = ('http://', 'https://')
_PACKAGE = 'package://'


class _Named(Protocol):

    @property
    def name(self) -> str: ...

    @property
    def location(self) -> Optional[Locatable]: ...


def check_names(model: Model, _: Topology, report: Report) -> None:
    """Find duplicate names: bodies, frames, joints and coordinates are a namespace each."""
    _check_distinct('body', model.bodies, report)
    _check_distinct('frame', model.frames, report)
    _check_distinct('joint', model.joints, report)
    _check_distinct('coordinate', model.coordinates, report)


def _check_distinct(what: str, items: Iterable[_Named], report: Report) -> None:
    seen: set[str] = set()
    for item in items:
        if item.name in seen:
            report.add(
                codes.DUPLICATE_NAME, f"duplicate {what} name '{item.name}'", item.location,
                hint='rename one of them')
        seen.add(item.name)


def check_meshes(model: Model, _: Topology, report: Report) -> None:
    """Find mesh files that do not exist, each once, and those of one package together."""
    for uris in _missing_meshes(model).values():
        (uri, location), *others = uris.items()
        package = _package_of(uri)
        message = f"the mesh file '{uri}' is not found"
        if others:
            message = (f"{len(uris)} mesh files of the package '{package}' are not found, "
                       f"the first is '{uri}'")
        report.add(
            codes.MESH_NOT_FOUND, message, location,
            hint=f'--package {package}=DIR says where the package is' if package
            else '--path DIR and --package NAME=DIR say where to look')


def _missing_meshes(model: Model) -> dict[str, dict[str, Optional[Locatable]]]:
    """Return the URIs that are not found and where they first are, by package or by themselves."""
    missing: dict[str, dict[str, Optional[Locatable]]] = {}
    for body in model.bodies:
        for shape in (*body.visuals, *body.collisions):
            mesh = shape.geometry
            if isinstance(mesh, Mesh) and mesh.file is None and not mesh.uri.startswith(_REMOTE):
                uris = missing.setdefault(_package_of(mesh.uri) or mesh.uri, {})
                uris.setdefault(mesh.uri, value_location(shape.location, 'uri'))
    return missing


def _package_of(uri: str) -> str:
    """Return the name of the package in a ``package://`` URI, empty for another."""
    return uri.removeprefix(_PACKAGE).partition('/')[0] if uri.startswith(_PACKAGE) else ''
