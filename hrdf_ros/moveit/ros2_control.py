# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The ``<ros2_control>`` block of a robot, for ``urdf_extra``, and its controllers.

A joint with a position of its own has command interfaces. A mimic joint has none: ros2_control
finds its leader in the URDF. Joints that a closed loop moves, and joints of several axes, are not
in the block: no hardware measures or drives them.

A joint has one controller. Joints that several groups share, such as a waist, have a controller of
their own, and so have joints in no group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from math import inf, isfinite
from typing import Any, NamedTuple

from hrdf_ros.model import Coordinate, Joint
from hrdf_ros.moveit.groups import PlanningGroups
from hrdf_ros.moveit.package_text import yaml_text
from hrdf_ros.moveit.robot import UrdfRobot
from hrdf_ros.writers.xml import element, number, serialize

INTERFACES = ('position', 'velocity', 'effort', 'acceleration')
"""The command interfaces, in the order in which they are written."""
_ALWAYS_MEASURED = ('position', 'velocity')
"""The state interfaces that every joint has."""
UPDATE_RATE = 100
"""The rate of the controller manager in Hz, which is that of the Setup Assistant."""
_TRAJECTORY = 'joint_trajectory_controller/JointTrajectoryController'
_BROADCASTER = 'joint_state_broadcaster'
_FOLLOWED = ('position', 'velocity', 'acceleration')
"""The state interfaces that a trajectory controller reads."""


class Driver(NamedTuple):
    """
    A plugin of ros2_control that moves the joints of a robot.

    ``interfaces`` are those of INTERFACES that it can command. ``required`` are the parameters
    without which it does not start, and ``packages`` the packages that contain it. ``has_mimics``
    says whether it reports mimic joints.
    """

    plugin: str
    interfaces: tuple[str, ...] = ('position',)
    required: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    has_mimics: bool = True


DRIVERS = {
    'mock': Driver('mock_components/GenericSystem', packages=('hardware_interface',)),
    'hebi': Driver(
        'hebi_hardware/HEBIHardwareInterface', ('position', 'velocity'),
        ('config_pkg', 'config_file'), ('hebi_hardware',), has_mimics=False),
    'gz': Driver(
        'gz_ros2_control/GazeboSimSystem',
        packages=('gz_ros2_control', 'ros_gz_bridge', 'ros_gz_sim')),
    'mujoco': Driver(
        'mujoco_ros2_control/MujocoSystemInterface', required=('mujoco_model',),
        packages=('mujoco_ros2_control',)),
}


class Hardware(NamedTuple):
    """
    The hardware of a robot.

    ``interfaces`` are those of INTERFACES by which every joint is commanded; ``parameters`` are
    names and values for the plugin of the driver.
    """

    name: str
    driver: Driver = DRIVERS['mock']
    parameters: tuple[tuple[str, str], ...] = ()
    interfaces: tuple[str, ...] = ('position',)

    @property
    def state_interfaces(self) -> tuple[str, ...]:
        """The measured interfaces: position, velocity, and the commanded ones."""
        return tuple(
            name for name in INTERFACES if name in _ALWAYS_MEASURED or name in self.interfaces)


def write_block(robot: UrdfRobot, hardware: Hardware) -> str:
    """Return the block as an XML document, with the names of the robot's URDF."""
    return serialize(make_block(robot, hardware, lambda joint: number(robot.home[joint])))


def make_block(
    robot: UrdfRobot, hardware: Hardware, initial: Callable[[str], str],
) -> Any:
    """Return the block; ``initial`` returns the text of a joint's initial position."""
    plugin = element('hardware', children=(
        element('plugin', text=hardware.driver.plugin),
        *(_param(name, value) for name, value in hardware.parameters)))
    return element('ros2_control', {'name': hardware.name, 'type': 'system'}, (
        plugin, *_joints(robot, hardware, initial)))


def _joints(
    robot: UrdfRobot, hardware: Hardware, initial: Callable[[str], str],
) -> Iterator[Any]:
    limits = {coordinate.name: coordinate for coordinate in robot.source.coordinates}
    for joint in robot.model.joints:
        coordinate = robot.coordinate(joint)
        if coordinate is None or not _is_driven(robot, coordinate):
            continue
        if coordinate.mimic is not None and not hardware.driver.has_mimics:
            continue
        commands = (
            _command(name, joint, limits.get(joint.name, coordinate))
            for name in hardware.interfaces if coordinate.mimic is None)
        states = (
            _state(name, initial(joint.name)) for name in hardware.state_interfaces)
        yield element('joint', {'name': joint.name}, (*commands, *states))


def _is_driven(robot: UrdfRobot, coordinate: Coordinate) -> bool:
    """Return whether hardware moves a coordinate or its leader."""
    leader = robot.leader(coordinate)
    return leader.mimic is None and leader.name not in robot.passive


def _command(interface: str, joint: Joint, coordinate: Coordinate) -> Any:
    lower, upper = {
        'position': (coordinate.lower, coordinate.upper),
        'velocity': (-coordinate.velocity, coordinate.velocity),
        'effort': (-coordinate.effort, coordinate.effort)}.get(interface, (-inf, inf))
    if interface == 'position' and joint.type == 'continuous':
        lower, upper = -inf, inf
    return element('command_interface', {'name': interface}, (
        _param(name, number(value))
        for name, value in (('min', lower), ('max', upper)) if isfinite(value)))


def _state(interface: str, position: str) -> Any:
    initial = (_param('initial_value', position),) if interface == 'position' else ()
    return element('state_interface', {'name': interface}, initial)


def _param(name: str, value: str) -> Any:
    return element('param', {'name': name}, text=value)


def write_controllers(robot: UrdfRobot, planning: PlanningGroups, hardware: Hardware) -> str:
    """Return the parameters of a controller manager as YAML."""
    joints = controllers(robot, planning)
    return yaml_text({
        'controller_manager': {'ros__parameters': {
            'update_rate': UPDATE_RATE,
            _BROADCASTER: {'type': 'joint_state_broadcaster/JointStateBroadcaster'},
            **{name: {'type': _TRAJECTORY} for name in joints}}},
        **{name: {'ros__parameters': {
            'joints': own, 'command_interfaces': hardware.interfaces,
            'state_interfaces': [
                interface for interface in hardware.state_interfaces if interface in _FOLLOWED]}}
           for name, own in joints.items()}})


def controllers(robot: UrdfRobot, planning: PlanningGroups) -> dict[str, tuple[str, ...]]:
    """Return the joints of each trajectory controller by the controller's name."""
    groups = [group for group in planning.groups if not group.groups]
    uses = Counter(joint for group in groups for joint in group.active)
    active = [joint.name for joint in robot.model.joints if robot.is_active(joint)]
    found = {
        **{group.name: tuple(joint for joint in group.active if uses[joint] == 1)
           for group in groups},
        'shared': tuple(joint for joint in active if uses[joint] > 1),
        'other': tuple(joint for joint in active if not uses[joint])}
    return {f'{name}_controller': joints for name, joints in found.items() if joints}
