# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
References of joints and of the parts of links, joints and scopes.

Of joints: their ends, the frames of their axes, the axes that they mimic. libsdformat checks these
in the outermost models and in the world only; in nested models a fault is a warning here, and a
joint that cannot be built is left out. Of parts: the frames of their poses; with these the inertia
of a link that its collisions give.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.codes import Severity
from hrdf_ros.diagnostics import Report
from hrdf_ros.model import Shape
from hrdf_ros.parsing.suggestions import did_you_mean
from hrdf_ros.pose import compose, IDENTITY, inverse, Pose, relative, rotate, Vector
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.element import pose_of, relative_to
from hrdf_ros.readers.sdf.frame_graph import resolve_body, resolve_pose
from hrdf_ros.readers.sdf.joint import AXES_OF_TYPE
from hrdf_ros.readers.sdf.link import inertia_of_collisions
from hrdf_ros.readers.sdf.scopes import (
    AttachedBody,
    Axis,
    AxisMimic,
    Joint,
    Link,
    Scope,
    ScopedElement,
    target,
    with_inner,
)

_DROPPED = ('include', 'model_state')

References = dict[TypedElement, Pose]
"""
The pose owner_from_reference of each element whose pose names the frame it is relative to.

The owner is the link, joint or scope that the element is in.
"""


def resolve_references(
    world: Scope, top: Scope, items: Sequence[ScopedElement], report: Report,
) -> References:
    """
    Resolve the content of links, joints and scopes, and report faults.

    ``world`` is the outermost scope, ``items`` all that is in ``top``.
    """
    references: References = {}
    joints = [item for item in items if isinstance(item, Joint)]
    for item in items:
        if isinstance(item, Link) and (item.relative or item.preserved or item.inertia is None):
            _resolve_link(item, references, report)
    for joint in joints:
        _resolve_joint(joint, world, report)
    for joint in joints:
        _add_references(joint.preserved, joint, references, report)
    for scope in with_inner(top):
        for element in scope_parts(scope):
            if relative_to(element):
                references[element] = _reference(element, scope, IDENTITY, scope.name, report)
    return references


def pose_in_owner(element: TypedElement, references: References) -> Pose:
    """Return owner_from_element for an element in a link, joint or scope."""
    reference = references.get(element)
    return pose_of(element) if reference is None else compose(reference, pose_of(element))


def scope_parts(scope: Scope) -> list[TypedElement]:
    """Return the elements of a scope that are preserved as raw text."""
    return [element for element in scope.others if element.tag not in _DROPPED]


def _resolve_link(link: Link, references: References, report: Report) -> None:
    """Pose the shapes of a link in its frame, and compute its inertia where they give it."""
    _add_references((*link.relative, *link.preserved), link, references, report)
    collisions = link.element.all('collision')
    if link.relative:
        link.visuals = _posed(link.visuals, link.element.all('visual'), references)
        link.collisions = _posed(link.collisions, collisions, references)
    if link.inertia is None:
        link.inertia = inertia_of_collisions(
            link.element, list(zip(collisions, link.collisions)), report)


def _posed(
    shapes: Iterable[Shape], elements: Iterable[TypedElement], references: References,
) -> list[Shape]:
    return [
        shape._replace(pose=pose_in_owner(element, references))
        for shape, element in zip(shapes, elements)]


def _add_references(
    elements: Iterable[TypedElement], owner: ScopedElement, references: References,
    report: Report,
) -> None:
    for element in elements:
        if relative_to(element):
            references[element] = _reference(
                element, owner.scope, owner.resolved_pose, owner.name, report)


def _reference(
    element: TypedElement, scope: Scope, scope_from_owner: Pose, owner: str, report: Report,
) -> Pose:
    """Return owner_from_reference for an element whose pose names a frame."""
    name = relative_to(element)
    path = scope.find(name)
    if path is not None:
        return relative(scope_from_owner, resolve_pose(path, report))
    if not scope.incomplete:
        report.add(
            codes.SDF_RELATIVE_TO_UNCHECKED,
            f"the pose of this <{element.tag}> is relative to '{name}', which is not in the scope "
            f"of '{owner}'", element.section('pose').attribute_location('relative_to', 0),
            hint='libsdformat does not look until it is asked for this pose', cause=name)
    return IDENTITY


# ---- joints

