# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What is in a scope, read from its elements, and the names that it takes."""

from __future__ import annotations

from typing import Optional

from hrdf_ros import codes
from hrdf_ros.parsing.sdf import is_reserved
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.context import SdfContext
from hrdf_ros.readers.sdf.element import name_of, pose_and_reference
from hrdf_ros.readers.sdf.joint import read_joint, SdfJoint
from hrdf_ros.readers.sdf.link import check_children, read_link
from hrdf_ros.readers.sdf.scopes import Scope, ScopedElement, ScopedJoint, ScopedLink, ScopedModel
from hrdf_ros.readers.sdf.versions import Version


def read_link_into(scope: Scope, element: TypedElement, context: SdfContext) -> None:
    """Read a ``<link>`` into its scope."""
    pose, against = pose_and_reference(element)
    item = ScopedLink(
        name=name_of(element), kind='link', element=element, scope=scope, pose=pose,
        relative_to=against)
    item.link = read_link(element, context)
    add(scope, item, context)


def read_joint_into(scope: Scope, element: TypedElement, context: SdfContext) -> None:
    """Read a ``<joint>``; its pose is relative to its child frame unless it says otherwise."""
    joint = read_joint(element, context.semantics)
    if joint is None:
        scope.incomplete = True
        return
    _check_ends(element, joint, context)
    check_children(joint.preserved, context.semantics)
    pose, against = pose_and_reference(element)
    item = ScopedJoint(
        name=name_of(element), kind='joint', element=element, scope=scope, pose=pose,
        relative_to=against or joint.child, attached_to=joint.child)
    item.joint = joint
    add(scope, item, context)


def _check_ends(element: TypedElement, joint: SdfJoint, context: SdfContext) -> None:
    """Refuse what is wrong with the names of parent and child whatever they mean."""
    report = context.semantics
    if joint.child == 'world':
        report.add(
            codes.JOINT_CHILD_UNKNOWN, "the world cannot be a joint's child",
            element.locate('child'), reference='JOINT_CHILD_LINK_INVALID')
    if joint.parent == joint.child:
        report.add(
            codes.SDF_JOINT_SAME_BODY, f"parent and child are both '{joint.child}'",
            element.locate('child'))
    ends = (joint.parent, joint.child)
    if '__root__' in ends:
        for tag in (tag for tag, name in zip(('parent', 'child'), ends) if name == '__root__'):
            report.add(
                codes.SDF_RESERVED_NAME, "'__root__' is reserved and cannot be referred to",
                element.locate(tag))


def read_frame_into(scope: Scope, element: TypedElement, context: SdfContext) -> None:
    """Read a ``<frame>``; its pose is relative to what it is attached to, unless it says so."""
    attached_to = element.attributes.get('attached_to', '').strip()
    pose, against = pose_and_reference(element)
    add(scope, ScopedElement(
        name=name_of(element), kind='frame', element=element, scope=scope, pose=pose,
        relative_to=against or attached_to, attached_to=attached_to), context)


def read_model(element: TypedElement, scope: Scope, version: Version) -> ScopedModel:
    """Return a ``<model>`` with its scope, which is filled later."""
    pose, against = pose_and_reference(element)
    model = ScopedModel(
        name=name_of(element), element=element, scope=scope, pose=pose, relative_to=against,
        version=version)
    model.inner.static = element.boolean('static')
    model.inner.placement_frame = element.string('placement_frame').strip()
    model.inner.canonical_link = element.string('canonical_link').strip()
    return model


def add(scope: Scope, item: ScopedElement, context: SdfContext) -> None:
    """Take an element into a scope unless its name is missing, reserved or taken."""
    name = item.name
    if not name:
        scope.incomplete = True
        return
    if name[:2] == '__' or name == 'world':
        _check_reserved(item, context)
    key = item.kind, name
    if key in scope.names:
        context.semantics.add(
            codes.DUPLICATE_NAME, f"duplicate <{item.kind}> '{name}'",
            item.element.attribute_location('name', 0), reference='DUPLICATE_NAME')
        return
    scope.names.add(key)
    if name in scope.items:
        free = _rename(scope, item, context)
        if free is None:
            return
        name = item.name = free
    scope.items[name] = item
    scope.children.append(item)


def _check_reserved(item: ScopedElement, context: SdfContext) -> None:
    if is_reserved(item.name):
        context.semantics.add(
            codes.SDF_RESERVED_NAME, f"the {item.kind} name '{item.name}' is reserved",
            item.element.attribute_location('name', 0))


def _rename(scope: Scope, item: ScopedElement, context: SdfContext) -> Optional[str]:
    """
    Return another name for an element whose name one of another kind has taken.

    Until SDF 1.6 that was allowed: the later of the two is renamed, references are not. Since
    1.7 it is an error, and nested models were never renamed.
    """
    other = scope.items[item.name].kind
    location = item.element.attribute_location('name', 0)
    message = f"a {other} beside this {item.kind} is also named '{item.name}'"
    if scope.version >= (1, 7) or item.kind == 'model':
        context.semantics.add(
            codes.DUPLICATE_NAME, message, location, reference='DUPLICATE_NAME')
        return None
    name, count = f'{item.name}_{item.kind}', 0
    while name in scope.items:
        name, count = f'{item.name}_{item.kind}{count}', count + 1
    context.semantics.add(
        codes.NAME_CHANGED, f"{message}; it becomes '{name}'", location,
        hint='since SDF 1.7 siblings require different names')
    return name
