# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Answers the page, in Pyodide: which files are robots, what is wrong with one, and its fixed text.

The files of the person are below ``FILES``; ``texts`` are those that were changed in the page, a
JSON object of texts by path. Answers are JSON.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from json import dumps, loads
from math import isfinite
import os
from pathlib import Path
from typing import Any, Optional

from hrdf_ros import load
from hrdf_ros.cli.report_formats import diagnostic_json
from hrdf_ros.cli.robot_files import robot_files
from hrdf_ros.diagnostics import Diagnostic, Edit, Locatable
from hrdf_ros.document import root_element, SourceFile, SourceRef
from hrdf_ros.fixes import fix, Fixing, with_edits
from hrdf_ros.model import contents, Coordinate, Joint, Model
from hrdf_ros.readers.registry import format_of
from hrdf_ros.topology import span, Topology

FILES = '/files'
_PROGRAMS = {
    '.xacro': 'Expanding xacro runs the program xacro, which a web page cannot do.',
    '.cfg.yaml': 'A robot configuration of HEBI is YAML, which this page does not read.',
}
"""What a file needs that the page cannot offer, by the suffix of the file."""
_REACH = 70
"""The bytes of a source line that are shown on either side of the column."""
_WARM_UP = {
    'a.urdf': '<robot name="a"><link name="b"/></robot>',
    'a.sdf': '<sdf version="1.9"><model name="a"><link name="b"/></model></sdf>',
    'a.hrdf': '<robot version="1.6"><link extension="0.1" twist="0"/></robot>',
    'a.mjcf': '<mujoco><worldbody><body><geom size="1"/></body></worldbody></mujoco>',
    'a.skel': '<skel version="1.0"><world name="a"/></skel>',
}


def warm_up() -> None:
    """Import all that a check needs, so that the first one is fast and needs no network."""
    for name, text in _WARM_UP.items():
        check(name, dumps({name: text}))


def robots() -> str:
    """
    Return the paths of the robots among the files, a single file being taken for one.

    Those that the page can check are before those that need a program.
    """
    files = [path for path in Path(FILES).rglob('*') if path.is_file()]
    found = [str(files[0])] if len(files) == 1 else [one.file for one in robot_files(FILES)]
    found.sort(key=lambda path: path.lower().endswith((*_PROGRAMS,)))
    return dumps([_shown(path) for path in found])


def check(name: str, texts: str) -> str:
    """
    Return the answer about a file, by its path below ``FILES``.

    It has the records of ``hrdf check --json``, and also the format, excerpts, whether
    there are fixes, and the robot if there is no error.
    """
    for suffix, reason in _PROGRAMS.items():
        if name.lower().endswith(suffix):
            return dumps({'needs': f'{reason} Use the command: hrdf check {name}'})
    file = os.path.join(FILES, name)
    overlay = _overlay(texts)
    result = load(file, overlay=overlay)
    source = SourceFile(file, _text(file, overlay).encode())
    known = format_of(source, root_element(source))
    return dumps({
        'ok': result.report.ok, 'format': None if known is None else known.name,
        'diagnostics': [_diagnostic(found, file) for found in result.report],
        'files': [_shown(path) for path in result.files],
        'robot': None if result.model is None else _robot(result.model),
    }, allow_nan=False)


def fixed(name: str, texts: str, index: int) -> str:
    """
    Return the texts that change, by path, when a diagnostic of a file is fixed.

    ``index`` counts the diagnostics from 0; with -1 all are fixed as ``hrdf check --fix`` does.
    """
    file, overlay = os.path.join(FILES, name), _overlay(texts)
    if index < 0:
        changed = dict(fix(Fixing(
            lambda new: load(file, overlay={**overlay, **new}),
            lambda path: _text(path, overlay))).texts)
    else:
        chosen = list(load(file, overlay=overlay).report)[index].fix
        edits: dict[str, list[Edit]] = {}
        for edit in () if chosen is None else chosen.resolve():
            edits.setdefault(edit.start.file, []).append(edit)
        changed = {
            path: with_edits(_text(path, overlay), parts) for path, parts in edits.items()}
    return dumps({_shown(path): text for path, text in changed.items()})


