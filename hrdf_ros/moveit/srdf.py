# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""SRDF as text, for srdfdom and MoveIt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from hrdf_ros.moveit.collisions import CheckedPair, LinkPairs
from hrdf_ros.moveit.groups import Group, PlanningGroups
from hrdf_ros.moveit.package_text import escaped_document
from hrdf_ros.moveit.robot import UrdfRobot
from hrdf_ros.writers.xml import comment, element, number, serialize

VirtualJoint = Literal['fixed', 'planar', 'floating', 'none']
_WORLD = 'world'


def write_srdf(
    robot: UrdfRobot, planning: PlanningGroups, pairs: LinkPairs = LinkPairs([], []), *,
    virtual_joint: VirtualJoint = 'fixed',
) -> str:
    """
    Return the SRDF of a robot.

    ``virtual_joint`` connects the root link to the frame ``world``; it is not written if the root
    link is the world. Each group has the states of the robot. Comments list the pairs that collide
    in some configurations. MoveIt reads every SRDF by xacro, so names are escaped for it.
    """
    effectors = (
        element('end_effector', {
            'name': effector.name, 'parent_link': effector.parent_link, 'group': effector.group,
            'parent_group': effector.parent_group})
        for effector in planning.end_effectors)
    passive = (element('passive_joint', {'name': joint.name}) for joint in robot.model.joints
               if joint.name in robot.passive)
    disabled = (
        element('disable_collisions', {
            'link1': pair.first, 'link2': pair.second, 'reason': pair.reason})
        for pair in pairs.disabled)
    return escaped_document(serialize(element('robot', {'name': robot.model.name}, (
        *_virtual_joint(robot, virtual_joint),
        *map(_group, planning.groups),
        *(_state(name, group, positions) for name, positions in robot.states.items()
          for group in planning.groups if group.active),
        *effectors, *passive, *disabled, *map(_checked, pairs.checked)))))


def planning_frame(robot: UrdfRobot, kind: VirtualJoint) -> str:
    """Return the frame in which MoveIt plans."""
    return _root(robot) if kind == 'none' else _WORLD


def _root(robot: UrdfRobot) -> str:
    return robot.model.bodies[robot.topology.roots[0]].name


def _virtual_joint(robot: UrdfRobot, kind: VirtualJoint) -> Iterator[Any]:
    root = _root(robot)
    name, taken = 'virtual_joint', {joint.name for joint in robot.model.joints}
    while name in taken:
        name += '_'
    if kind != 'none' and root != _WORLD:
        yield element('virtual_joint', {
            'name': name, 'type': kind, 'parent_frame': _WORLD, 'child_link': root})


def _group(group: Group) -> Any:
    chain = () if group.chain is None else (element('chain', {
        'base_link': group.chain[0], 'tip_link': group.chain[1]}),)
    members = (
        *(('joint', name) for name in group.joints), *(('link', name) for name in group.links),
        *(('group', name) for name in group.groups))
    return element('group', {'name': group.name}, (
        *chain, *(element(tag, {'name': name}) for tag, name in members)))


def _state(name: str, group: Group, positions: Mapping[str, float]) -> Any:
    return element('group_state', {'name': name, 'group': group.name}, (
        element('joint', {'name': joint, 'value': number(positions[joint])})
        for joint in group.active))


def millimeters(distance: float) -> str:
    """Return a distance (m) as text in millimeters, rounded to tenths."""
    return str(round(distance * 1e3, 1) + 0.0)


def _checked(pair: CheckedPair) -> Any:
    return comment(
        f'checked: {pair.first} {pair.second}: {millimeters(pair.least)} to '
        f'{millimeters(pair.most)} mm')
