# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Random MJCF: a small robot with elements and attributes of the schema added.

Values are such as a file has them, now and then at an edge. What has been in the fewest accepted
files comes first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random
import struct
from typing import NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element
import zlib

from fuzz.mjcf_recipes import CONTENT, HARMLESS, RECIPES, SINGLE, TOGETHER, VALUES
from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.readers.mjcf.refusals import DRIVEN
from hrdf_ros.readers.mjcf.schema import SCHEMA
from hrdf_ros.readers.schema.declarations import Attribute
from hrdf_ros.readers.schema.declarations import Element as Declared

ROBOT = """
<mujoco model="robot"><extension><plugin plugin="mujoco.sdf.torus"><instance name="torus"><config
key="radius1" value="0.35"/><config key="radius2" value="0.15"/></instance></plugin>
<plugin plugin="mujoco.sensor.touch_grid"/></extension>
<default><default class="c"><geom density="500"/></default></default>
<asset><mesh name="M" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/><material name="A"/>
<texture name="T" type="2d" builtin="flat" width="8" height="8"/>
<hfield name="H" nrow="2" ncol="2" size="1 1 1 1"/><model name="child" file="child.xml"/></asset>
<worldbody><body name="a" pos="0 0 1"><joint name="j" range="-1 1" axis="0 1 0"/>
<geom name="g" type="box" size=".1 .2 .3"/><site name="s"/><camera name="cam"/><light name="l"/>
<body name="b" pos=".5 0 0"><joint name="k" type="slide" range="-1 1"/><geom name="h" size=".1"/>
<site name="t" pos="0 0 .2"/><body name="e" pos=".5 0 0"><joint name="q" type="ball"/>
<geom name="i" type="capsule" size=".1 .2"/></body></body></body>
<body name="d" pos="2 0 0"><freejoint name="f"/><geom name="o" size=".1"/><site name="u"/></body>
<body name="mo" mocap="true"/><frame name="F" pos="0 1 0"><geom name="w" size=".1"/></frame>
</worldbody>
<contact><exclude body1="a" body2="d"/></contact>
<tendon><fixed name="tf" range="-1 1"><joint joint="j" coef="1"/></fixed><spatial name="ts"
range="0 9"><site site="s"/><site site="t"/></spatial></tendon>
<actuator><motor name="m" joint="j"/></actuator>
<sensor><jointpos name="p" joint="j"/></sensor>
<custom><tuple name="tu"><element objtype="body" objname="a"/></tuple></custom>
<keyframe><key name="key"/></keyframe></mujoco>
"""
CHILD = (
    '<mujoco model="child"><asset><material name="red" rgba="1 0 0 1"/></asset><worldbody>'
    '<frame name="cf"><body name="cb"><joint name="cj"/><geom name="cg" size=".1" material="red"/>'
    '</body></frame></worldbody></mujoco>')
_PID = (
    '<extension><plugin plugin="mujoco.pid"><instance name="pid"><config key="kp" value="1"/>'
    '</instance></plugin></extension>')
_FLEX = (
    '<worldbody><body name="flexible"><flexcomp name="x" type="grid" count="3 3 1" dim="2" '
    'spacing=".1 .1 .1" radius=".01" mass="1"/></body></worldbody>')
_OBJ = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n'
_NAMES: Mapping[str, Sequence[str]] = {
    'body': ('a', 'b', 'd', 'e'), 'joint': ('j', 'k'), 'geom': ('g', 'h', 'i', 'o'),
    'site': ('s', 't', 'u'), 'camera': ('cam',), 'light': ('l',), 'mesh': ('M',),
    'material': ('A',), 'texture': ('T',), 'hfield': ('H',), 'tendon': ('tf', 'ts'),
    'actuator': ('m',), 'default': ('c',), 'frame': ('F',), 'model': ('child',),
    'instance': ('torus',), 'flex': ('x',)}
