# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
An MJCF file as a Model.

Bodies are links below the link ``world``; the joints of a body are one joint with a motion each;
sites, cameras and lights are frames. The initial configuration is MuJoCo's ``qpos0``.
"""

from __future__ import annotations

from collections.abc import Sequence
import os
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import parse, SourceFile
from hrdf_ros.model import Model
from hrdf_ros.readers.api import Context
from hrdf_ros.readers.mjcf.bodies import BodyReader
from hrdf_ros.readers.mjcf.elements import asset_name, assets_of, Classes, Scope
from hrdf_ros.readers.mjcf.model_builder import ModelBuilder
from hrdf_ros.readers.mjcf.schema import SCHEMA
from hrdf_ros.readers.mjcf.settings import read_compiler, Settings
from hrdf_ros.readers.schema import TypedElement

NAME = 'MuJoCo Model'
"""The name of a model that has none, as in MuJoCo."""


def read(source: SourceFile, context: Context) -> Optional[Model]:
    """Return the Model of an MJCF file, None with the reason in the report."""
    report = Report()
    inner = context._replace(report=report)
    scope = _read_scope(source, inner, ())
    model = None if scope is None else _read_model(scope, inner)
    ok = report.ok
    report.sort(0)
    context.report.extend(report)
    return model if ok else None


def _read_scope(source: SourceFile, context: Context, outer: Sequence[str]) -> Optional[Scope]:
    """Return a file and the models that it may attach; ``outer`` are the files that named it."""
    root = _read_document(source, context)
    if root is None:
        return None
    compiler = read_compiler(root, context.report)
    classes = Classes(root, context.report)
    models: dict[str, Scope] = {}
    for section in root.all('asset'):
        for element in section.all('model'):
            found = _read_attached(element, source, context, (*outer, source.file))
            if found is not None:
                models[element.get('name') or found.root.get('model') or asset_name(
                    element)] = found
    settings = Settings(root)
    for section in root.all('worldbody'):
        for element in section.walk():
            attached = models.get(element.get('model') or '') if element.tag == 'attach' else None
            if attached is not None:
                settings.attach(attached.settings, compiler.conflict, element, context.report)
    scope = Scope(
        root, compiler, classes, assets_of(root), models, settings, context.resolver.find,
        context.report)
    classes.check(
        scope.item(element) for section in root.children if section.tag not in ('body', 'frame')
        for element in section.walk())
    return scope


def _read_attached(
    element: TypedElement, source: SourceFile, context: Context, outer: Sequence[str],
) -> Optional[Scope]:
    """Return the scope of an ``<asset><model>``, None with the reason reported."""
    uri = element.get('file')
    location = element.locate('file')
    if not uri:
        context.report.add(
            codes.MISSING_ATTRIBUTE, "<model> is missing the required attribute 'file'", location)
        return None
    file = context.resolver.find(uri, source.file) or os.path.join(
        os.path.dirname(source.file), uri)
    if os.path.normpath(file) in map(os.path.normpath, outer):
        context.report.add(codes.INCLUDE_CYCLE, f"model '{uri}' attaches itself", location)
        return None
    found = context.resolver.read(file, context.report, location)
    return None if found is None else _read_scope(found, context, outer)


def _read_model(scope: Scope, context: Context) -> Model:
    root = scope.root
    bodies = BodyReader()
    world = bodies.read(scope)
    for element in root.all('worldbody'):
        if element.attributes:
            scope.report.add(
                codes.UNKNOWN_ATTRIBUTE, 'the world has no attributes', element.location,
                severity='error')
    builder = ModelBuilder(scope, context)
    builder.add_tree(world)
    return builder.model(root.get('model') or NAME, bodies, world)


# ---- one document

def _read_document(source: SourceFile, context: Context) -> Optional[TypedElement]:
    """Return the root of a file with everything it includes, None with the reason reported."""
    root = parse(source, context.report, TypedElement)
    if root is None or not SCHEMA.is_root(root, context.report):
        return None
    return root if _expand(root, context) and SCHEMA.validate(root, context.report) else None


def _expand(root: TypedElement, context: Context) -> bool:
    """
    Replace every include below the root of a document; return whether all could be read.

    MuJoCo includes each file at most once.
    """
    included = {os.path.normpath(root.document.file)}
    pending, ok = [root], True
    while pending:
        element = pending.pop()
        if any(child.tag == 'include' for child in element.children):
            rest, element.children = element.children[::-1], []
            while rest:
                child = rest.pop()
                if child.tag == 'include':
                    found = _included(child, root.document.file, included, context)
                    rest += reversed(found)
                    ok = ok and bool(found)
                else:
                    element.children.append(child)
        pending += element.children
    return ok


def _included(
    include: TypedElement, main: str, included: set[str], context: Context,
) -> Sequence[TypedElement]:
    """Return the children of an included file's root; none with the reason reported."""
    report, resolver = context.report, context.resolver
    name, location = include.get('file'), include.locate('file')
    file = '' if name is None else os.path.normpath(
        resolver.find(name, main) or resolver.find(name, include.document.file)
        or os.path.join(os.path.dirname(main), name))
    if name is None:
        report.add(
            codes.MISSING_ATTRIBUTE, "<include> is missing the required attribute 'file'",
            location)
    elif include.children:
        report.add(
            codes.UNKNOWN_ELEMENT, f'<{include.children[0].tag}> is not allowed in <include>',
            include.children[0].location, severity='error')
    elif file in included:
        report.add(codes.INCLUDE_CYCLE, f"file '{name}' is already included", location)
    else:
        included.add(file)
        source = resolver.read(file, report, location)
        root = None if source is None else parse(source, report, TypedElement)
        if root is not None and not root.children:
            report.add(codes.MISSING_ELEMENT, 'an included file has no elements', root.location)
        return () if root is None else root.children
    return ()
