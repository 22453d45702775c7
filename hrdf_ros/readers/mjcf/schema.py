# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The schema of MJCF, built from the table of ``grammar`` when an element is first met."""

from collections.abc import Iterator, Mapping
import re
from typing import NamedTuple

from hrdf_ros import codes
from hrdf_ros.parsing import numbers as mjcf
from hrdf_ros.readers.mjcf import grammar
from hrdf_ros.readers.schema import Schema
from hrdf_ros.readers.schema.declarations import (
    Attribute,
    Element,
    Handling,
    Policy,
    TEXT,
    ValueType,
)

ATTRIBUTES = {
    # any element
    'name': 'the name',
    'class': 'the default class that gives the attributes that are absent',
    'childclass': 'the default class of the elements in it that name none',
    'group': 'the group, for visibility and inertia',
    'pos': 'the position in the frame of the parent',
    'quat': 'the orientation as a quaternion w x y z',
    'axisangle': 'the orientation as an axis and an angle',
    'xyaxes': 'the orientation by the directions of the x and the y axis',
    'zaxis': 'the orientation by the direction of the z axis: the shortest rotation to it',
    'euler': 'the orientation as three rotations in the order of <compiler eulerseq>',
    'material': 'the material',
    'rgba': 'red, green, blue, alpha in 0 .. 1, where there is no material',
    'file': 'the file, in the directory that <compiler> names',
    # compiler
    'mujoco/model': 'the name of the model',
    'autolimits': 'whether a range alone makes a limit',
    'boundmass': 'the minimum mass of moving bodies',
    'boundinertia': 'the minimum of the diagonal inertia of moving bodies',
    'settotalmass': 'the mass that all bodies together are scaled to',
    'balanceinertia': 'whether an inertia that no body can have is replaced by its mean',
    'strippath': 'whether directories of file names are removed',
    'coordinate': 'local; global frames are no longer supported',
    'angle': 'the unit of angles in the file',
    'fitaabb': 'whether shapes are fitted to the bounding box of a mesh, not to its inertia',
    'eulerseq': 'the sequence of Euler rotations: x y z moving, X Y Z fixed axes',
    'meshdir': 'the directory of mesh files',
    'texturedir': 'the directory of texture files',
    'assetdir': 'the directory of mesh and texture files',
    'discardvisual': 'whether geoms that cannot touch anything are removed',
    'fusestatic': 'whether bodies without joints become part of their parent',
    'inertiafromgeom': 'whether inertia comes from geoms: where none is given (auto), or always',
    'inertiagrouprange': 'the groups of the geoms that have mass',
    'alignfree': 'whether the frames of free bodies are moved to their inertial frame',
    'conflict': 'how conflicting settings of attached models are handled',
    # default, assets
    'default/class': 'the name of the default class',
    'mesh/vertex': 'the vertices, where there is no file',
    'mesh/face': 'the triangles, three vertices each',
    'refpos': 'the position that becomes the origin of the mesh',
    'refquat': 'the orientation that becomes that of the mesh',
    'mesh/scale': 'factors along x, y, z',
    'mesh/inertia': 'how inertia is computed from the mesh',
    'mesh/builtin': 'a mesh that is generated',
    'hfield/size': 'half extents along x and y, maximum elevation, depth of the base',
    'material/texture': 'the texture',
    'emission': 'the share of the color that is emitted',
    'specular': 'the strength of the reflection of light',
    'model/file': 'the model file',
    # bodies
    'mocap': 'whether the body is moved by motion capture',
    'inertial/pos': 'the center of mass',
    'inertial/mass': 'the mass',
    'diaginertia': 'the moments of inertia about the axes of the inertial frame',
    'fullinertia': 'the tensor about the center of mass: xx, yy, zz, xy, xz, yz',
    'joint/type': 'how the joint moves',
    'joint/pos': 'a point on the axis, in the frame of the body',
    'axis': 'the direction of the axis, in the frame of the body',
    'limited': 'whether the range is a limit',
    'range': 'the minimum and maximum position, of a ball its maximum angle behind a 0',
    'actuatorfrcrange': 'the minimum and maximum force of all actuators of the joint',
    'actuatorfrclimited': 'whether actuatorfrcrange is a limit',
    'joint/stiffness': 'the stiffness of the spring',
    'joint/damping': 'the damping',
    'springref': 'the position in which the spring has no force',
    'armature': 'the inertia of the rotor, as the joint sees it',
    'frictionloss': 'the dry friction',
    'ref': 'the position of the joint in the initial configuration',
    'align': 'whether the body frame is moved to the inertial frame',
    # geoms and sites
    'geom/type': 'the shape',
    'site/type': 'the shape that is drawn',
    'size': 'the size, by shape: radius, half length or half extents',
    'fromto': 'the two ends of a capsule, cylinder, box or ellipsoid',
    'contype': 'the collision types of the geom, a bit each',
    'conaffinity': 'the collision types that the geom touches, a bit each',
    'geom/mass': 'the mass, in place of the density',
    'density': 'the density, for mass and inertia',
    'shellinertia': 'whether the mass is on the surface',
    'geom/mesh': 'the mesh that is the shape, or that the shape is fitted to',
    'geom/hfield': 'the height field that is the shape',
    'fitscale': 'a factor of the fitted size',
    'camera/fovy': 'the vertical field of view',
    'light/dir': 'the direction of the light',
    # frames
    'count': 'how many copies there are',
    'offset': 'the position of a copy in the frame of the copy before it',
    'replicate/euler': 'the rotation from copy to copy',
    'sep': 'the text between a name and the number of the copy',
    'attach/model': 'the model to attach, this one where it is absent',
    'attach/body': 'the body to attach, the whole world where it is absent',
    'attach/frame': 'the frame to attach',
    'prefix': 'what the names of the attached part begin with',
    # equality
    'active': 'whether the constraint holds at the start',
    'body1': 'the first body',
    'body2': 'the second body, the world where it is absent',
    'anchor': 'the common point, in the frame of the first body',
    'site1': 'a site on the first body',
    'site2': 'a site on the second body',
    'relpose': 'the pose of the second body in the frame of the first: position, quaternion',
    'joint1': 'the joint that follows',
    'joint2': 'the joint that leads, none where joint1 is held',
    'polycoef': 'the coefficients of the polynomial, the constant first',
}

