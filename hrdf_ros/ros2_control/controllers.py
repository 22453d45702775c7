# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The parameters of a controller manager: a trajectory controller for each planning group.

A joint has one controller. Joints of several groups, such as a waist, have one of their own, as do
those of no group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
import json

from hrdf_ros.ros2_control.block import Hardware
from hrdf_ros.srdf import PlanningGroups, UrdfRobot

UPDATE_RATE = 100
"""Hz."""
_TRAJECTORY = 'joint_trajectory_controller/JointTrajectoryController'
_BROADCASTER = 'joint_state_broadcaster'
_FOLLOWED = ('position', 'velocity', 'acceleration')
"""What a trajectory controller reads of the state."""


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
