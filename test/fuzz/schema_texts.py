# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Files from the schemas: a small robot with one, two or three declared things added to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from functools import lru_cache, partial
from random import Random
import re
from typing import NamedTuple, Optional
from xml.etree.ElementTree import Element

from fuzz.corpus import tree_of
from fuzz.mutate import document, VALUES
from hrdf_ros.readers.schema import Element as Declared
from hrdf_ros.readers.schema import ValueType
from hrdf_ros.schema_export import schema_of, versions_of
from hrdf_ros.schema_export.content import Declarations, is_required

_NUMBERS = (
    '0', '1', '0.5', '-1', '2', '1e-7', '1e-320', '1e16', '1e17', '1e308', '-1e308', '-0.0',
    '1e200', 'inf', '-inf', 'nan', '')
_COUNTS = {'pose': 6, 'color': 4, 'quaternion': 4, 'translation': 3, 'time': 2}
_PLAIN = {'boolean': ('true', 'false'), 'rotation': ('Rz(0.3)',), 'integer': ('7',)}
_AT_EDGES = {
    'boolean': ('0', '1', 'true', 'false', 'True', '2', ''),
    'rotation': ('Rx(pi/2)', 'Rz(0.3)*Ry(1)', '1 0 0 0 1 0 0 0 1', '0 0 0'),
    'integer': ('0', '1', '-1', '2147483648', '4294967296', '1.5', '')}
_DEEPEST = 12
_SDF_MODEL = (
    '<model name="m"><link name="a"><visual name="v"><geometry><box><size>1 1 1</size></box>'
    '</geometry><material><pbr><metal><albedo_map>a.png</albedo_map></metal></pbr></material>'
    '</visual><collision name="c"><geometry><sphere><radius>1</radius></sphere></geometry>'
    '</collision></link><link name="b"/><joint name="j" type="universal"><parent>a</parent>'
    '<child>b</child><axis><xyz>0 0 1</xyz></axis><axis2><xyz>0 1 0</xyz></axis2></joint></model>')
ROBOTS = {
    'hrdf': (
        '<robot version="{}"><actuator type="X5-4" tag="a"/><link type="X5" extension="0.3" '
        'twist="0"/><joint axis="rz" tag="b"/><rigid-body mass="1" '
        'tag="l"/><end-effector tag="tool" mass="0.1"/></robot>',),
    'skel': (
        '<skel version="1.0"><world name="w"><skeleton name="s"><body name="a"><inertia><mass>1'
        '</mass></inertia></body><body name="b"/><joint name="i" type="free"><parent>world'
        '</parent><child>a</child></joint><joint name="j" type="revolute"><parent>a</parent>'
        '<child>b</child><axis><xyz>0 0 1</xyz></axis></joint></skeleton></world></skel>',),
    'urdf': (
        '<robot name="r" version="{}"><link name="a"><visual><geometry><sphere radius="1"/>'
        '</geometry></visual><collision><geometry><box size="1 1 1"/></geometry></collision>'
        '</link><link name="b"/><link name="c"/><joint name="j" type="revolute"><parent link="a"/>'
        '<child link="b"/><limit lower="-1" upper="1" effort="1" velocity="1"/><mimic joint="i"/>'
        '</joint><joint name="i" type="continuous"><parent link="a"/><child link="c"/></joint>'
        '</robot>',),
    'sdf': (
        f'<sdf version="{{}}">{_SDF_MODEL}</sdf>',
        f'<sdf version="{{}}"><world name="w">{_SDF_MODEL}</world></sdf>'),
    'mjcf': (
        '<mujoco model="m"><worldbody><body name="a"><joint name="j" range="-1 1"/><inertial '
        'pos="0 0 0" mass="1" diaginertia="1 1 1"/><geom name="g" type="box" size="1 1 1"/>'
        '<site name="s"/><camera name="c"/><light name="l"/></body></worldbody></mujoco>',),
}
_ENDS = ('parent', 'child')
_NAMES = ('a', 'b', 'j', 'm', 's', 'l', 'tool', 'world', '__model__', 'm::a', 'c', '')


class Item(NamedTuple):
    """Something declared: an element by its path from the root, or an attribute of it."""

    path: tuple[str, ...]
    attribute: str


