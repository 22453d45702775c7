# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The facts about each field of the Model's records: its noun, and the holders with a place for it.

The records themselves (`model`, `inertia`) declare names, types and defaults. The check for finite
numbers, the comparison, the report of losses, lowering and the writers read this table. A field
without an entry is a number or text that no holder has a place for, so every target reports it.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import cache
from math import inf, isfinite
from typing import Any, NamedTuple, Optional

from hrdf_ros.model import Holder
from hrdf_ros.pose import Pose, Vector

LOWERED = 'lowered'
"""The place of fields that structure, names or poses of the target express."""
NO_MEANING = 'no meaning'
"""The place of fields that mean nothing in this target, or are reported with their record."""
_UNLIMITED = (-inf, inf)
_VECTORS = (Pose, Vector, Optional[Vector])


class Field(NamedTuple):
    """
    The facts about one field.

    ``noun`` is how messages name the field. ``urdf``, ``gazebo``, ``sdf`` and ``mjcf`` are its
    places in these: an element and its attribute or child (``dynamics damping``, see the table),
    LOWERED or NO_MEANING. None means that there is no place; then a value other than the default
    is reported. ``is_posing`` says whether poses depend on the field. ``feature`` is the feature
    of SDFormat (`formats`) that the place in ``sdf`` requires, empty where all versions have it.
    """

    noun: str
    urdf: Optional[str] = None
    gazebo: Optional[str] = None
    sdf: Optional[str] = None
    mjcf: Optional[str] = None
    is_posing: bool = False
    feature: str = ''

    def is_held(self, holders: Iterable[Holder], features: Optional[Container[str]]) -> bool:
        """
        Return whether a holder has a place for the field.

        ``features`` are those of the version of SDFormat, None for the newest.
        """
        return any(
            getattr(self, holder) is not None and not (
                holder == 'sdf' and self.feature and features is not None
                and self.feature not in features)
            for holder in holders)


_TABLE = """
Coordinate
  name kind mimic                  | = - = =
  location                         | . - . .
  lower upper effort               | limit/* - limit/* =                        | a limit
  velocity                         | limit/* - limit/* -                        | a velocity limit
  @initial_position                | - - - joint/ref           | an initial position or velocity
  initial_velocity                 | - - - -                   | an initial position or velocity
  damping                          | dynamics/* - dynamics/* joint/damping      | damping
  friction                         | dynamics/* - dynamics/* joint/frictionloss | friction
  spring_reference                 | - joint/springReference dynamics/* joint/springref | a spring
  spring_stiffness                 | - joint/springStiffness dynamics/* joint/stiffness | a spring
  acceleration                     | - - - -                   | an acceleration limit
  deceleration                     | - - - -                   | a deceleration limit
  jerk                             | - - - -                   | a jerk limit
  armature                         | - - - joint/*             | the inertia of a rotor
Mimic
  leader                           | = - = =
  @multiplier                      | = - = =                   | mimic multiplier
  @offset                          | = - = =                   | mimic offset
Motion
  kind coordinates @axis @scale @offset | = - = =
Joint
  name parent child motions extensions  | = - = =
  @parent_from_joint @child_from_joint  | = - = =              | pose
  source_name type location        | . - . .
  actuator                         | - - - -                   | a kind of actuator
Constraint
  name kind                        | = - = =
  bodies values                    | . - = =
  joints location source_name held_by | . - . .
Configuration
  name positions location          | . - . .
Inertia
  mass                             | inertial/* - inertial/* = | a mass
  pose                             | = - = =
  ixx ixy ixz iyy iyz izz          | inertia/* - inertia/* =   | a moment of inertia
  location                         | . - . .
Body
  name inertia visuals collisions static extensions @pose | = - = =
  source_name tag location         | . - . .
Shape
  name geometry pose material extensions | = - = =
  location                         | . - . .
Material
  name                             | = - . =                   | a name of a material
  diffuse texture extensions       | = - = =
  ambient specular emissive        | - - material/* -  | ambient, specular or emissive colors
  texture_file assets              | . - . .
Frame
  name                             | = - = =
  source_name kind tag location held_by | . - . .
  body @pose                       | . - = =
ModelScope
  name parent canonical_body static @pose | . - = .
  source_name location             | . - . .
  namespace                        | - - model/@*+namespace -                     | a namespace
Model
  name bodies joints coordinates constraints frames scopes | = - = =
  is_world                         | . - = .
  static                           | = - = .
  gravity extensions               | = - = =
  canonical_body @pose             | . - = .
  format version root files source location hardware conventions | . - . .
  description                      | - - - -                   | a description
  configurations                   | - - - keyframe/key        | named configurations
"""
"""
By record: fields | their places in urdf, gazebo, sdf, mjcf | their noun, or else their name.

A place is ``element/name``, with ``*`` for the name of the field, or ``=`` (LOWERED),
``.`` (NO_MEANING) or ``-`` (none). The name is that of an attribute in URDF and MJCF, and that of
a child element in ``<gazebo>`` blocks and in SDFormat, where ``@name`` is an attribute. The word
after ``+`` is the feature of SDFormat that has the place. ``@`` before a field says that poses
depend on the field.
"""
_MARKS = {'=': LOWERED, '.': NO_MEANING, '-': None}


