# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf tree``: the kinematic tree as text, or drawn by Graphviz."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from math import inf, isfinite
import sys
from typing import NamedTuple, Optional

from hrdf_ros.cli.options import (
    add_file_argument,
    add_load_options,
    add_position_options,
    has_configuration,
    load_shown,
)
from hrdf_ros.cli.output import columns, width
from hrdf_ros.cli.show import show
from hrdf_ros.cli.usage import UsageError
from hrdf_ros.diagnostics import printable, Report
from hrdf_ros.model import contents, Joint, Model, NONE
from hrdf_ros.topology import span, Topology

_DESCRIPTION = """\
Draw the kinematic tree: each link with its mass, and in brackets its joint with
the coordinates and limits. Joints that close a loop are listed below the tree.
With positions, each coordinate is shown with its position."""
_EPILOG = """\
examples:
  hrdf tree arm.hrdf
  hrdf tree cell.sdf --model-name left_arm
  hrdf tree four_bar.sdf --position drive=0.5           where are the others
  hrdf tree arm.hrdf --to svg > arm.svg                 drawn by Graphviz"""
_INDENTED_LEVELS = 40
_NARROWEST = 40
_NO_BREAK = '\xa0'
_UNITS = {'angle': 'rad', 'length': 'm'}


class _Glyphs(NamedTuple):
    """The characters of branches; the ones in front of a name are three columns wide."""

    branch: str
    last: str
    line: str
    gap: str
    between: str
    infinity: str


_UNICODE = _Glyphs(branch='├─ ', last='└─ ', line='│  ', gap='   ', between=' … ', infinity='∞')
_ASCII = _Glyphs(branch='|- ', last='`- ', line='|  ', gap='   ', between=' .. ', infinity='inf')


def configure(parser: argparse.ArgumentParser) -> None:
    """Describe the command and its options."""
    parser.description, parser.epilog = _DESCRIPTION, _EPILOG
    add_file_argument(parser)
    parser.add_argument(
        '--to', choices=('text', 'svg'), default='text',
        help='as text (default), or drawn by Graphviz, which has to be installed')
    add_position_options(parser)
    add_load_options(parser)


def run(options: argparse.Namespace) -> int:
    """Draw the tree and return 1 where the file has errors or the loops do not close."""
    model = load_shown(options).model
    if model is None:
        return 1
    if options.to == 'svg':
        return _print_svg(model)
    report, positions = Report(), None
    if has_configuration(options):
        from hrdf_ros.cli.configuration import solve  # numpy, which costs more than all the rest
        state = solve(model, options.position, options.positions, None)
        report, positions = state.report, state.positions
        show(report, options)
    most = columns() if sys.stdout.isatty() else None
    for line in _Drawing(model, span(model), _glyphs(), positions, most).lines():
        print(printable(line))
    return 0 if report.ok else 1


def _print_svg(model: Model) -> int:
    """Print the drawing that Graphviz makes; return 1 where it is missing or fails."""
    from subprocess import CalledProcessError

    from hrdf_ros.writers.dot import plot
    try:
        print(plot(model), end='')
    except FileNotFoundError:
        raise UsageError(
            '--to svg requires the command dot of Graphviz; on Debian: apt install graphviz'
        ) from None
    except CalledProcessError as error:
        raise UsageError(f'dot failed: {error.stderr.decode(errors="replace")}') from None
    return 0


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


def _glyphs() -> _Glyphs:
    try:
        ''.join(_UNICODE).encode(sys.stdout.encoding or 'ascii')
    except (LookupError, UnicodeEncodeError):
        return _ASCII
    return _UNICODE


class _Drawing(NamedTuple):
    """
    The drawing of a model; ``positions`` of all coordinates are shown if given.

    Lines are wrapped to ``columns``, None for no limit.
    """

    model: Model
    topology: Topology
    glyphs: _Glyphs
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
            following += self.glyphs.line if body in parents else self.glyphs.gap
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
        glyphs, topology = self.glyphs, self.topology
        youngest = {topology.parent[body]: body for body in topology.order}
        prefixes = [''] * len(self.model.bodies)
        below = [''] * len(self.model.bodies)
        for body in topology.order:
            parent = topology.parent[body]
            if parent == NONE:
                continue
            last = youngest[parent] == body
            prefixes[body] = below[parent] + (glyphs.last if last else glyphs.branch)
            below[body] = below[parent] + (glyphs.gap if last else glyphs.line)
            below[body] = below[body][:_INDENTED_LEVELS * len(glyphs.gap)]
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
        lower, upper = (self._limit(value) for value in (coordinate.lower, coordinate.upper))
        return f'{name}{position} in {lower}{self.glyphs.between}{upper} {unit}'

    def _limit(self, value: float) -> str:
        if isfinite(value):
            return f'{value:.6g}'
        return f'{value}'.replace('inf', self.glyphs.infinity)
