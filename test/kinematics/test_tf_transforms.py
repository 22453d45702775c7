# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Transforms of joints as rows of translation and quaternion."""


from helpers.kinematic_models import matrix, plain_joint, random_model
from hrdf_ros.kinematics.tf_transforms import TfTransforms
from hrdf_ros.model import Model
from hrdf_ros.pose import inverse, Pose
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
