# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Actuators for the joints that ``<ros2_control>`` commands, or for all."""

from __future__ import annotations

from collections.abc import Iterator
import math

from hrdf_ros.lowering.mjcf import tree_joints
from hrdf_ros.model import Model
from hrdf_ros.writers.xml import element, number, numbers
from lxml import etree

_BY_INTERFACE = {'position': 'position', 'velocity': 'velocity', 'effort': 'motor'}
GAINS = {'position': ('kp', 100.0), 'velocity': ('kv', 10.0)}
"""Gains of servos, which no description gives: N m/rad or N/m, N m s/rad or N s/m."""


def actuators(model: Model, chosen: str) -> list[etree._Element]:
    """
    Return ``<actuator>`` with one for each commanded joint; ``chosen`` is the kind of all.

    A Model that commands none, and has no actuators of MuJoCo, gets the chosen kind for each
    hinge and slide that nothing else moves.
    """
    if chosen == 'none':
        return []
    kinds = _commanded(model)
    if chosen and not kinds and all(one.tag != 'actuator' for one in model.extensions):
        kinds = dict.fromkeys(_driven(model), chosen)
    made = [_actuator(model, name, chosen or kind) for name, kind in kinds.items()]
    return [element('actuator', {}, made)] if made else []


def _driven(model: Model) -> Iterator[str]:
    """Yield the coordinates of hinges and slides of the tree that mimic none."""
    for joint in tree_joints(model):
        if all(motion.kind != 'rotation_vector' for motion in joint.motions):
            for motion in joint.motions:
                coordinate = model.coordinates[motion.coordinates[0]]
                if coordinate.mimic is None:
                    yield coordinate.name


def _commanded(model: Model) -> dict[str, str]:
    """Return the kind of actuator of each coordinate that a ``<ros2_control>`` commands."""
    known = set(_driven(model))
    found: dict[str, str] = {}
    for extension in model.extensions:
        if extension.tag == 'ros2_control':
            for name, interface in _interfaces(extension.text):
                if name in known and interface in _BY_INTERFACE:
                    found.setdefault(name, _BY_INTERFACE[interface])
    return found


def _interfaces(text: str) -> Iterator[tuple[str, str]]:
    """Yield the name of each joint and of its command interfaces."""
    parser = etree.XMLParser(
        recover=True, resolve_entities=False, no_network=True, load_dtd=False)
    root = etree.fromstring(text.encode(), parser)
    for joint in root.iter('joint'):
        for interface in joint.findall('command_interface'):
            yield joint.get('name', ''), interface.get('name', '')


def _actuator(model: Model, name: str, kind: str) -> etree._Element:
    coordinate = next(one for one in model.coordinates if one.name == name)
    attributes = {'name': name, 'joint': name}
    if kind in GAINS:
        gain, value = GAINS[kind]
        attributes[gain] = number(value)
        if kind == 'position':
            attributes['dampratio'] = '1'
    if 0.0 < coordinate.effort < math.inf:
        limit = 'ctrlrange' if kind == 'motor' else 'forcerange'
        attributes[limit] = numbers((-coordinate.effort, coordinate.effort))
    if kind == 'position' and math.isfinite(coordinate.upper - coordinate.lower):
        attributes['ctrlrange'] = numbers((coordinate.lower, coordinate.upper))
    return element(kind, attributes)
