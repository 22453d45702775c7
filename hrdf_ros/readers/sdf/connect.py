# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
What joints refer to: their ends, the frames of their axes, the axes that they mimic.

libsdformat checks these in the outermost models and in the world only. In nested models a fault
is a warning here, and what cannot be built is left out.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceRef
from hrdf_ros.parsing.suggestions import did_you_mean
from hrdf_ros.pose import compose, IDENTITY, inverse, rotate, Vector
from hrdf_ros.readers.sdf.frames import child_place, resolve_body, resolve_local
from hrdf_ros.readers.sdf.joints import Axis, JointFacts, MimicFacts
from hrdf_ros.readers.sdf.scopes import Item, meant, Scope, Sink


class Ends(NamedTuple):
    """What carries a joint's parent and child frame."""

    parent: Sink
    child: Sink


def _severity(scope: Scope) -> Literal['error', 'warning']:
    return 'error' if scope.depth < 2 else 'warning'


def find_ends(joint: Item, world: Scope, report: Report) -> Optional[Ends]:
    """Return the ends of a joint, None with the reason in the report where it has not both."""
    facts: JointFacts = joint.detail
    scope = joint.scope
    path = scope.find(facts.parent)
    if facts.parent == 'world':
        parent: Sink = world
    elif path is None or facts.parent == joint.name:
        _report_parent(joint, facts.parent, report)
        return None
    else:
        parent = resolve_body(meant(scope, path), report)
    child = joint.body
    if child is None or scope.find(facts.child) is None:
        return None  # found when attachments were checked
    return _distinct(joint, Ends(parent, child), report)


def check_joint(joint: Item, world: Scope, report: Report) -> None:
    """Report what is wrong with what a joint refers to."""
    facts: JointFacts = joint.detail
    find_ends(joint, world, report)
    for tag, axis in facts.axes.items():
        axis_in_joint(joint, axis, report)
        if axis.mimic is not None:
            find_leader(joint, tag, axis.mimic, report)


def _report_parent(joint: Item, name: str, report: Report) -> None:
    if joint.scope.incomplete or name == '__root__':
        return
    report.add(
        codes.JOINT_PARENT_UNKNOWN,
        f"the parent '{name}' of joint '{joint.name}' is not in its scope"
        if name != joint.name else f"joint '{name}' is its own parent", parent_place(joint),
        hint=did_you_mean(name, joint.scope.items), severity=_severity(joint.scope),
        reference='JOINT_PARENT_LINK_INVALID')


def parent_place(joint: Item) -> SourceRef:
    """Return the place of a joint's parent name."""
    node = joint.node.child('parent')
    return node.text_location() if node is not None else joint.location


def _distinct(joint: Item, ends: Ends, report: Report) -> Optional[Ends]:
    """Return the ends if they are two bodies and the child can move."""
    facts: JointFacts = joint.detail
    if isinstance(ends.child, Scope) and ends.child.kind != 'model':
        if facts.child != 'world':
            report.add(
                codes.JOINT_CHILD_UNKNOWN,
                f"the child of joint '{joint.name}' is fixed to the world",
                child_place(joint),
                severity=_severity(joint.scope), reference='JOINT_CHILD_LINK_INVALID')
        return None
    if ends.parent is ends.child:
        if facts.parent != facts.child:
            report.add(
                codes.SDF_JOINT_SAME_BODY,
                f"parent '{facts.parent}' and child '{facts.child}' of joint '{joint.name}' are "
                f"the same body '{ends.child.name}'",
                joint.location,
                severity=_severity(joint.scope),
            )
        return None
    return ends


def axis_in_joint(joint: Item, axis: Axis, report: Report) -> Vector:
    """Return an axis as seen in the joint's frame; only rotations count."""
    if not axis.expressed_in:
        return axis.xyz
    path = joint.scope.find(axis.expressed_in)
    if path is None:
        if not joint.scope.incomplete:
            xyz = axis.node.child('xyz')
            report.add(
                codes.SDF_EXPRESSED_IN_UNKNOWN,
                f"an axis of joint '{joint.name}' is expressed in '{axis.expressed_in}', which is "
                'not in its scope',
                (
                    xyz.attribute_location('expressed_in', 0)
                    if xyz is not None
                    else axis.node.location
                ),
                hint=did_you_mean(axis.expressed_in, joint.scope.items),
                severity=_severity(joint.scope),
            )
        return axis.xyz
    scope_from_frame = resolve_local(path, report)
    scope_from_joint = joint.local or IDENTITY
    if scope_from_frame is scope_from_joint:
        return axis.xyz
    return rotate(compose(inverse(scope_from_joint), scope_from_frame), axis.xyz)


def find_leader(joint: Item, tag: str, mimic: MimicFacts, report: Report) -> Optional[Item]:
    """Return the joint whose axis is mimicked, None with the reason in the report."""
    severity = _severity(joint.scope)
    path = joint.scope.find(mimic.joint)
    leader = path[-1] if path else None
    at = 'joint'
    if mimic.axis not in ('axis', 'axis2'):
        at = 'axis'
        severity, why = 'error', f"there is no axis '{mimic.axis}', only 'axis' and 'axis2'"
    elif leader is joint and mimic.axis == tag:
        severity, why = 'error', f"an axis of joint '{joint.name}' mimics itself"
    elif leader is None or leader.kind != 'joint':
        why = f"joint '{joint.name}' mimics '{mimic.joint}', which is no joint in its scope"
    elif mimic.axis not in leader.detail.axes:
        at, why = 'axis', f"joint '{leader.name}' has no <{mimic.axis}> to mimic"
    else:
        return leader
    report.add(
        codes.MIMIC_INVALID, why, mimic.node.attribute_location(at, 0),
        reference='JOINT_AXIS_MIMIC_INVALID', severity=severity)
    return None
