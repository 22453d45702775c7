# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The schema of MJCF, built from the tables of ``grammar`` when an element is first met."""

from collections.abc import Iterator, Mapping
import re
from typing import NamedTuple

from hrdf_ros import codes
from hrdf_ros.parsing import mjcf
from hrdf_ros.readers.mjcf import grammar, kept_grammar
from hrdf_ros.readers.mjcf.documentation import ATTRIBUTES, UNITS
from hrdf_ros.readers.schema import Schema
from hrdf_ros.readers.schema.declarations import (
    Attribute,
    Element,
    Handling,
    Policy,
    TEXT,
    ValueType,
)

KEPT = frozenset((
    'option', 'size', 'statistic', 'visual', 'extension', 'contact', 'deformable', 'tendon',
    'actuator', 'sensor', 'custom'))
"""Sections that are kept for MuJoCo; their tags are the keys of the grammar."""

NOT_READ = frozenset(('composite', 'flexcomp', 'skin', 'plugin'))
"""Elements that mean something to MuJoCo that a Model cannot hold."""

_ROW = re.compile(r'(?m)^([a-z][\w ]*(?:\n[a-z][\w ]*)?): (.*)((?:\n  .*)*)')
_TOKEN = re.compile(r'(\w+)(?:([:=@])(\S+?))?([!~]*)$')
_NAMED = frozenset((
    'body', 'joint', 'freejoint', 'geom', 'site', 'camera', 'light', 'mesh', 'material',
    'texture', 'hfield', 'default', 'frame', 'model', 'tendon', 'actuator', 'sensor', 'key'))
_DEFAULTS = frozenset((
    'mesh', 'texture', 'material', 'joint', 'geom', 'site', 'camera', 'light', 'pair', 'general',
    'motor', 'position', 'velocity', 'intvelocity', 'orientation', 'pid', 'damper', 'cylinder',
    'muscle', 'adhesion', 'dcmotor'))
_IS_DEFAULT = 'default:'
"""How the keys of elements in default classes begin that have an element of the same tag."""


class _Row(NamedTuple):
    """One element of the grammar: attribute and child tokens, conditions as written."""

    doc: str
    attributes: tuple[str, ...]
    children: tuple[str, ...]
    conditions: tuple[str, ...]


def _rows(*tables: str) -> Iterator[tuple[str, _Row]]:
    """Yield the key and row of each element in the tables."""
    for table in tables:
        for keys, doc, body in _ROW.findall(table):
            lines = [line.strip() for line in body.splitlines() if line.strip()]
            row = _Row(
                doc,
                tuple(' '.join(line for line in lines if line[0] not in '>!').split()),
                tuple(' '.join(line[1:] for line in lines if line[0] == '>').split()),
                tuple(line[1:].strip() for line in lines if line[0] == '!'))
            yield from ((key, row) for key in keys.split())


class _Elements(Mapping[str, Element]):
    """The elements of MJCF by key, each built when it is first looked up."""

    def __init__(self) -> None:
        self._rows = dict(_rows(grammar.ELEMENTS, kept_grammar.ELEMENTS))
        self._built: dict[str, Element] = {}

    def __iter__(self) -> Iterator[str]:
        yield from self._rows
        yield from (_IS_DEFAULT + key for key in sorted(_DEFAULTS))

    def __len__(self) -> int:
        return len(self._rows) + len(_DEFAULTS)

    def __getitem__(self, key: str) -> Element:
        found = self._built.get(key)
        if found is None:
            found = self._built[key] = self._element(key)
        return found

    def _element(self, key: str) -> Element:
        row = self._rows[key.removeprefix(_IS_DEFAULT)]
        tokens = [token for part in row.attributes for token in (
            grammar.GROUPS[part[1:]].split() if part[0] == '+' else [part])]
        if key.startswith(_IS_DEFAULT):
            tokens = [
                token for token in tokens
                if not token.endswith('~') and not token.startswith(('name', 'class'))]
        of_groups = tuple(
            grammar.GROUP_CONDITIONS[part] for part in row.attributes
            if part in grammar.GROUP_CONDITIONS)
        excludes, requires, any_of = _conditions((*row.conditions, *of_groups))
        attributes = {
            attribute: _attribute(key, attribute, separator + value, marks, excludes, requires)
            for attribute, separator, value, marks in (
                _match(token) for token in tokens)}
        children = {
            grammar.TAGS.get(child.rstrip('?'), child.rstrip('?')): self._child(key, child)
            for child in row.children}
        if key.startswith(_IS_DEFAULT) and key != f'{_IS_DEFAULT}material':
            children = {}
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
        if parent == 'default' and key in _DEFAULTS:
            key = _IS_DEFAULT + key
        doc = self._rows[key.removeprefix(_IS_DEFAULT)].doc
        return Element(like=key, doc=doc, repeated=not token.endswith('?'), handling=handling)


