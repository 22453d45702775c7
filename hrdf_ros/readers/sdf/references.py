# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
References of joints and of the parts of links, joints and scopes.

Of joints: their ends, the frames of their axes, the axes that they mimic. libsdformat checks these
in the outermost models and in the world only; in nested models a fault is a warning here, and a
joint that cannot be built is left out. Of parts: the frames of their poses, which become poses in
the link, joint or scope around them; with these the inertia of a link that its collisions give.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.codes import Severity
from hrdf_ros.diagnostics import Report
from hrdf_ros.model import Coordinate, Shape
from hrdf_ros.pose import compose, IDENTITY, inverse, Pose, relative, rotate, Vector
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.element import pose_and_reference
from hrdf_ros.readers.sdf.frame_graph import resolve_body, resolve_pose
from hrdf_ros.readers.sdf.joint import AXES_OF_TYPE, kind_of
from hrdf_ros.readers.sdf.link import inertia_of_collisions
from hrdf_ros.readers.sdf.scopes import Axis, Joint, Link, Scope, ScopedElement, with_inner


def resolve_references(
    world: Scope, top: Scope, items: Sequence[ScopedElement], report: Report,
) -> None:
    """
    Resolve the content of links, joints and scopes, and report faults.

    ``world`` is the outermost scope, ``items`` all that is in ``top``.
    """
    joints = [item for item in items if isinstance(item, Joint)]
    for item in items:
        if isinstance(item, Link) and (item.relative or item.preserved or item.inertia is None):
            _resolve_link(item, report)
    for joint in joints:
        _resolve_joint(joint, world, report)
    for joint in joints:
        _pose_parts(joint.preserved, joint.scope, joint.scope_pose, joint.name, report)
    for scope in with_inner(top):
        _pose_parts(scope.others, scope, IDENTITY, scope.name, report)


def _resolve_link(link: Link, report: Report) -> None:
    """Pose the shapes of a link in its frame, and compute its inertia where they give it."""
    _pose_parts(
        (*link.relative, *link.preserved), link.scope, link.scope_pose, link.name, report)
    collisions = link.element.all('collision')
    if link.relative:
        link.visuals = _posed(link.visuals, link.element.all('visual'))
        link.collisions = _posed(link.collisions, collisions)
    if link.inertia is None:
        link.inertia = inertia_of_collisions(
            link.element, list(zip(collisions, link.collisions)), report)


def _posed(shapes: Iterable[Shape], elements: Iterable[TypedElement]) -> list[Shape]:
    return [
        shape._replace(pose=pose_and_reference(element)[0])
        for shape, element in zip(shapes, elements)]


def _pose_parts(
    elements: Iterable[TypedElement], scope: Scope, scope_from_owner: Optional[Pose], owner: str,
    report: Report,
) -> None:
    """Make the poses of elements that name a frame relative to their owner."""
    for element in elements:
        pose, name = pose_and_reference(element)
        if not name:
            continue
        frame = scope.find(name)
        if frame is not None:
            element.section('pose').value = compose(
                relative(scope_from_owner or IDENTITY, resolve_pose(scope, frame, report)), pose)
        elif not scope.incomplete:
            report.add(
                codes.SDF_RELATIVE_TO_UNCHECKED,
                f"the pose of this <{element.tag}> is relative to '{name}', which is not in the "
                f"scope of '{owner}'", element.section('pose').attribute_location(
                    'relative_to', 0),
                hint='libsdformat does not look until it is asked for this pose', cause=name)


# ---- joints

def _resolve_joint(joint: Joint, world: Scope, report: Report) -> None:
    """Resolve a joint's references, and report faults; ``world`` is the outermost scope."""
    joint.parent_body = _find_parent(joint, world, report)
    if joint.parent_body is None:
        return
    _resolve_axes(joint, report)
    if joint.type != 'gearbox':
        _check_axes(joint, report)
        return
    frame = joint.scope.find(joint.element.string('gearbox_reference_body'))
    if frame is None or frame is joint.scope:
        report.add(
            codes.SDF_GEARBOX_REFERENCE,
            f"gearbox '{joint.name}' has no reference body that is in its scope", joint.location)
    else:
        joint.reference = resolve_body(frame, report)


def check_joint(joint: Joint, world: Scope, report: Report) -> None:
    """Report faults in a joint's references."""
    _find_parent(joint, world, report)
    _resolve_axes(joint, report)
    for tag, axis in joint.axes.items():
        if axis.mimic is not None:
            find_leader(joint, tag, axis.mimic, report)


