# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The Model at rest: every coordinate zero, and the world below all that hangs on it."""

from __future__ import annotations

from hrdf_ros import codes
from hrdf_ros.model import Joint, Model, Motion, NONE
from hrdf_ros.pose import compose, from_axis_angle, IDENTITY, inverse, Pose, translation
from hrdf_ros.topology import reverse, span
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


def root_poses(model: Model) -> list[Pose]:
    """Return root_from_body of each body with every coordinate at zero."""
    topology = span(model)
    poses = [body.pose for body in model.bodies]
    for body in topology.order:
        if topology.joint[body] != NONE:
            joint = model.joints[topology.joint[body]]
            joint = reverse(joint) if topology.reversed[body] else joint
            poses[body] = compose(poses[topology.parent[body]], _parent_from_child(joint))
    return poses


def _parent_from_child(joint: Joint) -> Pose:
    moved = joint.parent_from_joint
    for motion in joint.motions:
        moved = compose(moved, at_zero(motion))
    return compose(moved, inverse(joint.child_from_joint))


def at_zero(motion: Motion) -> Pose:
    """Return where a motion stands when its coordinates are zero."""
    offset = motion.offset
    if offset == 0.0 or motion.kind == 'rotation_vector':
        return IDENTITY
    if motion.kind == 'revolute':
        return from_axis_angle(motion.axis, offset)
    x, y, z = motion.axis
    return translation(offset * x, offset * y, offset * z)
