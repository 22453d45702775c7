# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Read declarations from tables, for schemas with many elements.

    joint repeated with=named      | a joint of the body
      @range vector2 [rad]         | the minimum and maximum position
      @type free|hinge =hinge 1.2+ | how the joint moves

A row declares elements, or with ``@`` attributes, of the element that it is indented below. Words
after its names are a type or the values themselves (``a|b``), ``=DEFAULT``, ``[unit]``, bounds
(``0..1``, ``positive``, ``not_negative``), the version that has it first (``1.2+``), and fields
(``required``, ``refers=link``; a comma is a space) and values of ``handling`` as in
``declarations``: ``dropped`` is "not preserved", ``useless`` is "no effect", and ``nonempty`` is
``text_required``.
Documentation and longer fields stand after ``|``, which may begin a line that continues the row.
``same`` is the element of this name from the top level, ``shared`` takes its content alone,
``like=NAME`` that of another one. ``with=NAME`` adds the content of the part ``_NAME``,
``as=NAME`` copies that part, ``variants=type:NAME`` adds it where ``type`` has the value NAME.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
import math
from types import MappingProxyType
from typing import Any, Optional, Union

from hrdf_ros.readers.schema.declarations import (
    Attribute,
    Bounds,
    Element,
    NOT_NEGATIVE,
    one_of,
    POSITIVE,
    TEXT,
    ValueType,
    Variants,
)

_FLAGS: Mapping[str, tuple[str, Any]] = {
    'nonempty': ('text_required', True), 'dropped': ('handling', 'not preserved'),
    'useless': ('handling', 'no effect'), 'positive': ('bounds', POSITIVE),
    'not_negative': ('bounds', NOT_NEGATIVE),
    **{name: (name, True) for name in (
        'any_attributes', 'required', 'expected', 'repeated', 'foreign_again', 'open', 'scope',
        'outside', 'inside')},
    **{name: ('handling', name) for name in ('checked', 'preserved', 'skipped', 'foreign')},
}
_NO_ELEMENTS: Mapping[str, Element] = MappingProxyType({})
_TUPLES = frozenset(('any_of', 'excludes', 'requires'))


class Elements(Mapping[str, Element]):
    """
    The shared elements of tables, each read when it is first used: a file has few of them.

    ``types`` are the types by name; ``refers`` maps a word to the kinds that it stands for.
    ``undocumented`` is the documentation of attributes that have none. ``mentioned`` are elements
    that any element may contain and that are not examined (``Element.foreign``).
    """

    def __init__(
        self, types: Mapping[str, ValueType], refers: Mapping[str, tuple[str, ...]], *tables: str,
        undocumented: str = '', mentioned: Mapping[str, Element] = _NO_ELEMENTS,
    ) -> None:
        self._types = types
        self._refers = refers
        self._undocumented = undocumented
        self._foreign = frozenset(mentioned)
        self._mentioned = mentioned
        parts = [part for table in tables for part in table.strip().split('\n\n')]
        self._parts = {part.split(None, 1)[0]: part for part in parts}
        assert len(self._parts) == len(parts), 'two parts have the same name'
        self._elements: dict[str, Element] = {}

    def __getitem__(self, name: str) -> Element:
        element = self._elements.get(name)
        if element is None:
            element = self._elements[name] = self._read(self._parts[name])
        return element

    def __iter__(self) -> Iterator[str]:
        return (name for name in self._parts if name[0] != '_')

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _read(self, part: str) -> Element:
        """Return the element of a part; the content of elements is filled while rows are read."""
        top: dict[str, Union[Element, str]] = {}
        contents: list[tuple[dict[str, Attribute], dict[str, Union[Element, str]]]] = [({}, top)]
        rows: list[str] = []
        for line in part.replace('\n      |   ', ' ').split('\n'):
            inner = line.lstrip(' ')
            if inner[0] == '|':
                rows[-1] += inner
            else:
                rows.append(line)
        for row in rows:
            head, *texts = row.split('| ')
            names, _, words = head.strip(' ').partition(' ')
            depth = (len(head) - len(head.lstrip(' '))) // 2
            attributes, children = contents[depth]
            if words == 'same':
                children.update((name, name) for name in names.split(','))
                continue
            kind, fields = self._fields(names, words)
            if texts:
                fields['doc'] = texts[0].rstrip(' ')
            for text in texts[1:]:
                key, _, value = text.rstrip(' ').partition('=')
                fields[key] = value
            if names[0] == '@':
                fields.setdefault('doc', self._undocumented)
                declared = Attribute(kind or TEXT, **fields)
                attributes.update(dict.fromkeys(names[1:].split(','), declared))
                continue
            contents[depth + 1:] = [({}, {})]
            attributes, inside = contents[-1]
            copied = fields.pop('as', None)
            for base in fields.pop('with', ()):
                attributes.update(self[base].attributes)
                inside.update(self[base].children)
            if copied:
                found = self[copied]._replace(**fields) if fields else self[copied]
            else:
                found = Element(
                    attributes=attributes, children=inside, text=kind, foreign=self._foreign,
                    mentioned=self._mentioned, **fields)
            children.update(dict.fromkeys(names.split(','), found))
        element = next(iter(top.values()))
        assert isinstance(element, Element)
        return element

    def _fields(self, name: str, words: str) -> tuple[Optional[ValueType], dict[str, Any]]:
        """Return the type and the other fields that the words of a row give."""
        kind: Optional[ValueType] = None
        words, _, rest = words.partition('[')
        unit, _, more = rest.partition(']')
        fields: dict[str, Any] = {'unit': unit} if unit else {}
        for word in (words + more).split():
            key, equals, value = word.partition('=')
            if word in self._types:
                kind = self._types[word]
                if kind.default is not None:
                    fields['default'] = kind.default
            elif word in _FLAGS:
                field, setting = _FLAGS[word]
                fields[field] = setting
            elif not key:
                fields['default'] = _default(kind, value)
            elif equals:
                fields[key] = self._field(key, value)
            elif '|' in word:
                kind = one_of(*word.split('|'))
            elif word[-1] == '+':
                fields['since'] = word[:-1]
            elif word == 'shared':
                fields['like'] = name
            else:
                least, _, most = word.partition('..')
                fields['bounds'] = Bounds(float(least), float(most or math.inf))
        return kind, fields

    def _field(self, key: str, value: str) -> Any:
        """Return the value of a field for the word that names it."""
        if key == 'as':
            return f'_{value}'
        if key == 'with':
            return [f'_{part}' for part in value.split(',')]
        if key == 'refers':
            return self._refers.get(value) or tuple(value.split(','))
        if key == 'variants':
            attribute, _, variants = value.partition(':')
            return Variants(attribute, {one: self[f'_{one}'] for one in variants.split(',')})
        if key in _TUPLES:
            return tuple(value.split(','))
        return value.replace(',', ' ')


def _default(kind: Optional[ValueType], value: str) -> Any:
    """Return the default that a text gives: a number where the parser needs an element."""
    if kind is None or not value:
        return value
    if kind.parse is not None:
        return kind.parse(value.replace(',', ' '), [])
    return value if kind.parse_in_context is None else float(value)
