# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The declarations of one version of a format, as an exporter needs them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, Optional, Union

from hrdf_ros.readers.schema import Attribute, Element, Schema, ValueType

_UNREAD = ('no effect', 'not preserved', 'foreign', 'skipped')
_PREFIXED = 'prefix:name'


class Child(NamedTuple):
    """A child element: its declaration, how often it may be there."""

    tag: str
    element: Element
    is_required: bool
    is_repeated: bool


class Content(NamedTuple):
    """
    The content that an element may have.

    ``is_mixed``: readers ignore text beside child elements without a diagnostic;
    ``is_alternative``: only one of the children is read. ``foreign`` are the tags of
    other programs' elements; ``*:*`` is any with a namespace prefix. At least one of ``any_of``
    is required.
    """

    attributes: Mapping[str, Attribute]
    children: tuple[Child, ...]
    text: Optional[ValueType]
    is_mixed: bool
    is_alternative: bool
    is_open: bool
    foreign: frozenset[str]
    has_foreign_attributes: bool
    any_of: tuple[str, ...]
    condition: tuple[str, tuple[str, ...]] = ('', ())
    """The attribute that chooses a variant, and its values; empty without variants."""


class Declarations:
    """
    The elements of a format that a version has.

    Each declaration has a name, so that one that several elements share, or that contains itself,
    is written once.
    """

    def __init__(self, schema: Schema, version: str) -> None:
        self.schema = schema
        self.version = version
        self._index = schema.versions.index(version)
        self._names: dict[tuple[str, int], str] = {}
        self._taken: set[str] = set()
        self._pending: list[tuple[str, str, Element]] = []

    def name(self, tag: str, element: Element) -> str:
        """Return the name of a declaration; a new one becomes pending."""
        known = self._names.get((tag, id(element)))
        if known is None:
            base = known = tag.replace(':', '_')
            count = 1
            while known in self._taken:
                count += 1
                known = f'{base}_{count}'
            self._taken.add(known)
            self._names[tag, id(element)] = known
            self._pending.append((known, tag, element))
        return known

    def pending(self) -> Iterable[tuple[str, str, Element]]:
        """Yield name, tag and declaration of each element that was named, each once."""
        index = 0
        while index < len(self._pending):
            yield self._pending[index]
            index += 1

    def variants(self, element: Element) -> list[Content]:
        """Return what may be in an element, by the values of the attribute that chooses it."""
        content = self.schema.content_of(element)._replace(handling=element.handling)
        chooser = content.variants
        if chooser is None:
            return [self._content(content, ())]
        values = tuple(chooser.elements)
        known = content.attributes[chooser.attribute].type.words
        others = tuple(word for word in known if word not in values)
        found = [
            self._content(content, (chooser.elements[value],))._replace(
                condition=(chooser.attribute, (value,)))
            for value in values]
        if others or not known:
            found.append(self._content(content, ())._replace(
                condition=(chooser.attribute, others)))
        return found

    def _content(self, element: Element, added: tuple[Element, ...]) -> Content:
        attributes = dict(element.attributes)
        children = dict(element.children)
        for other in added:
            attributes.update(other.attributes)
            children.update(other.children)
        policy = self.schema.policy
        is_unread = element.handling in _UNREAD and not (attributes or children or element.text)
        return Content(
            attributes={
                name: attribute for name, attribute in attributes.items()
                if self._has(attribute.since)},
            children=tuple(self._children(children)),
            text=element.text, is_mixed=policy.stray_text is None,
            is_alternative=element.choice != '', is_open=element.open or is_unread,
            foreign=element.foreign | (
                {'*:*'} if policy.is_foreign_element(_PREFIXED) else frozenset()),
            has_foreign_attributes=policy.is_foreign_attribute(_PREFIXED),
            any_of=element.any_of)

    def _children(self, children: Mapping[str, Union[Element, str]]) -> Iterable[Child]:
        may_repeat = self.schema.policy.duplicate_element is None
        for tag, declared in children.items():
            element = self.schema.elements[declared] if isinstance(declared, str) else declared
            if self._has(element.since):
                yield Child(
                    tag, element, element.required or element.expected,
                    element.repeated or element.foreign_again or may_repeat)

    def _has(self, since: str) -> bool:
        """Return whether a version has a declaration; newer ones count if readers accept them."""
        return (
            not since or self.schema.policy.newer is None
            or self.schema.versions.index(since) <= self._index)

    def words(self, kind: ValueType) -> tuple[str, ...]:
        """Return the words of an enumeration that the version has, none for another type."""
        return tuple(word for word, since in kind.words.items() if self._has(since))


def documentation(declared: Union[Attribute, Element]) -> str:
    """Return the line that an editor shows: meaning, unit, default, version, handling."""
    details = []
    if declared.unit:
        details.append(f'unit {declared.unit}')
    if declared.default not in (None, ''):
        details.append(f'default {_written(declared.default)}')
    if declared.since:
        details.append(f'since {declared.since}')
    if declared.deprecated:
        details.append(f'deprecated: {declared.deprecated}')
    if declared.handling not in ('read', 'checked'):
        details.append(declared.handling)
    return declared.doc + (f" ({'; '.join(details)})" if details else '')


def _written(value: object) -> str:
    if isinstance(value, bool):
        return 'true' if value else 'false'
    if isinstance(value, tuple):
        return ' '.join(map(_written, value))
    return f'{value:g}' if isinstance(value, float) else str(value)
