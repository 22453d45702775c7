# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The SDFormat robots under examples/: no errors or warnings, as their README describes them."""

import math
from pathlib import Path

from helpers.sdf_names import with_names_of_sdf
from hrdf_ros.kinematics import Kinematics
from hrdf_ros.load import load, load_model
from hrdf_ros.model import Mimic, Model
from hrdf_ros.writers.sdf import write_sdf
from hrdf_ros.writers.urdf import write_urdf
import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[3] / 'examples' / 'sdf'
FILES = sorted(EXAMPLES.rglob('*.sdf'))


def model(name: str) -> Model:
    return load_model(EXAMPLES / name)


def position(loaded: Model, frame: str, **q: float) -> list[float]:
    return Kinematics(loaded).pose(frame, q=q or None)[:3, 3].round(12).tolist()


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


def test_nested_arm():
    arm = model('nested_arm.sdf')
    assert [scope.name for scope in arm.scopes[1:]] == ['arm', 'gripper']
    assert position(arm, 'gripper/palm') == pytest.approx([0, 0, 0.9])
    assert position(arm, 'tool') == pytest.approx([0, 0, 1.01])
    at = {item.name: index for index, item in enumerate(arm.coordinates)}
    follower = arm.coordinates[at['gripper/right_slide']]
    assert follower.mimic == Mimic(at['gripper/left_slide'], 1.0, 0.0)


def test_two_arm_world():
    world = model('two_arm_world.sdf')
    assert world.is_world and world.gravity == (0.0, 0.0, -9.80665)
    assert position(world, 'left/base') == pytest.approx([-0.5, 0, 0.7])
    assert position(world, 'right/wrist', **{'right/lift': math.pi / 2}) == pytest.approx(
        [0.5 - 0.62, 0, 0.92])
    left = load_model(EXAMPLES / 'two_arm_world.sdf', model_name='left')
    assert [body.name for body in left.bodies][-1] == 'wrist'


def test_mobile_base():
    base = model('mobile_base.sdf')
    assert position(base, 'base_footprint') == [0.0, 0.0, 0.0]
    lidar = next(frame for frame in base.frames if frame.kind == 'sensor')
    assert position(base, lidar.name) == pytest.approx([0.2, 0, 0.22])
    wheel = base.joints[0]
    assert (wheel.type, wheel.motions[0].axis) == ('continuous', (0.0, 0.0, 1.0))
    turned = Kinematics(base).pose('left_wheel')[:3, 2]
    assert turned == pytest.approx(np.array([0.0, 1.0, 0.0]))


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


def test_frames():
    frames = model('features/frames.sdf')
    assert position(frames, 'hand') == pytest.approx([1, 0, 1.5])
    assert frames.joints[0].motions[0].axis == pytest.approx((0.0, -1.0, 0.0))


def test_rotations_are_one():
    rotations = model('features/rotations.sdf')
    first, *others = (body.pose for body in rotations.bodies)
    for pose in others:
        assert pose == pytest.approx(first)


def test_gearbox_and_mimic():
    gearbox = model('features/gearbox.sdf').constraints[0]
    assert (gearbox.kind, dict(gearbox.values)['ratio']) == ('gearbox', 2.0)
    assert model('features/gearbox.sdf').coordinates[1].mimic == (0, -2.0, 0.0)
    assert model('features/mimic.sdf').coordinates[1].mimic == pytest.approx((0, 2.0, 0.1))


def test_automatic_inertia():
    inertia = model('features/auto_inertia.sdf').bodies[0].inertia
    handle, head = 700 * math.pi * 0.015 ** 2 * 0.3, 7850 * 0.1 * 0.03 * 0.03
    assert inertia.mass == pytest.approx(handle + head)
    assert inertia.pose.position == pytest.approx((0, 0, 0.15 * head / (handle + head)))


def test_placement_canonical_and_merge():
    placed = model('features/placement_frame.sdf')
    assert position(placed, 'foot') == [1.0, 0.0, 0.0]
    canonical = model('features/canonical_link.sdf')
    assert canonical.bodies[canonical.canonical_body].name == 'arm/hand'
    assert position(model('features/merge.sdf'), 'shoulder') == pytest.approx([0, 0, 0.6])


@pytest.mark.parametrize('name, axis', [
    ('version_1_4', (0.0, -1.0, 0.0)), ('version_1_5', (1.0, 0.0, 0.0)),
    ('version_1_6', (0.0, -1.0, 0.0))])
def test_the_frame_of_an_axis_depends_on_the_version(name, axis):
    joint = model(f'features/{name}.sdf').joints[0]
    assert joint.motions[0].axis == pytest.approx(axis)
