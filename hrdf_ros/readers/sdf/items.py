# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Items from elements: links, joints, frames and models, and the names that they take."""

from __future__ import annotations

from typing import Optional

from hrdf_ros import codes
from hrdf_ros.document import XmlElement
from hrdf_ros.pose import Pose
from hrdf_ros.readers.sdf.joints import JointFacts, read_joint_facts
from hrdf_ros.readers.sdf.links import check_names, is_reserved, read_link_facts
from hrdf_ros.readers.sdf.scopes import Item, Scope, Version
from hrdf_ros.readers.sdf.state import State
from hrdf_ros.readers.sdf.text import read_bool, read_pose


def _name(node: XmlElement) -> str:
    """Return a name without the white space around it; the grammar has asked for one."""
    return node.attributes.get('name', '').strip()


def _pose(node: XmlElement) -> tuple[Pose, str]:
    """Return an element's pose and the name of the frame that it is relative to."""
    child = node.child('pose')
    if child is None:
        return read_pose(None), ''
    return read_pose(child), child.attributes.get('relative_to', '').strip()


def read_link(node: XmlElement, scope: Scope, state: State) -> None:
    """Read a ``<link>`` into its scope."""
    pose, relative_to = _pose(node)
    item = Item(_name(node), 'link', node, scope, pose, relative_to)
    item.detail = read_link_facts(node, state)
    add(scope, item, state)


def read_joint(node: XmlElement, scope: Scope, state: State) -> None:
    """Read a ``<joint>``; its pose is relative to its child frame unless it says otherwise."""
    facts = read_joint_facts(node, state.semantics)
    if facts is None:
        scope.incomplete = True
        return
    _check_ends(node, facts, state)
    pose, relative_to = _pose(node)
    item = Item(_name(node), 'joint', node, scope, pose, relative_to or facts.child, facts.child)
    item.detail = facts
    check_names(node, state.semantics)
    add(scope, item, state)


def _check_ends(node: XmlElement, facts: JointFacts, state: State) -> None:
    """Refuse what is wrong with the names of parent and child wherever they lead."""
    child = node.child('child')
    if facts.child == 'world':
        state.semantics.add(
            codes.JOINT_CHILD_UNKNOWN, "the world cannot be a joint's child",
            child.text_location() if child is not None else node.location,
            reference='JOINT_CHILD_LINK_INVALID')
    if facts.parent == facts.child:
        state.semantics.add(
            codes.SDF_JOINT_SAME_BODY, f"parent and child are both '{facts.child}'",
            child.text_location() if child is not None else node.location)
    for tag, name in (('parent', facts.parent), ('child', facts.child)):
        if name == '__root__':
            end = node.child(tag)
            state.semantics.add(
                codes.SDF_RESERVED_NAME, "'__root__' is reserved and cannot be referred to",
                end.text_location() if end is not None else node.location)


def read_frame(node: XmlElement, scope: Scope, state: State) -> None:
    """Read a ``<frame>``; its pose is relative to what it is attached to, unless it says so."""
    pose, relative_to = _pose(node)
    attached_to = node.attributes.get('attached_to', '').strip()
    add(scope, Item(
        _name(node), 'frame', node, scope, pose, relative_to or attached_to, attached_to), state)


def read_model(node: XmlElement, scope: Scope, version: Version) -> Item:
    """Return a ``<model>`` with its scope, which is filled later."""
    pose, relative_to = _pose(node)
    item = Item(_name(node), 'model', node, scope, pose, relative_to)
    inner = item.inner = Scope(item.name, 'model', node, version, item)
    inner.static = read_bool(node.child('static'))
    inner.placement_frame = node.attributes.get('placement_frame', '').strip()
    inner.canonical_link = node.attributes.get('canonical_link', '').strip()
    return item


def add(scope: Scope, item: Item, state: State) -> None:
    """Take an item into a scope unless its name is missing, reserved or taken."""
    name = item.name
    if not name:
        scope.incomplete = True
        return
    if name[:2] == '__' or name == 'world':
        _check_reserved(item, state)
    if (item.kind, name) in scope.names:
        state.semantics.add(
            codes.DUPLICATE_NAME, f"there is a {item.kind} '{name}' already",
            item.node.attribute_location('name', 0), reference='DUPLICATE_NAME')
        return
    scope.names.add((item.kind, name))
    if name in scope.items:
        taken = _rename(scope, item, state)
        if taken is None:
            return
        name = taken
    scope.items[name] = item
    scope.children.append(item)


def _check_reserved(item: Item, state: State) -> None:
    if is_reserved(item.name):
        state.semantics.add(
            codes.SDF_RESERVED_NAME, f"the {item.kind} name '{item.name}' is reserved",
            item.node.attribute_location('name', 0))


def _rename(scope: Scope, item: Item, state: State) -> Optional[str]:
    """
    Return another name for an item whose name an element of another kind has taken.

    Until SDF 1.6 that was allowed: the later of the two is renamed, references are not. Since
    1.7 it is an error, and nested models were never renamed.
    """
    other = scope.items[item.name].kind
    if scope.version >= (1, 7) or item.kind == 'model':
        state.semantics.add(
            codes.DUPLICATE_NAME, f"a {other} beside this {item.kind} is named '{item.name}' too",
            item.node.attribute_location('name', 0), reference='DUPLICATE_NAME')
        return None
    name, count = f'{item.name}_{item.kind}', 0
    while name in scope.items:
        name, count = f'{item.name}_{item.kind}{count}', count + 1
    state.semantics.add(
        codes.NAME_CHANGED,
        f"a {other} beside this {item.kind} is named '{item.name}' too; it becomes '{name}'",
        item.node.attribute_location('name', 0),
        hint='since SDF 1.7 siblings need different names',
    )
    item.name = name
    return name