class _Records(dict[str, Mapping[str, Field]]):
    """The declared fields of each record, read when they are first needed: a check needs few."""

    def __init__(self, table: str) -> None:
        super().__init__()
        self._rows: dict[str, list[str]] = {}
        rows: list[str] = []
        for line in table.strip().splitlines():
            if '|' in line:
                rows.append(line)
            else:
                rows = self._rows[line] = []

    def __missing__(self, record: str) -> Mapping[str, Field]:
        fields = self[record] = {
            name: field for row in self._rows.get(record, ()) for name, field in _read(row)}
        return fields


def _read(row: str) -> Iterator[tuple[str, Field]]:
    """Yield the fields of a row of the table with their names."""
    names, facts, noun, *_ = (part.strip() for part in f'{row}|'.split('|'))
    places, _, feature = facts.partition('+')
    feature, _, rest = feature.partition(' ')
    by_holder = [
        _MARKS.get(place, place.replace('/', ' ')) for place in f'{places} {rest}'.split()]
    for marked in names.split():
        name = marked.removeprefix('@')
        urdf, gazebo, sdf, mjcf = [place and place.replace('*', name) for place in by_holder]
        yield name, Field(
            noun=noun or name, urdf=urdf, gazebo=gazebo, sdf=sdf, mjcf=mjcf,
            is_posing=marked != name, feature=feature)


FIELDS: Mapping[str, Mapping[str, Field]] = _Records(_TABLE)


def noun_of(field: Field) -> str:
    """Return the noun of a field without its article."""
    return field.noun.removeprefix('a ').removeprefix('an ')


def fields_of(record: type) -> dict[str, Field]:
    """Return the facts about each field of a record, by the field's name."""
    declared = FIELDS[record.__name__]
    return {name: declared.get(name) or Field(name.replace('_', ' '))
            for name in (*declared, *record.__annotations__) if name in record.__annotations__}


def placed(record: tuple[Any, ...], holder: Holder, element: str) -> dict[str, float]:
    """Return the numbers of a record that are in an element of a target, by their name there."""
    return {
        place: getattr(record, name) for place, name in _places(type(record), holder, element)}


def stated(record: tuple[Any, ...], holder: Holder, element: str) -> dict[str, float]:
    """Return the numbers of ``placed`` that are finite and not the default."""
    kind = type(record)
    found: dict[str, float] = {}
    for place, name in _places(kind, holder, element):
        number = getattr(record, name)
        if isfinite(number) and number != default_of(kind, name):
            found[place] = number
    return found


def _places(record: type, holder: Holder, element: str) -> Iterator[tuple[str, str]]:
    """Yield the name in the target and in the record of each field that an element there has."""
    for name, field in fields_of(record).items():
        above, _, child = (getattr(field, holder) or '').partition(' ')
        if child and above == element:
            yield child, name


def unheld(
    record: type, holders: Iterable[Holder], features: Optional[Container[str]] = None,
) -> dict[str, Field]:
    """
    Return the fields of a record that no holder has a place for.

    ``features`` are those of the version of SDFormat, None for the newest.
    """
    return {
        name: field for name, field in fields_of(record).items()
        if not field.is_held(holders, features)}


def default_of(record: type, name: str) -> Any:
    """Return the default, which needs no report; None if the field has no default."""
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
