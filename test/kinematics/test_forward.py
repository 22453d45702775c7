# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Poses, Jacobians, TF and centers of mass against plain Python, for every kind of joint."""

from functools import partial
import math
import warnings

from helpers.kinematic_models import (
    chain,
    differences,
    matrix,
    plain_fk,
    plain_frames,
    plain_joint,
    plain_mimics,
    random_model,
)
from hrdf_ros.inertia import Inertia
from hrdf_ros.kinematics import FullConfiguration, Kinematics
from hrdf_ros.kinematics.tf_transforms import TfTransforms
from hrdf_ros.model import Body, Coordinate, Frame, Joint, Mimic, Model, Motion
from hrdf_ros.pose import compose, from_axis_angle, inverse, Pose, translation, X_AXIS
from hrdf_ros.topology import span
from hypothesis import given, settings
from hypothesis import strategies as st
import numpy as np
import pytest


@settings(max_examples=60)
@given(st.integers(0, 2**32), st.integers(3, 24), st.randoms())
def test_all_equals_the_definition(seed: int, size: int, order: object) -> None:
    model = random_model(seed, size)
    tree, topology, rng = Kinematics(model), span(model), np.random.default_rng(seed)
    batch = rng.uniform(-3.0, 3.0, (2, len(model.coordinates)))
    frames, q = tree.fk(batch), batch[1]
    assert np.abs(tree.fk(q) - plain_frames(model, q)).max() < 1e-12
    assert np.abs(frames - [plain_frames(model, row) for row in batch]).max() < 1e-12

    frame, base = rng.integers(len(model.frames), size=2)
    name, relative_to = model.frames[frame].name, model.frames[base].name
    assert np.abs(tree.pose(name, batch) - frames[:, frame]).max() < 1e-12
    expected = np.linalg.inv(frames[:, base]) @ frames[:, frame]
    assert np.abs(tree.pose(name, batch, relative_to=relative_to) - expected).max() < 1e-11
    assert np.abs(tree.pose(name, q, relative_to=relative_to) - expected[1]).max() < 1e-11
    jacobian = tree.jacobian(name, q)
    assert jacobian.shape == (6, len(q))
    assert np.abs(jacobian - differences(tree, name, q)).max(initial=0.0) < 1e-7

    poses = plain_fk(model, plain_mimics(model, q))
    masses = [body.inertia.mass for body in model.bodies]
    points = [compose(pose, body.inertia.pose).position
              for pose, body in zip(poses, model.bodies)]
    center = np.average(points, axis=0, weights=masses)
    assert tree.mass == pytest.approx(sum(masses), abs=1e-12)
    assert np.abs(tree.center_of_mass(batch)[1] - center).max() < 1e-12
    assert np.abs(tree.center_of_mass(q) - center).max() < 1e-12

    joints = list(range(len(model.joints)))
    order.shuffle(joints)
    for joint, row in zip(joints, TfTransforms(model, topology, joints).transforms(q)):
        step = plain_joint(model.joints[joint], q)
        is_reversed = topology.reversed[topology.joint.index(joint)]
        assert abs(np.linalg.norm(row[3:]) - 1.0) < 1e-12
        assert np.abs(matrix(Pose(*row)) - matrix(
            inverse(step) if is_reversed else step)).max() < 1e-12


def test_rigid_model_has_frames_but_no_coordinates() -> None:
    bodies = (Body('a', 'a', pose=translation(1.0, 0.0, 0.0)), Body('b', 'b'))
    joint = Joint('j', 'j', 'fixed', 0, 1, translation(0.0, 2.0, 0.0))
    frames = (Frame('a', 'a', 'link', 0), Frame('b', 'b', 'link', 1), Frame('w', 'w', 'world', -1))
    tree = Kinematics(Model('m', 'urdf', '1.0', 'w', bodies, (joint,), frames=frames))
    assert tree.fk()[:, :3, 3].tolist() == [[1.0, 0.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 0.0]]
    assert tree.pose('b', relative_to='a')[:3, 3].tolist() == [0.0, 2.0, 0.0]
    assert tree.pose('b', relative_to='b').tolist() == np.eye(4).tolist()
    assert tree.fk(np.zeros((5, 0))).shape == (5, 3, 4, 4)
    assert Kinematics(Model('m', 'urdf', '1.0', 'w')).fk().shape == (0, 4, 4)


