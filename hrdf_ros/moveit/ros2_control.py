# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The ``<ros2_control>`` block of a robot, for ``urdf_extra``, and its controllers.

A joint with a position of its own has command interfaces. A mimic joint has none: ros2_control
finds its leader in the URDF. Joints that a closed loop moves, and joints of several axes, are not
in the block: no hardware measures or drives them. A joint has one controller; joints of several
groups, such as a waist, have one of their own, as do those of no group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
import json
from math import inf, isfinite
from typing import Any, NamedTuple

from hrdf_ros.model import Coordinate, Joint
from hrdf_ros.moveit.groups import PlanningGroups
from hrdf_ros.moveit.robot import UrdfRobot
from hrdf_ros.writers.xml import element, number, serialize

MOCK_PLUGIN = 'mock_components/GenericSystem'
INTERFACES = ('position', 'velocity', 'effort', 'acceleration')
_ALWAYS_MEASURED = ('position', 'velocity')
UPDATE_RATE = 100
"""Hz."""
_TRAJECTORY = 'joint_trajectory_controller/JointTrajectoryController'
_BROADCASTER = 'joint_state_broadcaster'
_FOLLOWED = ('position', 'velocity', 'acceleration')
"""The state interfaces that a trajectory controller reads."""


class Hardware(NamedTuple):
    """
    The hardware of a robot.

    ``interfaces`` are the command interfaces of each joint, of INTERFACES; ``parameters`` are
    names and values for the plugin.
    """

    name: str
    plugin: str = MOCK_PLUGIN
    parameters: tuple[tuple[str, str], ...] = ()
    interfaces: tuple[str, ...] = ('position',)

    @property
    def state_interfaces(self) -> tuple[str, ...]:
        """The measured interfaces: position and velocity, and the commanded ones."""
        return tuple(
            name for name in INTERFACES if name in _ALWAYS_MEASURED or name in self.interfaces)


def write_block(robot: UrdfRobot, hardware: Hardware) -> str:
    """Return the block as an XML document, in the names of the robot's URDF."""
    plugin = element('hardware', children=(
        element('plugin', text=hardware.plugin),
        *(_param(name, value) for name, value in hardware.parameters)))
    return serialize(element('ros2_control', {'name': hardware.name, 'type': 'system'}, (
        plugin, *_joints(robot, hardware))))


def _joints(robot: UrdfRobot, hardware: Hardware) -> Iterator[Any]:
    limits = {coordinate.name: coordinate for coordinate in robot.source.coordinates}
    for joint in robot.model.joints:
        coordinate = robot.coordinate(joint)
        if coordinate is None or not _is_driven(robot, coordinate):
            continue
        commands = (
            _command(name, joint, limits.get(joint.name, coordinate))
            for name in hardware.interfaces if coordinate.mimic is None)
        states = (
            _state(name, robot.positions[joint.name]) for name in hardware.state_interfaces)
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


def _state(interface: str, position: float) -> Any:
    initial = (_param('initial_value', number(position)),) if interface == 'position' else ()
    return element('state_interface', {'name': interface}, initial)


def _param(name: str, value: str) -> Any:
    return element('param', {'name': name}, text=value)


def write_controllers(robot: UrdfRobot, planning: PlanningGroups, hardware: Hardware) -> str:
    """Return the parameters of a controller manager as YAML."""
    controllers = dict(_controllers(robot, planning))
    lines = [
        'controller_manager:', '  ros__parameters:', f'    update_rate: {UPDATE_RATE}',
        f'    {_BROADCASTER}:', '      type: joint_state_broadcaster/JointStateBroadcaster']
    for name in controllers:
        lines += [f'    {name}:', f'      type: {_TRAJECTORY}']
    for name, joints in controllers.items():
        lines += ['', f'{name}:', '  ros__parameters:']
        lines += _list('joints', joints)
        lines += _list('command_interfaces', hardware.interfaces)
        lines += _list('state_interfaces', [
            interface for interface in hardware.state_interfaces if interface in _FOLLOWED])
    return '\n'.join(lines) + '\n'


def _controllers(
    robot: UrdfRobot, planning: PlanningGroups,
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the name of each controller and its joints."""
    groups = [group for group in planning.groups if not group.groups]
    uses = Counter(joint for group in groups for joint in group.active)
    for group in groups:
        own = tuple(joint for joint in group.active if uses[joint] == 1)
        if own:
            yield f'{group.name}_controller', own
    active = [joint.name for joint in robot.model.joints if robot.is_active(joint)]
    shared = tuple(joint for joint in active if uses[joint] > 1)
    other = tuple(joint for joint in active if not uses[joint])
    yield from ((f'{name}_controller', joints) for name, joints in (
        ('shared', shared), ('other', other)) if joints)


def _list(name: str, items: Sequence[str]) -> list[str]:
    return [f'    {name}:', *(f'      - {json.dumps(item)}' for item in items)]
