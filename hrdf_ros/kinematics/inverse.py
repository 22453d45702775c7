# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Inverse kinematics for many targets at once.

The method is damped least squares (Levenberg and Marquardt) within the limits: a step leaves out
the coordinates that are at a limit and would exceed it. Targets that are not reached are tried
again from other starts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from hrdf_ros.kinematics.configuration_space import ConfigurationSpace
from hrdf_ros.kinematics.loop_equations import rotation_vectors
from hrdf_ros.kinematics.transforms import Array
import numpy as np
from numpy.typing import NDArray

STARTS = 20
"""The maximum number of starts for each target; all but the first are random."""
ITERATIONS = 60
"""The maximum number of steps from one start."""
REACHED = 1e-6
"""The largest error of a target that counts as reached, in meters and radians."""
_ROUNDING = 1e-12
"""The residual below which no further step is taken, in radians and in sizes of the robot."""
_STEP = 0.5
"""The longest step of a coordinate: in radians, or for a length in sizes of the robot."""
_LIMIT_SLACK = 1e-9
"""The distance by which rounding may put a coordinate outside its limits, in radians or meters."""


class IkResult(NamedTuple):
    """
    Configurations (n,) or (K, n) in which a frame is at its targets, or as near as found.

    ``reached`` is true for errors of at most a micrometer and a microradian, with all coordinates
    within their limits. ``position_error`` is in meters, ``angle_error`` in radians (0 if only the
    position counts); ``iterations`` is the sum over all starts.

    >>> from hrdf_ros import Kinematics
    >>> arm = Kinematics.load('examples/hrdf/arm_6dof.hrdf')
    >>> far = arm.pose('tool').copy()
    >>> far[:3, 3] = 9.0
    >>> found = arm.ik('tool', far)
    >>> bool(found.reached), found.q.shape
    (False, (6,))
    """

    q: Array
    reached: NDArray[np.bool_]
    position_error: Array
    angle_error: Array
    iterations: NDArray[np.intp]


class IkSolver:
    """
    Inverse kinematics of one frame of a robot.

    ``pose`` and ``jacobian`` return the frame's pose and Jacobian in configurations (K, n);
    ``size`` (m) is the size of the robot.
    """

    def __init__(
        self, space: ConfigurationSpace, pose: Callable[[Array], Array],
        jacobian: Callable[[Array], Array], size: float, position_only: bool,
    ) -> None:
        self._space, self._pose, self._jacobian = space, pose, jacobian
        self._rows = 3 if position_only else 6
        self._weights = np.repeat((1.0 / size, 1.0), 3)
        mimics = space.dependent_solver().mimic_solver
        self._low, self._high = space.lower, space.upper
        for index in mimics.indices:
            leader, multiplier = mimics.leader[index], mimics.multiplier[index]
            if multiplier:
                ends = np.array([space.lower[index], space.upper[index]]) - mimics.offset[index]
                low, high = sorted(ends / multiplier)
                self._low[leader] = max(self._low[leader], low)
                self._high[leader] = min(self._high[leader], high)

    def solve(self, targets: Array, starts: Array, rng: np.random.Generator) -> IkResult:
        """Return configurations for root_from_frame (K, 4, 4); the first starts are (K, n)."""
        lower, upper = self._space.lower - _LIMIT_SLACK, self._space.upper + _LIMIT_SLACK
        best = starts.copy()
        errors = np.full((len(targets), 2), np.inf)
        reached = np.zeros(len(targets), dtype=bool)
        iterations = np.zeros(len(targets), dtype=np.intp)
        for attempt in range(STARTS):
            left = np.flatnonzero(~reached)
            if not len(left):
                break
            begin = starts[left] if attempt == 0 else np.array(
                [self._space.random_configuration(rng) for _ in left])
            q, taken = self._descend(targets[left], begin)
            iterations[left] += taken
            twists = self._residual(q, targets[left])
            found = np.sqrt(np.sum(twists.reshape(-1, 2, 3) ** 2, 2))
            better = found.sum(1) < errors[left].sum(1)
            best[left[better]], errors[left[better]] = q[better], found[better]
            reached[left] = (errors[left].max(1) <= REACHED) & (
                (best[left] >= lower) & (best[left] <= upper)).all(1)
        return IkResult(best, reached, errors[:, 0], errors[:, 1], iterations)

    def _residual(self, q: Array, targets: Array) -> Array:
        """Return the twists (K, 6), in meters and radians, that move the frame to its targets."""
        poses = self._pose(q)
        twists = np.zeros((len(q), 6))
        twists[:, :3] = targets[:, :3, 3] - poses[:, :3, 3]
        if self._rows == 6:
            twists[:, 3:] = rotation_vectors(targets[:, :3, :3] @ poses[:, :3, :3].swapaxes(1, 2))
        return twists

    def _descend(self, targets: Array, starts: Array) -> tuple[Array, NDArray[np.intp]]:
        """Return the configurations that steps from the starts reach, and the number of steps."""
        q = self._space.resolve(np.clip(starts, self._low, self._high))
        residual = self._residual(q, targets) * self._weights
        damping = np.full(len(q), 1e-3)
        taken = np.zeros(len(q), dtype=np.intp)
        for _ in range(ITERATIONS):
            square = np.sum(residual * residual, 1)
            going = np.flatnonzero((square > _ROUNDING * _ROUNDING) & (damping < 1e6))
            if not len(going):
                break
            taken[going] += 1
            step = self._step(q[going], residual[going], damping[going])
            tried = self._space.resolve(np.clip(q[going] + step, self._low, self._high))
            after = self._residual(tried, targets[going]) * self._weights
            is_better = np.sum(after * after, 1) < square[going]
            accepted = going[is_better]
            q[accepted], residual[accepted] = tried[is_better], after[is_better]
            damping[accepted] = np.maximum(damping[accepted] * 0.1, 1e-14)
            damping[going[~is_better]] *= 10.0
        return q, taken

    def _step(self, q: Array, residual: Array, damping: Array) -> Array:
        """Return the steps (K, n) of damped least squares within the limits."""
        rows, diagonal = slice(self._rows), np.arange(self._rows)
        jacobian = self._jacobian(q)[:, rows] * self._weights[rows, None]
        gradient = np.einsum('kin,ki->kn', jacobian, residual[:, rows])
        blocked = ((q <= self._low) & (gradient < 0.0)) | ((q >= self._high) & (gradient > 0.0))
        jacobian = np.where(blocked[:, None], 0.0, jacobian)
        normal = jacobian @ jacobian.swapaxes(1, 2)
        normal[:, diagonal, diagonal] += damping[:, None]
        solved = np.linalg.solve(normal, residual[:, rows, None])
        step = (jacobian.swapaxes(1, 2) @ solved)[..., 0]
        longest = np.abs(step).max(1, initial=0.0)[:, None]
        limited: Array = step * np.minimum(1.0, _STEP / np.maximum(longest, 1e-300))
        return limited
