# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The transform of each node relative to its parent, as 4x4 matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Optional, Union

from hrdf_ros.kinematics.joint_factors import Factor
from hrdf_ros.kinematics.transforms import Array, exponential, Indices, matrices, skew
from hrdf_ros.pose import IDENTITY, Z_AXIS
import numpy as np

FIXED = Factor(IDENTITY, Z_AXIS, (-1,))


class JointTransforms:
    """
    The transforms of nodes relative to their parents, parent_from_node.

    One with one coordinate is linear in ``1, sin(angle), cos(angle), q`` with constant matrices;
    one with a rotation vector is a constant, then an exponential.
    """

    def __init__(self, factors: Sequence[Factor]) -> None:
        self._weights = _weights(factors).reshape(len(factors), 4, 16)
        single = [factor if len(factor.coordinates) == 1 else FIXED for factor in factors]
        self._angles = np.array([factor.angle for factor in single])[..., None]
        self._coordinates = np.array([factor.coordinates[0] for factor in single], dtype=np.intp)
        self._vectors = RotationVectors(factors)

    def __call__(self, q: Array, nodes: Optional[Sequence[int]] = None) -> Array:
        """
        Return parent_from_node (m, K, 4, 4) of some or all nodes.

        ``q`` is (n + 1, K); its last row is zero, for nodes without a coordinate of their own.
        """
        picked = slice(None) if nodes is None else np.array(nodes, dtype=np.intp)
        own = q[self._coordinates[picked]]
        angle = own * self._angles[picked, 0] + self._angles[picked, 1]
        basis = np.empty((*own.shape, 4))
        basis[..., 0] = 1.0
        np.sin(angle, out=basis[..., 1])
        np.cos(angle, out=basis[..., 2])
        basis[..., 3] = own
        result = (basis @ self._weights[picked]).reshape(*own.shape, 4, 4)
        rows, which = self._vectors.among(nodes)
        if len(rows):
            turned = exponential(self._vectors(q)[which])
            result[rows, :, :3, :3] = result[rows, :, :3, :3] @ turned
        return result


class RotationVectors:
    """The rotation vectors of those nodes that have one; ``scales`` (v,) multiply q."""

    def __init__(self, factors: Sequence[Factor]) -> None:
        self.nodes = np.array(
            [node for node, factor in enumerate(factors) if len(factor.coordinates) == 3],
            dtype=np.intp)
        own = [factors[node] for node in self.nodes]
        self._coordinates = np.array([factor.coordinates for factor in own], dtype=np.intp)
        self.scales, self._offsets = np.reshape([factor.angle for factor in own], (-1, 2)).T

    def __call__(self, q: Array) -> Array:
        """Return the vectors (v, K, 3) in radians for coordinates (n + 1, K)."""
        vectors = q[self._coordinates.reshape(-1, 3)].swapaxes(1, 2)
        scaled: Array = vectors * self.scales[:, None, None] + self._offsets[:, None, None]
        return scaled

    def among(self, nodes: Union[Sequence[int], Indices, None]) -> tuple[Indices, Indices]:
        """Return which of some or all nodes have a vector, and which vector."""
        if nodes is None or not len(self.nodes):
            return self.nodes, np.arange(len(self.nodes))
        which = np.searchsorted(self.nodes, nodes).clip(max=len(self.nodes) - 1)
        rows = np.flatnonzero(self.nodes[which] == nodes)
        return rows, which[rows]


def _weights(factors: Sequence[Factor]) -> Array:
    """Return the matrices (m, 4, 4, 4) that 1, sin(angle), cos(angle) and q are multiplied by."""
    axis = np.reshape([factor.axis for factor in factors], (-1, 3))
    slide = np.reshape([factor.slide for factor in factors], (-1, 2))
    along = axis[:, :, None] * axis[:, None, :]
    result = np.zeros((len(factors), 4, 4, 4))
    result[:, 0, :3, :3] = along
    result[:, 0, :3, 3] = axis * slide[:, 1:]
    result[:, 0, 3, 3] = 1.0
    result[:, 1, :3, :3] = skew(axis)
    result[:, 2, :3, :3] = np.eye(3) - along
    result[:, 3, :3, 3] = axis * slide[:, :1]
    weights: Array = matrices([factor.before for factor in factors])[:, None] @ result
    return weights
