# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Masses, limits and every frame against what hebi-py answered: our own files, HEBI's kits."""

from __future__ import annotations

import json
import math
from pathlib import Path
import re

from helpers.recorded import Answer, recorded
from hrdf_ros import Kinematics, to_pinocchio
from hrdf_ros.load import load, load_model
from hrdf_ros.model import Model
import numpy as np
import pytest

CORPUS = Path(__file__).parents[2].parent / 'shared' / 'corpora' / 'hrdf'
FILES = sorted(CORPUS.glob('files/**/*.hrdf'))
NINE_NUMBERS = re.compile(r'rot="\s*[-.0-9]+\s+[-.0-9]+\s')
NEGATIVE = r'axis="-'
KINDS = {'output': 'output', 'com': 'com', 'end_effector': 'endeffector'}

BESIDE = pytest.mark.skipif(not FILES, reason=f'there is no {CORPUS}')


def answer_to(file: Path) -> Answer:
    name = 'hebi_description__' + '~'.join(file.relative_to(CORPUS / 'files').parts)
    return json.loads((CORPUS / 'expected' / f'{name}.json').read_text())


def frames(model: Model, q: list[float]) -> dict[str, list[np.ndarray]]:
    """Return base_from_frame (4, 4) of every frame, by kind and in order."""
    found: dict[str, list[np.ndarray]] = {kind: [] for kind in KINDS}
    for frame, pose in zip(
            model.frames, Kinematics(model).fk(q[:len(model.coordinates)])):
        found.setdefault(frame.kind, []).append(pose)
    return found


@pytest.mark.parametrize(('file', 'answer'), recorded('hrdf'))
def test_file_agrees_with_hebi_py(file: Path, answer: Answer) -> None:
    loaded = load(file)
    assert loaded.report.ok == (answer['status'] == 'ok')
    if loaded.model is not None:
        compare(loaded.model, answer, file)


@BESIDE
@pytest.mark.parametrize('file', FILES, ids=lambda file: file.stem)
def test_kit_agrees_with_hebi_py(file: Path) -> None:
    compare(load_model(file), answer_to(file), file)


@pytest.mark.parametrize(('file', 'answer'), [
    found for found in recorded('hrdf') if found.values[1].get('max_speeds')])
def test_gravity_torques_are_those_of_hebi_py(file: Path, answer: Answer) -> None:
    """About an axis with a minus hebi-py has the other sign, against its own kinematics."""
    pinocchio = pytest.importorskip('pinocchio')
    model = load_model(file)
    signs = [-1.0 if re.search(NEGATIVE, joint.location.document.data[joint.location.start:]
                               .decode().partition('>')[0]) else 1.0
             for joint in model.joints if joint.motions]
    robot = to_pinocchio(model)
    robot.model.gravity.linear = np.array([3.0, -4.0, 5.0])
    for sample in answer['samples']:
        torques = pinocchio.computeGeneralizedGravity(
            robot.model, robot.model.createData(), robot.q(sample['q']))
        ours = robot.velocity_map(sample['q']).T @ torques
        assert signs * ours == pytest.approx(sample['gravity'], abs=2e-5, rel=2e-6)


def compare(model: Model, answer: Answer, file: Path) -> None:
    """Compare a Model with hebi-py's answer."""
    assert [body.inertia.mass for body in model.bodies if body.inertia is not None] == (
        pytest.approx(answer['masses'], abs=1e-6))
    assert [c.velocity for c in model.coordinates] == pytest.approx(answer['max_speeds'], rel=1e-6)
    assert [c.effort for c in model.coordinates] == pytest.approx(answer['max_efforts'], rel=1e-6)
    tolerance = 1e-5 if NINE_NUMBERS.search(file.read_text()) else 1e-6
    for sample in answer['samples']:
        found = frames(model, sample['q'])
        for kind, name in KINDS.items():
            assert len(found[kind]) == len(sample[name])
            for pose, expected in zip(found[kind], sample[name]):
                assert pose[:3].ravel() == pytest.approx(expected[:12], abs=tolerance)


@BESIDE
@pytest.mark.parametrize('file', FILES, ids=lambda file: file.stem)
def test_kit_comes_out_without_noise(file: Path) -> None:
    assert not [found for found in load(file).report if found.severity != 'info']


@BESIDE
@pytest.mark.parametrize('file', FILES, ids=lambda file: file.stem)
def test_hebi_names_leave_kinematics_alone(file: Path) -> None:
    """All frames are where they were, but the center of mass of a gripper that is a linkage."""
    model = load_model(file, naming='hebi')
    plain = load_model(file)
    q = [math.sin(index + 1.0) for index in range(len(model.coordinates))]
    is_linkage = len(model.coordinates) > len(plain.coordinates)
    for kind in KINDS:
        found, before = frames(model, q)[kind], frames(plain, q)[kind]
        assert len(found) == len(before)
        last = len(found) - (is_linkage and kind == 'com')
        assert np.allclose(found[:last], before[:last], rtol=0.0, atol=1e-12)
