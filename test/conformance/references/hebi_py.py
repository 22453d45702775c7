# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Print hebi-py's answer to one HRDF file as JSON: python hebi_py.py FILE (pip install hebi-py).

Poses are 12 numbers, the upper rows of the matrix, in the robot's base and in hebi-py's order.
"""

from __future__ import annotations

from importlib.metadata import version
import json
import math
import sys
from typing import Any

from hebi import robot_model
import numpy as np

KINDS = ('output', 'com', 'endeffector')
SAMPLES = 3
GRAVITY = np.array([3.0, -4.0, 5.0])


def configurations(model: Any) -> list[np.ndarray]:
    """Return the zero configuration and some others, the same for every file."""
    count = model.dof_count
    return [np.array([sample * math.sin(3.0 * sample + index) for index in range(count)])
            for sample in range(SAMPLES)]


def poses(model: Any, kind: str, q: np.ndarray) -> list[list[float]]:
    """Return the poses of the frames of a kind."""
    if not model.get_frame_count(kind):
        return []
    return [[round(float(value), 9) for value in frame[:3].ravel()]
            for frame in model.get_forward_kinematics(kind, q)]


def gravity_torques(model: Any, q: np.ndarray) -> list[float]:
    """Return the efforts that hold the robot against a gravity along no axis."""
    if not model.dof_count:
        return []
    return [round(float(value), 9) for value in model.get_grav_comp_efforts(q, GRAVITY)]


def describe(model: Any) -> dict[str, Any]:
    """Return what hebi-py says about a robot."""
    dofs = model.dof_count
    return {
        'masses': model.masses.tolist(),
        'max_speeds': model.max_speeds.tolist() if dofs else [],
        'max_efforts': model.max_efforts.tolist() if dofs else [],
        'samples': [
            {'q': q.tolist(), 'gravity': gravity_torques(model, q),
             **{kind: poses(model, kind, q) for kind in KINDS}}
            for q in configurations(model)],
    }


def main(path: str) -> None:
    """Read a file and print the answer."""
    answer: dict[str, Any] = {'reference': f'hebi-py {version("hebi-py")}'}
    try:
        model = robot_model.import_from_hrdf(path, warning_callback=lambda _: None)
    except (RuntimeError, ValueError) as error:
        reason = str(error).removeprefix(f'Failed to import HRDF file {path}: ')
        answer.update(status='refused', error=reason)
    else:
        answer.update(status='ok', **describe(model))
    print(json.dumps(answer))


if __name__ == '__main__':
    main(sys.argv[1])
