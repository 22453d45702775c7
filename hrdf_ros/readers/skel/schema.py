# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""SKEL as DART 6.20 reads it, and as the format's text lists it."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

from hrdf_ros import codes
from hrdf_ros.document import ValuePaths
from hrdf_ros.model import ZERO
from hrdf_ros.parsing import skel
from hrdf_ros.parsing.errors import implausible_angles, USUAL, ValueSyntaxError
from hrdf_ros.parsing.numbers import plain_numbers
from hrdf_ros.pose import IDENTITY, Pose, Vector, X_AXIS, Y_AXIS, Z_AXIS
from hrdf_ros.readers.schema import (
    Attribute,
    Element,
    one_of,
    Policy,
    POSITIVE,
    Replaced,
    Schema,
    TEXT,
    ValueType,
    Variants,
)

GRAVITY: Vector = (0.0, 0.0, -9.81)
"""The gravity of a world without ``<physics>`` or ``<gravity>``."""
_UNIT: Vector = (1.0, 1.0, 1.0)


# ---- values

class _EmptyName(ValueSyntaxError):
    """A name without a character."""


class _ColorCount(ValueSyntaxError):
    """A color with too few or too many numbers, which DART does not use."""


def _values(found: skel.Numbers, trailing: list[int]) -> tuple[float, ...]:
    if found.ignored is not None:
        trailing.append(found.ignored)
    return found.values


def _number(text: str, trailing: list[int]) -> float:
    return (plain_numbers(text, 1) or _values(skel.number(text), trailing))[0]


def _limit(text: str, trailing: list[int]) -> float:
    return (plain_numbers(text, 1) or _values(skel.limit(text), trailing))[0]


def _attribute_limit(text: str, _: list[int]) -> float:
    return skel.limit(text).values[0]


def _vector(count: int) -> Callable[[str, list[int]], tuple[float, ...]]:
    def vector(text: str, trailing: list[int]) -> tuple[float, ...]:
        return plain_numbers(text, count) or _values(skel.vector(text, count), trailing)
    return vector


def _pose(text: str, trailing: list[int]) -> Pose:
    values = plain_numbers(text, 6) or _values(skel.transformation(text), trailing)
    found = skel.pose(values)
    _, _, _, a, b, c = values
    if not (-USUAL <= a <= USUAL and -USUAL <= b <= USUAL and -USUAL <= c <= USUAL):
        raise implausible_angles(text, values[3:], 3, found)
    return found


def _color(text: str, trailing: list[int]) -> tuple[float, ...]:
    count = len(text.split())
    if count not in (3, 4):
        raise _ColorCount(f'a color is 3 or 4 numbers, not {count}; it is not used')
    return _values(skel.vector(text, count), trailing)


def _boolean(text: str, _: list[int]) -> bool:
    value = skel.boolean(text)
    if not text:
        raise ValueSyntaxError('a truth value is missing')
    if value is None:
        raise Replaced(f"'{text.rstrip()}' is not 1, 0, true or false; DART uses false", False)
    return value


def _name(text: str, _: list[int]) -> str:
    if not text:
        raise _EmptyName('the name is empty')
    return text


NUMBER = ValueType('number', _number)
LIMIT = ValueType('number or infinity', _limit)
ATTRIBUTE_LIMIT = ValueType('number or infinity', _attribute_limit)
VECTOR3 = ValueType('vector3', _vector(3))
POSE = ValueType('pose', _pose)
COLOR = ValueType('color', _color)
BOOLEAN = ValueType('boolean', _boolean)
NAME = ValueType('name', _name)
ACTUATOR = one_of(
    'force', 'passive', 'servo', 'acceleration', 'velocity', 'locked', fallback='force',
)._replace(spellings={'torque': 'force'})
AXIS_ORDER = one_of('xyz', 'zyx', fallback='xyz')
PLANE_TYPE = one_of('xy', 'yz', 'zx', 'arbitrary', fallback='xy')


# ---- shapes

def _no_effect(doc: str) -> Element:
    return Element(doc, handling='no effect')


def _not_preserved(doc: str) -> Element:
    return Element(doc, handling='not preserved')


_TRANSFORMATION = Element(
    'x, y, z, and angles about x, the new y, the new z', text=POSE, default=IDENTITY,
    unit='m, rad')
_SIZE = Element(
    'a size of the shape', text=NUMBER, default=1.0, unit='m', bounds=POSITIVE, required=True)
