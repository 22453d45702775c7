# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The ``<joint>`` element: its type, its ends and its axes."""

from __future__ import annotations

import math
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.model import Coordinate, CoordinateKind
from hrdf_ros.pose import Vector, Z_AXIS
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.element import name_of, pose_and_reference
from hrdf_ros.readers.sdf.scopes import Axis, Joint, Scope
from hrdf_ros.readers.sdf.siblings import check_children, check_type

AXES_OF_TYPE = {
    'ball': (), 'continuous': ('axis',), 'fixed': (), 'gearbox': ('axis', 'axis2'),
    'prismatic': ('axis',), 'revolute': ('axis',), 'revolute2': ('axis', 'axis2'),
    'screw': ('axis',), 'universal': ('axis', 'axis2'),
}
"""The axes that each joint type moves about."""

_READ = frozenset((
    'pose', 'parent', 'child', 'axis', 'axis2', 'thread_pitch', 'screw_thread_pitch',
    'gearbox_ratio', 'gearbox_reference_body'))
_DYNAMICS = ('damping', 'friction', 'spring_stiffness', 'spring_reference')
_LEAST_NORM = 1e-6


def read_joint(element: TypedElement, scope: Scope, report: Report) -> Optional[Joint]:
    """
    Return a joint, None where it lacks an end, which the schema requires.

    Its pose is relative to its child frame by default.
    """
    kind = element.attributes.get('type', '').strip().lower()
    if kind not in AXES_OF_TYPE:
        kind = 'fixed'
    first = {child.tag: child for child in reversed(element.children)}
    default = '__default__' if kind == 'ball' else ''  # a ball joint may lack an end
    parent, child = [
        tag in first and first[tag].value or default for tag in ('parent', 'child')]
    if not parent or not child:
        check_type(element, report)
        return None
    pose, against = pose_and_reference(element)
    joint = Joint(
        name_of(element), element, scope, pose, against or child, kind, parent, child)
    _check_ends(joint, report)
    for tag in ('axis', 'axis2'):
        if tag in first:
            joint.axes[tag] = _axis(first[tag], kind, report)
    check_type(element, report)
    if not _READ.issuperset(first):
        joint.preserved = [each for each in element.children if each.tag not in _READ]
        joint.framed = [each for each in joint.preserved if each.tag == 'sensor']
        check_children(joint.preserved, report)
    return joint


def _check_ends(joint: Joint, report: Report) -> None:
    """Refuse names of the parent and child that are wrong in any scope."""
    element, parent, child = joint.element, joint.parent, joint.attached_to
    if child == 'world':
        report.add(
            codes.JOINT_CHILD_UNKNOWN, "the world cannot be a joint's child",
            element.locate('child'), reference='JOINT_CHILD_LINK_INVALID')
    if parent == child:
        report.add(
            codes.SDF_JOINT_SAME_BODY, f"parent and child are both '{child}'",
            element.locate('child'))
    for tag, name in (('parent', parent), ('child', child)):
        if name == '__root__':
            report.add(
                codes.SDF_RESERVED_NAME, "'__root__' is reserved and cannot be referred to",
                element.locate(tag))


def pitch_of(screw: TypedElement) -> float:
    """
    Return meters along the axis for one turn of a screw, positive for a right-handed one.

    ``thread_pitch`` is older, in radians per meter and with the opposite sign.
    """
    if screw.has('screw_thread_pitch') or not screw.has('thread_pitch'):
        return screw.number('screw_thread_pitch')
    turn = screw.number('thread_pitch')
    return -math.tau / turn if turn != 0.0 else 0.0


# ---- axes

def kind_of(joint: str) -> CoordinateKind:
    """Return the kind of the coordinates of a type of joints."""
    return 'length' if joint == 'prismatic' else 'angle'


def _axis(element: TypedElement, joint: str, report: Report) -> Axis:
    first = {child.tag: child for child in reversed(element.children)}
    limit = first.get('limit') or element.section('limit')
    lower, upper, velocity, effort = limit.values_of('lower', 'upper', 'velocity', 'effort')
    coordinate = Coordinate(
        '', kind_of(joint),
        -math.inf if joint == 'continuous' or lower != lower else lower,
        math.inf if joint == 'continuous' or upper != upper else upper,
        math.inf if velocity < 0.0 else velocity,  # a negative maximum means no limit
        math.inf if effort < 0.0 else effort, location=element.location)
    if 'dynamics' in first:
        coordinate = coordinate._replace(
            **dict(zip(_DYNAMICS, first['dynamics'].values_of(*_DYNAMICS))))
    xyz = first.get('xyz')
    return Axis(
        coordinate, element, _unit(element, report),
        '' if xyz is None else xyz.attributes.get('expressed_in', '').strip(),
        'lower' if lower != lower else 'upper' if upper != upper else '', first.get('mimic'))


def _unit(axis: TypedElement, report: Report) -> Vector:
    """Return the direction with length 1; a vector that is all but zero is an error."""
    x, y, z = vector = axis.vector3('xyz')
    norm = math.hypot(x, y, z)
    if norm == 1.0:
        return vector
    if norm < _LEAST_NORM:
        report.add(
            codes.AXIS_ZERO, 'the direction of an axis must not be zero', axis.locate('xyz'),
            severity='error', reference='ELEMENT_INVALID')
        return Z_AXIS
    return x / norm, y / norm, z / norm
