# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Merging includes (SDF 1.9): the elements of an included model go into the scope around it.

A frame ``_merged__NAME__model__`` replaces the model's own frame: it is attached to the model's
canonical link and has the pose of the model. Only elements with a frame are merged; the model's
``static`` and the like are dropped.
"""

from __future__ import annotations

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.pose import compose, inverse, Pose
from hrdf_ros.readers.sdf.context import SdfContext
from hrdf_ros.readers.sdf.frame_graph import choose_canonical, resolve_frames, resolve_pose
from hrdf_ros.readers.sdf.references import check_joint
from hrdf_ros.readers.sdf.scopes import (
    add,
    Joint,
    Scope,
    ScopedElement,
    ScopedModel,
    with_inner,
)

_OWN = ('', '__model__')


def merge_included(top: Scope, context: SdfContext) -> None:
    """Merge every model that was included to be merged, inner ones first."""
    for scope in reversed(with_inner(top)):
        if any(model.is_merged for model in scope.models):
            _merge_into(scope, context)


def _merge_into(scope: Scope, context: SdfContext) -> None:
    children, scope.children, scope.models = scope.children, [], []
    for item in children:
        if isinstance(item, ScopedModel) and item.is_merged:
            _merge(item, scope, context)
        else:
            scope.append(item)


def _merge(model: ScopedModel, scope: Scope, context: SdfContext) -> None:
    """Add the proxy frame and the elements of one model to the scope."""
    inner = model.inner
    alone = _check_alone(inner)
    if not alone.ok:
        context.syntax.extend(alone)
        scope.incomplete = True
    canonical = choose_canonical(inner)
    proxy = f'_merged__{model.name}__model__'
    add(scope, ScopedElement(
        name=proxy, kind='frame', element=model.element, scope=scope,
        pose=_pose(model, context), relative_to=model.relative_to or scope.origin,
        attached_to=inner.name_below(canonical) if canonical is not None else ''),
        context.semantics)
    for child in inner.children:
        if scope.kind == 'world' and child.kind == 'link':
            context.syntax.add(
                codes.SDF_MERGE_UNSUPPORTED, 'a model with links cannot be merged into a world',
                child.location)
            continue
        _redirect(child, proxy)
        child.scope, child.scope_pose = scope, None
        add(scope, child, context.semantics)
    _merge_others(inner, scope, context)


def _check_alone(inner: Scope) -> Report:
    """
    Check a model on its own before it is merged, and reset its resolved poses and bodies.

    So libsdformat does: the frames that the model refers to have to be in its own file.
    """
    found = Report()
    inner.depth = 1
    resolve_frames(inner, found)
    world = Scope('', 'root', inner.element, inner.version)
    for item in inner.children:
        if isinstance(item, Joint):
            check_joint(item, world, found)
    for item in inner.children:
        item.scope_pose = None
        item.body = item if item.kind == 'link' else None
    return found


def _merge_others(inner: Scope, scope: Scope, context: SdfContext) -> None:
    """Merge plugins, grippers and custom elements."""
    for element in inner.others:
        if element.tag == 'gripper' and scope.kind == 'world':
            context.syntax.add(
                codes.SDF_MERGE_UNSUPPORTED,
                'a model with a gripper cannot be merged into a world', element.location)
        elif element.tag in ('plugin', 'gripper') or ':' in element.tag:
            scope.others.append(element)


def _pose(model: ScopedModel, context: SdfContext) -> Pose:
    """Return the pose of the model's own frame, its placement frame taken into account."""
    inner = model.inner
    path = inner.find(inner.placement_frame) if inner.placement_frame else ()
    if path is None:
        context.semantics.add(
            codes.SDF_PLACEMENT_FRAME_UNKNOWN,
            f"there is no frame '{inner.placement_frame}' in the merged model", model.location,
            cause=inner.placement_frame)
        return model.pose
    return compose(model.pose, inverse(resolve_pose(path, context.semantics)))


def _redirect(child: ScopedElement, proxy: str) -> None:
    """Replace every reference to the model's own frame by the proxy frame."""
    if child.relative_to in _OWN:
        child.relative_to = proxy
    if child.kind == 'frame' and child.attached_to in _OWN:
        child.attached_to = proxy
    elif isinstance(child, Joint):
        for axis in child.axes.values():
            if axis.expressed_in == '__model__':
                axis.expressed_in = proxy
        if child.parent == '__model__':
            child.parent = proxy
        if child.attached_to == '__model__':
            child.attached_to = proxy
