# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The schema of SKEL as DART 6.20 reads it, and what else SKEL's documentation lists."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

from hrdf_ros import codes
from hrdf_ros.document import ValuePaths
from hrdf_ros.parsing import skel
from hrdf_ros.parsing.errors import implausible_angles, USUAL, ValueSyntaxError
from hrdf_ros.parsing.numbers import plain_numbers
from hrdf_ros.pose import Pose, Vector
from hrdf_ros.readers.schema import (
    Element,
    Elements,
    one_of,
    Policy,
    Replaced,
    Schema,
    TEXT,
    ValueType,
    Variants,
)

GRAVITY: Vector = (0.0, 0.0, -9.81)
"""The gravity (m/s^2) of a world without ``<physics>`` or ``<gravity>``."""
_UNIT: Vector = (1.0, 1.0, 1.0)


# ---- values

class _EmptyName(ValueSyntaxError):
    """A name is empty."""


class _ColorCount(ValueSyntaxError):
    """A color has too few or too many numbers, so that DART does not use it."""


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


_PARTS = Elements({
    'number': NUMBER, 'limit': LIMIT, 'range': ATTRIBUTE_LIMIT, 'vector3': VECTOR3, 'pose': POSE,
    'color': COLOR, 'boolean': BOOLEAN, 'name': NAME, 'actuator': ACTUATOR, 'plane': PLANE_TYPE,
    'text': TEXT,
}, {}, """
_transformation pose =0,0,0,0,0,0 [m, rad] | x, y, z, and angles about x, the new y, the new z

_size number =1 [m] positive required | a size of the shape

_sizes vector3 =1,1,1 [m] positive required | the extents along x, y, z

_geometry required choice=declared
      | the shape; DART looks for them in this order | hint=DART crashes on such a shape
  sphere                                  | a sphere
    radius as=size
  box                                     | a box
    size as=sizes
  ellipsoid                               | an ellipsoid by its diameters
    size as=sizes
  cylinder any_of=height,length           | a cylinder along z
    radius as=size
    height number =1 [m] positive         | a size of the shape
    length number =1 [m] positive         | the height, as the format's text calls it in places
  capsule                                 | a cylinder along z with half spheres on its ends
    radius,height as=size
  cone                                    | a cone along z
    radius,height as=size
  pyramid                                 | a pyramid along z
    base_width,base_depth,height as=size
  plane                                   | an infinite plane
    normal vector3 =0,0,1 required        | its normal
    offset number =0 [m]                  | its distance from the origin along the normal
    point vector3 =0,0,0 [m]              | a point on it
      | deprecated=write <offset>, the distance from the origin along the normal
  multi_sphere                            | the convex hull of spheres
    sphere repeated                       | one of the spheres
      radius as=size
      position vector3 =1,1,1 [m] required | its center
  mesh                                    | a mesh
    file_name text nonempty required refers=file | the URI of the mesh file
    scale vector3 =1,1,1 required         | factors along x, y, z

_body repeated                            | a rigid body
  @name name = expected names=body        | its name, without which no joint can hold it
  gravity boolean =true                   | whether gravity acts on it
  self_collide useless                    | whether it collides with others of its skeleton
  transformation as=transformation
  inertia                                 | mass and inertia
    mass number =1 [kg] required          | the mass
      | hint=the format's text says 1 where it is missing; DART refuses
    offset vector3 =0,0,0 [m]             | the center of mass
    transformation useless                | the axes of the inertia tensor
    moment_of_inertia | the inertia tensor; where it is absent it follows from the shapes
      ixx,iyy,izz,ixy,ixz,iyz number =1 [kg m^2] required
      | a component of the inertia tensor about the center of mass
  visualization_shape repeated            | a shape that is seen
    transformation as=transformation
    color color                           | red, green, blue, and alpha, in 0 .. 1
    geometry as=geometry
    collidable useless                    | whether it collides
  collision_shape repeated                | a shape that collides
    transformation as=transformation
    geometry as=geometry
    collidable number =1                  | 0 for one that does not collide
  marker repeated                         | a named point
    @name name =marker expected names=marker | its name
    offset vector3 =0,0,0 [m]             | its position
  soft_shape skipped                      | the soft surface of the body

_axis                                     | an axis and its coordinate
  xyz vector3 =0,0,1 required             | the direction
  pitch skipped                           | meters along the axis for each turn
  limit                                   | the limits of the coordinate
    lower limit [rad or m]                | the minimum position
    upper limit [rad or m]                | the maximum position
    effort limit [Nm or N]                | the maximum torque or force
    velocity limit [rad/s or m/s]         | the maximum velocity
  dynamics                                | the resistance to the motion
    damping number [Nm s/rad or N s/m]    | viscous damping
    friction number [Nm or N]             | Coulomb friction
    spring_rest_position number [rad or m] | the position of the unloaded spring
    spring_stiffness number [Nm/rad or N/m] | the stiffness of the spring
    sprint_rest_position number [rad or m] | the position of the unloaded spring
    sprint_stiffness number [Nm/rad or N/m] | the stiffness of the spring
  damping number =0 [Nm s/rad or N s/m]   | viscous damping | deprecated=write it into <dynamics>

_pitch number =0.1 [m]                    | meters along the axis for each turn

_unread skipped                           | a direction that is not read

_plane expected variants=type:arbitrary  | the plane to move in
  @type plane =xy expected                | which plane it is
  translation_axis1 skipped               | a direction in the plane
  translation_axis2 skipped               | another direction in the plane

_arbitrary
  translation_axis1 required              | a direction in the plane
      | hint=DART crashes without it
    xyz vector3 =1,0,0 required           | the direction
  translation_axis2 required              | a direction in the plane
      | hint=DART crashes without it
    xyz vector3 =0,1,0 required           | the direction

_joint repeated                           | a joint
  @name name =default expected names=joint | its name
  @type                                   | which motion it allows
  @actuator actuator                      | how DART moves it
  parent text =world nonempty expected refers=body | the name of the body that holds it
  child text nonempty refers=body         | the name of the body that it moves
  transformation,axis,axis2,axis3,init_pos,init_vel,axis_order,plane skipped
      | not read in a joint of this type
  dof repeated                            | a coordinate by its number
    @local_index                          | its number in the joint, from 0
    @name                                 | its name
    position                              | its position
      @lower range [rad or m]             | the minimum
      @upper range [rad or m]             | the maximum
      @initial range [rad or m]           | the initial one
    velocity                              | its velocity
      @lower range [rad/s or m/s]         | the minimum
      @upper range [rad/s or m/s]         | the maximum
      @initial range [rad/s or m/s]       | the initial one
    acceleration dropped                  | its acceleration
    force                                 | its torque or force
      @lower range [Nm or N]              | the minimum
      @upper range [Nm or N]              | the maximum
      @initial dropped                    | the initial one
    damping number [Nm s/rad or N s/m]    | viscous damping
    friction number [Nm or N]             | Coulomb friction
    spring_rest_position number [rad or m] | the position of the unloaded spring
    spring_stiffness number [Nm/rad or N/m] | the stiffness of the spring

skeleton repeated scope                   | a tree of bodies and joints
  @name =skeleton names=model             | its name
  transformation as=transformation
  mobile boolean =true                    | whether it moves
  immobile boolean =false                 | whether it does not move, as the format's text has it
  self_collide useless                    | whether its bodies collide
  body as=body

skel                                      | a SKEL file
  @version =1.0                           | the version of the format
  world                                   | a world of skeletons
    @name =world                          | its name
    physics                               | how DART simulates it
      time_step dropped                   | the step of time
      gravity vector3 =0,0,-9.81 [m/s^2]  | gravity
      collision_detector dropped          | how collisions are found
    skeleton same
  skeleton same
""")
_AXIS = _PARTS['_axis']
_SCREW_AXIS = _AXIS._replace(
    doc='the axis and its coordinate', children={**_AXIS.children, 'pitch': _PARTS['_pitch']})
