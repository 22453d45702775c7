# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""MJCF files against what MuJoCo 4.0 answered, read and written again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from helpers.recorded import Answer, recorded
from hrdf_ros.inertia import tensor_in_body
from hrdf_ros.kinematics import Kinematics
from hrdf_ros.load import load
from hrdf_ros.model import Model
from hrdf_ros.mujoco_process import is_available
from hrdf_ros.writers.mjcf import write_mjcf
import numpy as np
import pytest

FREE, BALL = 0, 1
EXACT = 1e-9
CASES = recorded('mjcf')
WRITTEN = [case for case in CASES if case.values[1]['status'] == 'ok']
NEEDS_MUJOCO = ('inertia.xml', 'meshes.xml')
"""Files whose masses come from meshes and shells, which only MuJoCo measures."""


def tree_of(model: Model) -> Model:
    """Return the Model without loops and mimics: MuJoCo's qpos is not solved either."""
    joints = tuple(joint for joint in model.joints if joint.type not in ('connect', 'weld'))
    count = sum(len(motion.coordinates) for joint in joints for motion in joint.motions)
    return model._replace(joints=joints, coordinates=tuple(
        coordinate._replace(mimic=None) for coordinate in model.coordinates[:count]))


def rotation_vector(quaternion: list[float]) -> list[float]:
    w, *xyz = quaternion if quaternion[0] >= 0.0 else [-part for part in quaternion]
    sine = float(np.linalg.norm(xyz))
    return [part * (2.0 * np.arctan2(sine, w) / sine if sine else 2.0) for part in xyz]


def coordinates_of(qpos: list[float], joints: list[int]) -> Iterator[float]:
    """Yield our coordinates for MuJoCo's qpos: quaternions become rotation vectors."""
    at = 0
    for kind in joints:
        positions = 3 if kind == FREE else 0 if kind == BALL else 1
        yield from qpos[at:at + positions]
        at += positions
        if kind in (FREE, BALL):
            yield from rotation_vector(qpos[at:at + 4])
            at += 4


def compare_poses(model: Model, expected: Answer) -> None:
    kinematics = Kinematics(tree_of(model))
    frames = {(frame.kind == 'site', frame.source_name): index
              for index, frame in enumerate(model.frames)}
    for number, sample in enumerate(expected['samples']):
        q = np.array(list(coordinates_of(sample['qpos'], expected['joints'])))
        if number == 0:
            assert kinematics.initial_configuration() == pytest.approx(q, abs=EXACT)
        poses = kinematics.fk(q)
        for of_site, places in ((False, sample['bodies']), (True, sample['sites'])):
            for name, (position, matrix) in places.items():
                pose = poses[frames[of_site, name]]
                assert pose[:3, 3] == pytest.approx(position, abs=EXACT), name
                assert pose[:3, :3].ravel() == pytest.approx(matrix, abs=EXACT), name


def compare_inertias(model: Model, expected: Answer) -> None:
    for body in model.bodies:
        if body.name not in expected['inertias']:
            continue
        mass, center, tensor = expected['inertias'][body.name]
        assert (body.inertia.mass if body.inertia else 0.0) == pytest.approx(mass, rel=EXACT)
        if body.inertia is not None and mass:
            assert body.inertia.pose.position == pytest.approx(center, abs=EXACT), body.name
            assert tensor_in_body(body.inertia) == pytest.approx(
                tensor, abs=EXACT * max(tensor)), body.name


def compare_joints(model: Model, expected: Answer) -> None:
    scalars = [
        model.coordinates[motion.coordinates[0]] for joint in tree_of(model).joints
        for part, motion in zip(joint.type.split('+'), joint.motions)
        if part in ('hinge', 'slide')]
    kinds = expected['joints']
    limits = [limit for limit, kind in zip(expected['limits'], kinds) if kind > BALL]
    damping = [value for value, kind in zip(expected['damping'], kinds) if kind > BALL]
    for coordinate, limit, value in zip(scalars, limits, damping, strict=True):
        assert (coordinate.lower, coordinate.upper) == pytest.approx(
            limit or (-np.inf, np.inf), abs=EXACT)
        assert coordinate.damping == pytest.approx(value, abs=EXACT)


def without_mujoco(file: Path) -> bool:
    return file.name in NEEDS_MUJOCO and not is_available()


@pytest.mark.parametrize(('file', 'expected'), CASES)
def test_file_agrees_with_mujoco(file: Path, expected: Answer) -> None:
    loaded = load(file)
    assert loaded.report.ok == (expected['status'] == 'ok')
    if loaded.model is None:
        return
    compare_poses(loaded.model, expected)
    compare_joints(loaded.model, expected)
    if without_mujoco(file):
        assert 'mesh-inertia-unknown' in {found.code for found in loaded.report}
    else:
        compare_inertias(loaded.model, expected)


@pytest.mark.parametrize(('file', 'expected'), WRITTEN)
def test_what_is_written_agrees_with_mujoco(file: Path, expected: Answer, tmp_path: Path) -> None:
    first = load(file).model
    assert first is not None
    text, report = write_mjcf(first)
    assert report.ok
    again = load(text)
    assert again.model is not None, again.report
    compare_poses(again.model, expected)
    compare_joints(again.model, expected)
    if not without_mujoco(file):
        compare_inertias(again.model, expected)
    actuators = [extension.text.count(' joint=') for extension in again.model.extensions
                 if extension.tag == 'actuator']
    assert sum(actuators) == expected['actuators']
