# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Joints of the Model: each SDFormat joint type as motions about coordinates."""

from __future__ import annotations

from collections.abc import Callable
import math
from typing import Literal, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceRef
from hrdf_ros.model import Coordinate, Motion
from hrdf_ros.pose import Z_AXIS
from hrdf_ros.readers.sdf.connect import axis_in_joint
from hrdf_ros.readers.sdf.joints import AXES_OF_TYPE, Axis, JointFacts
from hrdf_ros.readers.sdf.scopes import Item

_KINDS: dict[str, Literal['revolute', 'prismatic', 'screw']] = {
    'prismatic': 'prismatic', 'screw': 'screw'}

AddCoordinate = Callable[[Coordinate, str], int]
"""Takes a coordinate and the axis that it belongs to ('' for a ball joint), returns its index."""


def motions_of(
    joint: Item, name: str, add: AddCoordinate, report: Report,
) -> tuple[Motion, ...]:
    """Return the motions of a joint in product order, and add its coordinates."""
    facts: JointFacts = joint.detail
    tags = AXES_OF_TYPE[facts.type]
    for tag, axis in facts.axes.items():
        if tag not in tags:
            axis_in_joint(joint, axis, report)  # only for what it finds
    if facts.type == 'ball':
        location = joint.location
        indices = tuple(
            add(Coordinate(f'{name}_{axis}', 'angle', location=location), '') for axis in 'xyz')
        return (Motion('rotation_vector', Z_AXIS, indices),)
    names = (name,) if len(tags) == 1 else (f'{name}_1', f'{name}_2')
    return tuple(
        _motion(joint, tag, own, add, report) for tag, own in zip(tags, names))


def _motion(
    joint: Item, tag: str, name: str, add: AddCoordinate, report: Report,
) -> Motion:
    facts: JointFacts = joint.detail
    kind = _KINDS.get(facts.type, 'revolute')
    axis = facts.axes.get(tag)
    if axis is None:
        report.add(
            codes.AXIS_MISSING, f"joint '{joint.name}' has no <{tag}>, z is taken",
            joint.location)
    coordinate = _coordinate(facts.type, name, axis, joint.location, report)
    return Motion(
        kind, axis_in_joint(joint, axis, report) if axis is not None else Z_AXIS,
        (add(coordinate, tag),), facts.pitch / (2.0 * math.pi) if kind == 'screw' else 1.0)


def _coordinate(
    type_word: str, name: str, axis: Optional[Axis], location: SourceRef, report: Report,
) -> Coordinate:
    kind: Literal['angle', 'length'] = 'length' if type_word == 'prismatic' else 'angle'
    if axis is None:
        return Coordinate(name, kind, location=location)
    lower, upper = axis.lower, axis.upper
    if type_word == 'continuous':
        lower, upper = -math.inf, math.inf
    elif lower != lower or upper != upper:
        report.add(
            codes.NOT_FINITE, f"a limit of '{name}' is not a number, and is taken for none",
            axis.node.value_location('limit/lower' if lower != lower else 'limit/upper'),
            severity='warning')
        lower = lower if lower == lower else -math.inf
        upper = upper if upper == upper else math.inf
    return Coordinate(
        name, kind, lower, upper, axis.velocity, axis.effort, 0.0, 0.0, axis.damping,
        axis.friction, axis.spring_stiffness, axis.spring_reference, None, axis.node.location)
