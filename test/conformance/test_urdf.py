# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""URDF beside urdfdom: its recorded answers, what it accepts, and what we write."""

from __future__ import annotations

import math
from pathlib import Path
import random
import shutil
import subprocess

from helpers.loading import model_of
from helpers.recorded import Answer, recorded
from helpers.robots import name_of, read, robots
from helpers.urdf_corpus import ACCEPTED, REFUSED
from helpers.urdf_library import library_fk
from hrdf_ros import Kinematics, load, write_urdf
from hrdf_ros.model import Body, Box, Coordinate, Cylinder, Geometry, Joint, Mesh, Model, Sphere
from hrdf_ros.pose import Pose, relative
from hrdf_ros.topology import is_single_tree, tf_root
import numpy as np
import pytest

CHECK_URDF = shutil.which('check_urdf')
NEEDS_URDFDOM = pytest.mark.skipif(
    CHECK_URDF is None, reason='check_urdf (liburdfdom-tools) is not installed')
TEXTS = pytest.mark.parametrize(('text', 'accepted'), [
    pytest.param(text, accepted, id=name)
    for accepted, texts in ((True, ACCEPTED), (False, REFUSED)) for name, text in texts.items()])
FILES = pytest.mark.parametrize('file', robots('.hrdf', '.sdf', '.skel'), ids=name_of)
UNLIMITED = ('continuous', 'floating', 'planar', 'fixed')


@pytest.mark.parametrize(('file', 'expected'), recorded('urdf'))
def test_file_agrees_with_urdfdom(file: Path, expected: Answer) -> None:
    loaded = load(file)
    assert loaded.report.ok == (expected['status'] == 'ok')
    if loaded.model is not None:
        compare(loaded.model, expected)


def compare(model: Model, expected: Answer) -> None:
    """Compare a Model with urdfdom's answer: numbers at 1e-9, the rest exactly."""
    bodies = {body.name: body for body in model.bodies}
    joints = {joint.source_name: joint for joint in model.joints}
    assert (model.name, model.root) == (expected['name'], expected['root'])
    assert set(bodies) == set(expected['links'])
    assert set(joints) == set(expected['joints'])
    for name, link in expected['links'].items():
        compare_body(bodies[name], link)
    for name, joint in expected['joints'].items():
        compare_joint(model, joints[name], joint)


def assert_pose(pose: Pose, expected: list[float]) -> None:
    """Check a pose; the sign of its quaternion means nothing."""
    difference = relative(pose, Pose(*expected))
    assert math.hypot(*difference.position, *difference.orientation[:3]) < 1e-9


def compare_body(body: Body, expected: Answer) -> None:
    """Compare inertia and shapes."""
    inertia = body.inertia
    assert (inertia is None) == ('mass' not in expected)
    if inertia is not None:
        assert inertia.mass == expected['mass']
        assert_pose(inertia.pose, expected['pose'])
        assert [inertia.ixx, inertia.iyy, inertia.izz, inertia.ixy, inertia.ixz, inertia.iyz] == (
            expected['inertia'])
    for shapes, answered in (
            (body.visuals, expected['visuals']), (body.collisions, expected['collisions'])):
        assert len(shapes) == len(answered)
        for shape, (pose, geometry) in zip(shapes, answered):
            assert_pose(shape.pose, pose)
            assert described(shape.geometry) == geometry


def described(geometry: Geometry) -> list[object] | None:
    """Return a geometry as the reference program prints it."""
    if isinstance(geometry, Box):
        return ['box', *geometry.size]
    if isinstance(geometry, Sphere):
        return ['sphere', geometry.radius]
    if isinstance(geometry, Cylinder):
        return ['cylinder', geometry.radius, geometry.length]
    return ['mesh', *geometry.scale] if isinstance(geometry, Mesh) else None


