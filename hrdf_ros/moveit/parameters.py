# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The parameters of MoveIt as YAML, each file as moveit2 (Jazzy) loads it, and the launch files.

The launch files call moveit_configs_utils.
"""

from __future__ import annotations

from math import inf
from typing import Any

from hrdf_ros.model import Coordinate
from hrdf_ros.moveit.groups import PlanningGroups
from hrdf_ros.moveit.package_text import scalar, template, yaml_text
from hrdf_ros.moveit.robot import UrdfRobot
from hrdf_ros.moveit.ros2_control import controllers, DRIVERS

DEFAULT_VELOCITY = {'angle': 1.0, 'length': 0.1}
"""The velocity, in rad/s and m/s, of a coordinate for which the description has no limit."""
SECONDS_TO_LIMIT = 0.5
"""The seconds in which a joint reaches its maximum velocity if no acceleration is given."""
_SCALING = 0.1
"""
The scaling factor of the limits for plans that state none; it is that of the Setup Assistant.
"""
_SOLVER = {
    'kinematics_solver': 'kdl_kinematics_plugin/KDLKinematicsPlugin',
    'kinematics_solver_search_resolution': 0.005,
    'kinematics_solver_timeout': 0.005}
CARTESIAN_LIMITS = {
    'max_trans_vel': 1.0, 'max_trans_acc': 2.25, 'max_trans_dec': -5.0, 'max_rot_vel': 1.57}
"""Pilz's limits of the tool, in m/s, m/s^2 and rad/s; they are those of the Setup Assistant."""


def kinematics(planning: PlanningGroups) -> str:
    """Return the solver of each group that is a chain; KDL solves only chains."""
    return yaml_text({
        group.name: _SOLVER for group in planning.groups
        if group.chain is not None and not group.joints})


def joint_limits(robot: UrdfRobot) -> str:
    """Return the limits of velocity, acceleration and jerk of each joint with one axis."""
    sources = {coordinate.name: coordinate for coordinate in robot.source.coordinates}
    limits = {}
    for joint in robot.model.joints:
        coordinate = robot.coordinate(joint)
        if coordinate is not None:
            limits[joint.name] = _limits(sources.get(coordinate.name, coordinate))
    return yaml_text(
        {'default_velocity_scaling_factor': _SCALING,
         'default_acceleration_scaling_factor': _SCALING, 'joint_limits': limits},
        'Positions are limited by the URDF. Joints without a velocity limit there have '
        f'{DEFAULT_VELOCITY["angle"]} rad/s',
        f'or {DEFAULT_VELOCITY["length"]} m/s here; those without an acceleration limit reach '
        f'their maximum velocity in {SECONDS_TO_LIMIT} s.',
        'Plans without a scaling factor of their own use a tenth.')


def _limits(coordinate: Coordinate) -> dict[str, Any]:
    velocity = _limit(coordinate.velocity, DEFAULT_VELOCITY[coordinate.kind])
    limits = {
        'has_velocity_limits': True, 'max_velocity': velocity,
        'has_acceleration_limits': True,
        'max_acceleration': _limit(coordinate.acceleration, velocity / SECONDS_TO_LIMIT)}
    if 0.0 < coordinate.deceleration < inf:
        limits.update(  # Pilz, the only reader, requires a negative number
            has_deceleration_limits=True, max_deceleration=-coordinate.deceleration)
    if 0.0 < coordinate.jerk < inf:
        limits.update(has_jerk_limits=True, max_jerk=coordinate.jerk)
    return limits


def _limit(given: float, default: float) -> float:
    """Return a limit that MoveIt accepts: finite and above 0."""
    return given if 0.0 < given < inf else default


def moveit_controllers(robot: UrdfRobot, planning: PlanningGroups) -> str:
    """Return the controllers of ros2_control to which MoveIt sends trajectories."""
    joints = controllers(robot, planning)
    return yaml_text({
        'moveit_controller_manager':
            'moveit_simple_controller_manager/MoveItSimpleControllerManager',
        'moveit_simple_controller_manager': {
            'controller_names': list(joints),
            **{name: {  # launch_ros parses strings in lists as YAML a second time
                'type': 'FollowJointTrajectory', 'action_ns': 'follow_joint_trajectory',
                'default': True, 'joints': list(map(scalar, own))}
               for name, own in joints.items()}}})


# ---- launch files

_GENERATED = (
    'demo', 'move_group', 'moveit_rviz', 'rsp', 'setup_assistant', 'spawn_controllers',
    'static_virtual_joint_tfs', 'warehouse_db')
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
"""The actions that start a simulator with a controller manager, by the driver's plugin."""


def launch_files(package: str, robot: str, plugin: str) -> dict[str, str]:
    """Return the launch files by path; with a simulator's driver, the demo starts it."""
    names = {'package': package, 'robot': robot}
    files = {
        f'launch/{name}.launch.py': template('launch.py.in', name=name, **names)
        for name in _GENERATED}
    if plugin in _SIMULATORS:
        files['launch/demo.launch.py'] = template(
            'simulation.launch.py.in', package=package,
            simulator=_SIMULATORS[plugin].format(**names))
    return files
