# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The ``<joint>`` element: its type, its ends and its axes, from the element to the resolved joint.

libsdformat checks the references of joints only in the outermost models and in the world. In
nested models a fault is a warning here, and a joint that cannot be built is left out.
"""

from collections.abc import Mapping
import math
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.model import Coordinate, CoordinateKind, NONE
from hrdf_ros.parsing.sdf import ROOT
from hrdf_ros.pose import compose, inverse, rotate, Vector, Z_AXIS
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.element import name_of, pose_and_reference
from hrdf_ros.readers.sdf.records import Axis, Joint
from hrdf_ros.readers.sdf.siblings import check_children, check_type
from hrdf_ros.readers.sdf.tree import Frames

AXES_OF_TYPE = {
    'ball': (), 'continuous': ('axis',), 'fixed': (), 'gearbox': ('axis', 'axis2'),
    'prismatic': ('axis',), 'revolute': ('axis',), 'revolute2': ('axis', 'axis2'),
    'screw': ('axis',), 'universal': ('axis', 'axis2'),
}
"""The tags of the axes that each joint type moves about."""

_READ = frozenset((
    'pose', 'parent', 'child', 'axis', 'axis2', 'thread_pitch', 'screw_thread_pitch',
    'gearbox_ratio', 'gearbox_reference_body'))
_DYNAMICS = ('damping', 'friction', 'spring_stiffness', 'spring_reference')
_LEAST_NORM = 1e-6
"""The length of an axis below which it has no direction."""


# ---- read

def read_joint(element: TypedElement, report: Report) -> Optional[Joint]:
    """
    Return a joint, None where it lacks an end, which the schema requires.

    The pose of a joint is relative to its child frame by default.
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
    _check_ends(element, parent, child, report)
    axes: dict[str, Axis] = {
        tag: _axis(first[tag], kind, report) for tag in ('axis', 'axis2') if tag in first}
    check_type(element, report)
    preserved = [] if _READ.issuperset(first) else [
        each for each in element.children if each.tag not in _READ]
    if preserved:
        check_children(preserved, report)
    return Joint(
        name=name_of(element), element=element, location=element.location, pose=pose,
        relative_to=against or child, attached_to=child, type=kind, parent=parent, axes=axes,
        preserved=preserved, framed=[each for each in preserved if each.tag == 'sensor'])


def _check_ends(element: TypedElement, parent: str, child: str, report: Report) -> None:
    """Refuse a parent and child whose names are wrong in any scope."""
    if child == 'world':
        report.add(
            codes.JOINT_CHILD_UNKNOWN, "the world cannot be a joint's child",
            element.locate('child'), reference='JOINT_CHILD_LINK_INVALID')
    if parent == child:
        report.add(
            codes.SDF_JOINT_SAME_BODY, f"parent and child are both '{child}'",
            element.locate('child'))
    for tag, name in (('parent', parent), ('child', child)):
        if name == ROOT:
            report.add(
                codes.SDF_RESERVED_NAME, f"'{ROOT}' is reserved and cannot be referred to",
                element.locate(tag))


def pitch_of(screw: TypedElement) -> float:
    """
    Return the distance in meters per turn of a screw, positive for a right-handed one.

    ``thread_pitch`` is older, in radians per meter and with the opposite sign.
    """
    if screw.has('screw_thread_pitch') or not screw.has('thread_pitch'):
        return screw.number('screw_thread_pitch')
    turn = screw.number('thread_pitch')
    return -math.tau / turn if turn != 0.0 else 0.0


def _kind_of(joint: str) -> CoordinateKind:
    """Return the kind of coordinates of a joint type."""
    return 'length' if joint == 'prismatic' else 'angle'


def _axis(element: TypedElement, joint: str, report: Report) -> Axis:
    """Return the ``<axis>`` or ``<axis2>`` of a joint type."""
    first = {child.tag: child for child in reversed(element.children)}
    limit = first.get('limit') or element.section('limit')
    lower, upper, velocity, effort = limit.values_of('lower', 'upper', 'velocity', 'effort')
    coordinate = Coordinate(
        '', _kind_of(joint),
        -math.inf if joint == 'continuous' or lower != lower else lower,
        math.inf if joint == 'continuous' or upper != upper else upper,
        math.inf if velocity < 0.0 else velocity,  # a negative maximum means no limit
        math.inf if effort < 0.0 else effort, location=element.location)
    if 'dynamics' in first:
        coordinate = coordinate._replace(
            **dict(zip(_DYNAMICS, first['dynamics'].values_of(*_DYNAMICS))))
    xyz = first.get('xyz')
    return Axis(
        coordinate=coordinate, element=element, direction=_unit(element, report),
        expressed_in='' if xyz is None else xyz.attributes.get('expressed_in', '').strip(),
        nan='lower' if lower != lower else 'upper' if upper != upper else '',
        mimic=first.get('mimic'))