def _overlay(texts: str) -> dict[str, str]:
    return {os.path.join(FILES, path): text for path, text in loads(texts).items()}


def _text(file: str, overlay: Mapping[str, str]) -> str:
    """Return the text of a file as it is in the page."""
    return overlay[file] if file in overlay else Path(file).read_bytes().decode(
        'utf-8-sig', 'replace')


def _shown(text: str) -> str:
    """Return a text with the paths that the person knows."""
    return text.replace(f'{FILES}/', '')


def _diagnostic(found: Diagnostic, file: str) -> dict[str, Any]:
    """Return a diagnostic as ``hrdf check --json`` has it, with its excerpt and its fix."""
    record = loads(_shown(dumps(diagnostic_json(found, file))))
    has_fix = found.fix is not None and found.fix.resolve()
    return {**record, 'excerpt': _excerpt(found), 'fix': {
        'title': found.fix.title, 'is_safe': found.fix.is_safe} if found.fix and has_fix else None}


def _excerpt(found: Diagnostic) -> str:
    """Return the source line around a fault with a caret below it, or '' without a place."""
    if not isinstance(found.location, SourceRef):
        return ''
    line = found.location.document.lines.excerpt(found.location.offset(), _REACH)
    before = line.before.replace('\t', '    ')
    return f'{before}{line.after}\n{" " * len(before)}^'


def _place(location: Optional[Locatable]) -> Optional[dict[str, Any]]:
    """Return where a record of the Model is in the files, or None if it is in none."""
    at = None if location is None else location.resolve()
    if at is None or at.line is None:
        return None
    return {'file': _shown(at.file), 'line': at.line, 'column': at.column}


# ---- the robot

def _robot(model: Model) -> dict[str, Any]:
    topology = span(model)
    masses = [body.inertia.mass for body in model.bodies if body.inertia is not None]
    return {
        'name': model.name, 'format': model.format, 'version': model.version,
        'contents': contents(model), 'mass': _number(sum(masses)),
        'links': _links(model, topology),
        'joints': [row for joint in model.joints for row in _rows(model, joint)],
        'loops': [model.joints[index].name for index in topology.loops],
        'configurations': [
            {'name': each.name, 'positions': {
                model.coordinates[index].name: _number(value) for index, value in each.positions}}
            for each in model.configurations],
    }


def _links(model: Model, topology: Topology) -> list[dict[str, Any]]:
    """Return the links in the order of the tree, each with its depth and the joint above it."""
    depths: dict[int, int] = {}
    links = []
    for index in topology.order:
        body, joint = model.bodies[index], topology.joint[index]
        depths[index] = depths.get(topology.parent[index], -1) + 1
        links.append({
            'name': body.name, 'depth': depths[index],
            'mass': None if body.inertia is None else _number(body.inertia.mass),
            'joint': model.joints[joint].name if joint >= 0 else None,
            'type': model.joints[joint].type if joint >= 0 else None,
            'place': _place(body.location)})
    return links


def _rows(model: Model, joint: Joint) -> Iterator[dict[str, Any]]:
    """Yield the rows of a joint in the table: one for each coordinate, at least one."""
    indices = dict.fromkeys(
        index for motion in joint.motions for index in motion.coordinates)
    ends = [model.bodies[index].name for index in (joint.parent, joint.child)]
    for cells in [_cells(model, model.coordinates[index]) for index in indices] or [[''] * 5]:
        yield {'cells': [joint.name, joint.type, *ends, *cells], 'place': _place(joint.location)}


def _cells(model: Model, coordinate: Coordinate) -> list[object]:
    """Return name and unit of a coordinate, and its limits, or '' if it has none."""
    mimic, unit = coordinate.mimic, 'rad' if coordinate.kind == 'angle' else 'm'
    of = f'[{unit}]' if mimic is None else f'(mimics {model.coordinates[mimic.leader].name})'
    limits = coordinate.lower, coordinate.upper, coordinate.velocity, coordinate.effort
    return [f'{coordinate.name} {of}', *(
        value if isfinite(value) else '' for value in limits)]


def _number(value: float) -> Optional[float]:
    return value if isfinite(value) else None
