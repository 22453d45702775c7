# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""SKEL files against what DART 6.20 answered: our own, and the corpus where it is at hand."""

from __future__ import annotations

import json
import math
from pathlib import Path

from helpers.loading import model_of
from helpers.recorded import Answer, recorded
from hrdf_ros.kinematics import Kinematics
from hrdf_ros.load import load
from hrdf_ros.model import Body, Coordinate, Joint, Model
from hrdf_ros.pose import to_matrix
import numpy as np
import pytest

CORPUS = Path(__file__).parents[3] / 'shared' / 'corpora' / 'skel'
FILES = sorted((CORPUS / 'files').glob('*.skel'))
REFUSED = ('none', 'exception', 'crash', 'timeout')
READ_AS_MEANT = {'42_err_cylinder_length': 'skel-spec-over-dart'}
"""Files that DART refuses and whose meaning the format's text makes clear."""
BEYOND_DART = ('30_err_screw', '31_err_translational2d')
"""Files whose joints DART loses: here they are more than in its answer."""
TYPES = {
    'WeldJoint': 'weld', 'RevoluteJoint': 'revolute', 'PrismaticJoint': 'prismatic',
    'UniversalJoint': 'universal', 'BallJoint': 'ball', 'EulerJoint': 'euler',
    'TranslationalJoint': 'translational', 'PlanarJoint': 'planar', 'FreeJoint': 'free'}

BESIDE = pytest.mark.skipif(not FILES, reason='the corpus ../shared/corpora is not here')


def answer(file: Path) -> Answer:
    """Return DART's answer to a file."""
    found: Answer = json.loads((CORPUS / 'expected' / f'{file.stem}.json').read_text())
    return found


@pytest.mark.parametrize(('file', 'expected'), recorded('skel'))
def test_file_agrees_with_dart(file: Path, expected: Answer) -> None:
    loaded = load(file)
    assert loaded.report.ok == (expected['status'] == 'ok')
    if loaded.model is not None:
        compare(loaded.model, expected)


@BESIDE
@pytest.mark.parametrize('file', FILES, ids=lambda file: file.stem)
def test_corpus_agrees_with_dart(file: Path) -> None:
    loaded = load(file)
    expected = answer(file)
    if expected['status'] == 'ok':
        compare(model_of(loaded), expected, partly=file.stem in BEYOND_DART)
    elif file.stem in READ_AS_MEANT:
        assert READ_AS_MEANT[file.stem] in {found.code for found in loaded.report}
        assert loaded.model is not None
    else:
        assert expected['status'] in REFUSED
        errors = [found for found in loaded.report if found.severity == 'error']
        assert errors and all(found.resolve().line for found in errors)


def compare(model: Model, expected: Answer, *, partly: bool = False) -> None:
    """Compare a Model with DART's answer: names and limits exactly, the rest at 1e-9."""
    reader = _Comparison(model, len(expected['skeletons']) != 1)
    if 'world' in expected:
        assert list(model.gravity or ()) == expected['world']['gravity']
    for skeleton in expected['skeletons']:
        reader.skeleton(skeleton)
    if not partly:
        reader.nothing_else(expected['skeletons'])


