# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
What joints refer to: their ends, the frames of their axes, the axes that they mimic.

libsdformat checks these in the outermost models and in the world only. In nested models a fault
is a warning here, and what cannot be built is left out.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.codes import Severity
from hrdf_ros.diagnostics import Report
from hrdf_ros.parsing.suggestions import did_you_mean
from hrdf_ros.pose import compose, inverse, rotate, Vector, Z_AXIS
from hrdf_ros.readers.sdf.frame_graph import resolve_body, resolve_pose
from hrdf_ros.readers.sdf.joint import AXES_OF_TYPE, SdfAxis, SdfMimic
from hrdf_ros.readers.sdf.scopes import AttachedBody, Scope, ScopedElement, ScopedJoint, target

_NO_AXES: Mapping[str, Vector] = MappingProxyType({})


class ResolvedJoint(NamedTuple):
    """
    A joint whose references are resolved: what carries its parent frame and its child frame.

    ``axes`` are those that are given in another frame, as unit vectors in the joint's own.
    ``reference`` is what the angles of a gearbox are measured against.
    """

    parent: AttachedBody
    child: AttachedBody
    axes: Mapping[str, Vector] = _NO_AXES
    reference: Optional[AttachedBody] = None

    def axis(self, joint: ScopedJoint, tag: str) -> Vector:
        """Return an axis of the joint as a unit vector in its frame, z where it has none."""
        axis = joint.joint.axes.get(tag)
        return self.axes.get(tag) or (Z_AXIS if axis is None else axis.xyz)


ResolvedJoints = dict[ScopedJoint, ResolvedJoint]
"""The joints that have both ends."""


def resolve_joints(
    joints: Iterable[ScopedJoint], world: Scope, report: Report,
) -> ResolvedJoints:
    """Resolve joints, and report what is wrong with them; ``world`` is the outermost scope."""
    found = {}
    for joint in joints:
        resolved = _find_ends(joint, world, report)
        if resolved is None:
            continue
        axes = _resolve_axes(joint, report)
        if axes:
            resolved = resolved._replace(axes=axes)
        if joint.joint.type == 'gearbox':
            resolved = resolved._replace(reference=_gearbox_reference(joint, report))
        else:
            _check_axes(joint, report)
        found[joint] = resolved
    return found


def check_joint(joint: ScopedJoint, world: Scope, report: Report) -> None:
    """Report what is wrong with what a joint refers to."""
    _find_ends(joint, world, report)
    _resolve_axes(joint, report)
    for tag, axis in joint.joint.axes.items():
        if axis.mimic is not None:
            find_leader(joint, tag, axis.mimic, report)


def _severity(scope: Scope) -> Severity:
    return 'error' if scope.depth < 2 else 'warning'


# ---- ends

def _find_ends(joint: ScopedJoint, world: Scope, report: Report) -> Optional[ResolvedJoint]:
    """Return a joint's ends, None with the reason in the report where it has not both."""
    scope, name = joint.scope, joint.joint.parent
    path = scope.find(name)
    if name == 'world':
        parent: AttachedBody = world
    elif path is None or name == joint.name:
        _report_parent(joint, name, report)
        return None
    else:
        frame = path[-1] if path else scope
        parent = frame.body or resolve_body(frame, report)
    child, name = joint.body, joint.joint.child
    if child is None or name not in scope.items and scope.find(name) is None:
        return None  # reported by the frame graph
    return ResolvedJoint(parent, child) if _are_ends(joint, parent, child, report) else None


def _report_parent(joint: ScopedJoint, name: str, report: Report) -> None:
    if joint.scope.incomplete or name == '__root__':
        return
    message = f"joint '{name}' is its own parent"
    if name != joint.name:
        message = f"the parent '{name}' of joint '{joint.name}' is not in its scope"
    report.add(
        codes.JOINT_PARENT_UNKNOWN, message, joint.element.locate('parent'),
        hint=did_you_mean(name, joint.scope.items), severity=_severity(joint.scope),
        reference='JOINT_PARENT_LINK_INVALID', cause=name)


def _are_ends(
    joint: ScopedJoint, parent: AttachedBody, child: AttachedBody, report: Report,
) -> bool:
    """Tell whether the ends are two bodies and the child can move; report where they are not."""
    names = joint.joint.parent, joint.joint.child
    if isinstance(child, Scope) and child.kind != 'model':
        if names[1] != 'world':
            report.add(
                codes.JOINT_CHILD_UNKNOWN,
                f"the child of joint '{joint.name}' is fixed to the world",
                joint.element.locate('child'), severity=_severity(joint.scope),
                reference='JOINT_CHILD_LINK_INVALID')
        return False
    if parent is child and names[0] != names[1]:
        report.add(
            codes.SDF_JOINT_SAME_BODY,
            f"parent '{names[0]}' and child '{names[1]}' of joint '{joint.name}' are the same "
            f"body '{child.name}'", joint.location, severity=_severity(joint.scope))
    return parent is not child


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
        elif axes[tag].limit.nan and joint.joint.type != 'continuous':
            name = axes[tag].limit.nan
            report.add(
                codes.NOT_FINITE, f"<{name}> of joint '{joint.name}' is not a number; ignored",
                axes[tag].element.section('limit').locate(name), severity='warning')


def _resolve_axes(joint: ScopedJoint, report: Report) -> dict[str, Vector]:
    """Return the axes that are given in another frame in that of the joint."""
    axes = {}
    for tag, axis in joint.joint.axes.items():
        if axis.expressed_in:
            axes[tag] = _axis_in_joint(joint, axis, report)
    return axes


def _axis_in_joint(joint: ScopedJoint, axis: SdfAxis, report: Report) -> Vector:
    """Return an axis in the joint's frame; only rotations count."""
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
            severity=_severity(joint.scope), cause=axis.expressed_in)


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
        severity=severity, reference='JOINT_AXIS_MIMIC_INVALID', cause=mimic.joint)
    return None
