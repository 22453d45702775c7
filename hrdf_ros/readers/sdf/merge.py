# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Merging includes (SDF 1.9): the items of an included model become items of the scope around it.

A frame ``_merged__NAME__model__`` takes the place of the model's own frame: it is attached to the
model's canonical link and stands where the include puts the model. Only what has a frame is
merged; the model's ``static`` and the like are dropped.
"""

from __future__ import annotations

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.pose import compose, inverse, Pose
from hrdf_ros.readers.sdf.connect import check_joint
from hrdf_ros.readers.sdf.frames import choose_canonical, resolve, resolve_local
from hrdf_ros.readers.sdf.items import add
from hrdf_ros.readers.sdf.joints import JointFacts
from hrdf_ros.readers.sdf.scopes import depth_first, Item, name_scopes, Scope
from hrdf_ros.readers.sdf.state import State

_OWN = ('', '__model__')


def merge_included(top: Scope, state: State) -> None:
    """Merge every model that was included to be merged, inner ones first."""
    scopes = [item.inner for item in depth_first(top) if item.inner is not None]
    for scope in [*reversed(scopes), top]:
        if any(item.inner is not None and item.inner.merge for item in scope.children):
            _merge_into(scope, state)


def _merge_into(scope: Scope, state: State) -> None:
    children, scope.children = scope.children, []
    for item in children:
        if item.inner is not None and item.inner.merge:
            _merge(item, item.inner, scope, state)
        else:
            scope.children.append(item)


def _merge(item: Item, inner: Scope, scope: Scope, state: State) -> None:
    """Put the proxy frame and the items of one model into the scope."""
    alone = _check_alone(inner)
    if not alone.ok:
        state.syntax.extend(alone)
        scope.incomplete = True
    canonical = choose_canonical(inner)
    proxy = f'_merged__{item.name}__model__'
    attached_to = inner.name_below(canonical) if canonical is not None else ''
    add(scope, Item(
        proxy, 'frame', item.node, scope, _pose(item, inner, state),
        item.relative_to or scope.origin, attached_to), state)
    for child in inner.children:
        if scope.kind == 'world' and child.kind == 'link':
            state.syntax.add(
                codes.SDF_MERGE_UNSUPPORTED, 'a model with links cannot be merged into a world',
                child.node.location)
            continue
        _redirect(child, proxy)
        child.scope, child.local = scope, None
        add(scope, child, state)
    _merge_others(inner, scope, state)


def _check_alone(inner: Scope) -> Report:
    """
    Check a model by itself before it is merged, and leave it as unresolved as it was.

    So libsdformat does: what the model refers to has to be in its own file, wherever it is merged.
    """
    found = Report()
    inner.depth = 1
    resolve(name_scopes(inner), found)
    world = Scope('', 'root', inner.node, inner.version)
    for item in inner.children:
        if item.kind == 'joint':
            check_joint(item, world, found)
    for item in inner.children:
        item.local = None
        item.body = item if item.kind == 'link' else None
    return found


def _merge_others(inner: Scope, scope: Scope, state: State) -> None:
    """Merge plugins, grippers and custom elements."""
    for node in inner.others:
        if node.tag == 'gripper' and scope.kind == 'world':
            state.syntax.add(
                codes.SDF_MERGE_UNSUPPORTED,
                'a model with a gripper cannot be merged into a world',
                node.location,
            )
        elif node.tag in ('plugin', 'gripper') or ':' in node.tag:
            scope.others.append(node)


def _pose(item: Item, inner: Scope, state: State) -> Pose:
    """Return where the model's own frame stands, its placement frame taken into account."""
    path = inner.find(inner.placement_frame) if inner.placement_frame else ()
    if path is None:
        state.semantics.add(
            codes.SDF_PLACEMENT_FRAME_UNKNOWN,
            f"there is no frame '{inner.placement_frame}' in the merged model", item.location)
        return item.pose
    inner_from_placed = resolve_local(path, state.semantics)
    return compose(item.pose, inverse(inner_from_placed))


def _redirect(child: Item, proxy: str) -> None:
    """Let every reference to the model's own frame mean the proxy frame."""
    if child.relative_to in _OWN:
        child.relative_to = proxy
    if child.kind == 'frame' and child.attached_to in _OWN:
        child.attached_to = proxy
    elif child.kind == 'joint':
        facts: JointFacts = child.detail
        axes = {
            tag: axis._replace(expressed_in=proxy) if axis.expressed_in == '__model__' else axis
            for tag, axis in facts.axes.items()}
        parent, ours = (
            proxy if name == '__model__' else name for name in (facts.parent, facts.child))
        child.detail = facts._replace(axes=axes, parent=parent, child=ours)
        child.attached_to = ours
