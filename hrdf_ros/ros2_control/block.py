# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The ``<ros2_control>`` block of a robot, for ``urdf_extra``.

A joint with a position of its own has command interfaces. A mimic joint has none: ros2_control
finds in the URDF what it follows. Joints that a closed loop moves, and joints of several axes, are
not in the block: no hardware measures or drives them.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, isfinite
from typing import NamedTuple

from hrdf_ros.model import Coordinate, Joint
from hrdf_ros.srdf import UrdfRobot
from hrdf_ros.writers.xml import number, render, WrittenElement

MOCK_PLUGIN = 'mock_components/GenericSystem'
INTERFACES = ('position', 'velocity', 'effort', 'acceleration')
_ALWAYS_MEASURED = ('position', 'velocity')


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
        """What is measured: position and velocity, and what else is commanded."""
        return tuple(
            name for name in INTERFACES if name in _ALWAYS_MEASURED or name in self.interfaces)


def write_block(robot: UrdfRobot, hardware: Hardware) -> str:
    """Return the block as an XML document, in the names of the robot's URDF."""
    plugin = WrittenElement('hardware', children=(
        WrittenElement('plugin', text=hardware.plugin),
        *(_param(name, value) for name, value in hardware.parameters)))
    return render(WrittenElement('ros2_control', (
        ('name', hardware.name), ('type', 'system')), (plugin, *_joints(robot, hardware))))


def _joints(robot: UrdfRobot, hardware: Hardware) -> Iterator[WrittenElement]:
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
        yield WrittenElement('joint', (('name', joint.name),), (*commands, *states))


def _is_driven(robot: UrdfRobot, coordinate: Coordinate) -> bool:
    """Tell whether hardware moves a coordinate, itself or what it follows."""
    leader = robot.leader(coordinate)
    return leader.mimic is None and leader.name not in robot.passive


def _command(interface: str, joint: Joint, coordinate: Coordinate) -> WrittenElement:
    lower, upper = {
        'position': (coordinate.lower, coordinate.upper),
        'velocity': (-coordinate.velocity, coordinate.velocity),
        'effort': (-coordinate.effort, coordinate.effort)}.get(interface, (-inf, inf))
    if interface == 'position' and joint.type == 'continuous':
        lower, upper = -inf, inf
    return WrittenElement('command_interface', (('name', interface),), tuple(
        _param(name, number(value))
        for name, value in (('min', lower), ('max', upper)) if isfinite(value)))


def _state(interface: str, position: float) -> WrittenElement:
    initial = (_param('initial_value', number(position)),) if interface == 'position' else ()
    return WrittenElement('state_interface', (('name', interface),), initial)


def _param(name: str, value: str) -> WrittenElement:
    return WrittenElement('param', (('name', name),), text=value)
