# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``<joint>``: its type, place, axis, limits, dynamics and whom it mimics."""

from __future__ import annotations

from collections.abc import Mapping
import math
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.document import XmlElement
from hrdf_ros.model import Coordinate, Joint, Mimic, RawElement
from hrdf_ros.parsing.suggestions import did_you_mean
from hrdf_ros.pose import Vector, X_AXIS
from hrdf_ros.readers.urdf.fields import Fields
from hrdf_ros.readers.urdf.grammar import foreign
from hrdf_ros.readers.urdf.joint_types import joint_dofs, TYPES

_UNIT_TOLERANCE = 1e-4
"""Files round their axes to a few digits."""
_SINGLE = ('revolute', 'continuous', 'prismatic')
_CARRIED = ('safety_controller', 'calibration')
_NEWER_LIMITS = ('acceleration', 'deceleration', 'jerk')


class ResourceLimits(NamedTuple):
    """What ``<limit>`` says."""

    lower: float
    upper: float
    effort: float
    velocity: float


_UNLIMITED = ResourceLimits(-math.inf, math.inf, math.inf, math.inf)


class Read(NamedTuple):
    """A joint and its coordinates; ``leader`` is the name of the joint that it mimics."""

    joint: Joint
    coordinates: tuple[Coordinate, ...]
    leader: Optional[XmlElement] = None


def read_joint(
    node: XmlElement, bodies: Mapping[str, int], first: int, fields: Fields,
) -> Read:
    """
    Return a joint; ``first`` is the index that its first coordinate will have.

    Raises Unreadable where urdfdom refuses the file.
    """
    name = fields.text(node, 'name')
    kind = _read_type(node, fields)
    pose = fields.origin(node)
    parent, child = (_read_end(node, tag, bodies, fields) for tag in ('parent', 'child'))
    axis = _read_axis(node, kind, fields)
    limits = _read_limits(node, kind, fields)
    damping, friction = _read_dynamics(node, fields)
    _check_carried(node, fields)
    mimic = _read_mimic(node, fields)
    motions, coordinates = joint_dofs(kind, name, axis, first, node.location)
    if kind in _SINGLE:
        lower, upper, effort, velocity = _limits_of(kind, limits, node, fields)
        coordinates = (coordinates[0]._replace(
            lower=lower, upper=upper, velocity=velocity, effort=effort, damping=damping,
            friction=friction, mimic=mimic),)
    else:
        _report_without_effect(node, kind, fields)
    joint = Joint(
        name, name, kind, parent, child, pose, motions=motions,
        extensions=_extensions(node, kind), location=node.location)
    return Read(joint, coordinates, node.child('mimic') if kind in _SINGLE else None)


def _read_type(node: XmlElement, fields: Fields) -> str:
    kind = fields.text(node, 'type')
    if kind not in TYPES:
        raise fields.fault(
            codes.BAD_VALUE, f"URDF has no joint type '{kind}'", node, 'type', 0,
            hint=did_you_mean(kind, TYPES))
    return kind


def _read_end(node: XmlElement, tag: str, bodies: Mapping[str, int], fields: Fields) -> int:
    """Return the body that a joint's parent or child names."""
    end = fields.child(node, tag)
    name = fields.text(end, 'link')
    if name not in bodies:
        code = codes.JOINT_PARENT_UNKNOWN if tag == 'parent' else codes.JOINT_CHILD_UNKNOWN
        raise fields.fault(
            code, f"there is no link '{name}'", end, 'link', 0,
            hint=did_you_mean(name, bodies))
    return bodies[name]


def _read_axis(node: XmlElement, kind: str, fields: Fields) -> Vector:
    """Return the axis at unit length; KDL, under robot_state_publisher, normalizes it too."""
    axis = node.child('axis')
    if axis is None or kind in ('fixed', 'floating'):
        return X_AXIS
    if axis.get('xyz') is None:
        fields.report.add(
            codes.MISSING_ATTRIBUTE,
            "<axis> needs the attribute 'xyz'; 1 0 0 is taken",
            axis.location,
            severity='warning',
        )
        return X_AXIS
    x, y, z = fields.vector(axis, 'xyz')
    length = math.hypot(x, y, z)
    if length == 0.0:
        fields.report.add(
            codes.AXIS_ZERO, 'the axis is zero, which is no direction; 1 0 0 is taken',
            axis.attribute_location('xyz', 0))
        return X_AXIS
    if abs(length - 1.0) > _UNIT_TOLERANCE:
        fields.report.add(
            codes.AXIS_NOT_UNIT, f'the axis has the length {length!r}, not 1; it is normalized',
            axis.attribute_location('xyz', 0))
    return x / length, y / length, z / length


