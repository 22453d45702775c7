# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The soft limits of ``<safety_controller>``, which MoveIt takes for limits of the joint."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Optional

from hrdf_ros.diagnostics import Locatable
from hrdf_ros.document import parse_again
from hrdf_ros.model import Joint, Model
from hrdf_ros.parsing.urdf import number


class SoftLimits(NamedTuple):
    """
    The limits (rad, m) that MoveIt plans within for a joint, where they are narrower than its own.

    ``coordinate`` is the index of the joint's coordinate.
    """

    joint: Joint
    coordinate: int
    lower: float
    upper: float
    location: Optional[Locatable]


def soft_limits(model: Model) -> Iterator[SoftLimits]:
    """
    Yield the limits of each joint of a URDF that its ``<safety_controller>`` narrows.

    A limit that is not written is 0. A continuous joint turns freely in MoveIt all the same.
    """
    for joint in model.joints:
        for raw in joint.extensions if joint.type in ('revolute', 'prismatic') else ():
            if raw.tag == 'safety_controller' and 'urdf' in raw.held_by:
                bounds = parse_again(raw.text).attributes
                index = joint.motions[0].coordinates[0]
                own = model.coordinates[index]
                lower, upper = (
                    number(bounds.get(f'soft_{side}_limit', '0')) for side in ('lower', 'upper'))
                if lower > own.lower or upper < own.upper:
                    yield SoftLimits(
                        joint, index, max(lower, own.lower), min(upper, own.upper), raw.location)


def with_soft_limits(model: Model) -> Model:
    """Return the Model with the limits in which MoveIt plans, where these have a position."""
    coordinates = list(model.coordinates)
    for soft in soft_limits(model):
        if soft.lower <= soft.upper:
            coordinates[soft.coordinate] = coordinates[soft.coordinate]._replace(
                lower=soft.lower, upper=soft.upper)
    return model._replace(coordinates=tuple(coordinates))
