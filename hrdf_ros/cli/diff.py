# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf diff``, and ``hrdf convert --verify``: a result compared with its source."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
import json
from math import inf
import os
from pathlib import Path
import sys
from typing import Any, TYPE_CHECKING

from hrdf_ros.cli.loading import limits, load_file, READING, refuse_without_effect
from hrdf_ros.cli.options import command, Option, valid
from hrdf_ros.cli.output import count_of, errors_as, say, show, UsageError
from hrdf_ros.load import load
from hrdf_ros.model import Model
from hrdf_ros.topology import span

if TYPE_CHECKING:
    from hrdf_ros.diff import Difference, Largest
    from hrdf_ros.lowering.target import Target

_MUJOCO = (sys.executable, '-c', """
import json, sys
del sys.path[0]  # nothing is imported from the working directory
import mujoco
model = mujoco.MjModel.from_xml_path(sys.argv[1])
data, bodies, poses = mujoco.MjData(model), range(model.nbody), []
for qpos in json.load(sys.stdin):
    data.qpos[:] = qpos
    mujoco.mj_kinematics(model, data)
    poses.append([(data.xpos[body].tolist(), data.xmat[body].tolist()) for body in bodies])
print(json.dumps({
    'names': [model.body(body).name for body in bodies], 'poses': poses,
    'masses': model.body_mass.tolist()}))
""")
_REFERENCES: dict[str, tuple[str, tuple[str, ...]]] = {
    'urdf': ('check_urdf', ('check_urdf',)), 'sdf': ('gz sdf -k', ('gz', 'sdf', '-k')),
    'mjcf': ('MuJoCo', _MUJOCO)}
"""Programs that read a target as its consumers do, by name."""
_SECONDS = 60.0
_CONFIGURATIONS = 3
_VERIFIED = 1e-9
"""Meters, kilograms, kg m^2: greater differences are none of rounding."""
_ADDED_MASS = 1e-8
"""The same for MJCF, in which moving links without mass get some."""


@command(
    Option('A', 'a description in any format, - for standard input'), Option('B', 'another'),
    Option(
        '--tolerance T',
        'how far numbers may differ: meters, radians, kilograms (default 1e-9)',
        valid(lambda text: value if 0.0 <= (value := float(text)) < inf else None,
              'a number from 0 up'),
        1e-9),
    Option(
        '--common', 'compare items of both only: a URDF has no frames but links, SDFormat has '
        'them all'),
    Option('--json', 'write the differences as JSON, and nothing else'), READING)
def hrdf_diff(options: argparse.Namespace) -> int:
    """
    Compare the meaning of two descriptions, in any formats.

    Frames and their poses, joints and their motions, limits, masses and inertias
    are compared by names and numbers, not by the way they are written.

    for example:
      hrdf diff arm.hrdf arm.urdf                 did the conversion keep everything
      hrdf diff arm.hrdf arm.urdf --common        is what it kept the same
      hrdf diff old.sdf new.sdf --tolerance 1e-4
      hrdf diff old.sdf new.sdf --json            see hrdf schema diff

    Exit status: 0 the same, 1 different, 2 a file cannot be read, or wrong usage.
    """
    files = [options.a, options.b]
    loaded = [load_file(file, options) for file in files]
    models = [one.model for one in loaded if one.model is not None]
    differences: list[Difference] = []
    if is_read := len(models) == len(files):
        refuse_without_effect(options, {model.format for model in models})
        from hrdf_ros.diff import diff_models  # compares poses, with numpy
        with errors_as(UsageError, OverflowError):
            found = diff_models(*models, tolerance=options.tolerance)
        differences = [one for one in found if not (options.common and one.is_of_one)]
    if options.json:
        from hrdf_ros.cli.report_formats import diagnostic_json, render
        print(render({
            'equal': is_read and not differences, 'files': files,
            'differences': [one._asdict() for one in differences],
            'diagnostics': [
                diagnostic_json(one, file) for file, result in zip(files, loaded)
                for one in result.report]}))
    else:
        show([one for result in loaded for one in result.report], options, least='error')
        for one in differences:
            say(f'{one.what} {one.name}: {one.a} -> {one.b}')
    return (1 if differences else 0) if is_read else 2


# ---- hrdf convert --verify

