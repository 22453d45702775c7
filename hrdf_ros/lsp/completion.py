# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Proposals for a place: elements, attributes, words, names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Union

from hrdf_ros.document import escape
from hrdf_ros.lsp.hover import describe_part
from hrdf_ros.lsp.library import Buffer, Library
from hrdf_ros.lsp.names import include_around, NameReference
from hrdf_ros.lsp.places import DeclaredElement, Language, Place, place_at
from hrdf_ros.lsp.text import Span
from hrdf_ros.readers.registry import FORMATS
from hrdf_ros.readers.schema import Attribute, Element
from hrdf_ros.schema_export.content import documentation
from lsprotocol import types as lsp

_UNUSED = ('no effect', 'foreign', 'skipped')
_ELEMENT = lsp.CompletionItemKind.Class
_ATTRIBUTE = lsp.CompletionItemKind.Property
_WORD = lsp.CompletionItemKind.EnumMember
_NAME = lsp.CompletionItemKind.Reference
Items = Iterator[lsp.CompletionItem]


def complete(
    buffer: Buffer, offset: int, library: Library, *, snippets: bool,
) -> list[lsp.CompletionItem]:
    """Return the proposals for an offset, in the version of the text; ``snippets``: tab stops."""
    language = buffer.language
    if language is None:
        return list(_roots(buffer, place_at(buffer.syntax, offset)))
    return list(_Proposals(buffer, language, offset, snippets).items(library))


def _item(
    buffer: Buffer, span: Span, label: str, kind: lsp.CompletionItemKind, text: str,
    detail: str = '', *, snippet: str = '', rank: int = 1,
) -> lsp.CompletionItem:
    """Return a proposal to replace a span; ``rank`` sorts, the least first."""
    is_typed = span.start < span.end
    return lsp.CompletionItem(
        label=label, kind=kind, detail=detail or None, sort_text=f'{rank}{label}',
        filter_text=text if text.startswith('<') and not is_typed else label,
        insert_text_format=(
            lsp.InsertTextFormat.Snippet if snippet else lsp.InsertTextFormat.PlainText),
        text_edit=lsp.TextEdit(buffer.text.range_of(span), snippet or text))


def _roots(buffer: Buffer, place: Place) -> Items:
    """Yield the root elements of all formats, for a text that has no root element so far."""
    if any(root.tag_span != place.span for root in buffer.syntax.roots):
        return
    for found in FORMATS:
        schema = found.schema()
        text = schema.root if place.kind == 'tag' else f'<{schema.root}>'
        about = documentation(schema.elements[schema.root])
        yield _item(buffer, place.span, schema.root, _ELEMENT, text,
                    f'{schema.policy.format}: {about}')


class _Proposals:
    """The proposals for one place of a text."""

    def __init__(
        self, buffer: Buffer, language: Language, offset: int, snippets: bool,
    ) -> None:
        self._buffer = buffer
        self._language = language
        self._place = place_at(buffer.syntax, offset)
        self._here = Span(offset, offset)
        self._has_snippets = snippets

    def items(self, library: Library) -> Items:
        """Yield the proposals."""
        place, language = self._place, self._language
        node, attribute = place.node, place.attribute
        found = None if node is None else language.declaration(node)
        if place.kind == 'end tag' and node is not None:
            yield _item(self._buffer, place.span, node.tag, _ELEMENT, f'{node.tag}>')
        elif place.kind == 'tag' or node is None:
            yield from self._elements(place.span if place.kind == 'tag' else self._here)
        elif found is not None and place.kind == 'attribute':
            yield from self._attributes(found)
        elif found is not None and place.kind == 'value' and attribute is not None:
            declared = found.content.attributes.get(attribute.name)
            if declared is not None:
                words = language.choices(node, attribute.name, declared)
                yield from self._values(declared, words, library)
        elif found is not None:
            kind = found.content.text
            words = [] if kind is None else language.words(kind)
            yield from self._values(found.element, words, library)
            yield from self._elements(self._here if kind is None else place.span)

    def _elements(self, span: Span) -> Items:
        """Yield the elements that may be in the one around a place, and are not there yet."""
        node, language = self._place.node, self._language
        if node is None:
            if not any(root.tag_span != span for root in self._buffer.syntax.roots):
                schema = language.schema
                yield self._element(schema.root, schema.elements[schema.root], span)
            return
        found = language.declaration(node)
        present = {child.tag for child in node.children if child.tag_span != span}
        for tag in () if found is None else found.content.children:
            declared = None if found is None else language.child(found.content, tag)
            if declared is not None and self._is_proposed(declared) and (
                    declared.repeated or tag not in present):
                yield self._element(tag, declared, span)

    def _is_proposed(self, declared: Union[Attribute, Element]) -> bool:
        return declared.handling not in _UNUSED and self._language.has(declared.since)

    def _element(self, tag: str, declared: Element, span: Span) -> lsp.CompletionItem:
        """Return an element: whole, with its required attributes, where it is new."""
        content = self._language.schema.content_of(declared)
        around = self._place.node
        opening = '' if self._place.kind == 'tag' else '<'
        is_complete = any(
            one.tag_span == span and not one.is_broken
            for one in (around.children if around is not None else ()))
        snippet = ''
        if self._has_snippets and not (opening == '' and is_complete):
            required = [
                name for name, one in content.attributes.items() if one.required or one.expected]
            attributes = ''.join(
                f' {name}="${{{index}}}"' for index, name in enumerate(required, start=1))
            is_empty = not content.children and content.text is None and not content.open
            end = '/>' if is_empty else f'>$0</{tag}>'
            snippet = f'{opening}{tag}{attributes}{end}'
        return _item(
            self._buffer, span, tag, _ELEMENT, f'{opening}{tag}', documentation(declared),
            snippet=snippet, rank=0 if declared.required else 2 if declared.deprecated else 1)

    def _attributes(self, found: DeclaredElement) -> Items:
        """Yield the attributes that an element may have, and does not have yet."""
        node, typed = self._place.node, self._place.attribute
        attributes = node.attributes if node is not None else []
        present = {one.name for one in attributes if one is not typed}
        has_value = typed is not None and typed.value is not None
        for name, declared in found.content.attributes.items():
            if name not in present and self._is_proposed(declared):
                is_needed = declared.required or declared.expected
                yield _item(
                    self._buffer, self._place.span, name, _ATTRIBUTE,
                    name if has_value else f'{name}=""', documentation(declared),
                    snippet='' if has_value or not self._has_snippets else f'{name}="$1"',
                    rank=0 if is_needed else 2 if declared.deprecated else 1)

    def _values(
        self, declared: Union[Attribute, Element], words: Iterable[str], library: Library,
    ) -> Items:
        """Yield the words, and the names of things, that a value may be."""
        buffer, node, span = self._buffer, self._place.node, self._place.span
        found = None if node is None else self._language.declaration(node)
        if node is None or found is None:
            return
        for word in words:
            yield _item(buffer, span, word, _WORD, word, describe_part(node.tag, word) or '')
        if declared.refers:
            scope = buffer.names.scope_for(node, found.element, declared)
            reference = NameReference(declared.refers, (), scope, include_around(declared, node))
            around = node.path()
            for name, definition in library.visible(reference):
                if definition.node not in around:  # nothing refers to itself
                    yield _item(buffer, span, name, _NAME, escape(name), definition.kind)
