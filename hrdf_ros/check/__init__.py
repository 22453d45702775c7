# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Rules over the Model, the same for every format.

A rule says what is wrong with a description that its reader accepted. Where the format's
reference implementation accepts it too, the rule warns at most.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Optional

from hrdf_ros.check.connection import check_loops, check_massless_groups, check_unreachable
from hrdf_ros.check.files import check_files
from hrdf_ros.check.finite import check_finite
from hrdf_ros.check.inertia import check_inertia, check_mass
from hrdf_ros.check.motion import check_axes, check_limits, check_mimics, check_scales
from hrdf_ros.check.names import check_names
from hrdf_ros.check.plausibility import check_plausibility
from hrdf_ros.check.size import is_within_limits
from hrdf_ros.diagnostics import Report
from hrdf_ros.limits import ResourceLimits
from hrdf_ros.model import Model
from hrdf_ros.resolve import Resolver
from hrdf_ros.topology import span, Topology

ModelRule = Callable[[Model, Topology, Report], None]

RULES: tuple[ModelRule, ...] = (
    check_names,
    check_finite,
    check_mass,
    check_inertia,
    check_plausibility,
    check_axes,
    check_scales,
    check_limits,
    check_mimics,
    check_unreachable,
    check_loops,
    check_massless_groups,
)


def check_model(
    model: Model, report: Report, limits: ResourceLimits = ResourceLimits(),
    resolver: Optional[Resolver] = None,
) -> None:
    """
    Run every rule and add what it finds; a model beyond the resource limits is not checked.

    ``resolver`` is what has looked for the files of the model.
    """
    if not is_within_limits(model, report, limits):
        return
    topology = span(model)
    for rule in RULES:
        rule(model, topology, report)
    check_files(model, report, resolver)
