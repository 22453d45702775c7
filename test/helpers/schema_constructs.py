# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Texts that repeat many times what a schema declares.

They come from the schema of each format: every element, repeated, and every pair of elements of
which one names a thing and the other refers to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import partial
from typing import NamedTuple
from xml.etree.ElementTree import Element, fromstring

from fuzz.corpus import tree_of
from fuzz.mutate import document
from fuzz.schema_texts import Grammar, grammar, Item, plain_values, ROBOTS
from hrdf_ros.readers.schema import Attribute
from hrdf_ros.readers.schema import Element as Declared
from hrdf_ros.schema_export import versions_of
from hrdf_ros.schema_export.content import is_required

Path = tuple[str, ...]
"""The tags from the root to an element."""


class Repetition(NamedTuple):
    """What is repeated, and the function that returns the text for a number of repetitions."""

    name: str
    text: Callable[[int], str]


class Use(NamedTuple):
    """A place where a schema declares a name: an attribute, or the text if it is ''."""

    path: Path
    attribute: str
    kinds: tuple[str, ...]


def repeated_elements(name: str, parents: int = 1) -> Iterator[Repetition]:
    """
    Yield each element of a format, with names of their own, and with one name for all.

    The element is repeated in each kind of parent, or once with ``parents=0``.
    """
    robots = Robots(name)
    for path in robots.distinct(parents):
        place = f'{name}: <{path[-1]}> in <{path[-2]}>'
        yield Repetition(place, partial(robots.with_repeated, path, False))
        if robots.is_named(path):
            yield Repetition(f'{place} of one name', partial(robots.with_repeated, path, True))


def repeated_pairs(name: str) -> Iterator[Repetition]:
    """
    Yield each pair of a named thing and a reference to it, in three ways.

    The references name each thing and the first one again, or no thing, or none of the copies that
    an element makes of one thing.
    """
    robots = Robots(name)
    for reference in robots.references():
        for named in robots.named(reference.kinds):
            pair = (f'{name}: <{named.path[-1]}> and {reference.attribute or "text"} of '
                    f'<{reference.path[-1]}>')
            yield Repetition(pair, partial(robots.with_pairs, named, reference, True))
            yield Repetition(
                f'{pair}, unknown', partial(robots.with_pairs, named, reference, False))
            for copier in robots.copiers(named.path[-1]):
                yield Repetition(
                    f'{pair}, copies of <{copier[-1]}>',
                    partial(robots.with_copies, copier, named, reference))


