# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Rules about RViz and MoveIt, which read ``robot_description`` by urdfdom.

Files are found by resource_retriever, and robot_state_publisher gives RViz the transforms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf

from hrdf_ros.consumers.rules import Item, Robot, Rule, rule, single_axes
from hrdf_ros.diagnostics import value_location
from hrdf_ros.model import Mesh, Shape
from hrdf_ros.resolve import Packages

_KNOWN = '1.0'
"""The version of URDF that urdfdom reads in ROS 2 up to Kilted."""
_RETRIEVER = (
    'resource_retriever 3.4.3, src/retriever.cpp: package:// by the ament index, all else by '
    'libcurl')
_FIND = (
    'write package://NAME/... of a package that is installed and sourced, or let hrdf convert '
    '--urdf-version 1.0 write file:///...')


@rule(
    'rviz', 'moveit', effect='refuses',
    says='refuses a URDF of version 1.1 or 1.2 (ROS 2 up to Kilted)',
    cure='hrdf convert --urdf-version 1.0 writes what that version can express',
    source='urdfdom 4.0.1, urdf_parser/src/model.cpp: "only version 1.0 is currently supported"')
def newer_version(robot: Robot) -> Iterator[Item]:
    """Yield the robot if its version is not the one that urdfdom knows."""
    model = robot.model
    if model.version != _KNOWN:
        yield Item(model.name, value_location(model.location, 'version'))


# ---- files

@rule(
    'rviz', effect='drops', says='shows no mesh that resource_retriever does not find',
    cure=_FIND, source=_RETRIEVER)
def visual_meshes(robot: Robot) -> Iterator[Item]:
    """Yield the meshes of visuals that are not found."""
    for body in robot.model.bodies:
        yield from _not_retrieved(body.visuals, robot.installed)


@rule(
    'moveit', effect='drops',
    says='plans through a collision mesh that resource_retriever does not find', cure=_FIND,
    source=f'{_RETRIEVER}; MoveIt 2.15.0, moveit_core/robot_model/src/robot_model.cpp: '
    'constructShape')
def collision_meshes(robot: Robot) -> Iterator[Item]:
    """Yield the meshes of collisions that are not found."""
    for body in robot.model.bodies:
        yield from _not_retrieved(body.collisions, robot.installed)


def _not_retrieved(shapes: Iterable[Shape], installed: Packages) -> Iterator[Item]:
    for shape in shapes:
        mesh = shape.geometry
        if isinstance(mesh, Mesh) and not installed.is_retrieved(mesh.uri, mesh.file):
            yield Item(mesh.uri, value_location(shape.location, 'uri'))


# ---- joints

@rule(
    'moveit', effect='refuses', severity='warning',
    says='times no trajectory of a joint without a velocity limit, or with the limit 0',
    cure='give its <limit> the velocity that the motor has, in rad/s or m/s',
    source='MoveIt 2.15.0, moveit_core: robot_model.cpp, jointBoundsFromURDF; '
    'time_optimal_trajectory_generation.cpp, "No velocity limit was defined"')
def no_velocity(robot: Robot) -> Iterator[Item]:
    """Yield the joints of one axis that follow no other, and have no velocity above 0."""
    for coordinate in single_axes(robot.model):
        if coordinate.mimic is None and coordinate.velocity in (0.0, inf):
            yield Item(coordinate.name, value_location(coordinate.location, 'velocity'))


RULES: tuple[Rule, ...] = (newer_version, visual_meshes, collision_meshes, no_velocity)
"""The rules about RViz and MoveIt."""
