# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Joints of a body: motions about anchors, coordinates with the joints' own names and values."""

from __future__ import annotations

from collections.abc import Sequence
import math
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.model import Coordinate, Motion, RawElement
from hrdf_ros.pose import (
    AXES,
    compose,
    IDENTITY,
    normalized,
    Pose,
    rotate,
    rotation_vector,
    transform,
    translation,
    Vector,
    X_AXIS,
    Z_AXIS,
)
from hrdf_ros.readers.mjcf.bodies import BodyNode, Item, joint_kind
from hrdf_ros.readers.mjcf.kept import left_over

_XYZ = ('x', 'y', 'z')
_FREEDOMS_OF_BODY = 6
_READ = (
    'name', 'type', 'pos', 'axis', 'limited', 'range', 'ref', 'springref', 'frictionloss',
    'armature', 'actuatorfrcrange', 'actuatorfrclimited')
_TURNS = ('ball', 'hinge')


class JointPart(NamedTuple):
    """
    One joint of a body; indices in ``motions`` count its own coordinates.

    ``anchor`` is in the frame of the body, None where the joint only translates; ``ref`` is its
    position in the initial configuration.
    """

    name: str
    kind: str
    anchor: Optional[Vector]
    motions: tuple[Motion, ...]
    coordinates: tuple[Coordinate, ...]
    item: Item
    ref: float = 0.0


class JointGroup(NamedTuple):
    """Joints of a body that turn about one anchor, as one joint of the Model."""

    parts: tuple[JointPart, ...]
    parent_from_joint: Pose
    child_from_joint: Pose


def read_joints(node: BodyNode, named: Sequence[str], report: Report) -> list[JointPart]:
    """Return the joints of a body; ``named`` are their names, in document order."""
    parts = [
        part for item, name in zip(node.all('joint', 'freejoint'), named)
        if (part := _read_joint(item, name, node, report)) is not None]
    _check(node, parts, report)
    return parts


def group(parts: Sequence[JointPart], pose: Pose) -> list[JointGroup]:
    """
    Return the joints in groups that one joint of the Model can hold, in their order.

    A joint that turns about another anchor than those before it begins a new group; the first
    group carries the ``pose`` of the body in its parent.
    """
    groups: list[list[JointPart]] = []
    for part in parts:
        if not groups or part.anchor is not None and _anchor(groups[-1]) not in (
                None, part.anchor):
            groups.append([])
        groups[-1].append(part)
    found = []
    for index, each in enumerate(groups):
        anchor = translation(*(_anchor(each) or (0.0, 0.0, 0.0)))
        above = IDENTITY if each[0].kind == 'free' else compose(
            IDENTITY if index else pose, anchor)
        found.append(JointGroup(tuple(each), above, anchor))
    return found


def _anchor(parts: Sequence[JointPart]) -> Optional[Vector]:
    return next((part.anchor for part in parts if part.anchor is not None), None)


def _read_joint(item: Item, name: str, node: BodyNode, report: Report) -> Optional[JointPart]:
    element = item.element
    kind = joint_kind(item)
    stiffness = element.number('stiffness')
    coordinate = Coordinate(
        name, 'length' if kind == 'slide' else 'angle', damping=element.number('damping'),
        friction=element.number('frictionloss'), spring_stiffness=stiffness,
        armature=element.number('armature'), location=element.element.location)
    if kind == 'free':
        return JointPart(name, kind, None, *_free(coordinate, node.pose), item)
    anchor = transform(item.pose, element.vector3('pos'))
    if kind == 'ball':
        if element.value('range', (0.0, 0.0))[0] != 0.0:
            report.add(
                codes.BAD_VALUE, 'the range of a ball joint begins with 0',
                element.locate('range'))
        return JointPart(name, kind, anchor, *_ball(coordinate), item)
    axis = normalized(rotate(item.pose, element.vector3('axis', Z_AXIS)))
    if axis is None:
        report.add(codes.AXIS_ZERO, 'the axis is zero', element.locate('axis'), severity='error')
        return None
    unit = item.scope.compiler.radians if kind == 'hinge' else 1.0
    ref = element.number('ref') * unit
    lower, upper = _range(item, unit, report)
    coordinate = coordinate._replace(
        lower=lower, upper=upper, effort=_force_range(item, report), initial_position=ref,
        spring_reference=element.number('springref') * unit if stiffness else 0.0)
    motion = Motion(
        'revolute' if kind == 'hinge' else 'prismatic', axis, (0,), offset=0.0 - ref)
    return JointPart(
        name, kind, anchor if kind == 'hinge' else None, (motion,), (coordinate,), item, ref)


