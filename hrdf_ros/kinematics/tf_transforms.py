# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The transforms of many joints at once, as TF requires them: a translation and a quaternion each.

The quaternions are products with constant matrices; no rotation matrix is computed.
"""

from collections.abc import Sequence
from typing import NamedTuple

from hrdf_ros.kinematics.transforms import (
    Array,
    compose,
    cross,
    Indices,
    multiply,
    rotate,
    turn,
)
from hrdf_ros.kinematics.tree_layout import joint_nodes, Node, tree_joint
from hrdf_ros.model import Model
from hrdf_ros.pose import IDENTITY, Pose
from hrdf_ros.topology import Topology
import numpy as np


class _Piece(NamedTuple):
    """The ``stage``-th motion of the joint in a row, and the fixed transform after it."""

    row: int
    stage: int
    node: Node
    after: Pose


class TfTransforms:
    """
    Joints of the tree, by their indices in the model, that are computed together.

    The motions of all joints are computed at once. Then each motion is multiplied with the one
    before it in the same joint, stage by stage. ``at_zero`` (m, 7) has the transforms at zero, and
    ``changing`` (c,) the flat indices of those of its numbers that depend on coordinates.
    """

    def __init__(self, model: Model, topology: Topology, joints: Sequence[int]) -> None:
        pieces, self.at_zero = _pieces(model, topology, joints)
        rows, stages = (np.array([piece[each] for piece in pieces], np.intp) for each in (0, 1))
        self._stages = [(rows[stages == stage], np.flatnonzero(stages == stage))
                        for stage in range(max(stages, default=-1) + 1)]
        is_vector = np.array([len(piece.node.coordinates) == 3 for piece in pieces], bool)
        self._turning = np.flatnonzero(is_vector)
        vectors = [piece for piece in pieces if len(piece.node.coordinates) == 3]
        self._before = np.array([piece.node.before for piece in vectors])
        self._after = np.array([piece.after for piece in vectors])
        self._triples = np.array([piece.node.coordinates for piece in vectors])
        self._angle = np.array([piece.node.angle for piece in vectors])
        weights = _weights(pieces)
        weights[is_vector, 1:] = 0.0
        self._steps = weights[:, 0]
        # Each number is base + slope q + amplitude sin(rate q + phase). The numbers of a
        # quaternion turn with half the angle, those of a translation with the angle. For six
        # joints one sine takes 5 us; a sine and a cosine would take 10 us.
        at, column = np.nonzero(weights[:, 1:].any(axis=1))
        angle = np.reshape([piece.node.angle for piece in pieces], (-1, 2))[at].T
        angle = np.where(column < 3, angle, angle / 2.0)
        self._places = 7 * at + column
        self._coordinates = np.array(
            [piece.node.coordinates[0] for piece in pieces], np.intp)[at]
        self._base, cosine, sine, self._slope = weights[at, :, column].T
        self._amplitude = np.hypot(cosine, sine)
        self._rate, self._phase = angle[0], angle[1] + np.arctan2(cosine, sine)
        self._is_sine = not (self._base.any() or self._slope.any())
        self._is_simple = bool(pieces) and not is_vector.any() and (
            rows.tolist() == [*range(len(joints))])
        self.changing: Indices = np.arange(self.at_zero.size)
        if self._is_simple:  # every joint is one motion of one coordinate
            self.at_zero, self.changing = self._steps, self._places

    def transforms(self, q: Array) -> Array:
        """
        Return parent_from_child (m, 7) of the joints for all coordinates ``q`` (n,).

        Parent and child are those of the tree. Every coordinate is used as it is in ``q``; none is
        computed.
        """
        steps = self._steps.copy()
        steps.reshape(-1)[self._places] = self._terms(q)
        if self._is_simple:
            return steps
        if len(self._turning):
            vectors = q[self._triples] * self._angle[:, :1] + self._angle[:, 1:]
            steps[self._turning] = compose(self._before, compose(turn(vectors), self._after))
        result = self.at_zero.copy()
        for stage, (rows, pieces) in enumerate(self._stages):
            result[rows] = compose(result[rows], steps[pieces]) if stage else steps[pieces]
        return result

    def numbers(self, q: Array) -> Array:
        """Return the numbers (c,) that depend on coordinates, for all coordinates ``q`` (n,)."""
        return self._terms(q) if self._is_simple else self.transforms(q).reshape(-1)

    def _terms(self, q: Array) -> Array:
        """
        Return the numbers that depend on coordinates, for each motion by itself.

        If all origins are on the axes, as in every URDF without prismatic joints, only the sine is
        computed.
        """
        own = q.take(self._coordinates)
        numbers: Array = own * self._rate
        numbers += self._phase
        np.sin(numbers, out=numbers)
        numbers *= self._amplitude
        if not self._is_sine:
            numbers += own * self._slope + self._base
        return numbers


def _pieces(
    model: Model, topology: Topology, joints: Sequence[int],
) -> tuple[list[_Piece], Array]:
    """Return the motions of joints, and the fixed transform after each joint (m, 7)."""
    body = {joint: index for index, joint in enumerate(topology.joint)}
    pieces = []
    ends = np.zeros((len(joints), 7))
    for row, index in enumerate(joints):
        found, ends[row] = joint_nodes(tree_joint(model, topology, body[index]))
        pieces += [
            _Piece(row, stage, node, Pose(*ends[row]) if node is found[-1] else IDENTITY)
            for stage, node in enumerate(found)]
    return pieces, ends


def _weights(pieces: Sequence[_Piece]) -> Array:
    """Return the coefficients of 1, cosine, sine and q of each number: (k, 4, 7)."""
    before = np.reshape([piece.node.before for piece in pieces], (-1, 7))
    after = np.reshape([piece.after for piece in pieces], (-1, 7))
    axis = np.reshape([piece.node.axis for piece in pieces], (-1, 3))
    slide = np.reshape([piece.node.slide for piece in pieces], (-1, 2))
    turned, point = before[:, 3:], after[:, :3]
    along = axis * np.sum(axis * point, -1, keepdims=True)
    half_turn = np.concatenate((axis, np.zeros((len(pieces), 1))), -1)
    weights = np.zeros((len(pieces), 4, 7))
    weights[:, 0, :3] = before[:, :3] + rotate(turned, along + axis * slide[:, 1:])
    weights[:, 1, :3] = rotate(turned, point - along)
    weights[:, 2, :3] = rotate(turned, cross(axis, point))
    weights[:, 3, :3] = rotate(turned, axis * slide[:, :1])
    weights[:, 1, 3:] = multiply(turned, after[:, 3:])
    weights[:, 2, 3:] = multiply(multiply(turned, half_turn), after[:, 3:])
    return weights
