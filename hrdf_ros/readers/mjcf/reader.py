# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Read an MJCF file as a Model.

Bodies are links below the link ``world``. The joints of a body become one joint, in which each of
them is a motion.
Sites, cameras and lights are frames. The initial configuration is MuJoCo's ``qpos0``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
import os
from typing import Any, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import parse, SourceFile
from hrdf_ros.limits import MADE_CHARACTERS
from hrdf_ros.model import Model
from hrdf_ros.readers.api import Context
from hrdf_ros.readers.mjcf.actuators import check_classes
from hrdf_ros.readers.mjcf.bodies import BodyReader
from hrdf_ros.readers.mjcf.elements import (
    asset_name,
    assets_of,
    Bound,
    Classes,
    Item,
    Scope,
)
from hrdf_ros.readers.mjcf.file_settings import declared_in, read_compiler, value_of
from hrdf_ros.readers.mjcf.kept import text_of
from hrdf_ros.readers.mjcf.model_builder import ModelBuilder
from hrdf_ros.readers.mjcf.refusals import check
from hrdf_ros.readers.mjcf.schema import SCHEMA
from hrdf_ros.readers.schema import TypedElement

NAME = 'MuJoCo Model'
"""The name that MuJoCo gives a model without one."""
_Key = tuple[str, str]
"""The path of an element, and the name of an attribute."""
_RULES: dict[_Key, str] = {
    (path, name): rule for path, rule, names in (
        ('option', 'min', 'timestep tolerance ls_tolerance noslip_tolerance ccd_tolerance '
         'sleep_tolerance'),
        ('option', 'max', 'iterations ls_iterations noslip_iterations ccd_iterations '
         'sdf_iterations sdf_initpoints'),
        ('option', 'error', 'impratio density viscosity o_margin integrator cone jacobian solver '
         'gravity wind magnetic o_solref o_solimp o_friction'),
        ('option', 'union', 'actuatorgroupdisable'),
        ('option/flag', 'disable', 'constraint equality frictionloss limit contact spring damper '
         'gravity clampctrl warmstart filterparent actuation refsafe sensor midphase eulerdamp '
         'autoreset nativeccd island multiccd'),
        ('option/flag', 'enable', 'override energy fwdinv invdiscrete sleep diagexact'),
        ('visual/map', 'min', 'znear'), ('visual/map', 'max', 'zfar'),
        ('visual/global', 'min', 'realtime'),
        ('size', 'max', 'memory njmax nconmax nuserdata nkey nuser_body nuser_jnt nuser_geom '
         'nuser_site nuser_cam nuser_tendon nuser_actuator nuser_sensor'),
    ) for name in names.split()}
"""
The rule by which the settings of a file and of a model that it attaches are combined.

Either file can enable or disable a flag.
"""
_SWITCHES = ('enable', 'disable')


def read(source: SourceFile, context: Context) -> Optional[Model]:
    """Return the Model of an MJCF file, None with the reason in the report."""
    report = Report()
    inner = context._replace(report=report)
    scope = _FileReader(inner).read(source)
    model = None if scope is None else _read_model(scope, inner)
    ok = report.ok
    report.sort(0)
    context.report.extend(report)
    return model if ok else None


