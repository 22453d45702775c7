# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The SDFormat reader on one page, in three phases.

Read: file -> scopes with links, joints and frames, includes and merges done. Resolve: frames,
references of joints, parts. Build: names, couplings, Model.
"""

from __future__ import annotations

from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import listed, Report
from hrdf_ros.document import SourceFile
from hrdf_ros.model import Model
from hrdf_ros.names import renamed
from hrdf_ros.parsing.suggestions import one_of
from hrdf_ros.readers.api import Context
from hrdf_ros.readers.sdf.context import report_missing, SdfContext
from hrdf_ros.readers.sdf.file import read_file, SdfFile
from hrdf_ros.readers.sdf.frame_graph import resolve_frames
from hrdf_ros.readers.sdf.model_builder import build_model
from hrdf_ros.readers.sdf.model_tables import ModelSource
from hrdf_ros.readers.sdf.references import resolve_references
from hrdf_ros.readers.sdf.scope_reader import read_tops
from hrdf_ros.readers.sdf.scopes import depth_first, release, Scope


def read(source: SourceFile, context: Context) -> Optional[Model]:
    """Return the Model of an SDFormat file, None where it has none."""
    sdf = SdfContext.start(context)
    file = read_file(source, sdf.syntax)
    model = _read_model(file, sdf) if file is not None else None
    sdf.finish()
    return model if context.report.ok else None


def _read_model(file: SdfFile, context: SdfContext) -> Model:
    """Check all of a file; return the wanted Model, an empty one where there is none."""
    report = context.semantics
    tops = read_tops(file, context)
    report_missing(tops, context)
    version = file.root.attributes['version']
    empty = Model('', 'sdf', version, '__root__')
    if context.reading.resolver.exhausted:
        return empty
    for top in tops:
        resolve_frames(top, report)
    sources = [source for top in tops for source in _sources(top, context)]
    chosen = _choose(file, tops, sources, context)
    model = empty if chosen is None else build_model(chosen, version)
    for top in tops:
        release(top)
    return _renamed(model, context)


def _sources(top: Scope, context: SdfContext) -> list[ModelSource]:
    """Resolve the rest; return the source of a world's Model, or of the lone model's."""
    models = [top] if top.kind == 'world' else [model.inner for model in top.models[:1]]
    sources = []
    for model in models:
        items = list(depth_first(model))
        references = resolve_references(top, model, items, context.semantics)
        sources.append(ModelSource.of(top, model, items, references, context.semantics))
    return sources


# ---- the wanted Model

def _choose(
    file: SdfFile, tops: list[Scope], sources: list[ModelSource], context: SdfContext,
) -> Optional[ModelSource]:
    """Return the source of the wanted Model, and report the parts of the file outside it."""
    wanted, report = context.reading.options.model_name, context.semantics
    if wanted is not None:
        chosen = _named(wanted, sources)
        if chosen is None:
            report.add(
                codes.MODEL_NOT_FOUND, f"there is no model '{wanted}' in the file",
                file.root.location,
                hint=one_of(wanted, [model.name for top in tops for model in top.models]))
        else:
            _report_world_joints(wanted, tops, report)
        return chosen
    if not sources:
        report.add(
            codes.SDF_NO_MODEL, 'there is no model in this file', file.root.location,
            cause='<model>')
        return None
    for other in tops[1:]:
        # after a failed include a root has no children
        world = other.kind == 'world'
        for element in [other.element] if world else [item.element for item in other.children]:
            report.add(
                codes.SDF_NOT_LOADED,
                f"'{tops[0].name}' is loaded; this <{element.tag}> is only checked",
                element.location, hint='choose a model with --model-name', severity='warning')
    return sources[0]


def _named(name: str, sources: list[ModelSource]) -> Optional[ModelSource]:
    """Return the model of a name out of all worlds; its faults are reported already."""
    for source in sources:
        for model in source.world.models:
            if model.name == name:
                return ModelSource.of(
                    source.world, model.inner, list(depth_first(model.inner)), source.references,
                    Report())
    return None


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


def _renamed(model: Model, context: SdfContext) -> Model:
    """Return the model with the names that the user gives for its coordinates."""
    wanted = context.reading.options.joint_names
    if not wanted:
        return model
    names = renamed(
        [each.name for each in model.coordinates], wanted, model.location, context.semantics)
    return model._replace(coordinates=tuple(
        each._replace(name=name) for each, name in zip(model.coordinates, names)))
