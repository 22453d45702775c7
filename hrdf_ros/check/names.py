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
    """Find mesh files that do not exist, each once however often it is used."""
    missing: set[str] = set()
    for body in model.bodies:
        for shape in (*body.visuals, *body.collisions):
            mesh = shape.geometry
            if not isinstance(mesh, Mesh) or mesh.file is not None or mesh.uri in missing:
                continue
            if not mesh.uri.startswith(_REMOTE):
                missing.add(mesh.uri)
                report.add(
                    codes.MESH_NOT_FOUND, f"the mesh file '{mesh.uri}' is not found",
                    value_location(shape.location, 'uri'),
                    hint='--path DIR and --package NAME=DIR say where to look')
