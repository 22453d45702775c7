# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Read the motions of each type of joint, and the coordinates that move them."""

from collections.abc import Mapping, Sequence
import math
from typing import Any, Literal, NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import replacement, Report
from hrdf_ros.model import Motion
from hrdf_ros.parsing import skel
from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.pose import AXES, cross, dot, normalized, Vector, X_AXIS, Y_AXIS, Z_AXIS
from hrdf_ros.readers.schema import TypedElement

JOINT_TYPES = (
    'weld', 'revolute', 'prismatic', 'universal', 'ball', 'euler', 'translational', 'planar',
    'free', 'screw', 'translational2d')
_EXTENSIONS = ('screw', 'translational2d')
_WITHOUT_AXES = ('weld', 'ball', 'free')
"""The joint types that have no ``<axis>`` with limits and dynamics."""
_AXES = {'x': X_AXIS, 'y': Y_AXIS, 'z': Z_AXIS}
_UNIT_TOLERANCE = 1e-6
"""The deviation of an axis from unit length that counts as rounding."""

Fields = dict[str, Any]
"""The given fields of a Coordinate by name."""


MotionKind = Literal['revolute', 'prismatic', 'screw']
_SINGLE: Mapping[str, MotionKind] = {
    'revolute': 'revolute', 'prismatic': 'prismatic', 'screw': 'screw'}


class Axis(NamedTuple):
    """The motion of a coordinate, and the suffix of its name; a scale of 0 means no motion."""

    suffix: str
    kind: MotionKind
    axis: Vector
    scale: float = 1.0


def read_motions(
    kind: str, joint: Optional[TypedElement], first: int, report: Report,
) -> tuple[Sequence[str], list[Motion]]:
    """
    Return the suffixes of the coordinates of a joint, and its motions.

    ``first`` is the index of its first coordinate. Implicit joints, which have no element, are
    free.
    """
    turn = Motion('rotation_vector', X_AXIS, (first, first + 1, first + 2))
    if joint is None or kind == 'free':
        slides = [Motion('prismatic', axis, (first + 3 + at,)) for at, axis in enumerate(AXES)]
        return ('_rot_x', '_rot_y', '_rot_z', '_pos_x', '_pos_y', '_pos_z'), [*slides, turn]
    if kind == 'ball':
        return ('_x', '_y', '_z'), [turn]
    if kind in _EXTENSIONS:
        report.add(
            codes.SKEL_EXTENSION_JOINT,
            f"DART refuses joints of type '{kind}' and loses those after it",
            joint.attribute_location('type'))
    axes = _axes(kind, joint, report)
    return [found.suffix for found in axes], [
        Motion(found.kind, found.axis, (first + at,), found.scale)
        for at, found in enumerate(axes)]


def _axes(kind: str, joint: TypedElement, report: Report) -> list[Axis]:
    """Return the axis of each coordinate of a joint, in their order."""
    if kind in _SINGLE:
        axis = _axis('', _SINGLE[kind], joint, 'axis', Z_AXIS, report)
        if kind == 'screw':
            pitch = joint.section('axis').number('pitch')
            axis = axis._replace(scale=axis.scale * pitch / (2.0 * math.pi))
        return [axis]
    if kind == 'universal':
        return [_axis('_1', 'revolute', joint, 'axis', X_AXIS, report),
                _axis('_2', 'revolute', joint, 'axis2', Y_AXIS, report)]
    if kind == 'euler':
        order = joint.string('axis_order')
        return [Axis(f'_{letter}', 'revolute', _AXES[letter]) for letter in order]
    if kind == 'translational':
        return [Axis(f'_{letter}', 'prismatic', axis) for letter, axis in _AXES.items()]
    if kind == 'weld':
        return []
    first, second = plane = _plane(joint, report)
    if kind == 'planar':
        scale = first.scale * second.scale
        normal = cross(first.axis, second.axis) if scale else Z_AXIS
        plane.append(Axis('_rot', 'revolute', normal, scale))
    return plane


