# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Transforms of joints as rows of translation and quaternion."""


import math

from helpers.kinematic_models import chain, matrix, plain_joint, random_model
from hrdf_ros.kinematics.tf_transforms import TfTransforms
from hrdf_ros.model import Body, Coordinate, Joint, Model, Motion
from hrdf_ros.pose import from_axis_angle, inverse, Pose
from hrdf_ros.topology import span
from hypothesis import given, settings
from hypothesis import strategies as st
import numpy as np


def expected(model: Model, joint: int, q: np.ndarray) -> np.ndarray:
    """Return parent_from_child along the tree, as a matrix."""
    topology = span(model)
    step = plain_joint(model.joints[joint], q)
    backwards = topology.reversed[topology.joint.index(joint)]
    return matrix(inverse(step) if backwards else step)


@settings(max_examples=60)
@given(st.integers(0, 2**32), st.integers(3, 20), st.randoms())
def test_rows_equal_the_definition(seed: int, size: int, order: object) -> None:
    model = random_model(seed, size)
    q = np.random.default_rng(seed).uniform(-3.0, 3.0, len(model.coordinates))
    joints = list(range(len(model.joints)))
    order.shuffle(joints)
    rows = TfTransforms(model, span(model), joints).transforms(q)
    for joint, row in zip(joints, rows):
        assert abs(np.linalg.norm(row[3:]) - 1.0) < 1e-12
        assert np.abs(matrix(Pose(*row)) - expected(model, joint, q)).max() < 1e-12


X = (1.0, 0.0, 0.0)


def test_coordinates_of_other_joints_do_not_matter() -> None:
    model = chain(3)
    row = TfTransforms(model, span(model), [1]).transforms(np.array([math.nan, 0.5, math.nan]))
    assert np.isfinite(row).all()


def test_half_turn_before_a_turn_about_the_same_axis() -> None:
    half = from_axis_angle(X, math.pi)
    joint = Joint('j', 'j', 'revolute', 0, 1, half, half, (Motion('revolute', X, (0,)),))
    bodies = (Body('a', 'a'), Body('b', 'b'))
    model = Model('m', 'urdf', '1.0', 'a', bodies, (joint,), (Coordinate('j', 'angle'),))
    row = TfTransforms(model, span(model), [0]).transforms(np.array([0.3]))[0]
    assert np.abs(matrix(Pose(*row)) - matrix(from_axis_angle(X, 0.3))).max() < 1e-15
