# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The answers to requests about a document, from its text and the files around it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
import os
from pathlib import Path
from typing import Any, NamedTuple, Optional

from hrdf_ros.diagnostics import Report
from hrdf_ros.document import escape, SourceFile
from hrdf_ros.document.formatter import formatted
from hrdf_ros.lsp.colors import colors, presented
from hrdf_ros.lsp.completion import complete, Frames, hover
from hrdf_ros.lsp.keys import edits_after_key, opens_a_list, tag_names
from hrdf_ros.lsp.library import Library
from hrdf_ros.lsp.names import Buffer, FILE, NameScope
from hrdf_ros.lsp.outline import outline
from hrdf_ros.lsp.positions import Span
from lsprotocol import types as lsp

TYPED = 'hrdf/typed'
"""
Our request for the edits that belong to a typed key.

``textDocument/onTypeFormatting`` cannot say that the cursor has to stay before the new end tag.
"""


class Query(NamedTuple):
    """
    A request about a document, with everything that its answer needs.

    ``offset`` is the place of the request, or 0 for a request about the whole text. ``frames`` and
    ``known`` are the frames and names of the last analysis.
    """

    method: str
    params: Any
    buffer: Buffer
    offset: int
    library: Library
    capabilities: lsp.ClientCapabilities
    frames: Frames = {}
    known: Optional[NameScope] = None

    @property
    def near(self) -> Buffer:
        """The text with the elements around the offset."""
        return self.buffer.near(self.offset, self.known)


def _complete(query: Query) -> Optional[lsp.CompletionList]:
    """
    Return the proposals for a place.

    A typed key opens the list only where the list may open by itself.
    """
    key = query.params.context and query.params.context.trigger_character
    buffer = query.near
    if key is not None and not (
            buffer.is_named_as_robot and opens_a_list(buffer, query.offset, key)):
        return None
    document = query.capabilities.text_document
    item = document and document.completion and document.completion.completion_item
    return complete(
        buffer, query.offset, query.library, snippets=bool(item and item.snippet_support))


def _tag_names(query: Query) -> Optional[lsp.LinkedEditingRanges]:
    """Return the names in the start tag and the end tag, which an editor edits together."""
    spans = tag_names(query.near, query.offset)
    return None if spans is None else lsp.LinkedEditingRanges(
        [query.buffer.text.range_of(span) for span in spans])


def _after_key(query: Query) -> list[lsp.TextEdit]:
    """Return the edits that belong to the key typed before the offset."""
    return edits_after_key(query.near, query.offset)


def _hover(query: Query) -> Optional[lsp.Hover]:
    return hover(query.buffer, query.offset, query.library, query.frames)


def _outline(query: Query) -> list[lsp.DocumentSymbol]:
    return outline(query.buffer)


def _definitions(query: Query) -> list[lsp.Location]:
    """Return where the item at the offset is defined."""
    return query.library.definitions(query.buffer, query.offset)


def _links(query: Query) -> list[lsp.DocumentLink]:
    """Return the links to files of this machine that the text names."""
    symbols = [one for one in query.buffer.names.symbols if FILE in one.kinds]
    found = [(one, query.library.file_of(one)) for one in symbols]
    return [
        lsp.DocumentLink(one.location.range, Path(file).as_uri()) for one, file in found
        if file is not None and os.path.isfile(file)]


def _colors(query: Query) -> list[lsp.ColorInformation]:
    return [
        lsp.ColorInformation(query.buffer.text.range_of(span), color)
        for span, color in colors(query.buffer)]


def _presentations(query: Query) -> list[lsp.ColorPresentation]:
    """Return how the color that a user chose is written."""
    part = query.buffer.text.span(query.params.range)
    text = presented(query.near, part, query.params.color)
    return [] if text is None else [lsp.ColorPresentation(
        text, lsp.TextEdit(query.buffer.text.range_of(part), text))]


def _references(query: Query) -> list[lsp.Location]:
    """Return every place that names the item at the offset."""
    return query.library.references(
        query.buffer, query.offset, with_definition=query.params.context.include_declaration)