_INTEGERS = {
    'condim': '3', 'nkey': '1', 'nrow': '2', 'ncol': '2', 'width': '16', 'height': '16',
    'gridsize': '1 1', 'cameraid': '0', 'nsample': '2', 'dim': '2', 'inertiagrouprange': '0 3',
    'count': '2', 'actdim': '1', 'nchannel': '3', 'resolution': '20 10', 'offsamples': '4',
    'numslices': '8', 'numstacks': '8', 'numquads': '4'}
_TEXTS = {
    'eulerseq': 'XyZ', 'memory': '10M', 'plugin': 'mujoco.sdf.torus', 'data': '1 2 3', 'sep': '_',
    'prefix': 'p_', 'key': 'kp', 'gridlayout': '.', 'curve': 's', 'initial': 'none',
    'role': 'rgb', 'meshdir': '.', 'texturedir': '.', 'assetdir': '.', 'content_type': '',
    'fuse': 'true', 'node': 'a', 'passthrough': 'textures', 'value': '2',
    'section': 'circle'}
_OBJECTS = ('body', 'geom', 'site', 'camera', 'joint')
_EDGES = ('0', '-1', '1e-7', '1e-16', '1e10', 'nan', '', '1 2', 'x', '-0.5')
_SIGNED = (
    'pos', 'axis', 'quat', 'zaxis', 'euler', 'axisangle', 'offset', 'dir', 'ref', 'springref',
    'refpos', 'refquat', 'gravity', 'wind', 'magnetic', 'anchor', 'center', 'qpos', 'qvel',
    'ctrl', 'act', 'gear', 'coef', 'polycoef', 'bias', 'origin')


class Declaration(NamedTuple):
    """An element of the schema, and the shortest way to it: tags and keys below the root."""

    way: tuple[tuple[str, str], ...]
    content: Declared


class Added(NamedTuple):
    """Something of the schema that a file has: an element by its key, or an attribute of it."""

    key: str
    attribute: str = ''


@lru_cache(1)
def declared() -> Mapping[str, Declaration]:
    """Return the elements of the schema by key: the tag, after that of the parent if needed."""
    found = {'mujoco': Declaration((), SCHEMA.elements['mujoco'])}
    pending = ['mujoco']
    seen = set()
    for key in pending:
        for tag, child in found[key].content.children.items():
            name = child if isinstance(child, str) else child.like
            content = SCHEMA.elements[name] if name else child
            assert not isinstance(content, str)
            if (tag, id(content)) not in seen:
                seen.add((tag, id(content)))
                own = f'{key}.{tag}' if tag in found or key == 'default' else tag
                found[own] = Declaration((*found[key].way, (tag, own)), content)
                pending.append(own)
    return found


def everything() -> list[Added]:
    """Return the elements and attributes of the schema but composites, which MuJoCo 4 refuses."""
    return [Added(key, name) for key, each in declared().items() if 'composite' not in key
            for name in ('', *each.content.attributes)]


@lru_cache(1)
def _keys() -> Mapping[tuple[str, int], str]:
    return {(each.way[-1][0] if each.way else 'mujoco', id(each.content)): key
            for key, each in declared().items()}


def contents(root: Element) -> set[Added]:
    """Return the elements and attributes that a file has."""
    found: set[Added] = set()
    pending = [(root, SCHEMA.elements['mujoco'])]
    for element, content in pending:
        key = _keys().get((element.tag, id(content)))
        if key is not None:
            found |= {Added(key), *(Added(key, name) for name in element.attrib)}
        for inner in element:
            child = content.children.get(inner.tag)
            name = child if isinstance(child, str) else child.like if child else ''
            known = SCHEMA.elements[name] if name else child
            if known is not None and not isinstance(known, str):
                pending.append((inner, known))
    return found


