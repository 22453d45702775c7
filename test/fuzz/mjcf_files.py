# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Random MJCF: a small robot with elements and attributes of the schema added.

Values are such as a file has them, now and then at an edge. What has been in the fewest accepted
files comes first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from random import Random
from typing import NamedTuple, Optional
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from fuzz.mjcf_recipes import (
    ABOVE,
    AFTER,
    ALTERNATIVES,
    CONTENT,
    FRESH,
    HARMLESS,
    IMPOSSIBLE,
    RECIPES,
    SINGLE,
    TOGETHER,
    VALUES,
    WAYS,
)
from fuzz.mjcf_robot import CONFIGS, EXTENSIONS, FILES, FLEX, NAMES, ROBOT
from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.readers.mjcf.refusals import DRIVEN
from hrdf_ros.readers.mjcf.schema import SCHEMA
from hrdf_ros.readers.schema.declarations import Attribute, Parse
from hrdf_ros.readers.schema.declarations import Element as Declared

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
_TYPE_OF = {'objname': 'objtype', 'refname': 'reftype'}
"""Attributes that name an object, each with the one that says what it is."""
_SWITCHES = {
    'range': 'limited', 'ctrlrange': 'ctrllimited', 'forcerange': 'forcelimited',
    'actrange': 'actlimited', 'actuatorfrcrange': 'actuatorfrclimited'}
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
    for key, way in WAYS.items():
        found[key] = found[key]._replace(way=tuple(way))
    return found


