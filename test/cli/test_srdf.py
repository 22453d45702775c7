# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf srdf`` and ``hrdf ros2-control``."""

from __future__ import annotations

from pathlib import Path
from unittest import mock
from xml.etree import ElementTree

from helpers.robots import REPOSITORY
from hrdf_ros import load, load_model
from hrdf_ros.cli import main
from hrdf_ros.moveit import as_urdf, Hardware, planning_groups, write_controllers
import pytest
import yaml

EXAMPLES = REPOSITORY / 'examples'
ARM = str(EXAMPLES / 'hrdf' / 'arm_6dof.hrdf')
GRIPPER = str(EXAMPLES / 'urdf' / 'gripper_arm.urdf')
Output = pytest.CaptureFixture[str]


def srdf(output: Output, *arguments: str) -> ElementTree.Element:
    assert main(['srdf', *arguments]) == 0
    return ElementTree.fromstring(output.readouterr().out)


def test_all_parts_are_there(capsys: Output) -> None:
    pytest.importorskip('coal')
    robot = srdf(capsys, ARM, '--samples', '50')
    assert {child.tag for child in robot} == {
        'virtual_joint', 'group', 'group_state', 'end_effector', 'disable_collisions'}
    assert {pair.get('reason') for pair in robot.iter('disable_collisions')} == {
        'Adjacent', 'Never'}


def test_groups_states_and_the_virtual_joint_are_as_asked_for(capsys: Output) -> None:
    robot = srdf(
        capsys, ARM, '--no-collisions', '--group', 'wrist=forearm:tool', '--position',
        'wrist_2=0.25', '--virtual-joint', 'planar')
    assert robot.find('group/chain').attrib == {'base_link': 'forearm', 'tip_link': 'tool'}
    assert robot.find("group_state/joint[@name='wrist_2']").get('value') == '0.25'
    assert robot.find('virtual_joint').get('type') == 'planar'
    assert {pair.get('reason') for pair in robot.iter('disable_collisions')} == {'Adjacent'}


@pytest.mark.parametrize('command', ['srdf', 'ros2-control'])
def test_a_robot_of_too_many_links_is_refused(
        command: str, tmp_path: Path, capsys: Output) -> None:
    file = tmp_path / 'chain.hrdf'
    joints = '<joint axis="rz"/>' * 1001
    file.write_text(f'<robot version="1.6.0">{joints}</robot>')
    assert main([command, str(file)]) == 1
    assert capsys.readouterr().err == (
        'hrdf: error: no planning groups: the robot has 1003 links; 1000 are the most\n')


def test_without_the_library_adjacent_links_are_disabled(capsys: Output) -> None:
    with mock.patch.dict('sys.modules', {'coal': None}):
        assert main(['srdf', ARM]) == 0
    out, err = capsys.readouterr()
    assert 'pip install coal' in err
    assert main(['srdf', ARM, '--no-collisions']) == 0
    assert capsys.readouterr() == (out, '')


def test_what_cannot_move_has_no_group(tmp_path: Path, capsys: Output) -> None:
    file = tmp_path / 'stone.urdf'
    file.write_text('<robot name="stone"><link name="stone"/></robot>')
    assert main(['srdf', str(file), '--no-collisions']) == 0
    out, err = capsys.readouterr()
    assert '<group' not in out and 'nothing moves' in err


def test_an_open_loop_ends_it(capsys: Output) -> None:
    four_bar = str(REPOSITORY / 'examples' / 'sdf' / 'four_bar.sdf')
    assert main([
        'srdf', four_bar, '--no-collisions', '--position', 'drive=0.1',
        '--position', 'crank_pin=3', '--position', 'pivot=2', '--position', 'rocker_pin=1']) == 1
    assert 'loop-open' in capsys.readouterr().err


# ---- hrdf ros2-control

def block(output: Output, *arguments: str) -> ElementTree.Element:
    assert main(['ros2-control', *arguments]) == 0
    return ElementTree.fromstring(output.readouterr().out)


def joint_of(root: ElementTree.Element, name: str) -> ElementTree.Element:
    found = root.find(f"joint[@name='{name}']")
    assert found is not None
    return found


def params(element: ElementTree.Element) -> dict[str, str]:
    return {param.get('name', ''): param.text or '' for param in element.findall('param')}


def test_mock_hardware_by_default(capsys: Output) -> None:
    root = block(capsys, ARM)
    assert root.attrib == {'name': 'arm_6dof', 'type': 'system'}
    assert root.findtext('hardware/plugin') == 'mock_components/GenericSystem'
    assert [joint.get('name') for joint in root.findall('joint')] == [
        'base', 'shoulder', 'elbow', 'wrist_1', 'wrist_2', 'wrist_3']
    elbow = joint_of(root, 'elbow')
    assert [(each.tag, each.get('name')) for each in elbow] == [
        ('command_interface', 'position'), ('state_interface', 'position'),
        ('state_interface', 'velocity')]
    assert params(elbow[0]) == {} and params(elbow[1]) == {'initial_value': '0.0'}