def _read_limits(node: XmlElement, kind: str, fields: Fields) -> Optional[ResourceLimits]:
    limit = node.child('limit')
    if limit is None:
        if kind in ('revolute', 'prismatic'):
            raise fields.fault(codes.MISSING_ELEMENT, f'a {kind} joint needs <limit>', node)
        return None
    for attribute in _NEWER_LIMITS:
        if attribute in limit.attributes:
            fields.newer(limit, f"'{attribute}' is", (1, 2), attribute)
            fields.number(limit, attribute)
            fields.report.add(
                codes.DETAIL_NOT_PRESERVED,
                f"the limit '{attribute}' goes out in the unchanged text only",
                limit.attribute_location(attribute),
            )
    return ResourceLimits(
        fields.number(limit, 'lower', 0.0), fields.number(limit, 'upper', 0.0),
        fields.size(limit, 'effort'), fields.size(limit, 'velocity'))


def _limits_of(
    kind: str, limits: Optional[ResourceLimits], node: XmlElement, fields: Fields
) -> ResourceLimits:
    """Return what bounds a coordinate; a continuous joint has no position limits."""
    if limits is None:
        return _UNLIMITED
    if kind != 'continuous':
        return limits
    if limits.lower or limits.upper:
        limit = fields.child(node, 'limit')
        fields.report.add(
            codes.NO_EFFECT,
            'a continuous joint has no position limits; these are not read',
            limit.attribute_location('lower' if limits.lower else 'upper'),
            hint='write type="revolute"',
        )
    return limits._replace(lower=-math.inf, upper=math.inf)


def _read_dynamics(node: XmlElement, fields: Fields) -> tuple[float, float]:
    """Return damping and friction."""
    dynamics = node.child('dynamics')
    if dynamics is None:
        return 0.0, 0.0
    if not {'damping', 'friction'} & set(dynamics.attributes):
        raise fields.fault(
            codes.MISSING_ATTRIBUTE, '<dynamics> needs damping or friction', dynamics
        )
    return fields.number(dynamics, 'damping', 0.0), fields.number(dynamics, 'friction', 0.0)


def _check_carried(node: XmlElement, fields: Fields) -> None:
    """Check what the Model only carries."""
    safety = node.child('safety_controller')
    if safety is not None:
        fields.number(safety, 'k_velocity')
        for attribute in ('soft_lower_limit', 'soft_upper_limit', 'k_position'):
            fields.number(safety, attribute, 0.0)
    calibration = node.child('calibration')
    if calibration is not None:
        for attribute in ('rising', 'falling'):
            fields.number(calibration, attribute, 0.0)


def _read_mimic(node: XmlElement, fields: Fields) -> Optional[Mimic]:
    """Return whom the joint mimics, the leader not yet looked up."""
    mimic = node.child('mimic')
    if mimic is None:
        return None
    fields.text(mimic, 'joint')
    return Mimic(
        -1, fields.number(mimic, 'multiplier', 1.0), fields.number(mimic, 'offset', 0.0))


def _report_without_effect(node: XmlElement, kind: str, fields: Fields) -> None:
    """Warn about limits and the like in a joint of a type that has none."""
    for tag in ('limit', 'dynamics', 'mimic'):
        found = node.child(tag)
        if found is not None:
            fields.report.add(
                codes.NO_EFFECT, f'<{tag}> has no effect in a {kind} joint', found.location)


def _extensions(node: XmlElement, kind: str) -> tuple[RawElement, ...]:
    """Return what is written back as it stands: what the Model of this joint does not say."""
    carried = _CARRIED if kind in _SINGLE else (*_CARRIED, 'limit', 'dynamics', 'mimic')
    return foreign(node, carried)
