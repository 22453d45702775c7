# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf tree``: the kinematic tree as text."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from math import inf, isfinite
import sys
from typing import NamedTuple

from hrdf_ros.cli.check import contents
from hrdf_ros.cli.options import add_load_options, load_file
from hrdf_ros.cli.show import printable, show
from hrdf_ros.model import Coordinate, Joint, Model, NONE
from hrdf_ros.topology import span, Topology

_DESCRIPTION = """\
Draw the kinematic tree: each body with its mass, and in brackets the joint that carries it with
its coordinates and limits. Joints that close a loop stand below the tree."""
_EPILOG = """\
examples:
  hrdf tree arm.hrdf
  hrdf tree cell.sdf --model left_arm
  hrdf convert arm.hrdf --to dot | dot -Tsvg > arm.svg      the same as a picture"""
_DEEPEST_INDENT = 40
_UNITS = {'angle': 'rad', 'length': 'm'}


class _Glyphs(NamedTuple):
    """What the branches are drawn with; all that stand in front of a name are three wide."""

    branch: str
    last: str
    line: str
    gap: str
    between: str
    infinity: str


_UNICODE = _Glyphs('├─ ', '└─ ', '│  ', '   ', ' … ', '∞')
_ASCII = _Glyphs('|- ', '`- ', '|  ', '   ', ' .. ', 'inf')


def configure(parser: argparse.ArgumentParser) -> None:
    """Describe the verb and its options."""
    parser.description, parser.epilog = _DESCRIPTION, _EPILOG
    parser.add_argument('file', metavar='FILE', help='a description in any format')
    add_load_options(parser)


def run(options: argparse.Namespace) -> int:
    """Draw the tree and return 1 where the file has errors."""
    loaded = load_file(options.file, options)
    show(loaded.report)
    if loaded.model is None:
        return 1
    for line in draw(loaded.model, _glyphs()):
        print(printable(line))
    return 0


def _glyphs() -> _Glyphs:
    try:
        ''.join(_UNICODE).encode(sys.stdout.encoding or 'ascii')
    except (LookupError, UnicodeEncodeError):
        return _ASCII
    return _UNICODE


def draw(model: Model, glyphs: _Glyphs) -> Iterator[str]:
    """Yield the lines of the drawing."""
    topology = span(model)
    mass = sum(body.inertia.mass for body in model.bodies if body.inertia is not None)
    yield f'{model.name or "(no name)"}: {contents(model)}, {mass:.6g} kg'
    if model.description:
        yield model.description
    prefixes = _prefixes(model, topology, glyphs)
    for body in topology.order:
        yield prefixes[body] + _body(model, topology, body, glyphs)
    for index in topology.loops:
        joint = model.joints[index]
        yield (
            f'loop: {model.bodies[joint.parent].name} - {model.bodies[joint.child].name} '
            f'[{_joint(model, joint, glyphs)}]')


def _prefixes(model: Model, topology: Topology, glyphs: _Glyphs) -> list[str]:
    """Return what stands in front of each body; the indent stops growing at some depth."""
    youngest = {topology.parent[body]: body for body in topology.order}
    prefixes = [''] * len(model.bodies)
    below = [''] * len(model.bodies)
    for body in topology.order:
        parent = topology.parent[body]
        if parent == NONE:
            continue
        last = youngest[parent] == body
        prefixes[body] = below[parent] + (glyphs.last if last else glyphs.branch)
        below[body] = below[parent] + (glyphs.gap if last else glyphs.line)
        below[body] = below[body][:_DEEPEST_INDENT * len(glyphs.gap)]
    return prefixes


def _body(model: Model, topology: Topology, index: int, glyphs: _Glyphs) -> str:
    body = model.bodies[index]
    parts = [body.name]
    if body.inertia is not None:
        parts.append(f'{body.inertia.mass:.6g} kg')
    if topology.joint[index] != NONE:
        carrier = _joint(model, model.joints[topology.joint[index]], glyphs)
        backwards = ', backwards' if topology.reversed[index] else ''
        parts.append(f'[{carrier}{backwards}]')
    return '  '.join(parts)


def _joint(model: Model, joint: Joint, glyphs: _Glyphs) -> str:
    """Return a joint's name and type, and what its coordinates may do."""
    coordinates = [
        _coordinate(model, model.coordinates[index], glyphs)
        for motion in joint.motions for index in motion.coordinates]
    return ', '.join([f'{joint.name}: {joint.type}', *coordinates])


def _coordinate(model: Model, coordinate: Coordinate, glyphs: _Glyphs) -> str:
    if coordinate.mimic is not None:
        leader, multiplier, offset = coordinate.mimic
        shift = f' {offset:+.6g}' if offset else ''
        return f'{coordinate.name} = {multiplier:.6g} {model.coordinates[leader].name}{shift}'
    unit = _UNITS[coordinate.kind]
    if (coordinate.lower, coordinate.upper) == (-inf, inf):
        return f'{coordinate.name} in {unit}'
    lower, upper = (_limit(value, glyphs) for value in (coordinate.lower, coordinate.upper))
    return f'{coordinate.name} in {lower}{glyphs.between}{upper} {unit}'


def _limit(value: float, glyphs: _Glyphs) -> str:
    if isfinite(value):
        return f'{value:.6g}'
    return f'{value}'.replace('inf', glyphs.infinity)
