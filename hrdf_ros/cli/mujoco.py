# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf convert --verify``: let MuJoCo load the result, and the source if that is MJCF."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
import os
import re
import sys
from tempfile import TemporaryDirectory
from typing import Any, TYPE_CHECKING

from hrdf_ros.cli.conversion import Conversion
from hrdf_ros.cli.output import say, STANDARD_STREAM
from hrdf_ros.listing import and_more, count_of
from hrdf_ros.lowering.mjcf import WORLD
from hrdf_ros.model import Joint, Model
from hrdf_ros.mujoco_process import is_available, MujocoFailedError
from hrdf_ros.readers.registry import is_native_to_mujoco
from hrdf_ros.topology import span
from hrdf_ros.writers.files import Written

if TYPE_CHECKING:
    from hrdf_ros.diff import Largest
    from hrdf_ros.kinematics import Kinematics
    from hrdf_ros.lowering.contacts import Pair
    from hrdf_ros.writers.mjcf import Simulation

_CONFIGURATIONS = 3
"""
The number of configurations in which poses are compared with MuJoCo's: the initial and two random
ones.
"""
_AGREES = 1e-8
"""
The largest difference from MuJoCo that counts as agreement, in meters, entries of a rotation
matrix and kilograms; it is relative for values above 1.
"""
_LINE = re.compile(r', line (\d+)')
_SHOWN = 20
"""The maximum number of differences that are printed."""
_STEP = 1e-4
"""The step, in radians or meters, of the central difference of the potential energy."""
_GRAVITY = 1e-6
"""
The largest difference of gravity torques that counts as agreement, in N m or N.

It is relative for torques above 1. Rounding errors are smaller.
"""


def is_verified_by_mujoco(
    model: Model, again: Model, written: Written, conversion: Conversion,
) -> bool:
    """Return whether MuJoCo reads the result as it is meant; print the differences."""
    if not is_available():
        say('not verified by MuJoCo: mujoco-core is not installed', sys.stderr)
        return True
    from hrdf_ros.writers.mjcf import stage
    with TemporaryDirectory() as directory:
        file = stage(written.text, written.files, directory)
        try:
            if not _is_loaded(file, again, written):
                return False
            found = [
                *_differences(file, model, conversion), *_failures(file, model, again, conversion)]
        except MujocoFailedError as error:
            say(f'not verified: MuJoCo does not end well: {error}', sys.stderr)
            return False
    for line in found[:_SHOWN]:
        say(line, sys.stderr)
    if found[_SHOWN:]:
        say(and_more(len(found) - _SHOWN, 'lines'), sys.stderr)
    return not found


def _is_loaded(file: str, again: Model, written: Written) -> bool:
    """Return whether MuJoCo loads the result, and agrees with our own reader about it."""
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


def _loads_source(model: Model, conversion: Conversion) -> bool:
    """Return whether MuJoCo can load the source as well."""
    source = str(conversion.reading.request.source)
    return is_native_to_mujoco(model) and source != STANDARD_STREAM


def _differences(file: str, model: Model, conversion: Conversion) -> Sequence[str]:
    """Return the differences that MuJoCo finds between the result and a source in MJCF."""
    if not _loads_source(model, conversion):
        return ()
    from hrdf_ros.writers.mjcf import compare
    source = os.path.abspath(str(conversion.reading.request.source))
    found = compare(source, file, merged=conversion.changes.merges_fixed)
    if found.refused:
        say(f'not compared with the source: refused by MuJoCo: {" ".join(found.refused.split())}',
            sys.stderr)
    elif not found.differences:
        say(f'MuJoCo finds source and result the same: {count_of(found.links, "link")} in '
            f'{found.configurations} configurations', sys.stderr)
    return [f'MuJoCo differs: {line}' for line in found.differences]


# ---- the simulation

def _failures(
    file: str, model: Model, again: Model, conversion: Conversion,
) -> list[str]:
    """Return a line for each fault that shows when MuJoCo simulates the result."""
    from hrdf_ros.writers.mjcf import simulate
    is_mjcf = model.conventions.states_contacts
    tree = _open_tree(again)
    efforts = _efforts(again, tree.model.joints)
    static = [body.name for body in again.bodies if body.static or body.name == WORLD]
    found = simulate(file, efforts, static)
    lines = [f'the simulation fails: {warning}' for warning in found.warnings]
    lines += _cure(found.unstable, model) if found.unstable else []
    lines += [
        f"'{first}' and '{second}' touch at the start, and do not in the source"
        for first, second in _unexpected(found, model, conversion)]
    lines += [
        f"joint '{name}' is held by contacts: a small torque moves it {free:.3g}, but {real:.3g} "
        'with contacts' for name, (free, real) in found.held.items()
        if not (is_mjcf and found.contacts)]
    ours = _gravity_torques(again, tree, found.gravity)
    lines += [
        f"gravity pulls joint '{name}' with {theirs:.9g} in MuJoCo, {ours[name]:.9g} here"
        for name, theirs in found.torques.items() if name in ours
        and abs(theirs - ours[name]) > _GRAVITY * max(1.0, abs(theirs))]
    if not lines:
        say(f'MuJoCo simulates it: 1 s without warning, {count_of(len(efforts), "joint")} moved, '
            'the torques of gravity are the same', sys.stderr)
    return lines


