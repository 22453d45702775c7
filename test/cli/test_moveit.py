# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf moveit``, ``hrdf srdf`` and ``hrdf ros2-control``."""

from __future__ import annotations

from pathlib import Path
from unittest import mock
from xml.etree import ElementTree

from helpers.robots import REPOSITORY
from helpers.terminal import Run
from hrdf_ros import load, load_model
from hrdf_ros.moveit import as_urdf, Hardware, planning_groups, write_controllers
import pytest
import yaml

EXAMPLES = REPOSITORY / 'examples'
ARM = EXAMPLES / 'hrdf' / 'arm_6dof.hrdf'
GRIPPER = EXAMPLES / 'urdf' / 'gripper_arm.urdf'
FOUR_BAR = EXAMPLES / 'sdf' / 'four_bar.sdf'


# ---- hrdf moveit

def test_an_update_keeps_what_the_user_changed(hrdf: Run) -> None:
    command = f'moveit {GRIPPER} -o arm_moveit_config --no-collisions'
    assert hrdf(command).status == 0
    status, _, err = hrdf(command)
    assert status == 1 and 'arm_moveit_config exists; --update' in err
    out = Path('arm_moveit_config')
    limits, srdf = out / 'config/joint_limits.yaml', out / 'config/arm.srdf'
    limits.write_text('mine: true\n')
    srdf.write_text('<robot name="mine"/>\n')
    positions = (out / 'config/initial_positions.yaml').read_text()
    assert 'arm.srdf.new: config/arm.srdf was changed and stays' in hrdf(
        f'{command} --update --position elbow=0.5').out
    assert limits.read_text() == 'mine: true\n'  # what is generated has not changed
    assert not Path(f'{limits}.new').exists()
    assert srdf.read_text() == '<robot name="mine"/>\n'
    assert 'value="0.5"' in Path(f'{srdf}.new').read_text()
    assert (out / 'config/initial_positions.yaml').read_text() != positions
    assert hrdf(f'{command} --update --position elbow=0.7').status == 0
    assert 'value="0.7"' in Path(f'{srdf}.new').read_text()
    assert '0 files written' in hrdf(f'{command} --update --position elbow=0.7').out
    status, _, err = hrdf(f'{command} --update'.replace(str(GRIPPER), f'{out}/config/arm.urdf'))
    assert status == 2 and 'is a source of this conversion' in err


def test_a_directory_of_others_is_not_updated(hrdf: Run, tmp_path: Path) -> None:
    (tmp_path / 'arm_moveit_config').mkdir()
    status, _, err = hrdf(f'moveit {GRIPPER} -o arm_moveit_config --no-collisions --update')
    assert status == 1 and 'is not a package that hrdf moveit wrote' in err
    assert list(tmp_path.rglob('*')) == [tmp_path / 'arm_moveit_config']


def test_the_manifest_and_the_license_are_as_asked_for(hrdf: Run) -> None:
    assert hrdf(f'moveit {GRIPPER} -o arm_moveit_config --no-collisions --license MIT '
                "--maintainer 'Ann Doe <ann@example.org>'").status == 0
    manifest = Path('arm_moveit_config/package.xml').read_text()
    assert '<maintainer email="ann@example.org">Ann Doe</maintainer>' in manifest
    assert '<license>MIT</license>' in manifest


# ---- hrdf srdf

def test_all_parts_are_there(hrdf: Run) -> None:
    pytest.importorskip('coal')
    robot = ElementTree.fromstring(hrdf(f'srdf {ARM} --samples 50').out)
    assert {child.tag for child in robot} == {
        'virtual_joint', 'group', 'group_state', 'end_effector', 'disable_collisions'}
    assert {pair.get('reason') for pair in robot.iter('disable_collisions')} == {
        'Adjacent', 'Never'}


def test_groups_states_and_the_virtual_joint_are_as_asked_for(hrdf: Run) -> None:
    assert hrdf(f'srdf {ARM} --no-collisions --group wrist=forearm:tool --position wrist_2=0.25 '
                '--virtual-joint planar -o arm.srdf').status == 0
    robot = ElementTree.parse('arm.srdf').getroot()
    assert robot.get('name') == 'arm_6dof'
    assert robot.find('group/chain').attrib == {'base_link': 'forearm', 'tip_link': 'tool'}
    assert robot.find("group_state/joint[@name='wrist_2']").get('value') == '0.25'
    assert robot.find('virtual_joint').get('type') == 'planar'
    assert {pair.get('reason') for pair in robot.iter('disable_collisions')} == {'Adjacent'}


