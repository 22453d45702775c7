# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The transforms of many joints at once, as TF requires them: a translation and a quaternion each.

Quaternions come out of one product with constant matrices instead of out of rotation matrices.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Union

from hrdf_ros.kinematics.joint_factors import Factor, joint_factors, tree_joint
from hrdf_ros.kinematics.transforms import Array, compose, cross, multiply, rotate, turn
from hrdf_ros.model import Model
from hrdf_ros.pose import IDENTITY, Pose
from hrdf_ros.topology import Topology
import numpy as np


class _Piece(NamedTuple):
    """The ``stage``-th factor of the joint in a row, and the fixed transform after it."""

    row: int
    stage: int
    factor: Factor
    after: Pose


class TfTransforms:
    """
    Joints of the tree, by their indices in the model, to be computed together.

    The first factors of all joints are computed together, then the second ones of those joints
    that have several, and so on.
    """

    def __init__(self, model: Model, topology: Topology, joints: Sequence[int]) -> None:
        body = {joint: index for index, joint in enumerate(topology.joint)}
        pieces: list[_Piece] = []
        self._at_zero = np.zeros((len(joints), 7))
        for row, index in enumerate(joints):
            found, after = joint_factors(tree_joint(model, topology, body[index]))
            self._at_zero[row] = after
            pieces += [
                _Piece(row, stage, factor, IDENTITY if factor is not found[-1] else after)
                for stage, factor in enumerate(found)]
        self._stages = [
            (group[0].stage > 0, np.array([piece.row for piece in group]), kind(group))
            for group, kind in _groups(pieces)]
        self._is_one_stage = (
            len(self._stages) == 1 and [piece.row for piece in pieces] == [*range(len(joints))])

    def transforms(self, q: Array) -> Array:
        """
        Return parent_from_child (m, 7) of the joints for all coordinates ``q`` (n,).

        Parent and child are those of the tree, and every coordinate counts as it is in ``q``.
        """
        if self._is_one_stage:
            return self._stages[0][2](q)
        result = self._at_zero.copy()
        for is_later, rows, kind in self._stages:
            step = kind(q)
            result[rows] = compose(result[rows], step) if is_later else step
        return result


class _Screws:
    """
    Factors with one coordinate.

    Each number of a transform that changes is ``base + amplitude sin(rate q + phase) + slope q``:
    those of a quaternion turn with half the angle, those of a translation with the angle. Where
    all origins are on the axes, as in every URDF without prismatic joints, the sine suffices.
    """

    def __init__(self, pieces: Sequence[_Piece]) -> None:
        weights = _weights(pieces)
        row, column = np.nonzero(weights[:, 1:].any(axis=1))
        angle = np.array([piece.factor.angle for piece in pieces])[row].T
        angle = np.where(column < 3, angle, angle / 2.0)
        self._base, cosine, sine, self._slope = weights[row, :, column].T
        self._amplitude = np.hypot(cosine, sine)
        self._rate, self._phase = angle[0], angle[1] + np.arctan2(cosine, sine)
        self._is_sine = not (self._base.any() or self._slope.any())
        self._coordinates = np.array([piece.factor.coordinates[0] for piece in pieces])[row]
        self._at_zero = weights[:, 0]
        self._changing = 7 * row + column

    def __call__(self, q: Array) -> Array:
        """Return the transforms (k, 7) for coordinates (n,)."""
        own = q[self._coordinates]
        numbers = own * self._rate
        numbers += self._phase
        np.sin(numbers, out=numbers)
        numbers *= self._amplitude
        if not self._is_sine:
            numbers += own * self._slope + self._base
        step: Array = self._at_zero.copy()
        step.reshape(-1)[self._changing] = numbers
        return step


def _weights(pieces: Sequence[_Piece]) -> Array:
    """Return each number's constant part, and what cosine, sine and q add: (k, 4, 7)."""
    before = np.array([piece.factor.before for piece in pieces])
    after = np.array([piece.after for piece in pieces])
    axis = np.array([piece.factor.axis for piece in pieces])
    slide = np.array([piece.factor.slide for piece in pieces])
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


class _Vectors:
    """Factors that are rotation vectors."""

    def __init__(self, pieces: Sequence[_Piece]) -> None:
        self._before = np.array([piece.factor.before for piece in pieces])
        self._after = np.array([piece.after for piece in pieces])
        self._coordinates = np.array([piece.factor.coordinates for piece in pieces])
        self._angle = np.array([piece.factor.angle for piece in pieces])

    def __call__(self, q: Array) -> Array:
        """Return the transforms (k, 7) for coordinates (n,)."""
        vectors = q[self._coordinates] * self._angle[:, :1] + self._angle[:, 1:]
        return compose(self._before, compose(turn(vectors), self._after))


def _groups(
    pieces: Sequence[_Piece],
) -> list[tuple[list[_Piece], Union[type[_Screws], type[_Vectors]]]]:
    """Return the pieces of each stage and kind that occur, the stages in order."""
    groups = []
    for stage in sorted({piece.stage for piece in pieces}):
        here = [piece for piece in pieces if piece.stage == stage]
        vectors = [piece for piece in here if len(piece.factor.coordinates) == 3]
        screws = [piece for piece in here if len(piece.factor.coordinates) == 1]
        groups += [(group, kind) for group, kind in ((screws, _Screws), (vectors, _Vectors))
                   if group]
    return groups