class _FileReader:
    """Reads a file and the models that it attaches, each file once."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._scopes: dict[str, Scope] = {}
        self._characters = Bound(
            MADE_CHARACTERS,
            f'copies and default classes make more than {MADE_CHARACTERS} characters')

    def read(self, source: SourceFile, outer: Sequence[str] = ()) -> Optional[Scope]:
        """Return a file, None with the reason reported; ``outer`` are the files around it."""
        context = self._context
        root = _read_document(source, context)
        if root is None:
            return None
        compiler = read_compiler(root, context.report)
        classes = Classes(root, context.report)
        models: dict[str, Scope] = {}
        for section in root.all('asset'):
            for element in section.all('model'):
                found = self._model(element, source, (*outer, source.file))
                if found is not None:
                    models[element.get('name') or found.root.get('model') or asset_name(
                        element)] = found
        scope = Scope(
            root=root, compiler=compiler, classes=classes, assets=assets_of(root),
            declared=declared_in(root), models=models, attached={}, found={},
            settings=_read_settings(root), adopted={}, find=context.resolver.find,
            report=context.report, characters=self._characters)
        _note_attached(scope)
        check_classes(scope)
        _check_assets(scope)
        classes.check(
            scope.item(element) for section in root.children
            if section.tag not in ('body', 'frame') for element in section.walk())
        return scope

    def _model(
        self, element: TypedElement, source: SourceFile, outer: Sequence[str],
    ) -> Optional[Scope]:
        """Return the scope of an ``<asset><model>``, None with the reason reported."""
        context, uri, location = self._context, element.get('file'), element.locate('file')
        if not uri:
            context.report.add(
                codes.MISSING_ATTRIBUTE, "<model> is missing the required attribute 'file'",
                location)
            return None
        file = os.path.normpath(context.resolver.find(uri, source.file) or os.path.join(
            os.path.dirname(source.file), uri))
        if file in map(os.path.normpath, outer):
            context.report.add(codes.INCLUDE_CYCLE, f"model '{uri}' attaches itself", location)
            return None
        known = self._scopes.get(file)
        if known is None:
            found = context.resolver.read(file, context.report, location)
            known = None if found is None else self.read(found, outer)
            if known is not None:
                self._scopes[file] = known
        return known


def _check_assets(scope: Scope) -> None:
    """Report assets in default classes that MuJoCo refuses there, used or not."""
    for tag in ('texture', 'material', 'mesh'):
        classes = {id(chain[0]): chain for chain in scope.classes.chains(tag) if chain}
        for element, *defaults in classes.values():
            check(Item(element, scope, tuple(defaults)), f'default_{tag}')


def _note_attached(scope: Scope) -> None:
    """Note the prefixes of the models that a file attaches, and resolve conflicts of settings."""
    seen: set[tuple[str, int]] = set()
    for section in scope.root.all('worldbody'):
        for element in section.walk():
            model = scope.models.get(element.get('model') or '')
            if element.tag != 'attach' or model is None:
                continue
            prefix = element.get('prefix') or ''
            if (prefix, id(model.root)) not in seen:
                seen.add((prefix, id(model.root)))
                scope.attached.setdefault(prefix, []).append(model)
            _attach_settings(scope, model.settings, element)


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


# ---- settings

def _read_settings(root: TypedElement) -> dict[_Key, Any]:
    """Return the settings that are compared with those of attached models."""
    found: dict[_Key, Any] = {}
    for section in root.children:
        for path, element in ((section.tag, section), *(
                (f'{section.tag}/{child.tag}', child) for child in section.children)):
            for name in element.attributes:
                value = value_of(element, name)
                if (path, name) in _RULES and (path != 'size' or value > 0):
                    found[path, name] = value
    return found


def _attach_settings(scope: Scope, others: Mapping[_Key, Any], element: TypedElement) -> None:
    """Resolve conflicts with an attached model as MuJoCo does."""
    ignored, policy = [], scope.compiler.conflict
    for key, theirs in others.items():
        ours, rule = scope.settings.get(key), _RULES[key]
        if ours == theirs:
            continue
        if policy == 'merge' and (ours is None or rule != 'error'):
            if rule not in _SWITCHES or theirs == rule:
                scope.settings[key] = scope.adopted[key] = (
                    theirs if ours is None else _merged(rule, ours, theirs))
        elif rule in _SWITCHES and ours is None or rule == 'union':
            continue  # MuJoCo compares flags only where both files give them
        elif policy == 'warning' or ours is None:
            ignored.append(key[1])
        else:
            scope.report.add(
                codes.MJCF_NOT_ALLOWED,
                f"'{key[1]}' is {text_of(ours)} here and {text_of(theirs)} in the attached model",
                element.location, hint='<compiler conflict="warning"/> keeps that of the file')
    if ignored:
        names = ', '.join(dict.fromkeys(ignored))
        scope.report.add(
            codes.MJCF_PART_IGNORED, f'settings of the attached model are ignored: {names}',
            element.location)


def _merged(rule: str, ours: Any, theirs: Any) -> Any:
    if rule == 'union':
        return tuple(sorted({*ours, *theirs}))
    return theirs if rule in _SWITCHES else min(ours, theirs) if rule == 'min' else max(
        ours, theirs)


# ---- one document

def _read_document(source: SourceFile, context: Context) -> Optional[TypedElement]:
    """Return the root of a file with everything it includes, None with the reason reported."""
    root = parse(source, context.report, TypedElement, ends_early=True)
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
        root = None if source is None else parse(
            source, report, TypedElement, ends_early=True)
        if root is not None and not root.children:
            report.add(codes.MISSING_ELEMENT, 'an included file has no elements', root.location)
        return () if root is None else root.children
    return ()