_SIZES = Element(
    'the extents along x, y, z', text=VECTOR3, default=_UNIT, unit='m', bounds=POSITIVE,
    required=True)
_GEOMETRY = Element(
    'the shape; DART looks for them in this order', required=True,
    hint='DART crashes on such a shape', choice='declared', children={
        'sphere': Element('a sphere', children={'radius': _SIZE}),
        'box': Element('a box', children={'size': _SIZES}),
        'ellipsoid': Element('an ellipsoid by its diameters', children={'size': _SIZES}),
        'cylinder': Element('a cylinder along z', children={
            'radius': _SIZE,
            'height': _SIZE._replace(required=False),
            'length': _SIZE._replace(
                required=False, doc="the height, as the format's text calls it in places"),
        }, any_of=('height', 'length')),
        'capsule': Element(
            'a cylinder along z with half spheres on its ends',
            children={'radius': _SIZE, 'height': _SIZE}),
        'cone': Element('a cone along z', children={'radius': _SIZE, 'height': _SIZE}),
        'pyramid': Element('a pyramid along z', children={
            'base_width': _SIZE, 'base_depth': _SIZE, 'height': _SIZE}),
        'plane': Element('an infinite plane', children={
            'normal': Element('its normal', text=VECTOR3, default=Z_AXIS, required=True),
            'offset': Element(
                'its distance from the origin along the normal', text=NUMBER, default=0.0,
                unit='m'),
            'point': Element(
                'a point on it', text=VECTOR3, default=ZERO, unit='m',
                deprecated='write <offset>, the distance from the origin along the normal'),
        }),
        'multi_sphere': Element('the convex hull of spheres', children={
            'sphere': Element('one of the spheres', children={
                'radius': _SIZE,
                'position': Element(
                    'its center', text=VECTOR3, default=_UNIT, unit='m', required=True),
            }, repeated=True)}),
        'mesh': Element('a mesh', children={
            'file_name': Element(
                'the URI of the mesh file', text=TEXT, required=True, text_required=True,
                refers=('file',)),
            'scale': Element(
                'factors along x, y, z', text=VECTOR3, default=_UNIT, required=True)}),
    })

# ---- bodies

_MOMENT = Element(
    'a component of the inertia tensor about the center of mass', text=NUMBER, default=1.0,
    unit='kg m^2', required=True)
_BODY = Element('a rigid body', {
    'name': Attribute(
        NAME, 'its name, without which no joint can hold it', expected=True, default='',
        names='body'),
}, {
    'gravity': Element('whether gravity acts on it', text=BOOLEAN, default=True),
    'self_collide': _no_effect('whether it collides with others of its skeleton'),
    'transformation': _TRANSFORMATION,
    'inertia': Element('mass and inertia', children={
        'mass': Element(
            'the mass', text=NUMBER, default=1.0, unit='kg', required=True,
            hint="the format's text says 1 where it is missing; DART refuses"),
        'offset': Element('the center of mass', text=VECTOR3, default=ZERO, unit='m'),
        'transformation': _no_effect('the axes of the inertia tensor'),
        'moment_of_inertia': Element(
            'the inertia tensor; where it is absent it follows from the shapes',
            children=dict.fromkeys(('ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz'), _MOMENT)),
    }),
    'visualization_shape': Element('a shape that is seen', children={
        'transformation': _TRANSFORMATION,
        'color': Element('red, green, blue, and alpha, in 0 .. 1', text=COLOR),
        'geometry': _GEOMETRY,
        'collidable': _no_effect('whether it collides'),
    }, repeated=True),
    'collision_shape': Element('a shape that collides', children={
        'transformation': _TRANSFORMATION,
        'geometry': _GEOMETRY,
        'collidable': Element('0 for one that does not collide', text=NUMBER, default=1.0),
    }, repeated=True),
    'marker': Element('a named point', {
        'name': Attribute(NAME, 'its name', expected=True, default='marker', names='marker'),
    }, {'offset': Element('its position', text=VECTOR3, default=ZERO, unit='m')}, repeated=True),
    'soft_shape': Element('the soft surface of the body', handling='skipped'),
}, repeated=True)

# ---- joints

