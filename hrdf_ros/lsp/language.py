# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The schema of a text in the version that the text states: the declarations of its elements."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple, Optional, Union

from hrdf_ros.lsp.syntax import Syntax, SyntaxNode
from hrdf_ros.readers.registry import Format
from hrdf_ros.readers.schema import Attribute, Element, Schema, ValueType

Declared = Union[Attribute, Element]
_MACRO = 'xacro:'
_INSERTED = Element('the elements that xacro inserts here')
"""The declaration of an element whose content xacro inserts."""


class DeclaredElement(NamedTuple):
    """
    An element, its declaration, and the declaration of its content.

    The last two differ for an element declared ``like`` another or with variants.
    """

    node: SyntaxNode
    element: Element
    content: Element


class Language:
    """The format of a text, its schema, and the version that the text states."""

    def __init__(self, found: Format, syntax: Syntax) -> None:
        self.name = found.name
        self.schema: Schema = found.schema()
        self._syntax = syntax
        declared = self.schema.elements[self.schema.root].attributes.get('version')
        written = None if syntax.root is None else syntax.value(syntax.root, 'version')
        self.version = written or (declared and declared.default) or ''
        if self.version not in self.schema.versions:
            is_older = declared is not None and self.version in declared.type.words
            self.version = self.schema.versions[0 if is_older else -1]

    def has(self, since: str) -> bool:
        """Return whether the text's version has a feature that version ``since`` introduced."""
        versions = self.schema.versions
        return not since or versions.index(since) <= versions.index(self.version)

    def declaration(self, node: Optional[SyntaxNode]) -> Optional[DeclaredElement]:
        """Return the declaration of an element, or None if the schema has none."""
        return None if node is None else self._declared[node]

    @cached_property
    def _declared(self) -> dict[SyntaxNode, Optional[DeclaredElement]]:
        declared: dict[SyntaxNode, Optional[DeclaredElement]] = {}
        for node in self._syntax.nodes:  # outer elements come before inner ones
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
                return DeclaredElement(node, _INSERTED, parent.content._replace(
                    attributes={}, variants=None))
        if element is None:
            return None
        content = schema.content_of(element)
        chooser = content.variants
        value = '' if chooser is None else self._syntax.value(node, chooser.attribute) or ''
        other = None if chooser is None else chooser.elements.get(value.strip())
        return DeclaredElement(node, element, content if other is None else content._replace(
            attributes={**content.attributes, **other.attributes},
            children={**content.children, **other.children}))

    def child(self, content: Element, tag: str) -> Optional[Element]:
        """Return the declaration of a child, or None if the schema allows no such child."""
        declared = content.children.get(tag) or content.mentioned.get(tag)
        return self.schema.elements[declared] if isinstance(declared, str) else declared

    def words(self, kind: ValueType) -> list[str]:
        """Return the words of an enumeration in the text's version, or those of a boolean."""
        if kind.name == 'boolean':
            return ['true', 'false']
        return [word for word, since in kind.words.items() if self.has(since)]
