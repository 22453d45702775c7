# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The ``<joint>`` element: its type, its ends and its axes."""

from __future__ import annotations

import math
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.parsing.suggestions import did_you_mean
from hrdf_ros.pose import Vector, Z_AXIS
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.element import name_of, pose_and_reference
from hrdf_ros.readers.sdf.scopes import Axis, AxisMimic, Joint, Scope
from hrdf_ros.readers.sdf.siblings import check_children

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
    word = element.attributes.get('type', '').strip().lower()
    kind = word if word in AXES_OF_TYPE else 'fixed'
    first = {child.tag: child for child in reversed(element.children)}
    parent, child = _frame(first.get('parent'), kind), _frame(first.get('child'), kind)
    if not parent or not child:
        _check_type(element, word, report)
        return None
    pose, against = pose_and_reference(element)
    joint = Joint(
        name_of(element), element, scope, pose, against or child, kind, parent, child)
    _check_ends(joint, report)
    for tag in ('axis', 'axis2'):
        if tag in first:
            joint.axes[tag] = _axis(first[tag], kind, report)
    if kind == 'screw':
        joint.pitch = _pitch(element)
    elif kind == 'gearbox':
        joint.ratio = element.number('gearbox_ratio')
        joint.reference_body = element.string('gearbox_reference_body')
    _check_type(element, word, report)
    if not _READ.issuperset(first):
        joint.preserved = [each for each in element.children if each.tag not in _READ]
        joint.framed = [each for each in joint.preserved if each.tag == 'sensor']
        check_children(joint.preserved, report)
    return joint


def _check_type(element: TypedElement, word: str, report: Report) -> None:
    """Report an unknown type, with which the joint is a fixed one."""
    if word and word not in AXES_OF_TYPE:
        report.add(
            codes.BAD_VALUE, f"unknown <joint> type '{word}'",
            element.attribute_location('type', 0), hint=did_you_mean(word, AXES_OF_TYPE),
            reference='ATTRIBUTE_INVALID')


def _frame(element: Optional[TypedElement], kind: str) -> str:
    """Return the name in ``<parent>`` or ``<child>``, which a ball joint may lack."""
    name: str = '' if element is None else element.value or ''
    return name or ('__default__' if kind == 'ball' else '')


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
    if '__root__' in (parent, child):
        for tag in ('parent', 'child'):
            if element.string(tag) == '__root__':
                report.add(
                    codes.SDF_RESERVED_NAME, "'__root__' is reserved and cannot be referred to",
                    element.locate(tag))


def _pitch(element: TypedElement) -> float:
    """
    Return meters along the axis for one turn, positive for a right-handed screw.

    ``thread_pitch`` is older, in radians per meter and with the opposite sign.
    """
    if element.has('screw_thread_pitch') or not element.has('thread_pitch'):
        return element.number('screw_thread_pitch')
    turn = element.number('thread_pitch')
    return -math.tau / turn if turn != 0.0 else 0.0


# ---- axes

def _axis(element: TypedElement, kind: str, report: Report) -> Axis:
    first = {child.tag: child for child in reversed(element.children)}
    xyz, mimic, dynamics = map(first.get, ('xyz', 'mimic', 'dynamics'))
    limit = first.get('limit') or element.section('limit')
    lower, upper, velocity, effort = limit.values_of(
        'lower', 'upper', 'velocity', 'effort')
    coordinate = {
        'kind': 'length' if kind == 'prismatic' else 'angle',
        'lower': -math.inf if kind == 'continuous' or lower != lower else lower,
        'upper': math.inf if kind == 'continuous' or upper != upper else upper,
        'velocity': _maximum(velocity), 'effort': _maximum(effort), 'location': element.location}
    if dynamics is not None:
        coordinate.update(zip(_DYNAMICS, dynamics.values_of(*_DYNAMICS)))
    return Axis(
        element=element,
        xyz=_unit(element, report),
        expressed_in='' if xyz is None else xyz.attributes.get('expressed_in', '').strip(),
        coordinate=coordinate,
        nan='lower' if lower != lower else 'upper' if upper != upper else '',
        mimic=None if mimic is None else _mimic(mimic))


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


def _maximum(value: float) -> float:
    """Return a maximum velocity or effort: a negative one means no limit."""
    return math.inf if value < 0.0 else value


def _mimic(element: TypedElement) -> AxisMimic:
    multiplier, offset, reference = element.values_of('multiplier', 'offset', 'reference')
    return AxisMimic(
        joint=element.string('joint').strip(), axis=element.string('axis').strip(),
        multiplier=multiplier, offset=offset - multiplier * reference, element=element)