def _cure(unstable: str, model: Model) -> Iterator[str]:
    """Yield a line that locates the joint that became unstable, and says how to stabilize it."""
    coordinate = next((one for one in model.coordinates if one.name == unstable), None)
    place = coordinate.location.resolve() if coordinate and coordinate.location else None
    yield (
        f"{f'{place}: ' if place else ''}joint '{unstable}' is unstable there: give the joints "
        'around it damping, the links masses, or MuJoCo a shorter timestep')


def _unexpected(found: Simulation, model: Model, conversion: Conversion) -> Iterator[Pair]:
    """Yield the pairs of links that touch at the start although they should not."""
    from hrdf_ros.listing import GroupedDiagnostics
    from hrdf_ros.lowering import lower
    from hrdf_ros.lowering.contacts import find_contacts
    from hrdf_ros.writers.mjcf import simulate
    if model.conventions.states_contacts:
        if _loads_source(model, conversion) and not conversion.changes.merges_fixed:
            source = os.path.abspath(str(conversion.reading.request.source))
            known = {pair for pair in simulate(source, {}, ()).contacts if all(pair)}
            yield from (pair for pair in found.contacts if all(pair) and pair not in known)
        return
    assert conversion.target is not None
    lowered = lower(model, conversion.target)
    contacts = find_contacts(lowered.model, lowered.topology, (), GroupedDiagnostics())
    robot_of = {
        name: robot for robot, group in zip(contacts.robots, contacts.groups) for name in group}
    for first, second in found.contacts:
        if first in robot_of and robot_of[first] == robot_of.get(second) and not (
                {first, second} & contacts.self_colliding):
            yield first, second


def _efforts(model: Model, joints: Iterable[Joint]) -> dict[str, float]:
    """Return the efforts of the coordinates that mimic no other and are alone in their motion."""
    moved = (
        model.coordinates[motion.coordinates[0]] for joint in joints for motion in joint.motions
        if len(motion.coordinates) == 1
        and all(each.kind != 'rotation_vector' for each in joint.motions))
    return {one.name: one.effort for one in moved if one.mimic is None}


def _gravity_torques(
    model: Model, tree: Kinematics, gravity: Sequence[float],
) -> dict[str, float]:
    """Return the gradient of the potential energy at the start, by name of coordinate."""
    start = tree.initial_configuration()
    frames = {frame.name: index for index, frame in enumerate(model.frames)}
    heavy = [(frames[body.name], body.inertia) for body in model.bodies if body.inertia]

    def energy(values: Any) -> float:
        poses = tree.fk(values)
        return -float(sum(
            inertia.mass * sum(
                pull * (poses[frame][row, 3] + sum(
                    poses[frame][row, column] * inertia.pose[column] for column in range(3)))
                for row, pull in enumerate(gravity))
            for frame, inertia in heavy))

    found = {}
    for index, coordinate in enumerate(tree.model.coordinates):
        energies = []
        for step in (_STEP, -_STEP):
            values = start.copy()
            values[index] += step
            energies.append(energy(values))
        found[coordinate.name] = float(energies[0] - energies[1]) / (2.0 * _STEP)
    return found


# ---- MuJoCo's own poses and masses

def _configurations(model: Model) -> list[tuple[list[float], Any]]:
    """
    Return the initial and random configurations of the Model of an MJCF, with loops open.

    Each is MuJoCo's ``qpos``, with world_from_frame (F, 4, 4) of all frames.
    """
    from random import Random

    from hrdf_ros.writers.mjcf import positions
    tree = _open_tree(model)
    joints, count = tree.model.joints, len(tree.model.coordinates)
    random = Random(0)
    found = []
    for index in range(_CONFIGURATIONS):
        values = tree.initial_configuration().tolist() if index == 0 else [
            random.uniform(-1.0, 1.0) for _ in range(count)]
        found.append((
            [value for joint in joints for value in positions(joint, values)], tree.fk(values)))
    return found


def _open_tree(model: Model) -> Kinematics:
    """Return the kinematics of the Model of an MJCF without loops and mimics."""
    from hrdf_ros.kinematics import Kinematics
    loops = set(span(model).loops)
    joints = tuple(
        joint for index, joint in enumerate(model.joints) if index not in loops)
    count = sum(len(joint.coordinates) for joint in joints)
    return Kinematics(model._replace(joints=joints, coordinates=tuple(
        one._replace(mimic=None) for one in model.coordinates[:count])))


def _agrees(model: Model, configurations: Sequence[tuple[list[float], Any]], loaded: Any) -> bool:
    """Return whether MuJoCo agrees with the Model of its file; print the largest differences."""
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
