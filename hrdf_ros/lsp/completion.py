# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Proposals for a place: elements, attributes, words, names. And its meaning, for hover."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
import math
import os
from typing import Optional

from hrdf_ros.document import escape
from hrdf_ros.lsp.analysis import FramePlace
from hrdf_ros.lsp.library import Library
from hrdf_ros.lsp.names import Buffer, Declared, DeclaredElement, Language
from hrdf_ros.lsp.syntax import Cursor, cursor_at, SyntaxNode
from hrdf_ros.lsp.text import code, Span
from hrdf_ros.readers.hrdf import catalog
from hrdf_ros.readers.registry import FORMATS
from hrdf_ros.readers.schema import Attribute, Element, ValueType
from hrdf_ros.schema_export.content import documentation
from lsprotocol import types as lsp

_UNUSED = ('no effect', 'foreign', 'skipped')
_ELEMENT = lsp.CompletionItemKind.Class
_ATTRIBUTE = lsp.CompletionItemKind.Property
_WORD = lsp.CompletionItemKind.EnumMember
_NAME = lsp.CompletionItemKind.Reference
_RPM = 60.0 / math.tau
_SHOWN_FRAMES = 4
Items = Iterator[lsp.CompletionItem]
Frames = Mapping[FramePlace, list[str]]


def complete(
    buffer: Buffer, offset: int, library: Library, *, snippets: bool,
) -> list[lsp.CompletionItem]:
    """Return the proposals for an offset, in the version of the text; ``snippets``: tab stops."""
    cursor = cursor_at(buffer.syntax, offset)
    if buffer.language is None:
        return list(_roots(buffer, cursor))
    return list(_Proposals(buffer, buffer.language, cursor, offset, snippets).items(library))


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


def _roots(buffer: Buffer, cursor: Cursor) -> Items:
    """Yield the root elements of all formats, for a text that has no root element so far."""
    if any(root.tag_span != cursor.span for root in buffer.syntax.roots):
        return
    for found in FORMATS:
        schema = found.schema()
        text = schema.root if cursor.kind == 'tag' else f'<{schema.root}>'
        about = documentation(schema.elements[schema.root])
        yield _item(buffer, cursor.span, schema.root, _ELEMENT, text,
                    f'{schema.policy.format}: {about}')


class _Proposals:
    """The proposals for one place of a text."""

    def __init__(
        self, buffer: Buffer, language: Language, cursor: Cursor, offset: int, snippets: bool,
    ) -> None:
        self._buffer = buffer
        self._language = language
        self._cursor = cursor
        self._here = Span(offset, offset)
        self._has_snippets = snippets

    def items(self, library: Library) -> Items:
        """Yield the proposals."""
        cursor, attribute = self._cursor, self._cursor.attribute
        found = self._language.declaration(cursor.node)
        if cursor.kind == 'end tag' and cursor.node is not None:
            tag = cursor.node.tag
            yield _item(self._buffer, cursor.span, tag, _ELEMENT, f'{tag}>')
        elif cursor.kind == 'tag' or cursor.node is None:
            yield from self._elements(cursor.span if cursor.kind == 'tag' else self._here)
        elif found is not None and cursor.kind == 'attribute':
            yield from self._attributes(found)
        elif found is not None and cursor.kind == 'value' and attribute is not None:
            declared = found.content.attributes.get(attribute.name)
            if declared is not None:
                variants = found.content.variants
                is_chooser = variants is not None and variants.attribute == attribute.name
                words = self._language.words(declared.type) or (
                    variants.elements if variants is not None and is_chooser else ())
                yield from self._values(found, declared, words, library)
        elif found is not None:
            kind = found.content.text
            words = () if kind is None else self._language.words(kind)
            yield from self._values(found, found.element, words, library)
            yield from self._elements(self._here if kind is None else cursor.span)

    def _elements(self, span: Span) -> Items:
        """Yield the elements that may be in the one around a place, and are not there yet."""
        around, schema = self._cursor.around, self._language.schema
        siblings = self._buffer.syntax.roots if around is None else around.children
        present = {one.tag for one in siblings if one.tag_span != span}
        found = self._language.declaration(around)
        if around is None and not present:
            yield self._element(schema.root, schema.elements[schema.root], span)
        for tag in () if found is None else found.content.children:
            declared = None if found is None else self._language.child(found.content, tag)
            if declared is not None and self._is_proposed(declared) and (
                    declared.repeated or tag not in present):
                yield self._element(tag, declared, span)

    def _is_proposed(self, declared: Declared) -> bool:
        return declared.handling not in _UNUSED and self._language.has(declared.since)

    def _element(self, tag: str, declared: Element, span: Span) -> lsp.CompletionItem:
        """Return an element: whole, with its required attributes, where it is new."""
        content, node = self._language.schema.content_of(declared), self._cursor.node
        is_tag = self._cursor.kind == 'tag'
        opening, snippet = '' if is_tag else '<', ''
        if self._has_snippets and not (is_tag and node is not None and not node.is_broken):
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
        typed = self._cursor.attribute
        present = {one.name for one in found.node.attributes if one is not typed}
        has_value = typed is not None and typed.value is not None
        for name, declared in found.content.attributes.items():
            if name not in present and self._is_proposed(declared):
                is_needed = declared.required or declared.expected
                yield _item(
                    self._buffer, self._cursor.span, name, _ATTRIBUTE,
                    name if has_value else f'{name}=""', documentation(declared),
                    snippet='' if has_value or not self._has_snippets else f'{name}="$1"',
                    rank=0 if is_needed else 2 if declared.deprecated else 1)

    def _values(
        self, found: DeclaredElement, declared: Declared, words: Iterable[str], library: Library,
    ) -> Items:
        """Yield the words, and the names of things, that a value may be."""
        buffer, span = self._buffer, self._cursor.span
        for word in words:
            about = _part(found.node.tag, word) or ''
            yield _item(buffer, span, word, _WORD, word, about)
        if declared.refers:
            around = found.node.path()
            for name, definition in library.visible(buffer.names.reference(found, declared)):
                if definition.node not in around:  # nothing refers to itself
                    yield _item(buffer, span, name, _NAME, escape(name), definition.kinds[0])


