# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Total mass and center of mass."""

from helpers.kinematic_models import plain_fk, plain_mimics, random_model
from hrdf_ros.inertia import Inertia
from hrdf_ros.kinematics import Kinematics
from hrdf_ros.model import Body, Model
from hrdf_ros.pose import compose
from hypothesis import given, settings
from hypothesis import strategies as st
import numpy as np
import pytest


@settings(max_examples=30)
@given(st.integers(0, 2**32), st.integers(3, 20))
def test_center_of_mass_equals_the_definition(seed: int, size: int) -> None:
    model = random_model(seed, size)
    q = np.random.default_rng(seed).uniform(-2.0, 2.0, (2, len(model.coordinates)))
    tree = Kinematics(model)
    for row, center in zip(q, tree.center_of_mass(q)):
        bodies = plain_fk(model, plain_mimics(model, row))
        points = [compose(pose, body.inertia.pose).position
                  for pose, body in zip(bodies, model.bodies)]
        masses = [body.inertia.mass for body in model.bodies]
        assert abs(tree.mass - sum(masses)) < 1e-12
        assert np.abs(center - np.average(points, axis=0, weights=masses)).max() < 1e-12
        assert np.abs(center - tree.center_of_mass(row)).max() < 1e-12


@pytest.mark.parametrize('inertia', [None, Inertia(float('inf'))])
def test_a_model_of_no_or_infinite_mass_has_no_center_of_mass(inertia: Inertia | None) -> None:
    tree = Kinematics(Model('m', 'urdf', '1.0', 'a', (Body('a', 'a', inertia),)))
    with pytest.raises(ValueError, match='no center of mass'):
        tree.center_of_mass()
