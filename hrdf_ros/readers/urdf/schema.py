# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The schema of URDF 1.0 to 1.2: the elements that urdfdom reads, and those that it ignores.

urdfdom ignores every element and attribute that it does not know, so that ``<orign>`` silently
leaves a link at the wrong place. It does not refuse a file for a fault in an inertial, visual,
collision or color, but ignores the rest of the link. Here only the faulty part is ignored.
"""

from __future__ import annotations

from hrdf_ros import codes, formats
from hrdf_ros.document import ValuePaths
from hrdf_ros.model import ZERO
from hrdf_ros.parsing import urdf
from hrdf_ros.parsing.errors import implausible_angles, USUAL, ValueSyntaxError
from hrdf_ros.pose import from_quaternion
from hrdf_ros.readers.schema import (
    Attribute,
    Element,
    Elements,
    has_prefix,
    one_of,
    Policy,
    Schema,
    TEXT,
    ValueType,
)

TYPES = formats.URDF.joint_types
OTHERS = frozenset({
    'gazebo', 'transmission', 'ros2_control', 'sensor', 'group', 'model_state', 'mujoco',
    'drake:plugin', '*:*'})
"""Elements of a robot that usually belong to other programs."""


def _quaternion(text: str, _: list[int]) -> tuple[float, ...]:
    quaternion = urdf.vector(text, 4)
    try:
        from_quaternion(ZERO, quaternion)
    except ValueError:
        raise ValueSyntaxError('a quaternion of zeros is not a rotation') from None
    return quaternion


def _rpy(text: str, _: list[int]) -> tuple[float, ...]:
    angles = roll, pitch, yaw = urdf.vector(text, 3)
    if not (-USUAL <= roll <= USUAL and -USUAL <= pitch <= USUAL and -USUAL <= yaw <= USUAL):
        raise implausible_angles(text, angles, 0, angles)
    return angles


NUMBER = ValueType('number', urdf.number)
VECTOR3 = ValueType('vector3', urdf.vector3)
RPY = ValueType('vector3', _rpy)
QUATERNION = ValueType('quaternion', _quaternion)
COLOR = ValueType('color', urdf.color)

_PARTS = Elements({
    'number': NUMBER, 'vector3': VECTOR3, 'rpy': RPY, 'quaternion': QUATERNION, 'color': COLOR,
    'type': one_of(*TYPES), 'version': one_of(*formats.URDF_VERSIONS)._replace(deferred=True),
}, {}, """
_geometry required choice=first                    | the shape
  @name foreign                                    | of other programs
  box                                              | a box by its extents
    @size vector3 [m] required not_negative        | the extents along x, y, z
  cylinder                                         | a cylinder along z
    @radius,length number [m] required not_negative | a size of the shape
  sphere                                           | a sphere
    @radius number [m] required not_negative       | a size of the shape
  capsule 1.2+
      | a cylinder along z with half spheres on its ends
      | hint=in a file of 1.0 urdfdom ignores it and all shapes of the link after it
    @radius,length number [m] required not_negative | a size of the shape
  mesh                                             | a mesh
    @filename required refers=file                 | the URI of the mesh file
    @scale vector3 =1,1,1                          | factors along x, y, z

_color                                             | the color
      | tolerant=it is ignored, as by urdfdom
  @rgba color required                             | red, green, blue, alpha in 0 .. 1

_texture                                           | the texture
  @filename refers=file                            | the URI of the image

_look
  color as=color
  texture as=texture
  specular foreign repeated                        | of other programs

_material repeated with=look                       | a material for visuals to name
  @name expected names=material                    | the name of the material

_inertial                                          | mass and inertia
      | tolerant=the <inertial> is ignored; urdfdom keeps the numbers before the fault and ignores
      |   all shapes of the link
  origin like=origin                               | the center of mass and the axes of the tensor
  mass required                                    | the mass
    @value number [kg] required                    | the mass
  inertia required                                 | the inertia tensor about the center of mass
    @ixx,ixy,ixz,iyy,iyz,izz number [kg m^2] required
      | a component of the inertia tensor about the center of mass
    @iyx,izx,izy foreign                           | of other programs
  density foreign repeated                         | of other programs

_link required repeated                            | a rigid body
  @name = expected names=link                      | the name of the link and its frame
  @type checked                                    | a classification by old tools
  @concave foreign                                 | of other programs
  inertial as=inertial
  visual repeated                                  | a shape that is seen
      | tolerant=the <visual> is ignored; urdfdom also ignores the visuals after it and all
      |   collisions of the link
    @name                                          | the name of the shape
    @group foreign                                 | of other programs
    origin same
    geometry as=geometry
    material foreign_again with=look
      | the look: a name, with a definition or of one that is defined elsewhere
      @name required names=material refers=material | the name of the material
    verbose foreign repeated                       | of other programs
  collision repeated                               | a shape that collides
      | tolerant=the <collision> is ignored; urdfdom also ignores the collisions after it
    @name                                          | the name of the shape
    @concave,group,mask foreign                    | of other programs
    origin same
    geometry as=geometry
    contact_coefficients,material,max_contacts,sdf,surface,verbose foreign repeated
      | of other programs
  audio_source,collision_checking,contact,gravity,kinematic foreign repeated
      | of other programs
  self_collision_checking,self_filter,surface foreign repeated
      | of other programs

