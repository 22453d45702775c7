# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``<joint>``: its type, place, axis, limits, dynamics and leader."""

from __future__ import annotations

from collections.abc import Mapping
import math
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import GroupedDiagnostics, Report
from hrdf_ros.document import SourceRef
from hrdf_ros.model import Coordinate, CoordinateKind, Joint, Mimic, Motion, NONE
from hrdf_ros.parsing.suggestions import did_you_mean
from hrdf_ros.pose import AXES, Vector, X_AXIS
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.urdf.links import raw_elements, read_origin

_COORDINATES: dict[str, tuple[tuple[str, CoordinateKind], ...]] = {
    'revolute': (('', 'angle'),),
    'continuous': (('', 'angle'),),
    'prismatic': (('', 'length'),),
    'fixed': (),
    'planar': (('_x', 'length'), ('_y', 'length'), ('_rot', 'angle')),
    'floating': (
        ('_rot_x', 'angle'), ('_rot_y', 'angle'), ('_rot_z', 'angle'),
        ('_pos_x', 'length'), ('_pos_y', 'length'), ('_pos_z', 'length')),
}


def _motions(kind: str, axis: Vector, first: int) -> tuple[Motion, ...]:
    if kind in ('revolute', 'continuous'):
        return (Motion('revolute', axis, (first,)),)
    if kind == 'prismatic':
        return (Motion('prismatic', axis, (first,)),)
    if kind == 'planar':
        return _planar(axis, first)
    return _floating(first) if kind == 'floating' else ()


def _planar(normal: Vector, first: int) -> tuple[Motion, ...]:
    """
    Return two slides across the normal and a turn about it.

    For the axes x, y, z these slide along y z, z x and x y; else the first of the two is bent
    into the plane.
    """
    along = max(range(3), key=lambda index: abs(normal[index]))
    share = normal[(along + 1) % 3]
    bent = [-share * part for part in normal]
    bent[(along + 1) % 3] += 1.0
    length = sum(part * part for part in bent) ** 0.5
    x, y, z = (part / length + 0.0 for part in bent)
    a, b, c = normal
    across = (b * z - c * y + 0.0, c * x - a * z + 0.0, a * y - b * x + 0.0)
    return (
        Motion('prismatic', (x, y, z), (first,)), Motion('prismatic', across, (first + 1,)),
        Motion('revolute', normal, (first + 2,)))


def _floating(first: int) -> tuple[Motion, ...]:
    """Return three slides, then a rotation; the angles come first among the coordinates."""
    slides = tuple(
        Motion('prismatic', axis, (first + 3 + index,))
        for index, axis in enumerate(AXES))
    return (*slides, Motion('rotation_vector', X_AXIS, (first, first + 1, first + 2)))


_UNIT_TOLERANCE = 1e-4
"""Files round their axes to a few digits."""
_FULL_TURN = 6.28
_SINGLE = ('revolute', 'continuous', 'prismatic')

Parts = Mapping[str, TypedElement]
"""The child elements of a joint by tag."""


class ReadJoint(NamedTuple):
    """A joint and its coordinates; ``mimic`` is the element that names the leader."""

    joint: Joint
    coordinates: tuple[Coordinate, ...]
    mimic: Optional[TypedElement] = None


def read_joint(
    element: TypedElement, bodies: Mapping[str, int], first: int, report: Report,
    ignored: GroupedDiagnostics,
) -> Optional[ReadJoint]:
    """
    Return a joint; ``first`` is the index that its first coordinate will have.

    ``ignored`` collects the elements that exporters write into every fixed joint.

    None where its type or a link is missing or unknown, which is reported.
    """
    name, kind = element.string('name'), element.string('type')
    parts: Parts = {part.tag: part for part in reversed(element.children)}
    parent = _read_end('parent', parts, bodies, report)
    child = _read_end('child', parts, bodies, report)
    if not kind or parent is None or child is None:
        return None
    location = element.location
    axis = _read_axis(parts.get('axis'), kind, report)
    mimic = None
    if kind in _SINGLE:
        mimic = parts.get('mimic')
        coordinates: tuple[Coordinate, ...] = (
            _read_coordinate(name, kind, parts, location, report, ignored),)
    else:
        coordinates = tuple([
            Coordinate(name + suffix, of, location=location)
            for suffix, of in _COORDINATES[kind]])
        _report_without_effect(name, kind, parts, report, ignored)
    joint = Joint(
        name=name, source_name=name, type=kind, parent=parent, child=child,
        parent_from_joint=read_origin(parts.get('origin')),
        motions=_motions(kind, axis, first), extensions=raw_elements(element), location=location)
    return ReadJoint(joint, coordinates, mimic)


