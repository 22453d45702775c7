# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Rules about RViz and MoveIt, which read ``robot_description`` with urdfdom.

resource_retriever finds their files, and robot_state_publisher sends RViz the transforms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf
from typing import Optional

from hrdf_ros.check.plausibility import single_axes
from hrdf_ros.consumers.rules import axis_item, Item, Robot, Rule, rule
from hrdf_ros.consumers.soft_limits import soft_limits
from hrdf_ros.diagnostics import value_location
from hrdf_ros.document import parse_again
from hrdf_ros.formats import DEFAULT_URDF
from hrdf_ros.model import Capsule, Joint, Mesh, Shape
from hrdf_ros.pose import Z_AXIS

_PUBLISHER = 'robot_state_publisher 3.3.3, src/robot_state_publisher.cpp'
_KDL = 'kdl_parser 2.11.0, src/kdl_parser.cpp'
_MOVEIT_MODEL = 'MoveIt 2.15.0, moveit_core/robot_model/src/robot_model.cpp'
_LINK = 'RViz 14.1.5, rviz_default_plugins/src/rviz_default_plugins/robot/robot_link.cpp'
_LOADER = (
    'RViz 14.1.5, rviz_rendering/src/rviz_rendering/mesh_loader_helpers/assimp_loader.cpp')
_RETRIEVER = (
    'resource_retriever 3.4.3, src/retriever.cpp: package:// by the ament index, all else by '
    'libcurl')
_FIND = (
    'write package://NAME/... of a package that is installed and sourced, or let hrdf convert '
    '--urdf-version 1.0 write file:///...')


# ---- elements of newer versions

@rule(
    'rviz', 'moveit', 'gazebo', effect='refuses',
    says='refuses a URDF of version 1.1 or 1.2 (ROS 2 up to Kilted)',
    cure='hrdf convert --urdf-version 1.0 writes what that version can express',
    source='urdfdom 4.0.1, urdf_parser/src/model.cpp: "only version 1.0 is currently supported"')
def newer_version(robot: Robot) -> Iterator[Item]:
    """Yield the robot if its URDF version is not the one that urdfdom knows."""
    model = robot.model
    if robot.is_urdf and model.version != DEFAULT_URDF:
        yield Item(model.name, value_location(model.location, 'version'))


@rule(
    'rviz', 'moveit', 'gazebo', effect='drops',
    says='drops a <capsule> and all that follows it in its link (ROS 2 up to Kilted)',
    cure='write a <cylinder> and a <sphere> at each of its ends, or a mesh',
    source='urdfdom 3.0.1 gives this answer: '
    'test/conformance/expected/urdf/test~diagnostics~urdf~consumer-drops.capsule.urdf.json')
def capsules(robot: Robot) -> Iterator[Item]:
    """Yield the capsules of a robot that urdfdom does not refuse because of its version."""
    if not robot.is_urdf or robot.model.version != DEFAULT_URDF:
        return
    for body in robot.model.bodies:
        for shape in (*body.visuals, *body.collisions):
            if isinstance(shape.geometry, Capsule):
                yield Item(body.name, shape.location)


@rule(
    'moveit', effect='drops',
    says='takes no acceleration, deceleration or jerk limit from a URDF',
    cure='hrdf moveit writes them to joint_limits.yaml, which MoveIt reads',
    source=f'{_MOVEIT_MODEL}: jointBoundsFromURDF')
def limits_of_acceleration(robot: Robot) -> Iterator[Item]:
    """Yield the joints of one axis with limits that MoveIt only takes from joint_limits.yaml."""
    for coordinate in single_axes(robot.model):
        for field in ('acceleration', 'deceleration', 'jerk'):
            if getattr(coordinate, field) != inf:
                yield axis_item(coordinate, field)
                break


# ---- files

@rule(
    'rviz', effect='drops', says='shows no mesh that resource_retriever does not find',
    cure=_FIND, source=_RETRIEVER)
def visual_meshes(robot: Robot) -> Iterator[Item]:
    """Yield the meshes of visuals that resource_retriever does not find."""
    for body in robot.model.bodies:
        yield from _not_retrieved(body.visuals, robot)


@rule(
    'moveit', effect='drops',
    says='plans through a collision mesh that resource_retriever does not find', cure=_FIND,
    source=f'{_RETRIEVER}; {_MOVEIT_MODEL}: constructShape')