_COORDINATE = _AXIS._replace(
    doc='a coordinate, whose axis the type gives',
    children={**_AXIS.children, 'xyz': _PARTS['_unread']})
_UNREAD_AXIS = Element('an axis that the type does not have', handling='no effect')
_UNREAD_START = Element('a start that the type does not have', handling='no effect')
_PLANE = _PARTS['_plane']
_SKELETON = _PARTS['skeleton']


def _joint(count: int, *axes: Element, **other: Element) -> Element:
    """Return a joint type by its number of coordinates; ``axes`` are its first axis elements."""
    hint = '' if axes else 'limits and dynamics are allowed in a <dof>'
    tags = ('axis', 'axis2', 'axis3')
    unread = {tag: _UNREAD_AXIS._replace(hint=hint) for tag in tags}
    start = {
        tag: Element(
            doc, text=ValueType(f'{count} numbers', _vector(count)), default=(0.0,) * count,
            unit=unit) if count else _UNREAD_START
        for tag, doc, unit in (
            ('init_pos', 'the initial positions', 'rad or m'),
            ('init_vel', 'the initial velocities', 'rad/s or m/s'))}
    return Element(children={
        'transformation': _PARTS['_transformation'], **unread, **dict(zip(tags, axes)), **start,
        **other})


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
_WARNING = codes.BAD_VALUE._replace(severity='warning')
SCHEMA = Schema(
    root='skel',
    elements={
        'skel': _PARTS['skel'],
        'skeleton': _SKELETON._replace(children={
            **_SKELETON.children,
            'joint': _PARTS['_joint']._replace(variants=Variants('type', _JOINT_TYPES))})},
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
    **{
        term: (f'moment_of_inertia/{term}',)
        for term in ('ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz')},
    'uri': ('geometry/mesh/file_name',),
}