def _unit(axis: TypedElement, report: Report) -> Vector:
    """Return the direction with length 1; a vector of nearly zero length is an error."""
    x, y, z = axis.vector3('xyz')
    norm = math.hypot(x, y, z)
    if norm < _LEAST_NORM:
        report.add(
            codes.AXIS_ZERO, 'the direction of an axis must not be zero', axis.locate('xyz'),
            severity='error', reference='ELEMENT_INVALID')
        return Z_AXIS
    return x / norm, y / norm, z / norm


# ---- resolve

class ResolvedJoint(NamedTuple):
    """
    The references of a joint that connects two bodies.

    ``parent`` is the index of the body that carries the parent frame. ``axes`` are in the joint's
    frame, one for each axis of the type. ``reference`` is the body that carries the reference body
    of a gearbox, NONE without one.
    """

    parent: int
    axes: Mapping[str, Axis]
    reference: int = NONE


def resolve_joint(
    index: int, joint: Joint, world: int, frames: Frames, report: Report,
) -> Optional[ResolvedJoint]:
    """
    Return a joint's references; None where it does not connect two bodies.

    ``world`` is the index of the outermost scope.
    """
    parent = _find_parent(index, joint, world, frames, report)
    if parent is None:
        return None
    axes = _resolve_axes(index, joint, frames, report)
    if joint.type == 'gearbox':
        return ResolvedJoint(parent, axes, _find_reference(index, joint, frames, report))
    _check_axes(joint, report)
    for tag in AXES_OF_TYPE[joint.type]:
        if tag not in axes:
            axes[tag] = Axis(
                Coordinate('', _kind_of(joint.type), location=joint.location))
    return ResolvedJoint(parent, axes)


def check_joint(index: int, joint: Joint, frames: Frames, report: Report) -> None:
    """Report faults in the references of a joint in a model without a world around it."""
    _find_parent(index, joint, NONE, frames, report)
    _resolve_axes(index, joint, frames, report)
    for tag, axis in joint.axes.items():
        if axis.mimic is not None:
            find_leader(index, tag, axis.mimic, frames, report)


def _find_parent(
    index: int, joint: Joint, world: int, frames: Frames, report: Report,
) -> Optional[int]:
    """Return the body of the parent, None with the reason reported if an end is missing."""
    tree, scope = frames.tree, frames.tree.around[index]
    parent = world
    if joint.parent != 'world':
        found = NONE if joint.parent == joint.name else tree.find(scope, joint.parent)
        if found == NONE:
            if joint.parent != ROOT:
                tree.report_unknown(
                    scope, joint.parent, codes.JOINT_PARENT_UNKNOWN,
                    f"joint '{joint.name}' is its own parent" if joint.parent == joint.name else
                    f"the parent '{joint.parent}' of joint '{joint.name}' is not in its scope",
                    joint.element.locate('parent'), report, severity=frames.severity(scope),
                    reference='JOINT_PARENT_LINK_INVALID')
            return None
        parent = frames.bodies[found]
    child = frames.bodies[index]
    if tree.find(scope, joint.attached_to) == NONE:  # reported by the frame graph
        return None
    if parent != child and tree.items[child].kind not in ('world', 'root'):
        return parent
    _report_bodies(joint, parent, child, scope, frames, report)
    return None


def _report_bodies(
    joint: Joint, parent: int, child: int, scope: int, frames: Frames, report: Report,
) -> None:
    """Report a child that cannot move or that is also the parent."""
    body = frames.tree.items[child]
    if body.kind in ('world', 'root'):
        if joint.attached_to != 'world':
            report.add(
                codes.JOINT_CHILD_UNKNOWN,
                f"the child of joint '{joint.name}' is fixed to the world",
                joint.element.locate('child'), severity=frames.severity(scope),
                reference='JOINT_CHILD_LINK_INVALID')
    elif joint.parent != joint.attached_to:
        report.add(
            codes.SDF_JOINT_SAME_BODY,
            f"parent '{joint.parent}' and child '{joint.attached_to}' of joint '{joint.name}' "
            f"are the same link '{body.name}'", joint.location,
            severity=frames.severity(scope))


