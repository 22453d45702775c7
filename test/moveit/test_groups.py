# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Planning groups, end effectors and states, in the names of the URDF."""

from __future__ import annotations

from xml.etree import ElementTree

from helpers.robots import REPOSITORY
from hrdf_ros import load_model
from hrdf_ros.moveit import (
    as_urdf,
    GroupError,
    planning_groups,
    UrdfRobot,
    wheel_joints,
    write_srdf,
)
import pytest

EXAMPLES = REPOSITORY / 'examples'
def joint(name: str, kind: str, parent: str, child: str, inside: str = '') -> str:
    return (f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
            f'<axis xyz="0 0 1"/>{inside}</joint>')


LIMIT = '<limit lower="-1" upper="1" effort="1" velocity="1"/>'
TWO_TOOLS = '<robot name="r">' + ''.join(
    f'<link name="{name}"/>' for name in ('base', 'one', 'two', 'tool0', 'ball')) + ''.join((
        joint('a', 'revolute', 'base', 'one', LIMIT), joint('mount', 'fixed', 'one', 'tool0'),
        joint('b', 'continuous', 'base', 'two', '<mimic joint="a" multiplier="2"/>'),
        joint('free', 'floating', 'base', 'ball'))) + '</robot>'
CYCLE = (
    '<robot name="cycle"><link name="base"/><link name="one"/><link name="two"/>'
    + joint('a', 'continuous', 'base', 'one', '<mimic joint="b"/>')
    + joint('b', 'continuous', 'one', 'two', '<mimic joint="a"/>') + '</robot>')


def robot(name: str):
    return as_urdf(load_model(EXAMPLES / name))


@pytest.mark.parametrize(('file', 'found', 'effectors'), [
    ('hrdf/arm_6dof.hrdf', [
        ('arm', ('base_link', 'tool'), (), (), 6), ('arm_end_effector', None, (), ('tool',), 0)],
     [('tool', 'arm_end_effector', 'tool/body', 'arm')]),
    ('urdf/gripper_arm.urdf', [  # short branches behind an arm
        ('arm', ('base_link', 'tool'), (), (), 5),
        ('gripper', None, ('finger', 'finger_mirror'), (), 1)],
     [('gripper', 'gripper', 'palm', 'arm')]),
    ('hrdf/gantry.hrdf', [  # a scaled coordinate has a joint of its own beside the chain
        ('arm', ('base_link', 'tool'), ('bridge', 'carriage', 'spindle', 'tool_axis'), (), 4),
        ('arm_end_effector', None, (), ('tool',), 0)],
     [('tool', 'arm_end_effector', 'tool/body', 'arm')]),
    ('skel/humanoid.skel', [  # behind its free joint
        *((f'{side}_{end}', ('pelvis', f'{side}_{end}'), (), (), count)
          for end, count in (('hand', 8), ('foot', 6)) for side in ('left', 'right')),
        ('all', None, (), (), 26)], [])])
def test_groups_of_a_robot(file: str, found: list[object], effectors: list[object]) -> None:
    planned = planning_groups(robot(file))
    assert [(group.name, group.chain, group.joints, group.links, len(group.active))
            for group in planned.groups] == found
    assert list(planned.end_effectors) == effectors


def test_each_of_several_end_effectors_has_a_group_and_all_have_one() -> None:
    groups, effectors = planning_groups(robot('hrdf/hexapod.hrdf'))
    legs = [f'end_effector_{n}' for n in range(1, 7)]
    assert [group.chain[1] for group in groups if group.chain is not None] == legs
    assert groups[-1].groups == tuple(legs) and len(groups[-1].active) == 18
    assert [effector.parent_group for effector in effectors] == legs


def test_groups_of_a_urdf() -> None:
    groups, effectors = planning_groups(as_urdf(load_model(TWO_TOOLS)))
    assert [(group.name, group.chain, group.joints) for group in groups[:3]] == [
        ('tool0', ('base', 'tool0'), ()),
        ('tool0_end_effector', None, ()),
        ('two', ('base', 'two'), ('a',))]
    assert [effector.name for effector in effectors] == ['tool0']


def test_wheels_are_in_no_group() -> None:
    """Those on casters turn about an axis at right angles; the links of a pendulum do not."""
    names = ('base', 'fork', 'wheel', 'upper', 'lower', 'drive')
    caster = '<robot name="r">' + ''.join(
        f'<link name="{name}"/>'
        for name in names) + ''.join((
            joint('drive', 'continuous', 'base', 'drive'),
            joint('steer', 'continuous', 'base', 'fork'),
            joint('roll', 'continuous', 'fork', 'wheel').replace('0 0 1', '0 1 0'),
            joint('a', 'continuous', 'base', 'upper'),
            joint('b', 'continuous', 'upper', 'lower'))) + '</robot>'
    shown = as_urdf(load_model(caster))
    planned = planning_groups(shown)
    assert wheel_joints(shown) == ('drive', 'steer', 'roll')
    assert [(group.name, group.active) for group in planned.groups] == [('arm', ('a', 'b'))]
    assert not planned.has_arm and planning_groups(robot('hrdf/arm_6dof.hrdf')).has_arm
    rover = robot('urdf/rover.urdf')
    assert planning_groups(rover).groups == ()
    assert wheel_joints(rover) == ('left_axle', 'right_axle')
    asked = planning_groups(rover, [('left', '', 'left_wheel')])
    assert [group.name for group in asked.groups] == ['left']
    turntable = as_urdf(load_model(
        '<robot name="r"><link name="base"/><link name="table"/>'
        + joint('turn', 'continuous', 'base', 'table') + '</robot>'))
    assert [group.name for group in planning_groups(turntable).groups] == ['arm']