_joint repeated variants=type:revolute,prismatic,fixed,floating,planar
      | a joint between two links
  @name required names=joint                       | the name of the joint
  @type type required                              | which motion it allows
  @dont_collapse foreign                           | of other programs
  origin same
  parent required                                  | the link that holds the joint
    @link required refers=link                     | the name of the link
  child required                                   | the link that the joint moves
    @link required refers=link                     | the name of the link
  axis same
  calibration preserved                            | where a reference position is
    @rising number =0 [rad or m]                   | the position of a rising edge
    @falling number =0 [rad or m]                  | the position of a falling edge
    @reference_position                            | as older versions have it
  dynamics same
  limit same
  mimic same
  safety_controller preserved                      | bounds that a controller keeps
    @k_velocity number required                    | the gain of the velocity bounds
    @soft_lower_limit number =0 [rad or m]         | the minimum position
    @soft_upper_limit number =0 [rad or m]         | the maximum position
    @k_position number =0                          | the gain of the position bounds
  anchor,controller_gains,joint_properties,traits foreign repeated
      | of other programs

_revolute
  limit shared required                            | the limits of the motion

_prismatic as=revolute

_planar
  limit shared preserved                           | without effect in a joint of this type
  dynamics shared preserved                        | without effect in a joint of this type
  mimic shared preserved                           | without effect in a joint of this type

_fixed with=planar
  axis skipped                                     | without effect in a joint of this type

_floating as=fixed

origin
      | where the element is in the frame of its parent
  @xyz vector3 =0,0,0 [m]                          | the position
  @rpy rpy =0,0,0 [rad]                            | roll, pitch, yaw about fixed axes
  @quat_xyzw quaternion excludes=rpy 1.1+          | the orientation as a quaternion

axis                                               | the axis in the frame of the joint
  @xyz vector3 =1,0,0 expected                     | the direction
  @rpy foreign                                     | of other programs

limit                                              | the limits of the motion
  @lower number =0 [rad or m]                      | the minimum position
  @upper number =0 [rad or m]                      | the maximum position
  @effort number [Nm or N] required not_negative   | the maximum torque or force
  @velocity number [rad/s or m/s] required not_negative
      | the maximum velocity
  @acceleration number [rad/s^2 or m/s^2] 1.2+     | the maximum acceleration
  @deceleration number [rad/s^2 or m/s^2] 1.2+     | the maximum deceleration
  @jerk number [rad/s^3 or m/s^3] 1.2+             | the maximum jerk
  @command_effort,current,gear_velocity foreign    | of other programs

dynamics any_of=damping,friction                   | the resistance to the motion
  @damping number =0 [Nm s/rad or N s/m]           | viscous damping
  @friction number =0 [Nm or N]                    | static friction
  @D,K,mu_coulomb,mu_viscous,spring_reference,spring_stiffness foreign
      | of other programs

mimic                                              | the joint follows another one
  @joint required refers=joint                     | the name of the joint that is followed
  @multiplier number =1                            | the factor
  @offset number =0 [rad or m]                     | the offset

robot                                              | a robot
  @name required names=model                       | the name of the robot
  @version version =1.0                            | the version of URDF, 1.0 where it is absent
  link as=link
  joint as=joint
  material as=material
  collision_filter_group,force_element,frame foreign repeated
      | of other programs
""")

_MENTIONED_JOINT = Element('a joint of the robot', {
    'name': Attribute(TEXT, 'the name of the joint', refers=('joint',))})
_MENTIONED = {
    'xacro:include': Element('another xacro file', {
        'filename': Attribute(TEXT, 'the path of the file', refers=('file',))}),
    'gazebo': Element('data for Gazebo on a link or joint, or on the robot', {
        'reference': Attribute(
            TEXT, 'the name of the link or joint', refers=('link', 'joint'))}, open=True),
    'ros2_control': Element(
        'the hardware of the joints', mentioned={'joint': _MENTIONED_JOINT}, open=True),
    'transmission': Element(
        'the transmission of a joint', mentioned={'joint': _MENTIONED_JOINT}, open=True),
}

SCHEMA = Schema(
    root='robot', versions=formats.URDF_VERSIONS,
    elements={
        **_PARTS,
        'robot': _PARTS['robot']._replace(foreign=OTHERS, mentioned=_MENTIONED)},
    policy=Policy(
        'URDF', 'urdfdom',
        out_of_range=codes.BAD_VALUE._replace(severity='warning'),
        keeps_out_of_range=True,
        newer=codes.NEWER_THAN_VERSION._replace(severity='warning'),
        exclusive=codes.BAD_VALUE,
        keeps_line_breaks=True,
        is_foreign_element=has_prefix,
        is_foreign_attribute=lambda name: has_prefix(name) or name == 'xmlns'))


VALUE_PATHS: ValuePaths = {
    'version': ('@version',),
    'type': ('@type',),
    'parent_from_joint': ('origin/@xyz',),
    'axis': ('axis/@xyz',),
    'lower': ('limit/@lower',),
    'upper': ('limit/@upper',),
    'velocity': ('limit/@velocity',),
    'effort': ('limit/@effort',),
    'mimic': ('mimic',),
    'mass': ('mass/@value',),
    **{
        term: (f'inertia/@{term}',)
        for term in ('ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz')},
    'uri': ('geometry/mesh/@filename',),
    'texture': ('material/texture/@filename',),
}
