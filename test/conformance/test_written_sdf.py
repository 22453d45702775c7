# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""SDFs written from real robots: libsdformat accepts them and finds every frame where we do."""

from __future__ import annotations

from collections.abc import Iterator
import json
from pathlib import Path
import random
import subprocess
from typing import Any

from conformance.record import references
from helpers.loading import model_of
from helpers.robots import name_of, read, robots
from helpers.sdf_texts import with_names_of_sdf
from hrdf_ros.kinematics import Kinematics
from hrdf_ros.load import load_model
from hrdf_ros.model import Model
from hrdf_ros.pose import from_quaternion, Pose, to_matrix
from hrdf_ros.writers.sdf import write_sdf
import numpy as np
import pytest

FILES = pytest.mark.parametrize(
    'file', robots('.hrdf', '.sdf', '.skel', '.urdf', '.world'), ids=name_of)


@pytest.fixture(scope='module')
def libsdformat(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Compile the program that tells what libsdformat 12 makes of a file; return its command."""
    command = references('', '', '', tmp_path_factory.mktemp('libsdformat'))['sdf']
    if not command:
        pytest.skip('libsdformat 12 (libsdformat-dev) is not installed')
    return command


@FILES
def test_libsdformat_finds_every_frame_where_we_do(
    file: Path, libsdformat: list[str], tmp_path: Path,
) -> None:
    model = model_of(read(file))
    text, _ = write_sdf(model, version='1.8')
    model = with_names_of_sdf(model)
    written = tmp_path / 'written.sdf'
    written.write_text(text, encoding='utf-8')
    answer = json.loads(subprocess.run(
        [*libsdformat, str(written)], capture_output=True, text=True, cwd=tmp_path).stdout)
    assert answer['status'] == 'ok'
    ours = at_zero(model)
    compared = {name: pose for name, pose in poses(answer) if name in ours}
    bodies = {body.name for body in model.bodies if '::' not in body.name and body.name != 'world'}
    assert bodies - {model.root} <= set(compared) | {'world_root'}
    for name, pose in compared.items():
        assert matrix(pose) == pytest.approx(ours[name], abs=1e-9), name


@FILES
def test_what_is_read_again_moves_alike(file: Path) -> None:
    model = model_of(read(file))
    again = load_model(write_sdf(model)[0], format='sdf')
    model = with_names_of_sdf(model)
    first, second = Kinematics(model), Kinematics(again)
    names = new_names(model, again)
    rng = random.Random(1)
    q = {name: rng.uniform(-0.5, 0.5) for name in first.independent}
    if first.topology.loops:
        # which joint of a loop is cut differs, so that all are given
        q = dict(zip(first.coordinates, first.resolve(q)))
    moved = second.fk({names[name]: value for name, value in q.items()})
    at = {frame.name: index for index, frame in enumerate(again.frames)}
    for index, frame in enumerate(model.frames):
        if frame.kind == 'link' and frame.name in at and frame.name != 'world':
            assert moved[at[frame.name]] == pytest.approx(first.fk(q)[index], abs=1e-9), frame.name


def new_names(model: Model, again: Model) -> dict[str, str]:
    """Return what each coordinate is called in the file."""
    known = {item.name for item in again.coordinates}
    found = {}
    for item in model.coordinates:
        plain = item.name.replace('::', '/')
        found[item.name] = plain if plain in known else f'{plain}_joint'
    for joint in model.joints:
        coordinates = [index for motion in joint.motions for index in motion.coordinates]
        for index, suffix in zip(coordinates, 'xyz' if len(coordinates) == 3 else '12'):
            name = model.coordinates[index].name
            if found[name] not in known:
                found[name] = f'{joint.name}_{suffix}'
    return found


def at_zero(model: Model) -> dict[str, np.ndarray]:
    """Return root_from_frame by name; coordinates zero, which mimics need not be."""
    free = model._replace(coordinates=tuple(
        item._replace(mimic=None, initial_position=0.0) for item in model.coordinates))
    frames = Kinematics(free).fk([0.0] * len(model.coordinates))
    return {frame.name: frames[index] for index, frame in enumerate(model.frames)}


def poses(answer: dict[str, Any]) -> Iterator[tuple[str, Pose]]:
    """Yield the links and frames of an answer with the names that the Model has for them."""
    models = [(answer['model'], '')] if answer.get('model') else []
    for world in answer.get('worlds', []):
        models += [(inner, inner['name'] + '/') for inner in world['models']]
    for inner, prefix in models:
        models += [(nested, f"{prefix}{nested['name']}/") for nested in inner['models']]
        for item in inner['links']:
            x, y, z, qw, qx, qy, qz = item['pose_root']
            yield prefix + item['name'], from_quaternion((x, y, z), (qx, qy, qz, qw))


def matrix(pose: Pose) -> np.ndarray:
    found = np.eye(4)
    found[:3, :3] = np.array(to_matrix(pose)).reshape(3, 3)
    found[:3, 3] = pose.position
    return found
