# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A text of an editor or on disk, and the names in it: definitions, references, scopes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
import os
from typing import NamedTuple, Optional

from hrdf_ros.document import root_element, SourceFile
from hrdf_ros.lsp.excerpts import Pieces
from hrdf_ros.lsp.language import Declared, DeclaredElement, Language
from hrdf_ros.lsp.positions import READ_WHOLE, Span, Text
from hrdf_ros.lsp.syntax import Syntax, SyntaxNode
from hrdf_ros.readers.registry import Format, format_of, FORMATS
from hrdf_ros.readers.schema import Attribute, Element
from lsprotocol import types as lsp

DELIMITER = '::'
"""The delimiter of scopes in a reference."""
FILE = 'file'
"""The kind of a symbol that names a file."""
_STRIPS = 'strippath'
"""The attribute of MJCF that strips the directories from the paths of files."""
_INCLUDE = 'include'
_MOST_SCOPES = 100
"""The most scopes in one reference; a text with more is not split further."""
_KNOWN_DEPTH = 30
"""The most levels of nested scopes that are pickled; pickle recurses once for each level."""


class Buffer:
    """
    The text of a file, in an editor or on disk; it is immutable.

    ``version`` is the editor's, or None for a file that is not open. ``pieces`` are the pieces of
    a text that is too large to be read again at each keystroke.
    """

    def __init__(
        self, uri: str, path: str, text: Text, version: Optional[int] = None,
        pieces: Optional[Pieces] = None,
    ) -> None:
        self.uri = uri
        self.path = path
        self.real = os.path.realpath(path)
        self.text = text
        self.version = version
        self._pieces = pieces

    def __reduce__(self) -> tuple[type[Buffer], tuple[str, str, Text, Optional[int]]]:
        """Pickle the text alone."""
        return Buffer, (self.uri, self.path, self.text, self.version)

    def changed(
        self, changes: Iterable[lsp.TextDocumentContentChangeEvent], version: int,
    ) -> Buffer:
        """Return the text after changes that are applied in order, with its new version."""
        text, pieces = self.text, self._pieces
        for change in changes:
            if isinstance(change, lsp.TextDocumentContentChangeWholeDocument):
                text, pieces = Text(change.text, text.encoding), None
            else:
                span = text.span(change.range)
                text = text.changed(span, change.text)
                pieces = pieces and pieces.changed(span, text.source)
        return Buffer(self.uri, self.path, text, version, pieces)

    @property
    def is_large(self) -> bool:
        """Whether the text is too large to be read at each keystroke."""
        return len(self.text.source) > READ_WHOLE

    def near(self, offset: int, known: Optional[NameScope] = None) -> Buffer:
        """
        Return this text, or, if it is large, a text with only the elements around an offset.

        ``known`` has the names of the whole text.
        """
        return Vicinity(self, offset, known) if self.is_large else self

    @property
    def pieces(self) -> Pieces:
        """The text in pieces; the text after a change keeps most of them."""
        self._pieces = self._pieces or Pieces(self.text.source)
        return self._pieces

    @cached_property
    def syntax(self) -> Syntax:
        """The elements of the text."""
        return Syntax(self.text.source)

    @cached_property
    def format(self) -> Optional[Format]:
        """The format, or None for a text that is not a robot description."""
        file = SourceFile(
            self.path, self.text.source.encode('utf-8', 'replace'), encoding='utf-8')
        root = root_element(file)
        if root is None:  # the text before the root element is not well-formed
            syntax = self.near(0).syntax
            root = None if syntax.root is None else (syntax.root.tag, syntax.values(syntax.root))
        return format_of(file, root)

    @property
    def is_named_as_robot(self) -> bool:
        """Whether the suffix, root element or editor says that the text describes a robot."""
        suffixes = tuple(suffix for one in FORMATS for suffix in one.suffixes)
        return self.format is not None or self.path.lower().endswith(suffixes) or (
            self.uri.startswith('untitled:'))  # editors send only untitled texts of our languages

    @cached_property
    def language(self) -> Optional[Language]:
        """The schema of the format, for the version that the text states."""
        return None if self.format is None else Language(self.format, self.syntax)

    @cached_property
    def names(self) -> SymbolTable:
        """The names that the text defines and refers to."""
        return SymbolTable(self)

    def location(self, span: Span) -> lsp.Location:
        """Return a span of the text as a location of the protocol."""
        return lsp.Location(self.uri, self.text.range_of(span))


