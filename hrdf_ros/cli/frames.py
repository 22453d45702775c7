# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf frames``: every frame with its pose."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from math import degrees
from typing import TYPE_CHECKING

from hrdf_ros.cli import output
from hrdf_ros.cli.loading import (
    complete_frames,
    load_file,
    read_model,
    READING,
    Reading,
    reading_of,
)
from hrdf_ros.cli.options import command, FILE, Option
from hrdf_ros.cli.positions import DEGREES, POSITIONS, positions_of
from hrdf_ros.cli.report_formats import Json, number, numbers, render
from hrdf_ros.inertia import Inertia, tensor_in_body
from hrdf_ros.listing import first_of
from hrdf_ros.model import Constraint, Joint, Model
from hrdf_ros.pose import AXES, to_rpy
from hrdf_ros.readers.api import NAMINGS
from hrdf_ros.readers.registry import has_effect
from hrdf_ros.topology import find_frame, frame_hint, frame_parents

if TYPE_CHECKING:
    from hrdf_ros.cli.configuration import State


_LISTED = 4
"""The maximum number of frames that a remark on another naming lists; others are counted."""


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
    meters, radians, roll-pitch-yaw about fixed axes. A tag means the output of an
    end effector or joint, and the body of any other element.
    """
    reading, positions = reading_of(options), positions_of(options)
    if options.json and options.degrees:
        raise output.UsageError('--degrees has no effect on JSON, which has radians')
    model, _ = read_model(reading)
    name = options.relative_to  # if None, poses are relative to the root of poses
    is_root = name is None or name == model.root and find_frame(model, name) is None
    origin = None if is_root else _index(model, name, reading)
    chosen = [_index(model, name, reading) for name in options.names] or range(len(model.frames))
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


def _index(model: Model, name: str, reading: Reading) -> int:
    """Return the frame with a tag or name; an unknown name raises UsageError."""
    index = find_frame(model, name)
    if index is None:
        raise output.UsageError(
            f"there is no frame '{name}'; {frame_hint(model, name)}"
            f'{_with_other_names(model, name, reading)}')
    return index


def _with_other_names(model: Model, name: str, reading: Reading) -> str:
    """Return text that lists the frames with such a name under another --naming; '' if none."""
    request = reading.request
    if not has_effect('naming', model.format) or request.source == output.STANDARD_STREAM:
        return ''
    for naming in NAMINGS:
        options = request.options._replace(naming=naming)
        other = load_file(request._replace(options=options)).model
        frames = () if other is None or naming == request.options.naming else other.frames
        found = [frame.name for frame in frames if name.lower() in frame.name.lower()]
        if found:
            return f'; with --naming {naming} there are {first_of(found, _LISTED)}'
    return ''


def _described(model: Model, state: State, chosen: Sequence[int]) -> dict[str, Json]:
    """Return a model in a state as JSON, with the chosen frames."""
    names = {frame.name for frame in model.frames}
    parents = [
        name if name in names else None for name in frame_parents(model, state.topology)]
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
        'coordinates': [model.coordinates[index].name for index in joint.coordinates],
        'axes': [  # a rotation vector has x, y and z
            numbers(axis) for motion in joint.motions
            for axis in (AXES if motion.kind == 'rotation_vector' else (motion.axis,))],
    }


def _constraint(model: Model, constraint: Constraint) -> Json:
    """Return the JSON of a joint that only couples coordinates of other joints (a gearbox)."""
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
