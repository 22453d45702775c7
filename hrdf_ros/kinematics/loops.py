# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The equations of closed loops.

A loop joint is hung below its parent like any other; its loop is closed where the frame at its
other end coincides with the frame on its child. The residual between the two, a translation and
a rotation vector, gives six equations in the coordinates on both paths from the last common body.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
import math
from typing import NamedTuple

from hrdf_ros.kinematics.forward import Forward
from hrdf_ros.kinematics.jacobian_columns import JacobianColumns
from hrdf_ros.kinematics.joint_factors import Factor, Loop, path, ROOT, TreeNode
from hrdf_ros.kinematics.transforms import Array, Indices, matrices
from hrdf_ros.model import NONE
import numpy as np

TINY = 1e-300
# Distances that are computed together.
BLOCK = 1 << 16
AFTER, BEFORE = (2, 0, 1), (1, 2, 0)


class Residual(NamedTuple):
    """
    The residual of L loops in K configurations.

    ``error`` (L, K, 6) is from the moved to the fixed end: a translation in units of the loops'
    size and a rotation vector, in the axes of the root.
    """

    error: Array
    nodes: Array
    ends: Array

    def squared_norm(self) -> Array:
        """Return the sum of the squares (K,)."""
        total: Array = np.sum(self.error * self.error, (0, 2))
        return total

    def equations(self) -> Array:
        """Return the residuals of all equations, in the shape (K, 6 L, 1)."""
        return self.error.transpose(1, 0, 2).reshape(self.error.shape[1], -1, 1)