def compare_joint(model: Model, joint: Joint, expected: Answer) -> None:
    """Compare the ends, the origin and the motion of a joint."""
    assert joint.type == expected['type']
    assert model.bodies[joint.parent].name == expected['parent']
    assert model.bodies[joint.child].name == expected['child']
    assert_pose(joint.parent_from_joint, expected['origin'])
    if joint.type in ('revolute', 'continuous', 'prismatic'):
        length = math.hypot(*expected['axis'])
        if length:
            assert joint.motions[0].axis == pytest.approx(
                [value / length for value in expected['axis']], abs=1e-9)
        compare_coordinate(model, model.coordinates[joint.motions[0].coordinates[0]], expected)


def compare_coordinate(model: Model, coordinate: Coordinate, expected: Answer) -> None:
    """Compare limits, dynamics and mimic."""
    if 'limits' in expected:
        lower, upper, effort, velocity = expected['limits']
        assert (coordinate.effort, coordinate.velocity) == (effort, velocity)
        if expected['type'] not in UNLIMITED:
            assert (coordinate.lower, coordinate.upper) == (lower, upper)
    if 'dynamics' in expected:
        assert [coordinate.damping, coordinate.friction] == expected['dynamics']
    if 'mimic' in expected and coordinate.mimic is not None:
        mimic = coordinate.mimic
        leader = model.coordinates[mimic.leader].name
        assert [leader, mimic.multiplier, mimic.offset] == expected['mimic']


# ---- the program check_urdf

def asked(file: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(CHECK_URDF), str(file)], capture_output=True, text=True)


@TEXTS
def test_what_urdfdom_accepts_is_accepted(text: str, accepted: bool) -> None:
    loaded = load(text, format='urdf')
    assert loaded.report.ok == accepted, [found.message for found in loaded.report]
    assert (loaded.model is not None) == accepted
    assert all(
        at is not None and at.line is not None
        for at in (found.resolve() for found in loaded.report))


@NEEDS_URDFDOM
@TEXTS
def test_urdfdom_accepts_it(text: str, accepted: bool, tmp_path: Path) -> None:
    file = tmp_path / 'robot.urdf'
    file.write_text(text, encoding='utf-8', newline='')
    assert (asked(file).returncode == 0) == accepted


# ---- URDF that we write, read by an independent library

def configuration(model: Model, tree: Kinematics) -> list[float]:
    """Return random values; zero for rotation vectors, start values where loops must close."""
    if tree.topology.loops:
        return [float(value) for value in tree.resolve()]
    rng = random.Random(len(model.coordinates))
    turning = {
        index for joint in model.joints for motion in joint.motions
        if motion.kind == 'rotation_vector' for index in motion.coordinates}
    values = [0.0 if index in turning else rng.uniform(-2.0, 2.0)
              for index in range(len(model.coordinates))]
    return [float(value) for value in tree.resolve(values)]


@FILES
def test_an_independent_library_agrees(file: Path) -> None:
    model = model_of(read(file))
    tree = Kinematics(model)
    q = configuration(model, tree)
    text, _ = write_urdf(model, expand_ball=True)
    root = tf_root(model, tree.topology)
    expected = dict(zip((frame.name for frame in model.frames), tree.fk(q)))
    base = np.eye(4)
    if is_single_tree(model, tree.topology):
        base = np.linalg.inv(expected[root])
    for body, found in zip(model.bodies, library_fk(text, model, q, root)):
        np.testing.assert_allclose(
            found, base @ expected[body.name], atol=1e-9, rtol=0.0, err_msg=body.name)


@NEEDS_URDFDOM
@FILES
def test_urdfdom_accepts_it_without_a_word(file: Path, tmp_path: Path) -> None:
    written = tmp_path / 'robot.urdf'
    written.write_text(write_urdf(model_of(read(file)))[0], encoding='utf-8')
    found = asked(written)
    assert found.returncode == 0
    assert 'Error' not in found.stdout + found.stderr
