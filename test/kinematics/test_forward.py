# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Forward kinematics against plain Python, for every kind of joint and shape of tree."""

from helpers.kinematic_models import chain, plain_frames, random_model
from hrdf_ros.kinematics import Kinematics
from hrdf_ros.model import Body, Frame, Joint, Model
from hrdf_ros.pose import translation
from hypothesis import given, settings
from hypothesis import strategies as st
import numpy as np

seeds = st.integers(0, 2**32)
sizes = st.integers(3, 24)


def numbers(seed: int, *shape: int) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-3.0, 3.0, shape)


@settings(max_examples=60)
@given(seeds, sizes)
def test_fk_equals_the_definition(seed: int, size: int) -> None:
    model = random_model(seed, size)
    q = numbers(seed, len(model.coordinates))
    assert np.abs(Kinematics(model).fk(q) - plain_frames(model, q)).max() < 1e-12


@settings(max_examples=30)
@given(seeds, sizes, st.data())
def test_pose_equals_fk(seed: int, size: int, data: st.DataObject) -> None:
    model = random_model(seed, size)
    tree = Kinematics(model)
    pick = st.integers(0, len(model.frames) - 1)
    frame, base = data.draw(pick), data.draw(pick)
    q = numbers(seed, 3, len(model.coordinates))
    all_frames = tree.fk(q)
    name, relative_to = model.frames[frame].name, model.frames[base].name
    assert np.abs(tree.pose(name, q=q) - all_frames[:, frame]).max() < 1e-12
    expected = np.linalg.inv(all_frames[:, base]) @ all_frames[:, frame]
    assert np.abs(tree.pose(name, q, relative_to=relative_to) - expected).max() < 1e-11
    assert np.abs(tree.pose(name, q[0], relative_to=relative_to) - expected[0]).max() < 1e-11


def test_rigid_model_has_frames_but_no_coordinates() -> None:
    bodies = (Body('a', 'a', pose=translation(1.0, 0.0, 0.0)), Body('b', 'b'))
    joint = Joint('j', 'j', 'fixed', 0, 1, translation(0.0, 2.0, 0.0))
    frames = (Frame('a', 'a', 'link', 0), Frame('b', 'b', 'link', 1), Frame('w', 'w', 'world', -1))
    tree = Kinematics(Model('m', 'urdf', '1.0', 'w', bodies, (joint,), frames=frames))
    assert tree.fk()[:, :3, 3].tolist() == [[1.0, 0.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 0.0]]
    assert tree.pose('b', relative_to='a')[:3, 3].tolist() == [0.0, 2.0, 0.0]
    assert tree.pose('b', relative_to='b').tolist() == np.eye(4).tolist()
    assert tree.fk(np.zeros((5, 0))).shape == (5, 3, 4, 4)


def test_frame_by_tag_name_source_name_and_root() -> None:
    model = random_model(1, 5)
    tree = Kinematics(model)
    frames = tree.fk()
    for name, index in (('t3', 8), ('f3', 8), ('b3', 3), ('m::b3', 3)):
        assert np.abs(tree.pose(name) - frames[index]).max() < 1e-12
    assert tree.pose('world').tolist() == np.eye(4).tolist()


def test_model_without_frames() -> None:
    assert Kinematics(Model('m', 'urdf', '1.0', 'w')).fk().shape == (0, 4, 4)


def test_nan_stays_below_its_joint() -> None:
    frames = Kinematics(chain(3)).fk([0.0, float('nan'), 0.0])
    assert np.isfinite(frames[:2]).all()
    assert np.isnan(frames[2:, :3, :3]).any(axis=(1, 2)).all()
