# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Rules about Gazebo: libsdformat reads the file, and gz-sim passes it to its physics engine, DART.

The conversion of a URDF (``_to_sdf``) reports the elements that libsdformat drops.
"""

from __future__ import annotations

from collections.abc import Iterator
from os.path import splitext

from hrdf_ros.check.plausibility import single_axes
from hrdf_ros.consumers.rules import (
    axis_item,
    Item,
    missing_meshes,
    Robot,
    Rule,
    rule,
)
from hrdf_ros.inertia import Inertia
from hrdf_ros.model import Body, Model, NONE
from hrdf_ros.readers.registry import FORMATS

_DARTSIM = 'gz-physics 10.0.0-pre1, dartsim/src/SDFFeatures.cc'
_WELDED = ('continuous', 'gearbox', 'revolute2')
"""The types of joints that SDFormat has and that dartsim does not have."""
_DEFAULT = Inertia(1.0, ixx=1.0, iyy=1.0, izz=1.0)
"""The inertia of a link in SDFormat that has no ``<inertial>``."""
_ANSWER = (
    'libsdformat 12.3.0 gives this answer: '
    'test/conformance/expected/sdf/test~diagnostics~sdf~consumer-invents')


# ---- files

@rule(
    'gazebo', effect='refuses', says='refuses an <include> of a file in {}',
    details='HRDF, MJCF or SKEL',
    cure='convert that file: hrdf convert FILE -o NAME.sdf',
    source='libsdformat 12.3.0 gives this answer: '
    'test/conformance/expected/sdf/examples~sdf~hrdf_arm.sdf.json')
def foreign_includes(robot: Robot) -> Iterator[Item]:
    """Yield the included models whose files have a format that Gazebo does not read."""
    titles = {suffix: one.title for one in FORMATS for suffix in one.suffixes
              if one.name not in ('sdf', 'urdf')}
    main, *others = robot.model.files or ('',)
    foreign = {file: titles[suffix] for file in others
               if (suffix := splitext(file)[1].lower()) in titles}
    if splitext(main)[1].lower() in titles or not foreign:
        return
    for scope in robot.model.scopes:
        if scope.canonical_body != NONE:
            place = robot.model.bodies[scope.canonical_body].location
            title = foreign.get(place.resolve().file) if place else None
            if title is not None:
                yield Item(scope.name, scope.location, title)


# ---- links

@rule(
    'gazebo', effect='invents',
    says='gives a moving link without <inertial> 1 kg and 1 kg m^2 about each axis',
    cure='give it an <inertial>',
    source=f'{_ANSWER}.sdf.json')
def links_without_inertial(robot: Robot) -> Iterator[Item]:
    """Yield the moving links whose file states no inertia."""
    for body in _moving(robot.model):
        if body.inertia == _DEFAULT:
            yield Item(body.name, body.location)


@rule(
    'gazebo', effect='invents',
    says='takes 1 kg and 1 kg m^2 for what an <inertial> does not give: {}',
    details='mass, ixx, iyy, izz', cure='give it the numbers that the link has',
    source=f'{_ANSWER}.pose.sdf.json')
def unfinished_inertials(robot: Robot) -> Iterator[Item]:
    """Yield the moving links whose inertia the file states in part, and what is missing."""
    for body in _moving(robot.model) if robot.model.conventions.nested_names else ():
        place = body.inertia and body.inertia.location
        if place is not None and not place.of('auto').is_written():
            missing = [
                name for name in ('mass', 'ixx', 'iyy', 'izz')
                if getattr(body.inertia, name) == 1.0 and not place.of(name).is_written()]
            if missing:
                yield Item(body.name, place, ', '.join(missing))


def _moving(model: Model) -> Iterator[Body]:
    """Yield the links that neither are static nor belong to a static model."""
    held = tuple(f'{scope.source_name}::' for scope in model.scopes if scope.static)
    for body in () if model.static else model.bodies:
        if not (body.static or body.source_name.startswith(held)):
            yield body


@rule(
    'gazebo', effect='drops', says='neither shows nor collides with a mesh that it does not find',
    cure='GZ_SIM_RESOURCE_PATH has the directory above the one that model:// names, or that of '
    'the package', source='gz-sim 11.0.0, src/rendering/SceneManager.cc: LoadGeometry; '
    'src/systems/physics/Physics.cc: "missing mesh shape"')
def meshes(robot: Robot) -> Iterator[Item]:
    """Yield the meshes that were not found."""
    return missing_meshes(robot.model)


# ---- joints

@rule(
    'gazebo', effect='drops', says='makes a {} joint a fixed one',
    details='continuous, gearbox or revolute2',
    cure='use revolute, without limits for a continuous one',
    source=f'{_DARTSIM}: "Creating a FIXED joint instead"')
def welded_joints(robot: Robot) -> Iterator[Item]:
    """
    Yield the joints that dartsim welds.

    A URDF has no such joints, because libsdformat replaces their types.
    """
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
    """Yield the coordinates that mimic others."""
    for coordinate in single_axes(robot.model):
        if coordinate.mimic is not None:
            yield axis_item(coordinate, 'mimic')


@rule(
    'gazebo', effect='drops', says='moves no joint by velocity commands if its effort limit is 0',
    cure='give its <limit> the effort that the motor has, in N m or N',
    source=f'{_DARTSIM}: CopyStandardJointAxisProperties, mForceUpperLimits')
def no_effort(robot: Robot) -> Iterator[Item]:
    """Yield the coordinates whose effort limit is 0."""
    for coordinate in single_axes(robot.model):
        if coordinate.effort == 0.0:
            yield axis_item(coordinate, 'effort')


@rule(
    'gazebo', effect='drops', says='holds a joint whose velocity limit is 0',
    cure='give its <limit> the velocity that the motor has, in rad/s or m/s',
    source=f'{_DARTSIM}: CopyStandardJointAxisProperties, mVelocityUpperLimits')
def no_velocity(robot: Robot) -> Iterator[Item]:
    """Yield the coordinates whose velocity limit is 0."""
    for coordinate in single_axes(robot.model):
        if coordinate.velocity == 0.0:
            yield axis_item(coordinate, 'velocity')


RULES: tuple[Rule, ...] = (
    foreign_includes, links_without_inertial, unfinished_inertials, meshes, welded_joints,
    loops, mimics, no_effort, no_velocity)
"""The rules about Gazebo."""
