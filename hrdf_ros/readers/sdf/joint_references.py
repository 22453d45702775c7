# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
What joints refer to: their ends, the frames of their axes, the axes that they mimic.

libsdformat checks these in the outermost models and in the world only. In nested models a fault
is a warning here, and what cannot be built is left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.codes import Severity
from hrdf_ros.diagnostics import Report
from hrdf_ros.parsing.suggestions import did_you_mean
from hrdf_ros.pose import compose, inverse, rotate, Vector
from hrdf_ros.readers.sdf.frame_graph import resolve_body, resolve_pose
from hrdf_ros.readers.sdf.joint import AXES_OF_TYPE, SdfAxis, SdfMimic
from hrdf_ros.readers.sdf.scopes import AttachedBody, Scope, ScopedElement, ScopedJoint, target


class JointEnds(NamedTuple):
    """What carries a joint's parent and child frame."""

    parent: AttachedBody
    child: AttachedBody


class ResolvedJoint(NamedTuple):
    """
    A joint whose references are resolved.

    ``axes`` are unit vectors in the joint's frame, by the tag of their element. ``reference`` is
    what the angles of a gearbox are measured against.
    """

    ends: JointEnds
    axes: dict[str, Vector]
    reference: Optional[AttachedBody] = None


ResolvedJoints = dict[ScopedJoint, ResolvedJoint]
"""The joints that have both ends."""


def resolve_joints(
    joints: Iterable[ScopedJoint], world: Scope, report: Report,
) -> ResolvedJoints:
    """Resolve joints, and report what is wrong with them; ``world`` is the outermost scope."""
    found = {}
    for joint in joints:
        ends = _find_ends(joint, world, report)
        if ends is None:
            continue
        axes = {
            tag: _axis_in_joint(joint, axis, report) for tag, axis in joint.joint.axes.items()}
        if joint.joint.type == 'gearbox':
            found[joint] = ResolvedJoint(ends, axes, _gearbox_reference(joint, report))
        else:
            _check_axes(joint, report)
            found[joint] = ResolvedJoint(ends, axes)
    return found


def check_joint(joint: ScopedJoint, world: Scope, report: Report) -> None:
    """Report what is wrong with what a joint refers to."""
    _find_ends(joint, world, report)
    for tag, axis in joint.joint.axes.items():
        _axis_in_joint(joint, axis, report)
        if axis.mimic is not None:
            find_leader(joint, tag, axis.mimic, report)


def _severity(scope: Scope) -> Severity:
    return 'error' if scope.depth < 2 else 'warning'


# ---- ends

def _find_ends(joint: ScopedJoint, world: Scope, report: Report) -> Optional[JointEnds]:
    """Return the ends of a joint, None with the reason in the report where it has not both."""
    scope, name = joint.scope, joint.joint.parent
    path = scope.find(name)
    if name == 'world':
        parent: AttachedBody = world
    elif path is None or name == joint.name:
        _report_parent(joint, name, report)
        return None
    else:
        parent = resolve_body(target(scope, path), report)
    child = joint.body
    if child is None or scope.find(joint.joint.child) is None:
        return None  # reported by the frame graph
    return _distinct(joint, JointEnds(parent, child), report)


def _report_parent(joint: ScopedJoint, name: str, report: Report) -> None:
    if joint.scope.incomplete or name == '__root__':
        return
    message = f"joint '{name}' is its own parent"
    if name != joint.name:
        message = f"the parent '{name}' of joint '{joint.name}' is not in its scope"
    report.add(
        codes.JOINT_PARENT_UNKNOWN, message, joint.element.locate('parent'),
        hint=did_you_mean(name, joint.scope.items), severity=_severity(joint.scope),
        reference='JOINT_PARENT_LINK_INVALID')


