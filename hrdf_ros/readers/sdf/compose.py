# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Compose worlds and models as scopes, from their elements and the files that they include.

This follows composition proposal 1.4 for SDF 1.4 to 1.12. Overrides in an include are evaluated in
the scope of the include. The pose of an include replaces that of the model with its attributes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.formats import sdf_has, Version
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.element import made_element, name_of, pose_and_reference
from hrdf_ros.readers.sdf.file import SdfContext, SdfFile
from hrdf_ros.readers.sdf.include import find_included
from hrdf_ros.readers.sdf.joint import read_joint
from hrdf_ros.readers.sdf.link import read_link
from hrdf_ros.readers.sdf.records import Frame, Scope
from hrdf_ros.readers.sdf.scopes import Draft
from hrdf_ros.readers.sdf.siblings import check_siblings, check_world


def compose_scope(top: Scope, context: SdfContext) -> Scope:
    """Return a scope with everything in it, also from included files; nothing is merged yet."""
    draft = Draft(top)
    _fill(draft, context)
    return draft.finished()


def _fill(top: Draft, context: SdfContext) -> None:
    """Fill a scope and all below it, without recursion."""
    pending = [_add_children(top, context)]
    while pending and not context.reading.resolver.exhausted:
        inner = next(pending[-1], None)
        if inner is None:
            pending.pop()
        elif inner.scope.interface is None:
            pending.append(_add_children(inner, context))


def _add_children(draft: Draft, context: SdfContext) -> Iterator[Draft]:
    """Add the elements of a scope; yield each model in it, to be filled before it is added."""
    report, scope = context.semantics, draft.scope
    if scope.kind == 'world':
        check_world(scope.content, report)
    late = []
    for element in scope.content.children:
        tag = element.tag
        if tag in ('model', 'include'):
            model = (Draft(read_model(element, scope.version), draft) if tag == 'model' else
                     _include(element, draft, context))
            if model is not None:
                if model.scope.name:
                    yield model
                _add_model(model.finished(), draft, report)
        elif scope.kind == 'root':
            pass
        elif tag == 'link' and scope.kind == 'model':
            draft.add(read_link(element, context), report)
        elif tag == 'joint':
            draft.add_joint(read_joint(element, report), report)
        elif tag == 'frame' and scope.kind == 'world' and not (
                sdf_has(scope.version, 'relative_to')):
            late.append(element)
        elif tag == 'frame':
            draft.add(_read_frame(element), report)
        elif tag in ('population', 'state') and scope.kind == 'world':
            draft.others.append(_with_included(element, scope.version, context))
        elif tag not in ('pose', 'static'):
            draft.others.append(element)
    for element in late:
        draft.add(_read_frame(element), report)
    if draft.others:
        check_siblings(draft.others, draft.kinds(), report)
        draft.others = [element for element in draft.others if element.tag != 'model_state']
    _check_links(draft, context)


def _add_model(model: Scope, draft: Draft, report: Report) -> None:
    """Add a model to the scope around it; a model to be merged has no name there."""
    if model.is_merged:
        draft.children.append(model)
    else:
        draft.add(model, report)


def _check_links(draft: Draft, context: SdfContext) -> None:
    """Report a model without a link or a nested model; only a static model may be empty."""
    scope = draft.scope
    if scope.kind != 'model' or scope.static or draft.incomplete:
        return
    if not any(item.kind in ('link', 'model') for item in draft.children):
        report = context.syntax if scope.is_merged else context.semantics
        report.add(
            codes.SDF_MODEL_WITHOUT_LINK, f"model '{scope.name}' has no link",
            scope.content.location, hint='add a link, or make the model static', cause='<link>')


def _read_frame(element: TypedElement) -> Frame:
    """Return a ``<frame>``; its pose is relative to ``attached_to`` by default."""
    attached_to = element.attributes.get('attached_to', '').strip()
    pose, against = pose_and_reference(element)
    return Frame(
        name=name_of(element), element=element, location=element.location, pose=pose,
        relative_to=against or attached_to, attached_to=attached_to)


def read_model(element: TypedElement, version: Version) -> Scope:
    """Return a ``<model>`` without its content."""
    pose, against = pose_and_reference(element)
    return Scope(
        name=name_of(element), kind='model', element=element, location=element.location,
        content=element, version=version, pose=pose, relative_to=against,
        static=element.boolean('static'),
        placement_frame=element.string('placement_frame').strip(),
        canonical_link=element.string('canonical_link').strip(),
        namespace=element.attributes.get('namespace', ''))


# ---- includes

