# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The SDFormat reader on one page, in three phases.

Read: file -> scopes with links, joints and frames, includes and merges done. Resolve: frames,
references of joints, parts. Build: names, couplings, Model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import listed, Report
from hrdf_ros.document import SourceFile
from hrdf_ros.model import Model
from hrdf_ros.parsing.suggestions import one_of
from hrdf_ros.readers.api import Context
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.element import name_of
from hrdf_ros.readers.sdf.file import (
    is_of_missing_file,
    outermost,
    read_file,
    SdfContext,
    SdfFile,
)
from hrdf_ros.readers.sdf.frame_graph import resolve_frames
from hrdf_ros.readers.sdf.include import look_up_ignored
from hrdf_ros.readers.sdf.model_builder import build_model
from hrdf_ros.readers.sdf.references import resolve_references
from hrdf_ros.readers.sdf.scope_reader import merge_included, read_scope
from hrdf_ros.readers.sdf.scopes import depth_first, release, Scope, ScopedElement
from hrdf_ros.readers.sdf.siblings import check_type

_TOPS = ('model', 'light', 'actor')


def read(source: SourceFile, context: Context) -> Optional[Model]:
    """Return the Model of an SDFormat file, None where it has none."""
    semantics = Report()
    sdf = SdfContext(context._replace(report=semantics), Report(), semantics, [])
    file = read_file(source, sdf.syntax)
    model = _read_model(file, sdf) if file is not None else None
    sdf.syntax.diagnostics.sort(key=outermost)
    context.report.extend(sdf.syntax)
    context.report.extend(semantics)
    return model if context.report.ok else None


def _read_model(file: SdfFile, context: SdfContext) -> Model:
    """Check all of a file; return the wanted Model, an empty one where there is none."""
    report = context.semantics
    tops = _read_tops(file, context)
    _report_missing(tops, context)
    version = file.root.attributes['version']
    empty = Model('', 'sdf', version, '__root__')
    if context.reading.resolver.exhausted:
        return empty
    for top in tops:
        resolve_frames(top, report)
    models = []
    for top in tops:
        for scope in [top] if top.kind == 'world' else top.models[:1]:
            items = list(depth_first(scope))
            resolve_references(top, scope, items, report)
            models.append(build_model(top, scope, items, version, report))
    if context.reading.options.model_name is not None:
        models = _build_named(context.reading.options.model_name, file, tops, context)
    else:
        _report_others(file, tops, models, report)
    for top in tops:
        release(top)
    return models[0] if models else empty


# ---- the top of a file

def _read_tops(file: SdfFile, context: SdfContext) -> list[Scope]:
    """Return the worlds of a file, and the imaginary root around a model outside of them."""
    look_up_ignored(file.root, context)
    outside = Scope('', 'root', file.root, file.version)
    tops = [
        Scope(name_of(world), 'world', world, file.version) for world in file.root.all('world')]
    for world in tops:
        outside.add(world, context.semantics)  # for the names
    vars(outside).clear()  # refers to itself: frees the document without a garbage collection
    if file.root.has('model') or file.root.has('include'):
        tops.append(Scope('', 'root', file.root, file.version))
    for top in tops:
        read_scope(top, context)
        if _has_short_names(top, context):
            merge_included(top, context)
    _check_tops(file.root, context.semantics)
    return tops


def _check_tops(root: TypedElement, report: Report) -> None:
    """Report more than one model, light or actor, and equal names."""
    found = [element for tag in _TOPS for element in root.all(tag)]
    names = {element.get('name') for element in found}
    for world in root.all('world'):
        if world.get('name') in names:
            report.add(
                codes.DUPLICATE_NAME, 'something beside this <world> has the same name',
                world.attribute_location('name', 0), hint='gz sdf --check refuses this',
                severity='warning', reference='PARSING_ERROR')
    taken: set[tuple[str, Optional[str]]] = set()
    for element in found:
        check_type(element, report)
        name = element.tag, element.get('name')
        if name in taken and element.tag != 'model':  # models are reported when they are read
            report.add(
                codes.DUPLICATE_NAME, f"duplicate <{element.tag}> '{name[1]}'",
                element.attribute_location('name', 0), reference='DUPLICATE_NAME')
        elif taken and name not in taken:
            report.add(
                codes.SDF_SEVERAL_MODELS,
                f'a file has one <{found[0].tag}>; this <{element.tag}> is one more',
                element.location, hint='put several models into a <world>')
        taken.add(name)