def test_frame_by_tag_name_source_name_and_root() -> None:
    tree = Kinematics(random_model(1, 5))
    frames = tree.fk()
    for name, index in (('t3', 8), ('f3', 8), ('b3', 3), ('m::b3', 3)):
        assert np.abs(tree.pose(name) - frames[index]).max() < 1e-12
    assert tree.pose('world').tolist() == np.eye(4).tolist()


def test_nan_stays_below_its_joint() -> None:
    frames = Kinematics(chain(3)).fk([0.0, float('nan'), 0.0])
    assert np.isfinite(frames[:2]).all()
    assert np.isnan(frames[2:, :3, :3]).any(axis=(1, 2)).all()
    row = TfTransforms(chain(3), span(chain(3)), [1]).transforms(
        np.array([math.nan, 0.5, math.nan]))
    assert np.isfinite(row).all(), 'coordinates of other joints do not matter'


def test_half_turn_before_a_turn_about_the_same_axis() -> None:
    half = from_axis_angle(X_AXIS, math.pi)
    joint = Joint('j', 'j', 'revolute', 0, 1, half, half, (Motion('revolute', X_AXIS, (0,)),))
    bodies = (Body('a', 'a'), Body('b', 'b'))
    model = Model('m', 'urdf', '1.0', 'a', bodies, (joint,), (Coordinate('j', 'angle'),))
    row = TfTransforms(model, span(model), [0]).transforms(np.array([0.3]))[0]
    assert np.abs(matrix(Pose(*row)) - matrix(from_axis_angle(X_AXIS, 0.3))).max() < 1e-15


def test_a_relative_jacobian_is_the_derivative_of_the_relative_pose() -> None:
    tree = Kinematics(chain(6))
    q = np.random.default_rng(3).uniform(-1.0, 1.0, 6)
    jacobian = tree.jacobian('b6', q, relative_to='b2')
    assert np.abs(jacobian - differences(tree, 'b6', q, relative_to='b2')).max() < 1e-8
    assert not jacobian[:, :2].any()
    back, here = tree.jacobian('b2', q, relative_to='b6'), tree.pose('b6', q, relative_to='b2')
    assert back[3:] == pytest.approx(-here[:3, :3].T @ jacobian[3:])


def test_long_batches_are_computed_in_blocks() -> None:
    tree = Kinematics(chain(30))
    q = np.random.default_rng(1).uniform(-2.0, 2.0, (1000, 30))
    jacobian = tree.jacobian('b30', q)
    for row in (0, 500, 999):
        assert np.abs(jacobian[row] - tree.jacobian('b30', q[row])).max() < 1e-12


def test_mimics_are_in_the_column_of_their_leader() -> None:
    model = chain(3)
    mimic = model.coordinates[2]._replace(mimic=Mimic(0, -1.0))
    model = model._replace(coordinates=(*model.coordinates[:2], mimic))
    own = Kinematics(chain(3)).jacobian('b3', [0.5, 0.2, -0.5])
    folded = Kinematics(model).jacobian('b3', [0.5, 0.2, 9.0])
    expected = np.column_stack((own[:, 0] - own[:, 2], own[:, 1], np.zeros(6)))
    assert np.abs(folded - expected).max() < 1e-15
    settled = Kinematics(model).jacobian('b3', FullConfiguration(np.array([0.5, 0.2, -0.5])))
    assert np.abs(settled - own).max() < 1e-15


@pytest.mark.parametrize('inertia', [None, Inertia(float('inf'))])
def test_a_model_of_no_or_infinite_mass_has_no_center_of_mass(inertia: Inertia | None) -> None:
    tree = Kinematics(Model('m', 'urdf', '1.0', 'a', (Body('a', 'a', inertia),)))
    with pytest.raises(ValueError, match='no center of mass'):
        tree.center_of_mass()


def test_a_position_outside_of_its_limits_is_a_warning() -> None:
    arm = Kinematics.load(
        '<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="revolute">'
        '<parent link="a"/><child link="b"/><axis xyz="0 0 1"/>'
        '<limit lower="-1" upper="2" effort="1" velocity="1"/></joint></robot>')
    message = "^coordinate 'j' is at 3.0, outside of its limit 2.0$"
    for compute in (arm.fk, partial(arm.pose, 'b'), partial(arm.jacobian, 'b')):
        with pytest.warns(RuntimeWarning, match=message):
            compute({'j': np.array([0.0, 3.0])})
        with warnings.catch_warnings():
            warnings.simplefilter('error')
            compute({'j': 2.0 + 1e-12})
            compute([3.0])
