# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Scopes from elements, with the files that they include.

SDF 1.4 to 1.12, composition proposal 1.4. What an include changes is evaluated in the scope of
the include, its pose replaces the model's own as a whole, attributes and all.
"""

from __future__ import annotations

import os
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import root_element, SourceFile, SourceRef
from hrdf_ros.model import Model
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.context import MissingInclude, SdfContext
from hrdf_ros.readers.sdf.element import mark_changed, new_element, pose_of, relative_to
from hrdf_ros.readers.sdf.enumerations import check_world
from hrdf_ros.readers.sdf.file import read_file, SdfFile
from hrdf_ros.readers.sdf.interface_model import interface_model, read_other
from hrdf_ros.readers.sdf.link import check_siblings
from hrdf_ros.readers.sdf.manifest import best_file
from hrdf_ros.readers.sdf.scope_reader import (
    add,
    read_frame_into,
    read_joint_into,
    read_link_into,
    read_model,
)
from hrdf_ros.readers.sdf.scopes import Scope, ScopedModel

_TOPS = ('model', 'actor', 'light')


def read_scope(top: Scope, context: SdfContext) -> None:
    """Read what is in a scope and in all below it, included files as well."""
    pending = [top]
    while pending and not context.reading.resolver.exhausted:
        scope = pending.pop()
        if scope.interface is None:
            _read_children(scope, context)
            pending.extend(model.inner for model in reversed(scope.models))


def _read_children(scope: Scope, context: SdfContext) -> None:
    late = []
    for element in scope.element.children:
        tag = element.tag
        if scope.kind == 'root' and tag not in ('model', 'include'):
            continue
        if tag == 'link' and scope.kind == 'model':
            read_link_into(scope, element, context)
        elif tag == 'joint':
            read_joint_into(scope, element, context)
        elif tag == 'frame' and scope.kind == 'world' and scope.version < (1, 7):
            late.append(element)
        elif tag == 'frame':
            read_frame_into(scope, element, context)
        elif tag == 'model':
            add(scope, read_model(element, scope, scope.version), context)
        elif tag == 'include':
            _read_include(element, scope, context)
        elif tag not in ('pose', 'static'):
            if tag == 'population' and scope.kind == 'world':
                _include_in_population(element, scope, context)
            scope.others.append(element)
    for element in late:
        read_frame_into(scope, element, context)
    if scope.kind == 'world':
        check_world(scope.element, context.semantics)
    if scope.others and scope.kind != 'root':
        taken: dict[str, str] = {name: item.kind for name, item in scope.items.items()}
        check_siblings(scope.others, taken, context.semantics)


# ---- the include element

def _read_include(element: TypedElement, scope: Scope, context: SdfContext) -> None:
    """Read an ``<include>`` into its scope; where it fails, the scope is incomplete."""
    _check_placement(element, context)
    _check_parameters(element, context)
    report = Report()
    source = _source(element, report, context)
    if source is None:
        scope.incomplete = True
        context.missing.append(MissingInclude(scope, report))
        return
    context.syntax.extend(report)
    if _is_sdf(source):
        _include_sdf(element, source, scope, context)
    else:
        _include_other(element, source.file, scope, context)


def _check_placement(element: TypedElement, context: SdfContext) -> None:
    """Refuse a placement frame that the pose cannot place, or that nobody may name."""
    placement = element.child('placement_frame')
    if placement is None:
        return
    if not element.has('pose'):
        context.syntax.add(
            codes.SDF_PLACEMENT_WITHOUT_POSE, '<placement_frame> requires a <pose> beside it',
            placement.location, hint='add an empty <pose/>')
    if placement.string() == '__root__':
        context.syntax.add(
            codes.SDF_RESERVED_NAME, "'__root__' is reserved and cannot be referred to",
            placement.text_location())


def _check_parameters(element: TypedElement, context: SdfContext) -> None:
    """Report that an include cannot change what is in the model."""
    parameters = element.child('experimental:params')
    if parameters is not None:
        context.semantics.add(
            codes.SDF_INCLUDE_NON_STANDARD, 'the parameters of an include are ignored',
            parameters.location, hint='libsdformat applies them as an experiment')


def _source(
    element: TypedElement, report: Report, context: SdfContext,
) -> Optional[SourceFile]:
    """Return the included file, None with the reason in the report."""
    resolver = context.reading.resolver
    uri = element.string('uri')
    if not uri:
        report.add(
            codes.MISSING_ELEMENT, '<include> is missing the required element <uri>',
            element.location, reference='ATTRIBUTE_MISSING')
        return None
    location = element.locate('uri')
    found = resolver.find(uri, element.document.file)
    if found is None:
        _report_not_found(uri, location, report)
        return None
    if resolver.allows(found) and os.path.isdir(found):
        found = best_file(found, location, resolver, report)
    if found is None:
        return None
    return resolver.read(
        found, report, element.section('uri').location, reference='FILE_READ')


def _report_not_found(uri: str, location: SourceRef, report: Report) -> None:
    if uri.startswith(('http://', 'https://')):
        report.add(
            codes.SDF_URI_NOT_FETCHED,
            f'{uri} is not on this machine; nothing is ever fetched', location,
            hint=f"'gz fuel download -u {uri}' brings a model of Fuel to where it is found; or "
            'name its directory, or the one that contains it, with --path')
        return
    report.add(
        codes.SDF_URI_NOT_FOUND, f"nothing is found for the URI '{uri}'", location,
        hint='looked beside the file, then in --path, SDF_PATH, GZ_SIM_RESOURCE_PATH and '
        'GAZEBO_MODEL_PATH')


def _is_sdf(source: SourceFile) -> bool:
    """Tell whether a file is SDFormat: by its suffix unless it is URDF, else by its root."""
    root = root_element(source)
    tag = '' if root is None else root[0]
    if os.path.splitext(source.file)[1].lower() in ('.sdf', '.world'):
        return tag != 'robot'
    return tag == 'sdf'


# ---- SDFormat

def _include_sdf(
    element: TypedElement, source: SourceFile, scope: Scope, context: SdfContext,
) -> None:
    file = read_file(source, context.syntax, strict_names=scope.version >= (1, 8))
    _include_file(element, file, scope, context)


def _include_file(
    element: TypedElement, file: Optional[SdfFile], scope: Scope, context: SdfContext,
) -> None:
    top = _top(file, element, context) if file is not None else None
    if file is None or top is None:
        scope.incomplete = True
    elif top.tag == 'model':
        _include_model(element, file, top, scope, context)
    elif element.boolean('merge'):
        context.syntax.add(
            codes.SDF_MERGE_UNSUPPORTED, f'a <{top.tag}> cannot be merged, only a <model>',
            element.attribute_location('merge'))
    else:
        scope.others.append(_placed(top, element))


def _top(
    file: SdfFile, element: TypedElement, context: SdfContext,
) -> Optional[TypedElement]:
    """Return the one model, actor or light of an included file; of several the first."""
    tops = [child for tag in _TOPS for child in file.root.all(tag)]
    if not tops:
        context.syntax.add(
            codes.SDF_INCLUDE_WITHOUT_MODEL, 'the included file has no model, actor or light',
            element.location, hint='a world cannot be included', cause='<model>')
        return None
    for other in tops[1:]:
        context.syntax.add(
            codes.SDF_INCLUDE_SEVERAL,
            f'the included file has another <{other.tag}>; one is included', other.location)
    return tops[0]


def _placed(top: TypedElement, element: TypedElement) -> TypedElement:
    """Return an included actor or light with the name and the pose that the include gives it."""
    name, pose = element.string('name'), element.child('pose')
    if not name and pose is None:
        return top
    placed = new_element(element, top.tag)
    placed.attributes = {**top.attributes, 'name': name or top.attributes.get('name', '')}
    placed.children = [child for child in top.children if pose is None or child.tag != 'pose']
    if pose is not None:
        placed.children.append(pose)
    return placed


def _include_in_population(
    population: TypedElement, scope: Scope, context: SdfContext,
) -> None:
    """Put the models that are included in a population into it; it becomes no frames."""
    for element in population.all('include'):
        aside = Scope('', 'root', population, scope.version)
        _read_include(element, aside, context)
        for model in aside.models:
            read_scope(model.inner, context)
            if model.inner.interface is None:
                index = population.children.index(element)
                population.children[index] = _placed(model.inner.element, element)
                mark_changed(population)


def _include_model(
    element: TypedElement, file: SdfFile, top: TypedElement, scope: Scope, context: SdfContext,
) -> None:
    model = read_model(top, scope, file.version)
    _override(model, element, context)
    _read_additions(element, model.inner, context)
    model.is_merged = element.boolean('merge')
    if model.is_merged:
        context.merged.append(model)
        scope.children.append(model)
    else:
        add(scope, model, context)


def _read_additions(element: TypedElement, inner: Scope, context: SdfContext) -> None:
    """Read joints and frames that an include adds (composition proposal 1.4.1)."""
    for child in element.children:
        if child.tag not in ('joint', 'frame'):
            continue
        context.semantics.add(
            codes.SDF_INCLUDE_NON_STANDARD, f'<{child.tag}> in an <include> is not standard',
            child.location, hint='it is proposed, but libsdformat ignores it')
        if child.tag == 'joint':
            read_joint_into(inner, child, context)
        else:
            read_frame_into(inner, child, context)


# ---- other formats

def _include_other(
    element: TypedElement, file: str, scope: Scope, context: SdfContext,
) -> None:
    """Include a file by the reader of its format; a URDF becomes SDFormat."""
    found = read_other(element, file, context)
    if found is None:
        scope.incomplete = True
    elif found.format == 'urdf':
        from hrdf_ros.readers.sdf.urdf_conversion import convert  # few files include a URDF
        converted = convert(found, context.syntax, strict_names=scope.version >= (1, 8))
        del found  # it takes as much memory as what is read from the conversion
        _include_file(element, converted, scope, context)
    else:
        _include_interface(element, found, scope, context)


def _include_interface(
    element: TypedElement, other: Model, scope: Scope, context: SdfContext,
) -> None:
    model = interface_model(element, other, scope, context)
    if model is None:
        scope.incomplete = True
        return
    _override(model, element, context)
    for child in element.children:
        if child.tag in ('joint', 'frame'):
            context.semantics.add(
                codes.SDF_INCLUDE_NON_STANDARD,
                f'<{child.tag}> in an <include> is ignored: what is included is not SDFormat',
                child.location, hint='write it beside the include')
    add(scope, model, context)


# ---- what an include changes

def _override(model: ScopedModel, element: TypedElement, context: SdfContext) -> None:
    """Apply what an include says about name, pose, static, placement frame and plugins."""
    inner = model.inner
    model.element, model.location = element, element.location
    name = element.child('name')
    if name is not None and name.string():
        model.name = name.string()
        if '::' in model.name and model.scope.version >= (1, 8):
            context.syntax.add(
                codes.SDF_DELIMITER_IN_NAME, f"the name '{model.name}' contains '::'",
                name.text_location(), hint="'::' leads into nested models; rename the model")
    inner.name = model.name
    if element.has('pose'):
        model.pose, model.relative_to = pose_of(element), relative_to(element)
    inner.placement_frame = element.string('placement_frame') or inner.placement_frame
    static = element.child('static')
    if static is not None:
        _override_static(inner, static, context)
    inner.others.extend(element.all('plugin'))


def _override_static(inner: Scope, element: TypedElement, context: SdfContext) -> None:
    """
    Set whether the included model is static.

    Composition proposal 1.4.6: true holds for all models below, false never frees a static one.
    libsdformat sets the one model either way, which is followed here where they differ.
    """
    static = element.boolean()
    if not static and inner.static:
        context.semantics.add(
            codes.SDF_INCLUDE_NON_STANDARD,
            'the included model is static; this include makes it non-static',
            element.text_location(),
            hint='the composition proposal forbids this, libsdformat does it')
    inner.static = static
    inner.static_by_include = static
