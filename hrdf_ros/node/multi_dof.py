# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Coordinates of ball, planar and free joints from the transform that the joint makes."""

from __future__ import annotations

import math
from typing import Optional

from hrdf_ros.model import Joint, Model, Motion
from hrdf_ros.pose import cross, dot, normalized, Pose, rotate, Vector, X_AXIS, Y_AXIS, Z_AXIS


def coordinates_from_transform(
    model: Model, joint: Joint, joint_transform: Pose,
) -> Optional[dict[str, float]]:
    """
    Return the coordinates with which a joint's motions make a transform, by name.

    ``joint_transform`` is the product of the motions, seen in the joint frame. None for a joint
    that is not made of up to three prismatic motions and then one rotation: those say all there
    is to say in a JointState.
    """
    *slides, turn = joint.motions or (None,)
    if turn is None or turn.kind not in ('rotation_vector', 'revolute') or any(
            motion.kind != 'prismatic' for motion in slides):
        return None
    values = _turned(turn, joint_transform)
    for motion in slides:
        along = dot(motion.axis, joint_transform.position)
        values.append((motion.coordinates[0], (along - motion.offset) / motion.scale))
    return {model.coordinates[index].name: value for index, value in values}


def _turned(motion: Motion, joint_transform: Pose) -> list[tuple[int, float]]:
    """Return the coordinates of the rotation."""
    if motion.kind == 'rotation_vector':
        vector = rotation_vector(joint_transform)
        return [
            (index, (value - motion.offset) / motion.scale)
            for index, value in zip(motion.coordinates, vector)]
    side = _perpendicular(motion.axis)
    turned = rotate(joint_transform, side)
    sine = dot(motion.axis, cross(side, turned))
    angle = math.atan2(sine, dot(side, turned))
    return [(motion.coordinates[0], (angle - motion.offset) / motion.scale)]


def rotation_vector(pose: Pose) -> Vector:
    """Return the vector (radians) whose exponential is the rotation, of length up to pi."""
    x, y, z, w = pose.orientation
    length = math.sqrt(x * x + y * y + z * z)
    factor = 2.0 * math.atan2(length, w) / length if length > 1e-12 else 2.0
    return x * factor, y * factor, z * factor


def _perpendicular(axis: Vector) -> Vector:
    """Return a unit vector at a right angle to an axis."""
    across = normalized(cross(axis, X_AXIS if abs(axis[0]) < 0.9 else Y_AXIS))
    return across or Z_AXIS
