# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The ``<joint>`` element: its type, its axes and what they mimic."""

from functools import partial
import math
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.parsing.suggestions import did_you_mean
from hrdf_ros.pose import Vector, Z_AXIS
from hrdf_ros.readers.schema import TypedElement

AXES_OF_TYPE = {
    'ball': (), 'continuous': ('axis',), 'fixed': (), 'gearbox': ('axis', 'axis2'),
    'prismatic': ('axis',), 'revolute': ('axis',), 'revolute2': ('axis', 'axis2'),
    'screw': ('axis',), 'universal': ('axis', 'axis2'),
}
"""Each joint type with the axes that it moves about."""

_AXES: tuple[str, ...] = ('axis', 'axis2')
_READ = frozenset((
    'pose', 'parent', 'child', 'axis', 'axis2', 'thread_pitch', 'screw_thread_pitch',
    'gearbox_ratio', 'gearbox_reference_body'))
_LEAST_NORM = 1e-6


class SdfMimic(NamedTuple):
    """``q = multiplier * (q_leader - reference) + offset`` (SDF 1.11)."""

    joint: str
    axis: str
    multiplier: float
    offset: float
    reference: float
    element: TypedElement


class SdfLimit(NamedTuple):
    """
    The limits of an axis, infinite where there are none.

    ``lower`` and ``upper`` may be NaN; a negative velocity or effort means no limit.
    """

    lower: float
    upper: float
    velocity: float
    effort: float

    @property
    def nan(self) -> str:
        """The tag of a limit that is not a number, empty where both are."""
        return 'lower' if self.lower != self.lower else 'upper' if self.upper != self.upper else ''


class SdfDynamics(NamedTuple):
    """The damping, friction and spring of an axis."""

    damping: float
    friction: float
    spring_stiffness: float
    spring_reference: float


class SdfAxis(NamedTuple):
    """An axis: a unit vector in the frame ``expressed_in``, the joint's own if that is empty."""

    xyz: Vector
    expressed_in: str
    limit: SdfLimit
    dynamics: SdfDynamics
    mimic: Optional[SdfMimic]
    element: TypedElement


class SdfJoint(NamedTuple):
    """
    What a ``<joint>`` says.

    ``axes`` are by the tag of their element, ``preserved`` the elements that are kept as raw text.
    ``pitch`` is how far a screw moves along its axis in
    one turn, in meters; a gearbox has ``ratio`` and the ``reference_body`` that its angles are
    measured against.
    """

    type: str  # noqa: A003
    parent: str
    child: str
    axes: dict[str, SdfAxis]
    preserved: tuple[TypedElement, ...]
    pitch: float = 1.0
    ratio: float = 1.0
    reference_body: str = ''


# to call the classes with keywords takes twice as long
_new_axis = partial(SdfAxis.__new__, SdfAxis)
_new_joint = partial(SdfJoint.__new__, SdfJoint)


def read_joint(element: TypedElement, report: Report) -> Optional[SdfJoint]:
    """Return what a joint says, None where it lacks what the schema requires."""
    kind = _type(element, report)
    first = {child.tag: child for child in reversed(element.children)}
    parent, child = _frame(first.get('parent'), kind), _frame(first.get('child'), kind)
    if not parent or not child:
        return None
    axes = {}
    for tag in _AXES:
        if tag in first:
            axes[tag] = _axis(first[tag], report)
    preserved = () if _READ.issuperset(first) else tuple([
        each for each in element.children if each.tag not in _READ])
    joint = _new_joint(
        type=kind, parent=parent, child=child, axes=axes, preserved=preserved)
    if kind == 'screw':
        return joint._replace(pitch=_pitch(element))
    if kind == 'gearbox':
        return joint._replace(
            ratio=element.number('gearbox_ratio'),
            reference_body=element.string('gearbox_reference_body'))
    return joint


def _frame(element: Optional[TypedElement], kind: str) -> str:
    """Return the name in ``<parent>`` or ``<child>``, which a ball joint may lack."""
    name = '' if element is None else element.text.rstrip()
    return name or ('__default__' if kind == 'ball' else '')


def _type(element: TypedElement, report: Report) -> str:
    """Return the type of a joint in lower case; an unknown one is an error."""
    kind = element.attributes.get('type', '').strip().lower()
    if kind in AXES_OF_TYPE:
        return kind
    if kind:
        report.add(
            codes.BAD_VALUE, f"unknown <joint> type '{kind}'",
            element.attribute_location('type', 0), hint=did_you_mean(kind, AXES_OF_TYPE),
            reference='ATTRIBUTE_INVALID')
    return 'fixed'


def _pitch(element: TypedElement) -> float:
    """
    Return meters along the axis for one turn, positive for a right-handed screw.

    ``thread_pitch`` is older, in radians per meter and with the opposite sign.
    """
    if element.has('screw_thread_pitch') or not element.has('thread_pitch'):
        return element.number('screw_thread_pitch')
    turn = element.number('thread_pitch')
    return -math.tau / turn if turn != 0.0 else 0.0


def _axis(element: TypedElement, report: Report) -> SdfAxis:
    first = {child.tag: child for child in reversed(element.children)}
    xyz, mimic = first.get('xyz'), first.get('mimic')
    return _new_axis(
        xyz=_unit(element, report),
        expressed_in='' if xyz is None else xyz.attributes.get('expressed_in', '').strip(),
        limit=element.record('limit', SdfLimit, SdfLimit._fields),
        dynamics=element.record('dynamics', SdfDynamics, SdfDynamics._fields),
        mimic=None if mimic is None else _mimic(mimic),
        element=element)


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


def _mimic(element: TypedElement) -> SdfMimic:
    multiplier, offset, reference = element.values_of('multiplier', 'offset', 'reference')
    return SdfMimic(
        joint=element.string('joint').strip(), axis=element.string('axis').strip(),
        multiplier=multiplier, offset=offset, reference=reference, element=element)
