# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Look at a robot in RViz: ros2 launch hrdf_ros view.launch.py model:=robot.hrdf.

The joints are moved by hand with joint_state_publisher_gui (gui:=true), or by any publisher of
joint_states (gui:=false). RViz starts once there is a robot, whose root and size it is configured
for. When the node ends, so does the rest.
"""

import os
from pathlib import Path
import tempfile

from hrdf_ros.load import load
from hrdf_ros.node.jobs import load_description
from hrdf_ros.node.launching import arguments, clock, node, settings_of
from hrdf_ros.node.rviz_config import sight_of, with_robot, with_sight
from launch import LaunchDescription
from launch.actions import (
    DeclareLaunchArgument,
    LogInfo,
    OpaqueFunction,
    RegisterEventHandler,
    Shutdown,
)
from launch.event_handlers import OnProcessIO
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
    to watch the files: then RViz follows when they are correct.
    """
    given = context.launch_configurations
    settings = settings_of(given)
    wanted = [name for name in PROGRAMS if yaml.safe_load(given[name]) is True]
    require_installed(wanted)
    hrdf = node(given, on_exit=Shutdown(reason='hrdf_node ended'))
    robot = robot_of(settings)
    if settings.is_described and robot is None and not settings.watch:
        return [hrdf]
    actions = [hrdf, *([beside('gui', given)] if 'gui' in wanted else ())]
    if 'rviz' not in wanted:
        return actions
    if settings.is_described and robot is None:
        later = Later(lambda: rviz(given, settings, robot_of(settings)))
        return [*actions, RegisterEventHandler(OnProcessIO(
            target_action=hrdf, on_stdout=later.on_output, on_stderr=later.on_output))]
    return actions + rviz(given, settings, robot)


class Later:
    """Makes actions once the node publishes a robot, which the log says."""

    def __init__(self, make):
        self.make = make

    def on_output(self, event):
        """Return the actions for the first line that says so."""
        if self.make is None or b'root frame' not in event.text:
            return None
        make, self.make = self.make, None
        return make()


def rviz(given, settings, robot):
    """Return RViz with a configuration for the robot, and what it will not show."""
    prefix, (root, sight) = settings.frame_prefix, robot or ('base_link', None)
    actions = [beside('rviz', given, arguments=[
        '-d', given['rviz_config'] or write_config(sight, prefix + root, prefix, given)])]
    if prefix and not prefix.endswith('/'):
        actions.append(LogInfo(msg=(
            f"RViz cannot show the robot's links with the frame_prefix '{prefix}': it puts a "
            'slash behind a prefix; TF is shown')))
    if not robot and not given['rviz_config']:
        actions.append(LogInfo(msg=(
            f"the robot will come from a topic: if its root is not '{prefix + root}', select it "
            "as the Fixed Frame of RViz; the node's log names it")))
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


def robot_of(settings):
    """
    Return the root of the robot that RViz will read, and the sphere around it.

    Return None without a description or with errors in it, which the node reports.
    """
    answer = load_description(settings) if settings.is_described else None
    if answer is None or not answer.urdf:
        return None
    urdf = load(answer.urdf, limits=settings.limits).model
    return urdf and (urdf.root, sight_of(urdf, answer.model))


def write_config(sight, frame, prefix, given):
    """Write config/view.rviz for a robot beside the logs of the launch, and return its path."""
    config = with_robot(
        yaml.safe_load((SHARE / 'config' / 'view.rviz').read_text()), frame=frame, prefix=prefix,
        namespace=given['namespace'])
    if sight:
        config = with_sight(config, sight)
    with tempfile.NamedTemporaryFile(
            'w', dir=launch_config.log_dir, suffix='.rviz', delete=False) as stream:
        yaml.safe_dump(config, stream, sort_keys=False)
    return stream.name
