# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The SDFormat robots under examples/: no errors or warnings, as their README describes them."""

import math
from pathlib import Path

from hrdf_ros.kinematics import Kinematics
from hrdf_ros.load import load, load_model
from hrdf_ros.model import Model
import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[3] / 'examples' / 'sdf'
FILES = sorted(EXAMPLES.rglob('*.sdf'))


def model(name: str) -> Model:
    return load_model(EXAMPLES / name)


@pytest.mark.parametrize('file', FILES, ids=lambda file: str(file.relative_to(EXAMPLES)))
def test_examples_have_no_errors_and_no_warnings(file):
    report = load(file).report
    assert [found for found in report if found.severity != 'info'] == []


def test_four_bar_is_a_parallelogram_at_any_angle():
    linkage = model('four_bar.sdf')
    tree = Kinematics(linkage)
    for drive in (0.0, 0.4, -0.7):
        coupler = tree.pose('coupler', q={'drive': drive})
        assert coupler[:3, :3] == pytest.approx(np.eye(3), abs=1e-9)
        assert coupler[:3, 3] == pytest.approx(
            [0.2 * math.sin(drive), 0.0, 0.2 * math.cos(drive)], abs=1e-9)


def test_hrdf_arm_is_welded_at_its_tool():
    arm = model('hrdf_arm.sdf')
    camera = Kinematics(arm).pose('camera', relative_to='arm/tool')
    assert camera[:3, 3] == pytest.approx([0.0, 0.0, 0.05])
    moved = Kinematics(arm).pose('camera', relative_to='arm/tool', q={
        item.name: 0.3 for item in arm.coordinates})
    assert moved == pytest.approx(camera)


def test_automatic_inertia():
    inertia = model('features/auto_inertia.sdf').bodies[0].inertia
    handle, head = 700 * math.pi * 0.015 ** 2 * 0.3, 7850 * 0.1 * 0.03 * 0.03
    assert inertia.mass == pytest.approx(handle + head)
    assert inertia.pose.position == pytest.approx((0, 0, 0.15 * head / (handle + head)))