# ---- hover

def hover(buffer: Buffer, offset: int, library: Library, frames: Frames) -> Optional[lsp.Hover]:
    """Return the documentation of an offset; ``frames`` are those of the last Model."""
    cursor, language = cursor_at(buffer.syntax, offset), buffer.language
    found = None if language is None else language.declaration(cursor.node)
    if language is None or found is None:
        return None
    if cursor.kind in ('tag', 'end tag'):
        lines = _about_element(buffer, language, found, frames)
    elif cursor.kind == 'attribute':
        lines = _about_attribute(language, cursor, found)
    else:
        lines = _about_value(buffer, cursor, found, library, frames)
    markdown = '\n\n'.join(lines)
    return lsp.Hover(
        lsp.MarkupContent(lsp.MarkupKind.Markdown, markdown),
        buffer.text.range_of(cursor.span)) if markdown else None


def _about_element(
    buffer: Buffer, language: Language, found: DeclaredElement, frames: Frames,
) -> Iterator[str]:
    yield f'**<{found.node.tag}>** {documentation(found.element)}'
    if found.content.text is not None:
        yield _type(language, found.content.text)
    yield from _frames_of(buffer, found.node, frames)


def _about_attribute(language: Language, cursor: Cursor, found: DeclaredElement) -> Iterator[str]:
    declared = _attribute(cursor, found)
    if declared is not None and cursor.attribute is not None:
        yield f'**{cursor.attribute.name}** {documentation(declared)}'
        yield ('required; ' if declared.required else '') + _type(language, declared.type)


def _attribute(cursor: Cursor, found: DeclaredElement) -> Optional[Attribute]:
    name = '' if cursor.attribute is None else cursor.attribute.name
    return found.content.attributes.get(name)


def _type(language: Language, kind: ValueType) -> str:
    words = language.words(kind)
    return f"one of {', '.join(words)}" if words else f'type: {kind.name}'


def _about_value(
    buffer: Buffer, cursor: Cursor, found: DeclaredElement, library: Library, frames: Frames,
) -> Iterator[str]:
    """Yield the meaning of a value: a part of HEBI's library, a named thing, its attribute."""
    text, attribute, tag = buffer.syntax.plain(cursor.span), cursor.attribute, found.node.tag
    if not text:
        return
    part = _part(tag, text) if attribute is not None and attribute.name == 'type' else None
    if part is not None:
        yield f'**{text}** {part}'
    for named in library.named_at(buffer, cursor.span.end)[:1]:
        other = named.scope.buffer
        line = other.text.position(named.span.start).line + 1
        at = code(f'{os.path.basename(other.path)}:{line}')
        yield f'**{code(named.name)}** {named.kinds[0]}, {at}'
        if named.node is not None:
            yield from _frames_of(other, named.node, frames)
    declared = _attribute(cursor, found)
    if declared is not None and attribute is not None:
        yield f'{attribute.name}: {documentation(declared)}'
    elif attribute is None and found.content.text is not None:
        yield f'<{tag}>: {documentation(found.element)}'


def _frames_of(buffer: Buffer, node: SyntaxNode, frames: Frames) -> Iterator[str]:
    """Yield the descriptions of the frames that come from an element."""
    source, start = buffer.syntax.source, node.start
    line, column = source.count('\n', 0, start) + 1, start - source.rfind('\n', 0, start)
    yield from frames.get((buffer.real, line, column), [])[:_SHOWN_FRAMES]


def _part(tag: str, name: str) -> Optional[str]:
    """Return a line about a part of HEBI's library by its element, None where there is none."""
    if tag == 'actuator' and name in catalog.ACTUATORS:
        actuator = catalog.ACTUATORS[name]
        return (
            f'actuator with interface {_interface(actuator)}: mass {actuator.inertia.mass:g} kg, '
            f'torque {actuator.effort:g} Nm, speed {actuator.velocity:.4g} rad/s '
            f'({actuator.velocity * _RPM:.3g} rpm), height {actuator.output.z:g} m')
    if tag == 'bracket' and name in catalog.BRACKETS:
        bracket = catalog.BRACKETS[name]
        return f'bracket for {_interface(bracket)}: mass {bracket.inertia.mass:g} kg'
    if tag == 'link' and name in catalog.LINKS:
        link = catalog.LINKS[name]
        base = ' to '.join(dict.fromkeys(
            f'{mass:g}' for mass in (min(link.bases.values()), max(link.bases.values()))))
        return (
            f'link from interface {link.interface} to {link.output_interface}: mass '
            f'{link.mass_per_meter:g} kg for each meter of extension, and {base} kg by its ends')
    if tag == 'end-effector' and name in catalog.END_EFFECTORS:
        found = catalog.END_EFFECTORS[name]
        return f'end effector for {_interface(found)}: mass {found.inertia.mass:g} kg'
    return None


def _interface(part: catalog.Part) -> str:
    return 'anything' if part.accepts is None else part.accepts[0]