class Vicinity(Buffer):
    """
    A large text of which only the elements around an offset are read.

    ``known`` has the names of the whole text, as of the last analysis.
    """

    def __init__(self, buffer: Buffer, offset: int, known: Optional[NameScope]) -> None:
        super().__init__(buffer.uri, buffer.path, buffer.text, buffer.version)
        self.syntax = buffer.pieces.around(offset)
        self.known = known
        self._whole = buffer

    @cached_property
    def format(self) -> Optional[Format]:
        return self._whole.format


# ---- names

class NameScope:
    """A scope, in which names are unique: a file, or a model or world in it."""

    def __init__(self, buffer: Buffer, name: str, parent: Optional[NameScope]) -> None:
        self.buffer = buffer
        self.name = name
        self.parent = parent
        self.definitions: dict[str, list[Symbol]] = {}
        self.scopes: list[NameScope] = []
        self.includes: list[Include] = []
        if parent is not None:
            parent.scopes.append(self)

    @property
    def known(self) -> Optional[NameScope]:
        """The same scope as of the last analysis of the whole large text."""
        if self.parent is None:
            return self.buffer.known if isinstance(self.buffer, Vicinity) else None
        around = self.parent.known
        return around and next((one for one in around.scopes if one.name == self.name), None)

    def without_places(self, parent: Optional[NameScope] = None, depth: int = 0) -> NameScope:
        """Return the names without their elements and places, for pickling."""
        scope = NameScope(self.buffer, self.name, parent)
        scope.definitions = {
            name: [Symbol(one.kinds, one.path, Span(0, 0), scope) for one in found]
            for name, found in self.definitions.items()}
        scope.includes = [one._replace(node=None) for one in self.includes]
        for inner in self.scopes if depth < _KNOWN_DEPTH else ():
            inner.without_places(scope, depth + 1)
        return scope


class Symbol(NamedTuple):
    """
    A name in a text: where an item gets its name, or where another element refers to the item.

    ``kinds`` has the kind of the item (link, joint, frame, tag, ..., file), or the kinds of items
    that a reference may name. ``path`` ends with the name; before it are the scopes that lead to
    it, or the directory of the file.

    ``node`` is the element of the item, or None for a reference. ``through`` is the include whose
    file is searched for a reference, instead of the scope.
    """

    kinds: tuple[str, ...]
    path: tuple[str, ...]
    span: Span
    scope: NameScope
    node: Optional[SyntaxNode] = None
    through: Optional[SyntaxNode] = None

    @property
    def name(self) -> str:
        """The name without its scopes, or the path or URI of a file."""
        return self.path[-1]

    @property
    def location(self) -> lsp.Location:
        """The place where the name is written."""
        return self.scope.buffer.location(self.span)


class Include(NamedTuple):
    """
    An element that another file replaces, and the name that it gives to that file's model.

    If it ``merges``, the names of that file belong to the scope of the include.
    """

    uri: str
    node: Optional[SyntaxNode]
    name: Optional[str]
    merges: bool