class Robots:
    """Robots of the newest version of a format, to which is added what its schema declares."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._version = versions_of(name)[-1]
        self._grammar: Grammar = grammar(name, self._version)
        texts = _BASES.get(name, ROBOTS[name])
        trees = [tree_of(text.format(self._version).encode()) for text in texts]
        self._bases = [tree for tree in trees if tree is not None]
        # first what needs the fewest new elements around it
        self._paths = sorted(
            self._grammar.contents,
            key=lambda path: len(path) - max(_depth(base, path) for base in self._bases))

    def distinct(self, depth: int) -> Iterator[Path]:
        """Yield a path to each tag below the root, one for each combination of tags around it."""
        found: dict[Path, Path] = {}
        for path in self._paths:
            if len(path) > max(depth, 1):
                found.setdefault(path[-1 - depth:], path)
        yield from found.values()

    def references(self) -> Iterator[Use]:
        """
        Yield each attribute or text that refers to a thing of the format.

        It is yielded once for each tag, and once for all tags of one parent with the same
        references, such as MJCF's sensors of a site.
        """
        seen: set[tuple[str, ...]] = set()
        for path in self._paths:
            for content in self._grammar.contents[path]:
                declared: dict[str, Attribute | Declared] = {**content.attributes, '': content}
                for name, use in declared.items():
                    if use.refers and use.refers != ('file',) and len(path) > 2:
                        kinds = {('tag', path[-1], name), ('parent', path[-2], name, *use.refers)}
                        if not kinds & seen:
                            yield Use(path, name, use.refers)
                        seen |= kinds

    def named(self, kinds: tuple[str, ...]) -> Iterator[Use]:
        """Yield where things of these kinds get their names, once for each tag."""
        found: dict[str, Use] = {}
        for path in self._paths:
            for content in self._grammar.contents[path]:
                for attribute, kind in _names_in(content):
                    # MJCF has no <actuator name="...">: its section <actuator> has the things
                    is_section = len(path) == 3 and path[-2] in kinds and not self._names(path[-2])
                    if len(path) > 2 and (kind in kinds or is_section):
                        found.setdefault(path[-1], Use(path, attribute, (kind,)))
        yield from found.values()

    def _names(self, kind: str) -> bool:
        """Return whether an element names things of a kind."""
        return any(
            kind == found for contents in self._grammar.contents.values()
            for content in contents for _, found in _names_in(content))

    def copiers(self, tag: str) -> Iterator[Path]:
        """Yield each element that says how many copies of an element in it there are."""
        for path in self.distinct(0):
            for content in self._grammar.contents[path]:
                if tag in content.children and _count_of(content):
                    yield path

    def is_named(self, path: Path) -> bool:
        """Return whether an element names something."""
        return any(any(_names_in(content)) for content in self._grammar.contents[path])

    # ---- texts

    def with_repeated(self, path: Path, one_name: bool, count: int) -> str:
        """Return a robot with a number of copies of an element."""
        root = self._robot(path)
        parent = self._grammar.reach(root, Item(path[:-1], ''))
        parent.extend(self._element(path, 0 if one_name else index) for index in range(count))
        return document(root).decode()

    def with_pairs(self, named: Use, reference: Use, are_known: bool, count: int) -> str:
        """Return a robot with a number of named things, and references to them or to none."""
        root = self._robot(named.path)
        target = self._grammar.reach(root, Item(named.path[:-1], ''))
        for index in range(count):
            element = self._element(named.path, index)
            if named.path[-2:] == ('body', 'joint'):  # a body has at most six degrees of freedom
                body = self._element(named.path[:-1], index)
                body.append(element)
                element = body
            target.append(element)
        tag = named.path[-1]
        known = [f'{tag}_{index}' for index in range(count)] + count * [f'{tag}_0']
        self._refer(root, reference, known if are_known else _unknown(count))
        return document(root).decode()

    def with_copies(self, copier: Path, named: Use, reference: Use, count: int) -> str:
        """Return a robot with copies of a named thing, and references to other things."""
        root = self._robot(copier)
        copying = self._element(copier, 0)
        content = next(one for one in self._grammar.contents[copier] if _count_of(one))
        copying.set(_count_of(content), str(count))
        copying.append(self._element((*copier, named.path[-1]), 0, named.path))
        self._grammar.reach(root, Item(copier[:-1], '')).append(copying)
        self._refer(root, reference, _unknown(count))
        return document(root).decode()

    def _refer(self, root: Element, reference: Use, names: Sequence[str]) -> None:
        """
        Add a reference to each name.

        Where a parent has only one reference, each gets a parent of its own.
        """
        path = reference.path
        is_single = path[-2] in ('joint', 'axis', 'axis2', 'visual')
        parent = self._grammar.reach(root, Item(path[:-2] if is_single else path[:-1], ''))
        for index, name in enumerate(names):
            element = self._element(path, index)
            if reference.attribute:
                element.set(reference.attribute, name)
            else:
                element.text = name
            if is_single:
                holder = self._element(path[:-1], index)
                for same in holder.findall(path[-1]):
                    holder.remove(same)
                holder.append(element)
                element = holder
            parent.append(element)

    def _robot(self, path: Path) -> Element:
        """Return the robot that already has the longest part of a path."""
        return deepcopy(max(self._bases, key=lambda base: _depth(base, path)))

    def _element(self, path: Path, number: int, like: Path = ()) -> Element:
        """Return an element with what it requires, and a name with a number."""
        content = self._grammar.contents[path if path in self._grammar.contents else like][0]
        element = Element(path[-1])
        wanted = {*content.any_of[:1]}
        for name in wanted & content.attributes.keys():
            wanted |= {*content.attributes[name].requires}
        names = {attribute for attribute, _ in _names_in(content)}
        for name, attribute in content.attributes.items():
            if name in names:
                element.set(name, f'{path[-1]}_{number}')
            elif attribute.required or name in wanted:
                element.set(name, _value(name, attribute, number))
        more = _MORE.get(self._name, {}).get(path[-1])
        if more is not None:
            element.attrib.update(fromstring(more).attrib)
            element.extend(fromstring(more))
        if content.text is not None:
            is_name = '' in names
            element.text = (
                f'{path[-1]}_{number}' if is_name else _value(path[-1], content, number))
        ends = ('parent', 'child') if path[-1] == 'joint' else ()
        for tag, child in content.children.items():
            below = (*path, tag)
            if below in self._grammar.contents and (
                    tag in wanted or tag in ends or is_required(child)):
                element.append(self._element(below, number))
        return element


_LINK = '<link name="b"/>'
_BASES = {
    'hrdf': ('<robot version="{}"><actuator type="X5-4" tag="a"/></robot>',),
    'sdf': tuple(
        text.replace(_LINK, f'{_LINK}<model name="n"><link name="l"/></model>')
        for text in ROBOTS['sdf']),
    'mjcf': (
        '<mujoco model="m"><asset><mesh name="mesh" builtin="sphere" params="1"/><material '
        'name="m"/></asset><worldbody><body name="a"><joint name="j" range="-1 1"/><geom name="g" '
        'size="1"/><site name="s"/><camera name="c"/><light name="l"/><body name="b"><joint '
        'name="i"/><geom size="1"/></body></body></worldbody><tendon><fixed name="t"><joint '
        'joint="j" coef="1"/></fixed></tendon><actuator><motor name="u" joint="j"/></actuator>'
        '</mujoco>',),
}
"""
Robots instead of ROBOTS, which have more that can be referred to, and nothing that ends them.
"""
_OBJECTS: Mapping[str, str] = {
    'child': 'b',
    'body': 'a', 'link': 'a', 'joint': 'j', 'geom': 'g', 'site': 's', 'camera': 'c', 'tendon': 't',
    'actuator': 'u', 'mesh': 'mesh', 'material': 'm'}
"""The names that things of these kinds have in the robots."""
_MORE: Mapping[str, Mapping[str, str]] = {
    'mjcf': {
        'geom': '<geom size="1"/>', 'mesh': '<mesh builtin="sphere" params="1"/>',
        'framepos': '<framepos objtype="body" objname="a"/>',
        'fixed': '<fixed><joint joint="j" coef="1"/></fixed>',
        'spatial': '<spatial><site site="s"/><site site="s"/></spatial>',
        'body': '<body><geom size="1"/></body>', 'attach': '<attach body="b"/>'},
    'sdf': {'model': '<model><link name="l"/></model>'},
}
"""The elements that need content or attributes although no schema says so."""


def _depth(base: Element, path: Path) -> int:
    """Return how many elements of a path a tree has."""
    found = [
        depth for depth in range(2, len(path) + 1)
        if base.find('/'.join(path[1:depth])) is not None]
    return max(found, default=1)


def _value(name: str, declared: Attribute | Declared, number: int) -> str:
    """Return a value for an attribute or text; a reference names an item of the robots."""
    kind = declared.type if isinstance(declared, Attribute) else declared.text
    if declared.refers:
        known = [_OBJECTS[one] for one in (name, *declared.refers) if one in _OBJECTS]
        return known[0] if known else f'unknown_{number}'
    value = plain_values(kind)[0]
    return f'b_{number}' if value == 'b' else value


def _unknown(count: int) -> list[str]:
    return [f'unknown_{index}' for index in range(count)]


def _names_in(content: Declared) -> Iterator[tuple[str, str]]:
    """Yield the attributes ('' for the text) that name something, each with its kind."""
    for name, attribute in content.attributes.items():
        if attribute.names:
            yield name, attribute.names
    if content.names:
        yield '', content.names


def _count_of(content: Declared) -> str:
    """Return the attribute that states the number of copies, or '' without one."""
    found = content.attributes.get('count')
    return 'count' if found is not None and found.required else ''
