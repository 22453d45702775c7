# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The SDFormat reader on one page, in four phases.

Read: file -> elements of the newest version -> records of links, joints and frames. Compose:
scopes of these records, with what they include and merge, as a tree. Resolve: frames, references
of joints, parts. Build: names, couplings, Model. No phase changes a result of an earlier one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceFile
from hrdf_ros.listing import listed
from hrdf_ros.model import Model
from hrdf_ros.parsing.sdf import ROOT
from hrdf_ros.parsing.suggestions import one_of
from hrdf_ros.readers.api import Context, Options
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.compose import compose_scope
from hrdf_ros.readers.sdf.element import name_of
from hrdf_ros.readers.sdf.file import outermost, read_file, SdfContext, SdfFile
from hrdf_ros.readers.sdf.frame_graph import resolve_frames
from hrdf_ros.readers.sdf.include import look_up_ignored
from hrdf_ros.readers.sdf.model_builder import build_model
from hrdf_ros.readers.sdf.records import Joint, Link, LOADED_FIRST, Scope
from hrdf_ros.readers.sdf.references import resolve_references
from hrdf_ros.readers.sdf.scopes import Draft
from hrdf_ros.readers.sdf.siblings import check_type
from hrdf_ros.readers.sdf.tree import Frames, Tree
from hrdf_ros.resolve import Resolver


def read(source: SourceFile, context: Context) -> Optional[Model]:
    """Return the Model of an SDFormat file, None where it has none."""
    semantics = Report()
    sdf = SdfContext(context._replace(report=semantics), Report(), semantics, [])
    file = read_file(source, sdf.syntax)
    model = _read_model(file, sdf) if file is not None else None
    if sdf.syntax.diagnostics:
        from hrdf_ros.readers.sdf.missing import by_cause  # here, since most files have no faults
        sdf.syntax.diagnostics = by_cause(sorted(sdf.syntax.diagnostics, key=outermost))
    context.report.extend(sdf.syntax)
    context.report.extend(semantics)
    return model if context.report.ok else None


def _read_model(file: SdfFile, context: SdfContext) -> Model:
    """Check the whole file; return the wanted Model, an empty one where there is none."""
    report = context.semantics
    look_up_ignored(file.root, context)
    trees = _compose_tops(file, context)
    _check_tops(file.root, report)
    if context.missing:
        from hrdf_ros.readers.sdf.missing import report_missing  # few files miss any
        report_missing(trees or [], context)
    version = file.root.attributes['version']
    if trees is None or context.reading.resolver.exhausted:
        return Model('', 'sdf', version, ROOT)
    resolved = [resolve_frames(tree, report) for tree in trees]
    models = [
        _build(frames, top, version, report)
        for frames in resolved for top in _loaded(frames.tree)]
    if context.reading.options.model_name is not None:
        models = _build_named(context.reading.options.model_name, file, resolved, context)
    else:
        _report_others(file, trees, models, report)
    return models[0] if models else Model('', 'sdf', version, ROOT)


def faults(file: SdfFile) -> Report:
    """Return what is wrong with a file that a conversion made; no other file is looked at."""
    report = Report()
    context = Context(report, Resolver(roots=()), Options(), lambda *_: None)
    sdf = SdfContext(context, Report(), report, [])
    _read_model(file, sdf)
    report.extend(sdf.syntax)
    return report


def _loaded(tree: Tree) -> list[int]:
    """Return the scope that becomes the Model: a world, or the first model outside of a world."""
    return [0] if tree.items[0].kind == 'world' else tree.models[0][:1]


def _build(frames: Frames, top: int, version: str, report: Report) -> Model:
    """Return the Model of a scope in a tree."""
    items = list(frames.tree.depth_first(top))
    return build_model(
        top, items, resolve_references(frames, top, items, report), version, report)


# ---- the top of a file

