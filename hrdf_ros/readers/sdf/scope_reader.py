# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Worlds and models as scopes, read from their elements and from the files that they include.

SDF 1.4 to 1.12, composition proposal 1.4. Overrides in an include are evaluated in the scope of
the include; its pose replaces the model's own as a whole, attributes and all.
A merging include (SDF 1.9) puts the elements of its model into the scope around it, without the
model's ``static`` and the like. A frame ``_merged__NAME__model__`` replaces the model's own frame:
it is attached to the model's canonical link and has the pose of the model.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.formats import sdf_has, Version
from hrdf_ros.pose import compose, inverse, Pose
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.element import mark_changed, name_of, new_element, pose_and_reference
from hrdf_ros.readers.sdf.file import SdfContext, SdfFile
from hrdf_ros.readers.sdf.frame_graph import choose_canonical, resolve_frames, resolve_pose
from hrdf_ros.readers.sdf.include import find_included
from hrdf_ros.readers.sdf.joint import read_joint
from hrdf_ros.readers.sdf.link import read_link
from hrdf_ros.readers.sdf.references import check_joint
from hrdf_ros.readers.sdf.scopes import Joint, release, Scope, ScopedElement, with_inner
from hrdf_ros.readers.sdf.siblings import check_siblings, check_world

_OWN = ('', '__model__')


def read_scope(top: Scope, context: SdfContext) -> None:
    """Read a scope and all below it, included files as well; without recursion."""
    pending = [_read_children(top, context)]
    while pending and not context.reading.resolver.exhausted:
        inner = next(pending[-1], None)
        if inner is None:
            pending.pop()
        elif inner.interface is None:
            pending.append(_read_children(inner, context))


def _read_children(scope: Scope, context: SdfContext) -> Iterator[Scope]:
    """Read the elements of a scope; yield the scope of each model in it, to be read there."""
    report = context.semantics
    if scope.kind == 'world':
        check_world(scope.content, report)
    late = []
    for element in scope.content.children:
        tag = element.tag
        if tag in ('model', 'include'):
            model = _read_model(element, scope, scope.version) if tag == 'model' else (
                _read_include(element, scope, context))
            if model is None:
                continue
            if model.name:
                yield model
            if model.is_merged:
                scope.append(model)
            else:
                scope.add(model, report)
        elif scope.kind == 'root':
            pass
        elif tag == 'link' and scope.kind == 'model':
            scope.add(read_link(element, scope, context), report)
        elif tag == 'joint':
            _add_joint(element, scope, report)
        elif tag == 'frame' and scope.kind == 'world' and not (
                sdf_has(scope.version, 'relative_to')):
            late.append(element)
        elif tag == 'frame':
            scope.add(_read_frame(element, scope), report)
        elif tag not in ('pose', 'static'):
            if tag in ('population', 'state') and scope.kind == 'world':
                _read_content(element, scope, context)
            scope.others.append(element)
    for element in late:
        scope.add(_read_frame(element, scope), report)
    if scope.others:
        taken: dict[str, str] = {name: item.kind for name, item in scope.items.items()}
        check_siblings(scope.others, taken, report)
        scope.others = [element for element in scope.others if element.tag != 'model_state']
    _check_links(scope, context)


def _check_links(scope: Scope, context: SdfContext) -> None:
    """Report a model that has no link and no model, which only a static one may be."""
    if scope.kind != 'model' or scope.static or scope.incomplete:
        return
    if not any(item.kind in ('link', 'model') for item in scope.children):
        report = context.syntax if scope.is_merged else context.semantics
        report.add(
            codes.SDF_MODEL_WITHOUT_LINK, f"model '{scope.name}' has no link",
            scope.content.location, hint='add a link, or make the model static', cause='<link>')


def _add_joint(element: TypedElement, scope: Scope, report: Report) -> None:
    joint = read_joint(element, scope, report)
    if joint is None:
        scope.incomplete = True
    else:
        scope.add(joint, report)


def _read_frame(element: TypedElement, scope: Scope) -> ScopedElement:
    """Return a ``<frame>``; its pose is relative to ``attached_to`` by default."""
    attached_to = element.attributes.get('attached_to', '').strip()
    pose, against = pose_and_reference(element)
    return ScopedElement(
        name_of(element), 'frame', element, scope, pose, against or attached_to, attached_to)


def _read_model(element: TypedElement, scope: Scope, version: Version) -> Scope:
    """Return a ``<model>``, which is filled later."""
    pose, against = pose_and_reference(element)
    model = Scope(name_of(element), 'model', element, version, scope, pose, against)
    model.static = element.boolean('static')
    model.placement_frame = element.string('placement_frame').strip()
    model.canonical_link = element.string('canonical_link').strip()
    return model


# ---- includes

def _read_include(
    element: TypedElement, scope: Scope, context: SdfContext,
) -> Optional[Scope]:
    """Return the model of an ``<include>``; where it fails, its scope is incomplete."""
    found = find_included(element, scope, context)
    if isinstance(found, SdfFile) and found.root.tag != 'model':
        if element.boolean('merge'):
            context.syntax.add(
                codes.SDF_MERGE_UNSUPPORTED,
                f'a <{found.root.tag}> cannot be merged, only a <model>',
                element.attribute_location('merge'))
        else:
            scope.others.append(_placed(found.root, element))
        return None
    if found is None:
        scope.incomplete = True
        return None
    if isinstance(found, SdfFile):
        model = _read_model(found.root, scope, found.version)
        model.is_merged = element.boolean('merge')
    else:
        model = found
    _override(model, element, context)
    _read_additions(element, model, context.semantics)
    return model


