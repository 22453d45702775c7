# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The facts about each field of the Model's records: its noun, and the targets that hold it.

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
_UNLIMITED = (-inf, inf)
_VECTORS = (Pose, Vector, Optional[Vector])


class Field(NamedTuple):
    """
    The facts about one field.

    ``noun`` is how messages name it. ``urdf``, ``gazebo``, ``sdf``, ``mjcf`` are its places there:
    an element and its attribute or child (``dynamics damping``), LOWERED or NO_MEANING; None where
    the target has none: a value other than the default is reported. ``is_posing`` tells that poses
    depend on it.
    """

    noun: str
    urdf: Optional[str] = None
    gazebo: Optional[str] = None
    sdf: Optional[str] = None
    mjcf: Optional[str] = None
    is_posing: bool = False


def _lowered(names: str, noun: str = '', *, is_posing: bool = False) -> dict[str, Field]:
    """Return fields that every target expresses."""
    return {name: Field(noun or name, LOWERED, None, LOWERED, LOWERED, is_posing)
            for name in names.split()}


def _not_in_urdf(names: str, *, is_posing: bool = False) -> dict[str, Field]:
    """Return fields that say nothing in a URDF, and that the other targets express."""
    return {name: Field(name, NO_MEANING, None, LOWERED, LOWERED, is_posing)
            for name in names.split()}


def _meaningless(names: str) -> dict[str, Field]:
    """Return fields that say nothing in any target."""
    return {name: Field(name, NO_MEANING, None, NO_MEANING, NO_MEANING) for name in names.split()}


def _written(
    names: str, noun: str, element: str, mjcf: Optional[str] = LOWERED,
) -> dict[str, Field]:
    """Return fields that URDF and SDFormat have in the same element, by the same names."""
    return {name: Field(noun, f'{element} {name}', None, f'{element} {name}', mjcf)
            for name in names.split()}


def _spring(name: str, gazebo: str, mjcf: str) -> dict[str, Field]:
    return {name: Field('a spring', None, f'joint {gazebo}', f'dynamics {name}', f'joint {mjcf}')}


_START = 'an initial position or velocity'
_COLORS = 'ambient, specular or emissive colors'

FIELDS: Mapping[str, Mapping[str, Field]] = {
    'Coordinate': {
        **_lowered('name kind mimic'), **_meaningless('location'),
        **_written('lower upper effort', 'a limit', 'limit'),
        **_written('velocity', 'a velocity limit', 'limit', None),
        'initial_position': Field(_START, mjcf='joint ref', is_posing=True),
        'initial_velocity': Field(_START),
        **_written('damping', 'damping', 'dynamics', 'joint damping'),
        **_written('friction', 'friction', 'dynamics', 'joint frictionloss'),
        **_spring('spring_reference', 'springReference', 'springref'),
        **_spring('spring_stiffness', 'springStiffness', 'stiffness'),
        'acceleration': Field('an acceleration limit'),
        'armature': Field('the inertia of a rotor', mjcf='joint armature'),
    },
    'Mimic': {
        **_lowered('leader'),
        **_lowered('multiplier', 'mimic multiplier', is_posing=True),
        **_lowered('offset', 'mimic offset', is_posing=True),
    },
    'Motion': {
        **_lowered('kind coordinates'), **_lowered('axis scale offset', is_posing=True)},
    'Joint': {
        **_lowered('name parent child motions extensions'),
        **_lowered('parent_from_joint child_from_joint', 'pose', is_posing=True),
        **_meaningless('source_name type location'),
        'actuator': Field('a kind of actuator'),
    },
    'Constraint': {
        **_lowered('name kind'), **_not_in_urdf('bodies values'),
        **_meaningless('joints location source_name')},
    'Configuration': _meaningless('name positions location'),
    'Inertia': {
        **_written('mass', 'a mass', 'inertial'), **_lowered('pose'),
        **_written('ixx ixy ixz iyy iyz izz', 'a moment of inertia', 'inertia'),
        **_meaningless('location')},
    'Body': {
        **_lowered('name inertia visuals collisions static extensions'),
        **_lowered('pose', is_posing=True), **_meaningless('source_name tag location')},
    'Shape': {
        **_lowered('name geometry pose material extensions'), **_meaningless('location')},
    'Material': {
        'name': Field('a name of a material', LOWERED, None, NO_MEANING, LOWERED),
        **_lowered('diffuse texture extensions'),
        'ambient': Field(_COLORS, sdf='material ambient'),
        'specular': Field(_COLORS, sdf='material specular'),
        'emissive': Field(_COLORS, sdf='material emissive'),
        **_meaningless('texture_file assets')},
    'Frame': {
        **_lowered('name'), **_meaningless('source_name kind tag location'),
        **_not_in_urdf('body'), **_not_in_urdf('pose', is_posing=True)},
    'ModelScope': {
        **_not_in_urdf('name parent canonical_body static'),
        **_not_in_urdf('pose', is_posing=True), **_meaningless('source_name location')},
    'Model': {
        **_lowered('name bodies joints coordinates constraints frames scopes is_world static'),
        **_lowered('gravity extensions'), **_not_in_urdf('canonical_body'),
        **_not_in_urdf('pose', is_posing=True),
        **_meaningless('format version root files source location hardware'),
        'description': Field('a description'),
        'configurations': Field('named configurations', mjcf='keyframe key'),
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
