# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The schema of MJCF, built from the table of ``grammar`` when an element is first met."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
import re

from hrdf_ros import codes
from hrdf_ros.parsing import mjcf
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
    # options
    'option/gravity': 'the acceleration of gravity [m/s^2]',
    'option/timestep': 'the time between two steps of the simulation [s]',
    # any element
    'name': 'the name',
    'class': 'the default class that gives the attributes that are absent',
    'childclass': 'the default class of the elements in it that name none',
    'group': 'the group, for visibility and inertia',
    'pos': 'the position in the frame of the parent [m]',
    'quat': 'the orientation as a quaternion w x y z',
    'axisangle': 'the orientation as an axis and an angle',
    'xyaxes': 'the orientation by the directions of the x and the y axis',
    'zaxis': 'the orientation by the direction of the z axis: the shortest rotation to it',
    'euler': 'the orientation as three rotations in the order of <compiler eulerseq> [deg or rad]',
    'material': 'the material',
    'rgba': 'red, green, blue, alpha in 0 .. 1, where there is no material',
    'file': 'the file, in the directory that <compiler> names',
    # compiler
    'mujoco/model': 'the name of the model',
    'autolimits': 'whether a range alone makes a limit',
    'boundmass': 'the minimum mass of moving bodies [kg]',
    'boundinertia': 'the minimum of the diagonal inertia of moving bodies [kg m^2]',
    'settotalmass': 'the mass that all bodies together are scaled to [kg]',
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
    'refpos': 'the position that becomes the origin of the mesh [m]',
    'refquat': 'the orientation that becomes that of the mesh',
    'mesh/scale': 'factors along x, y, z',
    'mesh/inertia': 'how inertia is computed from the mesh',
    'mesh/builtin': 'a mesh that is generated',
    'hfield/size': 'half extents along x and y, maximum elevation, depth of the base [m]',
    'material/texture': 'the texture',
    'emission': 'the share of the color that is emitted',
    'specular': 'the strength of the reflection of light',
    'model/file': 'the model file',
    # bodies
    'mocap': 'whether the body is moved by motion capture',
    'inertial/pos': 'the center of mass [m]',
    'inertial/mass': 'the mass [kg]',
    'diaginertia': 'the moments of inertia about the axes of the inertial frame [kg m^2]',
    'fullinertia': 'the tensor about the center of mass: xx, yy, zz, xy, xz, yz [kg m^2]',
    'joint/type': 'how the joint moves',
    'joint/pos': 'a point on the axis, in the frame of the body [m]',
    'axis': 'the direction of the axis, in the frame of the body',
    'limited': 'whether the range is a limit',
    'range': 'the minimum and maximum position, of a ball 0 and the maximum [deg or rad, m]',
    'actuatorfrcrange': 'the minimum and maximum force of all actuators of the joint',
    'actuatorfrclimited': 'whether actuatorfrcrange is a limit',
    'joint/stiffness': 'the stiffness of the spring',
    'joint/damping': 'the damping',
    'springref': 'the position in which the spring has no force [deg or rad, m]',
    'armature': 'the inertia of the rotor, as the joint sees it',
    'frictionloss': 'the dry friction',
    'ref': 'the position of the joint in the initial configuration [deg or rad, m]',
    'align': 'whether the body frame is moved to the inertial frame',
    # geoms and sites
    'geom/type': 'the shape',
    'site/type': 'the shape that is drawn',
    'size': 'the size, by shape: radius, half length or half extents [m]',
    'fromto': 'the two ends of a capsule, cylinder, box or ellipsoid [m]',
    'contype': 'the collision types of the geom, a bit each',
    'conaffinity': 'the collision types that the geom touches, a bit each',
    'geom/mass': 'the mass, in place of the density [kg]',
    'density': 'the density, for mass and inertia [kg/m^3]',
    'shellinertia': 'whether the mass is on the surface',
    'geom/mesh': 'the mesh that is the shape, or that the shape is fitted to',
    'geom/hfield': 'the height field that is the shape',
    'fitscale': 'a factor of the fitted size',
    'fovy': 'the vertical field of view [deg]',
    'light/dir': 'the direction of the light',
    # frames
    'count': 'how many copies there are',
    'offset': 'the position of a copy in the frame of the copy before it [m]',
    'replicate/euler': 'the rotation from copy to copy [deg or rad]',
    'sep': 'the text between a name and the number of the copy',
    'attach/model': 'the model to attach, this one where it is absent',
    'attach/body': 'the body to attach, the whole world where it is absent',
    'attach/frame': 'the frame to attach',
    'prefix': 'the prefix of all names in the attached part',
    # equality
    'active': 'whether the constraint holds at the start',
    'body1': 'the first body',
    'body2': 'the second body, the world where it is absent',
    'anchor': 'the common point, in the frame of the first body [m]',
    'site1': 'a site on the first body',
    'site2': 'a site on the second body',
    'relpose': 'the pose of the second body in the frame of the first: position, quaternion',
    'joint1': 'the joint that follows',
    'joint2': 'the joint that leads, none where joint1 is held',
    'polycoef': 'the coefficients of the polynomial, the constant first',
}