class Generator:
    """Makes files; ``counts`` is how often each thing was in an accepted file."""

    def __init__(self, seed: int) -> None:
        self.counts: Counter[Added] = Counter()
        self._tried: Counter[Added] = Counter()
        self._random = Random(seed)
        self._all = everything()

    def next(self) -> tuple[str, set[Added]]:
        """Return a file and what of the schema it has."""
        root = ElementTree.fromstring(ROBOT.replace('\n', ' '))
        for _ in range(self._random.choice((1, 2, 3, 4))):
            sample = self._random.sample(self._all, 60)
            first = min(sample, key=self._need)
            self._add(root, first)
        added = contents(root)
        self._tried.update(added)
        return ElementTree.tostring(root, encoding='unicode'), added

    def _need(self, item: Added) -> float:
        return self.counts[item] + 0.2 * self._tried[item]

    def _add(self, root: Element, item: Added) -> None:
        rng, (way, content) = self._random, declared()[item.key]
        element = root
        for depth, (tag, key) in enumerate(way):
            there = [one for one in element if one.tag == tag]
            if there and (depth < len(way) - 1 or item.key in SINGLE or len(way) == 1
                          or item.key.startswith('default.')):
                element = rng.choice(there)
            else:
                element = self._new(element, tag, key)
        attributes = content.attributes
        names = [name for name in attributes if name not in element.attrib]
        count = rng.choice((6, 12) if way and way[0][0] in HARMLESS else (1, 2, 3, 4, 6))
        wanted = sorted(names, key=lambda name: self._need(Added(item.key, name)))[:count]
        chosen = {*wanted, *([item.attribute] if item.attribute else [])}
        if item.key == 'actuator.plugin':
            root.append(ElementTree.fromstring(_PID))
        for name in sorted(chosen):
            self._set(element, item.key, name, attributes[name])
        if rng.random() < 0.95:
            _settle(element, way[0][0] if way else '', item.key)
        if 'flex' in element.attrib:
            root.append(ElementTree.fromstring(_FLEX))

    def _new(self, parent: Element, tag: str, key: str) -> Element:
        element = ElementTree.SubElement(parent, tag)
        element.attrib.update(RECIPES.get(key) or {})
        content = declared()[key].content
        for name, attribute in content.attributes.items():
            if attribute.required and name not in element.attrib:
                self._set(element, key, name, attribute)
        if content.any_of and not any(name in element.attrib for name in content.any_of):
            name = self._random.choice(content.any_of)
            self._set(element, key, name, content.attributes[name])
        for inner in CONTENT.get(key, ()):
            element.append(ElementTree.fromstring(inner))
        return element

    def _set(self, element: Element, key: str, name: str, attribute: Attribute) -> None:
        """Give an element an attribute, and what that requires; remove what it excludes."""
        known = declared()[key].content.attributes
        for other in [one for one in element.attrib if one in attribute.excludes or (
                one in known and name in known[one].excludes)]:
            if not known[other].required:
                del element.attrib[other]
        element.set(name, self._value(element, key, name, attribute))
        for other in attribute.requires:
            if other not in element.attrib:
                element.set(other, self._value(element, key, other, known[other]))
        for other, value in TOGETHER.get(name, {}).items():
            if other in known and other not in element.attrib:
                element.set(other, value)

    def _value(self, element: Element, key: str, name: str, attribute: Attribute) -> str:
        rng, kind = self._random, attribute.type
        if rng.random() < 0.02:
            return rng.choice(_EDGES)
        if f'{key}/{name}' in VALUES:
            return rng.choice(VALUES[f'{key}/{name}'])
        if name == 'name' or (key == 'default' and name == 'class'):
            return f'n{rng.randrange(10000)}'
        if name in ('objname', 'refname'):
            of = 'objtype' if name == 'objname' else 'reftype'
            word = element.get(of) or rng.choice(_OBJECTS[:4])
            element.set(of, word)
            return rng.choice(_NAMES.get(word.removeprefix('x'), 'a'))
        if name in ('objtype', 'reftype') and not kind.words:
            return rng.choice(_OBJECTS)
        if 'file' in attribute.refers:
            return 'a.obj' if key in ('mesh', 'flexcomp') else 'a.png'
        if name == 'jointinparent':
            return 'j'
        for refers in attribute.refers:
            if refers in _NAMES:
                return rng.choice(_NAMES[refers])
        if kind.words:
            return rng.choice(list(kind.words))
        if kind.name == 'words':
            return rng.choice(_words(attribute))
        if kind.name == 'boolean':
            return rng.choice(('true', 'false'))
        if name in _TEXTS and kind.name == 'text':
            return _TEXTS[name]
        return self._numbers(name, attribute)

    def _numbers(self, name: str, attribute: Attribute) -> str:
        rng = self._random
        counts = _counts(attribute)
        if not counts:
            return 'a'
        count = rng.choice(counts)
        if 'integer' in attribute.type.name:
            return _INTEGERS.get(name) or ' '.join(str(rng.randrange(3)) for _ in range(count))
        if name.startswith('solimp'):
            return ' '.join(('0.8', '0.9', '0.01', '0.4', '3')[:count])
        if name == 'interval':
            return rng.choice(('0.5', '0.5 -0.1'))
        if 'range' in name and count == 2:
            return f'{-rng.random():.3f} {rng.random() + 0.1:.3f}'
        least = -1.0 if name in _SIGNED else 0.05
        return ' '.join(f'{rng.uniform(least, 1.0):.3f}' for _ in range(count))