def test_a_plugin_with_parameters_and_interfaces(capsys: Output) -> None:
    root = block(
        capsys, GRIPPER, '--driver', 'my/Driver', '--driver-parameter', 'port=/dev/tty=0',
        '--driver-parameter', 'id=3',
        '--name', 'driver', '--interfaces', 'position,velocity,effort,acceleration',
        '--position', 'elbow=0.5')
    assert root.get('name') == 'driver'
    assert root.findtext('hardware/plugin') == 'my/Driver'
    hardware = root.find('hardware')
    assert hardware is not None and params(hardware) == {'port': '/dev/tty=0', 'id': '3'}
    elbow = joint_of(root, 'elbow')
    commands = {each.get('name'): params(each) for each in elbow.findall('command_interface')}
    model = load_model(GRIPPER)
    coordinate = next(each for each in model.coordinates if each.name == 'elbow')
    assert commands == {
        'position': {'min': '-0.4', 'max': '2.6'},
        'velocity': {'min': repr(-coordinate.velocity), 'max': repr(coordinate.velocity)},
        'effort': {'min': repr(-coordinate.effort), 'max': repr(coordinate.effort)},
        'acceleration': {}}
    assert params(elbow.findall('state_interface')[0]) == {'initial_value': '0.5'}
    assert params(joint_of(root, 'turn')[0]) == {}  # continuous: no limits


def test_defaults_of_the_urdf_are_no_limits(capsys: Output) -> None:
    """A URDF must have numbers where the file has none; they limit nothing here."""
    root = block(capsys, str(EXAMPLES / 'hrdf' / 'gantry.hrdf'))
    coordinates = {each.name: each for each in load_model(
        EXAMPLES / 'hrdf' / 'gantry.hrdf').coordinates}
    for joint in root.findall('joint'):
        command = joint.find('command_interface')
        if command is not None:
            assert len(params(command)) == 2 * (
                abs(coordinates[joint.get('name', '')].lower) < 1e6)


def test_a_mimic_joint_is_not_commanded(capsys: Output) -> None:
    root = block(capsys, GRIPPER)
    mirror = joint_of(root, 'finger_mirror')
    assert [each.tag for each in mirror] == ['state_interface', 'state_interface']


def test_joints_of_loops_are_not_in_the_block(capsys: Output) -> None:
    root = block(capsys, str(EXAMPLES / 'sdf' / 'four_bar.sdf'), '--position', 'drive=0.2')
    assert [joint.get('name') for joint in root.findall('joint')] == ['drive']
    assert params(joint_of(root, 'drive').findall('state_interface')[0]) == {
        'initial_value': '0.2'}


def test_controllers_of_groups(tmp_path: Path) -> None:
    out = tmp_path / 'controllers.yaml'
    assert main([
        'ros2-control', GRIPPER, '-o', str(tmp_path / 'control.xml'), '--controllers', str(out),
        '--interfaces', 'position,effort']) == 0
    described = yaml.safe_load(out.read_text())
    assert described['arm_controller']['ros__parameters'] == {
        'joints': ['turn', 'shoulder', 'elbow', 'bend', 'roll'],
        'command_interfaces': ['position', 'effort'],
        'state_interfaces': ['position', 'velocity']}
    assert described['gripper_controller']['ros__parameters']['joints'] == ['finger']
    assert described['controller_manager']['ros__parameters']['arm_controller'] == {
        'type': 'joint_trajectory_controller/JointTrajectoryController'}


def test_joints_of_several_groups_have_a_controller_of_their_own() -> None:
    robot = as_urdf(load_model(EXAMPLES / 'skel' / 'humanoid.skel'))
    described = yaml.safe_load(write_controllers(robot, planning_groups(robot), Hardware('x')))
    assert described['shared_controller']['ros__parameters']['joints'] == ['waist_1', 'waist_2']


def test_convert_takes_the_block_once(tmp_path: Path, capsys: Output) -> None:
    control, urdf = tmp_path / 'control.xml', tmp_path / 'arm.urdf'
    assert main(['ros2-control', ARM, '-o', str(control)]) == 0
    assert main(['convert', ARM, '--urdf-extra', str(control), '-o', str(urdf)]) == 0
    result = load(urdf)
    assert result.model is not None and not [
        found for found in result.report if found.severity != 'info']
    assert [each.tag for each in result.model.extensions] == ['ros2_control']
    assert main(['ros2-control', str(urdf)]) == 0
    assert 'already has a <ros2_control>' in capsys.readouterr().err


def test_a_file_is_written_and_no_source_is_replaced(tmp_path: Path, capsys: Output) -> None:
    out = tmp_path / 'arm.srdf'
    assert main(['srdf', ARM, '--no-collisions', '-o', str(out)]) == 0
    assert ElementTree.parse(out).getroot().get('name') == 'arm_6dof'
    assert main(['srdf', ARM, '--no-collisions', '-o', ARM]) == 2
    assert 'is a source of this conversion' in capsys.readouterr().err
