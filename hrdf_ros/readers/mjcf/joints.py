# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Joints of a body: motions about anchors, coordinates with the joints' own names and values."""

from __future__ import annotations

from collections.abc import Sequence
import math
from typing import NamedTuple, Optional

from hrdf_ros import codes, pose
from hrdf_ros.model import Coordinate, Motion, RawElement
from hrdf_ros.pose import compose, IDENTITY, Pose, rotate, translation, Vector, X_AXIS
from hrdf_ros.readers.mjcf.bodies import BodyNode, joint_kind
from hrdf_ros.readers.mjcf.elements import Item
from hrdf_ros.readers.mjcf.kept import left_over

_XYZ = ('x', 'y', 'z')
_FREEDOMS_OF_BODY = 6
_READ = (
    'name', 'type', 'pos', 'axis', 'limited', 'range', 'ref', 'springref', 'frictionloss',
    'armature', 'actuatorfrcrange', 'actuatorfrclimited')


class JointPart(NamedTuple):
    """
    One joint of a body; indices in ``motions`` count its own coordinates.

    ``anchor`` is in the frame of the body, None where the joint only translates.
    """

    name: str
    kind: str
    anchor: Optional[Vector]
    motions: tuple[Motion, ...]
    coordinates: tuple[Coordinate, ...]
    item: Item


class JointGroup(NamedTuple):
    """Joints of a body that turn about one anchor, as one joint of the Model."""

    parts: tuple[JointPart, ...]
    parent_from_joint: Pose
    child_from_joint: Pose


def read_joints(node: BodyNode, names: Sequence[str]) -> list[JointPart]:
    """Return the joints of a body; ``names`` are theirs, in document order."""
    parts = [
        part for item, name in zip(node.joints, names)
        if (part := _read_joint(item, name, node)) is not None]
    _check(node, parts)
    return parts


def group(parts: Sequence[JointPart], parent_from_body: Pose) -> list[JointGroup]:
    """
    Return the joints in groups that one joint of the Model can hold, in their order.

    A joint that turns about another anchor than those before it begins a new group; the first
    group carries the pose of the body in its parent.
    """
    groups: list[list[JointPart]] = []
    anchors: list[Optional[Vector]] = []
    for part in parts:
        if not groups or part.anchor is not None and anchors[-1] not in (None, part.anchor):
            groups.append([])
            anchors.append(None)
        groups[-1].append(part)
        anchors[-1] = anchors[-1] or part.anchor
    found = []
    for index, (each, at) in enumerate(zip(groups, anchors)):
        anchor = translation(*(at or (0.0, 0.0, 0.0)))
        above = IDENTITY if each[0].kind == 'free' else compose(
            IDENTITY if index else parent_from_body, anchor)
        found.append(JointGroup(tuple(each), above, anchor))
    return found


def _read_joint(item: Item, name: str, node: BodyNode) -> Optional[JointPart]:
    kind = joint_kind(item)
    stiffness = item.number('stiffness')
    coordinate = Coordinate(
        name, 'length' if kind == 'slide' else 'angle', damping=item.number('damping'),
        friction=item.number('frictionloss'), spring_stiffness=stiffness,
        armature=item.number('armature'), location=item.location)
    if kind == 'free':
        return JointPart(name, kind, None, *_free(coordinate, node.pose), item)
    anchor = pose.transform(item.frame, item.vector3('pos'))
    if kind == 'ball':
        if item.value('range', (0.0, 0.0))[0] != 0.0:
            item.add(codes.BAD_VALUE, 'the range of a ball joint begins with 0', 'range')
        return JointPart(
            name, kind, anchor, (Motion('rotation_vector', X_AXIS, (0, 1, 2)),),
            tuple(coordinate._replace(name=f'{name}_{along}') for along in _XYZ), item)
    axis = pose.normalized(rotate(item.frame, item.vector3('axis', pose.Z_AXIS)))
    if axis is None:
        item.add(codes.AXIS_ZERO, 'the axis is zero', 'axis', severity='error')
        return None
    unit = item.scope.compiler.radians if kind == 'hinge' else 1.0
    ref = item.number('ref') * unit
    lower, upper = limits(item, 'limited', 'range')
    force = limits(item, 'actuatorfrclimited', 'actuatorfrcrange')
    coordinate = coordinate._replace(
        lower=lower * unit, upper=upper * unit, effort=max(map(abs, force)), initial_position=ref,
        spring_reference=item.number('springref') * unit if stiffness else 0.0)
    motion = Motion('revolute' if kind == 'hinge' else 'prismatic', axis, (0,), offset=0.0 - ref)
    return JointPart(
        name, kind, anchor if kind == 'hinge' else None, (motion,), (coordinate,), item)


