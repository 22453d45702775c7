# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Where a robot is looked at from, so that all of it is seen, whatever its size."""

from __future__ import annotations

from math import cos, radians, sin
from typing import NamedTuple

from hrdf_ros.pose import from_matrix, Vector
from hrdf_ros.view.scene import Scene
import numpy as np

FIELD_OF_VIEW = 0.8
"""Radians, from bottom to top of the picture."""
CORNER = (-40.0, 24.0)
"""Degrees: where it is looked at from where nothing else is said, azimuth and elevation."""


class Camera(NamedTuple):
    """A camera: where it is and what it looks at (m), what it sees at all from near to far."""

    position: Vector
    look_at: Vector
    near: float
    far: float

    @property
    def wxyz(self) -> tuple[float, float, float, float]:
        """The orientation: z is forwards, y is down."""
        forwards = np.subtract(self.look_at, self.position)
        forwards /= np.linalg.norm(forwards)
        right = np.cross(forwards, (0.0, 0.0, 1.0))
        right /= np.linalg.norm(right)
        matrix = np.column_stack((right, np.cross(forwards, right), forwards))
        x, y, z, w = from_matrix((0.0, 0.0, 0.0), matrix.ravel().tolist()).orientation
        return w, x, y, z


def camera(
    scene: Scene, azimuth: float, elevation: float, *, aspect: float = 1.0, reach: float,
) -> Camera:
    """
    Return the camera that sees a scene from a direction, in degrees.

    ``aspect`` is the width of the picture by its height; ``reach``, by the scene's size, the
    radius of the ball around its center that is seen.
    """
    size = max(scene.size, 1e-6)
    turn, rise = radians(azimuth), radians(elevation)
    direction = np.array([cos(turn) * cos(rise), sin(turn) * cos(rise), sin(rise)])
    distance = reach * size / sin(0.5 * FIELD_OF_VIEW) / min(aspect, 1.0)
    x, y, z = (np.asarray(scene.center) + distance * direction).tolist()
    return Camera((x, y, z), scene.center, 0.002 * size, 200.0 * size)
