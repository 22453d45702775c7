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
from hrdf_ros.document import XmlElement
from hrdf_ros.model import Coordinate
from hrdf_ros.parsing import skel
from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.readers.skel.fields import Fields
from hrdf_ros.readers.skel.joint_types import JointDofs

_AXES = ('axis', 'axis2', 'axis3')


def read_coordinates(
    fields: Fields, joint: XmlElement, name: str, freedom: JointDofs,
) -> list[Coordinate]:
    """Return the coordinates of a joint of this name."""
    found = [
        Coordinate(name + suffix, kind, location=joint.location)
        for suffix, kind in freedom.coordinates]
    if freedom.axis_elements:
        for at, tag in enumerate(_AXES[:len(found)]):
            axis = joint.child(tag)
            if axis is not None:
                found[at] = _with_axis(fields, axis, found[at])
    _report_unread_axes(fields, joint, freedom)
    found = _with_start(fields, joint, found)
    for dof in joint.all('dof'):
        at_dof = _dof_index(fields, dof, len(found))
        if at_dof is not None:
            found[at_dof] = _with_dof(fields, dof, found[at_dof])
    return found


def _report_unread_axes(fields: Fields, joint: XmlElement, freedom: JointDofs) -> None:
    """Report axis elements that hold values which no coordinate takes."""
    used = len(freedom.coordinates) if freedom.axis_elements else 0
    unread = _AXES[used:]
    for child in joint.children:
        if child.tag in unread:
            fields.report.add(
                codes.NO_EFFECT,
                f"<{child.tag}> is not read in a joint of type '{joint.get('type')}'",
                child.location,
                hint='limits and dynamics can stand in a <dof>' if not used else None)


# ---- <axis>

def _with_axis(fields: Fields, axis: XmlElement, found: Coordinate) -> Coordinate:
    if axis.child('damping') is not None:
        fields.report.add(
            codes.DEPRECATED, '<damping> in an axis is deprecated', axis.location,
            hint='write it into <dynamics>')
        found = found._replace(damping=_not_negative(fields, axis, 'damping', 0.0))
    dynamics = axis.child('dynamics')
    if dynamics is not None:
        found = _with_dynamics(fields, dynamics, _with_misspelt(fields, dynamics, found))
    limit = axis.child('limit')
    return found if limit is None else _with_limit(fields, limit, found)


def _with_limit(fields: Fields, limit: XmlElement, found: Coordinate) -> Coordinate:
    """Read ``<limit>``; DART leaves out the text's ``<effort>`` and ``<velocity>``."""
    for tag, element in (('effort', 'force'), ('velocity', 'velocity')):
        _report_read_as_meant(fields, limit, tag, f'write <dof><{element} .../></dof>')
    return found._replace(
        lower=fields.limit(limit, 'lower', found.lower),
        upper=fields.limit(limit, 'upper', found.upper),
        effort=abs(fields.limit(limit, 'effort', found.effort)),
        velocity=abs(fields.limit(limit, 'velocity', found.velocity)))


def _with_dynamics(fields: Fields, node: XmlElement, found: Coordinate) -> Coordinate:
    """Read damping, friction and spring; what is negative counts as 0, as for DART."""
    return found._replace(
        damping=_not_negative(fields, node, 'damping', found.damping),
        friction=_not_negative(fields, node, 'friction', found.friction),
        spring_stiffness=_not_negative(fields, node, 'spring_stiffness', found.spring_stiffness),
        spring_reference=fields.number(node, 'spring_rest_position', found.spring_reference))


def _not_negative(fields: Fields, node: XmlElement, tag: str, default: float) -> float:
    value = fields.number(node, tag, default)
    if value < 0.0:
        fields.report.add(
            codes.SKEL_NEGATIVE_DYNAMICS, f'<{tag}> is negative; DART takes 0',
            node.value_location(tag))
    return max(value, 0.0)


