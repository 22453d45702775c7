# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The SDFormat robots under examples/: no errors or warnings, as their README describes them."""

import math
from pathlib import Path

from helpers.sdf_names import with_names_of_sdf
from hrdf_ros.kinematics import Kinematics
from hrdf_ros.load import load, load_model
from hrdf_ros.model import Model
from hrdf_ros.writers.sdf import write_sdf
from hrdf_ros.writers.urdf import write_urdf
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


@pytest.mark.parametrize('file', FILES, ids=lambda file: str(file.relative_to(EXAMPLES)))
def test_examples_go_out_as_sdf_and_come_back(file):
    loaded = load_model(file)
    text, _ = write_sdf(loaded)
    again = load_model(text, format='sdf')
    loaded = with_names_of_sdf(loaded)
    first, second = Kinematics(loaded), Kinematics(again)
    q = {item.name: 0.1 for item in loaded.coordinates if item.mimic is None}
    at = {frame.name: index for index, frame in enumerate(again.frames)}
    same = {item.name for item in again.coordinates} >= set(q)
    if loaded.name != 'four_bar' and same:
        for index, frame in enumerate(loaded.frames):
            if frame.kind == 'link':
                assert first.fk(q)[index] == pytest.approx(second.fk(q)[at[frame.name]], abs=1e-9)
    assert [body.name for body in loaded.bodies] == [body.name for body in again.bodies]


@pytest.mark.parametrize('file', FILES, ids=lambda file: str(file.relative_to(EXAMPLES)))
def test_examples_become_urdf(file):
    text, report = write_urdf(load_model(file))
    assert report.ok and text.startswith('<?xml')


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