def test_groups_that_are_asked_for_replace_the_others() -> None:
    groups, _ = planning_groups(
        robot('hrdf/arm_6dof.hrdf'), [('wrist', 'forearm', 'tool'), ('whole', '', 'forearm')])
    assert [(group.name, group.chain) for group in groups if group.chain] == [
        ('wrist', ('forearm', 'tool')), ('whole', ('base_link', 'forearm'))]


@pytest.mark.parametrize(('asked', 'message'), [
    ([('a', '', 'tol')], "no link 'tol'; did you mean 'tool'?"),
    ([('a', 'tool', 'forearm')], 'form no chain'),
    ([('a', 'tool/body', 'tool')], 'no joint moves'),
    ([('a', '', 'tool'), ('a', '', 'forearm')], "two groups are named 'a'"),
])
def test_groups_that_cannot_be(asked: list[tuple[str, str, str]], message: str) -> None:
    with pytest.raises(GroupError) as raised:
        planning_groups(robot('hrdf/arm_6dof.hrdf'), asked)
    assert message in str(raised.value)


def test_a_cycle_of_mimics_is_no_endless_loop() -> None:
    assert planning_groups(as_urdf(load_model(CYCLE))).groups == ()


def states(shown: UrdfRobot) -> dict[tuple[str, str], dict[str, float]]:
    """Return the positions of each state and group."""
    srdf = ElementTree.fromstring(write_srdf(shown, planning_groups(shown)))
    return {
        (state.get('name'), state.get('group')): {
            joint.get('name'): float(joint.get('value')) for joint in state}
        for state in srdf.findall('group_state')}


def test_home_is_the_initial_configuration_within_limits() -> None:
    assert states(robot('skel/humanoid.skel'))['home', 'left_foot']['left_knee'] == 0.2
    bent = TWO_TOOLS.replace('lower="-1"', 'lower="0.5"')
    shown = as_urdf(load_model(bent))
    assert shown.home == {'a': 0.75, 'b': 1.5}
    assert as_urdf(load_model(bent), {'a': 0.6}).home == {'a': 0.6, 'b': 1.2}


def test_named_configurations_are_states() -> None:
    """Those of a hinge, a slide and a free joint; coordinates that are not named are initial."""
    inertial = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
    shown = as_urdf(load_model(f"""<mujoco><worldbody>
      <body name="b"><freejoint name="f"/>{inertial}
        <body name="c"><joint name="h" range="-90 90"/>{inertial}</body></body></worldbody>
      <keyframe><key name="up" qpos="0 0 1 1 0 0 0 0.5"/></keyframe></mujoco>"""))
    assert shown.states == {'home': {'h': 0.5}, 'up': {'h': 0.5}}
    assert [(pose.name, pose.positions) for pose in shown.starts] == [
        ("the configuration 'up'", {'h': 0.5}), ("MoveIt's default", {'h': 0.0}),
        ('the middle of all limits', {'h': 0.0})]
    assert {group for state, group in states(shown) if state == 'up'} == {'arm'}
    kit = states(robot('hrdf/arm_6dof.cfg.yaml'))
    assert kit['home', 'arm']['J3_elbow'] == 1.6 and kit['ik_seed', 'arm']['J3_elbow'] == 1.5


def test_states_of_given_positions_close_the_loops() -> None:
    shown = as_urdf(load_model(EXAMPLES / 'sdf' / 'four_bar.sdf'), {'drive': 0.3})
    assert shown.home['drive'] == 0.3 and len(shown.passive) == 2
    assert any(abs(shown.home[name]) > 0.01 for name in shown.passive)


@pytest.mark.parametrize(('soft', 'default', 'middle'), [
    ('soft_lower_limit="-2" soft_upper_limit="-1"', -1.5, -1.5),
    ('soft_lower_limit="-9" soft_upper_limit="9"', 0.0, -1.0),
    ('', 0.0, 0.0),  # without a limit it is 0
    ('soft_lower_limit="5" soft_upper_limit="6"', 0.0, -1.0)])  # without a position
def test_soft_limits_are_those_of_moveit(soft: str, default: float, middle: float) -> None:
    """MoveIt refuses to start at a pose outside of soft limits."""
    robot = as_urdf(load_model(
        '<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="revolute">'
        '<parent link="a"/><child link="b"/><axis xyz="0 0 1"/>'
        f'<limit lower="-3" upper="1" effort="1" velocity="1"/><safety_controller '
        f'k_velocity="1" {soft}/></joint></robot>'))
    assert [dict(pose.positions)['j'] for pose in robot.starts] == [default, middle]
