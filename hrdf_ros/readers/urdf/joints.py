# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Read ``<joint>``: its motions, and the limits, dynamics and leader of its coordinate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
import math
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.listing import GroupedDiagnostics
from hrdf_ros.model import Coordinate, Joint, Mimic, Motion
from hrdf_ros.parsing.suggestions import did_you_mean
from hrdf_ros.pose import AXES, cross, Vector, X_AXIS
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.urdf.links import raw_elements, read_origin, report_duplicate

_SUFFIXES: Mapping[str, Sequence[str]] = {
    'planar': ('_x', '_y', '_rot'),
    'floating': ('_rot_x', '_rot_y', '_rot_z', '_pos_x', '_pos_y', '_pos_z')}
"""The suffixes of the names of coordinates in joints that have several."""
_SINGLE = ('revolute', 'continuous', 'prismatic')
_UNIT_TOLERANCE = 1e-4
"""
The deviation of an axis from unit length that counts as rounding, since files have a few digits.
"""
_FULL_TURN = 6.28
"""The radians of a full turn as exporters round them."""

Parts = Mapping[str, TypedElement]
"""The child elements of an element by tag."""


class JointReader:
    """
    The tables of a robot's joints and coordinates, which grow joint by joint.

    ``bodies`` are the indices of the links by name.
    """

    def __init__(self, bodies: Mapping[str, int], report: Report) -> None:
        self.bodies = bodies
        self.report = report
        self.joints: dict[str, Joint] = {}
        self.coordinates: list[Coordinate] = []
        self._mimics: list[tuple[int, TypedElement]] = []
        self._ignored = GroupedDiagnostics()
        """The elements without effect that exporters write into every fixed joint."""

    def add(self, element: TypedElement) -> None:
        """Read a joint; report and leave out one whose type or link is missing or unknown."""
        name, kind = element.string('name'), element.string('type')
        parts: Parts = {part.tag: part for part in reversed(element.children)}
        parent = self._end('parent', parts.get('parent'))
        child = self._end('child', parts.get('child'))
        if not kind or parent is None or child is None:
            return
        if name in self.joints:
            report_duplicate(element, self.report)
            return
        first, location = len(self.coordinates), element.location
        motions = _motions(kind, self._axis(parts.get('axis'), kind), first)
        if kind in _SINGLE:
            self.coordinates.append(self._coordinate(name, kind, parts, element))
        else:
            self._report_without_effect(name, kind, parts)
            lengths = {motion.coordinates[0] for motion in motions if motion.kind == 'prismatic'}
            self.coordinates += [
                Coordinate(
                    name + suffix, 'length' if at in lengths else 'angle', location=location)
                for at, suffix in enumerate(_SUFFIXES.get(kind, ()), first)]
        self.joints[name] = Joint(
            name, name, kind, parent, child, read_origin(parts.get('origin')), motions=motions,
            extensions=raw_elements(element), location=location)

    def finish(self) -> None:
        """Find the coordinates of leaders; urdfdom does not check whether they exist."""
        for follower, element in self._mimics:
            name = element.string('joint')
            leader = self.joints.get(name)
            mimic = None
            if leader is not None and len(leader.motions) == 1:
                mimic = Mimic(
                    leader.motions[0].coordinates[0], element.number('multiplier'),
                    element.number('offset'))
            else:
                self.report.add(
                    codes.MIMIC_INVALID,
                    f"there is no joint of one axis named '{name}'; this one moves on its own",
                    element.locate('joint'), hint=did_you_mean(name, self.joints), cause=name)
            self.coordinates[follower] = self.coordinates[follower]._replace(mimic=mimic)
        self._ignored.into(self.report)

    def _end(self, tag: str, end: Optional[TypedElement]) -> Optional[int]:
        """Return the body that a joint's parent or child names."""
        name = None if end is None else end.get('link')
        if end is None or name is None:
            return None
        if not name:
            self.report.add(
                codes.BAD_VALUE, f"<{tag}> attribute 'link' is empty", end.locate('link'))
        elif name not in self.bodies:
            code = codes.JOINT_PARENT_UNKNOWN if tag == 'parent' else codes.JOINT_CHILD_UNKNOWN
            self.report.add(
                code, f"unknown link '{name}'", end.locate('link'),
                hint=did_you_mean(name, self.bodies), cause=name)
        return self.bodies.get(name)

    def _axis(self, axis: Optional[TypedElement], kind: str) -> Vector:
        """Return the axis at unit length; KDL in robot_state_publisher normalizes it, too."""
        if axis is None or kind in ('fixed', 'floating'):
            return X_AXIS
        x, y, z = axis.vector3('xyz')
        length = math.hypot(x, y, z)
        if length == 0.0:
            self.report.add(
                codes.AXIS_ZERO, 'the axis is zero, which is not a direction; 1 0 0 is used',
                axis.locate('xyz'))
            return X_AXIS
        if abs(length - 1.0) > _UNIT_TOLERANCE:
            self.report.add(
                codes.AXIS_NOT_UNIT,
                f'the axis has the length {length!r}, not 1; it is normalized', axis.locate('xyz'))
        return x / length, y / length, z / length

    def _coordinate(
        self, name: str, kind: str, parts: Parts, element: TypedElement,
    ) -> Coordinate:
        """Return the coordinate of a joint of one axis with its limits and dynamics."""
        lower, upper = -math.inf, math.inf
        velocity = effort = acceleration = deceleration = jerk = math.inf
        damping = friction = 0.0
        limit, dynamics = parts.get('limit'), parts.get('dynamics')
        if 'mimic' in parts:
            self._mimics.append((len(self.coordinates), parts['mimic']))
        if limit is not None:
            velocity, effort, acceleration, deceleration, jerk = (
                limit.number(name, math.inf)
                for name in ('velocity', 'effort', 'acceleration', 'deceleration', 'jerk'))
            if kind == 'continuous':
                self._report_limits(name, limit)
            else:
                lower, upper = limit.number('lower'), limit.number('upper')
        if dynamics is not None:
            damping, friction = dynamics.number('damping'), dynamics.number('friction')
        return Coordinate(
            name, 'length' if kind == 'prismatic' else 'angle', lower, upper, velocity, effort,
            damping=damping, friction=friction, acceleration=acceleration,
            deceleration=deceleration, jerk=jerk,
            location=element.location)

    def _report_limits(self, name: str, limit: TypedElement) -> None:
        """
        Report the position limits of a continuous joint, in which they have no effect.

        Limits of a full turn are only an info, because that is how exporters write its range.
        """
        lower, upper = limit.number('lower'), limit.number('upper')
        location = limit.attribute_location('lower' if lower else 'upper')
        if upper - lower >= _FULL_TURN:
            self._ignored.add(
                codes.NO_EFFECT,
                'position limits of a full turn have no effect in a continuous joint', name,
                location, severity='info')
        elif lower or upper:
            self.report.add(
                codes.NO_EFFECT, 'a continuous joint has no position limits; ignored', location,
                hint='write type="revolute"')

    def _report_without_effect(self, name: str, kind: str, parts: Parts) -> None:
        """Report limits, dynamics and mimics in a joint of a type that has none."""
        for tag in ('limit', 'dynamics', 'mimic'):
            message = f'<{tag}> has no effect in a {kind} joint'
            if tag not in parts:
                continue
            if kind == 'fixed' and tag != 'mimic':
                self._ignored.add(
                    codes.NO_EFFECT, message, name, parts[tag].location, severity='info')
            else:
                self.report.add(codes.NO_EFFECT, message, parts[tag].location)


