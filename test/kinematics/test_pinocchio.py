# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Robots in pinocchio: the same poses, Jacobians and masses; dynamics through the map."""

from __future__ import annotations

from pathlib import Path
import pickle

from helpers.kinematic_models import random_model
from hrdf_ros import Kinematics, load_model, to_pinocchio
from hrdf_ros.model import Coordinate, Mimic, Model
import numpy as np
import pytest

pinocchio = pytest.importorskip('pinocchio')
EXAMPLES = Path(__file__).parents[2] / 'examples'
WORLD = pinocchio.ReferenceFrame.LOCAL_WORLD_ALIGNED


def check(model: Model, seed: int = 1) -> None:
    ours, robot = Kinematics(model), to_pinocchio(model)
    q = ours.random_configuration(np.random.default_rng(seed))
    data = robot.model.createData()
    position, slope = robot.q(q), robot.velocity_map(q)
    pinocchio.computeJointJacobians(robot.model, data, position)
    pinocchio.framesForwardKinematics(robot.model, data, position)
    for frame, expected in zip(model.frames, ours.fk(q)):
        index = robot.model.getFrameId(frame.name)
        np.testing.assert_allclose(data.oMf[index].homogeneous, expected, atol=1e-12)
        jacobian = pinocchio.getFrameJacobian(robot.model, data, index, WORLD) @ slope
        np.testing.assert_allclose(jacobian, ours.jacobian(frame.name, q), atol=1e-12)
    masses = sum(inertia.mass for inertia in robot.model.inertias)  # the universe's, too
    assert masses == pytest.approx(ours.mass, rel=1e-12)
    for constraint in robot.constraints:
        first = data.oMi[constraint.joint1_id] * constraint.joint1_placement
        second = data.oMi[constraint.joint2_id] * constraint.joint2_placement
        np.testing.assert_allclose(first.homogeneous, second.homogeneous, atol=1e-7)


@pytest.mark.parametrize('file', [
    'hrdf/arm_6dof.hrdf', 'hrdf/gantry.hrdf', 'skel/humanoid.skel', 'skel/rover.skel',
    'urdf/gripper_arm.urdf', 'urdf/rover.urdf', 'sdf/delta.sdf', 'sdf/four_bar.sdf',
    'sdf/features/joints.sdf'])
def test_bundled_robots_are_the_same(file: str) -> None:
    check(load_model(EXAMPLES / file))


@pytest.mark.parametrize('seed', range(8))
def test_every_kind_of_joint_is_the_same(seed: int) -> None:
    check(random_model(seed, 10), seed)


@pytest.mark.parametrize('field', Coordinate._fields[2:])
def test_a_fact_about_a_coordinate_is_held_or_said_to_be_left_out(field: str) -> None:
    model = load_model(EXAMPLES / 'urdf' / 'gripper_arm.urdf')
    changed = model.coordinates[0]._replace(
        **{field: Mimic(1) if field == 'mimic' else 0.125})
    before, robot = to_pinocchio(model), to_pinocchio(
        model._replace(coordinates=(changed, *model.coordinates[1:])))
    is_held = any(not np.array_equal(*pair) for pair in (
        (robot.q(), before.q()), (robot.velocity_map(), before.velocity_map()),
        *((getattr(robot.model, name), getattr(before.model, name)) for name in (
            'lowerPositionLimit', 'upperPositionLimit', 'velocityLimit', 'effortLimit',
            'damping', 'friction', 'armature'))))
    said = (f'{field} of {changed.name!r}',) if not is_held and field != 'location' else ()
    assert before.left_out == () and robot.left_out == said


def test_limits_are_those_of_the_joints() -> None:
    robot = to_pinocchio(load_model(EXAMPLES / 'urdf' / 'gripper_arm.urdf')).model
    at = robot.joints[robot.getJointId('elbow')].idx_q
    assert (robot.lowerPositionLimit[at], robot.upperPositionLimit[at]) == (-0.4, 2.6)


def test_what_pinocchio_holds_of_one_coordinate_is_left_out_of_a_ball() -> None:
    model = load_model(EXAMPLES / 'skel' / 'humanoid.skel')
    index, name = next(
        (motion.coordinates[0], model.coordinates[motion.coordinates[0]].name)
        for joint in model.joints for motion in joint.motions if len(motion.coordinates) == 3)
    table = list(model.coordinates)
    table[index] = table[index]._replace(damping=0.3)
    assert f"damping of '{name}'" in to_pinocchio(
        model._replace(coordinates=tuple(table))).left_out


def test_a_robot_has_a_short_repr_compares_and_pickles() -> None:
    model = load_model(EXAMPLES / 'urdf' / 'gripper_arm.urdf')
    robot = to_pinocchio(model)
    assert repr(robot) == "<PinocchioRobot 'gripper_arm': nq 7, nv 7>"
    again = pickle.loads(pickle.dumps(robot))
    assert robot == to_pinocchio(model) == again and hash(robot) == hash(again)
    assert (again.model.nq, again.left_out) == (robot.model.nq, robot.left_out)
    assert robot != to_pinocchio(model._replace(name='other')) and robot != model
