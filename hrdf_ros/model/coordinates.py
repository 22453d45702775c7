# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The numbers of a configuration, and the motions that they move joints by."""

import math
from typing import Literal, NamedTuple, Optional

from hrdf_ros.diagnostics import Locatable
from hrdf_ros.model.shapes import brief
from hrdf_ros.pose import Vector

CoordinateKind = Literal['angle', 'length']


class Mimic(NamedTuple):
    """A coordinate that follows another: ``q = multiplier * q_leader + offset``."""

    leader: int
    multiplier: float = 1.0
    offset: float = 0.0


class Coordinate(NamedTuple):
    """
    One number of the configuration.

    ``kind`` says radians or meters; limits are infinite where there are none; ``velocity``,
    ``effort``, ``acceleration``, ``deceleration`` and ``jerk`` are the maximum magnitudes.
    ``initial_position`` is its value at the start; one that follows another starts where its
    leader takes it.
    """

    name: str
    kind: CoordinateKind
    lower: float = -math.inf
    upper: float = math.inf
    velocity: float = math.inf
    effort: float = math.inf
    initial_position: float = 0.0
    initial_velocity: float = 0.0
    damping: float = 0.0
    friction: float = 0.0
    spring_stiffness: float = 0.0
    spring_reference: float = 0.0
    armature: float = 0.0
    acceleration: float = math.inf
    deceleration: float = math.inf
    jerk: float = math.inf
    mimic: Optional[Mimic] = None
    location: Optional[Locatable] = None

    def __repr__(self) -> str:
        return brief(self)


_UNLIMITED = 1e16
"""The magnitude, in the unit of the limit, at which and above which it means no limit."""


def without_huge_limits(coordinate: Coordinate) -> Coordinate:
    """Return a coordinate whose finite limits of 1e16 and more, which mean none, are infinite."""
    lower, upper = coordinate.lower, coordinate.upper
    velocity, effort = coordinate.velocity, coordinate.effort
    if not (_UNLIMITED <= abs(lower) < math.inf or _UNLIMITED <= abs(upper) < math.inf
            or _UNLIMITED <= abs(velocity) < math.inf or _UNLIMITED <= abs(effort) < math.inf):
        return coordinate
    lower, upper, velocity, effort = (
        none if _UNLIMITED <= abs(limit) < math.inf else limit
        for limit, none in (
            (lower, -math.inf), (upper, math.inf), (velocity, math.inf), (effort, math.inf)))
    return coordinate._replace(lower=lower, upper=upper, velocity=velocity, effort=effort)


class Motion(NamedTuple):
    """
    One factor in the product of a joint's motions.

    ``axis`` is a unit vector in the joint frame. With ``d = scale * q + offset``:

    - ``revolute``: rotation by d about the axis
    - ``prismatic``: translation by d along the axis
    - ``screw``: rotation by q about the axis and translation by d along it
    - ``rotation_vector``: rotation exp([d]) by three coordinates; the axis is not used
    """

    kind: Literal['revolute', 'prismatic', 'screw', 'rotation_vector']
    axis: Vector
    coordinates: tuple[int, ...]
    scale: float = 1.0
    offset: float = 0.0
