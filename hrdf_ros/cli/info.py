# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf info``: the summary of a description."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from os.path import getsize, isfile
import re
from typing import Any, Optional, TYPE_CHECKING, Union

from hrdf_ros.cli import output
from hrdf_ros.cli.loading import read_model, READING, reading_of
from hrdf_ros.cli.options import command, FILE, Option
from hrdf_ros.cli.positions import POSITIONS, positions_of
from hrdf_ros.cli.report_formats import number, numbers, render
from hrdf_ros.fuel import is_remote
from hrdf_ros.inertia import combine, Inertia, tensor_in_body
from hrdf_ros.listing import and_more
from hrdf_ros.model import Body, Joint, Mesh, Model
from hrdf_ros.pose import compose, Pose

if TYPE_CHECKING:
    from hrdf_ros.cli.configuration import State

_PLUGIN = re.compile(
    r'<plugin\b[^<>]*?\s(?:filename|name)\s*=\s*["\']([^"\']+)["\']'
    r'|<plugin>\s*([^<\s]+)\s*</plugin>')
_PACKAGE = re.compile(r'package://([^/\s"\'<>]+)')
_TENSOR = ('ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz')
"""The names of the six elements of an inertia tensor in JSON."""
_LISTED = 12
"""The maximum number of lines of a list on a terminal; the others are counted."""


@command(
    FILE, Option('--inertia', 'the mass, center of mass and inertia of every link, too'),
    Option('--json', 'write the summary as JSON'), POSITIONS, READING)
def hrdf_info(options: argparse.Namespace) -> int:
    """
    Summarize a description: format, links, degrees of freedom, files, meshes.

    Also mass, center of mass and inertia at the given configuration, and what it
    requires to run: packages and plugins.

    for example:
      hrdf info arm.urdf
      hrdf info arm.hrdf --positions 0,1.57,0,0    center of mass and inertia there
      hrdf info arm.sdf --inertia                  of every link, too
      hrdf info arm.hrdf --json                    see hrdf schema info

    Center of mass and inertia are in the root of the file, and those of a link in
    its own frame. The inertia is about the center of mass. Units are m, kg, kg m^2.
    """
    reading, positions = reading_of(options), positions_of(options)
    model, _ = read_model(reading)
    from hrdf_ros.cli.configuration import solve  # imports numpy, which is slow
    state = solve(model, positions)
    output.show(state.report, reading.display)
    facts = _facts(model, state)
    if options.inertia:
        facts['links'] = [
            {'name': body.name, 'mass': number(inertia.mass),
             'center_of_mass': numbers(inertia.pose.position),
             'inertia': numbers(tensor_in_body(inertia))}
            for body in model.bodies for inertia in (body.inertia or Inertia(0.0),)]
    if options.json:
        print(render(facts))
        return 0 if state.report.ok else 1
    _print(facts, len(state.dependent))
    if options.inertia:
        print()
        output.print_table([('link', 'mass', 'x', 'y', 'z', *_TENSOR), *(
            (one['name'], *map(_number, (one['mass'], *one['center_of_mass'], *one['inertia'])))
            for one in facts['links'])])
    return 0 if state.report.ok else 1


def _total(model: Model, poses: Sequence[Pose]) -> Inertia:
    """Return the inertia of all bodies at the poses of the frames, in the axes of the root."""
    pose_of = {
        frame.body: pose for frame, pose in zip(model.frames, poses)
        if frame.name == model.bodies[frame.body].name}
    parts = [
        body.inertia._replace(pose=compose(pose_of[index], body.inertia.pose))
        for index, body in enumerate(model.bodies)
        if body.inertia is not None and body.inertia.mass > 0.0 and index in pose_of]
    return combine(parts) if parts else Inertia(0.0)


def _facts(model: Model, state: State) -> dict[str, Any]:
    """Return the summary as JSON."""
    inertia = _total(model, state.poses)
    uses = Counter(
        (shape.geometry.uri, shape.geometry.file) for body in model.bodies
        for shape in (*body.visuals, *body.collisions) if isinstance(shape.geometry, Mesh))
    owners: list[Union[Model, Body, Joint]] = [model, *model.bodies, *model.joints]
    texts = [one.text for owner in owners for one in owner.extensions]
    packages = {name for text in (*texts, *(uri for uri, _ in uses))
                for name in _PACKAGE.findall(text)}
    plugins = {name for text in texts for names in _PLUGIN.findall(text) for name in names}
    return {
        'name': model.name, 'format': model.format, 'version': model.version,
        'description': model.description or None, 'root': state.root,
        'configuration': state.name,
        'bodies': len(model.bodies), 'joints': len(model.joints),
        'coordinates': len(model.coordinates),
        'degrees_of_freedom': len(model.coordinates) - len(state.dependent),
        'frames': len(model.frames), 'mass': number(inertia.mass),
        'center_of_mass': numbers(inertia.pose.position) if inertia.mass else None,
        'inertia': numbers(inertia.tensor) if inertia.mass else None,
        'files': list(model.files),
        'meshes': [
            {'uri': uri, 'file': file, 'bytes': getsize(file) if file and isfile(file) else None,
             'uses': count}
            for (uri, file), count in uses.items()],
        'configurations': [
            {'name': each.name, 'positions': {
                model.coordinates[index].name: number(value) for index, value in each.positions}}
            for each in model.configurations],
        'packages': sorted(packages), 'plugins': sorted(plugins - {''}),
    }


def _print(facts: Mapping[str, Any], dependent: int) -> None:
    """Print the summary: one line for each fact, and lists beside their titles."""
    note = f' (and {dependent} dependent coordinates)' if dependent else ''
    shown = {
        'name': facts['name'] or '(none)',
        'format': f'{facts["format"]} {facts["version"]}'.rstrip(),
        'description': facts['description'],
        'degrees of freedom': f'{facts["degrees_of_freedom"]}{note}', 'links': facts['bodies'],
        'joints': facts['joints'], 'frames': facts['frames'],
        'mass': '-' if facts['mass'] is None else f'{facts["mass"]:.6g} kg'}
    if facts['inertia']:
        center = ' '.join(map(_number, facts['center_of_mass']))
        shown['center of mass'] = f"{center} m in '{facts['root']}'"
        shown.update(zip(_TENSOR, (f'{_number(value)} kg m^2' for value in facts['inertia'])))
        shown['positions'] = facts['configuration']
    shown['configurations'] = [each['name'] for each in facts['configurations']]
    shown['files'], shown['meshes'] = facts['files'], list(map(_mesh_text, facts['meshes']))
    shown['packages'], shown['plugins'] = facts['packages'], facts['plugins']
    for title, fact in shown.items():
        items = fact if isinstance(fact, list) else [] if fact is None else [fact]
        if len(items) > _LISTED:
            items = [*items[:_LISTED - 1], and_more(len(items) - _LISTED + 1)]
        for count, item in enumerate(items):
            output.say(f'{"" if count else title:19} {item}')


def _number(value: Optional[float]) -> str:
    """Return a number as text; the rounding error of a zero is left out."""
    return '-' if value is None else f'{round(value, 12) + 0.0:.6g}'


def _mesh_text(mesh: Mapping[str, Any]) -> str:
    missing = 'on the network' if is_remote(mesh['uri']) else 'not found'
    size = missing if mesh['bytes'] is None else f'{mesh["bytes"]} bytes'
    uses = f', used {mesh["uses"]} times' if mesh['uses'] > 1 else ''
    return f'{mesh["uri"]} ({size}{uses})'