def _match(token: str) -> tuple[str, str, str, str]:
    found = _TOKEN.match(token)
    assert found is not None, token
    return found[1], found[2] or '', found[3] or '', found[4]


def _conditions(
    conditions: tuple[str, ...],
) -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]], tuple[str, ...]]:
    """Return which attributes exclude and require which others, and of which one is needed."""
    excludes: dict[str, tuple[str, ...]] = {}
    requires: dict[str, tuple[str, ...]] = {}
    any_of: tuple[str, ...] = ()
    for condition in conditions:
        kind, *words = condition.split()
        bundles = [word.split('+') for word in words]
        names = [name for bundle in bundles for name in bundle]
        for bundle in bundles:
            for name in bundle:
                if kind == 'exclusive':
                    excludes[name] = excludes.get(name, ()) + tuple(
                        other for other in names[names.index(name):] if other not in bundle)
                elif kind == 'together':
                    requires[name] = tuple(other for other in names if other != name)
        if kind == 'oneof':
            any_of = tuple(bundle[0] for bundle in bundles)
    return excludes, requires, any_of


def _attribute(
    key: str, name: str, value: str, marks: str, excludes: Mapping[str, tuple[str, ...]],
    requires: Mapping[str, tuple[str, ...]],
) -> Attribute:
    refers = (value[1:],) if value.startswith('@') else ('file',) if value == ':f' else ()
    return Attribute(
        _value_type(value), ATTRIBUTES.get(f'{key}/{name}') or ATTRIBUTES.get(name)
        or f'for MuJoCo, see <{grammar.TAGS.get(key, key)}> in its XML reference',
        required='!' in marks, unit=UNITS.get(name, ''), excludes=excludes.get(name, ()),
        requires=requires.get(name, ()), refers=refers,
        names=key if name in ('name', 'class') and not refers and key in _NAMED else '')


def _value_type(value: str) -> ValueType:
    """Return the type that the notation of ``grammar`` means."""
    if value.startswith('=+'):
        return ValueType('words', mjcf.several_of(grammar.WORDS[value[2:]].split()))
    if value.startswith('='):
        return ValueType('word', words=dict.fromkeys(grammar.WORDS[value[1:]].split(), ''))
    if value == ':b':
        return ValueType('boolean', mjcf.boolean)
    if not value.startswith(':') or value == ':f':
        return TEXT
    count = value[1:].rstrip('i')
    is_integer = value.endswith('i')
    if count in ('', '1'):
        return ValueType('integer', mjcf.integer) if is_integer else ValueType(
            'number', mjcf.number)
    least, _, most = ('0', '', '') if count == '*' else count.partition('-')
    maximum = None if count == '*' else int(most or least)
    parse = mjcf.numbers(int(least), maximum, is_integer)
    return ValueType('integers' if is_integer else 'numbers', parse)


SCHEMA = Schema(
    root='mujoco', elements=_Elements(),
    policy=Policy(
        'MJCF', 'MuJoCo',
        unknown_element=codes.UNKNOWN_ELEMENT._replace(severity='error'),
        unknown_attribute=codes.UNKNOWN_ATTRIBUTE._replace(severity='error'),
        duplicate_element=codes.DUPLICATE_ELEMENT._replace(severity='error'),
        stray_text=codes.STRAY_TEXT,
        is_foreign_attribute=lambda name: name.partition(':')[0] == 'xmlns'))
