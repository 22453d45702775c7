# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The world as SDFormat has it: a parent of joints, without inertia, shapes and frames."""

from __future__ import annotations

from typing import Optional

from hrdf_ros import codes
from hrdf_ros.listing import GroupedDiagnostics
from hrdf_ros.model import Body, Frame, Joint, Model
from hrdf_ros.names import Names
from hrdf_ros.topology import reverse, with_placed_scopes

_WORLD = 'world'


def world_above(model: Model, notes: GroupedDiagnostics) -> Model:
    """Return the Model with every joint of the world reversed whose child is the world."""
    worlds, joints = world_bodies(model), list(model.joints)
    for index, joint in enumerate(joints):
        if joint.child in worlds and joint.parent not in worlds:
            notes.about(
                codes.JOINT_REVERSED,
                'joints are written with parent and child exchanged: the world cannot be a child',
                joint)
            joints[index] = reverse(joint)
    return model._replace(joints=tuple(joints))


def with_scopes_of_frames(model: Model, notes: GroupedDiagnostics) -> Model:
    """Return the Model with each nested model where its frame is, and note those that are not."""
    placed = with_placed_scopes(model)
    notes.about(
        codes.DETAIL_NOT_REPRESENTABLE,
        'the poses of these models differ from those of their frames, which are written',
        *(scope for scope, own in zip(model.scopes, placed.scopes) if scope != own))
    return placed


def with_world_as_link(model: Model, notes: GroupedDiagnostics) -> Model:
    """
    Return the Model with a link in place of a world that has an inertia, shapes or frames.

    A model of SDFormat can give none to the world, but a joint can fix a link to it. The world is
    that of the Model, or a root link of this name, which Gazebo and Drake take for the world.
    """
    index = full_world(model)
    if index is None:
        return model
    world, is_canonical = model.bodies[index], model.conventions.world_is_body
    taken = {body.name for body in model.bodies} | {frame.name for frame in model.frames}
    name = Names(taken=taken).free(f'{_WORLD}_link')
    joint = Names(taken=(each.name for each in model.joints)).free(f'{_WORLD}_fixed')
    notes.add(
        codes.LINK_ADDED, 'a link fixed to the world has its inertia, shapes and frames', name,
        world.location)
    new = len(model.bodies)
    bodies = [*model.bodies, Body(_WORLD, _WORLD, static=True)]
    bodies[index] = world._replace(name=name, source_name=name, static=False)
    return model._replace(
        bodies=tuple(bodies), canonical_body=new if is_canonical else model.canonical_body,
        joints=(Joint(joint, joint, 'fixed', new, index), *model.joints),
        frames=(Frame(_WORLD, _WORLD, _WORLD, new), *(
            frame if frame.name != world.name else frame._replace(
                name=name, source_name=name, kind='link') for frame in model.frames)))


def full_world(model: Model) -> Optional[int]:
    """Return the body of the world if it has an inertia, shapes or frames."""
    if model.conventions.world_is_body:
        index = model.canonical_body
        world = model.bodies[index]
        return index if world.visuals or world.collisions or any(
            frame.body == index and frame.name != world.name for frame in model.frames) else None
    children = {joint.child for joint in model.joints}
    return next((
        index for index, body in enumerate(model.bodies)
        if body.name == _WORLD and index not in children
        and (body.inertia or body.visuals or body.collisions)), None)


def world_bodies(model: Model) -> set[int]:
    """Return the bare bodies that have the world's frame, or that are roots with its name."""
    children = {joint.child for joint in model.joints}
    framed = {
        frame.body for frame in model.frames
        if frame.kind == _WORLD and frame.name == model.bodies[frame.body].name}
    return {
        index for index, body in enumerate(model.bodies)
        if body.inertia is None and not body.visuals and not body.collisions
        and (index in framed or body.name == _WORLD and index not in children)}
