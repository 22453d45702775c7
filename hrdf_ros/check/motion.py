# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Rules on how joints move: axes, scales, limits, mimics."""

from __future__ import annotations

from math import hypot, inf
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Locatable, Report, value_location
from hrdf_ros.model import Joint, Model
from hrdf_ros.topology import Topology

_UNIT_TOLERANCE = 1e-6
_WITHOUT_LIMITS = ('hrdf',)
"""Formats that have no way to say a limit."""


def check_axes(model: Model, _: Topology, report: Report) -> None:
    """Find axes that are zero or not of unit length."""
    for joint in model.joints:
        for motion in joint.motions:
            length = hypot(*motion.axis)
            if motion.kind == 'rotation_vector' or abs(length - 1.0) <= _UNIT_TOLERANCE:
                continue
            if length == 0.0:
                report.add(
                    codes.AXIS_ZERO, f"the axis of joint '{joint.name}' is zero: it cannot move",
                    _axis_place(joint))
            else:
                report.add(
                    codes.AXIS_NOT_UNIT,
                    f"the axis of joint '{joint.name}' has the length {length!r}, not 1",
                    _axis_place(joint))


def _axis_place(joint: Joint) -> Optional[Locatable]:
    """Return the place of the axis; of several the joint's."""
    return value_location(joint.location, 'axis') if len(joint.motions) == 1 else joint.location


def check_scales(model: Model, _: Topology, report: Report) -> None:
    """Find coordinates that move nothing because they are multiplied by zero."""
    for joint in model.joints:
        for motion in joint.motions:
            if motion.scale == 0.0 and motion.kind != 'screw':
                report.add(
                    codes.SCALE_ZERO, f"the ratio of joint '{joint.name}' is zero: it cannot move",
                    joint.location)


def check_limits(model: Model, _: Topology, report: Report) -> None:
    """Find limits that are reversed, and single prismatic joints that have none at all."""
    for coordinate in model.coordinates:
        if coordinate.lower > coordinate.upper:
            report.add(
                codes.LIMITS_REVERSED,
                f"coordinate '{coordinate.name}' has the lower limit {coordinate.lower!r} above "
                f'its upper limit {coordinate.upper!r}',
                value_location(coordinate.location, 'lower', 'upper'),
            )
    if model.format in _WITHOUT_LIMITS:
        return
    for joint in model.joints:
        if len(joint.motions) == 1 and joint.motions[0].kind == 'prismatic':
            coordinate = model.coordinates[joint.motions[0].coordinates[0]]
            if coordinate.lower == -inf and coordinate.upper == inf and not coordinate.mimic:
                report.add(
                    codes.LIMITS_MISSING, f"joint '{joint.name}' is prismatic and has no limits",
                    joint.location or coordinate.location)


def check_mimics(model: Model, _: Topology, report: Report) -> None:
    """Find coordinates that follow themselves, directly or through others; once a cycle."""
    known: set[int] = set()
    for start, coordinate in enumerate(model.coordinates):
        trail: dict[int, None] = {}
        index = start
        while index not in known and index not in trail:
            trail[index] = None
            mimic = model.coordinates[index].mimic
            if mimic is None:
                break
            index = mimic.leader
        else:
            if index in trail:
                report.add(
                    codes.MIMIC_CYCLE,
                    f"coordinate '{coordinate.name}' mimics itself through its leaders",
                    value_location(coordinate.location, 'mimic'))
        known.update(trail)