def verify(
    model: Model, text: str, meshes: Mapping[str, bytes], target: Target,
    options: argparse.Namespace,
) -> bool:
    """Read a text again, print how far it agrees with the Model, and return whether it does."""
    from hrdf_ros.diff import agreement
    from hrdf_ros.lowering import lower
    again = load(
        text, path=options.path, packages=dict(options.package), limits=limits(options),
        placeholders=True).model
    if again is None:
        say('not verified: the result cannot be read', sys.stderr)
        return False
    renamed = {} if options.to == 'urdf' else _renamed(model, lower(model, target).model)
    try:
        found = agreement(model, again, renamed)
    except OverflowError as error:
        say(f'not verified: {error}', sys.stderr)
        return False
    holds = found.holds(_ADDED_MASS if options.to == 'mjcf' else _VERIFIED)
    missing = f', {len(found.missing)} are missing' if found.missing else ''
    say(
        f'{"verified" if holds else "not verified"}: {count_of(found.frames, "frame")} in '
        f'{found.configurations} configurations, {count_of(found.links, "link")}{missing}; '
        f'largest differences {_text(found.pose, "m or rad")}, {_text(found.mass, "kg")}, '
        f'{_text(found.inertia, "kg m^2")}', sys.stderr)
    return holds and _is_accepted(text, again, meshes, options)


def _renamed(model: Model, lowered: Model) -> dict[str, str]:
    """Return the names in the target of links and of the frames that it writes."""
    names = {frame._replace(name='', source_name=''): frame.name for frame in lowered.frames}
    return {
        **{frame.name: names.get(frame._replace(name='', source_name=''), frame.name)
           for frame in model.frames},
        **{body.name: other.name for body, other in zip(model.bodies, lowered.bodies)}}


def _is_accepted(
    text: str, again: Model, meshes: Mapping[str, bytes], options: argparse.Namespace,
) -> bool:
    """Return whether the target's own reader accepts a text and agrees, if it is installed."""
    from shutil import which
    import subprocess
    from tempfile import TemporaryDirectory
    name, program = _REFERENCES[options.to]
    if which(program[0]) is None or options.to == 'mjcf' and find_spec('mujoco') is None:
        return True
    configurations = _configurations(again) if options.to == 'mjcf' else []
    with TemporaryDirectory() as directory:
        beside = os.path.dirname(os.path.abspath(options.output))
        for mesh, data in meshes.items():
            copy = os.path.join(directory, os.path.basename(mesh))
            Path(copy).write_bytes(data)
            text = text.replace(os.path.normpath(os.path.join(beside, mesh)), copy)
        file = Path(directory, f'robot.{options.to}')
        file.write_text(text, encoding='utf-8')
        try:
            found = subprocess.run(
                [*program, file], capture_output=True, text=True, errors='replace',
                input=json.dumps([qpos for qpos, _ in configurations]), timeout=_SECONDS,
                check=False, cwd=directory)  # MuJoCo writes its log there
        except (OSError, subprocess.TimeoutExpired) as error:
            say(f'not checked by {name}: {error}', sys.stderr)
            return True
    if found.returncode:
        say(f'refused by {name}', sys.stderr)
        for line in found.stderr.splitlines():
            say(line, sys.stderr)
        return False
    say(f'accepted by {name}', sys.stderr)
    return not configurations or _agrees(again, configurations, json.loads(found.stdout))


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


def _agrees(
    model: Model, configurations: Sequence[tuple[list[float], Any]], answer: dict[str, Any],
) -> bool:
    """Print how far MuJoCo agrees with the Model of its file, and return whether it does."""
    from hrdf_ros.diff import Largest
    frames = {frame.name: index for index, frame in enumerate(model.frames)}
    names = [name for name in answer['names'] if name in frames]
    pose = mass = Largest()
    for (_, ours), theirs in zip(configurations, answer['poses']):
        for name, (position, rotation) in zip(answer['names'], theirs):
            if name in frames:
                matrix = ours[frames[name]]
                pose = pose.or_greater(max(
                    abs(a - b) / max(1.0, abs(b)) for a, b in zip(
                        (*matrix[:3, 3], *matrix[:3, :3].ravel()), (*position, *rotation))), name)
    own = {body.name: body.inertia.mass if body.inertia else 0.0 for body in model.bodies[1:]}
    for name, value in zip(answer['names'], answer['masses']):
        if name in own:
            mass = mass.or_greater(abs(value - own[name]) / max(1.0, own[name]), name)
    holds = max(pose.value, mass.value) <= _ADDED_MASS
    say(
        f'MuJoCo {"agrees" if holds else "differs"}: {count_of(len(names), "link")} in '
        f'{len(configurations)} configurations; largest differences '
        f'{_text(pose, "m or rad")}, {_text(mass, "kg")}', sys.stderr)
    return holds


def _text(largest: Largest, unit: str) -> str:
    return f'{largest.value:.2g} {unit}' + (f" ('{largest.name}')" if largest.name else '')
