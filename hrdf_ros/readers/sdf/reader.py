# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The SDFormat reader on one page: file -> scopes -> resolved frames and joints -> Model."""

from __future__ import annotations

from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import listed, Report
from hrdf_ros.document import SourceFile
from hrdf_ros.model import Model
from hrdf_ros.names import renamed
from hrdf_ros.parsing.sdf import is_reserved
from hrdf_ros.parsing.suggestions import one_of
from hrdf_ros.readers.api import Context
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.context import SdfContext, sort_by_outermost_file
from hrdf_ros.readers.sdf.element import name_of
from hrdf_ros.readers.sdf.file import read_file, SdfFile
from hrdf_ros.readers.sdf.frame_graph import resolve
from hrdf_ros.readers.sdf.include import read_scope
from hrdf_ros.readers.sdf.merge import merge_included
from hrdf_ros.readers.sdf.missing import report_missing
from hrdf_ros.readers.sdf.model_builder import build_model, prepare_model
from hrdf_ros.readers.sdf.model_tables import ModelSource
from hrdf_ros.readers.sdf.resolution import resolve_parts
from hrdf_ros.readers.sdf.scopes import (
    depth_first,
    length_of_names,
    link_scopes,
    Scope,
    ScopedModel,
)

_TOPS = ('model', 'light', 'actor')


def read(source: SourceFile, context: Context) -> Optional[Model]:
    """Return the Model of an SDFormat file, None where it has none."""
    sdf = SdfContext.start(context)
    file = read_file(source, sdf.syntax)
    model = _read_model(file, sdf) if file is not None else None
    sdf.finish()
    return model if context.report.ok else None


def _read_model(file: SdfFile, context: SdfContext) -> Model:
    """Check all of a file; return the Model of what is wanted of it, an empty one if nothing."""
    _check_tops(file.root, context.semantics)
    tops = [*_worlds(file, context.semantics), *_lone_model(file)]
    scopes = [_read_scopes(top, file, context) for top in tops]
    report_missing(tops, context)
    version = file.root.attributes['version']
    if context.reading.resolver.exhausted:
        return Model('', 'sdf', version, '__root__')
    sort_by_outermost_file(context.semantics)
    for below in scopes:
        resolve(below, context.semantics)
    sources = [source for top in tops for source in _prepare(top, context)]
    wanted = context.reading.options.model_name
    chosen = sources[0] if sources else None
    if wanted is not None:
        chosen = _named(wanted, sources)
    _report_choice(file.root, tops, chosen, context)
    model = build_model(chosen, version) if chosen else Model('', 'sdf', version, '__root__')
    for scope in (scope for below in scopes for scope in below):
        scope.release()
    return _renamed(model, context)


def _read_scopes(top: Scope, file: SdfFile, context: SdfContext) -> list[Scope]:
    """
    Read a world or model with all that it includes; return its scopes, inner ones first.

    There are none where the names in it would be too long: they grow with the depth of nesting.
    """
    read_scope(top, context)
    document = file.root.document
    length, most = length_of_names(top), document.limits.most_names(document.size.bytes)
    if length > most:
        context.reading.resolver.exhausted = True
        context.semantics.add(
            codes.NAMES_TOO_LONG,
            f'the names of all frames have {length} characters; the limit is {most}',
            top.element.location)
        return []
    merge_included(top, context)
    return link_scopes(top)


def _prepare(top: Scope, context: SdfContext) -> list[ModelSource]:
    """Return what Models can be built from: a world, or the model in the imaginary root."""
    models = [top]
    if top.kind == 'root':
        models = [item.inner for item in top.children[:1] if isinstance(item, ScopedModel)]
    return [
        prepare_model(
            top, model, items, resolve_parts(top, model, items, context), context.semantics)
        for model in models for items in [list(depth_first(model))]]


def _named(name: str, sources: list[ModelSource]) -> Optional[ModelSource]:
    """Return the model of a name out of all worlds; what is wrong with it is reported already."""
    for source in sources:
        for model in source.world.models:
            if model.name == name:
                items = list(depth_first(model.inner))
                return prepare_model(
                    source.world, model.inner, items, source.resolution, Report())
    return None


# ---- what is at the top of a file

def _check_tops(root: TypedElement, report: Report) -> None:
    """Of models, lights and actors a file has at most one; their names differ."""
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


def _worlds(file: SdfFile, report: Report) -> list[Scope]:
    worlds: list[Scope] = []
    taken: set[str] = set()
    for element in file.root.all('world'):
        name = name_of(element)
        location = element.attribute_location('name', 0)
        if is_reserved(name):
            report.add(
                codes.SDF_RESERVED_NAME, f"the world name '{name}' is reserved", location)
        if name in taken:
            report.add(
                codes.DUPLICATE_NAME, f"duplicate <world> '{name}'", location,
                reference='DUPLICATE_NAME')
        taken.add(name)
        worlds.append(Scope(name, 'world', element, file.version))
    return worlds


def _lone_model(file: SdfFile) -> list[Scope]:
    """Return the imaginary root scope around a model outside of any world, if there is one."""
    if not file.root.has('model') and not file.root.has('include'):
        return []
    return [Scope('', 'root', file.root, file.version)]


# ---- what of it is the Model

def _renamed(model: Model, context: SdfContext) -> Model:
    """Return the model with the names that the user gives for its coordinates."""
    wanted = context.reading.options.joint_names
    if not wanted:
        return model
    names = renamed(
        [each.name for each in model.coordinates], wanted, model.location, context.semantics)
    return model._replace(coordinates=tuple(
        each._replace(name=name) for each, name in zip(model.coordinates, names)))


def _report_choice(
    root: TypedElement, tops: list[Scope], chosen: Optional[ModelSource], context: SdfContext,
) -> None:
    """Report what of a file is not in the Model."""
    wanted, report = context.reading.options.model_name, context.semantics
    if chosen is None and wanted is not None:
        report.add(
            codes.MODEL_NOT_FOUND, f"there is no model '{wanted}' in the file", root.location,
            hint=one_of(wanted, [model.name for top in tops for model in top.models]))
    elif chosen is None:
        report.add(
            codes.SDF_NO_MODEL, 'there is no model in this file', root.location, cause='<model>')
    elif wanted is not None:
        _report_world_joints(wanted, tops, report)
    else:
        for other in tops[1:]:
            # an include that failed left nothing to speak of
            world = other.kind == 'world'
            for element in [other.element] if world else [item.element for item in other.children]:
                report.add(
                    codes.SDF_NOT_LOADED,
                    f"'{tops[0].name}' is loaded; this <{element.tag}> is only checked",
                    element.location, hint='choose a model with --model-name',
                    severity='warning')


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
