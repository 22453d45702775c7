# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Declarations as tables, for schemas with many elements.

A row is ``name words [unit] words | doc``, indented below the element that it is in; the doc may
be on the next line. An empty line ends a shared element. ``@name`` is an attribute. The words:

- the name of a type; ``=VALUE``, the default as in a file; ``MIN..MAX``, bounds; ``1.7+``, the
  version that it is new in
- ``nonempty`` (``text_required``), ``dropped`` (not preserved), another handling, a field of
  ``Element`` or ``Attribute`` that is true, ``FIELD=TEXT``
- ``shared``: it has the content of the shared element of its name, with ``like=NAME`` of another
- ``as=NAME``: it is a copy of the part ``_NAME``, with a doc and version of its own
- ``variants=ATTRIBUTE:VALUE``: for this value of an attribute it has the content of ``_VALUE`` too

In values and texts a comma stands for a space.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
import math
from typing import Any, Optional

from hrdf_ros.readers.schema.declarations import (
    Attribute,
    Bounds,
    Element,
    TEXT,
    ValueType,
    Variants,
)

_FLAGS: Mapping[str, tuple[str, Any]] = {
    'nonempty': ('text_required', True), 'dropped': ('handling', 'not preserved'),
    **{name: (name, True) for name in (
        'required', 'expected', 'repeated', 'open', 'scope', 'outside', 'inside')},
    **{name: ('handling', name) for name in ('checked', 'preserved', 'skipped')},
}


class Elements(Mapping[str, Element]):
    """
    The shared elements of tables, each read when it is first met: files have few of them.

    ``types`` are those that the words name; ``refers`` are the kinds that one word stands for.
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
        top: dict[str, Element] = {}
        contents: list[tuple[dict[str, Attribute], dict[str, Element]]] = [({}, top)]
        head = ''
        for line in part.split('\n'):
            before, bar, doc = line.partition('| ')
            head += before
            if not bar:
                continue
            name, _, words = head.lstrip(' ').partition(' ')
            depth = (len(head) - len(head.lstrip(' '))) // 2
            head = ''
            attributes, children = contents[depth]
            kind, fields = self._fields(name, words)
            if name[0] == '@':
                attributes[name[1:]] = Attribute(kind or TEXT, doc, **fields)
                continue
            copied = fields.pop('as', None)
            contents[depth + 1:] = [({}, {})]
            children[name] = self[copied]._replace(doc=doc, **fields) if copied else Element(
                doc, *contents[-1], text=kind, **fields)
        return next(iter(top.values()))

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
                parse = kind.parse if kind is not None else None
                fields['default'] = parse(value.replace(',', ' '), []) if parse else value
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
        if key == 'as':
            return f'_{value}'
        if key == 'refers':
            return self._refers.get(value, (value,))
        if key == 'variants':
            attribute, _, variant = value.partition(':')
            return Variants(attribute, {variant: self[f'_{variant}']})
        return value.replace(',', ' ')
