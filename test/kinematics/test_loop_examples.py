# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The bundled closed mechanisms against closed-form solutions."""

from pathlib import Path

from helpers.loop_models import delta_platform, FINGER, SPREAD
from hrdf_ros.kinematics import Kinematics
from hrdf_ros.load import load_model
import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[2] / 'examples' / 'sdf'


def tree_of(name: str) -> Kinematics:
    return Kinematics(load_model(EXAMPLES / name))


@pytest.mark.parametrize('angles', [(0.0, 0.0, 0.0), (0.6, -0.6, 0.3), (-0.6, -0.6, -0.6)])
def test_delta_robot(angles: tuple[float, float, float]) -> None:
    tree = tree_of('delta.sdf')
    platform = tree.pose('platform', q=dict(zip(('crank_a', 'crank_b', 'crank_c'), angles)))
    assert tree.independent == ('crank_a', 'crank_b', 'crank_c')
    assert np.abs(platform[:3, 3] - delta_platform(angles)).max() < 1e-9
    assert np.abs(platform[:3, :3] - np.eye(3)).max() < 1e-9


@pytest.mark.parametrize('q', [-0.3, 0.0, 0.5, 1.2])
def test_parallel_gripper(q: float) -> None:
    tree = tree_of('parallel_gripper.sdf')
    assert tree.independent == ('left_drive',)
    for side, sign in (('left', 1.0), ('right', -1.0)):
        jaw = tree.pose(f'{side}_jaw', q={'left_drive': q})
        expected = [FINGER * np.cos(q), sign * (SPREAD + FINGER * np.sin(q)), 0.0]
        assert np.abs(jaw[:3, :3] - np.eye(3)).max() < 1e-9
        assert np.abs(jaw[:3, 3] - expected).max() < 1e-9


@pytest.mark.parametrize('q', [-1.2, 0.0, 0.7])
def test_four_bar_is_a_parallelogram(q: float) -> None:
    tree = tree_of('four_bar.sdf')
    start = tree.pose('coupler')
    coupler = tree.pose('coupler', q={'drive': q})
    assert tree.independent == ('drive',)
    assert np.abs(coupler[:3, :3] - start[:3, :3]).max() < 1e-9
