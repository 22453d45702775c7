# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The packages of all bundled robots, by the rules of their readers (ROS 2 Jazzy).

srdfdom's model.cpp, moveit_core's robot_model.cpp, robot_model_loader.cpp, the kinematics and the
controller plugins, MoveItConfigsBuilder, hardware_interface's component_parser.cpp.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
import os
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from helpers.robots import REPOSITORY
from hrdf_ros.cli import main
import pytest
import xacro
import yaml

EXAMPLES = REPOSITORY / 'examples'
ROBOTS = sorted(
    file for file in EXAMPLES.rglob('*')
    if file.name.endswith(('.hrdf', '.sdf', '.skel', '.urdf', '.xacro', '.cfg.yaml'))
    and 'parts' not in file.parts and 'include' not in file.name)
ARM = str(EXAMPLES / 'urdf' / 'gripper_arm.urdf')
MOVING = ('revolute', 'continuous', 'prismatic')


class Read:
    """A package as its readers see it."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.name = directory.name.removesuffix('_moveit_config')
        text = xacro.process_file(str(self.path('urdf.xacro'))).toxml()
        self.urdf = ElementTree.fromstring(text)
        self.joints = {joint.get('name', ''): joint for joint in self.urdf.findall('joint')}
        self.links = {link.get('name', '') for link in self.urdf.findall('link')}
        self.carriers = {joint.find('child').get('link'): joint for joint in self.joints.values()}
        self.srdf = ElementTree.fromstring(
            xacro.process_file(str(self.path('srdf'))).toxml())
        self.groups = {group.get('name', ''): group for group in self.srdf.findall('group')}

    def path(self, suffix: str) -> Path:
        """Return a file of config/ that has the name of the robot."""
        return self.directory / 'config' / f'{self.name}.{suffix}'

    def yaml(self, name: str) -> Any:
        """Return the content of a file of config/."""
        return yaml.safe_load((self.directory / 'config' / name).read_text('ascii'))

    @cache  # noqa: B019
    def joints_of(self, group: str) -> frozenset[str]:
        """Return the joints of a group as moveit_core collects them."""
        found: set[str] = set()
        for part in self.groups[group]:
            name = part.get('name', '')
            if part.tag == 'joint':
                found.add(name)
            elif part.tag == 'group':
                found |= self.joints_of(name)
            elif part.tag == 'link':
                found.add(self.carriers[name].get('name', ''))
            else:
                found |= {joint.get('name', '') for joint in self.chain(part)}
        return frozenset(found)

    def chain(self, part: ElementTree.Element) -> Iterator[ElementTree.Element]:
        """Yield the joints from the tip of a chain to its base."""
        link = part.get('tip_link')
        while link != part.get('base_link'):
            yield self.carriers[link]
            link = self.carriers[link].find('parent').get('link')

    def links_of(self, group: str) -> set[str]:
        """Return the links of a group, the bases of chains included."""
        return {self.joints[name].find('child').get('link') for name in self.joints_of(group)} | {
            chain.get('base_link') for chain in self.groups[group].findall('chain')}


def check_srdf(read: Read) -> None:
    assert read.srdf.get('name') == read.urdf.get('name')
    root, = read.links - {joint.find('child').get('link') for joint in read.joints.values()}
    frame = root
    for virtual in read.srdf.findall('virtual_joint'):
        assert virtual.get('type') in ('fixed', 'planar', 'floating')
        assert virtual.get('child_link') == root and virtual.get('name') not in read.joints
        frame = virtual.get('parent_frame', '')
    assert frame == 'world'
    assert read.yaml('moveit.rviz')['Visualization Manager']['Global Options'] == {
        'Fixed Frame': frame}
    assert len(read.groups) == len(read.srdf.findall('group')) > 0
    assert all(map(read.joints_of, read.groups))
    for effector in read.srdf.findall('end_effector'):
        group, parent = effector.get('group', ''), effector.get('parent_group', '')
        assert group != parent and effector.get('parent_link') in read.links_of(parent)
    for passive in read.srdf.findall('passive_joint'):
        assert passive.get('name') in read.joints
    for pair in read.srdf.findall('disable_collisions'):
        assert {pair.get('link1'), pair.get('link2')} <= read.links
    states = [(each.get('name'), each.get('group')) for each in read.srdf.findall('group_state')]
    assert len(states) == len(set(states))
    for state in read.srdf.findall('group_state'):
        for value in state:
            assert value.get('name') in read.joints_of(state.get('group', ''))
            assert read.joints[value.get('name', '')].find('mimic') is None
            check_position(read, value.get('name', ''), float(value.get('value', '')))


def check_position(read: Read, name: str, position: float) -> None:
    limit = read.joints[name].find('limit')
    if limit is not None and read.joints[name].get('type') != 'continuous':
        lower, upper = float(limit.get('lower', '0')), float(limit.get('upper', '0'))
        assert lower - 1e-9 <= position <= upper + 1e-9, (name, position)


def check_control(read: Read) -> dict[str, set[str]]:
    """Check the block and return the commanded interfaces of each joint."""
    block, = read.urdf.findall('ros2_control')
    assert block.get('name') and block.get('type') == 'system'
    assert '/' in (block.findtext('hardware/plugin') or '')
    assert {child.tag for child in block} <= {'hardware', 'joint'}
    names = [joint.get('name', '') for joint in block.findall('joint')]
    assert len(names) == len(set(names)) and all(
        read.joints[name].get('type') in MOVING for name in names)
    initial = read.yaml('initial_positions.yaml')['initial_positions']
    commands = {}
    for joint in block.findall('joint'):
        name = joint.get('name', '')
        commands[name] = {each.get('name') for each in joint.findall('command_interface')}
        mimic = read.joints[name].find('mimic')
        assert bool(commands[name]) == (mimic is None)
        assert mimic is None or mimic.get('joint') in names
        assert {'position', 'velocity'} <= {
            each.get('name') for each in joint.findall('state_interface')}
        assert float(joint.findtext('state_interface/param') or '') == initial[name]
    return commands


def check_controllers(read: Read, commands: dict[str, set[str]]) -> None:
    control, manager = read.yaml('ros2_controllers.yaml'), read.yaml('moveit_controllers.yaml')
    known = control.pop('controller_manager')['ros__parameters']
    assert manager['moveit_controller_manager'] == (
        'moveit_simple_controller_manager/MoveItSimpleControllerManager')
    manager = manager['moveit_simple_controller_manager']
    assert manager['controller_names'] == list(control) and control
    driven: list[str] = []
    for name, described in control.items():
        assert known[name]['type'] == 'joint_trajectory_controller/JointTrajectoryController'
        described = described['ros__parameters']
        assert manager[name]['type'] == 'FollowJointTrajectory' and manager[name]['action_ns']
        assert [yaml.safe_load(joint) for joint in manager[name]['joints']] == described['joints']
        for joint in described['joints']:
            assert set(described['command_interfaces']) <= commands[joint]
        driven += described['joints']
    assert sorted(driven) == sorted(name for name, found in commands.items() if found)
    assert known['joint_state_broadcaster']


def check_parameters(read: Read) -> None:
    for group, solver in read.yaml('kinematics.yaml').items():
        chain, = read.groups[group]  # KDL: one chain of joints with one axis
        assert all(joint.get('type') in (*MOVING, 'fixed') for joint in read.chain(chain))
        assert solver['kinematics_solver_timeout'] > 0.0
        assert isinstance(solver['kinematics_solver_search_resolution'], float)
    limits = read.yaml('joint_limits.yaml')['joint_limits']
    for group in read.groups:
        for name in read.joints_of(group):
            assert read.joints[name].get('type') not in MOVING or name in limits
    for name, given in limits.items():
        assert read.joints[name].get('type') in MOVING
        for what in ('velocity', 'acceleration'):  # without them TOTG refuses
            assert given[f'has_{what}_limits'] is True
            assert isinstance(given[f'max_{what}'], float) and given[f'max_{what}'] > 0.0
    assert all(isinstance(value, float) for value in
               read.yaml('pilz_cartesian_limits.yaml')['cartesian_limits'].values())


def check_layout(read: Read) -> None:
    package, files = read.directory.name, {file.name for file in read.directory.rglob('*')}
    assistant = yaml.safe_load((read.directory / '.setup_assistant').read_text())[
        'moveit_setup_assistant_config']
    assert assistant['urdf'] == {
        'package': package, 'relative_path': f'config/{read.name}.urdf'}
    assert (read.directory / assistant['srdf']['relative_path']).is_file()
    assert {f'{name}.launch.py' for name in (
        'demo', 'move_group', 'moveit_rviz', 'rsp', 'spawn_controllers',
        'static_virtual_joint_tfs')} <= files
    for file in (read.directory / 'launch').iterdir():
        ast.parse(file.read_text())
        assert f"'{package}'" in file.read_text()
    manifest = ElementTree.parse(read.directory / 'package.xml').getroot()
    assert manifest.findtext('name') == package and manifest.findtext('license')
    assert f'project({package})' in (read.directory / 'CMakeLists.txt').read_text()
    required = {each.text for each in manifest.findall('exec_depend')}
    for mesh in read.urdf.iter('mesh'):
        scheme, _, owner, path = mesh.get('filename', '').split('/', 3)
        assert scheme == 'package:'
        assert owner in required if owner != package else (read.directory / path).is_file()


def check_package(directory: Path) -> Read:
    """Check a package by all rules."""
    read = Read(directory)
    check_layout(read)
    check_srdf(read)
    check_controllers(read, check_control(read))
    check_parameters(read)
    return read


@pytest.mark.parametrize('file', ROBOTS, ids=lambda file: str(file.relative_to(EXAMPLES)))
def test_the_package_of_every_example(
        file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / 'robot_moveit_config'
    if run(out, file):
        assert 'nothing moves' in capsys.readouterr().err and not out.exists()
    else:
        check_package(out)


def changed(directory: Path, old: str, new: str) -> Path:
    """Return a copy of the arm in which a text is replaced."""
    file = directory / 'arm.urdf'
    file.write_text(Path(ARM).read_text().replace(old, new))
    return file


def run(out: Path, file: Path | str, *arguments: str) -> int:
    return main(['moveit', str(file), '-o', str(out), '--no-collisions', *arguments])


def package(out: Path, file: Path | str, *arguments: str) -> Read:
    """Return the package of a robot, checked."""
    assert run(out, file, *arguments) == 0
    return check_package(out)


def test_limits_are_those_of_the_file_or_defaults(tmp_path: Path) -> None:
    newer = EXAMPLES / 'urdf/newer.urdf'
    read = package(tmp_path / 'a_moveit_config', newer)
    assert read.urdf.get('version') == '1.2'
    limits = read.yaml('joint_limits.yaml')
    assert limits['joint_limits']['swing'] == {
        'has_velocity_limits': True, 'max_velocity': 3.0,
        'has_acceleration_limits': True, 'max_acceleration': 20.0}
    file = tmp_path / 'slow.urdf'
    file.write_text(newer.read_text().replace('velocity="3" acceleration="20"', 'velocity="0"'))
    limits = package(tmp_path / 'b_moveit_config', file).yaml('joint_limits.yaml')
    assert limits['joint_limits']['swing']['max_velocity'] == 1.0
    assert limits['joint_limits']['swing']['max_acceleration'] == 2.0
    file.write_text(newer.read_text().replace(
        'acceleration="20"', 'acceleration="20" deceleration="15" jerk="300"'))
    limits = package(tmp_path / 'c_moveit_config', file).yaml('joint_limits.yaml')
    assert limits['joint_limits']['swing'] == {
        'has_velocity_limits': True, 'max_velocity': 3.0,
        'has_acceleration_limits': True, 'max_acceleration': 20.0,
        'has_deceleration_limits': True, 'max_deceleration': -15.0,
        'has_jerk_limits': True, 'max_jerk': 300.0}


def test_names_that_xacro_and_yaml_could_take_for_more(tmp_path: Path) -> None:
    """Expressions of xacro stay text, numbers and keywords stay names."""
    file = tmp_path / 'odd.urdf'
    names = [
        'virtual_joint', '${1/0}', '$(arg x)', 'a$$b', '$$$', "a'] + [1][0", '1e5', 'on',
        'a: b # c',
        'd\u00e9j\u00e0', '\u00e9' * 120]
    file.write_text('<robot name="$${x}"><link name="l0"/>' + ''.join(
        f'<link name="l{n}"/><joint name="{name}" type="revolute"><parent link="l{n - 1}"/>'
        f'<child link="l{n}"/><axis xyz="0 0 1"/>'
        '<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>'
        for n, name in enumerate(names, 1)) + '</robot>', 'utf-8')
    read = package(tmp_path / 'odd_moveit_config', file)
    assert list(read.joints) == names and read.urdf.get('name') == '$${x}'
    assert main(['srdf', str(file), '-o', str(read.path('srdf')), '--no-collisions']) == 0
    alone = ElementTree.fromstring(xacro.process_file(str(read.path('srdf'))).toxml())
    assert alone.get('name') == '$${x}'
    assert {joint.get('name') for joint in alone.iter('joint')} == set(names)


@pytest.mark.parametrize('dollar', ['&#36;&#x28;', '$&#40;', '&#x0024;('])
def test_references_are_no_expressions_of_xacro(tmp_path: Path, dollar: str) -> None:
    """Nor is a mimic of no joint one, which MoveIt would find in the URDF as it came."""
    file = changed(
        tmp_path, '</robot>', f'<gazebo><a>{dollar}eval 6*7)</a></gazebo></robot>')
    file.write_text(file.read_text().replace('<mimic joint="finger"/>', '<mimic joint="fingr"/>'))
    read = package(tmp_path / 'arm_moveit_config', file)
    assert read.urdf.findtext('gazebo/a') == '$(eval 6*7)'
    assert 'fingr' not in read.path('urdf').read_text()


def test_a_directory_that_goes_up_and_a_description_in_an_unusual_encoding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    text = Path(ARM).read_text()
    Path('arm.urdf').write_text(
        f'<?xml version="1.0" encoding="utf-7"?>{text[text.index("<robot"):]}')
    assert run(Path('x/../up_moveit_config'), 'arm.urdf') == 0
    assert sorted(os.listdir()) == ['arm.urdf', 'up_moveit_config']


def test_elements_of_xacro_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    """The package would run the code of a description that nobody said to trust."""
    out = tmp_path / 'arm_moveit_config'
    assert run(out, changed(
        tmp_path, '</robot>', '<gazebo><xacro:include filename="evil.xacro"/></gazebo></robot>'
    )) == 1
    assert 'the package would expand <xacro:include>' in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize('linked', [False, True])
def test_gains_of_a_stranger_are_no_way_to_a_private_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], linked: bool,
) -> None:
    home = tmp_path / 'kit'
    home.mkdir()
    text = (EXAMPLES / 'hrdf/arm_6dof.cfg.yaml').read_text()
    (home / 'a.cfg.yaml').write_text(text.replace('gains/arm_6dof.xml', 'key'))
    (home / 'arm_6dof.hrdf').write_bytes((EXAMPLES / 'hrdf/arm_6dof.hrdf').read_bytes())
    (tmp_path / 'key').write_text('<private/>')
    if linked:
        (home / 'key').symlink_to(tmp_path / 'key')
    else:
        (home / 'key').write_text('private')
    out = tmp_path / 'a_moveit_config'
    assert run(out, home / 'a.cfg.yaml', '--driver', 'hebi') == 1
    assert 'so that the package' in capsys.readouterr().err and not out.exists()


def test_meshes_beside_the_file_are_copied(tmp_path: Path) -> None:
    read = package(tmp_path / 'm_moveit_config', EXAMPLES / 'hrdf/features/mesh.hrdf')
    assert list(read.urdf.iter('mesh')) and list((read.directory / 'meshes').iterdir())


def test_gazebo_runs_the_controllers_of_the_package_and_the_plugins_of_the_robot(
    tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / 'arm_moveit_config'
    assert run(out, changed(
        tmp_path, '</robot>', '<gazebo><plugin name="p" filename="a.so"/></gazebo><gazebo '
        'reference="tool"><sensor><plugin name="q" filename="/b/&#10;c"/></sensor></gazebo>'
        '</robot>'), '--driver', 'gz') == 0
    assert ('warning: Gazebo loads the plugins that the robot names: a.so, /b/\ufffdc\n'
            in capsys.readouterr().err)
    control = (out / 'config/arm.ros2_control.xacro').read_text()
    assert '<plugin>gz_ros2_control/GazeboSimSystem</plugin>' in control
    assert '$(find arm_moveit_config)/config/ros2_controllers.yaml' in control
    assert '<exec_depend>gz_ros2_control</exec_depend>' in (out / 'package.xml').read_text()


def test_mujoco_has_an_actuator_for_each_commanded_joint(tmp_path: Path) -> None:
    mujoco = pytest.importorskip('mujoco')
    out = tmp_path / 'arm_moveit_config'
    assert run(out, ARM, '--driver', 'mujoco') == 0
    model = mujoco.MjModel.from_xml_path(str(out / 'mujoco/robot.xml'))
    assert [model.actuator(index).name for index in range(model.nu)] == [
        'turn', 'shoulder', 'elbow', 'bend', 'roll', 'finger']
    assert 'mujoco/robot.xml' in (out / 'config/arm.ros2_control.xacro').read_text()


def test_mujoco_gets_no_content_of_private_files(tmp_path: Path) -> None:
    """A mesh that is not copied is not converted either."""
    home, out = tmp_path / 'robot', tmp_path / 'arm_moveit_config'
    home.mkdir()
    (tmp_path / 'private.stl').write_text('solid a\nfacet normal 0 0 1\nouter loop\n' + (
        'vertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n'))
    (home / 'link.stl').symlink_to(tmp_path / 'private.stl')
    visual = '<visual><geometry><mesh filename="link.stl"/></geometry></visual>'
    file = changed(home, '</robot>', (
        f'<link name="other">{visual}</link><joint name="on" type="fixed">'
        '<parent link="base_link"/><child link="other"/></joint></robot>'))
    assert run(out, file, '--driver', 'mujoco') == 0
    assert list(out.rglob('*.stl')) == []


def test_hebi_reads_the_configuration_in_the_package(tmp_path: Path) -> None:
    read = package(
        tmp_path / 'kit_moveit_config', EXAMPLES / 'hrdf/arm_6dof.cfg.yaml', '--driver', 'hebi')
    hardware = read.urdf.find('ros2_control/hardware')
    given = {param.get('name'): param.text for param in hardware.findall('param')}
    assert given == {
        'config_pkg': 'kit_moveit_config', 'config_file': 'config/hebi/arm_6dof.cfg.yaml'}
    configuration = yaml.safe_load((read.directory / given['config_file']).read_text())
    assert all((read.directory / 'config/hebi' / file).is_file() for file in (
        configuration['hrdf'], *configuration['gains'].values()))
    commands = check_control(read)
    assert list(commands) == configuration['names']
    assert set(map(frozenset, commands.values())) == {frozenset(('position', 'velocity'))}


def test_the_gripper_of_a_kit_is_named_and_has_no_mimics(tmp_path: Path) -> None:
    """HEBI's driver counts joints: the modules of the arm, and one for the gripper."""
    link = '<link type="X5" extension="0.2" twist="0"/>'
    (tmp_path / 'arm.hrdf').write_text(
        '<robot version="1.6.0">' + link.join(['<actuator type="X5-4"/>'] * 3)
        + '<end-effector type="X5Parallel" tag="${x}"/></robot>')
    file = tmp_path / 'arm${x}.cfg.yaml'
    file.write_text(
        'version: 1.1\nfamilies: Arm\nnames: [a, b, c]\nhrdf: arm.hrdf\n'
        'user_data:\n  has_gripper: true\n')
    read = package(
        tmp_path / 'kit_moveit_config', file, '--driver', 'hebi', '--naming', 'hebi')
    assert list(read.groups) == ['arm', 'gripper']
    block = read.urdf.find('ros2_control')
    names = [joint.get('name') for joint in block.findall('joint')]
    assert names[:3] == ['a', 'b', 'c'] and len(names) == 4
    assert block.findtext("hardware/param[@name='gripper_joint_name']") == names[3]
