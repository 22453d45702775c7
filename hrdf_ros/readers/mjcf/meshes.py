# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Mass, inertia and fitted shapes of meshes, by MuJoCo itself (``mujoco-core``) where it is there.

MuJoCo parses files that anybody may have written, so it runs in a process of its own, with limits.
Run as a program, this module reads requests from its standard input and prints the answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
import json
import os
import subprocess
import sys
import tempfile
from typing import Any, NamedTuple, Optional

from hrdf_ros.inertia import from_tensor, Inertia
from hrdf_ros.pose import from_quaternion, IDENTITY, Pose, Vector

_TIMEOUT = 120.0
_MEMORY = 4 << 30


class Measured(NamedTuple):
    """
    What MuJoCo made of a geom: its inertia and its shape, in the frame that the file gives it.

    ``fault`` says why it made nothing.
    """

    inertia: Optional[Inertia]
    size: Vector = (0.0, 0.0, 0.0)
    pose: Pose = IDENTITY
    fault: str = ''


def is_available() -> bool:
    """Return whether MuJoCo's Python package is installed."""
    return find_spec('mujoco') is not None


def measure(requests: Sequence[str]) -> list[Measured]:
    """Return MuJoCo's answer about each model (``request``); faults where its process fails."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(__file__))))
    path = [root, *filter(None, sys.path)]  # not the working directory: not trusted
    code = f'import sys; sys.path[:] = {path!r}; from {__name__} import main; main()'
    try:
        with tempfile.TemporaryDirectory() as directory:  # MuJoCo writes its log there
            done = subprocess.run(
                [sys.executable, '-c', code], input=json.dumps(requests), text=True,
                capture_output=True, timeout=_TIMEOUT, cwd=directory)
        answers = json.loads(done.stdout) if done.returncode == 0 else None
    except (OSError, subprocess.TimeoutExpired, ValueError):
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
    Return a model with one body, whose geom is a mesh, is fitted to one, or is a shell.

    All are XML; ``extension`` declares plugins.
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


def main() -> None:
    """Answer the requests on the standard input."""
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    sys.stdout.write(json.dumps([_answer(text) for text in json.load(sys.stdin)]))