def _include(element: TypedElement, draft: Draft, context: SdfContext) -> Optional[Draft]:
    """Return the model of an ``<include>``; if that fails, the scope is incomplete."""
    found = find_included(element, draft, context)
    is_merged = element.boolean('merge')
    if isinstance(found, SdfFile) and found.root.tag != 'model':
        if is_merged:
            context.syntax.add(
                codes.SDF_MERGE_UNSUPPORTED,
                f'a <{found.root.tag}> cannot be merged, only a <model>',
                element.attribute_location('merge'))
        else:
            draft.others.append(_placed(found.root, element))
        return None
    if found is None:
        draft.incomplete = True
        return None
    if isinstance(found, SdfFile):
        model = read_model(found.root, found.version)._replace(is_merged=is_merged)
    else:
        model = found
        # a placeholder has none of the names that the missing file would have brought
        draft.incomplete |= model.is_placeholder and is_merged
    inner = Draft(_overridden(model, element, draft.scope.version, context), draft)
    _add_additions(element, inner, context.semantics)
    return inner


def _add_additions(element: TypedElement, inner: Draft, report: Report) -> None:
    """Add the joints and frames that an include adds (composition proposal 1.4.1)."""
    for child in element.children:
        if child.tag not in ('joint', 'frame'):
            continue
        if inner.scope.interface is not None:
            report.add(
                codes.SDF_INCLUDE_NON_STANDARD,
                f'<{child.tag}> in an <include> is ignored: the included file is not SDFormat',
                child.location, hint='write it beside the include')
            continue
        report.add(
            codes.SDF_INCLUDE_NON_STANDARD, f'<{child.tag}> in an <include> is not standard',
            child.location, hint='it is proposed, but libsdformat ignores it')
        if child.tag == 'joint':
            inner.add_joint(read_joint(child, report), report)
        else:
            inner.add(_read_frame(child), report)


def _placed(top: TypedElement, element: TypedElement) -> TypedElement:
    """Return an included actor or light with the name and the pose that the include gives it."""
    name, pose = element.string('name'), element.child('pose')
    if not name and pose is None:
        return top
    children = [child for child in top.children if pose is None or child.tag != 'pose']
    if pose is not None:
        children.append(pose)
    return made_element(
        element, top.tag, children=children,
        attributes={**top.attributes, 'name': name or top.attributes.get('name', '')})


def _with_included(top: TypedElement, version: Version, context: SdfContext) -> TypedElement:
    """Return a population or a saved state with models in place of its includes."""
    made: dict[TypedElement, TypedElement] = {}
    parents = [top]
    for parent in parents:  # the list grows in the loop
        for element in parent.children:
            if element.tag in ('model', 'insertions'):
                parents.append(element)
            elif element.tag == 'include' and parent.rule.children['include'] is not None:
                model = _alone(element, top, version, context)
                if model is not None and not model.is_merged:
                    made[element] = _placed(model.content, element)
    if not made:
        return top
    for parent in reversed(parents):
        if not made.keys().isdisjoint(parent.children):
            made[parent] = made_element(
                parent, parent.tag, attributes=parent.attributes, text=parent.text,
                children=[made.get(child, child) for child in parent.children])
    return made[top]


def _alone(
    element: TypedElement, top: TypedElement, version: Version, context: SdfContext,
) -> Optional[Scope]:
    """Return the SDFormat model of an include outside of any scope, with all its content."""
    aside = Draft(Scope(
        name='', kind='root', element=top, location=top.location, content=top, version=version))
    model = _include(element, aside, context)
    if model is None or model.scope.interface is not None:
        return None
    _fill(model, context)
    return model.scope


# ---- overrides

def _overridden(
    model: Scope, element: TypedElement, version: Version, context: SdfContext,
) -> Scope:
    """
    Return a model with the overrides and the plugins of its include.

    ``version`` is the version of the file that includes the model.
    """
    name = element.child('name')
    if name is not None and name.string():
        model = model._replace(name=name.string())
        if '::' in model.name and sdf_has(version, 'nested_names'):
            context.syntax.add(
                codes.SDF_DELIMITER_IN_NAME, f"the name '{model.name}' contains '::'",
                name.text_location(), hint="'::' leads into nested models; rename the model")
    if element.has('pose'):
        pose, against = pose_and_reference(element)
        model = model._replace(pose=pose, relative_to=against)
    static = element.child('static')
    if static is not None:
        _check_static(model, static, context.semantics)
        model = model._replace(static=static.boolean(), static_by_include=static.boolean())
    return model._replace(
        element=element, location=element.location, others=element.all('plugin'),
        namespace=element.string('namespace') or model.namespace,
        placement_frame=element.string('placement_frame') or model.placement_frame)


def _check_static(inner: Scope, element: TypedElement, report: Report) -> None:
    """
    Report an include that makes a static model movable.

    By composition proposal 1.4.6, true holds for all models below, and false never frees a static
    model. libsdformat instead sets this one model to either value; where the two differ, the
    Model follows libsdformat.
    """
    if inner.static and not element.boolean():
        report.add(
            codes.SDF_INCLUDE_NON_STANDARD,
            'the included model is static; this include makes it non-static',
            element.text_location(),
            hint='the composition proposal forbids this, libsdformat does it')