def _read_additions(element: TypedElement, inner: Scope, report: Report) -> None:
    """Read the joints and frames that an include adds (composition proposal 1.4.1)."""
    for child in element.children:
        if child.tag not in ('joint', 'frame'):
            continue
        if inner.interface is not None:
            report.add(
                codes.SDF_INCLUDE_NON_STANDARD,
                f'<{child.tag}> in an <include> is ignored: the included file is not SDFormat',
                child.location, hint='write it beside the include')
            continue
        report.add(
            codes.SDF_INCLUDE_NON_STANDARD, f'<{child.tag}> in an <include> is not standard',
            child.location, hint='it is proposed, but libsdformat ignores it')
        if child.tag == 'joint':
            _add_joint(child, inner, report)
        else:
            inner.add(_read_frame(child, inner), report)


def _placed(top: TypedElement, element: TypedElement) -> TypedElement:
    """Return an included actor or light with the name and the pose that the include gives it."""
    name, pose = element.string('name'), element.child('pose')
    if not name and pose is None:
        return top
    children = [child for child in top.children if pose is None or child.tag != 'pose']
    return new_element(
        element, top.tag, children if pose is None else [*children, pose],
        {**top.attributes, 'name': name or top.attributes.get('name', '')})


def _read_content(top: TypedElement, scope: Scope, context: SdfContext) -> None:
    """Replace the includes in a population or saved state by models; both are kept as raw text."""
    parents = [top]
    for parent in parents:  # the list grows in the loop
        for index, element in enumerate(parent.children):
            if element.tag in ('model', 'insertions'):
                parents.append(element)
            elif element.tag == 'include' and parent.rule.children['include'] is not None:
                aside = Scope('', 'root', top, scope.version)
                model = _read_include(element, aside, context)
                if model is not None and model.interface is None:
                    aside.append(model)
                    read_scope(model, context)
                    if not model.is_merged:
                        parent.children[index] = _placed(model.content, element)
                        mark_changed(parent)
                release(aside)


# ---- overrides

def _override(model: Scope, element: TypedElement, context: SdfContext) -> None:
    """Apply the name, pose, static flag, placement frame and plugins of an include."""
    model.element, model.location = element, element.location
    name = element.child('name')
    if name is not None and name.string():
        model.name = name.string()
        if '::' in model.name and sdf_has(model.scope.version, 'nested_names'):
            context.syntax.add(
                codes.SDF_DELIMITER_IN_NAME, f"the name '{model.name}' contains '::'",
                name.text_location(), hint="'::' leads into nested models; rename the model")
    if element.has('pose'):
        model.pose, model.relative_to = pose_and_reference(element)
    model.placement_frame = element.string('placement_frame') or model.placement_frame
    static = element.child('static')
    if static is not None:
        _override_static(model, static, context.semantics)
    model.others.extend(element.all('plugin'))


def _override_static(inner: Scope, element: TypedElement, report: Report) -> None:
    """
    Set whether the included model is static.

    Composition proposal 1.4.6: true holds for all models below, false never frees a static one.
    libsdformat sets the one model either way, which is followed here where they differ.
    """
    static = element.boolean()
    if not static and inner.static:
        report.add(
            codes.SDF_INCLUDE_NON_STANDARD,
            'the included model is static; this include makes it non-static',
            element.text_location(),
            hint='the composition proposal forbids this, libsdformat does it')
    inner.static = static
    inner.static_by_include = static


# ---- merging

def merge_included(top: Scope, context: SdfContext) -> None:
    """Merge every model that was included to be merged, inner ones first."""
    for scope in reversed(with_inner(top)):
        if any(model.is_merged for model in scope.models):
            children, scope.children, scope.models = scope.children, [], []
            for item in children:
                if isinstance(item, Scope) and item.is_merged:
                    _merge(item, scope, context)
                else:
                    scope.append(item)


def _merge(model: Scope, scope: Scope, context: SdfContext) -> None:
    """Add the proxy frame and the elements of one model to the scope."""
    alone = _check_alone(model)
    if not alone.ok:
        context.syntax.extend(alone)
        scope.incomplete = True
    canonical = choose_canonical(model)
    proxy = f'_merged__{model.name}__model__'
    scope.add(ScopedElement(
        name=proxy, kind='frame', element=model.element, scope=scope,
        pose=_pose(model, context), relative_to=model.relative_to or scope.origin,
        attached_to='' if canonical is None else '::'.join(
            each.name for each in model.way(canonical))),
        context.semantics)
    for child in model.children:
        if scope.kind == 'world' and child.kind == 'link':
            context.syntax.add(
                codes.SDF_MERGE_UNSUPPORTED, 'a model with links cannot be merged into a world',
                child.location)
            continue
        _redirect(child, proxy)
        child.scope, child.scope_pose = scope, None
        scope.add(child, context.semantics)
    _merge_others(model, scope, context)


def _check_alone(inner: Scope) -> Report:
    """
    Check a model on its own before it is merged, and reset its resolved poses and bodies.

    So libsdformat does: the frames that the model refers to have to be in its own file.
    """
    found = Report()
    inner.depth = 1
    resolve_frames(inner, found)
    world = Scope('', 'root', inner.content, inner.version)
    for item in inner.children:
        if isinstance(item, Joint):
            check_joint(item, world, found)
    release(world)
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


def _pose(model: Scope, context: SdfContext) -> Pose:
    """Return the pose of the model's own frame, its placement frame taken into account."""
    name = model.placement_frame
    frame = model.find(name) if name else model
    if frame is None:
        context.semantics.add(
            codes.SDF_PLACEMENT_FRAME_UNKNOWN,
            f"there is no frame '{name}' in the merged model", model.location, cause=name)
        return model.pose
    return compose(model.pose, inverse(resolve_pose(model, frame, context.semantics)))


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
