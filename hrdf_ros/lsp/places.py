# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The schema's declarations of the elements of a text, and the element at an offset."""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property
from typing import Literal, NamedTuple, Optional

from hrdf_ros.lsp.syntax import Syntax, SyntaxAttribute, SyntaxNode
from hrdf_ros.lsp.text import Span
from hrdf_ros.readers.registry import Format
from hrdf_ros.readers.schema import Attribute as Declared
from hrdf_ros.readers.schema import Element, Schema, ValueType

PlaceKind = Literal['tag', 'end tag', 'attribute', 'value', 'text', 'nothing']
_MACRO = 'xacro:'
_PUT_IN_PLACE = Element('the elements that xacro inserts here')


class Place(NamedTuple):
    """
    The thing at an offset.

    ``node`` is the element that it is in; of a ``tag`` the one around it. ``span`` is what is
    written there so far, ``attribute`` the one whose name or value that is.
    """

    kind: PlaceKind
    node: Optional[SyntaxNode]
    span: Span
    attribute: Optional[SyntaxAttribute] = None


class DeclaredElement(NamedTuple):
    """The declaration of an element, and that of its content (``like``, variants)."""

    element: Element
    content: Element


class Language:
    """The format of a text, its schema, and the version that the text is read as."""

    def __init__(self, found: Format, syntax: Syntax) -> None:
        self.name = found.name
        self.schema: Schema = found.schema()
        self._syntax = syntax
        self.version = self._version()

    def _version(self) -> str:
        schema, root = self.schema, self._syntax.root
        declared = schema.elements[schema.root].attributes.get('version')
        written = None if root is None else self._syntax.value(root, 'version')
        wanted = written or (declared and declared.default) or ''
        if wanted in schema.versions:
            return wanted
        is_older = declared is not None and wanted in declared.type.words
        return schema.versions[0 if is_older else -1]

    def has(self, since: str) -> bool:
        """Return whether the version of the text has a declaration since another version."""
        versions = self.schema.versions
        return not since or versions.index(since) <= versions.index(self.version)

    def declaration(self, node: SyntaxNode) -> Optional[DeclaredElement]:
        """Return the declaration of an element, None where the schema has none."""
        return self._declared[node]

    @cached_property
    def _declared(self) -> dict[SyntaxNode, Optional[DeclaredElement]]:
        declared: dict[SyntaxNode, Optional[DeclaredElement]] = {}
        for node in self._syntax.nodes:  # the outer before the inner ones
            parent = None if node.parent is None else declared[node.parent]
            declared[node] = self._declare(node, parent)
        return declared

    def _declare(
        self, node: SyntaxNode, parent: Optional[DeclaredElement],
    ) -> Optional[DeclaredElement]:
        schema = self.schema
        if node.parent is None:
            element = schema.elements[schema.root] if node.tag == schema.root else None
        else:
            element = None if parent is None else self.child(parent.content, node.tag)
            if element is None and parent is not None and node.tag.startswith(_MACRO):
                return DeclaredElement(_PUT_IN_PLACE, parent.content._replace(
                    attributes={}, variants=None))
        if element is None:
            return None
        content = self.schema.content_of(element)
        chooser = content.variants
        value = '' if chooser is None else self._syntax.value(node, chooser.attribute) or ''
        other = None if chooser is None else chooser.elements.get(value.strip())
        return DeclaredElement(element, content if other is None else content._replace(
            attributes={**content.attributes, **other.attributes},
            children={**content.children, **other.children}))

    def child(self, content: Element, tag: str) -> Optional[Element]:
        """Return the declaration of a child, None where the schema has none of this tag."""
        declared = content.children.get(tag)
        if declared is None:
            declared = content.mentioned.get(tag)
        return self.schema.elements[declared] if isinstance(declared, str) else declared

    def words(self, kind: ValueType) -> list[str]:
        """Return the words of an enumeration that the version has; true and false of a boolean."""
        if kind.name == 'boolean':
            return ['true', 'false']
        return [word for word, since in kind.words.items() if self.has(since)]

    def choices(self, node: SyntaxNode, name: str, declared: Declared) -> list[str]:
        """Return the words of an attribute: of its type, or of variants."""
        found = self.declaration(node)
        variants = None if found is None else found.content.variants
        if variants is not None and variants.attribute == name and not declared.type.words:
            return list(variants.elements)
        return self.words(declared.type)


def place_at(syntax: Syntax, offset: int) -> Place:
    """Return the place at an offset of a text."""
    here = Span(offset, offset)
    comment = _last_before(syntax.comments, offset)
    if comment is not None and offset < comment.end:
        return Place('nothing', None, here)
    node = syntax.node_at(offset)
    stray = _last_before(syntax.strays, offset - 1)
    if stray is not None and offset <= stray.end and syntax.source[stray.end - 1] != '>':
        return Place('end tag', node, Span(stray.start + 2, stray.end))
    if node is None:
        return Place('nothing', None, here)
    if node.tag_span.has(offset):
        return Place('tag', node.parent, node.tag_span)
    if node.is_broken or offset < _start_tag_end(node):
        return _in_start_tag(node, offset)
    if node.close_span is not None and offset >= node.close_span.start - 1:
        return Place('end tag', node, node.close_span)
    text = syntax.text_span(node)
    return Place('text', node, text if text.has(offset) else here)


def _last_before(spans: list[Span], offset: int) -> Optional[Span]:
    """Return the last of some parts of a text, in their order, that starts before an offset."""
    index = bisect_left(spans, offset, key=lambda span: span.start) - 1
    return spans[index] if index >= 0 else None


def _start_tag_end(node: SyntaxNode) -> int:
    return node.end if node.is_empty else node.content.start


def _in_start_tag(node: SyntaxNode, offset: int) -> Place:
    for attribute in node.attributes:
        if attribute.value is not None and attribute.value.has(offset):
            return Place('value', node, attribute.value, attribute)
        if attribute.span.has(offset):
            return Place('attribute', node, attribute.span, attribute)
    return Place('attribute', node, Span(offset, offset))
