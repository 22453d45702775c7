# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Forward kinematics of a tree of nodes, for many configurations at once.

Transforms are 4x4 matrices. A twist is (..., 6): the velocity of a point (m/s), then the angular
velocity (rad/s), both in the axes of the root, for a speed of 1 of the coordinate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Optional, Union

from hrdf_ros.kinematics.joint_factors import Factor, FixedFrame, path, ROOT, TreeNode
from hrdf_ros.kinematics.transforms import (
    Array,
    chain,
    cross,
    exponential,
    Indices,
    invert,
    matrices,
    skew,
)
from hrdf_ros.pose import IDENTITY, Z_AXIS
import numpy as np

_FIXED = Factor(IDENTITY, Z_AXIS, (-1,))
_BLOCK = 8192
"""Node transforms of the configurations that are computed together: about a cache."""

Gather = Callable[[Array, Indices, Array, Array], None]
"""Adds twists to the columns of a Jacobian, as ``DependentSolver.gather`` does."""


def as_columns(q: Array) -> Array:
    """Return configurations (n,) or (K, n) as (n + 1, K), with a row of zeros at the end."""
    rows = np.atleast_2d(q)
    columns = np.zeros((rows.shape[1] + 1, len(rows)))
    columns[:-1] = rows.T
    return columns


class JointTransforms:
    """
    The transforms of nodes relative to their parents, parent_from_node.

    A transform of one coordinate is linear in ``1, sin(angle), cos(angle), q`` with constant
    matrices; that of a rotation vector is a constant, then an exponential.
    """

    def __init__(self, factors: Sequence[Factor]) -> None:
        self._weights = _weights(factors).reshape(len(factors), 4, 16)
        single = [factor if len(factor.coordinates) == 1 else _FIXED for factor in factors]
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
    """The rotation vectors of the nodes that have one; ``scales`` (v,) multiply q."""

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


class Forward:
    """
    Forward kinematics of a list of nodes, parents before children.

    Of one configuration the ranges of parents that a transform covers are doubled until all reach
    the root: few calls of numpy. Of a batch each transform is multiplied once, level by level.
    """

    def __init__(self, nodes: Sequence[TreeNode]) -> None:
        self.joint_transforms = JointTransforms([node.factor for node in nodes])
        self._parents = np.array([max(node.parent, ROOT) for node in nodes], dtype=np.intp)
        self._levels = _levels(self._parents)
        self._ancestors: list[Indices] = []
        above = self._parents
        while above.any():
            self._ancestors.append(above)
            above = above[above]

    def __call__(self, q: Array) -> Array:
        """Return root_from_node (nodes, K, 4, 4) for coordinates (n + 1, K), the last one zero."""
        result = self.joint_transforms(q)
        if q.shape[1] == 1:
            for above in self._ancestors:
                result = result.take(above, 0) @ result
        else:
            for level in self._levels:
                result[level] = result.take(self._parents[level], 0) @ result.take(level, 0)
        return result


def _levels(parents: Indices) -> list[Indices]:
    """Return the nodes of each depth from 2 on; the root, at depth 0, is the identity."""
    depths = np.zeros_like(parents)
    for node in range(1, len(parents)):
        depths[node] = depths[parents[node]] + 1
    order = np.argsort(depths, kind='stable')
    bounds = np.searchsorted(depths[order], np.arange(2, depths.max() + 2))
    return [order[start:end] for start, end in zip(bounds, bounds[1:])]


