# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The names in a text: definitions, references, includes."""

from __future__ import annotations

from typing import NamedTuple, Optional, TYPE_CHECKING, Union

from hrdf_ros.lsp.places import DeclaredElement
from hrdf_ros.lsp.syntax import SyntaxNode
from hrdf_ros.lsp.text import Span
from hrdf_ros.readers.schema import Attribute, Element

if TYPE_CHECKING:
    from hrdf_ros.lsp.library import Buffer

DELIMITER = '::'
"""Separates scopes in a reference."""
_FILE = 'file'
_INCLUDE = 'include'


class NameScope:
    """Names that are unique together: those of a file, of a model or world in it."""

    def __init__(self, buffer: Buffer, name: str, parent: Optional[NameScope]) -> None:
        self.buffer = buffer
        self.name = name
        self.parent = parent
        self.definitions: dict[str, list[Definition]] = {}
        self.scopes: list[NameScope] = []
        self.includes: list[Include] = []
        if parent is not None:
            parent.scopes.append(self)


class Place(NamedTuple):
    """A part of a file."""

    buffer: Buffer
    span: Span


class Definition(NamedTuple):
    """A name where it is given to a thing of some kind: link, joint, frame, tag, ..."""

    kind: str
    name: str
    span: Span
    node: SyntaxNode
    scope: NameScope

    @property
    def place(self) -> Place:
        """Where the name is written."""
        return Place(self.scope.buffer, self.span)


class NameReference(NamedTuple):
    """
    A name where it stands for a thing of one of some kinds.

    ``parts`` are the names between the delimiters of scopes. ``through`` is the include whose file
    it is looked for in, instead of in the scope.
    """

    kinds: tuple[str, ...]
    parts: tuple[tuple[str, Span], ...]
    scope: NameScope
    through: Optional[SyntaxNode] = None


class FileReference(NamedTuple):
    """The path or URI of a file."""

    uri: str
    span: Span


class Include(NamedTuple):
    """
    An element that puts another file in its place, with the name that it gives it.

    With ``merges`` the names of the file are in the scope of the include.
    """

    uri: str
    node: SyntaxNode
    name: Optional[str]
    merges: bool


class SymbolTable(NamedTuple):
    """All names in a text; ``top`` is the scope of the file, ``inner`` those in its elements."""

    top: NameScope
    definitions: list[Definition]
    references: list[NameReference]
    files: list[FileReference]
    inner: dict[SyntaxNode, NameScope]

    def scope_for(
        self, node: SyntaxNode, element: Element, declared: Union[Attribute, Element],
    ) -> NameScope:
        """Return the scope of the name in an attribute or the text of an element."""
        if isinstance(declared, Attribute) and declared.inside:
            return self.inner[node]
        around = self.top if node.parent is None else self.inner[node.parent]
        return around.parent if element.outside and around.parent is not None else around

    def definition_at(self, offset: int) -> Optional[Definition]:
        """Return the definition at an offset."""
        return next((found for found in self.definitions if found.span.has(offset)), None)

    def reference_at(self, offset: int) -> Optional[tuple[NameReference, int]]:
        """Return the reference at an offset, and which part of it that is."""
        return next((
            (reference, index) for reference in self.references
            for index, (_, span) in enumerate(reference.parts) if span.has(offset)), None)

    def name_span(self, offset: int) -> Span:
        """Return the name at an offset, without the scopes before it; empty where is none."""
        definition, found = self.definition_at(offset), self.reference_at(offset)
        if definition is not None:
            return definition.span
        return Span(offset, offset) if found is None else found[0].parts[found[1]][1]

    def file_at(self, offset: int) -> Optional[FileReference]:
        """Return the path or URI at an offset."""
        return next((found for found in self.files if found.span.has(offset)), None)


def read_names(buffer: Buffer) -> SymbolTable:
    """Return the names in a text, by the schema of its format."""
    names = SymbolTable(NameScope(buffer, '', None), [], [], [], {})
    for node in buffer.syntax.nodes if buffer.language is not None else ():
        _read(buffer, names, node)
    return names


def _read(buffer: Buffer, names: SymbolTable, node: SyntaxNode) -> None:
    """Read the names of an element, after those around it: its attributes and its text."""
    syntax, language = buffer.syntax, buffer.language
    around = names.top if node.parent is None else names.inner[node.parent]
    found = None if language is None else language.declaration(node)
    names.inner[node] = around
    if found is None:
        return
    if found.content.scope:
        names.inner[node] = NameScope(buffer, syntax.value(node, 'name') or '', around)
    parts: list[tuple[Union[Attribute, Element, None], Optional[Span]]] = [
        (found.content.attributes.get(one.name), one.value) for one in node.attributes]
    for declared, span in [*parts, (found.element, syntax.text_span(node))]:
        text = '' if span is None else syntax.plain(span)
        if declared is not None and span is not None and text.strip():
            scope = names.scope_for(node, found.element, declared)
            _value(names, declared, node, scope, text, span)
    if node.tag == _INCLUDE:
        _include(buffer, node, found, around)


def _value(
    names: SymbolTable, declared: Union[Attribute, Element], node: SyntaxNode, scope: NameScope,
    text: str, span: Span,
) -> None:
    """Read a value: a name, a reference, the path of a file, or none of them."""
    if declared.names and not (declared.refers and not node.children):
        definition = Definition(declared.names, text, span, node, scope)
        names.definitions.append(definition)
        scope.definitions.setdefault(text, []).append(definition)
    elif _FILE in declared.refers:
        names.files.append(FileReference(text, span))
    elif declared.refers:
        names.references.append(NameReference(
            declared.refers, _parts(text, span), scope, include_around(declared, node)))


def _include(
    buffer: Buffer, node: SyntaxNode, found: DeclaredElement, scope: NameScope,
) -> None:
    """Remember an include: its file is an attribute, or the text of a child."""
    syntax = buffer.syntax
    values = syntax.values(node)
    texts = {child.tag: syntax.plain(syntax.text_span(child)) for child in node.children}
    attributes = [
        values[name] for name, one in found.content.attributes.items()
        if _FILE in one.refers and name in values]
    uri = attributes[0] if attributes else texts.get('uri', '')
    merges = bool(attributes) or values.get('merge', '').strip() in ('true', '1')
    if uri:
        scope.includes.append(Include(uri, node, texts.get('name') or None, merges))


def include_around(declared: Union[Attribute, Element], node: SyntaxNode) -> Optional[SyntaxNode]:
    """Return the include of whose file a text in it refers to something, None elsewhere."""
    is_text = isinstance(declared, Element)
    is_included = is_text and node.parent is not None and node.parent.tag == _INCLUDE
    return node.parent if is_included else None


def _parts(text: str, span: Span) -> tuple[tuple[str, Span], ...]:
    """Return the parts of a reference; one whose text has references to characters is one part."""
    if span.end - span.start != len(text):
        return ((text, span),)
    parts, start = [], span.start
    for name in text.split(DELIMITER):
        parts.append((name, Span(start, start + len(name))))
        start += len(name) + len(DELIMITER)
    return tuple(parts)