def collision_meshes(robot: Robot) -> Iterator[Item]:
    """Yield the meshes of collisions that resource_retriever does not find."""
    for body in robot.model.bodies:
        yield from _not_retrieved(body.collisions, robot)


def _not_retrieved(shapes: Iterable[Shape], robot: Robot) -> Iterator[Item]:
    for shape in shapes:
        mesh = shape.geometry
        if isinstance(mesh, Mesh) and not _is_retrieved(mesh.uri, mesh.file, robot):
            yield Item(mesh.uri, value_location(shape.location, 'uri'))


def _is_retrieved(uri: str, file: Optional[str], robot: Robot) -> bool:
    """Return whether a file is found; a conversion writes file:// but for a package."""
    is_renamed = robot.is_converted and file is not None and not uri.startswith('package://')
    return is_renamed or robot.installed.is_retrieved(uri, file)


@rule(
    'rviz', effect='drops', says='shows no texture that resource_retriever does not find',
    cure=_FIND, source=f'{_RETRIEVER}; {_LINK}: loadMaterialFromTexture')
def textures(robot: Robot) -> Iterator[Item]:
    """Yield the images of materials that resource_retriever does not find."""
    for body in robot.model.bodies:
        for shape in body.visuals:
            look = shape.material
            if look and look.texture and not _is_retrieved(
                    look.texture, look.texture_file, robot):
                yield Item(look.texture, value_location(shape.location, 'material'))


@rule(
    'moveit', effect='drops', says='plans through a link that has visuals and no collision',
    cure='give it a <collision>, a simple shape around the visuals for example',
    source=f'{_MOVEIT_MODEL}: "has visual geometry but no collision geometry"')
def links_without_collision(robot: Robot) -> Iterator[Item]:
    """Yield the links that have visuals and no collisions."""
    for body in robot.model.bodies:
        if body.visuals and not body.collisions:
            yield Item(body.name, body.location)


# ---- colors

@rule(
    'rviz', effect='drops', says='paints all visuals of a link as the first one',
    cure='put visuals of another color into a link of their own, held by a fixed joint',
    source=f'{_LINK}: getMaterialForLink')
def other_colors(robot: Robot) -> Iterator[Item]:
    """Yield the links with visuals of several colors; only an STL mesh has the link's color."""
    for body in robot.model.bodies:
        for shape in body.visuals[1:]:
            if _color(shape) != _color(body.visuals[0]) and not _has_own_colors(shape):
                yield Item(body.name, value_location(shape.location, 'material') or body.location)
                break


@rule(
    'rviz', effect='invents', severity='info',
    says='paints a link red if its first visual has no color',
    cure='give the visual a <material> with a color',
    source=f'{_LINK}: getMaterialForLink, "RVIZ/ShadedRed"')
def red_links(robot: Robot) -> Iterator[Item]:
    """Yield the links without a color that are not only meshes with colors of their own."""
    for body in robot.model.bodies:
        visuals = body.visuals
        if visuals and not (_color(visuals[0]) or all(map(_has_own_colors, visuals))):
            yield Item(body.name, visuals[0].location or body.location)


@rule(
    'rviz', effect='drops', severity='info',
    says='gives a mesh the colors in its file, gray if it has none, and not that of <material>',
    cure='give the mesh file the color, or use STL, which has no colors in RViz',
    source=f'{_LOADER}: loadMaterials, "STL meshes don\'t support proper materials"')
def ignored_colors(robot: Robot) -> Iterator[Item]:
    """Yield the links with a colored mesh that RViz does not color: all but STL."""
    for body in robot.model.bodies:
        for shape in body.visuals:
            if _has_own_colors(shape) and _color(shape):
                yield Item(body.name, value_location(shape.location, 'material') or shape.location)
                break


def _color(shape: Shape) -> object:
    look = shape.material
    return look and (look.texture or look.diffuse)


def _has_own_colors(shape: Shape) -> bool:
    mesh = shape.geometry
    return isinstance(mesh, Mesh) and not mesh.uri.lower().endswith(('.stl', '.stlb'))


# ---- links and joints

@rule(
    'rviz', 'moveit', effect='drops', severity='info',
    says='drops the inertia of the root link, because KDL has no place for it',
    cure='hrdf convert --root-link NAME adds a root link without mass above it',
    source=f'{_KDL}: "KDL does not support a root link with an inertia"')
