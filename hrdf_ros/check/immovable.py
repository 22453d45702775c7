# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Rules on joints that cannot move, because their limits leave them no way to."""

from __future__ import annotations

from collections.abc import Iterator

from hrdf_ros import codes
from hrdf_ros.check.grouping import Found, report_items
from hrdf_ros.diagnostics import Report, value_location
from hrdf_ros.model import Coordinate, Model
from hrdf_ros.topology import Topology


def check_immovable(model: Model, _: Topology, report: Report) -> None:
    """Find joints whose limits are one position, and motors without effort or velocity."""
    report_items(
        codes.LIMITS_EQUAL, 'limits of joint', [*_equal_limits(model)], report,
        hint='write type="fixed" where it is to stay, else both limits')
    for field in ('effort', 'velocity'):
        report_items(
            codes.LIMIT_ZERO, f'{field} limit of joint', [*_zeros(model, field)], report,
            hint='write what the motor has; simulators and planners take 0 at its word')


def _single_axes(model: Model) -> Iterator[Coordinate]:
    """Yield the coordinates of joints with one axis that follow no other joint."""
    for joint in model.joints:
        if len(joint.motions) == 1 and joint.motions[0].kind != 'rotation_vector':
            coordinate = model.coordinates[joint.motions[0].coordinates[0]]
            if coordinate.mimic is None:
                yield coordinate


def _equal_limits(model: Model) -> Iterator[Found]:
    for coordinate in _single_axes(model):
        if coordinate.lower == coordinate.upper:
            yield Found(
                coordinate.name, f'are both {coordinate.lower!r}: it cannot move',
                value_location(coordinate.location, 'lower', 'upper'))


def _zeros(model: Model, field: str) -> Iterator[Found]:
    """Yield the joints that could move, and have a limit of effort or velocity that is 0."""
    for coordinate in _single_axes(model):
        if getattr(coordinate, field) == 0.0 and coordinate.lower != coordinate.upper:
            yield Found(
                coordinate.name, 'is 0: nothing moves it',
                value_location(coordinate.location, field))