class Grammar:
    """What a version of a format declares, by the path from the root."""

    def __init__(self, name: str, version: str) -> None:
        schema = schema_of(name, version)
        known = Declarations(schema, version)
        self.contents: dict[tuple[str, ...], list[Declared]] = {}
        self.items: list[Item] = []
        pending = [((schema.root,), schema.elements[schema.root])]
        for path, element in pending:
            found = self.contents[path] = [each.element for each in known.variants(element)]
            self.items.append(Item(path, ''))
            self.items += [
                Item(path, attribute) for content in found for attribute in content.attributes]
            pending += [
                ((*path, tag), child) for content in found
                for tag, child in content.children.items() if isinstance(child, Declared)
                and tag not in path and (*path, tag) not in self.contents
                and len(path) < _DEEPEST]

    def add(self, rng: Random, root: Element, item: Item) -> None:
        """Add an element, or an attribute, below an element that is there or a new one."""
        element = self.reach(root, item, rng)
        content = rng.choice(self.contents[item.path])
        if item.attribute:
            declared = content.attributes.get(item.attribute)
            element.attrib[item.attribute] = _value(rng, declared and declared.type)
        elif content.text is not None:
            element.text = _value(rng, content.text)

    def reach(self, root: Element, item: Item, rng: Optional[Random] = None) -> Element:
        """Return the element of an item, which is added where it is not; plain without ``rng``."""
        element = root
        value = partial(_value, rng) if rng else lambda kind: plain_values(kind)[0]
        for depth, tag in enumerate(item.path[1:], start=2):
            same = element.findall(tag)
            if same and (rng is None or rng.random() < 0.8):
                element = rng.choice(same) if rng else same[0]
            else:
                added = self._new(rng or Random(0), item.path[:depth], value)
                element.append(added)
                element = added
        return element

    def type_of(self, item: Item) -> Optional[ValueType]:
        """Return the type of an attribute or of an element's text, None without any."""
        contents = self.contents[item.path]
        if not item.attribute:
            return contents[0].text
        declared = (content.attributes.get(item.attribute) for content in contents)
        return next((one.type for one in declared if one is not None), None)

    def _new(
        self, rng: Random, path: tuple[str, ...], value: Callable[[Optional[ValueType]], str],
    ) -> Element:
        """Return an element with everything that it requires."""
        content = rng.choice(self.contents[path])
        element = Element(path[-1])
        for name, attribute in content.attributes.items():
            if name == 'name':
                element.attrib[name] = f'n{rng.randrange(1000)}'
            elif attribute.required:
                element.attrib[name] = value(attribute.type)
        if content.text is not None:
            element.text = rng.choice('ab') if path[-1] in _ENDS else value(content.text)
        required = {*content.any_of[:1], *(_ENDS if path[-1] == 'joint' else ())}
        for tag, child in content.children.items():
            below = (*path, tag)
            if (tag in required or is_required(child)) and below in self.contents:
                element.append(self._new(rng, below, value))
        return element


@lru_cache(8)
def grammar(name: str, version: str) -> Grammar:
    """Return what a version of a format declares."""
    return Grammar(name, version)


def from_schema(rng: Random) -> bytes:
    """Return a robot with one, two or three things that its format declares."""
    name = rng.choice((*ROBOTS, 'sdf'))
    versions = versions_of(name)
    version = versions[-1] if rng.random() < 0.7 else rng.choice(versions)
    known = grammar(name, version)
    return _text(rng, name, version, rng.choices(known.items, k=rng.choice((1, 2, 2, 3))))


def each_item(name: str) -> Iterator[bytes]:
    """Yield a robot for each thing that the newest version of a format declares."""
    version = versions_of(name)[-1]
    for item in grammar(name, version).items:
        yield _text(Random(f'{item}'), name, version, [item])


def _text(rng: Random, name: str, version: str, items: Sequence[Item]) -> bytes:
    root = tree_of(rng.choice(ROBOTS[name]).format(version).encode())
    assert root is not None
    for item in items:
        grammar(name, version).add(rng, root, item)
    kind = rng.randrange(12)
    element = rng.choice(list(root.iter()))
    if kind == 0 and len(element):
        element.remove(rng.choice(element))
    elif kind == 1 and element.attrib:
        del element.attrib[rng.choice([*element.attrib])]
    elif kind == 2 and len(element):
        element.append(deepcopy(rng.choice(element)))
    return document(root)


def plain_values(kind: Optional[ValueType]) -> tuple[str, ...]:
    """Return one or two values of a type, of which no more than one is a usual default."""
    if kind is not None and kind.words:
        words = [*kind.words]
        return words[-1], words[0]
    plain = _PLAIN.get(_sort_of(kind))
    count = _numbers(kind)
    return plain or (' '.join(('0.37', '0.21', '0.11', '0.5', '0.61', '0.71')[:count]) or 'b',)


def _sort_of(kind: Optional[ValueType]) -> str:
    """Return boolean, rotation, integer, or another name of a type."""
    return '' if kind is None else 'integer' if 'integer' in kind.name else kind.name


def _numbers(kind: Optional[ValueType]) -> int:
    """Return how many numbers a value of the type has, 0 for text."""
    if kind is None:
        return 0
    digits = re.search(r'\d', kind.name)
    count = _COUNTS.get(kind.name, int(digits[0]) if digits else 0)
    return count or int('number' in kind.name)


def _value(rng: Random, kind: Optional[ValueType]) -> str:
    """Return a value of a type, now and then at an edge of it, or any text."""
    if kind is None or rng.random() < 0.03:
        return rng.choice(VALUES)
    count = _numbers(kind)
    if kind.words or _sort_of(kind) in _AT_EDGES or not count:
        return rng.choice([*(kind.words or _AT_EDGES.get(_sort_of(kind), _NAMES))])
    numbers = _NUMBERS[:5] if rng.random() < 0.9 else _NUMBERS
    return ' '.join(rng.choices(numbers, k=count))