def _distinct(joint: ScopedJoint, ends: JointEnds, report: Report) -> Optional[JointEnds]:
    """Return the ends if they are two bodies and the child can move."""
    parent, child = joint.joint.parent, joint.joint.child
    if isinstance(ends.child, Scope) and ends.child.kind != 'model':
        if child != 'world':
            report.add(
                codes.JOINT_CHILD_UNKNOWN,
                f"the child of joint '{joint.name}' is fixed to the world",
                joint.element.locate('child'), severity=_severity(joint.scope),
                reference='JOINT_CHILD_LINK_INVALID')
        return None
    if ends.parent is ends.child:
        if parent != child:
            report.add(
                codes.SDF_JOINT_SAME_BODY,
                f"parent '{parent}' and child '{child}' of joint '{joint.name}' are the same "
                f"body '{ends.child.name}'", joint.location, severity=_severity(joint.scope))
        return None
    return ends


def _gearbox_reference(joint: ScopedJoint, report: Report) -> Optional[AttachedBody]:
    """Return what the angles of a gearbox are measured against, None with a warning."""
    path = joint.scope.find(joint.joint.reference_body)
    if path:
        return resolve_body(target(joint.scope, path), report)
    report.add(
        codes.SDF_GEARBOX_REFERENCE,
        f"gearbox '{joint.name}' has no reference body that is in its scope", joint.location)
    return None


# ---- axes

def _check_axes(joint: ScopedJoint, report: Report) -> None:
    """Report axes that are missing, and limits that are not numbers."""
    axes = joint.joint.axes
    for tag in AXES_OF_TYPE[joint.joint.type]:
        if tag not in axes:
            report.add(
                codes.AXIS_MISSING, f"joint '{joint.name}' has no <{tag}>; z is used",
                joint.location)
        elif axes[tag].limit_nan and joint.joint.type != 'continuous':
            name = axes[tag].limit_nan
            report.add(
                codes.NOT_FINITE, f"<{name}> of joint '{joint.name}' is not a number; ignored",
                axes[tag].element.section('limit').locate(name), severity='warning')


def _axis_in_joint(joint: ScopedJoint, axis: SdfAxis, report: Report) -> Vector:
    """Return an axis in the joint's frame; only rotations count."""
    if not axis.expressed_in:
        return axis.xyz
    path = joint.scope.find(axis.expressed_in)
    if path is None:
        _report_expressed_in(joint, axis, report)
        return axis.xyz
    scope_from_frame = resolve_pose(path, report)
    scope_from_joint = joint.resolved_pose
    if scope_from_frame is scope_from_joint:
        return axis.xyz
    return rotate(compose(inverse(scope_from_joint), scope_from_frame), axis.xyz)


def _report_expressed_in(joint: ScopedJoint, axis: SdfAxis, report: Report) -> None:
    if not joint.scope.incomplete:
        report.add(
            codes.SDF_EXPRESSED_IN_UNKNOWN,
            f"an axis of joint '{joint.name}' is expressed in '{axis.expressed_in}', which is not "
            'in its scope',
            axis.element.section('xyz').attribute_location('expressed_in', 0),
            hint=did_you_mean(axis.expressed_in, joint.scope.items),
            severity=_severity(joint.scope))


# ---- mimics

def find_leader(
    joint: ScopedJoint, tag: str, mimic: SdfMimic, report: Report,
) -> Optional[ScopedJoint]:
    """Return the joint whose axis is mimicked, None with the reason in the report."""
    severity = _severity(joint.scope)
    path = joint.scope.find(mimic.joint)
    leader: Optional[ScopedElement] = path[-1] if path else None
    attribute = 'joint'
    if mimic.axis not in ('axis', 'axis2'):
        attribute = 'axis'
        severity, reason = 'error', f"unknown axis '{mimic.axis}', only 'axis' and 'axis2'"
    elif leader is joint and mimic.axis == tag:
        severity, reason = 'error', f"an axis of joint '{joint.name}' mimics itself"
    elif not isinstance(leader, ScopedJoint):
        reason = f"joint '{joint.name}' mimics '{mimic.joint}', which is not a joint in its scope"
    elif mimic.axis not in leader.joint.axes:
        attribute, reason = 'axis', f"joint '{leader.name}' has no <{mimic.axis}> to mimic"
    else:
        return leader
    report.add(
        codes.MIMIC_INVALID, reason, mimic.element.attribute_location(attribute, 0),
        severity=severity, reference='JOINT_AXIS_MIMIC_INVALID')
    return None
