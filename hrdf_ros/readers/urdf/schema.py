# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
URDF 1.0 to 1.2: the elements that urdfdom reads, and others that are reported.

urdfdom ignores every element and attribute that it does not know, so that ``<orign>`` leaves a
link at the wrong place silently. A fault in an inertial, visual, collision or color does
not make it refuse a file: it ignores the rest of the link. Here only the faulty part is ignored.
"""

from __future__ import annotations

from hrdf_ros import codes
from hrdf_ros.document import ValuePaths
from hrdf_ros.model import ZERO
from hrdf_ros.parsing import urdf
from hrdf_ros.parsing.errors import implausible_angles, USUAL, ValueSyntaxError
from hrdf_ros.pose import from_quaternion, X_AXIS
from hrdf_ros.readers.schema import (
    Attribute,
    Element,
    has_prefix,
    NOT_NEGATIVE,
    one_of,
    Policy,
    Schema,
    TEXT,
    ValueType,
    Variants,
)

VERSIONS = ('1.0', '1.1', '1.2')
TYPES = ('revolute', 'continuous', 'prismatic', 'fixed', 'floating', 'planar')
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

_SIZE = Attribute(NUMBER, 'a size of the shape', required=True, unit='m', bounds=NOT_NEGATIVE)
_MOMENT = Attribute(
    NUMBER, 'a component of the inertia tensor about the center of mass', required=True,
    unit='kg m^2')
_NEWER_LIMIT = Attribute(
    NUMBER, 'a further limit of the motion', since='1.2', handling='not preserved',
    hint='only the unchanged text still has it')


def _foreign(*tags: str) -> dict[str, Element]:
    return {
        tag: Element('of other programs', handling='foreign', repeated=True) for tag in tags}


def _foreign_attributes(*names: str) -> dict[str, Attribute]:
    return {name: Attribute(TEXT, 'of other programs', handling='foreign') for name in names}


_ORIGIN = Element('where the element is in the frame of its parent', {
    'xyz': Attribute(VECTOR3, 'the position', default=ZERO, unit='m'),
    'rpy': Attribute(RPY, 'roll, pitch, yaw about fixed axes', default=ZERO, unit='rad'),
    'quat_xyzw': Attribute(
        QUATERNION, 'the orientation as a quaternion', since='1.1', excludes=('rpy',)),
})
_GEOMETRY = Element('the shape', _foreign_attributes('name'), {
    'box': Element('a box by its extents', {
        'size': Attribute(
            VECTOR3, 'the extents along x, y, z', required=True, unit='m',
            bounds=NOT_NEGATIVE)}),
    'cylinder': Element(
        'a cylinder along z', {'radius': _SIZE, 'length': _SIZE}),
    'sphere': Element('a sphere', {'radius': _SIZE}),
    'capsule': Element(
        'a cylinder along z with half spheres on its ends', {'radius': _SIZE, 'length': _SIZE},
        since='1.2',
        hint='in a file of 1.0 urdfdom ignores it and all shapes of the link after it'),
    'mesh': Element('a mesh', {
        'filename': Attribute(
            TEXT, 'the URI of the mesh file', required=True, refers=('file',)),
        'scale': Attribute(VECTOR3, 'factors along x, y, z', default=(1.0, 1.0, 1.0))}),
}, required=True, choice='first')
_MATERIAL_CONTENT = {
    'color': Element('the color', {
        'rgba': Attribute(COLOR, 'red, green, blue, alpha in 0 .. 1', required=True),
    }, tolerant='it is ignored, as by urdfdom'),
    'texture': Element('the texture', {
        'filename': Attribute(TEXT, 'the URI of the image', refers=('file',))}),
    **_foreign('specular'),  # Bullet
}
_LINK = Element('a rigid body', {
    'name': Attribute(
        TEXT, 'the name of the link and its frame', expected=True, default='', names='link'),
    'type': Attribute(TEXT, 'a classification by old tools', handling='checked'),
    **_foreign_attributes('concave'),
}, {
    'inertial': Element('mass and inertia', children={
        'origin': Element(like='origin', doc='the center of mass and the axes of the tensor'),
        'mass': Element('the mass', {
            'value': Attribute(NUMBER, 'the mass', required=True, unit='kg')}, required=True),
        'inertia': Element(
            'the inertia tensor about the center of mass',
            {
                **dict.fromkeys(('ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz'), _MOMENT),
                **_foreign_attributes('iyx', 'izx', 'izy'),
            }, required=True),
        **_foreign('density'),  # Isaac Gym
    }, tolerant='the <inertial> is ignored; urdfdom keeps the numbers before the fault and '
        'ignores all shapes of the link'),
    'visual': Element(
        'a shape that is seen', {
            'name': Attribute(TEXT, 'the name of the shape'), **_foreign_attributes('group')},
        {
            'origin': 'origin',
            'geometry': _GEOMETRY,
            'material': Element(
                'the look: a name, with a definition or of one that is defined elsewhere',
                {'name': Attribute(
                    TEXT, 'the name of the material', required=True, names='material',
                    refers=('material',))},
                _MATERIAL_CONTENT, foreign_again=True),
            **_foreign('verbose'),
        }, repeated=True, tolerant='the <visual> is ignored; urdfdom also ignores the visuals '
        'after it and all collisions of the link'),
    'collision': Element(
        'a shape that collides', {
            'name': Attribute(TEXT, 'the name of the shape'),
            **_foreign_attributes('concave', 'group', 'mask')},
        {
            'origin': 'origin',
            'geometry': _GEOMETRY,
            **_foreign(
                'contact_coefficients', 'material', 'max_contacts', 'sdf', 'surface', 'verbose'),
        }, repeated=True, tolerant='the <collision> is ignored; urdfdom also ignores the '
        'collisions after it'),
    **_foreign(
        'audio_source', 'collision_checking', 'contact', 'gravity', 'kinematic',
        'self_collision_checking', 'self_filter', 'surface'),
}, required=True, repeated=True)

_LIMIT = Element('the limits of the motion', {
    'lower': Attribute(NUMBER, 'the minimum position', default=0.0, unit='rad or m'),
    'upper': Attribute(NUMBER, 'the maximum position', default=0.0, unit='rad or m'),
    'effort': Attribute(
        NUMBER, 'the maximum torque or force', required=True, unit='Nm or N',
        bounds=NOT_NEGATIVE),
    'velocity': Attribute(
        NUMBER, 'the maximum velocity', required=True, unit='rad/s or m/s',
        bounds=NOT_NEGATIVE),
    'acceleration': Attribute(
        NUMBER, 'the maximum acceleration', unit='rad/s^2 or m/s^2', since='1.2'),
    'deceleration': _NEWER_LIMIT, 'jerk': _NEWER_LIMIT,
    **_foreign_attributes('command_effort', 'current', 'gear_velocity'),  # ANYmal
})
_DYNAMICS = Element('the resistance to the motion', {
    'damping': Attribute(
        NUMBER, 'viscous damping', default=0.0, unit='Nm s/rad or N s/m'),
    'friction': Attribute(NUMBER, 'static friction', default=0.0, unit='Nm or N'),
    **_foreign_attributes(  # Franka, Stretch
        'D', 'K', 'mu_coulomb', 'mu_viscous', 'spring_reference', 'spring_stiffness'),
}, any_of=('damping', 'friction'))
_MIMIC = Element('the joint follows another one', {
    'joint': Attribute(
        TEXT, 'the name of the joint that is followed', required=True, refers=('joint',)),
    'multiplier': Attribute(NUMBER, 'the factor', default=1.0),
    'offset': Attribute(NUMBER, 'the offset', default=0.0, unit='rad or m'),
})
_AXIS = Element('the axis in the frame of the joint', {
    'xyz': Attribute(VECTOR3, 'the direction', expected=True, default=X_AXIS),
    **_foreign_attributes('rpy')})
_UNUSED = {
    tag: Element(like=tag, doc='without effect in a joint of this type', handling='preserved')
    for tag in ('limit', 'dynamics', 'mimic')}
_NO_AXIS = Element('without effect in a joint of this type', handling='skipped')
_LIMITED = Element(children={
    'limit': Element(like='limit', doc='the limits of the motion', required=True)})
_UNMOVED = Element(children={'axis': _NO_AXIS, **_UNUSED})
_JOINT = Element('a joint between two links', {
    'name': Attribute(TEXT, 'the name of the joint', required=True, names='joint'),
    'type': Attribute(one_of(*TYPES), 'which motion it allows', required=True),
    **_foreign_attributes('dont_collapse'),  # MuJoCo, Isaac Gym
}, {
    'origin': 'origin',
    'parent': Element('the link that holds the joint', {
        'link': Attribute(TEXT, 'the name of the link', required=True, refers=('link',)),
    }, required=True),
    'child': Element('the link that the joint moves', {
        'link': Attribute(TEXT, 'the name of the link', required=True, refers=('link',)),
    }, required=True),
    'axis': 'axis',
    'calibration': Element('where a reference position is', {
        'rising': Attribute(
            NUMBER, 'the position of a rising edge', default=0.0, unit='rad or m'),
        'falling': Attribute(
            NUMBER, 'the position of a falling edge', default=0.0, unit='rad or m'),
        'reference_position': Attribute(TEXT, 'as older versions have it'),
    }, handling='preserved'),
    'dynamics': 'dynamics',
    'limit': 'limit',
    'mimic': 'mimic',
    'safety_controller': Element('bounds that a controller keeps', {
        'k_velocity': Attribute(NUMBER, 'the gain of the velocity bounds', required=True),
        'soft_lower_limit': Attribute(
            NUMBER, 'the minimum position', default=0.0, unit='rad or m'),
        'soft_upper_limit': Attribute(
            NUMBER, 'the maximum position', default=0.0, unit='rad or m'),
        'k_position': Attribute(NUMBER, 'the gain of the position bounds', default=0.0),
    }, handling='preserved'),
    **_foreign('anchor', 'controller_gains', 'joint_properties', 'traits'),
}, repeated=True, variants=Variants('type', {
    'revolute': _LIMITED, 'prismatic': _LIMITED, 'fixed': _UNMOVED, 'floating': _UNMOVED,
    'planar': Element(children=_UNUSED)}))

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
    root='robot', versions=VERSIONS,
    elements={
        'robot': Element('a robot', {
            'name': Attribute(TEXT, 'the name of the robot', required=True, names='model'),
            'version': Attribute(
                one_of(*VERSIONS)._replace(deferred=True),
                'the version of URDF, 1.0 where it is absent', default=VERSIONS[0]),
        }, {
            'link': _LINK,
            'joint': _JOINT,
            'material': Element('a material for visuals to name', {
                'name': Attribute(
                    TEXT, 'the name of the material', expected=True, names='material'),
            }, _MATERIAL_CONTENT, repeated=True),
            **_foreign('collision_filter_group', 'force_element', 'frame'),  # Drake
        }, foreign=OTHERS, mentioned=_MENTIONED),
        'origin': _ORIGIN, 'axis': _AXIS, 'limit': _LIMIT, 'dynamics': _DYNAMICS,
        'mimic': _MIMIC,
    },
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
    'parent_from_joint': ('origin/@xyz',),
    'axis': ('axis/@xyz',),
    'lower': ('limit/@lower',),
    'upper': ('limit/@upper',),
    'velocity': ('limit/@velocity',),
    'effort': ('limit/@effort',),
    'mimic': ('mimic',),
    'mass': ('mass/@value',),
    'ixx': ('inertia/@ixx',),
    'iyy': ('inertia/@iyy',),
    'izz': ('inertia/@izz',),
    'ixy': ('inertia/@ixy',),
    'ixz': ('inertia/@ixz',),
    'iyz': ('inertia/@iyz',),
    'uri': ('geometry/mesh/@filename',),
    'texture': ('material/texture/@filename',),
}