def _prepare_rename(query: Query) -> Optional[lsp.PrepareRenamePlaceholder]:
    """Return the name at the offset, or None if nothing can be renamed."""
    symbol = query.buffer.names.at(query.offset)
    if symbol is None or not query.library.named_at(query.buffer, query.offset):
        return None
    return lsp.PrepareRenamePlaceholder(
        symbol.location.range, query.buffer.syntax.plain(symbol.span))


def _rename(query: Query) -> Optional[lsp.WorkspaceEdit]:
    """Return the edits that rename the item at the offset."""
    name = query.params.new_name
    named = query.library.named_at(query.buffer, query.offset)
    return workspace_edit(query.capabilities, [
        (one.scope.buffer, lsp.TextEdit(one.location.range, escape(name)))
        for one in query.library.renamed(named, name)]) if named else None


def _formatted(query: Query) -> list[lsp.TextEdit]:
    """Return the edit that ``hrdf format`` makes, or none for a refused or unchanged text."""
    buffer, text = query.buffer, query.buffer.text.source
    file = SourceFile(buffer.path, text.encode('utf-8', 'surrogatepass'), encoding='utf-8')
    result = None if buffer.format is None else formatted(file, Report())
    after = text if result is None else result.decode('utf-8')
    return [] if after == text else [
        lsp.TextEdit(buffer.text.range_of(Span(0, len(text))), after)]


def workspace_edit(
    capabilities: lsp.ClientCapabilities, edits: Iterable[tuple[Buffer, lsp.TextEdit]],
) -> lsp.WorkspaceEdit:
    """
    Return edits of files in the form that the protocol requires.

    Edits of open documents state the version of the document if the client supports that.
    """
    files: dict[Buffer, list[lsp.TextEdit]] = {}
    for buffer, edit in edits:
        files.setdefault(buffer, []).append(edit)
    client = capabilities.workspace and capabilities.workspace.workspace_edit
    if not (client and client.document_changes):
        return lsp.WorkspaceEdit(changes={one.uri: found for one, found in files.items()})
    return lsp.WorkspaceEdit(document_changes=[
        lsp.TextDocumentEdit(
            lsp.OptionalVersionedTextDocumentIdentifier(uri=one.uri, version=one.version), found)
        for one, found in files.items()])


ANSWERS: Mapping[str, Callable[[Query], Any]] = {
    lsp.TEXT_DOCUMENT_COMPLETION: _complete,
    lsp.TEXT_DOCUMENT_LINKED_EDITING_RANGE: _tag_names,
    TYPED: _after_key,
    lsp.TEXT_DOCUMENT_HOVER: _hover,
    lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: _outline,
    lsp.TEXT_DOCUMENT_DEFINITION: _definitions,
    lsp.TEXT_DOCUMENT_DOCUMENT_LINK: _links,
    lsp.TEXT_DOCUMENT_DOCUMENT_COLOR: _colors,
    lsp.TEXT_DOCUMENT_COLOR_PRESENTATION: _presentations,
    lsp.TEXT_DOCUMENT_REFERENCES: _references,
    lsp.TEXT_DOCUMENT_PREPARE_RENAME: _prepare_rename,
    lsp.TEXT_DOCUMENT_RENAME: _rename,
    lsp.TEXT_DOCUMENT_FORMATTING: _formatted,
}
"""The function that answers each request."""
NEARBY = (
    lsp.TEXT_DOCUMENT_COMPLETION, lsp.TEXT_DOCUMENT_LINKED_EDITING_RANGE, TYPED,
    lsp.TEXT_DOCUMENT_COLOR_PRESENTATION)
"""The requests for which the text around a place is enough."""
WORKSPACE = (
    lsp.TEXT_DOCUMENT_REFERENCES, lsp.TEXT_DOCUMENT_RENAME, lsp.TEXT_DOCUMENT_DOCUMENT_LINK)
"""The requests that read many files or search for them."""
