# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf info``: the contents and requirements of a description."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
import re
from typing import NamedTuple, Optional

from hrdf_ros.cli.options import (
    add_file_argument,
    add_load_options,
    add_position_options,
    load_shown,
)
from hrdf_ros.cli.output import table
from hrdf_ros.cli.report_formats import Json, number, numbers, render
from hrdf_ros.cli.show import show
from hrdf_ros.diagnostics import printable
from hrdf_ros.inertia import combine, Inertia, tensor_in_body
from hrdf_ros.model import Mesh, Model, RawElement
from hrdf_ros.pose import compose, Pose

_DESCRIPTION = """\
Summarize a description: format, links, degrees of freedom, mass, center of mass
and inertia at the given configuration, files, meshes, and what it requires to
run: packages and plugins."""
_EPILOG = """\
examples:
  hrdf info arm.urdf
  hrdf info arm.hrdf --positions 0,1.57,0,0    center of mass and inertia there
  hrdf info arm.sdf --inertia                  of every link, too
  hrdf info arm.hrdf --json                    see hrdf schema info

Center of mass and inertia are those in the root of the file, of a link those in
its own frame, the inertia about the center of mass: meters, kilograms, kg m^2."""
_PLUGIN = re.compile(r'<plugin\b[^<>]*?\s(?:filename|name)\s*=\s*["\']([^"\']+)["\']')
_PLUGIN_TEXT = re.compile(r'<plugin>\s*([^<\s]+)\s*</plugin>')
_TENSOR = ('ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz')
_LISTED = 12
"""Lines of a list on a terminal; the rest is counted."""


class _MeshFile(NamedTuple):
    """A mesh: its URI, file and size in bytes where it is found, and how often it is used."""

    uri: str
    file: Optional[str]
    size: Optional[int]
    uses: int


def configure(parser: argparse.ArgumentParser) -> None:
    """Describe the command and its options."""
    parser.description, parser.epilog = _DESCRIPTION, _EPILOG
    add_file_argument(parser)
    parser.add_argument(
        '--inertia', action='store_true',
        help='the mass, center of mass and inertia of every link, too')
    parser.add_argument('--json', action='store_true', help='write the summary as JSON')
    add_position_options(parser)
    add_load_options(parser)


def run(options: argparse.Namespace) -> int:
    """Show the summary and return 1 where the file has errors or the loops do not close."""
    model = load_shown(options).model
    if model is None:
        return 1
    from hrdf_ros.cli.configuration import solve  # numpy, which costs more than all the rest
    state = solve(model, options.position, options.positions, None)
    show(state.report, options)
    inertia = _total(model, state.poses)
    if options.json:
        links = {'links': _links(model)} if options.inertia else {}
        print(render({**_json(model, inertia, state.root, state.dependent), **links}))
    else:
        for line in _lines(model, inertia, state.root, state.dependent):
            print(printable(line))
        if options.inertia:
            print('', *_link_table(model), sep='\n')
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


def _links(model: Model) -> list[Json]:
    """Return the inertia of each link, in its own frame and about its center of mass."""
    return [
        {'name': body.name, 'mass': number(inertia.mass),
         'center_of_mass': numbers(inertia.pose.position),
         'inertia': numbers(tensor_in_body(inertia))}
        for body in model.bodies for inertia in (body.inertia or Inertia(0.0),)]


def _link_table(model: Model) -> Iterator[str]:
    """Yield the lines of a table of the links."""
    rows: list[tuple[str, ...]] = [('link', 'mass', 'x', 'y', 'z', *_TENSOR)]
    for body in model.bodies:
        inertia = body.inertia or Inertia(0.0)
        values = (inertia.mass, *inertia.pose.position, *tensor_in_body(inertia))
        rows.append((body.name, *map(_number, values)))
    yield from table(rows)


def _meshes(model: Model) -> list[_MeshFile]:
    from os.path import getsize, isfile
    uses: dict[tuple[str, Optional[str]], int] = {}
    for body in model.bodies:
        for shape in (*body.visuals, *body.collisions):
            if isinstance(shape.geometry, Mesh):
                key = shape.geometry.uri, shape.geometry.file
                uses[key] = uses.get(key, 0) + 1
    return [
        _MeshFile(uri, file, getsize(file) if file and isfile(file) else None, count)
        for (uri, file), count in uses.items()]


