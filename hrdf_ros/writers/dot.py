# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Draw a Model with Graphviz: the kinematic tree, the frames, or the poses.

In the tree bodies are boxes, and joints are arrows from parent to child. A joint that closes a
loop is dashed, and a constraint between joints or bodies is dotted.
"""

from __future__ import annotations

from collections.abc import Iterator
import math

from hrdf_ros.diagnostics import printable, Report, shortened
from hrdf_ros.load_result import require_model
from hrdf_ros.model import Model, NONE
from hrdf_ros.pose import Pose, relative, to_rpy
from hrdf_ros.topology import span, Topology, zero_poses

GRAPHS = ('tree', 'frames', 'poses')


def write_dot(model: Model, *, graph: str = 'tree') -> tuple[str, Report]:
    """
    Return a graph as a DOT text, and an empty report: what a drawing leaves out is no loss.

    ``graph`` is one of GRAPHS; any other raises ValueError. ``tree`` has bodies and joints, with
    names, masses (kg) and limits; ``frames`` has an arrow from each frame to the link that it is
    attached to; ``poses`` has arrows from frames to those whose poses are relative to them, with
    position (m) and roll, pitch, yaw (rad) at zero. The latter two have the names of the file.

    >>> from hrdf_ros import load_model, write_dot
    >>> write_dot(load_model('examples/hrdf/arm_6dof.hrdf'))[0].splitlines()[0]
    'digraph "arm_6dof" {'
    """
    require_model(model, 'write_dot')
    if graph not in GRAPHS:
        raise ValueError(f"graph is one of {', '.join(GRAPHS)}, not {graph!r}")
    topology = span(model)
    if graph == 'tree':
        content = (*_body_lines(model), *_joint_lines(model, topology), *_constraint_lines(model))
    else:
        content = (*_frame_lines(model), *(
            _attached_lines(model) if graph == 'frames' else _pose_lines(model, topology)))
    lines = [f'digraph {_label(model.name)} {{', '  node [shape=box];', *content, '}']
    return '\n'.join(lines) + '\n', Report()


class Drawing(str):
    """An SVG text, which notebooks draw."""

    def _repr_svg_(self) -> str:
        return str(self)


def plot(model: Model, *, graph: str = 'tree') -> Drawing:
    """
    Return the graph of ``write_dot`` as Graphviz draws it.

    A missing command ``dot`` raises FileNotFoundError, which says what to install; a failure of
    the command raises CalledProcessError.

    >>> from hrdf_ros import load_model, plot
    >>> drawing = plot(load_model('examples/hrdf/arm_6dof.hrdf'))  # doctest: +SKIP
    """
    from subprocess import run
    text = write_dot(model, graph=graph)[0].encode()
    try:
        drawn = run(['dot', '-Tsvg'], input=text, capture_output=True, check=True)
    except FileNotFoundError:
        raise FileNotFoundError(
            'plot requires the command dot of Graphviz; on Debian: apt install graphviz') from None
    return Drawing(drawn.stdout, 'utf-8')


# ---- frames and poses

def _frame_lines(model: Model) -> Iterator[str]:
    for index, frame in enumerate(model.frames):
        yield f'  frame{index} [label={_label(frame.source_name or frame.name, frame.kind)}];'


def _own_frames(model: Model) -> dict[int, int]:
    """Return the index of the frame of each body."""
    return {
        frame.body: index for index, frame in reversed(list(enumerate(model.frames)))
        if frame.body != NONE and frame.name == model.bodies[frame.body].name}


def _attached_lines(model: Model) -> Iterator[str]:
    own = _own_frames(model)
    for index, frame in enumerate(model.frames):
        if frame.body in own and own[frame.body] != index:
            yield f'  frame{index} -> frame{own[frame.body]};'


def _pose_lines(model: Model, topology: Topology) -> Iterator[str]:
    """Yield arrows from the root to models, from models to links, from links to other frames."""
    own, poses = _own_frames(model), zero_poses(model, topology)
    scopes = {scope.source_name: scope for scope in model.scopes}
    nodes = {
        frame.source_name: f'frame{index}' for index, frame in enumerate(model.frames)
        if frame.kind == 'model'}
    yield f'  root [label={_label(model.root)}];'
    for name, scope in scopes.items():
        above = scopes.get(name.rpartition('::')[0])
        pose = scope.pose if above is None else relative(above.pose, scope.pose)
        if name in nodes:
            around = 'root' if above is None else nodes.get(above.source_name, 'root')
            yield _pose_line(around, nodes[name], pose)
    for index, frame in enumerate(model.frames):
        if own.get(frame.body) == index:
            name = frame.source_name.rpartition('::')[0]
            pose = poses[frame.body]
            if name in nodes and name in scopes:
                yield _pose_line(nodes[name], f'frame{index}', relative(scopes[name].pose, pose))
            else:
                yield _pose_line('root', f'frame{index}', pose)
        elif frame.kind != 'model' and frame.body in own:
            yield _pose_line(f'frame{own[frame.body]}', f'frame{index}', frame.pose)


def _pose_line(source: str, target: str, pose: Pose) -> str:
    numbers = (' '.join(f'{round(number, 9) + 0.0:g}' for number in part) for part in (
        pose.position, to_rpy(pose)))
    return f'  {source} -> {target} [label={_label(*numbers)}];'


# ---- the tree

def _body_lines(model: Model) -> Iterator[str]:
    for index, body in enumerate(model.bodies):
        mass = [] if body.inertia is None else [f'{body.inertia.mass!r} kg']
        yield f'  body{index} [label={_label(body.name, *mass)}];'


def _joint_lines(model: Model, topology: Topology) -> Iterator[str]:
    """Yield arrows with the name of a joint, its type, and its coordinates."""
    loops = set(topology.loops)
    for index, joint in enumerate(model.joints):
        read = sorted({*joint.coordinates})
        label = _label(joint.name, joint.type, *(_of_coordinate(model, each) for each in read))
        style = ', style=dashed, constraint=false' if index in loops else ''
        yield f'  body{joint.parent} -> body{joint.child} [label={label}{style}];'


def _of_coordinate(model: Model, index: int) -> str:
    coordinate = model.coordinates[index]
    if coordinate.mimic is not None:
        leader, multiplier, offset = coordinate.mimic
        followed = model.coordinates[leader].name
        return f'{coordinate.name} = {multiplier!r} {followed} + {offset!r}'
    lower, upper = coordinate.lower, coordinate.upper
    if (lower, upper) == (-math.inf, math.inf):
        return coordinate.name
    unit = 'rad' if coordinate.kind == 'angle' else 'm'
    return f'{coordinate.name} {lower!r} .. {upper!r} {unit}'


def _constraint_lines(model: Model) -> Iterator[str]:
    """Yield lines between the bodies of a constraint; a joint is drawn at its child."""
    for constraint in model.constraints:
        label = _label(constraint.name, constraint.kind)
        ends = [*constraint.bodies, *(model.joints[joint].child for joint in constraint.joints)]
        for first, second in zip(ends, ends[1:]):
            yield (
                f'  body{first} -> body{second} '
                f'[label={label}, style=dotted, dir=none, constraint=false];')


def _label(*lines: str) -> str:
    """Return a quoted string of these lines; Graphviz reads escapes in it."""
    text = '\n'.join(printable(shortened(line)) for line in lines)
    text = text.replace('\\', '\\\\').replace('"', '\\"').replace('\n', '\\n')
    return f'"{text}"'
