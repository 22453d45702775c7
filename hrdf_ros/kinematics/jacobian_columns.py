# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The columns of Jacobians: what each coordinate does to a point fixed to its node or below.

A twist is (..., 6): the velocity of a point (m/s), then the angular velocity (rad/s), both in the
axes of the root, for a speed of 1 of the coordinate.
"""

from __future__ import annotations

from collections.abc import Sequence

from hrdf_ros.kinematics.joint_factors import TreeNode
from hrdf_ros.kinematics.joint_transforms import RotationVectors
from hrdf_ros.kinematics.transforms import Array, cross, Indices, skew
import numpy as np


class JacobianColumns:
    """
    One column for each coordinate of each node, in the order of the nodes.

    ``coordinates`` (c,) is the coordinate of each column.
    """

    def __init__(self, nodes: Sequence[TreeNode]) -> None:
        rows = [(index, node.factor, part) for index, node in enumerate(nodes)
                for part in range(len(node.factor.coordinates))]
        self._count = len(nodes)
        self._nodes = np.array([index for index, _, _ in rows], dtype=np.intp)
        self._parts = np.array([part for _, _, part in rows], dtype=np.intp)
        self.coordinates = np.array(
            [factor.coordinates[part] for _, factor, part in rows], dtype=np.intp)
        axes = np.reshape([factor.axis for _, factor, _ in rows], (-1, 3, 1))
        speeds = np.reshape([(factor.slide[0], factor.angle[0]) for _, factor, _ in rows], (-1, 2))
        self._axes = (axes * speeds[:, None])[:, None]
        self._vectors = RotationVectors([node.factor for node in nodes])

    def of(self, nodes: Sequence[int]) -> Indices:
        """Return the indices of the columns of some nodes."""
        wanted = np.zeros(self._count, dtype=bool)
        wanted[np.array(nodes, dtype=np.intp)] = True
        return np.flatnonzero(wanted[self._nodes])

    def twists(self, columns: Indices, point: Array, root_from_nodes: Array, q: Array) -> Array:
        """
        Return the twists of a point (K, 3) in the root, in the shape (c, K, 6).

        ``root_from_nodes`` is (nodes, K, 4, 4), ``q`` (n + 1, K).
        """
        nodes = self._nodes[columns]
        at = root_from_nodes.take(nodes, 0)
        moving = at[..., :3, :3] @ self._axes[columns]
        rows, which = self._vectors.among(nodes)
        if len(rows):
            turning = root_from_nodes[self._vectors.nodes, :, :3, :3] @ _right_jacobian(
                self._vectors(q)) * self._vectors.scales[:, None, None, None]
            moving[rows, ..., 1] = turning[which, ..., self._parts[columns[rows]]]
        twists = np.empty((*at.shape[:2], 6))
        twists[..., 3:] = moving[..., 1]
        twists[..., :3] = moving[..., 0] + cross(moving[..., 1], point - at[..., :3, 3])
        return twists


def _right_jacobian(vectors: Array) -> Array:
    """Return (..., 3, 3): from the speed of a rotation vector to the rate in the turned axes."""
    turned = skew(vectors)
    square = np.sum(vectors * vectors, -1)[..., None, None]
    angle = np.sqrt(square)
    half = np.sinc(angle / (2.0 * np.pi))
    # Where the angle is zero so is the matrix that this is multiplied by.
    rest = (1.0 - np.sinc(angle / np.pi)) / np.where(square == 0.0, 1.0, square)
    jacobian: Array = np.eye(3) - half * half / 2.0 * turned + rest * (turned @ turned)
    return jacobian