_DYNAMICS = {
    'damping': Element('viscous damping', text=NUMBER, unit='Nm s/rad or N s/m'),
    'friction': Element('Coulomb friction', text=NUMBER, unit='Nm or N'),
    'spring_rest_position': Element(
        'the position of the unloaded spring', text=NUMBER, unit='rad or m'),
    'spring_stiffness': Element('the stiffness of the spring', text=NUMBER, unit='Nm/rad or N/m'),
}
_LIMIT = Element('the limits of the coordinate', children={
    'lower': Element('the minimum position', text=LIMIT, unit='rad or m'),
    'upper': Element('the maximum position', text=LIMIT, unit='rad or m'),
    'effort': Element('the maximum torque or force', text=LIMIT, unit='Nm or N'),
    'velocity': Element('the maximum velocity', text=LIMIT, unit='rad/s or m/s'),
})
_AXIS_CHILDREN = {
    'pitch': Element('meters along the axis for each turn', handling='skipped'),
    'limit': _LIMIT,
    'dynamics': Element('the resistance to the motion', children={
        **_DYNAMICS,
        'sprint_rest_position': _DYNAMICS['spring_rest_position'],
        'sprint_stiffness': _DYNAMICS['spring_stiffness'],
    }),
    'damping': Element(
        'viscous damping', text=NUMBER, default=0.0, unit='Nm s/rad or N s/m',
        deprecated='write it into <dynamics>'),
}
_XYZ = Element('the direction', text=VECTOR3, default=Z_AXIS, required=True)
_AXIS = Element('an axis and its coordinate', children={'xyz': _XYZ, **_AXIS_CHILDREN})
_SCREW_AXIS = Element('the axis and its coordinate', children={
    'xyz': _XYZ, **_AXIS_CHILDREN,
    'pitch': Element(
        'meters along the axis for each turn', text=NUMBER, default=0.1, unit='m')})
_COORDINATE = Element('a coordinate, whose axis the type gives', children={
    'xyz': Element('a direction that is not read', handling='skipped'), **_AXIS_CHILDREN})
_UNREAD_AXIS = _no_effect('an axis that the type does not have')
_PLANE = Element('the plane to move in', {
    'type': Attribute(PLANE_TYPE, 'which plane it is', expected=True, default='xy'),
}, {
    'translation_axis1': Element('a direction in the plane', handling='skipped'),
    'translation_axis2': Element('another direction in the plane', handling='skipped'),
}, expected=True, variants=Variants('type', {'arbitrary': Element(children={
    tag: Element('a direction in the plane', children={
        'xyz': Element('the direction', text=VECTOR3, default=default, required=True),
    }, required=True, hint='DART crashes without it')
    for tag, default in (('translation_axis1', X_AXIS), ('translation_axis2', Y_AXIS))})}))


def _range(doc: str, unit: str, **other: Attribute) -> Element:
    return Element(doc, {
        'lower': Attribute(ATTRIBUTE_LIMIT, 'the minimum', unit=unit),
        'upper': Attribute(ATTRIBUTE_LIMIT, 'the maximum', unit=unit),
        'initial': Attribute(ATTRIBUTE_LIMIT, 'the initial one', unit=unit),
        **other})


_DOF = Element('a coordinate by its number', {
    'local_index': Attribute(TEXT, 'its number in the joint, from 0'),
    'name': Attribute(TEXT, 'its name'),
}, {
    'position': _range('its position', 'rad or m'),
    'velocity': _range('its velocity', 'rad/s or m/s'),
    'acceleration': _not_preserved('its acceleration'),
    'force': _range('its torque or force', 'Nm or N', initial=Attribute(
        TEXT, 'the initial one', handling='not preserved')),
    **_DYNAMICS,
}, repeated=True)


def _joint(count: int, *axes: Element, **other: Element) -> Element:
    """Return a joint type of so many coordinates; ``axes`` are its first axis elements."""
    hint = '' if axes else 'limits and dynamics are allowed in a <dof>'
    tags = ('axis', 'axis2', 'axis3')
    unread = {tag: _UNREAD_AXIS._replace(hint=hint) for tag in tags}
    start = {} if count == 0 else {
        tag: Element(
            doc, text=ValueType(f'{count} numbers', _vector(count)), default=(0.0,) * count,
            unit=unit)
        for tag, doc, unit in (
            ('init_pos', 'the initial positions', 'rad or m'),
            ('init_vel', 'the initial velocities', 'rad/s or m/s'))}
    return Element(children={
        'transformation': _TRANSFORMATION, **unread, **dict(zip(tags, axes)), **start, **other})


