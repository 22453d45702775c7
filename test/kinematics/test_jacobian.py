# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Jacobians against differences of forward kinematics."""

from helpers.kinematic_models import chain, differences, random_model
from hrdf_ros.kinematics import FullConfiguration, Kinematics
from hrdf_ros.model import Mimic
from hypothesis import given, settings
from hypothesis import strategies as st
import numpy as np
import pytest


@settings(max_examples=40)
@given(st.integers(0, 2**32), st.integers(3, 16))
def test_jacobian_equals_differences(seed: int, size: int) -> None:
    model = random_model(seed, size)
    tree = Kinematics(model)
    rng = np.random.default_rng(seed)
    q = rng.uniform(-2.0, 2.0, len(model.coordinates))
    frame = model.frames[rng.integers(len(model.frames))].name
    jacobian = tree.jacobian(frame, q)
    assert jacobian.shape == (6, len(q))
    assert np.abs(jacobian - differences(tree, frame, q)).max(initial=0.0) < 1e-7


def test_a_relative_jacobian_is_the_derivative_of_the_relative_pose() -> None:
    tree = Kinematics(chain(6))
    q = np.random.default_rng(3).uniform(-1.0, 1.0, 6)
    jacobian = tree.jacobian('b6', q, relative_to='b2')
    assert not jacobian[:, :2].any()
    here = tree.pose('b6', q, relative_to='b2')
    back = tree.jacobian('b2', q, relative_to='b6')
    assert back[3:] == pytest.approx(-here[:3, :3].T @ jacobian[3:])
    for index in range(6):
        step = np.zeros(6)
        step[index] = 1e-6
        change = (tree.pose('b6', q + step, relative_to='b2')
                  - tree.pose('b6', q - step, relative_to='b2')) / 2e-6
        assert jacobian[:3, index] == pytest.approx(change[:3, 3], abs=1e-8)
        spin = change[:3, :3] @ here[:3, :3].T
        assert jacobian[3:, index] == pytest.approx(
            [spin[2, 1], spin[0, 2], spin[1, 0]], abs=1e-8)


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
    assert np.abs(folded[:, 0] - (own[:, 0] - own[:, 2])).max() < 1e-15
    assert np.abs(folded[:, 1] - own[:, 1]).max() < 1e-15
    assert not folded[:, 2].any()
    settled = Kinematics(model).jacobian('b3', FullConfiguration(np.array([0.5, 0.2, -0.5])))
    assert np.abs(settled - own).max() < 1e-15
