# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Coordinates of joints that follow others: limits seen through a scale and an offset."""

from __future__ import annotations

import math

from hrdf_ros.model import Coordinate, Mimic


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
