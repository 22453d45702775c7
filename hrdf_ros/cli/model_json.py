# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The JSON of ``hrdf frames --json``: everything about a model in a configuration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Optional

from hrdf_ros.cli.configuration import State
from hrdf_ros.cli.json_output import Json, number, numbers, render
from hrdf_ros.inertia import Inertia, tensor_in_body
from hrdf_ros.model import Body, Constraint, Joint, Model, Motion
from hrdf_ros.pose import AXES, Vector
from hrdf_ros.topology import frame_parents, span

_MASSLESS = Inertia(0.0)


def describe(model: Model, state: State, chosen: Sequence[int]) -> str:
    """Return the model in a state as JSON; of its frames those chosen."""
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
        'axes': [numbers(axis) for motion in joint.motions for axis in _axes(motion)],
    }


def _constraint(model: Model, constraint: Constraint) -> Json:
    """Return what is a joint of the format, but only couples coordinates of others (a gearbox)."""
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


def _axes(motion: Motion) -> tuple[Vector, ...]:
    """Return the axis of each coordinate; those of a rotation vector turn about x, y and z."""
    return AXES if motion.kind == 'rotation_vector' else (motion.axis,)


def _body(body: Body) -> Json:
    inertia = body.inertia or _MASSLESS
    return {
        'name': body.name, 'source_name': body.source_name, 'mass': number(inertia.mass),
        'com': numbers(inertia.pose.position), 'inertia': numbers(tensor_in_body(inertia)),
        'tag': body.tag or None,
    }
