# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Look at a robot in RViz: ros2 launch hrdf_ros view.launch.py model:=robot.hrdf.

The joints are moved by hand with joint_state_publisher_gui (gui:=true), or by any publisher of
joint_states (gui:=false). When the node ends, so does the rest.
"""

import os
from pathlib import Path
import tempfile

from hrdf_ros.node.jobs import load_description
from hrdf_ros.node.launching import arguments, clock, node, settings_of
from hrdf_ros.topology import span
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, LogInfo, OpaqueFunction, Shutdown
from launch.logging import launch_config
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
import yaml

SHARE = Path(__file__).parents[1]
PROGRAMS = {'gui': 'joint_state_publisher_gui', 'rviz': 'rviz2'}


def generate_launch_description():
    """Return the node, and sliders and RViz if wanted; with sliders all joints are shown."""
    return LaunchDescription([
        DeclareLaunchArgument(
            'gui', default_value='true',
            description='move the joints with sliders: joint_state_publisher_gui'),
        DeclareLaunchArgument('rviz', default_value='true', description='start RViz'),
        DeclareLaunchArgument(
            'rviz_config', default_value='',
            description='a configuration of RViz; default: config/view.rviz for this robot'),
        *arguments(
            SHARE, publish_initial=LaunchConfiguration('gui'), rviz_compatible='true'),
        OpaqueFunction(function=view)])


def view(context):
    """
    Return the node, sliders and RViz; raise RuntimeError if a package is missing.

    A description with errors starts the node alone, which reports them and ends, unless it is
    to watch the files.
    """
    given = context.launch_configurations
    settings = settings_of(given)
    wanted = [name for name in PROGRAMS if yaml.safe_load(given[name]) is True]
    require_installed(wanted)
    actions = [node(given, on_exit=Shutdown(reason='hrdf_node ended'))]
    root = root_frame(settings) if settings.is_described else 'base_link'
    if root is None and not settings.watch:
        return actions
    if 'gui' in wanted:
        actions.append(beside('gui', given))
    if 'rviz' in wanted:
        prefix = settings.frame_prefix
        config = given['rviz_config'] or write_config(
            prefix + (root or 'base_link'), prefix, given['namespace'])
        actions.append(beside('rviz', given, arguments=['-d', config]))
        if prefix and not prefix.endswith('/'):
            actions.append(LogInfo(msg=(
                f"RViz cannot show the robot's links with the frame_prefix '{prefix}': it puts a "
                'slash behind a prefix; TF is shown')))
    return actions


def require_installed(wanted):
    """Raise a RuntimeError that says how to install the missing packages."""
    prefixes = filter(None, os.environ.get('AMENT_PREFIX_PATH', '').split(os.pathsep))
    indexes = [Path(prefix, 'share/ament_index/resource_index/packages') for prefix in prefixes]
    distro = os.environ.get('ROS_DISTRO', '<distro>')
    missing = [
        f'{PROGRAMS[name]} is not installed: sudo apt install '
        f'ros-{distro}-{PROGRAMS[name].replace("_", "-")}, or {name}:=false to do without'
        for name in wanted if not any((index / PROGRAMS[name]).is_file() for index in indexes)]
    if missing:
        raise RuntimeError('; '.join(missing))


def beside(name, given, **options):
    """Return a program in the namespace of the node, with its clock."""
    return Node(
        package=PROGRAMS[name], executable=PROGRAMS[name], namespace=given['namespace'],
        parameters=[clock(given)], **options)


def root_frame(settings):
    """Return the root frame of the description, None if it has errors."""
    model = load_description(settings).model  # None: the node reports why
    return model and model.bodies[span(model).roots[0]].name


def write_config(frame, prefix, namespace):
    """Write config/view.rviz for a robot beside the logs of the launch, and return its path."""
    config = yaml.safe_load((SHARE / 'config' / 'view.rviz').read_text())
    manager = config['Visualization Manager']
    manager['Global Options']['Fixed Frame'] = frame
    for display in manager['Displays']:
        if display['Class'] == 'rviz_default_plugins/RobotModel':
            display['TF Prefix'] = prefix.removesuffix('/')
            display['Description Topic']['Value'] = '/'.join(
                (f'/{namespace.strip("/")}'.rstrip('/'), 'robot_description'))
    with tempfile.NamedTemporaryFile(
            'w', dir=launch_config.log_dir, suffix='.rviz', delete=False) as stream:
        yaml.safe_dump(config, stream, sort_keys=False)
    return stream.name
