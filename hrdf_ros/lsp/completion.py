# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Completion and hover: the elements, attributes, words and names that fit at a place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
import math
import os
from typing import Optional

from hrdf_ros.document import escape
from hrdf_ros.lsp.analysis import FramePlace
from hrdf_ros.lsp.language import Declared, DeclaredElement, Language
from hrdf_ros.lsp.library import Library, VISIBLE_NAMES
from hrdf_ros.lsp.names import Buffer, FILE
from hrdf_ros.lsp.paths import proposals, suffixes_of
from hrdf_ros.lsp.positions import code, Span
from hrdf_ros.lsp.syntax import cursor_at, SyntaxNode
from hrdf_ros.readers.hrdf import catalog
from hrdf_ros.readers.registry import FORMATS
from hrdf_ros.readers.schema import Attribute, Element, ValueType
from hrdf_ros.schema_export.content import documentation
from lsprotocol import types as lsp

_UNUSED = ('no effect', 'foreign', 'skipped')
"""The values of a declaration's handling for which it is not proposed."""
_ELEMENT = lsp.CompletionItemKind.Class
_ATTRIBUTE = lsp.CompletionItemKind.Property
_WORD = lsp.CompletionItemKind.EnumMember
_NAME = lsp.CompletionItemKind.Reference
_FILE = lsp.CompletionItemKind.File
_FOLDER = lsp.CompletionItemKind.Folder
_RPM = 60.0 / math.tau
"""The revolutions per minute of one radian per second."""
_SHOWN_FRAMES = 4
"""The most frames of one element that a hover describes; an include may define hundreds."""
Items = Iterator[lsp.CompletionItem]
Frames = Mapping[FramePlace, list[str]]


def complete(
    buffer: Buffer, offset: int, library: Library, *, snippets: bool,
) -> lsp.CompletionList:
    """
    Return the proposals for an offset, for the version of the format that the text states.

    With ``snippets`` the proposals have tab stops. A list of many names is marked incomplete, so
    the editor asks again at the next letter.
    """
    if buffer.language is not None:
        languages = [buffer.language]
    elif all(root.tag_span.has(offset) for root in buffer.syntax.roots):
        languages = [Language(found, buffer.syntax) for found in FORMATS]
    else:
        languages = []
    places = [_Place(buffer, language, offset, snippets) for language in languages]
    items = [item for place in places for item in place.items(library)]
    return lsp.CompletionList(len(items) >= VISIBLE_NAMES, items)


def hover(buffer: Buffer, offset: int, library: Library, frames: Frames) -> Optional[lsp.Hover]:
    """Return the documentation for an offset; ``frames`` are those of the last analysis."""
    if buffer.language is None:
        return None
    place = _Place(buffer, buffer.language, offset)
    markdown = '\n\n'.join(place.meaning(library, frames))
    return lsp.Hover(
        lsp.MarkupContent(lsp.MarkupKind.Markdown, markdown),
        buffer.text.range_of(place.cursor.span)) if markdown else None