def _axis(
    suffix: str, kind: MotionKind, joint: TypedElement, tag: str, default: Vector, report: Report,
) -> Axis:
    """Return the axis that the joint's child element ``tag`` gives."""
    element = joint.child(tag)
    if element is None:
        report.add(
            codes.AXIS_MISSING, f'<joint> has no <{tag}>; DART uses {default}', joint.location)
        return Axis(suffix, kind, default)
    vector = element.vector3('xyz')
    axis = normalized(vector)
    if axis is None:
        _report_zero(element, report, 'error' if kind == 'screw' else None)
        return Axis(suffix, kind, default, 0.0)
    length = math.hypot(*vector)
    if joint.get('type') == 'universal' and abs(length - 1.0) > _UNIT_TOLERANCE:
        report.add(
            codes.AXIS_NOT_UNIT, f'<{tag}> has length {length!r} and is normalized; DART '
            'gives such a universal joint a different motion', element.locate('xyz'))
    return Axis(suffix, kind, axis)


def _report_zero(
    element: TypedElement, report: Report, severity: Optional[Literal['error']] = None,
) -> None:
    report.add(
        codes.AXIS_ZERO, f'<{element.tag}> has no direction; its coordinate moves nothing',
        element.value_location('xyz'), severity=severity)


def _plane(joint: TypedElement, report: Report) -> list[Axis]:
    """Return the two directions of ``<plane>``, the second made orthogonal to the first."""
    plane = joint.child('plane')
    word = 'xy' if plane is None else plane.string('type')
    if plane is None or word != 'arbitrary':
        return [Axis(f'_{letter}', 'prismatic', _AXES[letter]) for letter in word]
    vectors = [
        default if element is None else element.vector3('xyz')
        for tag, default in (('translation_axis1', X_AXIS), ('translation_axis2', Y_AXIS))
        for element in (plane.child(tag),)]
    first, second = normalized(vectors[0]), vectors[1]
    found = []
    for suffix, axis in (
            ('_1', first), ('_2', normalized(_across(second, first) if first else second))):
        if axis is None:
            _report_zero(plane, report)
        found.append(Axis(suffix, 'prismatic', axis or X_AXIS, 0.0 if axis is None else 1.0))
    return found


def _across(vector: Vector, unit: Vector) -> Vector:
    """Return the part of a vector that is orthogonal to a unit vector."""
    along = dot(vector, unit)
    x, y, z = (a - along * b for a, b in zip(vector, unit))
    if math.hypot(x, y, z) <= 1e-12 * math.hypot(*vector):
        return 0.0, 0.0, 0.0
    return x, y, z


# ---- coordinates

_FIELDS = {
    'sprint_rest_position': 'spring_reference', 'sprint_stiffness': 'spring_stiffness',
    'damping': 'damping', 'friction': 'friction', 'spring_stiffness': 'spring_stiffness',
    'spring_rest_position': 'spring_reference', 'lower': 'lower', 'upper': 'upper',
    'effort': 'effort', 'velocity': 'velocity'}
"""The field that each element in ``<axis>`` and ``<dof>`` gives; a later row overrides."""
_NOT_NEGATIVE = ('damping', 'friction', 'spring_stiffness')
_SPEC_OVER_DART = {
    'effort': 'write <dof><force .../></dof>', 'velocity': 'write <dof><velocity .../></dof>',
    'sprint_rest_position': 'write <spring_rest_position>',
    'sprint_stiffness': 'write <spring_stiffness>'}
"""Elements that SKEL's documentation has but DART does not read, and what to write instead."""