KEPT = frozenset((
    'option', 'size', 'statistic', 'visual', 'extension', 'contact', 'deformable', 'tendon',
    'actuator', 'sensor', 'custom'))
"""Sections that are kept for MuJoCo; their tags are the keys of the grammar."""

NOT_READ = frozenset(('composite', 'flexcomp', 'skin', 'plugin'))
"""Elements that mean something to MuJoCo that a Model cannot hold."""

_ATTRIBUTE = re.compile(r'(\w+)(?:([:=@])(\S+?))?([!~]*)$')
_Names = defaultdict[str, tuple[str, ...]]
_IS_DEFAULT = 'default:'
"""The prefix of the keys of elements in default classes, whose tags are those of others."""


class _Elements(Mapping[str, Element]):
    """The elements of MJCF by key, each built when it is first looked up."""

    def __init__(self) -> None:
        self._rows: dict[str, str] = {}
        for row in grammar.ELEMENTS.strip().replace('\n  ', ' ').split('\n'):
            keys, _, content = row.partition(':')
            self._rows.update(dict.fromkeys(keys.split(), content))
        self._defaults = {
            tag for word in self._words('default')
            if word[0] == '/' and (tag := word.strip('/?')) != 'default' and '.' not in tag}
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

    def _words(self, key: str) -> list[str]:
        """Return the words of a row, then those of its groups."""
        words = self._rows[key].rpartition(';')[2].split()
        groups = [self._words(word) for word in words if word[0] == '+']
        return [word for word in words if word[0] != '+'] + [
            word for group in groups for word in group]

    def _doc(self, key: str) -> str:
        return self._rows[key].partition(';')[0].strip()

    def _element(self, name: str) -> Element:
        key = name.removeprefix(_IS_DEFAULT)
        is_default = key != name
        words = self._words(key)
        any_of, excludes, requires = _conditions(words)
        attributes = {
            found[1]: _attribute(key, found, excludes, requires)
            for found in map(_ATTRIBUTE.match, words)
            if found and not (is_default and ('~' in found[4] or found[1] in ('name', 'class')))}
        children = {} if is_default and key != 'material' else {
            _tag(word): self._child(key, word[1:]) for word in words if word[0] == '/'}
        return Element(
            self._doc(key), attributes=attributes, children=children, any_of=any_of,
            repeated=True, any_attributes=key == 'replicate', scope=key == 'mujoco',
            foreign=frozenset(('include',)))

    def _child(self, parent: str, word: str) -> Element:
        """Return an element as it may be in its parent."""
        key = word.rstrip('?')
        handling: Handling = 'read'
        if parent == 'mujoco' and key in KEPT:
            handling = 'preserved'
        elif parent == 'mujoco' and key in ('body', 'frame'):
            handling = 'no effect'
        elif key in NOT_READ:
            handling = 'checked'
        is_default = parent == 'default' and key in self._defaults
        return Element(
            like=_IS_DEFAULT + key if is_default else key, doc=self._doc(key),
            repeated=word == key, handling=handling)


def _tag(key: str) -> str:
    return key.strip('/?').rpartition('.')[2]


def _conditions(words: Sequence[str]) -> tuple[tuple[str, ...], _Names, _Names]:
    """Return the attributes of which one is required; those that each excludes, and requires."""
    any_of: tuple[str, ...] = ()
    excludes: _Names = defaultdict(tuple)
    requires: _Names = defaultdict(tuple)
    for word in words:
        if '^' in word:
            bundles = [bundle.split(',') for bundle in word.split('^')]
            for index, bundle in enumerate(bundles):
                for name in bundle:
                    excludes[name] += tuple(chain(*bundles[index + 1:]))
        elif '&' in word:
            first, second = word.split('&')
            requires[first], requires[second] = (second,), (first,)
        elif '|' in word and '=' not in word:
            any_of = tuple(word.split('|'))
    return any_of, excludes, requires


def _attribute(
    key: str, found: re.Match[str], excludes: _Names, requires: _Names,
) -> Attribute:
    name, kind, value, marks = found.groups()
    refers = (value,) if kind == '@' else ('file',) if value == 'f' else ()
    text = ATTRIBUTES.get(f'{key}/{name}') or ATTRIBUTES.get(name) or (
        f'for MuJoCo, see <{_tag(key)}> in its XML reference')
    doc, _, unit = text.partition(' [')
    return Attribute(
        _value_type(kind or '', value or ''), doc, required='!' in marks, unit=unit[:-1],
        excludes=excludes[name], requires=requires[name], refers=refers,
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
