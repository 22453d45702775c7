# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Solving the equations of closed loops.

Damped Gauss-Newton, the damping falling with the square of the residual, so that convergence
is quadratic even where equations are redundant (a planar mechanism in space).
"""

from __future__ import annotations

import math
from typing import NamedTuple

from hrdf_ros.kinematics.coordinates import MimicSolver
from hrdf_ros.kinematics.loops import Loops, Residual
from hrdf_ros.kinematics.transforms import Array, Indices
import numpy as np
from numpy.typing import NDArray

EXACT = 1e-14
# After a step this small the next one would be below the resolution of a float.
LAST_STEP = 1e-8
MOST_ITERATIONS = 50
# Coordinates of loops that depend on each other: the cost of a step grows with their cube.
MOST_UNKNOWNS = 300
# The least singular value, relative to the greatest, that counts as one.
RANK = 1e-6


class Solution(NamedTuple):
    """
    The norm of the residual (K,) before and after.

    ``settled`` tells whether more iterations would not change it.
    """

    before: Array
    after: Array
    settled: bool


class Equations:
    """
    Loops as equations in the coordinates ``moving`` that move them, mimics substituted.

    ``units`` (m,) are what changes the residual by about 1 at the configuration ``initial``: they
    make meters, radians and gear ratios comparable. Arrays of coordinates are (n + 1, K), the
    last row zero. Residuals are relative: translations to the size of the loops, rotations to a
    radian. ``are_too_many`` tells that there are more coordinates than can be solved for,
    ``turning`` (m,) of which coordinates a whole turn changes nothing.
    """

    def __init__(self, loops: Loops, mimic_solver: MimicSolver, initial: Array) -> None:
        self.loops = loops
        self._mimic_solver = mimic_solver
        leaders = mimic_solver.leader[list(loops.coordinates)]
        multipliers = mimic_solver.multiplier[list(loops.coordinates)]
        self.moving: Indices = np.array(sorted(set(leaders.tolist())), dtype=np.intp)
        self.are_too_many = len(self.moving) > MOST_UNKNOWNS
        self._column = np.searchsorted(self.moving, leaders)
        self._factor = multipliers
        self.turning = self._turning()
        self.units: Array = np.ones(len(self.moving))
        if not self.are_too_many:
            size = np.linalg.norm(self.slopes(initial)[0], axis=0)
            self.units = 1.0 / np.where(size > 0.0, size, 1.0)
            self._factor = multipliers * self.units[self._column]

    def _turning(self) -> NDArray[np.bool_]:
        others = {
            int(self.moving[column])
            for index, column, factor in zip(
                self.loops.coordinates, self._column.tolist(), self._factor.tolist())
            if index not in self.loops.turning or abs(factor) != 1.0}
        return ~np.isin(self.moving, list(others))

    def move(self, q: Array, moving: Indices, values: Array) -> None:
        """Set some of the moving coordinates, and the mimic coordinates with them."""
        q[self.moving[moving]] = values
        self._mimic_solver.apply(q[:-1].T)

    def residual_norm(self, q: Array) -> Array:
        """Return the norm of the residual (K,)."""
        return np.sqrt(self.loops.residual(q).squared_norm())

    def slopes(self, q: Array) -> Array:
        """Return the derivative (K, 6 L, m) of the residual by the moving coordinates in units."""
        return self._slopes(self.loops.residual(q), q, np.arange(len(self.moving)))

    def _slopes(self, residual: Residual, q: Array, moving: Indices) -> Array:
        jacobian = self.loops.jacobian(residual, q) * self._factor
        if len(self._column) == len(self.moving):
            return np.asarray(jacobian[..., np.argsort(self._column)[moving]])
        slopes = np.zeros((*jacobian.shape[:-1], len(self.moving)))
        for index, column in enumerate(self._column.tolist()):
            slopes[..., column] += jacobian[..., index]
        return np.asarray(slopes[..., moving])

    def solve(
        self, q: Array, free: Indices, limit: float = math.inf, most: int = MOST_ITERATIONS,
    ) -> Solution:
        """
        Close the loops by some of the moving coordinates, in place, in at most so many iterations.

        Nothing is done if the residual exceeds the limit in every configuration.
        """
        step: Array = np.full(1, math.inf)
        residual = self.loops.residual(q)
        square = first = residual.squared_norm()
        settled = False
        for _ in range(most if np.any(first < limit * limit) and len(free) else 0):
            settled = not (np.any(square > EXACT * EXACT) and np.any(np.abs(step) > LAST_STEP))
            if settled:
                break
            step = self._step(residual, q, free)
            self.move(q, free, q[self.moving[free]] - step * self.units[free, None])
            residual = self.loops.residual(q)
            square = residual.squared_norm()
        return Solution(np.sqrt(first), np.sqrt(square), settled)

    def _step(self, residual: Residual, q: Array, free: Indices) -> Array:
        """Return the step (f, K) to subtract from the free coordinates, in units."""
        slopes = self._slopes(residual, q, free)
        transposed = slopes.swapaxes(-1, -2)
        normal = transposed @ slopes
        diagonal = np.arange(len(free))
        normal[:, diagonal, diagonal] += residual.squared_norm()[:, None] + RANK * RANK
        step = np.linalg.solve(normal, transposed @ residual.equations())
        return np.asarray(step[..., 0].T, dtype=np.float64)