def _severity(scope: Scope) -> Severity:
    """Return how severe the fault of a joint in a scope is."""
    return 'error' if scope.depth < 2 else 'warning'


# ---- ends

def _find_parent(joint: Joint, world: Scope, report: Report) -> Optional[ScopedElement]:
    """Return the body of the parent, None with the reason reported where an end is missing."""
    scope, name = joint.scope, joint.parent
    parent: ScopedElement = world
    if name != 'world':
        found = scope.find(name)
        if found is None or name == joint.name:
            if name != '__root__':
                scope.report_unknown(
                    name, codes.JOINT_PARENT_UNKNOWN,
                    f"joint '{name}' is its own parent" if name == joint.name else
                    f"the parent '{name}' of joint '{joint.name}' is not in its scope",
                    joint.element.locate('parent'), report, severity=_severity(scope),
                    reference='JOINT_PARENT_LINK_INVALID')
            return None
        parent = found.body or resolve_body(found, report)
    child, name = joint.body, joint.attached_to
    if child is None or name not in scope.items and scope.find(name) is None:
        return None  # reported by the frame graph
    return parent if _are_ends(joint, parent, child, report) else None


def _are_ends(
    joint: Joint, parent: ScopedElement, child: ScopedElement, report: Report,
) -> bool:
    """Return whether the ends are two bodies and the child can move; report it if not."""
    if child.kind in ('world', 'root'):
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


# ---- axes

def _check_axes(joint: Joint, report: Report) -> None:
    """Report axes that are missing, which are z then, and limits that are not numbers."""
    for tag in AXES_OF_TYPE[joint.type]:
        axis = joint.axes.get(tag)
        if axis is None:
            report.add(
                codes.AXIS_MISSING, f"joint '{joint.name}' has no <{tag}>; z is used",
                joint.location)
            joint.axes[tag] = Axis(
                Coordinate('', kind_of(joint.type), location=joint.location))
        elif axis.nan and axis.element is not None and joint.type != 'continuous':
            report.add(
                codes.NOT_FINITE,
                f"<{axis.nan}> of joint '{joint.name}' is not a number; ignored",
                axis.element.section('limit').locate(axis.nan), severity='warning')


def _resolve_axes(joint: Joint, report: Report) -> None:
    """Rotate the axes that are given in another frame into that of the joint."""
    for axis in joint.axes.values():
        if axis.expressed_in:
            axis.direction = _axis_in_joint(joint, axis, report)


def _axis_in_joint(joint: Joint, axis: Axis, report: Report) -> Vector:
    """Return an axis in the joint's frame; only rotations count."""
    scope, name = joint.scope, axis.expressed_in
    frame = scope.find(name)
    if frame is None:
        assert axis.element is not None
        scope.report_unknown(
            name, codes.SDF_EXPRESSED_IN_UNKNOWN,
            f"an axis of joint '{joint.name}' is expressed in '{name}', which is not in its scope",
            axis.element.section('xyz').attribute_location('expressed_in', 0), report,
            severity=_severity(scope))
        return axis.xyz
    scope_from_frame = resolve_pose(scope, frame, report)
    scope_from_joint = joint.scope_pose or IDENTITY
    if scope_from_frame is scope_from_joint:
        return axis.xyz
    return rotate(compose(inverse(scope_from_joint), scope_from_frame), axis.xyz)


def find_leader(
    joint: Joint, tag: str, mimic: TypedElement, report: Report,
) -> Optional[tuple[Joint, str]]:
    """Return the joint and its axis that is mimicked, None with the reason in the report."""
    name, axis = mimic.string('joint').strip(), mimic.string('axis').strip()
    leader = joint.scope.find(name)
    severity, attribute = _severity(joint.scope), 'joint'
    if axis not in ('axis', 'axis2'):
        attribute = 'axis'
        severity, reason = 'error', f"unknown axis '{axis}', only 'axis' and 'axis2'"
    elif leader is joint and axis == tag:
        severity, reason = 'error', f"an axis of joint '{joint.name}' mimics itself"
    elif not isinstance(leader, Joint):
        reason = f"joint '{joint.name}' mimics '{name}', which is not a joint in its scope"
    elif axis not in leader.axes or leader.axes[axis].element is None:
        attribute, reason = 'axis', f"joint '{leader.name}' has no <{axis}> to mimic"
    else:
        return leader, axis
    report.add(
        codes.MIMIC_INVALID, reason, mimic.attribute_location(attribute, 0),
        severity=severity, reference='JOINT_AXIS_MIMIC_INVALID', cause=name)
    return None
