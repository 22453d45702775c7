# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf frames``: where every frame is."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Optional, TYPE_CHECKING

from hrdf_ros.cli.loading import complete_frames, POSITIONS, read_model, READING
from hrdf_ros.cli.options import command, FILE, Option
from hrdf_ros.cli.output import print_table, show, unknown, UsageError
from hrdf_ros.cli.report_formats import Json, number, numbers, render
from hrdf_ros.inertia import Inertia, tensor_in_body
from hrdf_ros.model import Body, Constraint, Joint, Model
from hrdf_ros.pose import AXES, to_rpy
from hrdf_ros.topology import find_frame, frame_parents, span

if TYPE_CHECKING:
    from hrdf_ros.cli.configuration import State


@command(
    FILE,
    Option('[NAME...]', 'frames by name or tag', default=[], complete=complete_frames),
    Option(
        '--relative-to FRAME', 'give poses relative to this frame', complete=complete_frames),
    Option('--json', 'write everything about the model as JSON'), POSITIONS, READING)
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
    model, _ = read_model(options)
    name = options.relative_to  # else poses are relative to the root of poses
    is_root = name is None or name == model.root and find_frame(model, name) is None
    origin = None if is_root else _index(model, name)
    chosen = [_index(model, name) for name in options.names] or range(len(model.frames))
    from hrdf_ros.cli.configuration import solve  # numpy, which costs more than all the rest
    state = solve(model, options, origin)
    show(state.report, options)
    if options.json:
        print(_describe(model, state, chosen))
    else:
        _print(model, state, chosen)
    return 0 if state.report.ok else 1


def _index(model: Model, name: str) -> int:
    """Return the frame that a tag or name means."""
    index = find_frame(model, name)
    if index is None:
        names = (frame.name for frame in model.frames)
        raise UsageError(unknown('frame', name, dict.fromkeys((*names, model.root))))
    return index


def _print(model: Model, state: State, chosen: Sequence[int]) -> None:
    """Print a line for each frame, in columns."""
    rows = [(f'in {state.root}', 'kind', *'x y z roll pitch yaw'.split())]
    for index in chosen:
        frame, pose = model.frames[index], state.poses[index]
        values = (*pose.position, *to_rpy(pose))
        rows.append((
            frame.name + (f' ({frame.tag})' if frame.tag not in ('', frame.name) else ''),
            frame.kind, *(f'{round(value, 6) + 0.0:.6f}' for value in values)))
    print_table(rows, left=2)


def _describe(model: Model, state: State, chosen: Sequence[int]) -> str:
    """Return the model in a state as JSON, with the chosen frames."""
    coordinates = range(len(model.coordinates))
    names = {frame.name for frame in model.frames}
    parents = [
        parent if parent in names else None for parent in frame_parents(model, span(model))]
    return render({
        'model': model.name, 'format': model.format, 'version': model.version,
        'root': state.root,
        'coordinates': [
            _coordinate(model, state, index) for index in coordinates
            if index not in state.dependent],
        'dependent': [
            _coordinate(model, state, index) for index in coordinates
            if index in state.dependent],
        'frames': [_frame(model, state, index, parents[index]) for index in chosen],
        'joints': [
            *(_joint(model, joint) for joint in model.joints),
            *(_constraint(model, constraint) for constraint in model.constraints
              if len(constraint.bodies) > 1)],
        'bodies': [_body(body) for body in model.bodies],
    })


def _coordinate(model: Model, state: State, index: int) -> Json:
    coordinate = model.coordinates[index]
    return {
        'name': coordinate.name, 'kind': coordinate.kind,
        'position': number(state.positions[index]),
        'lower': number(coordinate.lower), 'upper': number(coordinate.upper),
        'velocity': number(coordinate.velocity), 'effort': number(coordinate.effort),
    }


def _frame(model: Model, state: State, index: int, parent: Optional[str]) -> Json:
    frame, pose = model.frames[index], state.poses[index]
    return {
        'name': frame.name, 'source_name': frame.source_name, 'kind': frame.kind,
        'tag': frame.tag or None, 'body': model.bodies[frame.body].name,
        'parent': parent,
        'position': numbers(pose.position), 'orientation': numbers(pose.orientation),
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


def _body(body: Body) -> Json:
    inertia = body.inertia or Inertia(0.0)
    return {
        'name': body.name, 'source_name': body.source_name, 'mass': number(inertia.mass),
        'com': numbers(inertia.pose.position), 'inertia': numbers(tensor_in_body(inertia)),
        'tag': body.tag or None,
    }
