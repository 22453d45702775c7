# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Rules on names: they are unique."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Optional, Protocol

from hrdf_ros import codes
from hrdf_ros.diagnostics import Locatable, Report
from hrdf_ros.model import Model
from hrdf_ros.topology import Topology


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


def _check_distinct(what: str, items: Sequence[_Named], report: Report) -> None:
    if len({item.name for item in items}) == len(items):
        return
    seen: set[str] = set()
    for item in items:
        if item.name in seen:
            report.add(
                codes.DUPLICATE_NAME, f"duplicate {what} name '{item.name}'", item.location,
                hint='rename one of them')
        seen.add(item.name)
