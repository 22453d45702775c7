# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Checks a file for the page, in Pyodide, and returns the answer as JSON.

The files of the person are below ``FILES``; ``texts`` are those that were changed in the page.
The answer has the records of ``hrdf check --json``, and besides: the fix of each diagnostic, and
links, joints, masses and named configurations of the robot where there is no error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from json import dumps, loads
from math import isfinite
import os
from typing import Any, Optional

from hrdf_ros import load
from hrdf_ros.cli.report_formats import diagnostic_json
from hrdf_ros.diagnostics import Diagnostic, Fix, Locatable, Location
from hrdf_ros.model import contents, Coordinate, Joint, Model
from hrdf_ros.topology import span, Topology

FILES = '/files'
_PROGRAMS = {
    '.xacro': 'Expanding xacro runs the program xacro, which a web page cannot do.',
    '.cfg.yaml': 'A robot configuration of HEBI is YAML, which this page does not read.',
}
"""What a file needs that the page does not have, by its suffix."""


def check(name: str, texts: str) -> str:
    """Return the answer about a file, by its path below ``FILES``, as JSON."""
    for suffix, reason in _PROGRAMS.items():
        if name.lower().endswith(suffix):
            return dumps({'needs': f'{reason} Use the command: hrdf check {name}'})
    file = os.path.join(FILES, name)
    overlay = {os.path.join(FILES, path): text for path, text in loads(texts).items()}
    result = load(file, overlay=overlay)
    return dumps({
        'ok': result.report.ok,
        'diagnostics': [_diagnostic(found, file) for found in result.report],
        'files': [_shown(path) for path in result.files],
        'robot': None if result.model is None else _robot(result.model),
    }, allow_nan=False)


def _shown(text: str) -> str:
    """Return a text with the paths that the person knows."""
    return text.replace(f'{FILES}/', '')


def _diagnostic(found: Diagnostic, file: str) -> dict[str, Any]:
    """Return a diagnostic as ``hrdf check --json`` has it, and its fix."""
    record = loads(_shown(dumps(diagnostic_json(found, file))))
    return {**record, 'fix': None if found.fix is None else _fix(found.fix)}


def _fix(fix: Fix) -> Optional[dict[str, Any]]:
    """Return the edits of a fix, None where it has none after all."""
    edits = [
        {'file': _shown(edit.start.file), 'start': _point(edit.start), 'end': _point(edit.end),
         'text': edit.text}
        for edit in fix.resolve()]
    return {'title': fix.title, 'edits': edits} if edits else None


def _point(at: Location) -> Sequence[Optional[int]]:
    return [at.line, at.column]


def _place(location: Optional[Locatable]) -> Optional[dict[str, Any]]:
    """Return where a record of the Model is in the files, None where it is in none."""
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
        'joints': [_joint(model, joint) for joint in model.joints],
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


def _joint(model: Model, joint: Joint) -> dict[str, Any]:
    indices = dict.fromkeys(
        index for motion in joint.motions for index in motion.coordinates)
    return {
        'name': joint.name, 'type': joint.type,
        'parent': model.bodies[joint.parent].name, 'child': model.bodies[joint.child].name,
        'coordinates': [_coordinate(model, model.coordinates[index]) for index in indices],
        'place': _place(joint.location)}


def _coordinate(model: Model, coordinate: Coordinate) -> Mapping[str, Any]:
    mimic = coordinate.mimic
    return {
        'name': coordinate.name, 'unit': 'rad' if coordinate.kind == 'angle' else 'm',
        **{name: _number(getattr(coordinate, name))
           for name in ('lower', 'upper', 'velocity', 'effort')},
        'mimics': None if mimic is None else model.coordinates[mimic.leader].name}


def _number(value: float) -> Optional[float]:
    return value if isfinite(value) else None
