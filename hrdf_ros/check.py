# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Rules over the Model, the same for every format."""

from __future__ import annotations

from collections.abc import Callable

from hrdf_ros.model import Model
from hrdf_ros.report import Report

Rule = Callable[[Model, Report], None]

RULES: tuple[Rule, ...] = ()


def check_model(model: Model, report: Report) -> None:
    """Run every rule and add what it finds."""
    for rule in RULES:
        rule(model, report)