def read_coordinates(
    kind: str, joint: TypedElement, found: Sequence[Fields], report: Report,
) -> None:
    """Add the limits, dynamics and start values that a joint gives its coordinates."""
    parts = {part.tag: part for part in reversed(joint.children)}
    for fields, tag in zip(found, ('axis', 'axis2', 'axis3')):
        axis = parts.get(tag) if kind not in _WITHOUT_AXES else None
        if axis is not None:
            groups = (axis, axis.child('dynamics'), axis.child('limit'))
            _read_fields({
                part.tag: part for group in groups if group is not None
                for part in group.children}, fields, report)
    for tag, field in (('init_pos', 'initial_position'), ('init_vel', 'initial_velocity')):
        if found and tag in parts:  # a weld has no coordinate, so its text is not read
            for fields, value in zip(found, parts[tag].numbers()):
                fields[field] = value
    for dof in joint.all('dof') if 'dof' in parts else ():
        index = _dof_index(dof, len(found), report)
        if index is not None:
            _read_dof(dof, found[index], report)


def _read_fields(parts: Mapping[str, TypedElement], fields: Fields, report: Report) -> None:
    """Add the values of elements to the fields; negative dynamics count as 0, as in DART."""
    for tag, field in _FIELDS.items():
        part = parts.get(tag)
        if part is None or part.value is None:
            continue
        value = part.value
        if tag in _SPEC_OVER_DART:
            report.add(
                codes.SKEL_SPEC_OVER_DART,
                f"<{tag}> is read as the format's text has it; DART does not read it",
                part.location, hint=_SPEC_OVER_DART[tag], fix=replacement(
                    tag, tag.replace('sprint', 'spring'), part.location)
                if tag.startswith('sprint') else None)
        if value < 0.0 and field in _NOT_NEGATIVE:
            report.add(
                codes.SKEL_NEGATIVE_DYNAMICS, f'<{tag}> is negative; DART uses 0',
                part.text_location())
            value = 0.0
        fields[field] = abs(value) if field in ('effort', 'velocity') else value


def _dof_index(dof: TypedElement, count: int, report: Report) -> Optional[int]:
    """Return the index of the coordinate of a ``<dof>``, None for one that DART discards."""
    text = dof.get('local_index')
    if text is None and count == 1:
        return 0
    try:
        index = -1 if text is None else int(skel.number(text).values[0])
    except ValueSyntaxError:
        index = -1
    if 0 <= index < count:
        return index
    if index < -1:
        report.add(
            codes.BAD_VALUE, f'a local_index of {index} makes DART crash',
            dof.attribute_location('local_index'))
    else:
        report.add(
            codes.SKEL_DOF_DISCARDED, 'the <dof> is not read: its joint has '
            f'{count} coordinates, and its local_index is {text or "missing"}',
            dof.attribute_location('local_index', 0))
    return None


def _read_dof(dof: TypedElement, fields: Fields, report: Report) -> None:
    """Add the values of a ``<dof>`` to the fields of its coordinate."""
    fields.update(name=dof.string('name') or fields['name'], location=dof.location)
    _read_fields({part.tag: part for part in dof.children}, fields, report)
    for tag, start in (
            ('position', 'initial_position'), ('velocity', 'initial_velocity'), ('force', '')):
        part = dof.child(tag)
        given = {} if part is None else {
            name: value for name, value in part.values.items() if value is not None}
        if start and 'initial' in given:
            fields[start] = given['initial']
        if tag == 'position':
            fields.update({name: given[name] for name in ('lower', 'upper') if name in given})
        elif part is not None:
            field = 'effort' if tag == 'force' else tag
            fields[field] = _magnitude(part, fields.get(field, math.inf), report)


def _magnitude(element: TypedElement, inherited: float, report: Report) -> float:
    """Return the greater magnitude of ``lower`` and ``upper``; report if they differ."""
    lower, upper = element.number('lower', -inherited), element.number('upper', inherited)
    if -lower != upper:
        report.add(
            codes.SKEL_ONE_SIDED_LIMIT,
            f'of the limits {lower!r} and {upper!r} of <{element.tag}> only the greater '
            'magnitude is preserved',
            element.locate('lower' if 'lower' in element.attributes else 'upper'))
    return max(abs(lower), abs(upper))