def _find_reference(index: int, joint: Joint, frames: Frames, report: Report) -> int:
    """Return the body of a gearbox's reference body, NONE with the reason reported."""
    scope = frames.tree.around[index]
    frame = frames.tree.find(scope, joint.element.string('gearbox_reference_body'))
    body = NONE
    if frame not in (NONE, scope):
        body = frames.bodies[frame]
    else:
        report.add(
            codes.SDF_GEARBOX_REFERENCE,
            f"gearbox '{joint.name}' has no reference body that is in its scope",
            joint.location)
    return body


def _check_axes(joint: Joint, report: Report) -> None:
    """Report missing axes, whose default is z, and limits that are not numbers."""
    for tag in AXES_OF_TYPE[joint.type]:
        axis = joint.axes.get(tag)
        if axis is None or axis.element is None:
            report.add(
                codes.AXIS_MISSING, f"joint '{joint.name}' has no <{tag}>; z is used",
                joint.location)
        elif axis.nan and joint.type != 'continuous':
            report.add(
                codes.NOT_FINITE,
                f"<{axis.nan}> of joint '{joint.name}' is not a number; ignored",
                axis.element.section('limit').locate(axis.nan), severity='warning')


def _resolve_axes(
    index: int, joint: Joint, frames: Frames, report: Report,
) -> dict[str, Axis]:
    """Return the axes expressed in the joint's frame."""
    axes = dict(joint.axes)
    for tag, axis in axes.items():
        if axis.expressed_in:
            axes[tag] = axis._replace(direction=_direction(index, joint, axis, frames, report))
    return axes


def _direction(
    index: int, joint: Joint, axis: Axis, frames: Frames, report: Report,
) -> Vector:
    """Return an axis direction in the joint's frame; from an unknown frame it stays as written."""
    tree, scope = frames.tree, frames.tree.around[index]
    frame, direction = tree.find(scope, axis.expressed_in), axis.direction
    if frame == NONE:
        assert axis.element is not None
        tree.report_unknown(
            scope, axis.expressed_in, codes.SDF_EXPRESSED_IN_UNKNOWN,
            f"an axis of joint '{joint.name}' is expressed in '{axis.expressed_in}', which is not "
            'in its scope', axis.element.section('xyz').attribute_location('expressed_in', 0),
            report, severity=frames.severity(scope))
    else:
        scope_from_frame, scope_from_joint = frames.pose_in(scope, frame), frames.poses[index]
        if scope_from_frame is not scope_from_joint:
            direction = rotate(compose(inverse(scope_from_joint), scope_from_frame), direction)
    return direction


def find_leader(
    index: int, tag: str, mimic: TypedElement, frames: Frames, report: Report,
) -> Optional[tuple[int, str]]:
    """Return the joint and axis that is mimicked, None with the reason in the report."""
    joint, scope = frames.joint(index), frames.tree.around[index]
    name, axis = mimic.string('joint').strip(), mimic.string('axis').strip()
    found = frames.tree.find(scope, name)
    leader = None if found == NONE else frames.tree.items[found]
    severity, attribute = frames.severity(scope), 'joint'
    if axis not in ('axis', 'axis2'):
        attribute = 'axis'
        severity, reason = 'error', f"unknown axis '{axis}', only 'axis' and 'axis2'"
    elif found == index and axis == tag:
        severity, reason = 'error', f"an axis of joint '{joint.name}' mimics itself"
    elif not isinstance(leader, Joint):
        reason = f"joint '{joint.name}' mimics '{name}', which is not a joint in its scope"
    elif axis not in leader.axes:
        attribute, reason = 'axis', f"joint '{leader.name}' has no <{axis}> to mimic"
    else:
        return found, axis
    report.add(
        codes.MIMIC_INVALID, reason, mimic.attribute_location(attribute, 0),
        severity=severity, reference='JOINT_AXIS_MIMIC_INVALID', cause=name)
    return None
