# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Step an MJCF file in MuJoCo and return what happens; `answer` runs in MuJoCo's process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
import math
from typing import Any, NamedTuple, Optional

from hrdf_ros.mujoco_process import ask

_SECONDS = 1.0
"""The simulated seconds in which MuJoCo must not warn."""
_PUSHED = 0.1
"""The time in seconds for which a joint is pushed."""
_PART_OF_EFFORT = 0.01
"""The largest part of a joint's effort limit that a push uses."""
_ACCELERATION = 10.0
"""The acceleration of a push, in rad/s^2 or m/s^2: it gives 1 rad/s in 0.1 s."""
_MOST_STEPS = 5000
"""The most steps of one simulation: a tiny time step must not take forever."""
_COMMAND = 0.01
"""The command of each actuator as a part of its range, or as a number without a range."""
_COMMANDED = 5
"""The number of steps with this command."""
_MOVES = 0.1
"""The part of the larger displacement that a push in either direction must reach."""
_TURN = 0.5
"""
The angle in radians that no joint may turn by in one time step.

Of 34 public robots the 31 that fall for five seconds without a warning turn by 0.14 at most, the
three others by 1.6 and more, in the first second already.
"""
_HELD = 0.05
"""The part of a displacement that contacts may change."""

Pair = tuple[str, str]


class Simulation(NamedTuple):
    """
    The events in the simulation of a file.

    ``warnings`` are those of MuJoCo in one second, or say that a joint turns too far in a step;
    ``unstable`` is the joint that the warnings are about. ``contacts`` are the bodies that touch
    at the start. ``held`` are the joints that contacts keep from moving, with the displacement of
    each without and with contacts. ``torques`` are those of gravity (3) at the start, by joint.
    """

    warnings: Sequence[str]
    unstable: Optional[str]
    contacts: Sequence[Pair]
    held: Mapping[str, Sequence[float]]
    torques: Mapping[str, float]
    gravity: Sequence[float]


def simulate(
    file: str, joints: Mapping[str, float], surroundings: Sequence[str],
) -> Simulation:
    """
    Simulate a file for a second, then push each of the joints with an effort (N m or N).

    ``surroundings`` are the bodies that joints are pushed without: floors, for example. A
    MujocoFailedError says that MuJoCo did not answer.
    """
    found = ask(__name__, {'file': file, 'surroundings': surroundings, 'joints': {
        name: None if math.isinf(effort) else effort for name, effort in joints.items()}})
    return Simulation(**{**found, 'contacts': [
        (first, second) for first, second in found['contacts']]})


# ---- the process that has MuJoCo

def answer(request: Mapping[str, Any]) -> dict[str, Any]:
    """Simulate a file; this function runs in MuJoCo's process."""
    import mujoco
    model = mujoco.MjModel.from_xml_path(request['file'])
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    contacts = sorted({
        tuple(sorted(model.body(model.geom_bodyid[geom]).name for geom in contact.geom))
        for contact in data.contact})
    has_gravity = not model.opt.disableflags & int(
        mujoco.mjtDisableBit.mjDSBL_GRAVITY)
    torques = {
        name: float(data.qfrc_bias[model.joint(name).dofadr[0]]) for name in request['joints']}
    warnings, unstable = _fall(model)
    pushed = _Pushed(model, request['surroundings'])
    held = {} if warnings else {
        name: moved for name, effort in request['joints'].items()
        if (moved := pushed.held(name, effort))}
    return Simulation(
        warnings, unstable, contacts, held, torques,
        model.opt.gravity.tolist() if has_gravity else [0.0, 0.0, 0.0])._asdict()


def _steps(model: Any, seconds: float) -> int:
    return int(max(1, min(_MOST_STEPS, math.ceil(seconds / model.opt.timestep))))