class SymbolTable:
    """The names of a text in their order; ``top`` is the scope of the file."""

    def __init__(self, buffer: Buffer) -> None:
        self.top = NameScope(buffer, '', None)
        self.symbols: list[Symbol] = []
        self._syntax = buffer.syntax
        self._inner: dict[SyntaxNode, NameScope] = {}
        """The scope that holds the names inside each element."""
        for node in buffer.syntax.nodes:
            self._inner[node] = self._around(node)
            found = None if buffer.language is None else buffer.language.declaration(node)
            if found is not None:
                self._read(found)

    def at(self, offset: int) -> Optional[Symbol]:
        """Return the symbol at an offset."""
        return next((found for found in self.symbols if found.span.has(offset)), None)

    def _around(self, node: SyntaxNode) -> NameScope:
        return self.top if node.parent is None else self._inner[node.parent]

    def _read(self, found: DeclaredElement) -> None:
        """Read the names in an element's attributes and text; its parent was read before."""
        syntax, node = self._syntax, found.node
        scope = self._inner[node]
        if found.content.scope:
            self._inner[node] = NameScope(scope.buffer, syntax.value(node, 'name') or '', scope)
        parts: list[tuple[Optional[Declared], Optional[Span]]] = [
            (found.content.attributes.get(one.name), one.value) for one in node.attributes]
        for declared, span in [*parts, (found.element, syntax.text_span(node))]:
            text = '' if span is None else syntax.plain(span)
            if declared is not None and span is not None and text.strip():
                self._read_value(found, declared, text, span)
        if node.tag == _INCLUDE:
            self._read_include(found, scope)

    def _read_value(
        self, found: DeclaredElement, declared: Declared, text: str, span: Span,
    ) -> None:
        """Read a value, which may be a name, a reference, the path of a file, or none of these."""
        if declared.names and not (declared.refers and not found.node.children):
            scope = self._scope_for(found, declared)
            symbol = Symbol((declared.names,), (text,), span, scope, found.node)
            self.symbols.append(symbol)
            scope.definitions.setdefault(text, []).append(symbol)
        elif declared.refers:
            has_scopes = FILE not in declared.refers and span.end - span.start == len(text)
            names = text.split(DELIMITER, _MOST_SCOPES) if has_scopes else [text]
            start, reference = span.start, self.reference(found, declared)
            for index, name in enumerate(names[:-1], start=1):
                self.symbols.append(reference._replace(
                    kinds=('model',), path=tuple(names[:index]),
                    span=Span(start, start + len(name))))
                start += len(name) + len(DELIMITER)
            if not has_scopes and self.strips_paths(found):
                text = text.rpartition('/')[2]
            path = (*names,) if has_scopes else (*self.directory(found), text)
            self.symbols.append(reference._replace(path=path, span=Span(start, span.end)))

    def _read_include(self, found: DeclaredElement, scope: NameScope) -> None:
        """Add an include; its file is in an attribute or in the text of a child."""
        syntax, node = self._syntax, found.node
        values = syntax.values(node)
        texts = {child.tag: syntax.plain(syntax.text_span(child)) for child in node.children}
        attributes = [
            values[name] for name, one in found.content.attributes.items()
            if FILE in one.refers and name in values]
        uri = attributes[0] if attributes else texts.get('uri', '')
        merges = bool(attributes) or values.get('merge', '').strip() in ('true', '1')
        if uri:
            scope.includes.append(Include(uri, node, texts.get('name') or None, merges))

    def directory(self, found: DeclaredElement) -> Sequence[str]:
        """Return the directory of an element's files, or nothing if the root names none."""
        own = self._directory_settings(found)
        given = self._setting(*reversed(own))  # the specific setting overrides the general one
        return [given] if given else []

    def strips_paths(self, found: DeclaredElement) -> bool:
        """Return whether only the last part of an element's path counts."""
        return bool(self._directory_settings(found)) and self._setting(_STRIPS) == 'true'

    def _directory_settings(self, found: DeclaredElement) -> Sequence[str]:
        language = self.top.buffer.language
        return () if language is None else language.schema.directories.get(found.node.tag, ())

    def _setting(self, *names: str) -> str:
        """Return the last of these attributes of the children of the root."""
        root, given = self._syntax.root, ''
        for values in map(self._syntax.values, root.children if names and root else ()):
            for name in names:
                given = values.get(name, given)
        return given

    def _scope_for(self, found: DeclaredElement, declared: Declared) -> NameScope:
        """Return the scope of the name that an attribute or the text of an element holds."""
        if isinstance(declared, Attribute) and declared.inside:
            return self._inner[found.node]
        around = self._around(found.node)
        return around.parent if found.element.outside and around.parent is not None else around

    def reference(self, found: DeclaredElement, declared: Declared) -> Symbol:
        """Return a reference in an attribute or the text of an element, without a name yet."""
        parent = found.node.parent if isinstance(declared, Element) else None
        is_included = parent is not None and parent.tag == _INCLUDE
        return Symbol(
            declared.refers, ('',), Span(0, 0), self._scope_for(found, declared),
            through=parent if is_included else None)