UNITS = {
    'pos': 'm', 'fromto': 'm', 'size': 'm', 'offset': 'm', 'anchor': 'm', 'refpos': 'm',
    'mass': 'kg', 'boundmass': 'kg', 'settotalmass': 'kg', 'density': 'kg/m^3',
    'diaginertia': 'kg m^2', 'fullinertia': 'kg m^2', 'boundinertia': 'kg m^2',
    'euler': 'deg or rad', 'range': 'deg or rad, m', 'ref': 'deg or rad, m',
    'springref': 'deg or rad, m', 'fovy': 'deg', 'gravity': 'm/s^2', 'timestep': 's',
}

KEPT = frozenset((
    'option', 'size', 'statistic', 'visual', 'extension', 'contact', 'deformable', 'tendon',
    'actuator', 'sensor', 'custom'))
"""Sections that are kept for MuJoCo; their tags are the keys of the grammar."""

NOT_READ = frozenset(('composite', 'flexcomp', 'skin', 'plugin'))
"""Elements that mean something to MuJoCo that a Model cannot hold."""

_ROW = re.compile(r'(?m)^([a-z+][\w. ]*(?:\n[a-z][\w. ]*)?):(.*)((?:\n  .*)*)')
_TOKEN = re.compile(r'(\w+)(?:([:=@])(\S+?))?([!~]*)$')
_IS_DEFAULT = 'default:'
"""How the keys of elements in default classes begin that have an element of the same tag."""


class _Row(NamedTuple):
    """One element or group of the grammar: attributes, children and conditions as written."""

    doc: str
    attributes: list[str]
    children: list[str]
    conditions: list[str]


def _rows() -> dict[str, _Row]:
    """Return the elements and groups of the grammar, with the groups that they stand for."""
    rows: dict[str, _Row] = {}
    for keys, head, body in _ROW.findall(grammar.ELEMENTS):
        doc, _, first = ('', '', head) if keys[0] == '+' else head.partition(';')
        made = _Row(doc.strip(), [], [], [])
        for line in (first, *body.split('\n')):
            if line.startswith('  ! '):
                made.conditions.append(line[4:])
                continue
            attributes, _, children = line.partition('>')
            made.attributes.extend(attributes.split())
            made.children.extend(children.replace('>', '').split())
        rows.update((key, _with_groups(made, rows)) for key in keys.split())
    return rows


def _with_groups(row: _Row, rows: Mapping[str, _Row]) -> _Row:
    """Return a row with the content of its groups behind its own."""
    groups = [rows[token] for token in (*row.attributes, *row.children) if token[0] == '+']
    attributes = [token for each in (row, *groups) for token in each.attributes]
    children = [token for each in (row, *groups) for token in each.children]
    return _Row(
        row.doc, [token for token in attributes if token[0] != '+'],
        [token for token in children if token[0] != '+'],
        [condition for each in (row, *groups) for condition in each.conditions])


