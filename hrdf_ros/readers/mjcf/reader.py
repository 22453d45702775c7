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
from hrdf_ros.document import SourceFile
from hrdf_ros.model import Model
from hrdf_ros.readers.api import Context
from hrdf_ros.readers.mjcf.assets import asset_name
from hrdf_ros.readers.mjcf.bodies import BodyReader, Scope
from hrdf_ros.readers.mjcf.conflicts import Settings
from hrdf_ros.readers.mjcf.files import read_document
from hrdf_ros.readers.mjcf.model_builder import ModelBuilder
from hrdf_ros.readers.mjcf.settings import Classes, read_compiler
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
    root = read_document(source, context)
    if root is None:
        return None
    compiler = read_compiler(root, context.report)
    classes = Classes(root, context.report)
    classes.check(element for section in root.children for element in section.walk())
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
    return Scope(root, compiler, classes, models, settings, context.resolver.find)


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
    root, report = scope.root, context.report
    bodies = BodyReader(report)
    world = bodies.read(scope)
    for element in root.all('worldbody'):
        if element.attributes:
            report.add(
                codes.UNKNOWN_ATTRIBUTE, 'the world has no attributes', element.location,
                severity='error')
    builder = ModelBuilder(scope, root.get('model') or NAME, context)
    builder.add_tree(world)
    builder.add_equalities([scope, *(
        one for one in bodies.attached if one.root is not scope.root)])
    return builder.model(bodies, world)
