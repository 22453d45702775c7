# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""SDFormat beside libsdformat: 12.3 for our own and written files, 17 for the corpus."""

from __future__ import annotations

from collections.abc import Iterator
import json
import math
import os
from pathlib import Path
import subprocess

from conformance.record import references
from helpers.loading import model_of
from helpers.recorded import Answer, recorded
from helpers.robots import name_of, read, robots
from helpers.sdf_texts import with_names_of_sdf
from hrdf_ros.kinematics import Kinematics
from hrdf_ros.load import load
from hrdf_ros.model import Body, Frame, Joint, Model
from hrdf_ros.pose import compose, from_matrix, from_quaternion, Pose, relative
from hrdf_ros.writers.sdf import write_sdf
import pytest

CORPUS = Path(__file__).parents[3] / 'shared' / 'corpora' / 'sdf'
ANSWERS = sorted((CORPUS / 'expected').glob('*.json'))
LIMITS = ('lower', 'upper', 'effort', 'velocity')
DYNAMICS = ('damping', 'friction', 'spring_reference', 'spring_stiffness')

BESIDE = pytest.mark.skipif(not ANSWERS, reason='the corpus ../shared/corpora is not here')
MODELS = str(Path(__file__).parents[2] / 'examples' / 'sdf' / 'models')


@pytest.mark.parametrize(('file', 'expected'), recorded('sdf'))
def test_file_agrees_with_libsdformat(file: Path, expected: Answer) -> None:
    loaded = load(file, path=[MODELS])
    errors = [found for found in loaded.report if found.severity == 'error']
    assert (not errors) == (expected['status'] == 'ok'), errors
    if errors:
        assert errors[0].reference == expected['errors'][0]
    else:
        Comparison(model_of(loaded)).run(expected)


