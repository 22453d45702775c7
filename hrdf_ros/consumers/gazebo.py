# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Rules about Gazebo: libsdformat reads the file, gz-sim hands it to its physics engine, DART.

What libsdformat's conversion of a URDF drops is reported by that conversion (`_to_sdf`).
"""

from __future__ import annotations

from collections.abc import Iterator

from hrdf_ros.consumers.rules import Item, Robot, Rule, rule, single_axes
from hrdf_ros.diagnostics import value_location
from hrdf_ros.inertia import Inertia
from hrdf_ros.model import Mesh

_DARTSIM = 'gz-physics 10.0.0-pre1, dartsim/src/SDFFeatures.cc'
_WELDED = ('continuous', 'gearbox', 'revolute2')
"""The types of joints that SDFormat has and dartsim does not."""
_DEFAULT = Inertia(1.0, ixx=1.0, iyy=1.0, izz=1.0)
"""The inertia of a link of SDFormat without ``<inertial>``."""


# ---- links

@rule(
    'gazebo', effect='invents',
    says='gives a moving link without <inertial> 1 kg and 1 kg m^2 about each axis',
    cure='give it an <inertial>',
    source='libsdformat 12.3 gives this answer: <mass> and <inertia> of sdf/1.9/inertial.sdf')
def links_without_inertial(robot: Robot) -> Iterator[Item]:
    """Yield the moving links whose inertia is nowhere in the file."""
    for body in robot.model.bodies:
        if body.inertia == _DEFAULT and not body.static and not robot.model.static:
            yield Item(body.name, body.location)


@rule(
    'gazebo', effect='drops', says='neither shows nor collides with a mesh that it does not find',
    cure='GZ_SIM_RESOURCE_PATH has the directory above the one that model:// names, or that of '
    'the package', source='gz-sim 11.0.0, src/rendering/SceneManager.cc: LoadGeometry; '
    'src/systems/physics/Physics.cc: "missing mesh shape"')
def meshes(robot: Robot) -> Iterator[Item]:
    """Yield the meshes that were not found."""
    for body in robot.model.bodies:
        for shape in (*body.visuals, *body.collisions):
            if isinstance(shape.geometry, Mesh) and shape.geometry.file is None:
                yield Item(shape.geometry.uri, value_location(shape.location, 'uri'))


# ---- joints

@rule(
    'gazebo', effect='drops', says="makes a joint of type '{}' a fixed joint",
    cure='use revolute, without limits for a continuous one',
    source=f'{_DARTSIM}: "Creating a FIXED joint instead"')
def welded_joints(robot: Robot) -> Iterator[Item]:
    """Yield the joints of SDFormat that dartsim welds; libsdformat makes others of a URDF's."""
    if robot.model.conventions.nested_names:
        for joint in robot.model.joints:
            if joint.type in _WELDED:
                yield Item(joint.name, joint.location, joint.type)


@rule(
    'gazebo', effect='drops', says='creates no joint that closes a loop',
    cure='use the engine gz-physics-bullet-featherstone-plugin, or a detachable joint',
    source=f'{_DARTSIM}: "the child link already has a parent joint", "closed kinematic chain"')
def loops(robot: Robot) -> Iterator[Item]:
    """Yield the joints that close loops."""
    for index in robot.topology.loops:
        joint = robot.model.joints[index]
        yield Item(joint.name, joint.location)


@rule(
    'gazebo', effect='drops', says='moves a mimic joint freely with its default engine',
    cure='use the engine gz-physics-bullet-featherstone-plugin, or let gz_ros2_control move it',
    source='gz-sim 11.0.0, src/systems/physics/Physics.cc: "does not support mimic constraints"')
def mimics(robot: Robot) -> Iterator[Item]:
    """Yield the coordinates that follow others."""
    for coordinate in single_axes(robot.model):
        if coordinate.mimic is not None:
            yield Item(coordinate.name, value_location(coordinate.location, 'mimic'))


@rule(
    'gazebo', effect='drops', says='moves no joint by velocity commands if its effort limit is 0',
    cure='give its <limit> the effort that the motor has, in N m or N',
    source=f'{_DARTSIM}: CopyStandardJointAxisProperties, mForceUpperLimits')
def no_effort(robot: Robot) -> Iterator[Item]:
    """Yield the coordinates with the effort limit 0."""
    for coordinate in single_axes(robot.model):
        if coordinate.effort == 0.0:
            yield Item(coordinate.name, value_location(coordinate.location, 'effort'))


@rule(
    'gazebo', effect='drops', says='holds a joint whose velocity limit is 0',
    cure='give its <limit> the velocity that the motor has, in rad/s or m/s',
    source=f'{_DARTSIM}: CopyStandardJointAxisProperties, mVelocityUpperLimits')
def no_velocity(robot: Robot) -> Iterator[Item]:
    """Yield the coordinates with the velocity limit 0."""
    for coordinate in single_axes(robot.model):
        if coordinate.velocity == 0.0:
            yield Item(coordinate.name, value_location(coordinate.location, 'velocity'))


RULES: tuple[Rule, ...] = (
    links_without_inertial, meshes, welded_joints, loops, mimics, no_effort, no_velocity)
"""The rules about Gazebo."""
