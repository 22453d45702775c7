# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Rules on what is named: names must tell things apart, mesh files must be there."""

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
    """Find names that stand twice: bodies, frames, joints and coordinates are a namespace each."""
    _check_distinct('bodies', model.bodies, report)
    _check_distinct('frames', model.frames, report)
    _check_distinct('joints', model.joints, report)
    _check_distinct('coordinates', model.coordinates, report)


def _check_distinct(what: str, items: Iterable[_Named], report: Report) -> None:
    seen: set[str] = set()
    for item in items:
        if item.name in seen:
            report.add(
                codes.DUPLICATE_NAME, f"two {what} are named '{item.name}'", item.location,
                hint='rename one of them')
        seen.add(item.name)


def check_meshes(model: Model, _: Topology, report: Report) -> None:
    """Find mesh files that are not there, each once however often it is used."""
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
