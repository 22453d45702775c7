# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""List the frames, summarize the robot, and draw the tree: ``hrdf frames``, ``info``, ``tree``."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import degrees, inf
from os.path import getsize, isfile
import re
import sys
from typing import Any, NamedTuple, Optional, TYPE_CHECKING, Union

from hrdf_ros.cli import output
from hrdf_ros.cli.loading import complete_frames, read_model, READING, reading_of
from hrdf_ros.cli.options import command, FILE, Option
from hrdf_ros.cli.positions import DEGREES, POSITIONS, positions_of
from hrdf_ros.cli.report_formats import Json, number, numbers, render
from hrdf_ros.diagnostics import and_more, Report
from hrdf_ros.fuel import is_remote
from hrdf_ros.inertia import combine, Inertia, tensor_in_body
from hrdf_ros.model import Body, Constraint, contents, Joint, Mesh, Model, NONE
from hrdf_ros.pose import AXES, compose, Pose, to_rpy
from hrdf_ros.topology import find_frame, frame_parents, span, Topology

if TYPE_CHECKING:
    from hrdf_ros.cli.configuration import State

_PLUGIN = re.compile(
    r'<plugin\b[^<>]*?\s(?:filename|name)\s*=\s*["\']([^"\']+)["\']'
    r'|<plugin>\s*([^<\s]+)\s*</plugin>')
_PACKAGE = re.compile(r'package://([^/\s"\'<>]+)')
_TENSOR = ('ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz')
_LISTED = 12
"""The most lines of a list on a terminal; the rest are counted."""
_BRANCH, _LAST, _LINE, _GAP = '├─ ', '└─ ', '│  ', '   '
_ASCII = str.maketrans({'├': '|', '└': '`', '│': '|', '─': '-', '…': '..', '∞': 'inf'})
_INDENTED_LEVELS = 40
_NO_GRAPHVIZ = '--to svg requires the command dot of Graphviz; on Debian: apt install graphviz'
_UNITS = {'angle': 'rad', 'length': 'm'}


@command(
    FILE,
    Option('[NAME...]', 'frames by name or tag', default=[], complete=complete_frames),
    Option(
        '--relative-to FRAME', 'give poses relative to this frame', complete=complete_frames),
    Option('--json', 'write everything about the model as JSON'), DEGREES, POSITIONS, READING)
def hrdf_frames(options: argparse.Namespace) -> int:
    """
    Show every frame, or those named or tagged, with its pose.

    Kinematic loops are solved for the coordinates that are not given.

    for example:
      hrdf frames arm.hrdf                                initial configuration
      hrdf frames arm.hrdf tool --positions 0,1.57,0,0    where is the tool
      hrdf frames cell.sdf gripper --relative-to camera   as the camera sees it
      hrdf frames arm.hrdf --json                         see hrdf schema frames

    Poses are relative to the root of the file unless --relative-to says otherwise:
    meters, radians, roll-pitch-yaw about fixed axes. A tag means an end effector's
    or joint's output, else the body.
    """
    reading, positions = reading_of(options), positions_of(options)
    if options.json and options.degrees:
        raise output.UsageError('--degrees has no effect on JSON, which has radians')
    model, _ = read_model(reading)
    name = options.relative_to  # else poses are relative to the root of poses
    is_root = name is None or name == model.root and find_frame(model, name) is None
    origin = None if is_root else _index(model, name)
    chosen = [_index(model, name) for name in options.names] or range(len(model.frames))
    from hrdf_ros.cli.configuration import solve  # imports numpy, which is slow
    state = solve(model, positions, origin)
    output.show(state.report, reading.display)
    if options.json:
        print(render(_described(model, state, chosen)))
        return 0 if state.report.ok else 1
    place = f'in {state.root}{state.at}'
    unit, per_radian = (' deg', degrees(1.0)) if options.degrees else ('', 1.0)
    rows = [(place, 'kind', 'x', 'y', 'z', *(
        f'{angle}{unit}' for angle in ('roll', 'pitch', 'yaw')))]
    for index in chosen:
        frame, pose = model.frames[index], state.poses[index]
        rows.append((
            frame.name + (f' ({frame.tag})' if frame.tag not in ('', frame.name) else ''),
            frame.kind,
            *(f'{round(value, 6) + 0.0:.6f}' for value in (
                *pose.position, *(angle * per_radian for angle in to_rpy(pose))))))
    output.print_table(rows, left=2)
    return 0 if state.report.ok else 1


def _index(model: Model, name: str) -> int:
    """Return the frame that a tag or name means."""
    index = find_frame(model, name)
    if index is None:
        sought = sorted(  # what people look for comes first: tools, then what has a tag
            model.frames, key=lambda frame: (frame.kind != 'end_effector', not frame.tag))
        names = (frame.name for frame in sought)
        raise output.UsageError(output.unknown('frame', name, dict.fromkeys((*names, model.root))))
    return index


