# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The transforms of many joints at once, as TF requires them: a translation and a quaternion each.

Quaternions come out of one product with constant matrices instead of out of rotation matrices.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Optional, Union

from hrdf_ros.kinematics.joint_factors import Factor, joint_factors, tree_joint
from hrdf_ros.kinematics.transforms import (
    Array,
    compose,
    cross,
    Indices,
    multiply,
    rotate,
    turn,
)
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

    The first factors of all joints are computed together, then the second ones of joints with
    several, and so on. ``at_zero`` (m, 7) has the numbers that never change,
    ``changing`` (c,) the places of all others in it, counted through its rows; ``terms``
    computes these where no joint has several factors, else it is None.
    """

    def __init__(self, model: Model, topology: Topology, joints: Sequence[int]) -> None:
        body = {joint: index for index, joint in enumerate(topology.joint)}
        pieces: list[_Piece] = []
        self.at_zero = np.zeros((len(joints), 7))
        for row, index in enumerate(joints):
            found, after = joint_factors(tree_joint(model, topology, body[index]))
            self.at_zero[row] = after
            pieces += [
                _Piece(row, stage, factor, IDENTITY if factor is not found[-1] else after)
                for stage, factor in enumerate(found)]
        self._stages = [
            (group[0].stage > 0, np.array([piece.row for piece in group]), kind(group))
            for group, kind in _groups(pieces)]
        self.changing: Indices = np.arange(self.at_zero.size)
        self.terms: Optional[SinusoidTerms] = None
        first = self._stages[0][2] if len(self._stages) == 1 else None
        if isinstance(first, _Screws) and [piece.row for piece in pieces] == [*range(len(joints))]:
            self.at_zero, self.changing, self.terms = first.at_zero, first.changing, first.terms

    def transforms(self, q: Array) -> Array:
        """
        Return parent_from_child (m, 7) of the joints for all coordinates ``q`` (n,).

        Parent and child are those of the tree, and every coordinate counts as it is in ``q``.
        """
        result = self.at_zero.copy()
        if self.terms is not None:
            result.reshape(-1)[self.changing] = self.terms(q)
            return result
        for is_later, rows, kind in self._stages:
            step = kind(q)
            result[rows] = compose(result[rows], step) if is_later else step
        return result

    def numbers(self, q: Array) -> Array:
        """Return the numbers that change (c,) for all coordinates ``q`` (n,)."""
        return self.transforms(q).reshape(-1) if self.terms is None else self.terms(q)


class SinusoidTerms:
    """
    Numbers of a coordinate each: ``base + slope q + amplitude sin(rate q + phase)``.

    Where all origins are on the axes, as in every URDF without prismatic joints, the sine
    suffices.
    """

    def __init__(
        self, coordinates: Indices, base: Array, slope: Array, amplitude: Array, rate: Array,
        phase: Array,
    ) -> None:
        self._coordinates = coordinates
        self._rate = rate
        self._base = base
        self._slope = slope
        self._amplitude = amplitude
        self._phase = phase
        self._is_sine = not (base.any() or slope.any())

    def __call__(self, q: Array) -> Array:
        """Return the numbers (c,) for coordinates (n,)."""
        own = q.take(self._coordinates)
        numbers = own * self._rate
        numbers += self._phase
        np.sin(numbers, out=numbers)
        numbers *= self._amplitude
        if not self._is_sine:
            numbers += own * self._slope + self._base
        return numbers


class _Screws:
    """
    Factors with one coordinate.

    The numbers of a quaternion turn with half the angle, those of a translation with the angle.
    """

    def __init__(self, pieces: Sequence[_Piece]) -> None:
        weights = _weights(pieces)
        row, column = np.nonzero(weights[:, 1:].any(axis=1))
        angle = np.array([piece.factor.angle for piece in pieces])[row].T
        angle = np.where(column < 3, angle, angle / 2.0)
        base, cosine, sine, slope = weights[row, :, column].T
        self.at_zero = weights[:, 0]
        self.changing = 7 * row + column
        self.terms = SinusoidTerms(
            np.array([piece.factor.coordinates[0] for piece in pieces])[row], base, slope,
            np.hypot(cosine, sine), angle[0], angle[1] + np.arctan2(cosine, sine))

    def __call__(self, q: Array) -> Array:
        """Return the transforms (k, 7) for coordinates (n,)."""
        step: Array = self.at_zero.copy()
        step.reshape(-1)[self.changing] = self.terms(q)
        return step


def _weights(pieces: Sequence[_Piece]) -> Array:
    """Return the coefficients of 1, cosine, sine and q of each number: (k, 4, 7)."""
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