def root_inertia(robot: Robot) -> Iterator[Item]:
    """Yield the root link if it has mass; an inertia of zeros is not written."""
    for root in robot.topology.roots:
        body = robot.model.bodies[root]
        if body.inertia is not None and body.inertia.mass != 0.0:
            yield Item(body.name, body.inertia.location or body.location)


@rule(
    'rviz', effect='drops',
    says='gets no transform of a floating joint from robot_state_publisher, and shows nothing '
    'below it', cure='publish its transform, as hrdf_node does, or make the joint fixed',
    source=f'{_PUBLISHER}: "Floating joint is not supported"')
def floating_joints(robot: Robot) -> Iterator[Item]:
    return _of_type(robot, 'floating')


@rule(
    'rviz', effect='drops',
    says='gets a planar joint from robot_state_publisher as if it never moved',
    cure='use two prismatic joints and a continuous one, or hrdf_node',
    source=f'{_KDL}: "Converting unknown joint type of joint"')
def planar_joints(robot: Robot) -> Iterator[Item]:
    return _of_type(robot, 'planar')


@rule(
    'moveit', effect='drops',
    says='moves a planar joint in the x-y plane of its frame, whatever its axis',
    cure='turn the <origin> of the joint, so that its axis is 0 0 1',
    source='MoveIt 2.15.0, moveit_core/robot_model/src/planar_joint_model.cpp: computeTransform')
def turned_planes(robot: Robot) -> Iterator[Item]:
    """Yield the planar joints with another axis than z, about which they turn."""
    for joint in robot.model.joints:
        if joint.type == 'planar' and joint.motions[-1].axis != Z_AXIS:
            yield _item(joint)


def _of_type(robot: Robot, kind: str) -> Iterator[Item]:
    return (_item(joint) for joint in robot.model.joints if joint.type == kind)


def _item(joint: Joint) -> Item:
    return Item(joint.name, value_location(joint.location, 'type'))


@rule(
    'moveit', effect='refuses', severity='warning',
    says='times no trajectory of a joint without a velocity limit, or with the limit 0',
    cure='give its <limit> the velocity that the motor has, in rad/s or m/s',
    source=f'{_MOVEIT_MODEL}: jointBoundsFromURDF; '
    'time_optimal_trajectory_generation.cpp: "No velocity limit was defined"')
def no_velocity(robot: Robot) -> Iterator[Item]:
    """Yield the joints of one axis that mimic no other and have no velocity limit above 0."""
    for coordinate in single_axes(robot.model):
        if coordinate.mimic is None and coordinate.velocity in (0.0, inf):
            yield axis_item(coordinate, 'velocity')


@rule(
    'moveit', effect='drops',
    says='plans no position of a joint beyond the soft limits of its <safety_controller>, which '
    'are 0 if they are not written', cure='give it the limits of the joint, or leave it out',
    source=f'{_MOVEIT_MODEL}: jointBoundsFromURDF')
def narrowed_limits(robot: Robot) -> Iterator[Item]:
    """Yield the joints of one axis with limits that soft limits make narrower."""
    for soft in soft_limits(robot.model) if robot.is_urdf else ():
        yield Item(soft.joint.name, soft.location)


@rule(
    'moveit', effect='invents', severity='error',
    says='overwrites the position of another joint, or crashes, because of a <mimic> between '
    'fixed joints', cure='leave it out: fixed joints do not move',
    source='MoveIt 2.12.4, moveit_core/robot_model/src/robot_model.cpp: updateMimicJoints')
def fixed_mimics(robot: Robot) -> Iterator[Item]:
    """Yield the fixed joints with a ``<mimic>`` of a fixed joint; neither has a variable."""
    fixed = {joint.name: joint for joint in robot.model.joints if joint.type == 'fixed'}
    for joint in fixed.values():
        for raw in joint.extensions:
            if raw.tag == 'mimic' and 'urdf' in raw.held_by:
                if parse_again(raw.text).attributes.get('joint') in fixed:
                    yield Item(joint.name, raw.location)


RULES: tuple[Rule, ...] = (
    newer_version, capsules, limits_of_acceleration, visual_meshes, collision_meshes, textures,
    links_without_collision, other_colors, red_links, ignored_colors, root_inertia,
    floating_joints, planar_joints, turned_planes, no_velocity, narrowed_limits, fixed_mimics)
"""
The rules about RViz and MoveIt, and about Gazebo, for which libsdformat also uses urdfdom.
"""
