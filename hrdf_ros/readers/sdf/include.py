# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Find the file that an ``<include>`` names, and read it in its format.

A file of another format (composition proposal 1.5, the Interface API) is read by the reader that
is registered for it. Its Model becomes a nested model whose scope holds the Model's frames by name
and by tag, so that poses, frames and joints around it can refer to them.
"""

from __future__ import annotations

import os
from typing import Any, Optional, Union

from hrdf_ros import codes
from hrdf_ros import model as m
from hrdf_ros.data_files import line_location, parse_xml
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import root_element, SourceFile, SourceRef
from hrdf_ros.formats import NEWEST_SDF, parse_version, sdf_has, Version
from hrdf_ros.fuel import fetch_hint, is_remote, ON_NETWORK, parse_uri
from hrdf_ros.parsing.sdf import is_reserved, ROOT
from hrdf_ros.pose import compose, relative
from hrdf_ros.readers.schema import TypedElement, UNDECLARED
from hrdf_ros.readers.sdf.file import read_file, SdfContext, SdfFile
from hrdf_ros.readers.sdf.records import Frame, INCLUDED_FIRST, Scope
from hrdf_ros.readers.sdf.schema import SCHEMA
from hrdf_ros.readers.sdf.scopes import Draft
from hrdf_ros.resolve import Resolver
from hrdf_ros.topology import find_frame, span, zero_poses

_MISSING = frozenset(code.name for code in (
    codes.FILE_NOT_FOUND, codes.SDF_MANIFEST_MISSING, codes.SDF_URI_NOT_FETCHED,
    codes.SDF_URI_NOT_FOUND))
"""The codes of includes that fail because a file does not exist."""


def find_included(
    element: TypedElement, draft: Draft, context: SdfContext,
) -> Union[SdfFile, Scope, None]:
    """
    Return the model, actor or light of an ``<include>``, None with the reason reported.

    A file of another format is a nested model already, except a URDF, which libsdformat
    converts.
    """
    _check_placement(element, context.syntax)
    parameters = element.child('experimental:params')
    if parameters is not None:
        context.semantics.add(
            codes.SDF_INCLUDE_NON_STANDARD, 'the parameters of an include are ignored',
            parameters.location, hint='libsdformat applies them as an experiment')
    report = Report()
    source = _source(element, report, context)
    if source is None:
        if context.reading.options.placeholders and is_of_missing_file(report):
            return _placeholder(element, draft, report, context)
        context.missing.append((draft, report))
        return None
    context.syntax.extend(report)
    strict_names = sdf_has(draft.scope.version, 'nested_names')
    if _is_sdf(source):
        file = read_file(source, context.syntax, strict_names=strict_names)
        if file is not None:
            look_up_ignored(file.root, context)
        return _top(file, element, context.syntax)
    model = _read_other(element, source.file, context)
    if model is not None and model.format == 'urdf':
        # few files include a URDF
        from hrdf_ros.readers.sdf.urdf_conversion.convert import convert
        file = convert(model, context.syntax, strict_names=strict_names)
        return _top(file, element, context.syntax)
    return None if model is None else _interface_model(
        element, model, draft.scope.version, context.syntax)


def look_up_ignored(root: TypedElement, context: SdfContext) -> None:
    """Look up each misplaced include: libsdformat looks it up, too, but ignores the result."""
    if b'<include' not in root.document.data:
        return
    pending = [root]
    for parent in pending:  # the list grows in the loop
        pending += [child for child in parent.children if child.rule is not UNDECLARED]
        if not parent.rule.content.open:
            for element in parent.all('include'):
                if element.rule is UNDECLARED:
                    _look_up(element, context)


def _look_up(element: TypedElement, context: SdfContext) -> None:
    """Report an include that names no file or a faulty one."""
    SCHEMA.validate(element, Report(), entry='include')
    report = Report()
    source = _source(element, report, context)
    if source is not None and _is_sdf(source):
        read_file(source, report, strict_names=True)
    is_missing = context.reading.options.placeholders and is_of_missing_file(report)
    context.syntax.extend(report.as_warnings() if is_missing else report)


def is_of_missing_file(report: Report) -> bool:
    """Return whether an include failed because its file does not exist."""
    return all(found.code in _MISSING for found in report if found.severity == 'error')


def _check_placement(element: TypedElement, report: Report) -> None:
    """Refuse a placement frame that the pose cannot place, or whose name is reserved."""
    placement = element.child('placement_frame')
    if placement is None:
        return
    if not element.has('pose'):
        report.add(
            codes.SDF_PLACEMENT_WITHOUT_POSE, '<placement_frame> requires a <pose> beside it',
            placement.location, hint='add an empty <pose/>')
    if placement.string() == ROOT:
        report.add(
            codes.SDF_RESERVED_NAME, f"'{ROOT}' is reserved and cannot be referred to",
            placement.text_location())


# ---- the file

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
    if is_remote(uri):
        report.add(
            codes.SDF_URI_NOT_FETCHED,
            f"'{uri}' {ON_NETWORK}", location,
            hint=f'{fetch_hint(uri)}; or name its directory, or the one that contains it, with '
            '--path', subjects=(uri,))
        return
    report.add(
        codes.SDF_URI_NOT_FOUND, f"nothing is found for the URI '{uri}'", location,
        hint='looked beside the file, then in --path, SDF_PATH, GZ_SIM_RESOURCE_PATH and '
        'GAZEBO_MODEL_PATH', subjects=(uri,))


def _placeholder(
    element: TypedElement, draft: Draft, report: Report, context: SdfContext,
) -> Scope:
    """Return a nested model with one link in place of a missing file, with a warning."""
    uri = element.string('uri')
    fuel_uri = parse_uri(uri)
    base = uri.rstrip('/').rpartition('/')[2] if fuel_uri is None else fuel_uri.name
    base = os.path.splitext(base)[0].replace('::', '_')
    name = base = 'placeholder' if not base or is_reserved(base) else base
    count = 1
    while draft.has_name(name):
        count += 1
        name = f'{base}_{count}'
    name = element.string('name') or name
    warnings = report.as_warnings()
    warnings.diagnostics = [
        found._replace(
            message=f"{found.message}; a placeholder '{name}' stands for it",
            subjects=(*found.subjects, name) if found.subjects else ())
        for found in warnings]
    context.syntax.extend(warnings)
    body = m.Body('placeholder', 'placeholder', location=element.location)
    frame = m.Frame(body.name, body.name, 'link', 0, location=element.location)
    model = m.Model(name, 'sdf', '', ROOT, bodies=(body,), frames=(frame,), canonical_body=0)
    return _nested_model(element, model, draft.scope.version)._replace(is_placeholder=True)


# ---- model directories: ``model.config`` names a file for each SDFormat version

def best_file(
    directory: str, location: Optional[SourceRef], resolver: Resolver, report: Report,
) -> Optional[str]:
    """Return the file of a model directory to read, None with the reason in the report."""
    manifest = next(
        (path for name in ('model.config', 'manifest.xml')
         if os.path.exists(path := os.path.join(directory, name))), None)
    if manifest is None:
        report.add(
            codes.SDF_MANIFEST_MISSING, f'the directory {directory} has no model.config', location)
        return None
    source = resolver.read(manifest, report, location, reference='PARSING_ERROR')
    root = parse_xml(source, report, reference='PARSING_ERROR') if source is not None else None
    if source is None or root is None:
        return None
    named = _best(root, source, report)
    if named is None:
        report.add(
            codes.SDF_MANIFEST_INVALID, 'the manifest names no file that can be read',
            line_location(source, root.sourceline),
            hint=f'write <sdf version="{NEWEST_SDF.name}">model.sdf</sdf>')
        return None
    return os.path.join(directory, named)


def _best(root: Any, source: SourceFile, report: Report) -> Optional[str]:
    """Return the file of the newest version that can be read, else the first file."""
    entries = root.findall('sdf') if root.tag == 'model' else []
    best = entries[0] if entries else None
    best_version: Version = (0, 0)
    for entry in entries:
        version = parse_version(entry.get('version') or '') or (0, 0)
        if version > NEWEST_SDF.number:
            report.add(
                codes.SDF_MANIFEST_VERSION,
                f'version {entry.get("version")} is newer than {NEWEST_SDF.name}, ignored',
                line_location(source, entry.sourceline))
        elif version > best_version:
            best, best_version = entry, version
    file = '' if best is None else (best.text or '').strip()
    if best is None or not file:
        return None
    if best.get('version') is None:
        report.add(
            codes.SDF_MANIFEST_VERSION, 'the manifest does not say of which version the file is',
            line_location(source, best.sourceline), hint='write <sdf version="...">')
    return file


# ---- SDFormat

def _is_sdf(source: SourceFile) -> bool:
    """Return whether a file is SDFormat, by its suffix unless that is URDF's, else by its root."""
    root = root_element(source)
    tag = '' if root is None else root[0]
    if os.path.splitext(source.file)[1].lower() in ('.sdf', '.world'):
        return tag != 'robot'
    return tag == 'sdf'


