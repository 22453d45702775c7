# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf info``: the contents and requirements of a description."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from os.path import getsize, isfile
import re
from typing import Any, Optional, TYPE_CHECKING, Union

from hrdf_ros.cli.loading import POSITIONS, read_model, READING
from hrdf_ros.cli.options import command, FILE, Option
from hrdf_ros.cli.output import print_table, say, show
from hrdf_ros.cli.report_formats import number, numbers, render
from hrdf_ros.inertia import combine, Inertia, tensor_in_body
from hrdf_ros.model import Body, Joint, Mesh, Model
from hrdf_ros.pose import compose, Pose

if TYPE_CHECKING:
    from hrdf_ros.cli.configuration import State

_PLUGIN = re.compile(
    r'<plugin\b[^<>]*?\s(?:filename|name)\s*=\s*["\']([^"\']+)["\']'
    r'|<plugin>\s*([^<\s]+)\s*</plugin>')
_PACKAGE = re.compile(r'package://([^/\s"\'<>]+)')
_TENSOR = ('ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz')
_LISTED = 12
"""Lines of a list on a terminal; the rest is counted."""


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

    Center of mass and inertia are those in the root of the file, of a link those in
    its own frame, the inertia about the center of mass: meters, kilograms, kg m^2.
    """
    model, _ = read_model(options)
    from hrdf_ros.cli.configuration import solve  # numpy, which costs more than all the rest
    state = solve(model, options)
    show(state.report, options)
    inertia = _total(model, state.poses)
    facts = _facts(model, inertia, state)
    links = _links(model) if options.inertia else []
    if options.json:
        print(render({**facts, 'links': links} if options.inertia else facts))
    else:
        _print(facts, inertia, len(state.dependent))
    if links and not options.json:
        print()
        print_table([('link', 'mass', 'x', 'y', 'z', *_TENSOR), *(
            (one['name'], *map(_number, (one['mass'], *one['center_of_mass'], *one['inertia'])))
            for one in links)])
    return 0 if state.report.ok else 1


def _total(model: Model, poses: Sequence[Pose]) -> Inertia:
    """Return the inertia of all bodies at the poses of the frames, in the axes of the root."""
    pose_of = {
        model.frames[index].body: poses[index] for index in range(len(model.frames))
        if model.frames[index].name == model.bodies[model.frames[index].body].name}
    parts = [
        body.inertia._replace(pose=compose(pose_of[index], body.inertia.pose))
        for index, body in enumerate(model.bodies)
        if body.inertia is not None and body.inertia.mass > 0.0 and index in pose_of]
    return combine(parts) if parts else Inertia(0.0)


def _links(model: Model) -> list[Any]:
    """Return the inertia of each link, in its own frame and about its center of mass."""
    return [
        {'name': body.name, 'mass': number(inertia.mass),
         'center_of_mass': numbers(inertia.pose.position),
         'inertia': numbers(tensor_in_body(inertia))}
        for body in model.bodies for inertia in (body.inertia or Inertia(0.0),)]


def _facts(model: Model, inertia: Inertia, state: State) -> dict[str, Any]:
    """Return the summary as its JSON."""
    uses: dict[tuple[str, Optional[str]], int] = {}
    for body in model.bodies:
        for shape in (*body.visuals, *body.collisions):
            if isinstance(shape.geometry, Mesh):
                key = shape.geometry.uri, shape.geometry.file
                uses[key] = uses.get(key, 0) + 1
    owners: list[Union[Model, Body, Joint]] = [model, *model.bodies, *model.joints]
    texts = [found.text for owner in owners for found in owner.extensions]
    packages = {name for text in (*texts, *(uri for uri, _ in uses))
                for name in _PACKAGE.findall(text)}
    plugins = {name for text in texts for names in _PLUGIN.findall(text) for name in names}
    return {
        'name': model.name, 'format': model.format, 'version': model.version,
        'description': model.description or None, 'root': state.root,
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


def _print(facts: Mapping[str, Any], inertia: Inertia, dependent: int) -> None:
    """Print the summary: a line for each fact, and lists beside their titles."""
    note = f' (and {dependent} dependent coordinates)' if dependent else ''
    shown = {
        'name': facts['name'] or '(none)',
        'format': f'{facts["format"]} {facts["version"]}'.rstrip(),
        'description': facts['description'],
        'degrees of freedom': f'{facts["degrees_of_freedom"]}{note}', 'links': facts['bodies'],
        'joints': facts['joints'], 'frames': facts['frames'], 'mass': f'{inertia.mass:.6g} kg'}
    if inertia.mass:
        center = ' '.join(map(_number, inertia.pose.position))
        shown['center of mass'] = f"{center} m in '{facts['root']}'"
        shown.update(zip(_TENSOR, (f'{_number(value)} kg m^2' for value in inertia.tensor)))
    shown['configurations'] = [each['name'] for each in facts['configurations']]
    shown['files'], shown['meshes'] = facts['files'], list(map(_mesh_text, facts['meshes']))
    shown['packages'], shown['plugins'] = facts['packages'], facts['plugins']
    for title, fact in shown.items():
        items = fact if isinstance(fact, list) else [] if fact is None else [fact]
        if len(items) > _LISTED:
            items = [*items[:_LISTED - 1], f'and {len(items) - _LISTED + 1} more']
        for count, item in enumerate(items):
            say(f'{"" if count else title:19} {item}')


def _number(value: Optional[float]) -> str:
    """Return a number, with rounding errors of a zero removed."""
    return '-' if value is None else f'{round(value, 12) + 0.0:.6g}'


def _mesh_text(mesh: Mapping[str, Any]) -> str:
    missing = 'on the network' if mesh['uri'].startswith(('http://', 'https://')) else 'not found'
    size = missing if mesh['bytes'] is None else f'{mesh["bytes"]} bytes'
    uses = f', used {mesh["uses"]} times' if mesh['uses'] > 1 else ''
    return f'{mesh["uri"]} ({size}{uses})'
