# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Compare two MJCF files as MuJoCo compiles them: a source, and what was written from it.

`answer` runs in MuJoCo's process. Elements are compared by name; those without a name in
the source are compared by their place among the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
import math
import random
from typing import Any, NamedTuple, Optional

from hrdf_ros.mujoco_process import ask

_CONFIGURATIONS = 3
"""The number of random configurations that are compared, besides the initial and the zero one."""
_TOLERANCE = 1e-8
"""The largest difference of numbers, relative above 1; MuJoCo's own rounding is less."""
_SMALL = 1e-6
"""The largest relative difference of masses and moments, which may all be small."""
_JOINT = (
    'dof_damping', 'dof_armature', 'dof_frictionloss', 'jnt_stiffness', 'qpos_spring',
    'qpos0', 'jnt_margin', 'jnt_solref', 'jnt_solimp')
_ACTUATOR = (
    'actuator_gaintype', 'actuator_gainprm', 'actuator_biastype', 'actuator_biasprm',
    'actuator_dyntype', 'actuator_dynprm', 'actuator_gear')
_RANGES = {
    'joint': (('jnt_limited', 'jnt_range'), ('jnt_actfrclimited', 'jnt_actfrcrange')),
    'actuator': (
        ('actuator_ctrllimited', 'actuator_ctrlrange'),
        ('actuator_forcelimited', 'actuator_forcerange'),
        ('actuator_actlimited', 'actuator_actrange'))}
"""The attributes that are ranges, each with the switch that says whether it limits."""


class Comparison(NamedTuple):
    """
    The differences of two files: a line for each difference, and what was compared.

    ``refused`` is MuJoCo's message about the source, or '' if it was compared.
    """

    differences: tuple[str, ...] = ()
    links: int = 0
    configurations: int = 0
    refused: str = ''


def compare(source: str, result: str, *, merged: bool) -> Comparison:
    """
    Return how MuJoCo's model of a result differs from that of its source; both are files.

    ``merged`` says that links were merged, so that bodies may be missing and others heavier. A
    MujocoFailedError says that MuJoCo did not answer.
    """
    answer = ask(__name__, {'source': source, 'result': result, 'merged': merged})
    return Comparison(
        tuple(answer['differences']), answer['links'], answer['configurations'],
        answer['refused'])


# ---- the process that has MuJoCo

class _Compiled(NamedTuple):
    """A compiled model, and the index of each of its elements by kind and name."""

    model: Any
    indices: Mapping[str, Mapping[str, int]]


def answer(request: Mapping[str, Any]) -> dict[str, Any]:
    """Return the differences; this function runs in MuJoCo's process."""
    import mujoco
    try:
        source = mujoco.MjModel.from_xml_path(request['source'])
    except ValueError as error:
        return Comparison(refused=str(error))._asdict()
    ours, theirs = _named(source), _named(mujoco.MjModel.from_xml_path(request['result']))
    theirs = _with_places(ours, theirs)
    merged = request['merged']
    shared = ours.indices['body'].keys() & theirs.indices['body'].keys()
    differences = [
        *(() if merged else _missing(ours, theirs)), *_settings(ours, theirs),
        *(() if merged else _inertias(ours, theirs)), *_joints(ours, theirs),
        *_actuators(ours, theirs), *_poses(ours, theirs)]
    return Comparison(tuple(differences), len(shared), _CONFIGURATIONS + 2)._asdict()


def _named(model: Any) -> _Compiled:
    counts = {'body': model.nbody, 'joint': model.njnt, 'actuator': model.nactuator}
    return _Compiled(model, {
        kind: {getattr(model, kind)(index).name or _place(kind, index): index
               for index in range(count)} for kind, count in counts.items()})


def _place(kind: str, index: int) -> str:
    return f'{kind} {index}'


def _with_places(ours: _Compiled, theirs: _Compiled) -> _Compiled:
    """Return the second model, whose unnamed elements get the words of the first."""
    indices = {}
    for kind, names in theirs.indices.items():
        known = ours.indices[kind]
        is_parallel = len(known) == len(names)
        indices[kind] = {
            _place(kind, index) if is_parallel and _place(kind, index) in known else name: index
            for name, index in names.items()}
    return theirs._replace(indices=indices)


def _pairs(ours: _Compiled, theirs: _Compiled, kind: str) -> Iterator[tuple[str, int, int]]:
    """Yield the name and both indices of the elements of a kind that both models have."""
    others = theirs.indices[kind]
    for name, index in ours.indices[kind].items():
        if name in others:
            yield name, index, others[name]


def _missing(ours: _Compiled, theirs: _Compiled) -> Iterator[str]:
    for kind in ('body', 'joint', 'actuator'):
        for name in ours.indices[kind]:
            if name not in theirs.indices[kind]:
                yield f"{kind} '{name}' is missing"


def _settings(ours: _Compiled, theirs: _Compiled) -> Iterator[str]:
    a, b = ours.model, theirs.model
    for name in ('timestep', 'gravity', 'density', 'viscosity', 'wind', 'impratio'):
        yield from _differing('option', name, getattr(a.opt, name), getattr(b.opt, name))
    yield from _differing('model', 'mass', float(a.body_mass.sum()), float(b.body_mass.sum()))