@pytest.mark.parametrize('command', ['srdf', 'ros2-control'])
def test_a_robot_of_too_many_links_is_refused(command: str, hrdf: Run) -> None:
    chain = f'<robot version="1.6.0">{"<joint axis=@rz@/>" * 1001}</robot>'.replace('@', '"')
    assert hrdf(f'{command} chain.hrdf', files={'chain.hrdf': chain}) == (
        1, '', 'hrdf: error: no planning groups: the robot has 1003 links; 1000 are the most\n')


def test_without_the_library_adjacent_links_are_disabled(hrdf: Run) -> None:
    with mock.patch.dict('sys.modules', {'coal': None}):
        status, out, err = hrdf(f'srdf {ARM}')
    assert status == 0 and 'pip install coal' in err
    assert hrdf(f'srdf {ARM} --no-collisions') == (0, out, '')


def test_what_cannot_move_has_no_group(hrdf: Run) -> None:
    status, out, err = hrdf('srdf stone.urdf --no-collisions', files={
        'stone.urdf': '<robot name="stone"><link name="stone"/></robot>'})
    assert status == 0 and '<group' not in out and 'nothing moves' in err


def test_an_open_loop_ends_it(hrdf: Run) -> None:
    status, _, err = hrdf(
        f'srdf {FOUR_BAR} --no-collisions --position drive=0.1 --position crank_pin=3 '
        '--position pivot=2 --position rocker_pin=1')
    assert status == 1 and 'loop-open' in err


# ---- hrdf ros2-control

def block(hrdf: Run, file: Path, options: str = '') -> ElementTree.Element:
    status, out, _ = hrdf(f'ros2-control {file} {options}')
    assert status == 0
    return ElementTree.fromstring(out)


def joint_of(root: ElementTree.Element, name: str) -> ElementTree.Element:
    [found] = root.findall(f"joint[@name='{name}']")
    return found


def params(element: ElementTree.Element) -> dict[str, str]:
    return {param.get('name', ''): param.text or '' for param in element.findall('param')}


def test_mock_hardware_by_default(hrdf: Run) -> None:
    root = block(hrdf, ARM)
    assert root.attrib == {'name': 'arm_6dof', 'type': 'system'}
    assert root.findtext('hardware/plugin') == 'mock_components/GenericSystem'
    assert [joint.get('name') for joint in root.findall('joint')] == [
        'base', 'shoulder', 'elbow', 'wrist_1', 'wrist_2', 'wrist_3']
    elbow = joint_of(root, 'elbow')
    assert [(each.tag, each.get('name'), params(each)) for each in elbow] == [
        ('command_interface', 'position', {}),
        ('state_interface', 'position', {'initial_value': '0.0'}),
        ('state_interface', 'velocity', {})]


def test_a_plugin_with_parameters_and_interfaces(hrdf: Run) -> None:
    root = block(
        hrdf, GRIPPER, '--driver my/Driver --driver-parameter port=/dev/tty=0 --name driver '
        '--driver-parameter id=3 --interfaces position,velocity,effort,acceleration '
        '--position elbow=0.5')
    assert root.get('name') == 'driver'
    assert root.findtext('hardware/plugin') == 'my/Driver'
    assert params(root.find('hardware')) == {'port': '/dev/tty=0', 'id': '3'}
    elbow = joint_of(root, 'elbow')
    commands = {each.get('name'): params(each) for each in elbow.findall('command_interface')}
    coordinate = next(
        each for each in load_model(GRIPPER).coordinates if each.name == 'elbow')
    assert commands == {
        'position': {'min': '-0.4', 'max': '2.6'},
        'velocity': {'min': repr(-coordinate.velocity), 'max': repr(coordinate.velocity)},
        'effort': {'min': repr(-coordinate.effort), 'max': repr(coordinate.effort)},
        'acceleration': {}}
    assert params(elbow.findall('state_interface')[0]) == {'initial_value': '0.5'}
    assert params(joint_of(root, 'turn')[0]) == {}  # continuous: no limits
    assert [each.tag for each in joint_of(block(hrdf, GRIPPER), 'finger_mirror')] == [
        'state_interface', 'state_interface']  # a mimic joint is not commanded


def test_defaults_of_the_urdf_are_no_limits(hrdf: Run) -> None:
    """A URDF must have numbers where the file has none; they limit nothing here."""
    gantry = EXAMPLES / 'hrdf' / 'gantry.hrdf'
    coordinates = {each.name: each for each in load_model(gantry).coordinates}
    for joint in block(hrdf, gantry).findall('joint'):
        command = joint.find('command_interface')
        if command is not None:
            assert len(params(command)) == 2 * (
                abs(coordinates[joint.get('name', '')].lower) < 1e6)


def test_joints_of_loops_are_not_in_the_block(hrdf: Run) -> None:
    [joint] = block(hrdf, FOUR_BAR, '--position drive=0.2').findall('joint')
    assert joint.get('name') == 'drive'
    assert params(joint.findall('state_interface')[0]) == {'initial_value': '0.2'}


