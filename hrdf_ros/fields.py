# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The facts about each field of the Model's records: unit, meaning, and the targets that hold it.

Names, types and defaults are declared by the records themselves (`model`, `inertia`). The check
for finite numbers, the comparison, the report of losses, lowering and the writers read this
table. A field without an entry is a number or text that no target holds, so each target reports
it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from math import inf
from typing import Any, Literal, NamedTuple, Optional

from hrdf_ros.pose import Pose, Vector

Column = Literal['urdf', 'gazebo', 'sdf', 'mjcf']
"""The targets; ``gazebo`` are the ``<gazebo>`` blocks of a URDF. TF keeps a Model's fields."""

LOWERED = 'lowered'
"""The place of fields that structure, names or poses of the target express."""
NO_MEANING = 'no meaning'
"""The place of fields without meaning in this target, or reported with the whole record."""


class Field(NamedTuple):
    """
    The facts about one field.

    ``noun`` is how messages name it. ``urdf``, ``gazebo``, ``sdf``, ``mjcf`` are its places there:
    an element and its attribute or child (``dynamics damping``), LOWERED or NO_MEANING; None where
    the target has none: a value other than the default is reported. ``is_posing`` tells that poses
    depend on it.
    """

    noun: str
    unit: str = ''
    urdf: Optional[str] = None
    gazebo: Optional[str] = None
    sdf: Optional[str] = None
    mjcf: Optional[str] = None
    is_posing: bool = False


def _lowered(noun: str, unit: str = '', *, is_posing: bool = False) -> Field:
    """Return a field that every target expresses."""
    return Field(noun, unit, LOWERED, None, LOWERED, LOWERED, is_posing)


def _written(noun: str, unit: str, place: str, mjcf: Optional[str] = LOWERED) -> Field:
    """Return a field that URDF and SDFormat have at the same place."""
    return Field(noun, unit, place, None, place, mjcf)


def _not_in_urdf(noun: str, unit: str = '', *, is_posing: bool = False) -> Field:
    """Return a field that says nothing in a URDF, and that the other targets express."""
    return Field(noun, unit, NO_MEANING, None, LOWERED, LOWERED, is_posing)


def _without_meaning(noun: str) -> Field:
    return Field(noun, '', NO_MEANING, None, NO_MEANING, NO_MEANING)


_NAME = _lowered('a name')
_SOURCE_NAME = _without_meaning('a name in the source')
_LOCATION = _without_meaning('a place in the source')
_TAG = _without_meaning('a tag')
_POSE = _lowered('a pose', 'm, quaternion', is_posing=True)
_POSE_OF_PART = _lowered('a pose', 'm, quaternion')
_EXTENSIONS = _lowered('XML of other programs')
_UNLIMITED = (-inf, inf)
_VECTORS = (Pose, Vector, Optional[Vector])
_START = 'an initial position or velocity'
_SPRING = 'a spring'
_MOMENT = 'a moment of inertia'