_WELD = _joint(0)
_JOINT_TYPES = {
    'weld': _WELD,
    'fixed': _WELD,
    'revolute': _joint(1, _AXIS),
    'prismatic': _joint(1, _AXIS),
    'universal': _joint(2, _AXIS, _AXIS),
    'ball': _joint(3),
    'euler': _joint(3, *[_COORDINATE] * 3, axis_order=Element(
        'the order of the axes', text=AXIS_ORDER, default='xyz', required=True,
        text_required=True,
        hint="the format's text says xyz where it is missing; DART refuses")),
    'translational': _joint(3, *[_COORDINATE] * 3),
    'planar': _joint(3, *[_COORDINATE] * 3, plane=_PLANE),
    'free': _joint(6),
    'screw': _joint(1, _SCREW_AXIS),
    'translational2d': _joint(2, *[_COORDINATE] * 2, plane=_PLANE),
}
_UNREAD = {
    tag: Element('not read in a joint of this type', handling='skipped')
    for tag in ('transformation', 'axis', 'axis2', 'axis3', 'init_pos', 'init_vel',
                'axis_order', 'plane')}
_JOINT = Element('a joint', {
    'name': Attribute(NAME, 'its name', expected=True, default='default', names='joint'),
    'type': Attribute(TEXT, 'which motion it allows'),
    'actuator': Attribute(ACTUATOR, 'how DART moves it'),
}, {
    'parent': Element(
        'the name of the body that holds it', text=TEXT, default='world', expected=True,
        text_required=True, refers=('body',)),
    'child': Element(
        'the name of the body that it moves', text=TEXT, text_required=True, refers=('body',)),
    **_UNREAD,
    'dof': _DOF,
}, repeated=True, variants=Variants('type', _JOINT_TYPES))

# ---- the file

_SKELETON = Element('a tree of bodies and joints', {
    'name': Attribute(TEXT, 'its name', default='skeleton', names='model'),
}, {
    'transformation': _TRANSFORMATION,
    'mobile': Element('whether it moves', text=BOOLEAN, default=True),
    'immobile': Element(
        "whether it does not move, as the format's text has it", text=BOOLEAN, default=False),
    'self_collide': _no_effect('whether its bodies collide'),
    'body': _BODY,
    'joint': _JOINT,
}, repeated=True, scope=True)

_WARNING = codes.BAD_VALUE._replace(severity='warning')
SCHEMA = Schema(
    root='skel',
    elements={
        'skel': Element('a SKEL file', {
            'version': Attribute(TEXT, 'the version of the format', default='1.0'),
        }, {
            'world': Element('a world of skeletons', {
                'name': Attribute(TEXT, 'its name', default='world'),
            }, {
                'physics': Element('how DART simulates it', children={
                    'time_step': _not_preserved('the step of time'),
                    'gravity': Element(
                        'gravity', text=VECTOR3, default=GRAVITY, unit='m/s^2'),
                    'collision_detector': _not_preserved('how collisions are found'),
                }),
                'skeleton': 'skeleton',
            }),
            'skeleton': 'skeleton',
        }),
        'skeleton': _SKELETON,
    },
    policy=Policy(
        'SKEL', 'DART',
        missing_attribute=codes.MISSING_ATTRIBUTE._replace(severity='warning'),
        missing_choice=codes.MISSING_ELEMENT._replace(severity='warning'),
        bad_attribute=_WARNING, unknown_word=_WARNING, out_of_range=_WARNING,
        empty_text=codes.MISSING_ELEMENT,
        other_spelling=codes.SKEL_SPEC_OVER_DART,
        faults=MappingProxyType({
            _EmptyName: codes.MISSING_ATTRIBUTE._replace(severity='warning'),
            _ColorCount: _WARNING, Replaced: _WARNING}),
        is_foreign_attribute=lambda name: name.startswith('xml')))


VALUE_PATHS: ValuePaths = {
    'parent_from_joint': ('transformation',),
    'axis': ('axis/xyz',),
    'lower': (
        'axis/limit/lower', 'axis2/limit/lower', 'axis3/limit/lower', 'dof/position/@lower'),
    'upper': (
        'axis/limit/upper', 'axis2/limit/upper', 'axis3/limit/upper', 'dof/position/@upper'),
    'mass': ('mass',),
    'ixx': ('moment_of_inertia/ixx',),
    'iyy': ('moment_of_inertia/iyy',),
    'izz': ('moment_of_inertia/izz',),
    'ixy': ('moment_of_inertia/ixy',),
    'ixz': ('moment_of_inertia/ixz',),
    'iyz': ('moment_of_inertia/iyz',),
    'uri': ('geometry/mesh/file_name',),
}