def _resolve_joint(joint: Joint, world: Scope, report: Report) -> None:
    """Resolve a joint's references, and report faults; ``world`` is the outermost scope."""
    joint.parent_body = _find_parent(joint, world, report)
    if joint.parent_body is None:
        return
    _resolve_axes(joint, report)
    if joint.type == 'gearbox':
        joint.reference = _gearbox_reference(joint, report)
    else:
        _check_axes(joint, report)


def check_joint(joint: Joint, world: Scope, report: Report) -> None:
    """Report faults in a joint's references."""
    _find_parent(joint, world, report)
    _resolve_axes(joint, report)
    for tag, axis in joint.axes.items():
        if axis.mimic is not None:
            find_leader(joint, tag, axis.mimic, report)


def _severity(scope: Scope) -> Severity:
    return 'error' if scope.depth < 2 else 'warning'


# ---- ends

def _find_parent(joint: Joint, world: Scope, report: Report) -> Optional[AttachedBody]:
    """Return the body of the parent, None with the reason reported where an end is missing."""
    scope, name = joint.scope, joint.parent
    path = scope.find(name)
    if name == 'world':
        parent: AttachedBody = world
    elif path is None or name == joint.name:
        _report_parent(joint, name, report)
        return None
    else:
        frame = target(scope, path)
        parent = frame.body or resolve_body(frame, report)
    child, name = joint.body, joint.attached_to
    if child is None or name not in scope.items and scope.find(name) is None:
        return None  # reported by the frame graph
    return parent if _are_ends(joint, parent, child, report) else None


def _report_parent(joint: Joint, name: str, report: Report) -> None:
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
    joint: Joint, parent: AttachedBody, child: AttachedBody, report: Report,
) -> bool:
    """Return whether the ends are two bodies and the child can move; report it if not."""
    if isinstance(child, Scope) and child.kind != 'model':
        if joint.attached_to != 'world':
            report.add(
                codes.JOINT_CHILD_UNKNOWN,
                f"the child of joint '{joint.name}' is fixed to the world",
                joint.element.locate('child'), severity=_severity(joint.scope),
                reference='JOINT_CHILD_LINK_INVALID')
        return False
    if parent is child and joint.parent != joint.attached_to:
        report.add(
            codes.SDF_JOINT_SAME_BODY,
            f"parent '{joint.parent}' and child '{joint.attached_to}' of joint '{joint.name}' "
            f"are the same link '{child.name}'", joint.location, severity=_severity(joint.scope))
    return parent is not child


def _gearbox_reference(joint: Joint, report: Report) -> Optional[AttachedBody]:
    """Return the body that a gearbox's angles are measured against, None with a warning."""
    path = joint.scope.find(joint.reference_body)
    if path:
        return resolve_body(target(joint.scope, path), report)
    report.add(
        codes.SDF_GEARBOX_REFERENCE,
        f"gearbox '{joint.name}' has no reference body that is in its scope", joint.location)
    return None


# ---- axes

def _check_axes(joint: Joint, report: Report) -> None:
    """Report axes that are missing, and limits that are not numbers."""
    axes = joint.axes
    for tag in AXES_OF_TYPE[joint.type]:
        if tag not in axes:
            report.add(
                codes.AXIS_MISSING, f"joint '{joint.name}' has no <{tag}>; z is used",
                joint.location)
        elif axes[tag].nan and joint.type != 'continuous':
            name = axes[tag].nan
            report.add(
                codes.NOT_FINITE, f"<{name}> of joint '{joint.name}' is not a number; ignored",
                axes[tag].element.section('limit').locate(name), severity='warning')


def _resolve_axes(joint: Joint, report: Report) -> None:
    """Rotate the axes that are given in another frame into that of the joint."""
    for axis in joint.axes.values():
        if axis.expressed_in:
            axis.direction = _axis_in_joint(joint, axis, report)


def _axis_in_joint(joint: Joint, axis: Axis, report: Report) -> Vector:
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


def _report_expressed_in(joint: Joint, axis: Axis, report: Report) -> None:
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
    joint: Joint, tag: str, mimic: AxisMimic, report: Report,
) -> Optional[Joint]:
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
    elif not isinstance(leader, Joint):
        reason = f"joint '{joint.name}' mimics '{mimic.joint}', which is not a joint in its scope"
    elif mimic.axis not in leader.axes:
        attribute, reason = 'axis', f"joint '{leader.name}' has no <{mimic.axis}> to mimic"
    else:
        return leader
    report.add(
        codes.MIMIC_INVALID, reason, mimic.element.attribute_location(attribute, 0),
        severity=severity, reference='JOINT_AXIS_MIMIC_INVALID', cause=mimic.joint)
    return None
