# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The ``<joint>`` element: its type, its axes and what they mimic."""

from __future__ import annotations

import math
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import XmlElement
from hrdf_ros.parsing.suggestions import did_you_mean
from hrdf_ros.pose import Vector, Z_AXIS
from hrdf_ros.readers.sdf.text import read_double, read_vector3

AXES_OF_TYPE = {
    'ball': (), 'continuous': ('axis',), 'fixed': (), 'gearbox': ('axis', 'axis2'),
    'prismatic': ('axis',), 'revolute': ('axis',), 'revolute2': ('axis', 'axis2'),
    'screw': ('axis',), 'universal': ('axis', 'axis2'),
}
"""Each joint type with the axes that it moves about."""

_AXES: tuple[str, ...] = ('axis', 'axis2')
_LEAST_NORM = 1e-6


class MimicFacts(NamedTuple):
    """``q = multiplier * (q_leader - reference) + offset`` (SDF 1.11)."""

    joint: str
    axis: str
    multiplier: float
    offset: float
    reference: float
    node: XmlElement


class Axis(NamedTuple):
    """An axis: a unit vector seen in the frame ``expressed_in``, '' being the joint's own."""

    xyz: Vector
    expressed_in: str
    lower: float
    upper: float
    velocity: float
    effort: float
    damping: float
    friction: float
    spring_stiffness: float
    spring_reference: float
    mimic: Optional[MimicFacts]
    node: XmlElement


class JointFacts(NamedTuple):
    """
    What stands in a ``<joint>``.

    ``pitch`` is how far a screw moves along its axis in one turn, in metres; a gearbox has
    ``ratio`` and the ``reference_body`` that its angles are measured against.
    """

    type: str  # noqa: A003
    parent: str
    child: str
    axes: dict[str, Axis]
    pitch: float = 1.0
    ratio: float = 1.0
    reference_body: str = ''


def read_joint_facts(node: XmlElement, report: Report) -> Optional[JointFacts]:
    """Return what stands in a joint, None where it lacks what the grammar has asked for."""
    first = {child.tag: child for child in reversed(node.children)}
    kind = _type(node, report)
    parent, child = _frame(first.get('parent'), kind), _frame(first.get('child'), kind)
    if parent is None or child is None:
        return None
    axes = {tag: _axis(first[tag], report) for tag in _AXES if tag in first}
    facts = JointFacts(kind, parent, child, axes)
    if kind == 'screw':
        return facts._replace(pitch=_pitch(first))
    if kind == 'gearbox':
        reference = first.get('gearbox_reference_body')
        return facts._replace(
            ratio=read_double(first.get('gearbox_ratio'), 1.0),
            reference_body=reference.text.rstrip() if reference is not None else '')
    return facts


def _type(node: XmlElement, report: Report) -> str:
    """Return the type of a joint in lower case; an unknown one is an error."""
    kind = node.attributes.get('type', '').strip().lower()
    if kind in AXES_OF_TYPE:
        return kind
    if kind:
        report.add(
            codes.BAD_VALUE,
            f"there is no joint type '{kind}'",
            node.attribute_location('type', 0),
            hint=did_you_mean(kind, AXES_OF_TYPE), reference='ATTRIBUTE_INVALID')
    return 'fixed'


def _frame(node: Optional[XmlElement], kind: str) -> Optional[str]:
    """Return the name in ``<parent>`` or ``<child>``; the schema lets a ball joint lack them."""
    name = node.text.rstrip() if node is not None else ''
    return name or ('__default__' if kind == 'ball' else None)


def _pitch(first: dict[str, XmlElement]) -> float:
    """
    Return metres along the axis for one turn, positive for a right-handed screw.

    ``thread_pitch`` is older, in radians per metre and with the opposite sign.
    """
    if 'screw_thread_pitch' in first:
        return read_double(first['screw_thread_pitch'], 1.0)
    if 'thread_pitch' in first:
        turn = read_double(first['thread_pitch'], 1.0)
        return -2.0 * math.pi / turn if turn != 0.0 else 0.0
    return 1.0


def _axis(node: XmlElement, report: Report) -> Axis:
    first = {child.tag: child for child in reversed(node.children)}
    xyz = first.get('xyz')
    limit, dynamics = _firsts(first.get('limit')), _firsts(first.get('dynamics'))
    expressed_in = xyz.attributes.get('expressed_in', '').strip() if xyz is not None else ''
    return Axis(
        _unit(xyz, node, report), expressed_in,
        read_double(limit.get('lower'), -math.inf), read_double(limit.get('upper'), math.inf),
        _bound(limit.get('velocity')), _bound(limit.get('effort')),
        read_double(dynamics.get('damping')), read_double(dynamics.get('friction')),
        read_double(dynamics.get('spring_stiffness')),
        read_double(dynamics.get('spring_reference')),
        _mimic(first['mimic']) if 'mimic' in first else None, node)


def _firsts(node: Optional[XmlElement]) -> dict[str, XmlElement]:
    """Return the first child of each tag: of repeated elements the first one counts."""
    return {child.tag: child for child in reversed(node.children)} if node is not None else {}


def _bound(node: Optional[XmlElement]) -> float:
    """Return the greatest speed or effort: none and negative ones are infinite."""
    value = read_double(node, math.inf)
    return math.inf if value < 0.0 else value


def _unit(xyz: Optional[XmlElement], axis: XmlElement, report: Report) -> Vector:
    """Return the direction with length 1; a vector that is all but zero is an error."""
    x, y, z = vector = read_vector3(xyz, Z_AXIS)
    norm = math.hypot(x, y, z)
    if norm == 1.0:
        return vector
    if norm < _LEAST_NORM:
        report.add(
            codes.AXIS_ZERO,
            'the direction of an axis must not be zero',
            xyz.text_location() if xyz is not None else axis.location,
            reference='ELEMENT_INVALID',
            severity='error',
        )
        return Z_AXIS
    return x / norm, y / norm, z / norm


def _mimic(node: XmlElement) -> MimicFacts:
    first = _firsts(node)
    return MimicFacts(
        (node.get('joint') or '').strip(), (node.get('axis') or 'axis').strip(),
        read_double(first.get('multiplier'), 1.0), read_double(first.get('offset')),
        read_double(first.get('reference')), node)
