# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Coordinates and motions in a target: names, scaled limits, coordinates that follow others."""

from __future__ import annotations

from collections.abc import Sequence
import math

from hrdf_ros import codes
from hrdf_ros.diagnostics import GroupedDiagnostics
from hrdf_ros.model import Coordinate, Joint, Mimic, Motion
from hrdf_ros.pose import opposite


def has_own_value(joint: Joint, coordinates: Sequence[Coordinate]) -> bool:
    """Return whether a joint of the tree has one axis and the value of its coordinate."""
    return len(joint.motions) == 1 and joint.motions[0].kind != 'rotation_vector' and (
        joint.name == coordinates[joint.motions[0].coordinates[0]].name)


def forwards(motion: Motion) -> Motion:
    """Return a motion whose value is its coordinate's: a scale of -1 turns the axis round."""
    if motion.kind == 'screw' or motion.scale >= 0.0:
        return motion
    return motion._replace(axis=opposite(motion.axis), scale=1.0, offset=-motion.offset)


def name_after(
    coordinates: list[Coordinate], indices: Sequence[int], names: Sequence[str], joint: Joint,
    notes: GroupedDiagnostics,
) -> None:
    """Name the coordinates of a joint of several axes after it."""
    for index, name in zip(indices, names):
        if coordinates[index].name != name:
            notes.add(
                codes.NAME_CHANGED,
                'coordinates of a joint of several axes are named after the joint',
                f'{coordinates[index].name} -> {name}', joint.location, severity='info')
            coordinates[index] = coordinates[index]._replace(name=name)


def scaled(coordinate: Coordinate, scale: float, offset: float = 0.0) -> Coordinate:
    """Return the limits of ``scale * q + offset`` in place of the coordinate's own."""
    if scale == 0.0:
        return coordinate._replace(
            lower=offset, upper=offset, velocity=math.inf, effort=math.inf)
    lower, upper = scale * coordinate.lower + offset, scale * coordinate.upper + offset
    if scale < 0.0:
        lower, upper = upper, lower
    return coordinate._replace(
        lower=lower, upper=upper, velocity=coordinate.velocity * abs(scale),
        effort=coordinate.effort / abs(scale))


def follower(
    coordinate: Coordinate, name: str, angular: bool, mimic: Mimic,
) -> Coordinate:
    """Return the coordinate of a joint that mimics a coordinate: its limits, no dynamics."""
    own = scaled(coordinate, mimic.multiplier, mimic.offset)
    return Coordinate(
        name, 'angle' if angular else 'length', lower=own.lower, upper=own.upper,
        velocity=own.velocity, effort=own.effort, mimic=mimic, location=coordinate.location)
