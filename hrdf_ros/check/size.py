# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""How large a Model may be: what all later work and all output depend on."""

from __future__ import annotations

from typing import Optional

from hrdf_ros import codes
from hrdf_ros.codes import Code
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceRef
from hrdf_ros.limits import ResourceLimits
from hrdf_ros.model import Model


def is_within_limits(model: Model, report: Report, limits: ResourceLimits) -> bool:
    """Tell whether a Model keeps to the resource limits; report the first that it exceeds."""
    fault = _fault(model, limits)
    if fault is not None:
        report.add(*fault, model.location)
    return fault is None


def _fault(model: Model, limits: ResourceLimits) -> Optional[tuple[Code, str]]:
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