@BESIDE
@pytest.mark.parametrize('file', ANSWERS, ids=lambda file: file.stem)
def test_corpus_agrees_with_libsdformat(
    file: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(CORPUS / 'files')
    expected = json.loads(file.read_text())
    loaded = load(str(_file_of(file, expected)), path=[str(CORPUS / 'resources')])
    errors = [found for found in loaded.report if found.severity == 'error']
    assert (not errors) == expected['ok'], [found.message for found in errors]
    if errors:
        assert errors[0].reference == expected['errors'][0][1]
    else:
        Comparison(model_of(loaded)).run(expected)


def _file_of(answer: Path, expected: Answer) -> Path:
    """Return the file of an answer, which carries the name that it was asked under."""
    files = (Path(name) for name in (expected['file'], f'{answer.stem}.sdf', answer.stem))
    return next(file for file in files if os.path.isfile(file))


def same_pose(found: Pose, expected: list[float]) -> bool:
    """Return whether a pose is x y z qw qx qy qz, whose quaternion may not be a unit one."""
    x, y, z, qw, qx, qy, qz = expected
    difference = relative(found, from_quaternion((x, y, z), (qx, qy, qz, qw)))
    far = math.dist(difference.position, (0.0, 0.0, 0.0))
    turned = math.hypot(*difference.orientation[:3])
    return far < 1e-9 * max(1.0, math.hypot(x, y, z)) and turned < 1e-9


def unlimited(value: float) -> float:
    """Return a limit: 1e16 and more is none, which libsdformat 17 writes as infinity."""
    return math.copysign(math.inf, value) if abs(value) >= 1e16 else value


class Comparison:
    """A Model beside an answer; names are those of SDFormat."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.frames: dict[str, Frame] = {frame.source_name: frame for frame in model.frames}
        self.joints: dict[str, Joint] = {joint.source_name: joint for joint in model.joints}
        self.bodies: dict[str, Body] = {body.source_name: body for body in model.bodies}

    def run(self, expected: Answer) -> None:
        worlds = expected.get('worlds', [])
        for world in worlds:
            for item in [*world['frames'], *world['joints']]:
                self.pose(item)
            for joint in world['joints']:
                self.joint(joint, '')
            for model in world['models']:
                self.scope(model)
        if not worlds and 'model' in expected:
            self.scope(expected['model'])

    def pose(self, expected: Answer) -> None:
        frame = self.frames[expected['scoped_name']]
        found = compose(self.model.bodies[frame.body].pose, frame.pose)
        if expected['pose_root'] is not None:
            assert same_pose(found, expected['pose_root']), expected['scoped_name']

    def scope(self, expected: Answer) -> None:
        name = expected['scoped_name']
        scope = next(each for each in self.model.scopes if each.source_name == name)
        assert scope.static == expected['static']
        canonical = expected['canonical_link']
        if canonical:
            body = self.model.bodies[scope.canonical_body]
            assert body.source_name == f'{name}::{canonical}'
        for item in [expected, *expected['links'], *expected['frames'], *expected['joints']]:
            self.pose(item)
        for link in expected['links']:
            self.link(link)
        for joint in expected['joints']:
            self.joint(joint, f'{name}::')
        for model in expected['models']:
            self.scope(model)

    def link(self, expected: Answer) -> None:
        body = self.bodies[expected['scoped_name']]
        inertial, inertia = expected['inertial'], body.inertia
        assert inertia is not None
        assert inertia.mass == pytest.approx(inertial['mass'], rel=1e-9)
        assert same_pose(inertia.pose, inertial['pose'])
        assert (inertia.ixx, inertia.iyy, inertia.izz) == pytest.approx(
            inertial['diag'], rel=1e-9)
        assert (inertia.ixy, inertia.ixz, inertia.iyz) == pytest.approx(
            inertial['offdiag'], rel=1e-9, abs=1e-9)
        for kind, shapes in (('visuals', body.visuals), ('collisions', body.collisions)):
            wanted = expected.get(kind, [])
            assert [shape.name for shape in shapes] == [each['name'] for each in wanted]
            for shape, each in zip(shapes, wanted):
                if isinstance(each['pose_link'], list):
                    assert same_pose(shape.pose, each['pose_link']), shape.name

    def joint(self, expected: Answer, prefix: str) -> None:
        if expected['type'] == 'gearbox':
            names = {constraint.name for constraint in self.model.constraints}
            assert expected['name'] in names
            return
        joint = self.joints[expected['scoped_name']]
        assert joint.type == expected['type']
        for index, key in ((joint.parent, 'parent_link'), (joint.child, 'child_link')):
            name = expected[key] if expected[key] == 'world' else prefix + expected[key]
            assert self.model.bodies[index].source_name == name
        if joint.type not in ('fixed', 'ball'):
            for motion, tag in zip(joint.motions, ('axis', 'axis2')):
                if expected.get(tag) is not None:
                    self.axis(joint, motion.axis, motion.coordinates[0], expected[tag])

    def axis(
        self, joint: Joint, axis: tuple[float, ...], index: int, expected: Answer,
    ) -> None:
        coordinate = self.model.coordinates[index]
        assert axis == pytest.approx(expected['xyz_joint'], abs=1e-9)
        found = [coordinate.lower, coordinate.upper, coordinate.effort, coordinate.velocity]
        if joint.type != 'continuous':
            assert list(map(unlimited, found)) == [
                unlimited(float(expected[key])) for key in LIMITS]
        found = [
            coordinate.damping, coordinate.friction, coordinate.spring_reference,
            coordinate.spring_stiffness]
        assert found == [float(expected[key]) for key in DYNAMICS]


# ---- SDFormat that we write

@pytest.fixture(scope='module')
def libsdformat(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Compile the program that tells what libsdformat 12 makes of a file; return its command."""
    command = references('', '', '', tmp_path_factory.mktemp('libsdformat'))['sdf']
    if not command:
        pytest.skip('libsdformat 12 (libsdformat-dev) is not installed')
    return command


@pytest.mark.parametrize(
    'file', robots('.hrdf', '.sdf', '.skel', '.urdf', '.world'), ids=name_of)
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
        difference = relative(pose, ours[name])
        assert math.hypot(*difference.position, *difference.orientation[:3]) < 1e-9, name


def at_zero(model: Model) -> dict[str, Pose]:
    """Return root_from_frame by name; coordinates zero, which mimics need not be."""
    free = model._replace(coordinates=tuple(
        item._replace(mimic=None, initial_position=0.0) for item in model.coordinates))
    frames = Kinematics(free).fk([0.0] * len(model.coordinates))
    return {frame.name: from_matrix(found[:3, 3].tolist(), found[:3, :3].ravel().tolist())
            for frame, found in zip(model.frames, frames)}


def poses(answer: Answer) -> Iterator[tuple[str, Pose]]:
    """Yield the links and frames of an answer with the names that the Model has for them."""
    models = [(answer['model'], '')] if answer.get('model') else []
    for world in answer.get('worlds', []):
        models += [(inner, inner['name'] + '/') for inner in world['models']]
    for inner, prefix in models:
        models += [(nested, f"{prefix}{nested['name']}/") for nested in inner['models']]
        for item in inner['links']:
            x, y, z, qw, qx, qy, qz = item['pose_root']
            yield prefix + item['name'], from_quaternion((x, y, z), (qx, qy, qz, qw))