def _motions(kind: str, axis: Vector, first: int) -> tuple[Motion, ...]:
    if kind == 'fixed':
        return ()
    if kind == 'planar':
        return _planar(axis, first)
    if kind == 'floating':
        slides = (Motion('prismatic', along, (first + 3 + at,)) for at, along in enumerate(AXES))
        return (*slides, Motion('rotation_vector', X_AXIS, (first, first + 1, first + 2)))
    return (Motion('prismatic' if kind == 'prismatic' else 'revolute', axis, (first,)),)


def _planar(normal: Vector, first: int) -> tuple[Motion, ...]:
    """
    Return two translations across the normal and a rotation about it.

    For the axes x, y, z the translations are along y z, z x and x y; for other normals the first
    of these pairs is projected into the plane.
    """
    along = max(range(3), key=lambda index: abs(normal[index]))
    share = normal[(along + 1) % 3]
    bent = [-share * part for part in normal]
    bent[(along + 1) % 3] += 1.0
    length = sum(part * part for part in bent) ** 0.5
    x, y, z = (part / length + 0.0 for part in bent)
    a, b, c = cross(normal, (x, y, z))
    return (
        Motion('prismatic', (x, y, z), (first,)),
        Motion('prismatic', (a + 0.0, b + 0.0, c + 0.0), (first + 1,)),
        Motion('revolute', normal, (first + 2,)))