def _compose_tops(file: SdfFile, context: SdfContext) -> Optional[list[Tree]]:
    """
    Return the worlds of a file, and the imaginary root around a model outside of them.

    The result is None where their names together are too long.
    """
    root = Scope(
        name='', kind='root', element=file.root, location=file.root.location, content=file.root,
        version=file.version)
    tops = [
        Scope(name=name_of(world), kind='world', element=world, location=world.location,
              content=world, version=file.version)
        for world in file.root.all('world')]
    outside = Draft(root)
    for world in tops:
        outside.add(world, context.semantics)  # the limit on names is checked with the depth
    if file.root.has('model') or file.root.has('include'):
        tops.append(root)
    trees = []
    for top in tops:
        tree = Tree(compose_scope(top, context))
        if not _has_short_names(tree, context.semantics):
            return None
        if any(scope.is_merged for scope in tree.scopes.values()):
            from hrdf_ros.readers.sdf.merge import merged  # here, since few files merge includes
            tree = merged(tree, context)
        trees.append(tree)
    return trees


def _check_tops(root: TypedElement, report: Report) -> None:
    """Report more than one model, light or actor, and equal names."""
    found = [element for tag in LOADED_FIRST for element in root.all(tag)]
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


def _has_short_names(tree: Tree, report: Report) -> bool:
    """Return whether all names together fit the limit; their lengths grow with the nesting."""
    top = tree.items[0].element
    length, most = _length_of_names(tree), top.document.limits.most_names(top.document.size.bytes)
    if length > most:
        report.add(
            codes.NAMES_TOO_LONG,
            f'the names of all frames have {length} characters; the limit is {most}',
            top.location)
    return length <= most


def _length_of_names(tree: Tree) -> int:
    """Return about how many characters the names and source names of all frames will have."""
    total = 0
    prefixes = {0: 1}
    for index, scope in tree.scopes.items():
        prefix = prefixes[index]
        total += prefix * len(scope.children) + sum(map(len, scope.names))
        for item in scope.children:
            if isinstance(item, (Joint, Link)) and item.framed:
                total += (prefix + len(item.name)) * len(item.framed)
        for child in tree.models[index]:
            prefixes[child] = prefix + len(tree.items[child].name) + 1
    return 2 * total


# ---- the wanted Model

def _report_others(
    file: SdfFile, trees: Sequence[Tree], models: Sequence[Model], report: Report,
) -> None:
    """Report the parts of a file outside of the loaded Model, or that there is none."""
    if not models:
        report.add(
            codes.SDF_NO_MODEL, 'there is no model in this file', file.root.location,
            cause='<model>')
        return
    loaded = trees[0].items[0].name
    for tree in trees[1:]:
        # after a failed include a root has no children
        top = tree.scopes[0]
        for item in [top] if top.kind == 'world' else top.children:
            report.add(
                codes.SDF_NOT_LOADED,
                f"'{loaded}' is loaded; this <{item.element.tag}> is only checked",
                item.location, hint='choose a model with --model-name',
                severity='warning')


def _build_named(
    wanted: str, file: SdfFile, resolved: Sequence[Frames], context: SdfContext,
) -> list[Model]:
    """Return the named model out of all worlds, if any; its faults are reported already."""
    trees = [frames.tree for frames in resolved]
    for frames in resolved:
        for index in frames.tree.models[0]:
            if frames.tree.items[index].name == wanted:
                _report_world_joints(wanted, trees, context.semantics)
                return [_build(frames, index, file.root.attributes['version'], Report())]
    context.semantics.add(
        codes.MODEL_NOT_FOUND, f"there is no model '{wanted}' in the file", file.root.location,
        hint=one_of(wanted, [
            tree.items[index].name for tree in trees for index in tree.models[0]]))
    return []


def _report_world_joints(wanted: str, trees: Sequence[Tree], report: Report) -> None:
    """Report the joints of the world that do not belong to the model taken out of it."""
    tops = [tree.scopes[0] for tree in trees]
    joints = [
        item for top in tops if top.kind == 'world' and wanted in top.names
        for item in top.children if isinstance(item, Joint)]
    if joints:
        names = [item.name for item in joints]
        report.add(
            codes.SDF_NOT_LOADED,
            f"the joints of the world are not in '{wanted}': {listed(names)}",
            joints[0].location, subjects=tuple(names))