def _described(model: Model, state: State, chosen: Sequence[int]) -> dict[str, Json]:
    """Return the model in a state as JSON, with the chosen frames."""
    names = {frame.name for frame in model.frames}
    parents = [name if name in names else None for name in frame_parents(model, span(model))]
    coordinates: list[Json] = [
        {'name': one.name, 'kind': one.kind, 'position': number(position),
         'lower': number(one.lower), 'upper': number(one.upper),
         'velocity': number(one.velocity), 'effort': number(one.effort)}
        for one, position in zip(model.coordinates, state.positions)]
    return {
        'model': model.name, 'format': model.format, 'version': model.version,
        'root': state.root, 'configuration': state.name,
        'coordinates': [
            one for index, one in enumerate(coordinates) if index not in state.dependent],
        'dependent': [
            one for index, one in enumerate(coordinates) if index in state.dependent],
        'frames': [
            {'name': frame.name, 'source_name': frame.source_name, 'kind': frame.kind,
             'tag': frame.tag or None, 'body': model.bodies[frame.body].name,
             'parent': parents[index], 'position': numbers(state.poses[index].position),
             'orientation': numbers(state.poses[index].orientation)}
            for index in chosen for frame in (model.frames[index],)],
        'joints': [
            *(_joint(model, joint) for joint in model.joints),
            *(_constraint(model, one) for one in model.constraints
              if len(one.bodies) > 1)],
        'bodies': [
            {'name': body.name, 'source_name': body.source_name, 'mass': number(inertia.mass),
             'com': numbers(inertia.pose.position), 'inertia': numbers(tensor_in_body(inertia)),
             'tag': body.tag or None}
            for body in model.bodies for inertia in (body.inertia or Inertia(0.0),)],
    }


def _joint(model: Model, joint: Joint) -> Json:
    return {
        'name': joint.name, 'source_name': joint.source_name, 'type': joint.type,
        'parent': model.bodies[joint.parent].name, 'child': model.bodies[joint.child].name,
        'coordinates': [
            model.coordinates[index].name for motion in joint.motions
            for index in motion.coordinates],
        'axes': [  # a rotation vector has x, y and z
            numbers(axis) for motion in joint.motions
            for axis in (AXES if motion.kind == 'rotation_vector' else (motion.axis,))],
    }


def _constraint(model: Model, constraint: Constraint) -> Json:
    """Return a joint of the format that only couples coordinates of other joints (a gearbox)."""
    values = dict(constraint.values)
    axes = [[f'{tag}_{letter}' for letter in 'xyz'] for tag in ('axis', 'axis2')]
    return {
        'name': constraint.name, 'source_name': constraint.source_name, 'type': constraint.kind,
        'parent': model.bodies[constraint.bodies[0]].name,
        'child': model.bodies[constraint.bodies[1]].name,
        'coordinates': [],
        'axes': [
            numbers(values[name] for name in axis) for axis in axes if axis[0] in values],
    }


# ---- hrdf info

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
    """Return the summary as its JSON."""
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
    """Print the summary: a line for each fact, and lists beside their titles."""
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
    """Return a number, with the rounding error of a zero removed."""
    return '-' if value is None else f'{round(value, 12) + 0.0:.6g}'


def _mesh_text(mesh: Mapping[str, Any]) -> str:
    missing = 'on the network' if is_remote(mesh['uri']) else 'not found'
    size = missing if mesh['bytes'] is None else f'{mesh["bytes"]} bytes'
    uses = f', used {mesh["uses"]} times' if mesh['uses'] > 1 else ''
    return f'{mesh["uri"]} ({size}{uses})'


# ---- hrdf tree

@command(
    FILE,
    Option(
        '--to', 'as text (default), or drawn by Graphviz, which has to be installed',
        default='text', choices=('text', 'svg')),
    DEGREES, POSITIONS, READING)
