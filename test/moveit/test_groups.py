# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Planning groups, end effectors and states, in the names of the URDF."""

from __future__ import annotations

from xml.etree import ElementTree

from helpers.robots import REPOSITORY
from hrdf_ros import load_model, write_urdf
from hrdf_ros.moveit import as_urdf, Chain, GroupError, planning_groups, write_srdf
import pytest

EXAMPLES = REPOSITORY / 'examples'
ROBOTS = sorted(
    file for file in EXAMPLES.rglob('*')
    if file.suffix in ('.hrdf', '.sdf', '.skel', '.urdf') and 'parts' not in file.parts)
TWO_TOOLS = """\
<robot name="two_tools">
  <link name="base"/><link name="one"/><link name="two"/><link name="tool0"/><link name="ball"/>
  <joint name="a" type="revolute">
    <parent link="base"/><child link="one"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/>
  </joint>
  <joint name="mount" type="fixed"><parent link="one"/><child link="tool0"/></joint>
  <joint name="b" type="continuous">
    <parent link="base"/><child link="two"/><axis xyz="0 0 1"/><mimic joint="a" multiplier="2"/>
  </joint>
  <joint name="free" type="floating"><parent link="base"/><child link="ball"/></joint>
</robot>
"""
CYCLE = """\
<robot name="cycle">
  <link name="base"/><link name="one"/><link name="two"/>
  <joint name="a" type="continuous">
    <parent link="base"/><child link="one"/><axis xyz="0 0 1"/><mimic joint="b"/>
  </joint>
  <joint name="b" type="continuous">
    <parent link="one"/><child link="two"/><axis xyz="0 0 1"/><mimic joint="a"/>
  </joint>
</robot>
"""


def robot(name: str):
    return as_urdf(load_model(EXAMPLES / name))


def test_a_kit_has_an_arm_that_ends_at_its_end_effector() -> None:
    groups, effectors = planning_groups(robot('hrdf/arm_6dof.hrdf'))
    arm, tool = groups
    assert (arm.name, arm.chain) == ('arm', Chain('base_link', 'tool'))
    assert arm.active == ('base', 'shoulder', 'elbow', 'wrist_1', 'wrist_2', 'wrist_3')
    assert tool.links == ('tool',) and not tool.active
    assert effectors[0]._asdict() == {
        'name': 'tool', 'group': tool.name, 'parent_link': 'tool/body', 'parent_group': 'arm'}


def test_each_of_several_end_effectors_has_a_group_and_all_have_one() -> None:
    groups, effectors = planning_groups(robot('hrdf/hexapod.hrdf'))
    legs = [group for group in groups if group.chain is not None]
    assert [leg.chain.tip for leg in legs] == [f'end_effector_{n}' for n in range(1, 7)]
    assert all(len(leg.active) == 3 for leg in legs)
    assert groups[-1].groups == tuple(leg.name for leg in legs)
    assert len(groups[-1].active) == 18
    assert [effector.parent_group for effector in effectors] == [leg.name for leg in legs]


def test_short_branches_behind_an_arm_are_a_gripper() -> None:
    groups, effectors = planning_groups(robot('urdf/gripper_arm.urdf'))
    arm, gripper = groups
    assert arm.chain == Chain('base_link', 'tool')
    assert (gripper.name, gripper.joints) == ('gripper', ('finger', 'finger_mirror'))
    assert gripper.active == ('finger',)
    assert effectors[0][2:] == ('palm', 'arm')


def test_groups_begin_behind_joints_of_several_axes() -> None:
    groups, _ = planning_groups(robot('skel/humanoid.skel'))
    chains = {group.chain for group in groups if group.chain}
    assert Chain('pelvis', 'left_hand') in chains and Chain('pelvis', 'right_foot') in chains
    assert all('root' not in group.active for group in groups)


def test_a_follower_has_its_leader_in_the_group() -> None:
    """A scaled coordinate has a joint of its own beside the chain."""
    (arm, *_), _ = planning_groups(robot('hrdf/gantry.hrdf'))
    assert arm.joints == arm.active == ('bridge', 'carriage', 'spindle', 'tool_axis')


def test_groups_of_a_urdf() -> None:
    groups, effectors = planning_groups(as_urdf(load_model(TWO_TOOLS)))
    assert [(group.name, group.chain, group.joints) for group in groups[:3]] == [
        ('tool0', Chain('base', 'tool0'), ()),
        ('tool0_end_effector', None, ()),
        ('two', Chain('base', 'two'), ('a',))]
    assert [effector.name for effector in effectors] == ['tool0']


def test_groups_that_are_asked_for_replace_the_others() -> None:
    groups, _ = planning_groups(
        robot('hrdf/arm_6dof.hrdf'), [('wrist', 'forearm', 'tool'), ('whole', '', 'forearm')])
    assert [(group.name, group.chain) for group in groups if group.chain] == [
        ('wrist', Chain('forearm', 'tool')), ('whole', Chain('base_link', 'forearm'))]


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


def test_states_are_the_initial_positions() -> None:
    shown = robot('skel/humanoid.skel')
    srdf = ElementTree.fromstring(write_srdf(shown, planning_groups(shown)))
    state = srdf.find("group_state[@group='left_foot']")
    assert {joint.get('name'): joint.get('value') for joint in state}['left_knee'] == '0.2'


def test_states_of_given_positions_close_the_loops() -> None:
    shown = as_urdf(load_model(EXAMPLES / 'sdf' / 'four_bar.sdf'), {'drive': 0.3})
    assert shown.home['drive'] == 0.3 and len(shown.passive) == 2
    assert any(abs(shown.home[name]) > 0.01 for name in shown.passive)


@pytest.mark.parametrize('file', ROBOTS, ids=lambda file: file.name)
def test_srdfdom_would_take_all_of_it(file) -> None:
    """The rules of srdfdom's parser: what breaks one is dropped there with a message."""
    model = load_model(file)
    shown = as_urdf(model)
    urdf = ElementTree.fromstring(write_urdf(model)[0])
    srdf = ElementTree.fromstring(write_srdf(shown, planning_groups(shown)))
    links = {link.get('name') for link in urdf.iter('link')}
    joints = {joint.get('name'): joint for joint in urdf.findall('joint')}
    above = {joint.find('child').get('link'): joint.find('parent').get('link')
             for joint in joints.values()}
    groups = [group.get('name') for group in srdf.findall('group')]
    assert srdf.get('name') == urdf.get('name')
    assert len(groups) == len(set(groups))
    for chain in srdf.iter('chain'):
        link = chain.get('tip_link')
        while link != chain.get('base_link'):
            link = above[link]
    for group in srdf.findall('group'):
        assert len(group) and {each.get('name') for each in group.findall('link')} <= links
        assert {each.get('name') for each in group.findall('joint')} <= set(joints)
        assert {each.get('name') for each in group.findall('group')} <= set(groups)
    for effector in srdf.iter('end_effector'):
        assert effector.get('parent_link') in links
        assert {effector.get('group'), effector.get('parent_group')} <= set(groups)
    for state in srdf.iter('group_state'):
        assert state.get('group') in groups
        for joint in state:
            assert joints[joint.get('name')].get('type') in ('revolute', 'continuous', 'prismatic')
            assert joints[joint.get('name')].find('mimic') is None
            float(joint.get('value'))
    assert {each.get('name') for each in srdf.iter('passive_joint')} <= set(joints)
    assert {each.get('child_link') for each in srdf.iter('virtual_joint')} <= links - set(above)