class _Elements(Mapping[str, Element]):
    """The elements of MJCF by key, each built when it is first looked up."""

    def __init__(self) -> None:
        self._rows = _rows()
        self._defaults = {
            tag for child in self._rows['default'].children
            if (tag := child.rstrip('?')) != 'default' and '.' not in tag}
        self._built: dict[str, Element] = {}

    def __iter__(self) -> Iterator[str]:
        yield from (key for key in self._rows if key[0] != '+')
        yield from (_IS_DEFAULT + tag for tag in sorted(self._defaults))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __getitem__(self, key: str) -> Element:
        found = self._built.get(key)
        if found is None:
            found = self._built[key] = self._element(key)
        return found

    def _element(self, key: str) -> Element:
        row = self._rows[key.removeprefix(_IS_DEFAULT)]
        is_default = key.startswith(_IS_DEFAULT)
        excludes, requires, any_of = _conditions(row.conditions)
        attributes = {
            found[1]: _attribute(key, found, excludes, requires)
            for found in map(_TOKEN.match, row.attributes)
            if found and not (is_default and ('~' in found[4] or found[1] in ('name', 'class')))}
        children = {} if is_default and not key.endswith('material') else {
            _tag(child): self._child(key, child) for child in row.children}
        return Element(
            row.doc, attributes=attributes, children=children, any_of=any_of, repeated=True,
            any_attributes=key == 'replicate', scope=key == 'mujoco',
            foreign=frozenset(('include',)))

    def _child(self, parent: str, token: str) -> Element:
        """Return an element as it may be in its parent."""
        key = token.rstrip('?')
        handling: Handling = 'read'
        if parent == 'mujoco' and key in KEPT:
            handling = 'preserved'
        elif parent == 'mujoco' and key in ('body', 'frame'):
            handling = 'no effect'
        elif key in NOT_READ:
            handling = 'checked'
        if parent == 'default' and key in self._defaults:
            key = _IS_DEFAULT + key
        doc = self._rows[key.removeprefix(_IS_DEFAULT)].doc
        return Element(like=key, doc=doc, repeated=not token.endswith('?'), handling=handling)


def _tag(key: str) -> str:
    return key.rstrip('?').rpartition('.')[2]


def _conditions(
    conditions: list[str],
) -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]], tuple[str, ...]]:
    """Return which attributes exclude and require which others, and of which one is needed."""
    excludes: dict[str, tuple[str, ...]] = {}
    requires: dict[str, tuple[str, ...]] = {}
    any_of: tuple[str, ...] = ()
    for kind, *words in map(str.split, conditions):
        bundles = [word.split('+') for word in words]
        names = [name for bundle in bundles for name in bundle]
        if kind == 'oneof':
            any_of = tuple(bundle[0] for bundle in bundles)
        elif kind == 'together':
            requires.update((name, tuple({*names} - {name})) for name in names)
        else:
            for name, own in [(name, bundle) for bundle in bundles for name in bundle]:
                excludes[name] = excludes.get(name, ()) + tuple(
                    other for other in names[names.index(name):] if other not in own)
    return excludes, requires, any_of


def _attribute(
    key: str, found: re.Match[str], excludes: Mapping[str, tuple[str, ...]],
    requires: Mapping[str, tuple[str, ...]],
) -> Attribute:
    name, kind, value = found[1], found[2], found[3]
    refers = (value,) if kind == '@' else ('file',) if value == 'f' else ()
    return Attribute(
        _value_type(kind or '', value or ''), ATTRIBUTES.get(f'{key}/{name}')
        or ATTRIBUTES.get(name) or f'for MuJoCo, see <{_tag(key)}> in its XML reference',
        required='!' in found[4], unit=UNITS.get(name, ''), excludes=excludes.get(name, ()),
        requires=requires.get(name, ()), refers=refers,
        names=key if name in ('name', 'class') and not refers else '')


def _value_type(kind: str, value: str) -> ValueType:
    """Return the type that the notation of ``grammar`` means."""
    if kind == '=':
        is_several, name = value[0] == '+', value.lstrip('+')
        words = grammar.WORDS.get(name, name).split('|')
        return ValueType('words', mjcf.several_of(words)) if is_several else ValueType(
            'word', words=dict.fromkeys(words, ''))
    if value == 'b':
        return ValueType('boolean', mjcf.boolean)
    if kind != ':' or value == 'f':
        return TEXT
    count, type_name = value.rstrip('i'), 'integer' if value.endswith('i') else 'number'
    if count in ('', '1'):
        return ValueType(type_name, mjcf.integer if type_name == 'integer' else mjcf.number)
    least, _, most = ('0', '', '') if count == '*' else count.partition('-')
    parse = mjcf.numbers(
        int(least), None if count == '*' else int(most or least), type_name == 'integer')
    return ValueType(f'{type_name}s', parse)


SCHEMA = Schema(
    root='mujoco', elements=_Elements(),
    policy=Policy(
        'MJCF', 'MuJoCo',
        unknown_element=codes.UNKNOWN_ELEMENT._replace(severity='error'),
        unknown_attribute=codes.UNKNOWN_ATTRIBUTE._replace(severity='error'),
        duplicate_element=codes.DUPLICATE_ELEMENT._replace(severity='error'),
        stray_text=codes.STRAY_TEXT,
        is_foreign_attribute=lambda name: name.partition(':')[0] == 'xmlns'))
