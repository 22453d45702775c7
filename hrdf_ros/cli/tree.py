# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf tree``: the kinematic tree as text, or drawn by Graphviz."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from math import inf
from typing import NamedTuple, Optional

from hrdf_ros.cli.loading import has_configuration, POSITIONS, read_model, READING
from hrdf_ros.cli.options import command, FILE, Option
from hrdf_ros.cli.output import errors_as, say, show, UsageError
from hrdf_ros.diagnostics import Report
from hrdf_ros.model import contents, Joint, Model, NONE
from hrdf_ros.topology import span, Topology

_BRANCH, _LAST, _LINE, _GAP = '├─ ', '└─ ', '│  ', '   '
_INDENTED_LEVELS = 40
_NO_GRAPHVIZ = '--to svg requires the command dot of Graphviz; on Debian: apt install graphviz'
_UNITS = {'angle': 'rad', 'length': 'm'}


@command(
    FILE,
    Option(
        '--to', 'as text (default), or drawn by Graphviz, which has to be installed',
        default='text', choices=('text', 'svg')),
    POSITIONS, READING)
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
    model, _ = read_model(options)
    if options.to == 'svg':
        from hrdf_ros.writers.dot import plot
        with errors_as(UsageError, FileNotFoundError, _NO_GRAPHVIZ):
            drawn = plot(model).splitlines()
        for line in drawn:
            say(line)
        return 0
    report, positions = Report(), None
    if has_configuration(options):
        from hrdf_ros.cli.configuration import solve  # numpy, which costs more than all the rest
        state = solve(model, options)
        report, positions = state.report, state.positions
        show(report, options)
    for line in _Drawing(model, span(model), positions).lines():
        say(line)
    return 0 if report.ok else 1


class _Drawing(NamedTuple):
    """The drawing of a model; ``positions`` of all coordinates are shown if given."""

    model: Model
    topology: Topology
    positions: Optional[Sequence[float]]

    def lines(self) -> Iterator[str]:
        """Yield the lines of the drawing."""
        model = self.model
        mass = sum(body.inertia.mass for body in model.bodies if body.inertia is not None)
        yield f'{model.name or "(no name)"}: {contents(model)}, {mass:.6g} kg'
        if model.description:
            yield model.description
        for body, prefix in zip(self.topology.order, self._prefixes()):
            yield prefix + self._body(body)
        for index in self.topology.loops:
            joint = model.joints[index]
            yield (
                f'loop: {model.bodies[joint.parent].name} - {model.bodies[joint.child].name} '
                f'[{self._joint(joint)}]')
        for constraint in model.constraints:
            ends = [model.bodies[body].name for body in constraint.bodies]
            yield f'constraint: {" - ".join(ends)} [{constraint.name}: {constraint.kind}]'

    def _prefixes(self) -> Iterator[str]:
        """Yield the prefix of each body's line; the indent stops growing at some depth."""
        topology = self.topology
        youngest = {topology.parent[body]: body for body in topology.order}
        below = {NONE: ''}
        for body in topology.order:
            parent = topology.parent[body]
            start, is_last = below[parent], youngest[parent] == body
            below[body] = '' if parent == NONE else (
                start + (_GAP if is_last else _LINE))[:_INDENTED_LEVELS * len(_GAP)]
            yield '' if parent == NONE else start + (_LAST if is_last else _BRANCH)

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
        unit = _UNITS[coordinate.kind]
        name = coordinate.name
        position = ''
        if self.positions is not None:
            position = f' = {self.positions[index] + 0.0:.6g} {unit}'
        if coordinate.mimic is not None:
            leader, multiplier, offset = coordinate.mimic
            shift = f' {offset:+.6g}' if offset else ''
            rule = f'{multiplier:.6g} {self.model.coordinates[leader].name}{shift}'
            return f'{name} = {rule}{position}'
        if (coordinate.lower, coordinate.upper) == (-inf, inf):
            return name + (position or f' in {unit}')
        limits = f'{coordinate.lower:.6g} … {coordinate.upper:.6g}'.replace('inf', '∞')
        return f'{name}{position} in {limits} {unit}'
