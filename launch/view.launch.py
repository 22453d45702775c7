# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Look at a robot in RViz: ros2 launch hrdf_ros view.launch.py model:=robot.hrdf.

The joints are moved by hand with joint_state_publisher_gui (gui:=true), or by whatever
publishes joint_states (gui:=false).
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription
from launch.conditions import IfCondition
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    """Return the node, RViz, and the sliders if wanted."""
    share = FindPackageShare('hrdf_ros')
    namespace = LaunchConfiguration('namespace')  # an argument of hrdf.launch.py
    return LaunchDescription([
        DeclareLaunchArgument(
            'gui', default_value='true', description='move the joints with sliders'),
        DeclareLaunchArgument(
            'rviz', default_value='true', description='start RViz'),
        DeclareLaunchArgument(
            'rviz_config', default_value=PathJoinSubstitution([share, 'config', 'view.rviz']),
            description="RViz's configuration"),
        IncludeLaunchDescription(PythonLaunchDescriptionSource(
            PathJoinSubstitution([share, 'launch', 'hrdf.launch.py']))),
        Node(
            package='joint_state_publisher_gui', executable='joint_state_publisher_gui',
            namespace=namespace, condition=IfCondition(LaunchConfiguration('gui'))),
        Node(
            package='rviz2', executable='rviz2', namespace=namespace,
            arguments=['-d', LaunchConfiguration('rviz_config')],
            remappings=[('/robot_description', 'robot_description')],
            condition=IfCondition(LaunchConfiguration('rviz'))),
    ])