def _fall(model: Any) -> tuple[list[str], Optional[str]]:
    """
    Return the warnings of one second, and the joint that the warnings are about.

    The second begins with a small command to each actuator.
    """
    import mujoco
    import numpy as np
    data = mujoco.MjData(model)
    ranges = np.where(model.actuator_ctrllimited, model.actuator_ctrlrange[:, 1], 1.0)
    data.ctrl[:] = _COMMAND * ranges
    turning = np.flatnonzero(model.jnt_type[model.dof_jntid] == mujoco.mjtJoint.mjJNT_HINGE)
    for step in range(_steps(model, _SECONDS)):
        if step == _COMMANDED:
            data.ctrl[:] = 0.0
        mujoco.mj_step(model, data)
        turns = np.abs(data.qvel[turning]) * model.opt.timestep
        fastest = int(turning[np.argmax(turns)]) if len(turning) else 0
        found = [
            mujoco.mju_warningText(index, each.lastinfo) for index, each in enumerate(data.warning)
            if each.number]
        if not (np.isfinite(data.qpos).all() and np.isfinite(data.qvel).all()):
            found.append('a position or velocity is not a number')
        for index in (mujoco.mjtWarning.mjWARN_BADQACC, mujoco.mjtWarning.mjWARN_BADQVEL):
            if data.warning[index].number:
                fastest = data.warning[index].lastinfo
        if not found and len(turning) and turns.max() > _TURN:
            found.append(f'a joint turns by {turns.max():.2g} rad in one time step')
        if found:
            joint = model.joint(int(model.dof_jntid[fastest])).name if model.nv else ''
            return [f'{text} after {data.time:.3f} s' for text in found], joint or None
    return [], None


class _Pushed:
    """Pushes the joints of a model without surroundings and actuators, gravity compensated."""

    def __init__(self, model: Any, surroundings: Sequence[str]) -> None:
        import mujoco
        self._model = model
        bodies = {model.body(name).id for name in surroundings}
        for geom in range(model.ngeom):
            if int(model.geom_bodyid[geom]) in bodies:
                model.geom_contype[geom] = model.geom_conaffinity[geom] = 0
        self._contact = int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
        model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_ACTUATION)

    def held(self, name: str, effort: float | None) -> list[float]:
        """
        Return how far a joint moves without and with contacts, or [] if contacts change little.

        One direction of the push may be blocked because a link is in the way.
        """
        torque = self._torque(name, effort)
        moved = [
            (self._moved(name, push, contacts=False), self._moved(name, push, contacts=True))
            for push in (torque, -torque)]
        most = max(abs(free) for free, _ in moved)
        tried = [(free, real) for free, real in moved if abs(free) >= _MOVES * most > 0.0]
        if not tried or any(abs(free - real) <= _HELD * abs(free) for free, real in tried):
            return []
        return list(tried[0])

    def _torque(self, name: str, effort: float | None) -> float:
        """Return a small torque that overcomes the friction of a joint."""
        import mujoco
        import numpy as np
        model, data = self._model, mujoco.MjData(self._model)
        mujoco.mj_forward(model, data)
        index = model.joint(name).dofadr[0]
        unit, found = np.zeros((1, model.nv)), np.zeros((1, model.nv))
        unit[0, index] = 1.0
        mujoco.mj_solveM(model, data, found, unit)
        torque = _ACCELERATION / float(found[0, index])
        if effort is not None:
            torque = min(torque, _PART_OF_EFFORT * effort)
        return torque + float(model.dof_frictionloss[index])

    def _moved(self, name: str, torque: float, *, contacts: bool) -> float:
        import mujoco
        model, data = self._model, mujoco.MjData(self._model)
        flags = model.opt.disableflags
        model.opt.disableflags = flags & ~self._contact if contacts else flags | self._contact
        joint = model.joint(name)
        position, freedom = joint.qposadr[0], joint.dofadr[0]
        for _ in range(_steps(model, _PUSHED)):
            mujoco.mj_forward(model, data)
            data.qfrc_applied[:] = data.qfrc_bias
            data.qfrc_applied[freedom] += torque
            mujoco.mj_step(model, data)
        model.opt.disableflags = flags
        return float(data.qpos[position] - model.qpos0[position])
