# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Coordinates and motions as a target has them: named, scaled, and made to follow others."""

from __future__ import annotations

from collections.abc import Sequence
import math

from hrdf_ros import codes
from hrdf_ros.listing import GroupedDiagnostics
from hrdf_ros.model import Coordinate, Joint, Mimic, Motion
from hrdf_ros.pose import opposite


def of_coordinate(motion: Motion, coordinate: Coordinate) -> Motion:
    """Return the displacement along or about a motion's axis by the coordinate's value."""
    return motion._replace(
        kind='revolute' if coordinate.kind == 'angle' else 'prismatic', scale=1.0, offset=0.0)


def forwards(motion: Motion) -> Motion:
    """Return a motion with a positive scale: a scale of -1 reverses the axis."""
    if motion.kind == 'screw' or motion.scale >= 0.0:
        return motion
    return motion._replace(axis=opposite(motion.axis), scale=1.0, offset=-motion.offset)


def name_after(
    coordinates: list[Coordinate], indices: Sequence[int], names: Sequence[str], joint: Joint,
    notes: GroupedDiagnostics,
) -> None:
    """Name the coordinates of a joint of several axes after the joint."""
    for index, name in zip(indices, names):
        if coordinates[index].name != name:
            notes.add(
                codes.NAME_CHANGED,
                'coordinates of a joint of several axes are named after the joint',
                f'{coordinates[index].name} -> {name}', joint.location, severity='info')
            coordinates[index] = coordinates[index]._replace(name=name)


def note_joint_name(
    joint: Joint, coordinates: Sequence[Coordinate], notes: GroupedDiagnostics,
) -> None:
    """Note a joint of one axis whose coordinate has another name, which the target gives it."""
    if len(joint.motions) == 1 and joint.motions[0].kind != 'rotation_vector':
        name = coordinates[joint.motions[0].coordinates[0]].name
        if name != joint.name:
            notes.add(
                codes.NAME_CHANGED, 'a joint of one axis is named after its coordinate',
                f'{joint.name} -> {name}', joint.location, severity='info')


def scaled(coordinate: Coordinate, scale: float, offset: float = 0.0) -> Coordinate:
    """Return the coordinate with the limits of ``scale * q + offset`` in place of its own."""
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
    """Return the coordinate, without dynamics, of a joint that mimics another coordinate."""
    own = scaled(coordinate, mimic.multiplier, mimic.offset)
    return Coordinate(
        name, 'angle' if angular else 'length', lower=own.lower, upper=own.upper,
        velocity=own.velocity, effort=own.effort, mimic=mimic, location=coordinate.location)