class JacobianColumns:
    """
    The Jacobian's columns: the twist of a point on or below a node, for each of its coordinates.

    Columns are in the order of the nodes; ``coordinates`` (c,) is the coordinate of each.
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
            turning = root_from_nodes[self._vectors.nodes, :, :3, :3] @ right_jacobian(
                self._vectors(q)) * self._vectors.scales[:, None, None, None]
            moving[rows, ..., 1] = turning[which, ..., self._parts[columns[rows]]]
        twists = np.empty((*at.shape[:2], 6))
        twists[..., 3:] = moving[..., 1]
        twists[..., :3] = moving[..., 0] + cross(moving[..., 1], point - at[..., :3, 3])
        return twists


class FrameArrays(NamedTuple):
    """Frames that are fixed to ``nodes`` (F,); ``node_from_frames`` is (F, 1, 4, 4)."""

    nodes: Indices
    node_from_frames: Array


def frame_arrays(frames: Sequence[FixedFrame]) -> FrameArrays:
    """Return frames as arrays."""
    return FrameArrays(
        np.array([frame.node for frame in frames], dtype=np.intp),
        matrices([frame.pose for frame in frames])[:, None])


class FrameKinematics:
    """
    Poses and Jacobians of frames that are fixed to nodes.

    Coordinates ``q`` are (n + 1, K), the last row zero.
    """

    def __init__(self, nodes: Sequence[TreeNode]) -> None:
        self.nodes = Forward(nodes)
        self._tree = nodes
        self._columns = JacobianColumns(nodes)
        self._block = max(1, _BLOCK // len(nodes))

    def poses(self, q: Array, frames: FrameArrays, out: Array) -> None:
        """Write root_from_frame of some frames into ``out`` (K, F, 4, 4)."""
        for start in range(0, len(out), self._block):
            nodes = self.nodes(q[:, start:start + self._block])
            np.matmul(
                nodes.take(frames.nodes, 0), frames.node_from_frames, casting='same_kind',
                out=out[start:start + self._block].swapaxes(0, 1))

    def relative_pose(self, q: Array, origin: FixedFrame, target: FixedFrame) -> Array:
        """Return origin_from_target (K, 4, 4), from the nodes between the two alone."""
        down, up = path(self._tree, origin.node, target.node)
        steps = self.nodes.joint_transforms(q, up + down)
        ends = matrices((origin.pose, target.pose))
        result = invert(chain(steps[:len(up)]) @ ends[0]) if up else invert(ends[:1])
        if down:
            result = result @ chain(steps[len(up):])
        return np.broadcast_to(result @ ends[1], (steps.shape[1], 4, 4))

    def jacobian(
        self, q: Array, origin: FixedFrame, target: FixedFrame, gather: Gather, out: Array,
    ) -> None:
        """Add the Jacobian of the target relative to the origin, in its axes, to (K, 6, n)."""
        down, up = map(self._columns.of, path(self._tree, origin.node, target.node))
        moving = np.concatenate((down, up))
        sign = np.repeat((1.0, -1.0), (len(down), len(up)))[:, None, None]
        ends = matrices((origin.pose, target.pose))
        for start in range(0, len(out), self._block):
            part = q[:, start:start + self._block]
            nodes = self.nodes(part)
            point = (nodes[target.node] @ ends[1])[:, :3, 3]
            twists = self._columns.twists(moving, point, nodes, part) * sign
            turned = (nodes[origin.node] @ ends[0])[:, :3, :3]
            twists = (twists.reshape(*twists.shape[:2], 2, 3) @ turned).reshape(twists.shape)
            gather(
                twists, self._columns.coordinates[moving], part, out[start:start + self._block])


def right_jacobian(vectors: Array) -> Array:
    """Return (..., 3, 3): from the speed of a rotation vector to the rate in the turned axes."""
    turned = skew(vectors)
    square = np.sum(vectors * vectors, -1)[..., None, None]
    angle = np.sqrt(square)
    half = np.sinc(angle / (2.0 * np.pi))
    # Where the angle is zero so is the matrix that this is multiplied by.
    rest = (1.0 - np.sinc(angle / np.pi)) / np.where(square == 0.0, 1.0, square)
    jacobian: Array = np.eye(3) - half * half / 2.0 * turned + rest * (turned @ turned)
    return jacobian