def _free(
    each: Coordinate, start: Pose,
) -> tuple[tuple[Motion, ...], tuple[Coordinate, ...]]:
    """Return a free joint: world position, then the rotation vector of its quaternion."""
    slides = [Motion('prismatic', axis, (index,)) for index, axis in enumerate(pose.AXES)]
    positions = [
        each._replace(name=f'{each.name}_pos_{along}', kind='length', initial_position=value)
        for along, value in zip(_XYZ, start.position)]
    angles = [
        each._replace(name=f'{each.name}_rot_{along}', initial_position=value)
        for along, value in zip(_XYZ, pose.rotation_vector(start))]
    return (*slides, Motion('rotation_vector', X_AXIS, (3, 4, 5))), (*positions, *angles)


def kept_of(part: JointPart) -> tuple[RawElement, ...]:
    """Return attributes that Coordinates have no place for; angles are in radians."""
    item = part.item
    unit = item.scope.compiler.radians if part.kind in ('hinge', 'ball') else 1.0
    read = [*_READ, *(
        name for name in ('stiffness', 'damping') if not any(item.numbers(name)[1:]))]
    more = []
    for switch, name, scale in (
            ('limited', 'range', unit), ('actuatorfrclimited', 'actuatorfrcrange', 1.0)):
        lower, upper = item.value(name, (0.0, 0.0))
        text = f'{lower * scale!r} {upper * scale!r}'
        if item.value(switch) == 'false' and (lower or upper):
            more += [(switch, 'false'), (name, text)]
        elif part.kind == 'ball' and name == 'range' and (
                item.value(switch) == 'true' or limits(item, switch, name)[1] < math.inf):
            more += [(switch, 'true'), (name, text)]
        elif name == 'actuatorfrcrange' and lower < upper and (
                lower != -upper or part.kind in ('ball', 'free')):
            more.append((name, text))
    reference = item.number('springref') * unit
    if reference and not item.number('stiffness'):
        more.append(('springref', repr(reference)))
    return left_over(item, part.name, read, more)


def limits(item: Item, switch: str, values: str) -> tuple[float, float]:
    """
    Return a range that is a limit, as the switch says, else wherever it has an extent.

    It is infinite where it is none. Without ``autolimits`` MuJoCo refuses a range that no switch
    is given for.
    """
    lower, upper = item.value(values, (0.0, 0.0))
    word = item.value(switch, 'auto')
    if word == 'auto' and (lower or upper) and not item.scope.compiler.autolimits:
        item.add(
            codes.MJCF_NOT_ALLOWED, f"'{values}' without '{switch}' requires autolimits", values,
            hint=f'add {switch}="true"')
    elif word == 'auto' and lower > upper:
        item.add(
            codes.LIMITS_REVERSED,
            f'the lower limit {lower!r} is above the upper {upper!r}, so it is no limit', values,
            hint='exchange them')
    elif word == 'true' and lower >= upper:
        item.add(
            codes.LIMITS_REVERSED, f'the lower limit {lower!r} is not below the upper {upper!r}',
            values, severity='error')
    elif word == 'true' or word == 'auto' and lower < upper:
        return lower, upper
    return -math.inf, math.inf


def _check(node: BodyNode, parts: Sequence[JointPart]) -> None:
    """Report combinations of joints that MuJoCo refuses."""
    if sum(len(part.coordinates) for part in parts) > _FREEDOMS_OF_BODY:
        parts[-1].item.add(
            codes.MJCF_NOT_ALLOWED, f"body '{node.name}' has more than six degrees of freedom")
    kinds = [part.kind for part in parts]
    for index, part in enumerate(parts):
        if 'ball' in kinds[:index] and part.kind in ('ball', 'hinge'):
            part.item.add(
                codes.MJCF_NOT_ALLOWED, f'a {part.kind} is not allowed behind a ball joint')
        if part.kind == 'free' and len(parts) > 1:
            part.item.add(
                codes.MJCF_NOT_ALLOWED, 'a free joint must be the only joint of its body')
