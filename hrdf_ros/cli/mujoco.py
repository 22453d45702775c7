# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf convert --verify`` for MuJoCo: it loads the result, and the source where that is MJCF."""

from __future__ import annotations

from collections.abc import Sequence
import os
import re
import sys
from tempfile import TemporaryDirectory
from typing import Any, TYPE_CHECKING

from hrdf_ros.cli.conversion import Conversion
from hrdf_ros.cli.output import count_of, say, STANDARD_STREAM
from hrdf_ros.model import Model
from hrdf_ros.mujoco_process import is_available, MujocoFailedError
from hrdf_ros.topology import span
from hrdf_ros.writers.files import Written

if TYPE_CHECKING:
    from hrdf_ros.diff import Largest

_CONFIGURATIONS = 3
_AGREES = 1e-8
"""Meters, entries of a rotation, kilograms."""
_LINE = re.compile(r', line (\d+)')
_SHOWN = 20
"""Differences that are printed."""


def is_verified_by_mujoco(
    model: Model, again: Model, written: Written, conversion: Conversion,
) -> bool:
    """Return whether MuJoCo takes a result as it is meant; print what it finds."""
    if not is_available():
        say('not verified by MuJoCo: mujoco-core is not installed', sys.stderr)
        return True
    from hrdf_ros.writers.mjcf import stage
    with TemporaryDirectory() as directory:
        file = stage(written.text, written.files, directory)
        try:
            return _is_loaded(file, again, written) and (
                model.format != 'mjcf' or _is_like_its_source(file, conversion))
        except MujocoFailedError as error:
            say(f'not verified by MuJoCo: {error}', sys.stderr)
            return True


def _is_loaded(file: str, again: Model, written: Written) -> bool:
    """Return whether MuJoCo loads a result and agrees with our own reading of it."""
    from hrdf_ros.writers.mjcf import load_in_mujoco
    configurations = _configurations(again)
    loaded = load_in_mujoco(file, [qpos for qpos, _ in configurations])
    if loaded.refused:
        line = _LINE.search(loaded.refused)
        origin = written.origins().get(int(line[1])) if line else None
        place = f'{origin.resolve()}: ' if origin else ''
        say(f'{place}refused by MuJoCo: {" ".join(loaded.refused.split())}', sys.stderr)
        return False
    say('accepted by MuJoCo', sys.stderr)
    return _agrees(again, configurations, loaded)


def _is_like_its_source(file: str, conversion: Conversion) -> bool:
    """Return whether MuJoCo makes the same of a result and of the MJCF that it was made of."""
    source = str(conversion.reading.request.source)
    if source == STANDARD_STREAM:
        say('not compared with the source in MuJoCo: it is no file', sys.stderr)
        return True
    from hrdf_ros.writers.mjcf import compare
    found = compare(os.path.abspath(source), file, merged=conversion.changes.merges_fixed)
    if found.refused:
        say(f'not compared with the source: refused by MuJoCo: {" ".join(found.refused.split())}',
            sys.stderr)
        return True
    for line in found.differences[:_SHOWN]:
        say(f'MuJoCo differs: {line}', sys.stderr)
    if found.differences[_SHOWN:]:
        say(f'and {len(found.differences) - _SHOWN} differences more', sys.stderr)
    if not found.differences:
        say(f'MuJoCo finds source and result the same: {count_of(found.links, "link")} in '
            f'{found.configurations} configurations', sys.stderr)
    return not found.differences


# ---- MuJoCo's own poses and masses

def _configurations(model: Model) -> list[tuple[list[float], Any]]:
    """
    Return the initial and random configurations of a Model of MJCF, its loops open.

    Each is MuJoCo's ``qpos``, and world_from_frame (F, 4, 4) of all frames there.
    """
    from random import Random

    from hrdf_ros.kinematics import Kinematics
    from hrdf_ros.writers.mjcf import positions
    loops = set(span(model).loops)
    joints = tuple(
        joint for index, joint in enumerate(model.joints) if index not in loops)
    count = sum(len(motion.coordinates) for joint in joints for motion in joint.motions)
    tree = Kinematics(model._replace(joints=joints, coordinates=tuple(
        one._replace(mimic=None) for one in model.coordinates[:count])))
    random = Random(0)
    found = []
    for index in range(_CONFIGURATIONS):
        values = tree.initial_configuration().tolist() if index == 0 else [
            random.uniform(-1.0, 1.0) for _ in range(count)]
        found.append((
            [value for joint in joints for value in positions(joint, values)], tree.fk(values)))
    return found


def _agrees(model: Model, configurations: Sequence[tuple[list[float], Any]], loaded: Any) -> bool:
    """Print how far MuJoCo agrees with the Model of its file, and return whether it does."""
    from hrdf_ros.diff import Largest
    frames = {frame.name: index for index, frame in enumerate(model.frames)}
    names = [name for name in loaded.names if name in frames]
    pose = mass = Largest()
    for (_, ours), theirs in zip(configurations, loaded.poses):
        for name, (position, rotation) in zip(loaded.names, theirs):
            if name in frames:
                matrix = ours[frames[name]]
                pose = pose.or_greater(max(
                    abs(a - b) / max(1.0, abs(b)) for a, b in zip(
                        (*matrix[:3, 3], *matrix[:3, :3].ravel()), (*position, *rotation))), name)
    own = {body.name: body.inertia.mass if body.inertia else 0.0 for body in model.bodies[1:]}
    for name, value in zip(loaded.names, loaded.masses):
        if name in own:
            mass = mass.or_greater(abs(value - own[name]) / max(1.0, own[name]), name)
    holds = max(pose.value, mass.value) <= _AGREES
    say(
        f'MuJoCo {"agrees" if holds else "differs"}: {count_of(len(names), "link")} in '
        f'{len(configurations)} configurations; largest differences '
        f'{_text(pose, "m or rad")}, {_text(mass, "kg")}', sys.stderr)
    return holds


def _text(largest: Largest, unit: str) -> str:
    return f'{largest.value:.2g} {unit}' + (f" ('{largest.name}')" if largest.name else '')