class _Comparison:
    """One Model against one answer."""

    def __init__(self, model: Model, scoped: bool) -> None:
        self.model = model
        self.scoped = scoped
        self.tree = Kinematics(model)
        self.frames = [frame.name for frame in model.frames]
        self.bodies = {body.name: body for body in model.bodies}
        self.joints = {joint.name: joint for joint in model.joints}
        self.coordinates = {found.name: found for found in model.coordinates}

    def skeleton(self, expected: Answer) -> None:
        prefix = f"{expected['name']}/" if self.scoped else ''
        names = [prefix + body['name'] for body in expected['bodies']]
        order = [body.name for body in self.model.bodies]
        assert sorted(names, key=order.index) == names
        for body in expected['bodies']:
            _compare_body(self.bodies[prefix + body['name']], body)
        for joint in expected['joints']:
            self.joint(self.joints[prefix + joint['name']], joint, prefix)
        for sample in expected['configurations']:
            self.poses(expected, sample, prefix)

    def joint(self, found: Joint, expected: Answer, prefix: str) -> None:
        parent = expected['parent']
        assert found.type == TYPES[expected['type']]
        assert (found.actuator or 'force') == expected['actuator'].lower()
        assert self.model.bodies[found.child].name == prefix + expected['child']
        assert self.model.bodies[found.parent].name == (
            self.model.root if parent is None else prefix + parent)
        for name, dof in zip(coordinate_names(expected), expected['dofs']):
            _compare_coordinate(self.coordinates[prefix + name], dof)

    def poses(self, skeleton: Answer, sample: Answer, prefix: str) -> None:
        names = [
            prefix + name for joint in skeleton['joints'] for name in coordinate_names(joint)]
        q = np.zeros(len(self.coordinates))
        q[[self.tree.coordinates.index(name) for name in names]] = sample['positions']
        root_from_frames = self.tree.fk(q)
        center, mass = np.zeros(3), 0.0
        for body in skeleton['bodies']:
            root_from_body = root_from_frames[self.frames.index(prefix + body['name'])]
            expected = np.array(sample['transforms'][body['name']])
            np.testing.assert_allclose(root_from_body, expected, rtol=0.0, atol=1e-9)
            inertia = self.bodies[prefix + body['name']].inertia
            assert inertia is not None
            center += inertia.mass * (root_from_body @ [*inertia.pose.position, 1.0])[:3]
            mass += inertia.mass
        if mass and sample['com'] is not None:
            np.testing.assert_allclose(center / mass, sample['com'], rtol=0.0, atol=1e-9)

    def nothing_else(self, skeletons: list[Answer]) -> None:
        assert len(self.model.bodies) == 1 + sum(len(found['bodies']) for found in skeletons)
        assert len(self.model.joints) == sum(len(found['joints']) for found in skeletons)
        assert len(self.model.coordinates) == sum(found['num_dofs'] for found in skeletons)


def coordinate_names(joint: Answer) -> list[str]:
    """Return the names of a joint's coordinates; DART forgets to name the third of a plane's."""
    names = [dof['name'] for dof in joint['dofs']]
    if joint['type'] == 'PlanarJoint' and names[2].partition('(')[0] == 'default':
        names[2] = f"{joint['name']}_rot"
    return names


def _compare_body(found: Body, expected: Answer) -> None:
    inertia = found.inertia
    assert inertia is not None
    assert inertia.mass == expected['mass']
    np.testing.assert_allclose(inertia.pose.position, expected['com'], rtol=0.0, atol=1e-9)
    tensor = [
        [inertia.ixx, inertia.ixy, inertia.ixz],
        [inertia.ixy, inertia.iyy, inertia.iyz],
        [inertia.ixz, inertia.iyz, inertia.izz]]
    np.testing.assert_allclose(tensor, expected['inertia'], rtol=1e-9, atol=1e-9)
    visuals = [shape for shape in expected['shapes'] if shape['visual']]
    for shape, answered in zip(found.visuals, visuals):
        transform = np.array(answered['relative_transform'])
        np.testing.assert_allclose(shape.pose.position, transform[:3, 3], rtol=0.0, atol=1e-9)
        np.testing.assert_allclose(
            to_matrix(shape.pose), transform[:3, :3].ravel(), rtol=0.0, atol=1e-9)


def _compare_coordinate(found: Coordinate, expected: Answer) -> None:
    assert (found.lower, found.upper) == (float(expected['lower']), float(expected['upper']))
    assert found.velocity == _magnitude(expected, 'velocity')
    assert found.effort == _magnitude(expected, 'force')
    assert found.spring_reference == expected['rest_position']
    for name in (
            'initial_position', 'initial_velocity', 'damping', 'friction', 'spring_stiffness'):
        assert getattr(found, name) == expected[name], name


def _magnitude(dof: Answer, what: str) -> float:
    lower, upper = float(dof[f'{what}_lower']), float(dof[f'{what}_upper'])
    return math.inf if math.isinf(lower) or math.isinf(upper) else max(-lower, upper)
