# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Declarations as tables, for schemas with many elements.

A row is ``name words [unit] words | doc | FIELD=text``, indented below its parent element, or
several names with commas between them; ``@name`` is an attribute. A line that begins with ``|``
continues its row, with three blanks after it the last text. An empty line ends a shared element.
The words:

- the name of a type; ``=VALUE``, the default as in a file; ``MIN..MAX``, bounds; ``1.7+``, the
  version that it is new in
- ``nonempty`` (``text_required``), ``dropped`` (not preserved), ``useless`` (no effect), another
  handling, ``positive``, ``not_negative``, a field of ``Element`` or ``Attribute`` that is true,
  ``FIELD=TEXT``
- ``shared``: it has the content of the shared element of its name, with ``like=NAME`` of another
- ``same``: it is the shared element of its name
- ``as=NAME``: it is a copy of the part ``_NAME``, with the fields that are given
- ``with=NAME``: it has the attributes and children of the part ``_NAME`` too
- ``variants=ATTRIBUTE:VALUE,VALUE``: for these values of an attribute it has the content of the
  part ``_VALUE`` too

In other values and texts of words a comma stands for a space.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
import math
from typing import Any, Optional, Union

from hrdf_ros.readers.schema.declarations import (
    Attribute,
    Bounds,
    Element,
    NOT_NEGATIVE,
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
_TUPLES = frozenset(('any_of', 'excludes', 'requires'))


class Elements(Mapping[str, Element]):
    """
    The shared elements of tables, each read when it is first used: a file has few of them.

    ``types`` are the types by name; ``refers`` are the kinds that one word stands for.
    """

    def __init__(
        self, types: Mapping[str, ValueType], refers: Mapping[str, tuple[str, ...]], *tables: str,
    ) -> None:
        self._types = types
        self._refers = refers
        parts = [part for table in tables for part in table.strip().split('\n\n')]
        self._parts = {part.split(None, 1)[0]: part for part in parts}
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
                declared = Attribute(kind or TEXT, **fields)
                attributes.update(dict.fromkeys(names[1:].split(','), declared))
                continue
            copied, base = fields.pop('as', None), fields.pop('with', None)
            contents[depth + 1:] = [
                ({**self[base].attributes}, {**self[base].children}) if base else ({}, {})]
            if copied:
                found = self[copied]._replace(**fields) if fields else self[copied]
            else:
                attributes, inside = contents[-1]
                found = Element(attributes=attributes, children=inside, text=kind, **fields)
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
            elif word[-1] == '+':
                fields['since'] = word[:-1]
            elif word == 'shared':
                fields['like'] = name
            else:
                least, _, most = word.partition('..')
                fields['bounds'] = Bounds(float(least), float(most or math.inf))
        return kind, fields

    def _field(self, key: str, value: str) -> Any:
        """Return the value of a field that a word names."""
        if key in ('as', 'with'):
            return f'_{value}'
        if key == 'refers':
            return self._refers.get(value) or tuple(value.split(','))
        if key == 'variants':
            attribute, _, variants = value.partition(':')
            return Variants(attribute, {one: self[f'_{one}'] for one in variants.split(',')})
        if key in _TUPLES:
            return tuple(value.split(','))
        return value.replace(',', ' ')


def _default(kind: Optional[ValueType], value: str) -> Any:
    """Return the default that a text gives: a number if its element decides how it is read."""
    if kind is None or not value:
        return value
    if kind.parse is not None:
        return kind.parse(value.replace(',', ' '), [])
    return value if kind.parse_in_context is None else float(value)
