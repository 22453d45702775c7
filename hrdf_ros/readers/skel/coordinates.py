# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The coordinates of a joint: limits, dynamics, where they start.

Read in DART's order, each step over the one before: ``<axis>`` to ``<axis3>``, ``<init_pos>``
and ``<init_vel>``, then ``<dof>``.
"""

from __future__ import annotations

from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.model import Coordinate
from hrdf_ros.parsing import skel
from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.skel.joint_types import JointDofs

_AXES = ('axis', 'axis2', 'axis3')


def read_coordinates(
    joint: TypedElement, name: str, freedom: JointDofs, report: Report,
) -> list[Coordinate]:
    """Return the coordinates of a joint of this name."""
    found = [
        Coordinate(name + suffix, kind, location=joint.location)
        for suffix, kind in freedom.coordinates]
    if freedom.axis_elements:
        for at, tag in enumerate(_AXES[:len(found)]):
            axis = joint.child(tag)
            if axis is not None:
                found[at] = _with_axis(axis, found[at], report)
    if found:
        found = _with_start(joint, found)
    for dof in joint.all('dof'):
        at_dof = _dof_index(dof, len(found), report)
        if at_dof is not None:
            found[at_dof] = _with_dof(dof, found[at_dof], report)
    return found


# ---- <axis>

def _with_axis(axis: TypedElement, found: Coordinate, report: Report) -> Coordinate:
    if axis.has('damping'):
        found = found._replace(damping=_not_negative(axis, 'damping', 0.0, report))
    dynamics = axis.child('dynamics')
    if dynamics is not None:
        found = _with_dynamics(dynamics, _with_misspelled(dynamics, found, report), report)
    limit = axis.child('limit')
    return found if limit is None else _with_limit(limit, found, report)


def _with_limit(limit: TypedElement, found: Coordinate, report: Report) -> Coordinate:
    """Read ``<limit>``; DART leaves out the text's ``<effort>`` and ``<velocity>``."""
    for tag, element in (('effort', 'force'), ('velocity', 'velocity')):
        _report_spec_over_dart(limit, tag, f'write <dof><{element} .../></dof>', report)
    return found._replace(
        lower=limit.number('lower', found.lower),
        upper=limit.number('upper', found.upper),
        effort=abs(limit.number('effort', found.effort)),
        velocity=abs(limit.number('velocity', found.velocity)))


def _with_dynamics(element: TypedElement, found: Coordinate, report: Report) -> Coordinate:
    """Read damping, friction and spring; what is negative counts as 0, as for DART."""
    return found._replace(
        damping=_not_negative(element, 'damping', found.damping, report),
        friction=_not_negative(element, 'friction', found.friction, report),
        spring_stiffness=_not_negative(
            element, 'spring_stiffness', found.spring_stiffness, report),
        spring_reference=element.number('spring_rest_position', found.spring_reference))


def _not_negative(element: TypedElement, tag: str, inherited: float, report: Report) -> float:
    value = element.number(tag, inherited)
    if value < 0.0:
        report.add(
            codes.SKEL_NEGATIVE_DYNAMICS, f'<{tag}> is negative; DART uses 0',
            element.locate(tag))
    return max(value, 0.0)


def _with_misspelled(element: TypedElement, found: Coordinate, report: Report) -> Coordinate:
    """Read the ``sprint_...`` elements that the format's text lists."""
    rest, stiffness = 'sprint_rest_position', 'sprint_stiffness'
    if not element.has(rest) and not element.has(stiffness):
        return found
    for tag in (rest, stiffness):
        _report_spec_over_dart(
            element, tag, f"write <{tag.replace('sprint', 'spring')}>", report)
    return found._replace(
        spring_stiffness=_not_negative(element, stiffness, found.spring_stiffness, report),
        spring_reference=element.number(rest, found.spring_reference))


def _report_spec_over_dart(parent: TypedElement, tag: str, hint: str, report: Report) -> None:
    element = parent.child(tag)
    if element is not None:
        report.add(
            codes.SKEL_SPEC_OVER_DART,
            f"<{tag}> is read as the format's text has it; DART does not read it",
            element.location, hint=hint)


# ---- <init_pos>, <init_vel>

def _with_start(joint: TypedElement, found: list[Coordinate]) -> list[Coordinate]:
    positions, velocities = joint.child('init_pos'), joint.child('init_vel')
    if positions is not None:
        found = [
            at._replace(initial_position=value)
            for at, value in zip(found, positions.numbers())]
    if velocities is not None:
        found = [
            at._replace(initial_velocity=value)
            for at, value in zip(found, velocities.numbers())]
    return found


# ---- <dof>

def _dof_index(dof: TypedElement, count: int, report: Report) -> Optional[int]:
    """Return which coordinate a ``<dof>`` is about, None for one that DART discards."""
    text = dof.get('local_index')
    if text is None and count == 1:
        return 0
    index = -1 if text is None else _leading_integer(text)
    if index is not None and index < -1:
        report.add(
            codes.BAD_VALUE,
            f'a local_index of {index} makes DART crash',
            dof.attribute_location('local_index'),
        )
        return None
    if index is None or not 0 <= index < count:
        report.add(
            codes.SKEL_DOF_DISCARDED, 'the <dof> is not read: its joint has '
            f'{count} coordinates, and its local_index is {text or "missing"}',
            dof.attribute_location('local_index', 0))
        return None
    return index


def _leading_integer(text: str) -> Optional[int]:
    """Return the number with which a text begins, without its fraction."""
    try:
        return int(skel.number(text).values[0])
    except ValueSyntaxError:
        return None


def _with_dof(dof: TypedElement, found: Coordinate, report: Report) -> Coordinate:
    found = _with_dynamics(
        dof, found._replace(name=dof.string('name') or found.name, location=dof.location), report)
    position, velocity, force = dof.child('position'), dof.child('velocity'), dof.child('force')
    if position is not None:
        found = found._replace(
            lower=position.number('lower', found.lower),
            upper=position.number('upper', found.upper),
            initial_position=position.number('initial', found.initial_position))
    if velocity is not None:
        found = found._replace(
            velocity=_magnitude(velocity, found.velocity, report),
            initial_velocity=velocity.number('initial', found.initial_velocity))
    if force is not None:
        found = found._replace(effort=_magnitude(force, found.effort, report))
    return found


def _magnitude(element: TypedElement, inherited: float, report: Report) -> float:
    """Return the greatest magnitude between ``lower`` and ``upper``."""
    lower, upper = element.number('lower', -inherited), element.number('upper', inherited)
    if -lower != upper:
        report.add(
            codes.SKEL_ONE_SIDED_LIMIT,
            f'of the limits {lower!r} and {upper!r} of <{element.tag}> only the greater '
            'magnitude is preserved',
            element.locate('lower' if 'lower' in element.attributes else 'upper'))
    return max(abs(lower), abs(upper))