def _top(
    file: Optional[SdfFile], element: TypedElement, report: Report,
) -> Optional[SdfFile]:
    """Return the model, actor or light of an included file; of several, the first."""
    if file is None:
        return None
    tops = [child for tag in INCLUDED_FIRST for child in file.root.all(tag)]
    if not tops:
        report.add(
            codes.SDF_INCLUDE_WITHOUT_MODEL, 'the included file has no model, actor or light',
            element.location, hint='a world cannot be included', cause='<model>')
        return None
    for other in tops[1:]:
        report.add(
            codes.SDF_INCLUDE_SEVERAL,
            f'the included file has another <{other.tag}>; one is included', other.location)
    return file._replace(root=tops[0])


# ---- other formats

def _read_other(element: TypedElement, file: str, context: SdfContext) -> Optional[m.Model]:
    """Return the Model of a file of another format, None with the reason reported."""
    # these two options are about the whole robot, and the file is a part of it
    options = context.reading.options._replace(model_name=None, joint_names=())
    reading = context.reading._replace(report=Report(), options=options)
    model = reading.read_other(file, element.location, reading)
    report = reading.report
    report.diagnostics = [
        found._replace(reference=found.reference or 'FILE_READ') if found.severity == 'error'
        else found for found in report]
    context.syntax.extend(report)
    return model