def everything() -> list[Added]:
    """Return the elements and attributes of the schema that MuJoCo accepts."""
    return [Added(key, name) for key, each in declared().items()
            for name in ('', *each.content.attributes)
            if key not in IMPOSSIBLE and f'{key}/{name}' not in IMPOSSIBLE]


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
        self._edges = 0.0

    def next(self) -> tuple[str, set[Added]]:
        """Return a file and what of the schema it has."""
        rng = self._random
        root = ElementTree.fromstring(ROBOT.replace('\n', ' '))
        self._edges = rng.choice((0.0, 0.0, 0.02, 0.05))
        for index in range(rng.choice((1, 2, 3, 6, 10))):
            wanted = min(rng.sample(self._all, 60), key=self._need)
            if wanted.key != 'key' or index == 0:
                self.add(root, wanted)
            if wanted.key == 'key':
                break  # its numbers are for the joints and actuators of the robot alone
        _limit(root)
        added = contents(root)
        self._tried.update(added)
        return ElementTree.tostring(root, encoding='unicode'), added

    def _need(self, item: Added) -> float:
        return self.counts[item] + 0.2 * self._tried[item]

    def add(self, root: Element, item: Added) -> None:
        """Add an element or attribute to a file, with what it needs and with other attributes."""
        rng, (way, content) = self._random, declared()[item.key]
        above, element = self._place(root, item)
        groups = ALTERNATIVES.get(item.key, ((),))
        group = next((one for one in groups if item.attribute in one), groups[0])
        excluded = {name for one in groups for name in one if name not in group}
        excluded |= {name for name in content.attributes if f'{item.key}/{name}' in IMPOSSIBLE}
        _remove(element.attrib, excluded)
        names = [name for name in content.attributes
                 if name not in element.attrib and name not in excluded]
        count = rng.choice((6, 12) if way and way[0][0] in HARMLESS else (1, 2, 3, 4, 6))
        chosen = {*sorted(names, key=lambda name: self._need(Added(item.key, name)))[:count]}
        first = {*group[:1]} - element.attrib.keys()
        for name in (*sorted((chosen | first) - {item.attribute}), *filter(None, [
                item.attribute])):
            self._set(element, item.key, name, content.attributes[name])
        for name, value in ABOVE.get(item.key, {}).items():
            above.attrib.update({name: value} if value else {})
            _remove(above.attrib, () if value else (name,))
        if rng.random() < 0.95:
            self._settle(element, way[0][0] if len(way) > 1 else '', item)
        for inner in AFTER.get(item.key, ()):
            above.append(ElementTree.fromstring(inner))
        if item.key == 'sensor.plugin' and element.get('plugin') in CONFIGS:
            element.extend(ElementTree.fromstring(CONFIGS[element.attrib['plugin']]))
        _extend(root, EXTENSIONS.get(element.get('instance', '')))
        _extend(root, FLEX if 'flex' in element.attrib else None)

    def _place(self, root: Element, item: Added) -> tuple[Element, Element]:
        """Return the element that gets an attribute, made if it is not there, and its parent."""
        rng, way = self._random, declared()[item.key].way
        above = element = root
        for depth, (tag, key) in enumerate(way):
            there = [one for one in element if one.tag == tag]
            above = element
            is_last, is_fresh = depth == len(way) - 1, depth == len(way) - 2 and item.key in FRESH
            if there and not is_fresh and (
                    not is_last or item.key in SINGLE or len(way) == 1
                    or item.key.startswith('default.')):
                element = rng.choice(there)
            else:
                element = self._new(element, tag, key)
            nested = element.find('default')
            if not is_last and nested is not None and rng.random() < 0.6:
                element = nested
        return above, element

    def _new(self, parent: Element, tag: str, key: str) -> Element:
        element = ElementTree.SubElement(parent, tag)
        for name, value in RECIPES.get(key, {}).items():
            element.set(name, self._name() if value == '?' else value)
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

    def _name(self) -> str:
        return f'n{self._random.randrange(10 ** 6)}'

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
        element.attrib.update(TOGETHER.get(f'{key}/{name}', {}))

    def _value(self, element: Element, key: str, name: str, attribute: Attribute) -> str:
        rng, kind = self._random, attribute.type
        if rng.random() < self._edges:
            return rng.choice(_EDGES)
        if f'{key}/{name}' in VALUES:
            return rng.choice(VALUES[f'{key}/{name}'])
        if name == 'name':
            return self._name()
        if name in _TYPE_OF:
            return self._object(element, name)
        if name in _TYPE_OF.values() and not kind.words:
            return rng.choice(_OBJECTS)
        if 'file' in attribute.refers:
            return FILES.get(key, 'a.png')
        if name == 'jointinparent':
            return 'j'
        for refers in attribute.refers:
            if refers in NAMES:
                return rng.choice(NAMES[refers])
        if kind.words:
            return rng.choice(list(kind.words))
        if kind.name == 'words':
            return rng.choice(_words(attribute))
        if kind.name == 'boolean':
            return rng.choice(('true', 'false'))
        if name in _TEXTS and kind.name == 'text':
            return _TEXTS[name]
        return self._numbers(name, attribute)

    def _object(self, element: Element, name: str) -> str:
        """Return the name of an object of the type that another attribute says."""
        word = element.attrib.setdefault(_TYPE_OF[name], self._random.choice(_OBJECTS[:4]))
        return self._random.choice(NAMES.get(word.removeprefix('x'), 'a'))

    def _numbers(self, name: str, attribute: Attribute) -> str:
        rng = self._random
        counts = _counts(attribute.type.parse)
        if not counts:
            return 'a'
        count = rng.choice(counts)
        if 'integer' in attribute.type.name:
            return _INTEGERS.get(name) or ' '.join(str(rng.randrange(3)) for _ in range(count))
        if name.startswith('solimp'):
            return ' '.join(('0.8', '0.9', '0.01', '0.4', '3')[:count])
        if name == 'interval' and 2 in counts:
            return rng.choice(('0.5', '0.5 -0.1'))
        if 'range' in name and count == 2:
            return f'{-rng.random():.3f} {rng.random() + 0.1:.3f}'
        least = -1.0 if name in _SIGNED else 0.05
        return ' '.join(f'{rng.uniform(least, 1.0):.3f}' for _ in range(count))


    def _settle(self, element: Element, section: str, item: Added) -> None:
        """Remove what MuJoCo refuses beside other attributes, and add what it requires."""
        given, key = element.attrib, item.key
        if key == 'skin' and 'file' in given:
            element[:] = []
        for name, word in _TYPE_OF.items():
            if word in given:
                given[name] = self._object(element, name)
        if section == 'actuator':
            _aim(given, key)
        if 'kv' in given:
            _remove(given, ('dampratio',))
        if 'inheritrange' in given:
            _remove(given, ('ctrlrange', 'ctrllimited', 'posrange', 'actrange', 'actlimited'))
        if item.attribute in ('mesh', 'hfield'):
            _remove(given, ('fromto',))
        if 'fromto' in given:
            _remove(given, (
                'pos', 'quat', 'axisangle', 'xyaxes', 'zaxis', 'euler', 'mesh', 'hfield'))
            given['type'] = 'capsule'
        for name in ('hfield', 'mesh'):
            if name in given and element.tag in ('geom', 'site'):
                given['type'] = name
                _remove(given, {'hfield', 'mesh', 'fromto', 'shellinertia'} - {name})


@lru_cache(None)
def _counts(parse: Optional[Parse]) -> list[int]:
    """Return how many numbers an attribute that is read so takes, tried up to twelve."""
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


def _aim(given: dict[str, str], key: str) -> None:
    """Give an actuator one target."""
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


def _extend(root: Element, text: Optional[str]) -> None:
    """Add a section to a file if it is not there."""
    section = None if text is None else ElementTree.fromstring(text)
    if section is not None and ElementTree.tostring(section) not in map(
            ElementTree.tostring, root):
        root.append(section)


def _limit(root: Element) -> None:
    """Say that each range is a limit if the compiler does not."""
    if any(one.get('autolimits') == 'false' for one in root.iter('compiler')):
        for element in root.iter():
            for name, switch in _SWITCHES.items():
                if name in element.attrib and (
                        name != 'range' or element.tag in ('joint', 'fixed', 'spatial')):
                    element.attrib.setdefault(switch, 'true')


def _remove(given: dict[str, str], names: Iterable[str]) -> None:
    for name in names:
        given.pop(name, None)