def _packages(model: Model, meshes: Sequence[_MeshFile]) -> list[str]:
    """Return the ROS packages that URIs name."""
    texts = [mesh.uri for mesh in meshes] + [found.text for found in _extensions(model)]
    return sorted({
        name for text in texts for name in re.findall(r'package://([^/\s"\'<>]+)', text)})


def _plugins(model: Model) -> list[str]:
    """Return the plugins and hardware interfaces that simulators and ros2_control load."""
    return sorted({
        name for found in _extensions(model) for pattern in (_PLUGIN, _PLUGIN_TEXT)
        for name in pattern.findall(found.text)})


def _extensions(model: Model) -> Iterator[RawElement]:
    yield from model.extensions
    for body in model.bodies:
        yield from body.extensions
    for joint in model.joints:
        yield from joint.extensions


def _json(
    model: Model, inertia: Inertia, root: str, dependent: frozenset[int],
) -> dict[str, Json]:
    meshes = _meshes(model)
    return {
        'name': model.name, 'format': model.format, 'version': model.version,
        'description': model.description or None, 'root': root,
        'bodies': len(model.bodies), 'joints': len(model.joints),
        'coordinates': len(model.coordinates),
        'degrees_of_freedom': len(model.coordinates) - len(dependent),
        'frames': len(model.frames), 'mass': number(inertia.mass),
        'center_of_mass': numbers(inertia.pose.position) if inertia.mass else None,
        'inertia': numbers(inertia.tensor) if inertia.mass else None,
        'files': list(model.files),
        'meshes': [
            {'uri': mesh.uri, 'file': mesh.file, 'bytes': mesh.size, 'uses': mesh.uses}
            for mesh in meshes],
        'configurations': [
            {'name': each.name, 'positions': {
                model.coordinates[index].name: number(value) for index, value in each.positions}}
            for each in model.configurations],
        'packages': list(_packages(model, meshes)), 'plugins': list(_plugins(model)),
    }


def _lines(
    model: Model, inertia: Inertia, root: str, dependent: frozenset[int],
) -> Iterator[str]:
    note = f' (and {len(dependent)} dependent coordinates)' if dependent else ''
    facts = {
        'name': model.name or '(none)', 'format': f'{model.format} {model.version}'.rstrip(),
        'description': model.description,
        'degrees of freedom': f'{len(model.coordinates) - len(dependent)}{note}',
        'links': len(model.bodies), 'joints': len(model.joints), 'frames': len(model.frames),
        'mass': f'{inertia.mass:.6g} kg'}
    if inertia.mass:
        center = ' '.join(map(_number, inertia.pose.position))
        facts['center of mass'] = f"{center} m in '{root}'"
        facts.update(zip(_TENSOR, (f'{_number(value)} kg m^2' for value in inertia.tensor)))
    yield from (f'{title:19} {fact}' for title, fact in facts.items() if fact != '')
    meshes = _meshes(model)
    yield from _list('configurations', [each.name for each in model.configurations])
    yield from _list('files', model.files)
    yield from _list('meshes', [_mesh_text(mesh) for mesh in meshes])
    yield from _list('packages', _packages(model, meshes))
    yield from _list('plugins', _plugins(model))


def _number(value: float) -> str:
    """Return a number, with rounding errors of a zero removed."""
    return f'{round(value, 12) + 0.0:.6g}'


def _mesh_text(mesh: _MeshFile) -> str:
    missing = 'on the network' if mesh.uri.startswith(('http://', 'https://')) else 'not found'
    size = missing if mesh.size is None else f'{mesh.size} bytes'
    return f'{mesh.uri} ({size}' + (f', used {mesh.uses} times)' if mesh.uses > 1 else ')')


def _list(title: str, items: Sequence[str]) -> Iterator[str]:
    """Yield a list beside its title; of a long one the start, and 'and N more'."""
    shown = items if len(items) <= _LISTED else items[:_LISTED - 1]
    for count, item in enumerate(shown):
        yield f'{"" if count else title:19} {item}'
    if len(shown) < len(items):
        yield f'{"":19} and {len(items) - len(shown)} more'