def _has_short_names(top: Scope, context: SdfContext) -> bool:
    """Return whether all names fit the limit: their lengths grow with the depth of nesting."""
    document = top.element.document
    length, most = _length_of_names(top), document.limits.most_names(document.size.bytes)
    if length <= most:
        return True
    context.reading.resolver.exhausted = True
    context.semantics.add(
        codes.NAMES_TOO_LONG,
        f'the names of all frames have {length} characters; the limit is {most}',
        top.element.location)
    return False


def _length_of_names(top: Scope) -> int:
    """Return about how many characters the names and source names of all frames will have."""
    total = 0
    pending = [(top, 1)]
    for scope, prefix in pending:  # the list grows in the loop
        total += prefix * len(scope.children) + sum(map(len, scope.items))
        for item in scope.children:
            if item.framed:
                total += (prefix + len(item.name)) * len(item.framed)
        pending += [(model, prefix + len(model.name) + 1) for model in scope.models]
    return 2 * total


# ---- missing includes

def _report_missing(tops: Sequence[Scope], context: SdfContext) -> None:
    """Report the missing includes, as warnings where the model that is asked for has no need."""
    if not context.missing:
        return
    name = context.reading.options.model_name
    wanted = next((model for top in tops for model in top.models if model.name == name), None)
    needs_all = wanted is None or _depends_on_missing(wanted)
    for scope, report in context.missing:
        is_needed = needs_all or _is_inside(scope, wanted)
        context.syntax.extend(
            report if is_needed or not is_of_missing_file(report) else report.as_warnings())


def _is_inside(scope: Scope, model: Optional[Scope]) -> bool:
    """Return whether a scope is a model, or is nested in it."""
    while scope is not model and scope.kind == 'model':
        scope = scope.scope
    return scope is model


def _depends_on_missing(model: Scope) -> bool:
    """Return whether the pose of a model depends on a frame that a missing include would bring."""
    pending: list[ScopedElement] = [model]
    seen: set[ScopedElement] = set()
    while pending:
        item = pending.pop()
        if item in seen or not item.relative_to:
            continue
        seen.add(item)
        found = item.scope.find(item.relative_to)
        if found is not None:
            pending += item.scope.way(found)
        elif item.scope.incomplete:
            return True
    return False


# ---- the wanted Model

def _report_others(
    file: SdfFile, tops: list[Scope], models: list[Model], report: Report,
) -> None:
    """Report the parts of a file outside of the Model that is loaded, or that there is none."""
    if not models:
        report.add(
            codes.SDF_NO_MODEL, 'there is no model in this file', file.root.location,
            cause='<model>')
        return
    for other in tops[1:]:
        # after a failed include a root has no children
        world = other.kind == 'world'
        for element in [other.element] if world else [item.element for item in other.children]:
            report.add(
                codes.SDF_NOT_LOADED,
                f"'{tops[0].name}' is loaded; this <{element.tag}> is only checked",
                element.location, hint='choose a model with --model-name', severity='warning')


def _build_named(
    wanted: str, file: SdfFile, tops: list[Scope], context: SdfContext,
) -> list[Model]:
    """Return the model of a name out of all worlds, if any; its faults are reported already."""
    for top in tops:
        for model in top.models:
            if model.name == wanted:
                _report_world_joints(wanted, tops, context.semantics)
                return [build_model(
                    top, model, list(depth_first(model)), file.root.attributes['version'],
                    Report())]
    context.semantics.add(
        codes.MODEL_NOT_FOUND, f"there is no model '{wanted}' in the file", file.root.location,
        hint=one_of(wanted, [model.name for top in tops for model in top.models]))
    return []


def _report_world_joints(wanted: str, tops: list[Scope], report: Report) -> None:
    """Report the joints of the world that are not in the model that is taken out of it."""
    joints = [
        item for top in tops if top.kind == 'world' and wanted in top.items
        for item in top.children if item.kind == 'joint']
    if joints:
        names = [item.name for item in joints]
        report.add(
            codes.SDF_NOT_LOADED,
            f"the joints of the world are not in '{wanted}': {listed(names)}",
            joints[0].location, subjects=tuple(names))
