# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf tree``: the kinematic tree, drawn as text or by Graphviz."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from math import degrees, inf
import sys
from typing import NamedTuple, Optional

from hrdf_ros.cli import output
from hrdf_ros.cli.loading import read_model, READING, reading_of
from hrdf_ros.cli.options import command, FILE, Option
from hrdf_ros.cli.positions import DEGREES, POSITIONS, positions_of
from hrdf_ros.diagnostics import Report
from hrdf_ros.model import contents, Joint, Model, NONE
from hrdf_ros.topology import span, Topology

_BRANCH, _LAST, _LINE, _GAP = '├─ ', '└─ ', '│  ', '   '
_ASCII = str.maketrans({'├': '|', '└': '`', '│': '|', '─': '-', '…': '..', '∞': 'inf'})
"""The ASCII replacements for the characters that a terminal's encoding may lack."""
_INDENTED_LEVELS = 40
"""The maximum number of levels by which a line is indented; deeper links stay there."""
_NO_GRAPHVIZ = '--to svg requires the command dot of Graphviz; on Debian: apt install graphviz'
_UNITS = {'angle': 'rad', 'length': 'm'}


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
        from hrdf_ros.cli.configuration import solve  # here, since it imports numpy, which is slow
        state = solve(model, positions)
        report, shown = state.report, state.positions
        output.show(report, reading.display)
    is_unicode = 'utf' in (sys.stdout.encoding or '').lower()
    for line, indent in _Drawing(model, span(model), shown, options.degrees).lines():
        for part in output.wrapped(line, indent):
            output.say(part if is_unicode else part.translate(_ASCII))
    return 0 if report.ok else 1


class _Drawing(NamedTuple):
    """The drawing of a model; the ``positions`` of all coordinates are shown if given."""

    model: Model
    topology: Topology
    positions: Optional[Sequence[float]]
    in_degrees: bool

    def lines(self) -> Iterator[tuple[str, str]]:
        """Yield the lines of the drawing, each with the indentation of its wrapped parts."""
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
        """Yield the prefix of each body and that of its wrapped lines, up to a depth of 40."""
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
        coordinates = map(self._coordinate, joint.coordinates)
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
        """Return the unit in which a coordinate is shown, and how many of it make one rad or m."""
        kind = self.model.coordinates[index].kind
        return ('deg', degrees(1.0)) if kind == 'angle' and self.in_degrees else (
            _UNITS[kind], 1.0)
