# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Rules over the Model, the same for every format.

A rule finds faults of a description that its reader accepted. Where the format's
reference implementation accepts it too, the rule warns at most.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.check import structure
from hrdf_ros.check.finite import check_finite
from hrdf_ros.check.plausibility import check_inertia, check_mass, check_plausibility
from hrdf_ros.codes import Code
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceRef
from hrdf_ros.limits import ResourceLimits
from hrdf_ros.model import Heightmap, Image, Mesh, Model, Shape
from hrdf_ros.resolve import Resolver
from hrdf_ros.topology import span, Topology

ModelRule = Callable[[Model, Topology, Report], None]

RULES: tuple[ModelRule, ...] = (
    structure.check_names,
    check_finite,
    check_mass,
    check_inertia,
    check_plausibility,
    structure.check_axes,
    structure.check_scales,
    structure.check_limits,
    structure.check_mimics,
    structure.check_unreachable,
    structure.check_loops,
    structure.check_massless_groups,
)


def check_model(
    model: Model, report: Report, limits: ResourceLimits = ResourceLimits(),
    resolver: Optional[Resolver] = None,
) -> None:
    """
    Run every rule and add its diagnostics; a model beyond the resource limits is not checked.

    ``resolver`` is the one that has looked for the files of the model.
    """
    fault = _fault(model, limits)
    if fault is not None:
        report.add(*fault, model.location)
        return
    topology = span(model)
    for rule in RULES:
        rule(model, topology, report)
    shapes = [
        shape for body in model.bodies for shape in (*body.visuals, *body.collisions)
        if _names_files(shape)]
    if shapes:
        from hrdf_ros.check.files import check_files  # the import takes 2 ms
        check_files(shapes, report, resolver)


def _names_files(shape: Shape) -> bool:
    material = shape.material
    return isinstance(shape.geometry, (Mesh, Heightmap, Image)) or material is not None and bool(
        material.texture or material.assets)


def _fault(model: Model, limits: ResourceLimits) -> Optional[tuple[Code, str]]:
    """Return the code and message of the first resource limit that a Model exceeds."""
    if len(model.frames) > limits.frames:
        return codes.TOO_MANY_FRAMES, (
            f'the model has {len(model.frames)} frames; the limit is {limits.frames}')
    lengths = [len(frame.name) for frame in model.frames]
    bodies = [len(body.name) for body in model.bodies]
    if max(lengths, default=0) > limits.name_length:
        return codes.NAMES_TOO_LONG, (
            f'a frame has a name of {max(lengths)} characters; the limit is {limits.name_length}')
    total = sum(lengths) + sum(
        len(frame.source_name) + bodies[frame.body] for frame in model.frames)
    most = limits.all_names
    if isinstance(model.location, SourceRef):
        most = limits.most_names(model.location.document.size.bytes)
    if total > most:
        return codes.NAMES_TOO_LONG, (
            f'the names of all frames and of their bodies have {total} characters; the limit is '
            f'{most}')
    return None
