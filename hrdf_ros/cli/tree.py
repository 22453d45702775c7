# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf tree``: the kinematic tree as text, or drawn by Graphviz."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from math import inf
import sys
from typing import NamedTuple, Optional

from hrdf_ros.cli.loading import has_configuration, POSITIONS, read_model, READING
from hrdf_ros.cli.options import command, FILE, Option
from hrdf_ros.cli.output import columns, say, show, UsageError, width
from hrdf_ros.diagnostics import Report
from hrdf_ros.model import contents, Joint, Model, NONE
from hrdf_ros.topology import span, Topology

_BRANCH, _LAST, _LINE, _GAP = '├─ ', '└─ ', '│  ', '   '
_ASCII = str.maketrans({'├': '|', '└': '`', '│': '|', '─': '-', '…': '..', '∞': 'inf'})
_INDENTED_LEVELS = 40
_NARROWEST = 40
_NO_BREAK = '\xa0'
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
        _print_svg(model)
        return 0
    report, positions = Report(), None
    if has_configuration(options):
        from hrdf_ros.cli.configuration import solve  # numpy, which costs more than all the rest
        state = solve(model, options)
        report, positions = state.report, state.positions
        show(report, options)
    most = columns() if sys.stdout.isatty() else None
    is_unicode = 'utf' in (sys.stdout.encoding or '').lower()
    for line in _Drawing(model, span(model), positions, most).lines():
        say(line if is_unicode else line.translate(_ASCII))
    return 0 if report.ok else 1


def _print_svg(model: Model) -> None:
    """Print the drawing that Graphviz makes."""
    from subprocess import CalledProcessError

    from hrdf_ros.writers.dot import plot
    try:
        for line in plot(model).splitlines():
            say(line)
    except FileNotFoundError:
        raise UsageError(
            '--to svg requires the command dot of Graphviz; on Debian: apt install graphviz'
        ) from None
    except CalledProcessError as error:
        raise UsageError(f'dot failed: {error.stderr.decode(errors="replace")}') from None


def _wrapped(text: str, most: Optional[int], used: int) -> list[str]:
    """Return the lines of a text on the columns of a terminal of which some are used."""
    if most is None or used + width(text) <= most:
        return [text]
    from textwrap import wrap  # which no file needs
    text = text.replace(' ', _NO_BREAK).replace(f',{_NO_BREAK}', ', ')
    lines = wrap(
        text.replace(f'{_NO_BREAK}[', ' ['), max(most - used, _NARROWEST),
        subsequent_indent='  ', break_long_words=False, break_on_hyphens=False)
    return [line.replace(_NO_BREAK, ' ') for line in lines]


class _Drawing(NamedTuple):
    """
    The drawing of a model; ``positions`` of all coordinates are shown if given.

    Lines are wrapped to ``columns``, None for no limit.
    """

    model: Model
    topology: Topology
    positions: Optional[Sequence[float]]
    columns: Optional[int]

    def lines(self) -> Iterator[str]:
        """Yield the lines of the drawing."""
        model = self.model
        mass = sum(body.inertia.mass for body in model.bodies if body.inertia is not None)
        yield f'{model.name or "(no name)"}: {contents(model)}, {mass:.6g} kg'
        if model.description:
            yield model.description
        prefixes, below = self._prefixes()
        parents = set(self.topology.parent)
        for body in self.topology.order:
            start, following = prefixes[body], below[body]
            following += _LINE if body in parents else _GAP
            for line in _wrapped(self._body(body), self.columns, len(start)):
                yield start + line
                start = following
        for index in self.topology.loops:
            joint = model.joints[index]
            yield (
                f'loop: {model.bodies[joint.parent].name} - {model.bodies[joint.child].name} '
                f'[{self._joint(joint)}]')
        for constraint in model.constraints:
            ends = [model.bodies[body].name for body in constraint.bodies]
            yield f'constraint: {" - ".join(ends)} [{constraint.name}: {constraint.kind}]'

    def _prefixes(self) -> tuple[list[str], list[str]]:
        """
        Return the prefix of each body's line, and the start of the prefixes below it.

        The indent stops growing at some depth.
        """
        topology = self.topology
        youngest = {topology.parent[body]: body for body in topology.order}
        prefixes = [''] * len(self.model.bodies)
        below = [''] * len(self.model.bodies)
        for body in topology.order:
            parent = topology.parent[body]
            if parent == NONE:
                continue
            last = youngest[parent] == body
            prefixes[body] = below[parent] + (_LAST if last else _BRANCH)
            below[body] = below[parent] + (_GAP if last else _LINE)
            below[body] = below[body][:_INDENTED_LEVELS * len(_GAP)]
        return prefixes, below

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
