# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The actuators of MuJoCo for the joints that a description commands, or for all of them."""

from __future__ import annotations

from collections.abc import Iterator
import math

from hrdf_ros.lowering.mjcf import tree_joints
from hrdf_ros.model import Coordinate, Model
from hrdf_ros.writers.xml import element, number, numbers, Origins, parse_raw
from lxml import etree

_BY_INTERFACE = {'position': 'position', 'velocity': 'velocity', 'effort': 'motor'}
"""MuJoCo's actuator for each command interface of ros2_control."""
_GAINS = {'position': ('kp', 100.0), 'velocity': ('kv', 10.0)}
"""The gains of servos, which no description gives: N m/rad or N/m, N m s/rad or N s/m."""


def actuators(model: Model, chosen: str, origins: Origins) -> list[etree._Element]:
    """
    Return an actuator for each commanded joint.

    ``chosen`` is the kind of all actuators, none for no actuators, or '' to follow the command
    interfaces.

    A Model that commands no joint and has no actuators of MuJoCo gets the chosen kind for each
    hinge and slide that nothing else moves.
    """
    if chosen == 'none':
        return []
    driven = {
        coordinate.name: coordinate for joint in tree_joints(model)
        if all(motion.kind != 'rotation_vector' for motion in joint.motions)
        for motion in joint.motions
        if (coordinate := model.coordinates[motion.coordinates[0]]).mimic is None}
    kinds: dict[str, str] = {}
    for name, interface in _command_interfaces(model):
        if name in driven and interface in _BY_INTERFACE:
            kinds.setdefault(name, _BY_INTERFACE[interface])
    if chosen and not kinds and all(one.tag != 'actuator' for one in model.extensions):
        kinds = dict.fromkeys(driven, chosen)
    return [
        origins.mark(_actuator(driven[name], chosen or kind), driven[name].location)
        for name, kind in kinds.items()]


def _command_interfaces(model: Model) -> Iterator[tuple[str, str]]:
    """Yield the name of each joint in a ``<ros2_control>`` and of its command interfaces."""
    for extension in model.extensions:
        if extension.tag == 'ros2_control':
            for joint in parse_raw(extension.text).iter('joint'):
                for interface in joint.findall('command_interface'):
                    yield joint.get('name', ''), interface.get('name', '')


def _actuator(coordinate: Coordinate, kind: str) -> etree._Element:
    attributes = {'name': coordinate.name, 'joint': coordinate.name}
    if kind in _GAINS:
        gain, value = _GAINS[kind]
        attributes[gain] = number(value)
    if kind == 'position':
        attributes['dampratio'] = '1'
    if 0.0 < coordinate.effort < math.inf:
        limit = 'ctrlrange' if kind == 'motor' else 'forcerange'
        attributes[limit] = numbers((-coordinate.effort, coordinate.effort))
    if kind == 'position' and math.isfinite(coordinate.upper - coordinate.lower):
        attributes['ctrlrange'] = numbers((coordinate.lower, coordinate.upper))
    return element(kind, attributes)
