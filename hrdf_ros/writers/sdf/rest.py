# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The world below all that hangs on it."""

from __future__ import annotations

from hrdf_ros import codes
from hrdf_ros.model import Model
from hrdf_ros.topology import reverse
from hrdf_ros.writers.grouped_diagnostics import GroupedDiagnostics

WORLD = 'world'


def world_above(model: Model, notes: GroupedDiagnostics) -> Model:
    """Return the Model with no joint whose child is the world, which SDFormat does not allow."""
    worlds = world_bodies(model)
    joints = []
    for joint in model.joints:
        if joint.child in worlds and joint.parent not in worlds:
            notes.add(
                codes.JOINT_REVERSED,
                'joints are written with parent and child exchanged: the world is no child',
                joint.name, joint.location)
            joint = reverse(joint)
        joints.append(joint)
    return model._replace(joints=tuple(joints))


def world_bodies(model: Model) -> set[int]:
    """Return the bodies that stand for the world: bare ones with its frame, or roots so named."""
    children = {joint.child for joint in model.joints}
    framed = {
        frame.body for frame in model.frames
        if frame.kind == WORLD and frame.name == model.bodies[frame.body].name}
    return {
        index for index, body in enumerate(model.bodies)
        if body.inertia is None and not body.visuals and not body.collisions
        and (index in framed or body.name == WORLD and index not in children)}