def _free(
    each: Coordinate, pose: Pose,
) -> tuple[tuple[Motion, ...], tuple[Coordinate, ...]]:
    """Return a free joint: world position, then the rotation vector of its quaternion."""
    slides = [Motion('prismatic', axis, (index,)) for index, axis in enumerate(AXES)]
    positions = [
        each._replace(name=f'{each.name}_pos_{along}', kind='length', initial_position=value)
        for along, value in zip(_XYZ, pose.position)]
    angles = [
        each._replace(name=f'{each.name}_rot_{along}', initial_position=value)
        for along, value in zip(_XYZ, rotation_vector(pose))]
    return (*slides, Motion('rotation_vector', X_AXIS, (3, 4, 5))), (*positions, *angles)


def _ball(each: Coordinate) -> tuple[tuple[Motion, ...], tuple[Coordinate, ...]]:
    return (Motion('rotation_vector', X_AXIS, (0, 1, 2)),), tuple(
        each._replace(name=f'{each.name}_{along}') for along in _XYZ)


def kept_of(part: JointPart, report: Report) -> tuple[RawElement, ...]:
    """Return attributes that Coordinates have no place for; angles are in radians."""
    element, unit = part.item.element, part.item.scope.compiler.radians
    lower, upper = element.value('actuatorfrcrange', (0.0, 0.0))
    read = [*_READ, *(
        name for name in ('stiffness', 'damping') if not any(element.numbers(name)[1:]))]
    if part.kind == 'ball' and is_limited(part.item, 'limited', 'range', report):
        angle = element.value('range', (0.0, 0.0))[1] * unit
        return left_over(
            part.item, part.name, read, [('limited', 'true'), ('range', f'0 {angle!r}')])
    more = []
    reference = element.number('springref') * (unit if part.kind == 'hinge' else 1.0)
    if reference and not element.number('stiffness'):
        more.append(('springref', repr(reference)))
    if part.coordinates[0].effort < math.inf and lower != -upper:
        more.append(('actuatorfrcrange', f'{lower!r} {upper!r}'))
    return left_over(part.item, part.name, read, more)


def _range(item: Item, unit: float, report: Report) -> tuple[float, float]:
    """Return the limits of a hinge or slide, infinite where it is not limited."""
    element = item.element
    lower, upper = element.value('range', (0.0, 0.0))
    if not is_limited(item, 'limited', 'range', report):
        return -math.inf, math.inf
    if lower >= upper:
        report.add(
            codes.LIMITS_REVERSED, f'the lower limit {lower!r} is not below the upper {upper!r}',
            element.locate('range'), severity='error')
    return lower * unit, upper * unit


def _force_range(item: Item, report: Report) -> float:
    """Return the maximum force or torque of all actuators of a joint, infinite without one."""
    if not is_limited(item, 'actuatorfrclimited', 'actuatorfrcrange', report):
        return math.inf
    lower, upper = item.element.value('actuatorfrcrange', (0.0, 0.0))
    if lower >= upper:
        report.add(
            codes.BAD_VALUE, f'the minimum {lower!r} is not below the maximum {upper!r}',
            item.element.locate('actuatorfrcrange'))
    force: float = max(abs(lower), abs(upper))
    return force


def is_limited(item: Item, switch: str, values: str, report: Report) -> bool:
    """
    Return whether a range is a limit: as the switch says, else wherever it has an extent.

    Without ``autolimits`` MuJoCo refuses a range that no switch is given for.
    """
    word = item.element.value(switch, 'auto')
    if word != 'auto':
        return bool(word == 'true')
    lower, upper = item.element.value(values, (0.0, 0.0))
    if lower > upper:
        report.add(
            codes.LIMITS_REVERSED,
            f'the lower limit {lower!r} is above the upper {upper!r}, so it is no limit',
            item.element.locate(values), hint='exchange them')
    given: bool = lower < upper
    if (lower or upper) and not item.scope.compiler.autolimits:
        report.add(
            codes.MJCF_NOT_ALLOWED, f"'{values}' without '{switch}' requires autolimits",
            item.element.locate(values), hint=f'add {switch}="true"')
        return False
    return given


def _check(node: BodyNode, parts: Sequence[JointPart], report: Report) -> None:
    """Report combinations of joints that MuJoCo refuses."""
    if sum(len(part.coordinates) for part in parts) > _FREEDOMS_OF_BODY:
        report.add(
            codes.MJCF_NOT_ALLOWED, f"body '{node.name}' has more than six degrees of freedom",
            parts[-1].item.element.element.location)
    has_ball = False
    for part in parts:
        if has_ball and part.kind in _TURNS:
            report.add(
                codes.MJCF_NOT_ALLOWED, f'a {part.kind} is not allowed behind a ball joint',
                part.item.element.element.location)
        has_ball = has_ball or part.kind == 'ball'
        if part.kind == 'free' and len(parts) > 1:
            report.add(
                codes.MJCF_NOT_ALLOWED, 'a free joint must be the only joint of its body',
                part.item.element.element.location)
