# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Print MuJoCo's answer to one MJCF file as JSON: python mujoco_core.py FILE (mujoco-core 4.0.1).

``samples`` are configurations: qpos, then the position and rotation matrix (row by row) of every
named body and site in the world. Inertias are about the center of mass, in the axes of the body.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import mujoco
import numpy as np

SAMPLES = 2
FREE, BALL = int(mujoco.mjtJoint.mjJNT_FREE), int(mujoco.mjtJoint.mjJNT_BALL)


def configuration(model: Any, sample: int) -> np.ndarray:
    """Return qpos0 for the first sample, then other configurations that never change."""
    qpos = model.qpos0.copy()
    if sample:
        qpos += 0.3 * np.sin(np.arange(model.nq) * 1.7 + sample)
        for joint in range(model.njnt):
            first = model.jnt_qposadr[joint]
            first += 3 if model.jnt_type[joint] == FREE else 0
            if model.jnt_type[joint] in (FREE, BALL):
                qpos[first:first + 4] /= np.linalg.norm(qpos[first:first + 4])
    return qpos


def places(names: list[str], positions: Any, matrices: Any) -> dict[str, list[list[float]]]:
    """Return position and rotation of everything that has a name."""
    return {name: [positions[index].tolist(), matrices[index].tolist()]
            for index, name in enumerate(names) if name}


def inertia(model: Any, body: int) -> list[Any]:
    """Return mass, center of mass and tensor (xx, yy, zz, xy, xz, yz) of a body."""
    turn = np.zeros(9)
    mujoco.mju_quat2Mat(turn, model.body_iquat[body])
    turn = turn.reshape(3, 3)
    tensor = turn @ np.diag(model.body_inertia[body]) @ turn.T
    return [float(model.body_mass[body]), model.body_ipos[body].tolist(),
            [float(tensor[pair]) for pair in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]]


def describe(model: Any) -> dict[str, Any]:
    """Return all that is compared."""
    data = mujoco.MjData(model)
    bodies = [model.body(index).name for index in range(model.nbody)]
    sites = [model.site(index).name for index in range(model.nsite)]
    samples = []
    for sample in range(SAMPLES):
        data.qpos[:] = configuration(model, sample)
        mujoco.mj_kinematics(model, data)
        samples.append({
            'qpos': data.qpos.tolist(), 'bodies': places(bodies, data.xpos, data.xmat),
            'sites': places(sites, data.site_xpos, data.site_xmat)})
    return {
        'joints': [int(kind) for kind in model.jnt_type],
        'limits': [row.tolist() if limited else None for row, limited in zip(
            model.jnt_range, model.jnt_limited)],
        'damping': [float(model.dof_damping[at]) for at in model.jnt_dofadr],
        'inertias': {name: inertia(model, index) for index, name in enumerate(bodies)
                     if index and name},
        'actuators': int(model.nu), 'samples': samples}


def main() -> None:
    """Print the answer to the file that is named."""
    answer: dict[str, Any] = {'reference': f'MuJoCo {mujoco.__version__}'}
    try:
        model = mujoco.MjModel.from_xml_path(sys.argv[1])
    except ValueError as error:
        answer |= {'status': 'error', 'message': str(error).splitlines()[0]}
    else:
        answer |= {'status': 'ok', **describe(model)}
    print(json.dumps(answer))


if __name__ == '__main__':
    main()
