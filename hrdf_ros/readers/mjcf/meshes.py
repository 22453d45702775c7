# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Mass, inertia and fitted shapes of meshes, computed by MuJoCo (``mujoco-core``) if it is installed.

MuJoCo runs in a separate process (``mujoco_process``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Optional

from hrdf_ros.inertia import from_tensor, Inertia
from hrdf_ros.mujoco_process import ask, MujocoFailedError
from hrdf_ros.pose import from_quaternion, IDENTITY, Pose, Vector


class Measured(NamedTuple):
    """
    What MuJoCo computed for a geom: its inertia and its shape, in the frame of the file.

    ``fault`` says why there is no result.
    """

    inertia: Optional[Inertia]
    size: Vector = (0.0, 0.0, 0.0)
    pose: Pose = IDENTITY
    fault: str = ''


def measure(requests: Sequence[str]) -> list[Measured]:
    """Return MuJoCo's answer about each model that ``request`` made, faults if MuJoCo fails."""
    try:
        answers = ask(__name__, requests)
    except MujocoFailedError:
        answers = None
    return list(map(_measured, answers or [{'fault': 'MuJoCo failed'}] * len(requests)))


def _measured(answer: dict[str, Any]) -> Measured:
    if 'fault' in answer:
        return Measured(None, fault=answer['fault'])
    w, i, j, k = answer['iquat']
    inertia = from_tensor(
        answer['mass'], from_quaternion(answer['ipos'], (i, j, k, w)),
        (*answer['inertia'], 0.0, 0.0, 0.0))
    w, i, j, k = answer['quat']
    return Measured(inertia, answer['size'], from_quaternion(answer['pos'], (i, j, k, w)))


def request(mesh: str, geom: str, fitaabb: bool = False, extension: str = '') -> str:
    """
    Return a model of one body whose geom is a mesh, a shape fitted to a mesh, or a shell.

    All arguments are XML; ``extension`` declares plugins.
    """
    return (
        f'<mujoco><compiler angle="radian" inertiafromgeom="true" usethread="false" '
        f'fitaabb="{str(fitaabb).lower()}" balanceinertia="true"/>{extension}'
        f'<asset>{mesh}</asset><worldbody><body>{geom}</body></worldbody></mujoco>')


# ---- the process that has MuJoCo

def _answer(text: str) -> dict[str, Any]:
    import mujoco
    try:
        model = mujoco.MjModel.from_xml_string(text)
    except ValueError as error:
        return {'fault': str(error).splitlines()[0]}
    return {
        'mass': float(model.body_mass[1]), 'inertia': model.body_inertia[1].tolist(),
        'ipos': model.body_ipos[1].tolist(), 'iquat': model.body_iquat[1].tolist(),
        'size': model.geom_size[0].tolist(), 'pos': model.geom_pos[0].tolist(),
        'quat': model.geom_quat[0].tolist()}



def answer(requests: Sequence[str]) -> list[dict[str, Any]]:
    """Return MuJoCo's answers; this function runs in MuJoCo's process."""
    return list(map(_answer, requests))