def test_controllers_of_groups(hrdf: Run) -> None:
    assert hrdf(f'ros2-control {GRIPPER} -o control.xml --controllers controllers.yaml '
                '--interfaces position,effort').status == 0
    described = yaml.safe_load(Path('controllers.yaml').read_text())
    assert described['arm_controller']['ros__parameters'] == {
        'joints': ['turn', 'shoulder', 'elbow', 'bend', 'roll'],
        'command_interfaces': ['position', 'effort'],
        'state_interfaces': ['position', 'velocity']}
    assert described['gripper_controller']['ros__parameters']['joints'] == ['finger']
    assert described['controller_manager']['ros__parameters']['arm_controller'] == {
        'type': 'joint_trajectory_controller/JointTrajectoryController'}
    robot = as_urdf(load_model(EXAMPLES / 'skel' / 'humanoid.skel'))
    described = yaml.safe_load(write_controllers(robot, planning_groups(robot), Hardware('x')))
    assert described['shared_controller']['ros__parameters']['joints'] == ['waist_1', 'waist_2']


def test_convert_takes_the_block_once(hrdf: Run) -> None:
    assert hrdf(f'ros2-control {ARM} -o control.xml').status == 0
    assert hrdf(f'convert {ARM} --urdf-extra control.xml -o arm.urdf').status == 0
    result = load('arm.urdf')
    assert result.model is not None and not [
        found for found in result.report if found.severity != 'info']
    assert [each.tag for each in result.model.extensions] == ['ros2_control']
    assert 'already has a <ros2_control>' in hrdf('ros2-control arm.urdf').err
    status, _, err = hrdf('ros2-control arm.urdf -o arm.urdf')
    assert status == 2 and 'is a source of this conversion' in err


def test_a_robot_without_an_arm_is_said_to_be_one(hrdf: Run, tmp_path: Path) -> None:
    out = tmp_path / 'rover_moveit_config'
    status, _, err = hrdf(f'moveit {EXAMPLES}/urdf/rover.urdf -o {out}')
    assert status == 1 and not out.exists()
    assert "wheels ('left_axle', 'right_axle')" in err and 'mobile base without an arm' in err
    assert 'Nav2' in err and '--group' in err
    _, _, err = hrdf(f'srdf {EXAMPLES}/sdf/parallel_gripper.sdf --no-collisions')
    assert 'if this is a gripper, attach it to its arm' in err
    assert 'gripper' not in hrdf(f'srdf {ARM} --no-collisions').err


def test_the_output_says_what_home_is(hrdf: Run, tmp_path: Path) -> None:
    """The fingers of the arm touch at 0, where MoveIt puts them if soft limits have it."""
    assert "home is MoveIt's default" in hrdf(f'srdf {GRIPPER} --samples 100').err
    file = tmp_path / 'arm.urdf'
    file.write_text(GRIPPER.read_text().replace('soft_lower_limit="0.001"', ''))
    status, out, err = hrdf(f'srdf {file} --samples 100')
    assert status == 0 and 'hrdf: home is the middle of all limits' in err
    assert "home is not MoveIt's default: links collide: 'left_finger' with 'right_finger'" in err
    assert "'left_finger' and 'right_finger' collide at MoveIt's default (0.0 mm)" in err
    assert 'link1="left_finger" link2="right_finger"' not in out


def test_an_update_expands_xacro_with_the_arguments_of_the_package(
        hrdf: Run, tmp_path: Path) -> None:
    file, out = tmp_path / 'arm.urdf.xacro', tmp_path / 'arm_moveit_config'
    file.write_text(
        '<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">'
        '<xacro:arg name="reach" default="1"/><xacro:arg name="top" default="1"/>'
        '<link name="base"/><link name="tool"/><joint name="j" type="revolute">'
        '<parent link="base"/><child link="tool"/><origin xyz="$(arg reach) 0 $(arg top)"/>'
        '<limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>')
    command = f'moveit {file} -o {out} --no-collisions'
    recorded, urdf = out / 'config/xacro_arguments.yaml', out / 'config/arm.urdf'
    assert hrdf(f'{command} reach:=2').status == 0
    assert "reach: '2'" in recorded.read_text().replace('"', "'")
    status, _, err = hrdf(f'{command} --update top:=3')
    assert status == 0 and 'xacro has the arguments of the package: reach:=2' in err
    assert 'xyz="2 0 3"' in urdf.read_text() or 'xyz="2.0 0.0 3.0"' in urdf.read_text()
    assert hrdf(f'{command} --update reach:=4').status == 0
    assert "reach: '4'" in recorded.read_text().replace('"', "'")
    recorded.write_text('- 1')
    assert 'is damaged' in hrdf(f'{command} --update').err