def _inertias(ours: _Compiled, theirs: _Compiled) -> Iterator[str]:
    for name, a, b in _pairs(ours, theirs, 'body'):
        what = f"body '{name}'"
        mass, other = (float(model.body_mass[index]) for model, index in (
            (ours.model, a), (theirs.model, b)))
        yield from _differing(what, 'mass', mass, other, _SMALL * mass)
        if mass > 0.0:
            yield from _differing(
                what, 'center', ours.model.body_ipos[a], theirs.model.body_ipos[b])
            moments = _tensor(ours.model, a)
            yield from _differing(
                what, 'inertia', moments, _tensor(theirs.model, b), _SMALL * max(moments))


def _tensor(model: Any, body: int) -> list[float]:
    """Return the inertia tensor (9 numbers) of a body about its center, in its axes."""
    import mujoco
    import numpy as np
    entries = np.zeros(9)
    mujoco.mju_quat2Mat(entries, model.body_iquat[body])
    turn = entries.reshape(3, 3)
    found: list[float] = (turn @ np.diag(model.body_inertia[body]) @ turn.T).ravel().tolist()
    return found


def _joints(ours: _Compiled, theirs: _Compiled) -> Iterator[str]:
    for name, a, b in _pairs(ours, theirs, 'joint'):
        what = f"joint '{name}'"
        yield from _differing(what, 'type', ours.model.jnt_type[a], theirs.model.jnt_type[b])
        yield from _ranges(what, 'joint', ours.model, a, theirs.model, b)
        first, second = ours.model.joint(a), theirs.model.joint(b)
        for field in _JOINT:
            short = field.partition('_')[2] if field[:4] in ('dof_', 'jnt_') else field
            wanted, found = getattr(first, short), getattr(second, short)
            yield from _differing(
                what, short, wanted, _turned_alike(found, wanted) if 'qpos' in field else found)


def _turned_alike(positions: Any, others: Any) -> Any:
    """
    Return the positions of a joint with the quaternion of the sign that the others have.

    A quaternion and its negative are the same orientation. Hinges and slides have one position
    and no quaternion.
    """
    result = positions.copy()
    if len(result) == len(others) >= 4 and result[-4:] @ others[-4:] < 0.0:
        result[-4:] *= -1.0
    return result


def _actuators(ours: _Compiled, theirs: _Compiled) -> Iterator[str]:
    for name, a, b in _pairs(ours, theirs, 'actuator'):
        what = f"actuator '{name}'"
        for field in _ACTUATOR:
            yield from _differing(
                what, field.removeprefix('actuator_'), getattr(ours.model, field)[a],
                getattr(theirs.model, field)[b])
        yield from _ranges(what, 'actuator', ours.model, a, theirs.model, b)


def _ranges(what: str, kind: str, ours: Any, a: int, theirs: Any, b: int) -> Iterator[str]:
    for switch, field in _RANGES[kind]:
        limited, other = bool(getattr(ours, switch)[a]), bool(getattr(theirs, switch)[b])
        name = field.partition('_')[2]
        if limited != other:
            yield f'{what}: {name} {"is" if limited else "is not"} limited in the source alone'
        elif limited:
            yield from _differing(what, name, getattr(ours, field)[a], getattr(theirs, field)[b])


def _poses(ours: _Compiled, theirs: _Compiled) -> Iterator[str]:
    """Yield the bodies whose poses differ, with the first configuration where they do."""
    shared = [(name, a, b) for name, a, b in _pairs(ours, theirs, 'body') if a]
    found: dict[str, str] = {}
    for count in range(_CONFIGURATIONS + 2):
        first, second = _configured(ours, theirs, count)
        for name, a, b in shared:
            for line in (*_differing(f"body '{name}'", 'position', first.xpos[a], second.xpos[b]),
                         *_differing(f"body '{name}'", 'rotation', first.xmat[a], second.xmat[b])):
                found.setdefault(name, f'{line} (configuration {count})')
    yield from found.values()


def _configured(ours: _Compiled, theirs: _Compiled, count: int) -> tuple[Any, Any]:
    """Return the data of both models in the initial, the zero or a random configuration."""
    import mujoco
    first, second = mujoco.MjData(ours.model), mujoco.MjData(theirs.model)
    draw = random.Random(count)
    for _, a, b in _pairs(ours, theirs, 'joint') if count else ():
        values = first.joint(a).qpos
        moved = [0.0 if count == 1 else draw.uniform(-1.0, 1.0) for _ in values]
        if len(moved) > 1:
            norm = math.hypot(*moved[-4:])
            moved[-4:] = [part / norm for part in moved[-4:]] if norm else [1.0, 0.0, 0.0, 0.0]
        first.joint(a).qpos, second.joint(b).qpos = moved, moved
    mujoco.mj_kinematics(ours.model, first)
    mujoco.mj_kinematics(theirs.model, second)
    return first, second


def _differing(
    what: str, name: str, a: Any, b: Any, tolerance: Optional[float] = None,
) -> Iterator[str]:
    """Yield a line if numbers or arrays of numbers differ; NaN equals NaN."""
    import numpy as np
    first, second = (np.atleast_1d(np.asarray(value, float)).ravel() for value in (a, b))
    if first.shape == second.shape:
        least = _TOLERANCE if tolerance is None else tolerance
        allowed = np.maximum(least, _TOLERANCE * np.abs(first)) if tolerance is None else least
        both_nan = np.isnan(first) & np.isnan(second)
        if (both_nan | (np.abs(first - second) <= allowed)).all():
            return
    yield f'{what}: {name} {_text(first)} in the source, {_text(second)} in the result'


def _text(values: Any) -> str:
    shown: list[float] = values.tolist()
    while len(shown) > 1 and shown[-1] == 0.0:
        shown.pop()
    return ' '.join(f'{value:.9g}' for value in shown)