def _counts(attribute: Attribute) -> list[int]:
    """Return how many numbers an attribute takes, tried up to twelve."""
    parse = attribute.type.parse
    found = []
    for count in range(1, 13):
        try:
            if parse is not None:
                parse(' '.join('1' * count), None)
                found.append(count)
        except ValueSyntaxError:
            pass
    return found


def _words(attribute: Attribute) -> list[str]:
    """Return the words of which an attribute takes several, as its own message lists them."""
    parse = attribute.type.parse
    assert parse is not None
    try:
        parse('?', None)
    except ValueSyntaxError as error:
        return str(error).partition(' is not one of ')[2].split(', ')
    return ['a']


def _settle(element: Element, section: str, key: str) -> None:
    """Remove what MuJoCo refuses beside other attributes, and add what it requires."""
    given = element.attrib
    if section == 'actuator':
        target = next((name for name in reversed(DRIVEN) if name in given), 'joint')
        if not any(name in given for name in DRIVEN):
            given['joint'] = 'q' if key == 'orientation' else 'j'
        other = {*DRIVEN, 'cranklength', 'slidersite', 'refsite'} - {target}
        if target == 'cranksite':
            other -= {'cranklength', 'slidersite'}
        if target == 'site':
            other.remove('refsite')
        if target not in ('joint', 'tendon'):
            other |= {'damping', 'armature', 'inheritrange'}
        _remove(given, other)
    if 'kv' in given:
        _remove(given, ('dampratio',))
    if 'inheritrange' in given:
        _remove(given, ('ctrlrange', 'ctrllimited', 'posrange', 'actrange', 'actlimited'))
    if 'fromto' in given:
        _remove(given, ('pos', 'quat', 'axisangle', 'xyaxes', 'zaxis', 'euler', 'mesh', 'hfield'))
        given['type'] = 'capsule'
    for name in ('hfield', 'mesh'):
        if name in given and 'geom' in key or name in given and 'site' in key:
            given['type'] = name
            _remove(given, {'hfield', 'mesh', 'fromto', 'shellinertia'} - {name})
    if key in ('framequat', 'framexaxis', 'frameyaxis', 'framezaxis', 'ballquat'):
        _remove(given, ('cutoff',))


def _remove(given: dict[str, str], names: Iterable[str]) -> None:
    for name in names:
        given.pop(name, None)


def write_files(directory: Path) -> None:
    """Write the files that the robots name."""
    (directory / 'child.xml').write_text(CHILD)
    (directory / 'a.obj').write_text(_OBJ)
    (directory / 'a.png').write_bytes(_png())


def _png() -> bytes:
    """Return a picture of 2 by 2 pixels."""
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack('>I', len(data)) + kind + data + struct.pack(
            '>I', zlib.crc32(kind + data))

    rows = b''.join(b'\0' + bytes(range(6 * row, 6 * row + 6)) for row in range(2))
    return b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 2, 2, 8, 2, 0, 0, 0)) + (
        chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b''))