class _Place:
    """A place in a text: ``found`` is its element, ``declared`` the element or attribute there."""

    def __init__(
        self, buffer: Buffer, language: Language, offset: int, has_snippets: bool = False,
    ) -> None:
        self.buffer = buffer
        self.has_snippets = has_snippets
        self.here = Span(offset, offset)
        self.language = language
        self.cursor = cursor_at(buffer.syntax, offset)
        self.found = language.declaration(self.cursor.node)
        self.declared: Optional[Declared] = self.found and self.found.element
        if self.found is not None and self.cursor.attribute is not None:
            self.declared = self.found.content.attributes.get(self.cursor.attribute.name)

    @property
    def kind(self) -> Optional[ValueType]:
        """The type of the value or text at this place."""
        if isinstance(self.declared, Attribute):
            return self.declared.type
        return None if self.found is None or self.declared is None else self.found.content.text

    def words(self) -> Iterable[str]:
        """Return the words that are allowed as the value or text."""
        words = () if self.kind is None else self.language.words(self.kind)
        chooser = None if self.found is None else self.found.content.variants
        attribute = self.cursor.attribute
        is_chooser = chooser and attribute and attribute.name == chooser.attribute
        return words or (chooser.elements if chooser and is_chooser else ())

    # ---- proposals

    def items(self, library: Library) -> Items:
        cursor, found = self.cursor, self.found
        if cursor.kind == 'end tag' and cursor.node is not None:
            yield self._item(cursor.span, cursor.node.tag, _ELEMENT, f'{cursor.node.tag}>')
        elif cursor.kind == 'tag' or cursor.node is None:
            yield from self._elements(cursor.span if cursor.kind == 'tag' else self.here)
        elif found is not None and cursor.kind == 'attribute':
            yield from self._attributes(found)
        elif found is not None:
            yield from self._values(found, library)
            if cursor.kind == 'text' and not self._is_in_word():
                yield from self._elements(
                    self.here if found.content.text is None else cursor.span)

    def _is_in_word(self) -> bool:
        """Return whether the place follows a letter of a word, which an element would split."""
        start = self.here.start
        return start > 0 and self.buffer.syntax.source[start - 1].isalnum()

    def _item(
        self, span: Span, label: str, kind: lsp.CompletionItemKind, text: str,
        detail: str = '', *, snippet: str = '', rank: int = 1,
    ) -> lsp.CompletionItem:
        """Return a proposal that replaces a span; proposals of the lowest ``rank`` come first."""
        is_typed = span.start < span.end
        return lsp.CompletionItem(
            label=label, kind=kind, detail=detail or None, sort_text=f'{rank}{label}',
            filter_text=text if text.startswith('<') and not is_typed else label,
            insert_text_format=(
                lsp.InsertTextFormat.Snippet if snippet else lsp.InsertTextFormat.PlainText),
            text_edit=lsp.TextEdit(self.buffer.text.range_of(span), snippet or text))

    def _elements(self, span: Span) -> Items:
        """Yield the elements that may be added at this place."""
        language, around = self.language, self.cursor.around
        siblings = self.buffer.syntax.roots if around is None else around.children
        present = {one.tag for one in siblings if one.tag_span != span}
        found, schema = language.declaration(around), language.schema
        if around is None and not present:
            yield self._element(
                schema.root, schema.elements[schema.root], span, f'{schema.policy.format}: ')
        for tag in () if found is None else found.content.children:
            declared = None if found is None else language.child(found.content, tag)
            if declared is not None and self._is_proposed(declared) and (
                    declared.repeated or tag not in present):
                yield self._element(tag, declared, span)

    def _is_proposed(self, declared: Declared) -> bool:
        return declared.handling not in _UNUSED and self.language.has(declared.since)

    def _element(
        self, tag: str, declared: Element, span: Span, detail: str = '',
    ) -> lsp.CompletionItem:
        """Return an element as a proposal; a new element has its required attributes."""
        cursor = self.cursor
        content, node = self.language.schema.content_of(declared), cursor.node
        is_tag = cursor.kind == 'tag'
        opening, snippet = '' if is_tag else '<', ''
        if self.has_snippets and not (is_tag and node is not None and not node.is_broken):
            required = [
                name for name, one in content.attributes.items() if one.required or one.expected]
            attributes = ''.join(
                f' {name}="${{{index}}}"' for index, name in enumerate(required, start=1))
            is_empty = not content.children and content.text is None and not content.open
            end = '/>' if is_empty else f'>$0</{tag}>'
            snippet = f'{opening}{tag}{attributes}{end}'
        return self._item(
            span, tag, _ELEMENT, f'{opening}{tag}', detail + documentation(declared),
            snippet=snippet, rank=0 if declared.required else 2 if declared.deprecated else 1)

    def _attributes(self, found: DeclaredElement) -> Items:
        """Yield the attributes that the element may have and does not have yet."""
        typed = self.cursor.attribute
        present = {one.name for one in found.node.attributes if one is not typed}
        has_value = typed is not None and typed.value is not None
        for name, declared in found.content.attributes.items():
            if name not in present and self._is_proposed(declared):
                is_needed = declared.required or declared.expected
                yield self._item(
                    self.cursor.span, name, _ATTRIBUTE,
                    name if has_value else f'{name}=""', documentation(declared),
                    snippet='' if has_value or not self.has_snippets else f'{name}="$1"',
                    rank=0 if is_needed else 2 if declared.deprecated else 1)

    def _values(self, found: DeclaredElement, library: Library) -> Items:
        """Yield the words and names that the value may be."""
        span, declared = self.cursor.span, self.declared
        for word in self.words():
            yield self._item(span, word, _WORD, word, _part(found.node.tag, word))
        if declared is not None and FILE in declared.refers:
            yield from self._paths(found, library)
        elif declared is not None and declared.refers:
            reference = self.buffer.names.reference(found, declared)
            typed = self.buffer.text.source[span.start:self.here.start]
            for name, kind in library.visible(reference, found.node.path(), typed):
                yield self._item(span, name, _NAME, escape(name), kind)

    def _paths(self, found: DeclaredElement, library: Library) -> Items:
        """
        Yield the possible continuations of a path.

        Each replaces the part of the path that ends at the next slash.
        """
        span, node, attribute = self.cursor.span, found.node, self.cursor.attribute
        source, here = self.buffer.text.source, self.here.start
        slash = source.find('/', here, span.end)
        strips = self.buffer.names.strips_paths(found)
        if strips:
            span = Span(max(span.start, source.rfind('/', span.start, here) + 1), span.end)
        names = (attribute.name if attribute else '', *(one.tag for one in node.path()[:-3:-1]))
        for one in proposals(
                source[span.start:here], self.buffer.path, library.resolver,
                self.buffer.names.directory(found), suffixes_of(names)):
            if strips and one.is_folder:
                continue
            text = one.text if slash < 0 else one.text.removesuffix('/')
            yield self._item(
                Span(span.start + one.start, span.end if slash < 0 else slash), one.text,
                _FOLDER if one.is_folder else _FILE, escape(text), rank=1 if one.is_folder else 2)

    # ---- hover

    def meaning(self, library: Library, frames: Frames) -> Iterator[str]:
        """Yield the documentation of the element, attribute or value."""
        found, declared, attribute = self.found, self.declared, self.cursor.attribute
        if found is None or declared is None:
            return
        if self.cursor.kind in ('value', 'text'):
            yield from self._about_value(found, declared, library, frames)
            return
        is_required = isinstance(declared, Attribute) and declared.required
        name = f'<{found.node.tag}>' if attribute is None else attribute.name
        yield f'**{name}** {documentation(declared)}'
        if self.kind is not None:
            words = self.language.words(self.kind)
            yield ('required; ' if is_required else '') + (
                f"one of {', '.join(words)}" if words else f'type: {self.kind.name}')
        if attribute is None:
            yield from _frames_of(self.buffer, found.node, frames)

    def _about_value(
        self, found: DeclaredElement, declared: Declared, library: Library, frames: Frames,
    ) -> Iterator[str]:
        """
        Yield the meaning of a value, then that of its attribute.

        A value may be a part of HEBI's library, or name an item.
        """
        span, attribute, tag = self.cursor.span, self.cursor.attribute, found.node.tag
        text = self.buffer.syntax.plain(span)
        if not text:
            return
        part = _part(tag, text) if attribute is not None and attribute.name == 'type' else ''
        if part:
            yield f'**{text}** {part}'
        for named in library.named_at(self.buffer, span.end)[:1]:
            other = named.scope.buffer
            line = other.text.position(named.span.start).line + 1
            at = code(f'{os.path.basename(other.path)}:{line}')
            yield f'**{code(named.name)}** {named.kinds[0]}, {at}'
            if named.node is not None:
                yield from _frames_of(other, named.node, frames)
        if attribute is not None:
            yield f'{attribute.name}: {documentation(declared)}'
        elif self.kind is not None:
            yield f'<{tag}>: {documentation(declared)}'


def _frames_of(buffer: Buffer, node: SyntaxNode, frames: Frames) -> Iterator[str]:
    """Yield the descriptions of the frames that an element defines."""
    source, start = buffer.syntax.source, node.start
    line, column = source.count('\n', 0, start) + 1, start - source.rfind('\n', 0, start)
    yield from frames.get((buffer.real, line, column), [])[:_SHOWN_FRAMES]


def _part(tag: str, name: str) -> str:
    """Return a line about a part of HEBI's library, or '' if the element names none."""
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
    return ''


def _interface(part: catalog.Part) -> str:
    return 'anything' if part.accepts is None else part.accepts[0]