def _with_misspelt(fields: Fields, node: XmlElement, found: Coordinate) -> Coordinate:
    """Read the ``sprint_...`` elements that the format's text lists."""
    rest, stiffness = 'sprint_rest_position', 'sprint_stiffness'
    if node.child(rest) is None and node.child(stiffness) is None:
        return found
    for tag in (rest, stiffness):
        _report_read_as_meant(fields, node, tag, f"write <{tag.replace('sprint', 'spring')}>")
    return found._replace(
        spring_stiffness=_not_negative(fields, node, stiffness, found.spring_stiffness),
        spring_reference=fields.number(node, rest, found.spring_reference))


def _report_read_as_meant(fields: Fields, parent: XmlElement, tag: str, hint: str) -> None:
    node = parent.child(tag)
    if node is not None:
        fields.report.add(
            codes.SKEL_SPEC_OVER_DART,
            f"<{tag}> is read as the format's text means it; DART does not " 'read it',
            node.location,
            hint=hint,
        )


# ---- <init_pos>, <init_vel>

def _with_start(fields: Fields, joint: XmlElement, found: list[Coordinate]) -> list[Coordinate]:
    if not found:
        return found
    position, velocity = joint.child('init_pos'), joint.child('init_vel')
    if position is not None:
        values = fields.numbers(position, len(found))
        found = [at._replace(start=value) for at, value in zip(found, values)]
    if velocity is not None:
        values = fields.numbers(velocity, len(found))
        found = [at._replace(start_velocity=value) for at, value in zip(found, values)]
    return found


# ---- <dof>

def _dof_index(fields: Fields, dof: XmlElement, count: int) -> Optional[int]:
    """Return which coordinate a ``<dof>`` is about, None for one that DART discards."""
    text = dof.get('local_index')
    if text is None and count == 1:
        return 0
    index = -1 if text is None else _leading_integer(text)
    if index is not None and index < -1:
        fields.report.add(
            codes.BAD_VALUE,
            f'a local_index of {index} makes DART crash',
            dof.attribute_location('local_index'),
        )
        return None
    if index is None or not 0 <= index < count:
        fields.report.add(
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


def _with_dof(fields: Fields, dof: XmlElement, found: Coordinate) -> Coordinate:
    found = _with_dynamics(fields, dof, found._replace(
        name=dof.get('name') or found.name, location=dof.location))
    position, velocity = dof.child('position'), dof.child('velocity')
    if position is not None:
        found = found._replace(
            lower=_attribute(fields, position, 'lower', found.lower),
            upper=_attribute(fields, position, 'upper', found.upper),
            start=_attribute(fields, position, 'initial', found.start))
    if velocity is not None:
        start = _attribute(fields, velocity, 'initial', found.start_velocity)
        limit = _magnitude(fields, velocity, found.velocity)
        found = found._replace(velocity=limit, start_velocity=start)
    force = dof.child('force')
    if force is not None:
        if force.get('initial') is not None:
            fields.report.add(
                codes.DETAIL_NOT_PRESERVED, 'the initial force of a coordinate is not kept',
                force.attribute_location('initial'))
        found = found._replace(effort=_magnitude(fields, force, found.effort))
    return found


def _attribute(fields: Fields, node: XmlElement, name: str, default: float) -> float:
    value = fields.attribute(node, name)
    return default if value is None else value


def _magnitude(fields: Fields, node: XmlElement, default: float) -> float:
    """Return the greatest magnitude between ``lower`` and ``upper``."""
    lower = _attribute(fields, node, 'lower', -default)
    upper = _attribute(fields, node, 'upper', default)
    if -lower != upper:
        fields.report.add(
            codes.SKEL_ONE_SIDED_LIMIT,
            f'of the limits {lower!r} and {upper!r} of <{node.tag}> only '
            'the greater magnitude is kept',
            node.attribute_location('lower' if 'lower' in node.attributes else 'upper', 0),
        )
    return max(abs(lower), abs(upper))
