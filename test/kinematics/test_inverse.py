# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Inverse kinematics: within the limits, with loops closed, and honest where it fails."""

from __future__ import annotations

from pathlib import Path

from hrdf_ros import Kinematics
import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[2] / 'examples'


@pytest.mark.parametrize(('file', 'frame'), [
    ('hrdf/arm_6dof.hrdf', 'tool'), ('hrdf/arm_7dof.hrdf', 'tool'),
    ('hrdf/arm_r25.hrdf', 'wrist_3'), ('urdf/gripper_arm.urdf', 'tool'),
    ('sdf/delta.sdf', 'platform'), ('sdf/four_bar.sdf', 'coupler'),
    ('skel/humanoid.skel', 'right_heel')])
@pytest.mark.parametrize('position_only', [False, True])
def test_targets_that_can_be_reached_are(file: str, frame: str, position_only: bool) -> None:
    """All of a hundred; hebi-py reaches 46 of those of the first arm, from zero."""
    robot = Kinematics.load(EXAMPLES / file)
    rng = np.random.default_rng(5)
    targets = robot.pose(frame, [robot.random_configuration(rng) for _ in range(100)])
    found = robot.ik(frame, targets, position_only=position_only)
    assert found.reached.sum() == 100 and (found.iterations > 0).all()
    assert found.iterations.max() < 700
    assert (found.q >= robot.lower - 1e-9).all() and (found.q <= robot.upper + 1e-9).all()
    rows = (slice(None), slice(3), 3 if position_only else slice(4))
    assert robot.pose(frame, found.q)[rows] == pytest.approx(targets[rows], abs=1e-6)
    assert all(state.closed.all() for state in robot.loop_states(found.q))


def test_a_target_out_of_reach_says_how_far_it_is() -> None:
    arm = Kinematics.load(EXAMPLES / 'urdf' / 'gripper_arm.urdf')
    target = np.eye(4)
    target[:3, 3] = 10.0, 0.0, 0.16
    found = arm.ik('tool', target, position_only=True)
    assert not found.reached and found.q.shape == (7,)
    assert found.position_error == pytest.approx(10.0 - 0.7, abs=1e-3)
    assert found.position_error == pytest.approx(
        np.linalg.norm(arm.pose('tool', found.q)[:3, 3] - target[:3, 3]))


def test_a_mimic_joint_stays_within_its_own_limits() -> None:
    slide = ('<joint name="{0}" type="prismatic"><parent link="{1}"/><child link="{2}"/>'
             '<axis xyz="1 0 0"/><limit lower="0" upper="{3}" effort="1" velocity="1"/>{4}'
             '</joint>')
    robot = Kinematics.load(
        '<robot name="r"><link name="a"/><link name="b"/><link name="c"/>'
        + slide.format('lead', 'a', 'b', 1, '')
        + slide.format('follow', 'b', 'c', 0.5, '<mimic joint="lead" multiplier="2"/>')
        + '</robot>')
    target = np.eye(4)
    target[0, 3] = 0.6
    assert robot.ik('c', target).q == pytest.approx([0.2, 0.4])
    target[0, 3] = 3.0
    found = robot.ik('c', target)
    assert not found.reached and found.q == pytest.approx([0.25, 0.5])


def test_the_shape_of_a_pose_is_checked() -> None:
    arm = Kinematics.load(EXAMPLES / 'hrdf' / 'arm_6dof.hrdf')
    with pytest.raises(ValueError, match='the pose has shape'):
        arm.ik('tool', [0.3, 0.2, 0.1])


def test_each_call_answers_the_same() -> None:
    arm = Kinematics.load(EXAMPLES / 'hrdf' / 'arm_6dof.hrdf')
    rng = np.random.default_rng(9)
    targets = arm.pose('tool', [arm.random_configuration(rng) for _ in range(5)])
    first, second = arm.ik('tool', targets), arm.ik('tool', targets)
    assert all(np.array_equal(*pair) for pair in zip(first, second))
