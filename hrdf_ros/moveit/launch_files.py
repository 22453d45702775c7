# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The launch files of a MoveIt configuration package: calls of moveit_configs_utils."""

from __future__ import annotations

from hrdf_ros.moveit.ros2_control import DRIVERS

_GENERATED = (
    'demo', 'move_group', 'moveit_rviz', 'rsp', 'setup_assistant', 'spawn_controllers',
    'static_virtual_joint_tfs', 'warehouse_db')
_LAUNCH = """\
from launch.substitutions import TextSubstitution
from moveit_configs_utils import MoveItConfigsBuilder
from moveit_configs_utils.launches import generate_{name}_launch


def generate_launch_description():
    builder = MoveItConfigsBuilder('{robot}', package_name='{package}')
    # a substitution keeps the description as text; launch would parse a string as YAML
    builder.robot_description(mappings={{
        'initial_positions_file': TextSubstitution(text='initial_positions.yaml')}})
    return generate_{name}_launch(builder.to_moveit_configs())
"""
_SIMULATION = """\
from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription
from launch.conditions import IfCondition
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node, SetParameter


def include(package, name, condition=None, **arguments):
    file = Path(get_package_share_directory(package), 'launch', f'{{name}}.launch.py')
    return IncludeLaunchDescription(
        PythonLaunchDescriptionSource(str(file)), condition=condition,
        launch_arguments=arguments.items())


def generate_launch_description():
    return LaunchDescription([
        DeclareLaunchArgument('use_rviz', default_value='true'),
        SetParameter('use_sim_time', True),
        include('{package}', 'static_virtual_joint_tfs'),
        include('{package}', 'rsp'),
        include('{package}', 'move_group'),
        include('{package}', 'moveit_rviz', IfCondition(LaunchConfiguration('use_rviz'))),
{simulator}
        include('{package}', 'spawn_controllers'),
    ])
"""
_SIMULATORS = {
    DRIVERS['gz'].plugin: """\
        include('ros_gz_sim', 'gz_sim', gz_args='-r empty.sdf'),
        Node(
            package='ros_gz_sim', executable='create',
            arguments=['-topic', 'robot_description', '-name', '{robot}']),
        Node(
            package='ros_gz_bridge', executable='parameter_bridge',
            arguments=['/clock@rosgraph_msgs/msg/Clock[gz.msgs.Clock']),""",
    DRIVERS['mujoco'].plugin: """\
        Node(
            package='mujoco_ros2_control', executable='ros2_control_node', output='both',
            parameters=[str(Path(
                get_package_share_directory('{package}'), 'config/ros2_controllers.yaml'))],
            remappings=[('/controller_manager/robot_description', '/robot_description')]),""",
}
"""The actions that start a simulator, which runs the controller manager itself, by plugin."""


def launch_files(package: str, robot: str, plugin: str) -> dict[str, str]:
    """Return the launch files by path; those of a simulator start it in the demo."""
    files = {
        f'launch/{name}.launch.py': _LAUNCH.format(name=name, robot=robot, package=package)
        for name in _GENERATED}
    if plugin in _SIMULATORS:
        files['launch/demo.launch.py'] = _SIMULATION.format(
            package=package,
            simulator=_SIMULATORS[plugin].format(package=package, robot=robot))
    return files