FIELDS: Mapping[str, Mapping[str, Field]] = {
    'Coordinate': {
        'name': _NAME,
        'kind': _lowered('a kind of coordinate'),
        'lower': _written('a lower limit', 'rad or m', 'limit lower'),
        'upper': _written('an upper limit', 'rad or m', 'limit upper'),
        'effort': _written('an effort limit', 'N m or N', 'limit effort'),
        'velocity': _written('a velocity limit', 'rad/s or m/s', 'limit velocity', None),
        'initial_position': Field(_START, 'rad or m', mjcf='joint ref', is_posing=True),
        'initial_velocity': Field(_START, 'rad/s or m/s'),
        'damping': _written(
            'damping', 'N m s/rad or N s/m', 'dynamics damping', 'joint damping'),
        'friction': _written(
            'friction', 'N m or N', 'dynamics friction', 'joint frictionloss'),
        'spring_reference': Field(
            _SPRING, 'rad or m', None, 'joint springReference', 'dynamics spring_reference',
            'joint springref'),
        'spring_stiffness': Field(
            _SPRING, 'N m/rad or N/m', None, 'joint springStiffness', 'dynamics spring_stiffness',
            'joint stiffness'),
        'acceleration': Field('an acceleration limit', 'rad/s^2 or m/s^2'),
        'armature': Field('the inertia of a rotor', 'kg m^2 or kg', mjcf='joint armature'),
        'mimic': _lowered('a mimic relation'),
        'location': _LOCATION,
    },
    'Mimic': {
        'leader': _lowered('a leader'),
        'multiplier': _lowered('a mimic multiplier', is_posing=True),
        'offset': _lowered('a mimic offset', 'rad or m', is_posing=True),
    },
    'Motion': {
        'kind': _lowered('a kind of motion'),
        'axis': _lowered('an axis', is_posing=True),
        'coordinates': _lowered('coordinates'),
        'scale': _lowered('a scale', is_posing=True),
        'offset': _lowered('an offset', 'rad or m', is_posing=True),
    },
    'Joint': {
        'name': _NAME,
        'source_name': _SOURCE_NAME,
        'type': _without_meaning('a type, which the motions say'),
        'parent': _lowered('a parent'),
        'child': _lowered('a child'),
        'parent_from_joint': _POSE,
        'child_from_joint': _POSE,
        'motions': _lowered('motions'),
        'actuator': Field('a kind of actuator'),
        'extensions': _EXTENSIONS,
        'location': _LOCATION,
    },
    'Constraint': {
        'name': _NAME,
        'kind': _lowered('a kind of constraint'),
        'joints': _without_meaning('joints'),
        'bodies': _not_in_urdf('bodies'),
        'values': _not_in_urdf('values'),
        'location': _LOCATION,
        'source_name': _SOURCE_NAME,
    },
    'Configuration': {
        'name': _without_meaning('a name'),
        'positions': _without_meaning('positions'),
        'location': _LOCATION,
    },
    'Inertia': {
        'mass': _written('a mass', 'kg', 'inertial mass'),
        'pose': _POSE_OF_PART,
        'ixx': _written(_MOMENT, 'kg m^2', 'inertia ixx'),
        'ixy': _written(_MOMENT, 'kg m^2', 'inertia ixy'),
        'ixz': _written(_MOMENT, 'kg m^2', 'inertia ixz'),
        'iyy': _written(_MOMENT, 'kg m^2', 'inertia iyy'),
        'iyz': _written(_MOMENT, 'kg m^2', 'inertia iyz'),
        'izz': _written(_MOMENT, 'kg m^2', 'inertia izz'),
        'location': _LOCATION,
    },
    'Body': {
        'name': _NAME,
        'source_name': _SOURCE_NAME,
        'inertia': _lowered('an inertia'),
        'visuals': _lowered('visuals'),
        'collisions': _lowered('collisions'),
        'static': _lowered('a static link'),
        'pose': _POSE,
        'tag': _TAG,
        'extensions': _EXTENSIONS,
        'location': _LOCATION,
    },
    'Shape': {
        'name': _NAME,
        'geometry': _lowered('a geometry'),
        'pose': _POSE_OF_PART,
        'material': _lowered('a material'),
        'location': _LOCATION,
        'extensions': _EXTENSIONS,
    },
    'Material': {
        'name': Field('a name of a material', '', LOWERED, None, NO_MEANING, LOWERED),
        'diffuse': _lowered('a color'),
        'ambient': Field('ambient, specular or emissive colors', sdf='material ambient'),
        'specular': Field('ambient, specular or emissive colors', sdf='material specular'),
        'emissive': Field('ambient, specular or emissive colors', sdf='material emissive'),
        'texture': _lowered('a texture'),
        'extensions': _EXTENSIONS,
        'texture_file': _without_meaning('the file of a texture'),
        'assets': _without_meaning('the files of a material'),
    },
    'Frame': {
        'name': _NAME,
        'source_name': _SOURCE_NAME,
        'kind': _without_meaning('a kind of frame'),
        'body': _not_in_urdf('a body'),
        'pose': _not_in_urdf('a pose', 'm, quaternion', is_posing=True),
        'tag': _TAG,
        'location': _LOCATION,
    },
    'ModelScope': {
        'name': _not_in_urdf('a name of a nested model'),
        'source_name': _SOURCE_NAME,
        'parent': _not_in_urdf('a model around it'),
        'canonical_body': _not_in_urdf('a canonical link'),
        'static': _not_in_urdf('a static model'),
        'pose': _not_in_urdf('a pose', 'm, quaternion', is_posing=True),
        'location': _LOCATION,
    },
    'Model': {
        'name': _NAME,
        'format': _without_meaning('a format'),
        'version': _without_meaning('a version'),
        'root': _without_meaning('a root of poses'),
        'bodies': _lowered('bodies'),
        'joints': _lowered('joints'),
        'coordinates': _lowered('coordinates'),
        'constraints': _lowered('constraints'),
        'frames': _lowered('frames'),
        'scopes': _lowered('nested models'),
        'canonical_body': _not_in_urdf('a canonical link'),
        'is_world': _lowered('a world'),
        'static': _lowered('a static model'),
        'pose': _not_in_urdf('a pose', 'm, quaternion', is_posing=True),
        'gravity': _lowered('gravity', 'm/s^2'),
        'files': _without_meaning('source files'),
        'extensions': _EXTENSIONS,
        'source': _without_meaning('the text of the source'),
        'location': _LOCATION,
        'description': Field('a description'),
        'configurations': Field('named configurations', mjcf='keyframe key'),
        'hardware': _without_meaning('settings of the driver'),
    },
}


