# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The launch files of a package, started by launch, with programs that note their arguments."""

from __future__ import annotations

from collections.abc import Iterator
import os
from pathlib import Path
import signal
import subprocess
import sys
import time
from typing import Any
from xml.etree import ElementTree

from helpers.robots import REPOSITORY
from hrdf_ros.cli import main
import pytest
import yaml

pytest.importorskip('launch_ros.actions')
pytest.importorskip('moveit_configs_utils')

NODES = (
    'controller_manager/ros2_control_node', 'controller_manager/spawner',
    'moveit_ros_move_group/move_group', 'mujoco_ros2_control/ros2_control_node',
    'robot_state_publisher/robot_state_publisher', 'ros_gz_bridge/parameter_bridge',
    'ros_gz_sim/create', 'rviz2/rviz2', 'tf2_ros/static_transform_publisher')
NOTE = """\
#!/bin/sh
note=$(mktemp {notes}/XXXXXX)
echo '{node}' "$@" > "$note"
for file in "$@"; do
  case "$file" in *.yaml|*/launch_params_*) echo ---; cat "$file";; esac
done > "$note.yaml"
mv "$note" "$note.done"
exec sleep 60
"""
START = """\
import sys
from launch import LaunchDescription, LaunchService
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
service = LaunchService()
service.include_launch_description(LaunchDescription([
    IncludeLaunchDescription(PythonLaunchDescriptionSource(sys.argv[1]))]))
sys.exit(service.run())
"""


def prefix_of(directory: Path, notes: Path) -> Path:
    """Return an installation in which each program notes its arguments and parameters."""
    for node in NODES:
        package, name = node.split('/')
        program = directory / 'lib' / package / name
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text(NOTE.format(notes=notes, node=node))
        program.chmod(0o755)
        index = directory / 'share/ament_index/resource_index/packages' / package
        index.parent.mkdir(parents=True, exist_ok=True)
        index.touch()
    simulator = directory / 'share/ros_gz_sim/launch/gz_sim.launch.py'
    simulator.parent.mkdir(parents=True)
    simulator.write_text(
        'from launch import LaunchDescription\n\n\ndef generate_launch_description():\n'
        '    return LaunchDescription([])\n')
    return directory


def notes_of(directory: Path, count: int) -> Iterator[tuple[list[str], dict[str, Any]]]:
    """Yield arguments and parameters of each program, once so many have been started."""
    end = time.monotonic() + 60
    while len(found := sorted(directory.glob('*.done'))) < count and time.monotonic() < end:
        time.sleep(0.1)
    for note in found:
        given: dict[str, Any] = {}
        for part in yaml.full_load_all(note.with_suffix('.yaml').read_text()):
            for node, parameters in (part or {}).items():
                given.setdefault(node, {}).update(parameters['ros__parameters'])
        yield note.read_text().split(), given


def started(
    tmp_path: Path, count: int, *arguments: str,
) -> dict[str, list[tuple[list[str], dict[str, Any]]]]:
    """Return what the demo of a package starts: arguments and parameters by program."""
    notes = tmp_path / 'notes'
    notes.mkdir()
    prefix = prefix_of(tmp_path / 'prefix', notes)
    package = prefix / 'share/arm_moveit_config'
    assert main(['moveit', *arguments, '-o', str(package), '--no-collisions']) == 0
    (prefix / 'share/ament_index/resource_index/packages/arm_moveit_config').touch()
    run = subprocess.Popen(
        [sys.executable, '-c', START, str(package / 'launch/demo.launch.py')],
        stdout=subprocess.DEVNULL, start_new_session=True, env={
            **os.environ, 'ROS_LOG_DIR': str(tmp_path / 'log'),
            'AMENT_PREFIX_PATH': f'{prefix}:{os.environ.get("AMENT_PREFIX_PATH", "")}'})
    try:
        found: dict[str, list[tuple[list[str], dict[str, Any]]]] = {}
        for (node, *rest), parameters in notes_of(notes, count):
            found.setdefault(node, []).append((rest, parameters))
        return found
    finally:
        os.killpg(run.pid, signal.SIGINT)
        run.wait(30)


def test_the_demo_starts_everything_with_the_same_names(tmp_path: Path) -> None:
    arm = tmp_path / 'arm.urdf'
    arm.write_text((REPOSITORY / 'examples/urdf/gripper_arm.urdf').read_text().replace(
        '</robot>', '<!-- note: launch would take this for YAML # -->\n</robot>'))
    found = started(tmp_path, 8, str(arm))
    assert sorted(found) == sorted(
        node for node in NODES if 'gz' not in node and 'mujoco' not in node)
    (move_group, given), = found['moveit_ros_move_group/move_group']
    parameters = given['/**']
    urdf = ElementTree.fromstring(parameters['robot_description'])
    assert urdf.get('name') == 'gripper_arm' and len(urdf.findall('ros2_control')) == 1
    assert parameters['robot_description_kinematics.arm.kinematics_solver'].startswith('kdl_')
    assert parameters['robot_description_planning.joint_limits.elbow.max_acceleration'] == 5.0
    assert parameters['robot_description_planning.cartesian_limits.max_rot_vel'] == 1.57
    assert parameters['default_planning_pipeline'] == 'ompl'
    spawned = {arguments[0] for arguments, _ in found['controller_manager/spawner']}
    assert spawned == {'arm_controller', 'gripper_controller', 'joint_state_broadcaster'}
    assert spawned - {'joint_state_broadcaster'} == set(
        parameters['moveit_simple_controller_manager.controller_names'])
    (_, control), = found['controller_manager/ros2_control_node']
    assert spawned < control['controller_manager'].keys()
    (frames, _), = found['tf2_ros/static_transform_publisher']
    assert frames[:4] == ['--frame-id', 'world', '--child-frame-id', 'base_link']


@pytest.mark.parametrize(('driver', 'programs'), [
    ('gz', {'ros_gz_sim/create', 'ros_gz_bridge/parameter_bridge'}),
    ('mujoco', {'mujoco_ros2_control/ros2_control_node'})])
def test_the_demo_of_a_simulator_has_its_clock(
        driver: str, programs: set[str], tmp_path: Path) -> None:
    arm = str(REPOSITORY / 'examples/urdf/gripper_arm.urdf')
    found = started(tmp_path, 7 + len(programs), arm, '--driver', driver)
    assert programs < found.keys() and 'controller_manager/ros2_control_node' not in found
    (arguments, _), = found['moveit_ros_move_group/move_group']
    assert 'use_sim_time:=True' in arguments
