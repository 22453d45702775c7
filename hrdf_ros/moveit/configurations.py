# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Random configurations of a robot."""

from __future__ import annotations

from collections.abc import Iterator

from hrdf_ros.kinematics.transforms import Array
from hrdf_ros.model import Model
import numpy as np

_BLOCK = 250
"""The number of configurations that are computed together."""
_AT_LIMITS = 4
"""Every fourth configuration has joints at their limits, where rare collisions are."""


class Configurations:
    """
    Random configurations (K, n), in rad and m, of a Model; equal seeds give equal configurations.

    Coordinates are uniform within their limits. Without limits, angles are from -pi to pi, and
    lengths are 0.
    """

    def __init__(self, model: Model, *seed: int) -> None:
        angle = np.array([coordinate.kind == 'angle' for coordinate in model.coordinates], bool)
        reach = np.where(angle, np.pi, 0.0)
        lower = np.array([coordinate.lower for coordinate in model.coordinates])
        upper = np.array([coordinate.upper for coordinate in model.coordinates])
        self._limited = np.isfinite(lower) & np.isfinite(upper)
        self._least = np.where(self._limited, np.minimum(lower, upper), -reach)
        self._most = np.where(self._limited, np.maximum(lower, upper), reach)
        self._balls = [
            list(motion.coordinates) for joint in model.joints for motion in joint.motions
            if motion.kind == 'rotation_vector']
        self._random = np.random.default_rng(list(seed))

    def uniform(self, count: int) -> Array:
        rows = self._random.uniform(self._least, self._most, (count, len(self._least)))
        for ball in self._balls:
            rows[:, ball] = _rotation_vectors(self._random.normal(size=(count, 4)))
        return rows

    def blocks(self, samples: int) -> Iterator[Array]:
        """Yield blocks of configurations, some of which have joints at their limits."""
        for start in range(0, samples, _BLOCK):
            rows = self.uniform(min(_BLOCK, samples - start))
            sides = self._random.integers(0, 4, rows.shape)
            sides[np.arange(len(rows)) % _AT_LIMITS != 0] = 0
            rows = np.where(self._limited & (sides == 1), self._least, rows)
            yield np.where(self._limited & (sides == 2), self._most, rows)

    def around(self, rows: Array, count: int, size: float) -> Array:
        """
        Return configurations (K, count, n) near others (K, n).

        ``size`` is the standard deviation of a step, as a fraction of the range of each
        coordinate.
        """
        shape = (len(rows), count, len(self._least))
        steps = self._random.normal(size=shape) * size * (self._most - self._least)
        steps *= self._random.integers(0, 2, shape)
        result: Array = np.clip(rows[:, None] + steps, self._least, self._most)
        return result


def _rotation_vectors(quaternions: Array) -> Array:
    """Return the rotation vectors (K, 3), rad, of quaternions (K, 4), w first, of any length."""
    w, axis = quaternions[:, :1], quaternions[:, 1:]
    length = np.linalg.norm(axis, axis=1, keepdims=True)
    result: Array = axis / length * 2.0 * np.arctan2(length, w)
    return result