def noun_of(field: Field) -> str:
    """Return the noun of a field without its article."""
    return field.noun.removeprefix('a ').removeprefix('an ')


def fields_of(record: type) -> dict[str, Field]:
    """Return the facts about each field of a record, by its name."""
    declared = FIELDS.get(record.__name__, {})
    return {name: declared.get(name) or Field(name.replace('_', ' '))
            for name in (*declared, *record.__annotations__) if name in record.__annotations__}


def placed(record: tuple[Any, ...], column: Column, element: str) -> dict[str, float]:
    """Return the numbers of a record that are in an element of a target, by their name there."""
    found: dict[str, float] = {}
    for name, field in fields_of(type(record)).items():
        above, _, child = (getattr(field, column) or '').partition(' ')
        if child and above == element:
            found[child] = getattr(record, name)
    return found


def unheld(record: type, columns: Iterable[Column]) -> dict[str, Field]:
    """Return the fields of a record that none of the columns of a target has a place for."""
    return {
        name: field for name, field in fields_of(record).items()
        if all(getattr(field, column) is None for column in columns)}


def default_of(record: type, name: str) -> Any:
    """Return the default of a field, which says nothing; None where it has none."""
    defaults: Mapping[str, Any] = getattr(record, '_field_defaults', {})
    return defaults.get(name)


def _cached(names: Callable[[type], tuple[str, ...]]) -> Callable[[type], tuple[str, ...]]:
    """Compute the names of a record once: each load needs those of all records."""
    return cache(names)


@_cached
def numbers_of(record: type) -> tuple[str, ...]:
    """Return the fields of a record that hold one number, which has to be finite."""
    return tuple(name for name, kind in record.__annotations__.items()
                 if kind is float and default_of(record, name) not in _UNLIMITED)


@_cached
def limits_of(record: type) -> tuple[str, ...]:
    """Return the fields of a record that hold a limit: infinite where there is none."""
    return tuple(
        name for name in record.__annotations__ if default_of(record, name) in _UNLIMITED)


@_cached
def vectors_of(record: type) -> tuple[str, ...]:
    """Return the fields of a record that hold a pose or a vector."""
    return tuple(name for name, kind in record.__annotations__.items() if kind in _VECTORS)
