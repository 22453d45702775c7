# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Start the node on a robot: ros2 launch hrdf_ros hrdf.launch.py model:=robot.hrdf."""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue

ARGUMENTS = (
    ('model', '', str, 'path of the robot file: HRDF, SDFormat, SKEL, URDF or xacro'),
    ('model_name', '', str, 'the name of one model of a world'),
    ('naming', 'default', str, 'default, or hebi for the names of hebi_description'),
    ('frame_prefix', '', str, 'prefix of every frame name'),
    ('publish_frequency', '20.0', float, 'maximum rate of /tf in Hz, 0 for every message'),
    ('ignore_timestamp', 'false', bool, 'publish regardless of the stamps of joint_states'),
    ('publish_frames', 'bodies', str, 'bodies, all, or kinds of frames: output,frame'),
    ('history_duration', '10.0', float, 'how long joint states are kept for lookups, in seconds'),
    ('urdf_extra', '', str, 'path of a file with blocks to merge into robot_description'),
    ('request_timeout', '30.0', float, 'how long a load or request may take, in seconds'),
    ('isolation', 'process', str, 'process, or none to read files in the node itself'),
    ('watch', 'false', bool, 'reload when a file of the model changes'),
    ('use_sim_time', 'false', bool, 'take the time from /clock'),
)


def generate_launch_description():
    """Return the node with its arguments."""
    declared = [
        DeclareLaunchArgument(name, default_value=default, description=description)
        for name, default, _, description in ARGUMENTS]
    declared.append(DeclareLaunchArgument(
        'namespace', default_value='', description='the namespace of the node and its topics'))
    parameters = {
        name: ParameterValue(LaunchConfiguration(name), value_type=kind)
        for name, _, kind, _ in ARGUMENTS}
    node = Node(
        package='hrdf_ros', executable='hrdf_node', name='hrdf_ros', output='screen',
        namespace=LaunchConfiguration('namespace'), parameters=[parameters])
    return LaunchDescription([*declared, node])