def hrdf_tree(options: argparse.Namespace) -> int:
    """
    Draw the kinematic tree: each link with its mass, and in brackets its joint.

    Joints are shown with their coordinates and limits, and with positions where
    some are given. Joints that close a loop are listed below the tree.

    for example:
      hrdf tree arm.hrdf
      hrdf tree cell.sdf --model-name left_arm
      hrdf tree four_bar.sdf --position drive=0.5           where are the others
      hrdf tree arm.hrdf --to svg > arm.svg                 drawn by Graphviz
    """
    reading, positions = reading_of(options), positions_of(options)
    model, _ = read_model(reading)
    if options.to == 'svg':
        from hrdf_ros.writers.dot import plot
        with output.errors_as(output.UsageError, FileNotFoundError, _NO_GRAPHVIZ):
            drawn = plot(model).splitlines()
        for line in drawn:
            output.say(line)
        return 0
    report, shown = Report(), None
    if positions.are_given:
        from hrdf_ros.cli.configuration import solve  # imports numpy, which is slow
        state = solve(model, positions)
        report, shown = state.report, state.positions
        output.show(report, reading.display)
    is_unicode = 'utf' in (sys.stdout.encoding or '').lower()
    for line, indent in _Drawing(model, span(model), shown, options.degrees).lines():
        for part in output.wrapped(line, indent):
            output.say(part if is_unicode else part.translate(_ASCII))
    return 0 if report.ok else 1


class _Drawing(NamedTuple):
    """The drawing of a model; ``positions`` of all coordinates are shown if given."""

    model: Model
    topology: Topology
    positions: Optional[Sequence[float]]
    in_degrees: bool

    def lines(self) -> Iterator[tuple[str, str]]:
        """Yield the lines of the drawing, and the indent of wrapped parts."""
        model = self.model
        mass = sum(body.inertia.mass for body in model.bodies if body.inertia is not None)
        yield f'{model.name or "(no name)"}: {contents(model)}, {mass:.6g} kg', ''
        if model.description:
            yield model.description, ''
        for body, (prefix, indent) in zip(self.topology.order, self._prefixes()):
            yield prefix + self._body(body), f'{indent}  '
        for index in self.topology.loops:
            joint = model.joints[index]
            yield (
                f'loop: {model.bodies[joint.parent].name} - {model.bodies[joint.child].name} '
                f'[{self._joint(joint)}]', '  ')
        for constraint in model.constraints:
            ends = [model.bodies[body].name for body in constraint.bodies]
            yield f'constraint: {" - ".join(ends)} [{constraint.name}: {constraint.kind}]', '  '

    def _prefixes(self) -> Iterator[tuple[str, str]]:
        """Yield the prefix of each body and of its wrapped lines, indented up to some depth."""
        topology = self.topology
        youngest = {topology.parent[body]: body for body in topology.order}
        below = {NONE: ''}
        for body in topology.order:
            parent = topology.parent[body]
            start, is_last = below[parent], youngest[parent] == body
            below[body] = '' if parent == NONE else (
                start + (_GAP if is_last else _LINE))[:_INDENTED_LEVELS * len(_GAP)]
            yield ('' if parent == NONE else start + (_LAST if is_last else _BRANCH),
                   below[body] + (_LINE if body in youngest else _GAP))

    def _body(self, index: int) -> str:
        body = self.model.bodies[index]
        parts = [body.name]
        if body.inertia is not None:
            parts.append(f'{body.inertia.mass:.6g} kg')
        if self.topology.joint[index] != NONE:
            carrier = self._joint(self.model.joints[self.topology.joint[index]])
            is_reversed = ', reversed' if self.topology.reversed[index] else ''
            parts.append(f'[{carrier}{is_reversed}]')
        return '  '.join(parts)

    def _joint(self, joint: Joint) -> str:
        """Return a joint's name and type, and its coordinates with their limits."""
        coordinates = [
            self._coordinate(index) for motion in joint.motions for index in motion.coordinates]
        return ', '.join([f'{joint.name}: {joint.type}', *coordinates])

    def _coordinate(self, index: int) -> str:
        coordinate = self.model.coordinates[index]
        name, (unit, scale) = coordinate.name, self._unit(index)
        position = ''
        if self.positions is not None:
            position = f' = {self.positions[index] * scale + 0.0:.6g} {unit}'
        if coordinate.mimic is not None:
            leader, multiplier, offset = coordinate.mimic
            multiplier *= scale / self._unit(leader)[1]
            shift = f' {offset * scale:+.6g}' if offset else ''
            rule = f'{multiplier:.6g} {self.model.coordinates[leader].name}{shift}'
            return f'{name} = {rule}{position}'
        if (coordinate.lower, coordinate.upper) == (-inf, inf):
            return name + (position or f' in {unit}')
        lower, upper = coordinate.lower * scale, coordinate.upper * scale
        limits = f'{lower:.6g} … {upper:.6g}'.replace('inf', '∞')
        return f'{name}{position} in {limits} {unit}'

    def _unit(self, index: int) -> tuple[str, float]:
        """Return the unit that shows a coordinate, and how many rad or m it is."""
        kind = self.model.coordinates[index].kind
        return ('deg', degrees(1.0)) if kind == 'angle' and self.in_degrees else (
            _UNITS[kind], 1.0)