def _interface_model(
    element: TypedElement, model: m.Model, version: Version, report: Report,
) -> Optional[Scope]:
    """Return a Model of another format as a nested model, None with the reason reported."""
    if element.boolean('merge'):
        report.add(
            codes.SDF_MERGE_UNSUPPORTED, 'only an SDFormat model can be merged',
            element.attribute_location('merge'))
        return None
    if not model.name and not element.has('name'):
        report.add(
            codes.SDF_INCLUDE_WITHOUT_NAME, 'the included file gives its model no name',
            element.location, hint='add a <name>')
    return _nested_model(element, model, version)


def _nested_model(element: TypedElement, model: m.Model, version: Version) -> Scope:
    """Return a nested model with a link for every body and a frame for every frame and tag."""
    location = element.location
    topology = span(model)
    model_from_body = [relative(model.pose, pose) for pose in zero_poses(model, topology)]
    own_frames = {frame.name: frame for frame in model.frames}
    children = [
        Frame(name=body.name, element=element, location=location, pose=pose, kind='link',
              model_frame=own_frames[body.name])
        for body, pose in zip(model.bodies, model_from_body)]
    names = {body.name: position for position, body in enumerate(model.bodies)}
    for frame in model.frames:
        if frame.name not in names:
            names[frame.name] = len(children)
            children.append(Frame(
                name=frame.name, element=element, location=location,
                pose=compose(model_from_body[frame.body], frame.pose),
                attached_to=model.bodies[frame.body].name, model_frame=frame))
    for tag in sorted({frame.tag for frame in model.frames if frame.tag}):
        index = find_frame(model, tag)
        if index is not None:
            names.setdefault(tag, names[model.frames[index].name])
    canonical = model.canonical_body
    if canonical == m.NONE and model.bodies:
        canonical = topology.roots[0]
    return Scope(
        name=model.name, kind='model', element=element, location=location, content=element,
        version=version,
        pose=model.pose, static=model.static, interface=model, canonical=canonical,
        children=children, names=names)