def _read_end(
    tag: str, parts: Parts, bodies: Mapping[str, int], report: Report,
) -> Optional[int]:
    """Return the body that a joint's parent or child names."""
    end = parts.get(tag)
    if end is None or 'link' not in end.attributes:
        return None
    name = end.string('link')
    if not name:
        report.add(codes.BAD_VALUE, f"<{tag}> attribute 'link' is empty", end.locate('link'))
        return None
    if name not in bodies:
        code = codes.JOINT_PARENT_UNKNOWN if tag == 'parent' else codes.JOINT_CHILD_UNKNOWN
        report.add(
            code, f"unknown link '{name}'", end.locate('link'),
            hint=did_you_mean(name, bodies), cause=name)
    return bodies.get(name)


def _read_axis(axis: Optional[TypedElement], kind: str, report: Report) -> Vector:
    """Return the axis at unit length; KDL, under robot_state_publisher, normalizes it too."""
    if axis is None or kind in ('fixed', 'floating'):
        return X_AXIS
    x, y, z = axis.vector3('xyz')
    length = math.hypot(x, y, z)
    if length == 0.0:
        report.add(
            codes.AXIS_ZERO, 'the axis is zero, which is not a direction; 1 0 0 is used',
            axis.locate('xyz'))
        return X_AXIS
    if abs(length - 1.0) > _UNIT_TOLERANCE:
        report.add(
            codes.AXIS_NOT_UNIT, f'the axis has the length {length!r}, not 1; it is normalized',
            axis.locate('xyz'))
    return x / length, y / length, z / length


def _read_coordinate(
    name: str, kind: str, parts: Parts, location: SourceRef, report: Report,
    ignored: GroupedDiagnostics,
) -> Coordinate:
    """Return the coordinate of a joint with its limits, dynamics and mimic."""
    lower, upper = -math.inf, math.inf
    velocity = effort = acceleration = math.inf
    damping = friction = 0.0
    limit, dynamics, mimic = parts.get('limit'), parts.get('dynamics'), parts.get('mimic')
    if limit is not None:
        velocity, effort, acceleration = (
            limit.number('velocity', math.inf), limit.number('effort', math.inf),
            limit.number('acceleration', math.inf))
        if kind == 'continuous':
            _report_limits(name, limit, report, ignored)
        else:
            lower, upper = limit.number('lower'), limit.number('upper')
    if dynamics is not None:
        damping, friction = dynamics.number('damping'), dynamics.number('friction')
    leader = None if mimic is None else Mimic(
        NONE, mimic.number('multiplier'), mimic.number('offset'))
    return Coordinate(
        name, _COORDINATES[kind][0][1], lower, upper, velocity, effort, damping=damping,
        friction=friction, acceleration=acceleration,
        mimic=leader, location=location)


def _report_limits(
    name: str, limit: TypedElement, report: Report, ignored: GroupedDiagnostics,
) -> None:
    """
    Report the position limits of a continuous joint, which has none.

    Exporters write those of a full turn, its range.
    """
    lower, upper = limit.number('lower'), limit.number('upper')
    location = limit.attribute_location('lower' if lower else 'upper')
    if upper - lower >= _FULL_TURN:
        ignored.add(
            codes.NO_EFFECT,
            'position limits of a full turn have no effect in a continuous joint', name, location,
            severity='info')
    elif lower or upper:
        report.add(
            codes.NO_EFFECT, 'a continuous joint has no position limits; ignored', location,
            hint='write type="revolute"')


def _report_without_effect(
    name: str, kind: str, parts: Parts, report: Report, ignored: GroupedDiagnostics,
) -> None:
    """Report limits and the like in a joint of a type that has none."""
    for tag in ('limit', 'dynamics', 'mimic'):
        found = parts.get(tag)
        if found is None:
            continue
        if kind == 'fixed' and tag != 'mimic':
            ignored.add(
                codes.NO_EFFECT, f'<{tag}> has no effect in a fixed joint', name, found.location,
                severity='info')
        else:
            report.add(
                codes.NO_EFFECT, f'<{tag}> has no effect in a {kind} joint', found.location)
