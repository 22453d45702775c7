# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Model -> Graphviz: bodies as boxes, joints as arrows from parent to child.

A joint that closes a loop is dashed, a constraint between joints or bodies dotted.
"""

from __future__ import annotations

from collections.abc import Iterator
import math

from hrdf_ros.diagnostics import printable, Report
from hrdf_ros.load_result import require_model
from hrdf_ros.model import Body, Constraint, Coordinate, Joint, Model
from hrdf_ros.topology import span

_UNITS = {'angle': 'rad', 'length': 'm'}
_NO_LIMITS = (-math.inf, math.inf)


def write_dot(model: Model) -> tuple[str, Report]:
    """
    Return the graph as a DOT text, and a report that is empty: a drawing leaves out on purpose.

    Bodies and joints are in the Model's order; labels have names, masses (kg) and limits.
    """
    require_model(model, 'write_dot')
    lines = [
        f'digraph {_label(model.name)} {{', '  node [shape=box];',
        *_body_lines(model), *_joint_lines(model), *_constraint_lines(model), '}']
    return '\n'.join(lines) + '\n', Report()


def _body_lines(model: Model) -> Iterator[str]:
    for index, body in enumerate(model.bodies):
        yield f'  body{index} [label={_label(*_of_body(body))}];'


def _of_body(body: Body) -> Iterator[str]:
    """Yield the lines of a body's label."""
    yield body.name
    if body.inertia is not None:
        yield f'{body.inertia.mass!r} kg'


def _joint_lines(model: Model) -> Iterator[str]:
    loops = set(span(model).loops)
    for index, joint in enumerate(model.joints):
        label = _label(*_of_joint(model, joint))
        style = ', style=dashed, constraint=false' if index in loops else ''
        yield f'  body{joint.parent} -> body{joint.child} [label={label}{style}];'


def _of_joint(model: Model, joint: Joint) -> Iterator[str]:
    """Yield the lines of a joint's label: its name, its type, and what moves it."""
    yield joint.name
    yield joint.type
    read = {index for motion in joint.motions for index in motion.coordinates}
    for index in sorted(read):
        yield _of_coordinate(model, model.coordinates[index])


def _of_coordinate(model: Model, coordinate: Coordinate) -> str:
    if coordinate.mimic is not None:
        leader, multiplier, offset = coordinate.mimic
        followed = model.coordinates[leader].name
        return f'{coordinate.name} = {multiplier!r} {followed} + {offset!r}'
    limits = coordinate.lower, coordinate.upper
    if limits == _NO_LIMITS:
        return coordinate.name
    return f'{coordinate.name} {limits[0]!r} .. {limits[1]!r} {_UNITS[coordinate.kind]}'


def _constraint_lines(model: Model) -> Iterator[str]:
    for constraint in model.constraints:
        ends = _ends(model, constraint)
        label = _label(constraint.name, constraint.kind)
        for first, second in zip(ends, ends[1:]):
            yield (
                f'  body{first} -> body{second} '
                f'[label={label}, style=dotted, dir=none, constraint=false];')


def _ends(model: Model, constraint: Constraint) -> list[int]:
    """Return the bodies of a constraint; a joint stands for the body that it moves."""
    return [*constraint.bodies, *(model.joints[joint].child for joint in constraint.joints)]


def _label(*lines: str) -> str:
    """Return a quoted string of these lines; Graphviz reads escapes in it."""
    text = '\n'.join(map(printable, lines))
    text = text.replace('\\', '\\\\').replace('"', '\\"').replace('\n', '\\n')
    return f'"{text}"'