class Loops:
    """
    Loops that share coordinates.

    ``coordinates`` lists all of theirs, ``vectors`` those that are parts of rotation vectors,
    ``turning`` those of which a whole turn changes nothing (none where a screw counts turns), and
    ``depths`` how many nodes are above each, loop joints counting as deepest. ``size`` (m) is
    the greatest distance of their nodes from where they close, with all coordinates at zero.
    """

    def __init__(self, nodes: Sequence[TreeNode], loops: Sequence[Loop]) -> None:
        self.joints = tuple(loop.joint for loop in loops)
        places = [loop.moved for loop in loops] + [loop.fixed for loop in loops]
        used = sorted({ROOT}.union(*(path(nodes, ROOT, location.node)[0] for location in places)))
        number = {node: index for index, node in enumerate(used)}
        own = [TreeNode(number.get(nodes[node].parent, NONE), nodes[node].factor) for node in used]
        self._forward = Forward(own)
        self._columns = JacobianColumns(own)
        self._ends = np.array([number[location.node] for location in places])
        self._node_from_ends = matrices([location.pose for location in places])[:, None]
        self._gather_columns(own)
        loop_joints = set().union(*(loop.nodes for loop in loops))
        self.depths = {
            index: len(used) if node in loop_joints else len(path(nodes, ROOT, node)[0])
            for node in used for index in nodes[node].factor.coordinates}
        self.size = 1.0
        self.size = self._size()

    def _gather_columns(self, nodes: Sequence[TreeNode]) -> None:
        """Collect which Jacobian column moves which end of which loop."""
        count = len(self.joints)
        picked, ends = [], []
        for loop in range(count):
            both = path(nodes, self._ends[loop], self._ends[loop + count])
            for end, way in zip((loop + count, loop), both):
                columns = self._columns.of(way)
                picked.append(columns)
                ends.append(np.full(len(columns), end))
        self._picked, self._end = np.concatenate(picked), np.concatenate(ends)
        self._sign = np.where(self._end < count, -1.0, 1.0)[:, None, None]
        moving = self._columns.coordinates[self._picked]
        moving_any = set(moving.tolist())
        self.coordinates = tuple(sorted(moving_any))
        self.vectors = tuple(
            index for node in nodes for index in node.factor.coordinates
            if len(node.factor.coordinates) == 3)
        self.turning = _turning(
            node.factor for node in nodes if moving_any.issuperset(node.factor.coordinates))
        self._target = np.searchsorted(self.coordinates, moving), self._end % count

    def _size(self) -> float:
        rows = max(self.depths, default=NONE) + 2
        residual = self.residual(np.zeros((rows, 1)))
        nodes, ends = residual.nodes[:, 0, :3, 3], residual.ends[:, 0, :3, 3]
        block = max(1, BLOCK // len(nodes))
        farthest = max(
            float(np.sum((nodes[:, None] - ends[None, at:at + block]) ** 2, -1).max())
            for at in range(0, len(ends), block))
        return math.sqrt(farthest) or 1.0

    def residual(self, q: Array) -> Residual:
        """Return the residual of the loops for coordinates (n + 1, K)."""
        nodes = self._forward(q)
        ends = nodes.take(self._ends, 0) @ self._node_from_ends
        moved, fixed = ends[:len(self.joints)], ends[len(self.joints):]
        error = np.empty((*moved.shape[:2], 6))
        error[..., :3] = (fixed[..., :3, 3] - moved[..., :3, 3]) / self.size
        error[..., 3:] = _rotation_vectors(
            fixed[..., :3, :3] @ moved[..., :3, :3].swapaxes(-1, -2))
        return Residual(error, nodes, ends)

    def jacobian(self, residual: Residual, q: Array) -> Array:
        """Return the residual's derivative (K, 6 L, c) by ``coordinates``, exact where closed."""
        points = residual.ends[self._end, :, :3, 3]
        twists = self._columns.twists(self._picked, points, residual.nodes, q) * self._sign
        twists[..., :3] /= self.size
        result = np.zeros((len(self.coordinates), *residual.error.shape))
        np.add.at(result, self._target, twists)
        rows = residual.error.shape[0] * residual.error.shape[2]
        return result.transpose(2, 1, 3, 0).reshape(q.shape[1], rows, len(self.coordinates))


def _turning(factors: Iterable[Factor]) -> frozenset[int]:
    """Return the coordinates that are nothing but angles in radians."""
    turning, other = set[int](), set[int]()
    for factor in factors:
        if factor.angle[0] and factor.slide[0]:
            return frozenset()
        is_angle = abs(factor.angle[0]) == 1.0 and len(factor.coordinates) == 1
        (turning if is_angle else other).update(factor.coordinates)
    return frozenset(turning - other)


def _rotation_vectors(rotations: Array) -> Array:
    """Return the rotation vectors (..., 3) of matrices (..., 3, 3)."""
    sine = (rotations[..., AFTER, BEFORE] - rotations[..., BEFORE, AFTER]) / 2.0
    length = np.sqrt(np.sum(sine * sine, -1, keepdims=True))
    cosine = (np.einsum('...ii', rotations)[..., None] - 1.0) / 2.0
    # The sine of half a turn vanishes; any axis keeps its angle from being lost.
    sine[..., :1] += np.where(length == 0.0, TINY, 0.0)
    vectors: Array = sine / np.maximum(length, TINY) * np.arctan2(length, cosine)
    return vectors


def moving_coordinates(nodes: Sequence[TreeNode], loop: Loop) -> set[int]:
    """Return the coordinates on both paths around a loop."""
    return {
        coordinate for way in path(nodes, loop.moved.node, loop.fixed.node)
        for node in way for coordinate in nodes[node].factor.coordinates}


def independent_groups(
    nodes: Sequence[TreeNode], loops: Sequence[Loop], leader: Indices,
) -> list[Loops]:
    """Return the loops in groups that share no leading coordinate, to be solved on their own."""
    groups: list[tuple[set[int], list[Loop]]] = []
    for loop in loops:
        moving = {int(leader[index]) for index in moving_coordinates(nodes, loop)}
        together = [loop]
        for others, members in [group for group in groups if group[0] & moving]:
            moving |= others
            together = members + together
        groups = [group for group in groups if not group[0] & moving] + [(moving, together)]
    return [Loops(nodes, members) for _, members in groups]
