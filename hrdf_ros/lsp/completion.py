# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Proposals for a place: elements, attributes, words, names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple, Union

from hrdf_ros.document import escape
from hrdf_ros.lsp.documents import Buffer
from hrdf_ros.lsp.hover import describe_part
from hrdf_ros.lsp.library import Library
from hrdf_ros.lsp.names import include_around, NameReference
from hrdf_ros.lsp.places import DeclaredElement, Language, Place, place_at
from hrdf_ros.lsp.text import Span
from hrdf_ros.readers.registry import FORMATS
from hrdf_ros.readers.schema import Attribute, Element, ValueType
from hrdf_ros.schema_export.content import documentation

_UNUSED = ('no effect', 'foreign', 'skipped')
ItemKind = Literal['element', 'attribute', 'word', 'name']


class Item(NamedTuple):
    """
    A proposal: ``text`` replaces the span.

    ``snippet`` is the same for editors with tab stops; ``rank`` sorts, the least first.
    """

    label: str
    kind: ItemKind
    span: Span
    text: str
    detail: str = ''
    snippet: str = ''
    rank: int = 1


def complete(buffer: Buffer, offset: int, library: Library) -> list[Item]:
    """Return the proposals for an offset of a text, in the version of the text."""
    place = place_at(buffer.syntax, offset)
    language = buffer.language
    if place.kind == 'end tag' and place.node is not None:
        return [Item(place.node.tag, 'element', place.span, f'{place.node.tag}>')]
    if language is None:
        return list(_roots(buffer, place))
    if place.kind == 'tag':
        return list(_elements(buffer, language, place, place.span))
    if place.node is None:
        return list(_elements(buffer, language, place, Span(offset, offset)))
    found = language.declaration(place.node)
    if found is None:
        return []
    if place.kind == 'attribute':
        return list(_attributes(buffer, language, place, found))
    if place.kind == 'value' and place.attribute is not None:
        declared = found.content.attributes.get(place.attribute.name)
        return [] if declared is None else list(
            _values(buffer, language, library, place, declared, language.choices(
                place.node, place.attribute.name, declared)))
    words = _words(language, found.content.text)
    here = Span(offset, offset) if found.content.text is None else place.span
    return [
        *_values(buffer, language, library, place, found.element, words),
        *_elements(buffer, language, place, here)]


def _words(language: Language, kind: Union[ValueType, None]) -> list[str]:
    return [] if kind is None else language.words(kind)


def _roots(buffer: Buffer, place: Place) -> Iterator[Item]:
    """Yield the root elements of all formats, for a text that has no root element so far."""
    if any(root.tag_span != place.span for root in buffer.syntax.roots):
        return
    for found in FORMATS:
        schema = found.schema()
        root = schema.elements[schema.root]
        yield Item(
            label=schema.root, kind='element', span=place.span,
            text=schema.root if place.kind == 'tag' else f'<{schema.root}>',
            detail=f'{schema.policy.format}: {documentation(root)}')


def _elements(
    buffer: Buffer, language: Language, place: Place, span: Span,
) -> Iterator[Item]:
    """Yield the elements that may be in the one around a place, and are not there yet."""
    node = place.node
    if node is None:
        if not any(root.tag_span != span for root in buffer.syntax.roots):
            schema = language.schema
            yield _element(language, schema.root, schema.elements[schema.root], place, span)
        return
    found = language.declaration(node)
    if found is None:
        return
    present = {child.tag for child in node.children if child.tag_span != span}
    for tag in found.content.children:
        declared = language.child(found.content, tag)
        if declared is None or declared.handling in _UNUSED:
            continue
        if not language.has(declared.since):
            continue
        if declared.repeated or tag not in present:
            yield _element(language, tag, declared, place, span)


def _element(
    language: Language, tag: str, declared: Element, place: Place, span: Span,
) -> Item:
    """Return an element as a proposal: whole, with its required attributes, where it is new."""
    content = language.schema.elements[declared.like] if declared.like else declared
    detail = documentation(declared)
    rank = 0 if declared.required else 2 if declared.deprecated else 1
    typed = [node for node in (place.node.children if place.node else []) if node.tag_span == span]
    if place.kind == 'tag' and typed and not typed[0].is_broken:
        return Item(label=tag, kind='element', span=span, text=tag, detail=detail, rank=rank)
    opening = '' if place.kind == 'tag' else '<'
    required = [name for name, one in content.attributes.items() if one.required or one.expected]
    attributes = ''.join(
        f' {name}="${{{index}}}"' for index, name in enumerate(required, start=1))
    is_empty = not content.children and content.text is None and not content.open
    end = '/>' if is_empty else f'>$0</{tag}>'
    return Item(
        label=tag, kind='element', span=span, text=f'{opening}{tag}', detail=detail,
        snippet=f'{opening}{tag}{attributes}{end}', rank=rank)


def _attributes(
    buffer: Buffer, language: Language, place: Place, found: DeclaredElement,
) -> Iterator[Item]:
    """Yield the attributes that an element may have, and does not have yet."""
    assert place.node is not None
    present = {one.name for one in place.node.attributes if one is not place.attribute}
    typed = place.attribute
    has_value = typed is not None and typed.value is not None
    for name, declared in found.content.attributes.items():
        if name in present or declared.handling in _UNUSED:
            continue
        if not language.has(declared.since):
            continue
        yield Item(
            label=name, kind='attribute', span=place.span,
            text=name if has_value else f'{name}=""',
            detail=documentation(declared), snippet='' if has_value else f'{name}="$1"',
            rank=0 if declared.required or declared.expected else 2 if declared.deprecated else 1)


def _values(
    buffer: Buffer, language: Language, library: Library, place: Place,
    declared: Union[Attribute, Element], words: Iterable[str],
) -> Iterator[Item]:
    """Yield the words and the names that a value may be."""
    node = place.node
    assert node is not None
    for word in words:
        yield Item(
            label=word, kind='word', span=place.span, text=word,
            detail=describe_part(node.tag, word) or '')
    if declared.refers:
        yield from _names(buffer, language, library, place, declared)


def _names(
    buffer: Buffer, language: Language, library: Library, place: Place,
    declared: Union[Attribute, Element],
) -> Iterator[Item]:
    """Yield the names of things that a value may refer to."""
    node = place.node
    assert node is not None
    found = language.declaration(node)
    assert found is not None
    scope = buffer.names.scope_for(node, found.element, declared)
    reference = NameReference(declared.refers, (), scope, include_around(declared, node))
    around = node.path()
    for name, definition in library.visible(buffer, reference):
        if definition.node in around:
            continue  # nothing refers to itself
        yield Item(
            label=name, kind='name', span=place.span, text=escape(name), detail=definition.kind)
