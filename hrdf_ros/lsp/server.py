# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The server: the editor's documents, their analyses, and the answers to its requests."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
import gc
import logging
import os
from pathlib import Path
from typing import Any, BinaryIO, Optional, Union
from urllib.parse import quote, unquote

from hrdf_ros import __version__
from hrdf_ros.diagnostics import Location, Report
from hrdf_ros.document import escape, SourceFile
from hrdf_ros.document.formatter import formatted
from hrdf_ros.lsp.analysis import Analysis, AnalysisSettings, faulty_span, Finding
from hrdf_ros.lsp.completion import complete, hover
from hrdf_ros.lsp.library import Cache, Library
from hrdf_ros.lsp.names import Buffer, DeclaredElement
from hrdf_ros.lsp.syntax import SyntaxNode
from hrdf_ros.lsp.text import Span, Text
from hrdf_ros.lsp.worker import Checks
from hrdf_ros.readers.registry import FORMATS
from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument

_COLLECTION = 100_000
"""Objects that are made before garbage is looked for."""
_TRIGGERS = ['<', '/', ' ', '"', "'", '=', ':', '>']
_SEVERITIES = {
    'error': lsp.DiagnosticSeverity.Error, 'warning': lsp.DiagnosticSeverity.Warning,
    'info': lsp.DiagnosticSeverity.Information}
_OUTLINE_DEPTH = 40
_OUTLINE_ELEMENTS = 20_000
_NAMES = ('name', 'tag', 'path', 'type', 'axis')
"""Attributes that say which one of several elements it is, the best first."""
_KINDS = {
    'model': lsp.SymbolKind.Module, 'world': lsp.SymbolKind.Namespace,
    'robot': lsp.SymbolKind.Module, 'link': lsp.SymbolKind.Class, 'body': lsp.SymbolKind.Class,
    'tag': lsp.SymbolKind.Class, 'joint': lsp.SymbolKind.Interface,
    'frame': lsp.SymbolKind.Key, 'marker': lsp.SymbolKind.Key,
    'material': lsp.SymbolKind.Constant, 'include': lsp.SymbolKind.File}
_LOGGER = logging.getLogger(__name__)


class Server(LanguageServer):
    """
    A server for one editor, which sends the whole text with each change.

    pygls would apply the edits of a part to lines as Python has them (see ``text``).
    """

    def __init__(self, settings: AnalysisSettings) -> None:
        super().__init__(
            'hrdf', __version__, text_document_sync_kind=lsp.TextDocumentSyncKind.Full)
        self._settings = settings
        self._documents: dict[str, Buffer] = {}
        self._files: Cache = {}
        self.checks = Checks(self._documents, settings, self._publish, self._failed)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log an error; the default is a message on the user's screen."""
        _LOGGER.error('%s', error)

    # ---- documents

    @property
    def _encoding(self) -> str:
        """The unit of positions that was agreed on."""
        kind = self.workspace.position_encoding
        return str(getattr(kind, 'value', kind))

    @property
    def library(self) -> Library:
        """The files as they are now, for one request: a thread may use it."""
        folders = [path for uri in self.workspace.folders if (path := to_fs_path(uri))]
        if not folders and self.workspace.root_path:
            folders = [self.workspace.root_path]
        return Library(
            dict(self._documents), self._settings, folders, self._files, self._encoding)

    def initialized(self, _: lsp.InitializedParams) -> None:
        """Prepare for the first key, and ask to be told of files that others change."""
        for found in FORMATS:
            found.schema()
        workspace = self.client_capabilities.workspace
        watched = workspace and workspace.did_change_watched_files
        if watched and watched.dynamic_registration:
            suffixes = ','.join(suffix[1:] for one in FORMATS for suffix in one.suffixes)
            self.client_register_capability(lsp.RegistrationParams([lsp.Registration(
                'files', lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES,
                lsp.DidChangeWatchedFilesRegistrationOptions([
                    lsp.FileSystemWatcher(glob_pattern=f'**/*.{{{suffixes}}}')]))]))

    def updated(
        self, params: Union[lsp.DidOpenTextDocumentParams, lsp.DidChangeTextDocumentParams],
    ) -> None:
        """Take over the text of a document, which may be without a file."""
        self._take(self.workspace.text_documents[unquote(params.text_document.uri)])

    def _take(self, document: TextDocument) -> None:
        buffer = Buffer(
            document.uri, _path(document.uri), Text(document.source, self._encoding),
            document.version)
        self._documents[buffer.real] = buffer
        self.checks.changed(buffer.real)

    def closed(self, params: lsp.DidCloseTextDocumentParams) -> None:
        """Forget a document; its file counts again, or another open document of that file."""
        buffer = self._open(params.text_document)
        if buffer is None:
            return
        del self._documents[buffer.real]
        self.checks.closed(buffer.real)
        for uri in {buffer.uri, params.text_document.uri}:
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))
        for other in self.workspace.text_documents.values():
            if os.path.realpath(_path(other.uri)) == buffer.real:
                self._take(other)

    def _open(self, document: lsp.TextDocumentIdentifier) -> Optional[Buffer]:
        return self._documents.get(os.path.realpath(_path(document.uri)))

    def files_changed(self, _: lsp.DidChangeWatchedFilesParams) -> None:
        """Analyze every document again."""
        self.checks.files_changed()

    def _publish(self, buffer: Buffer, analysis: Analysis) -> None:
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(
            buffer.uri, [self._diagnostic(buffer, one) for one in analysis.findings],
            buffer.version))

    def _diagnostic(self, buffer: Buffer, found: Finding) -> lsp.Diagnostic:
        return lsp.Diagnostic(
            range=buffer.text.range_of(found.span), message=found.message,
            severity=_SEVERITIES[found.severity], code=found.code, source='hrdf',
            code_description=lsp.CodeDescription(f'{self._settings.page}#{quote(found.code)}'),
            related_information=found.elsewhere and [self._related(found.elsewhere)])

    def _related(self, at: Location) -> lsp.DiagnosticRelatedInformation:
        """Return the place of a diagnostic in an included file."""
        buffer = self.library.buffer(at.file) or Buffer(
            Path(at.file).absolute().as_uri(), at.file, Text(''))
        span = faulty_span(buffer.text, buffer.text.offset_of(at))
        return lsp.DiagnosticRelatedInformation(buffer.location(span), 'it is here')

    def _failed(self, buffer: Buffer) -> None:
        self.window_log_message(lsp.LogMessageParams(
            lsp.MessageType.Warning, f'{buffer.path}: the analysis ended without a result'))

    # ---- requests

    def _buffer(self, document: lsp.TextDocumentIdentifier) -> Optional[Buffer]:
        """Return an open document, None where it is not open or too large."""
        found = self._open(document)
        return None if found is None or found.is_large else found

    def _place(self, params: Any) -> Optional[tuple[Buffer, int]]:
        """Return the document and offset of a request, None where there are no answers."""
        buffer = self._buffer(params.text_document)
        return None if buffer is None else (buffer, buffer.text.offset(params.position))

    def complete(self, params: lsp.CompletionParams) -> Optional[list[lsp.CompletionItem]]:
        """Return the proposals for a place."""
        at, document = self._place(params), self.client_capabilities.text_document
        item = document and document.completion and document.completion.completion_item
        return at and complete(
            *at, self.library, snippets=bool(item and item.snippet_support))

    def hover(self, params: lsp.HoverParams) -> Optional[lsp.Hover]:
        """Return the documentation of a place."""
        at = self._place(params)
        _, analysis = self.checks.analyses.get(at[0].real if at else '', (None, Analysis()))
        return at and hover(*at, self.library, analysis.frames or {})

    def outline(self, params: lsp.DocumentSymbolParams) -> Optional[list[lsp.DocumentSymbol]]:
        """Return the outline of a document."""
        buffer = self._buffer(params.text_document)
        return None if buffer is None else outline(buffer)

    def definitions(self, params: lsp.DefinitionParams) -> list[lsp.Location]:
        """Return where the thing at a place is defined."""
        at = self._place(params)
        return self.library.definitions(*at) if at else []

    async def references(self, params: lsp.ReferenceParams) -> list[lsp.Location]:
        """Return every place that names the thing at a place."""
        at = self._place(params)
        return [] if at is None else await asyncio.to_thread(
            self.library.references, *at, with_definition=params.context.include_declaration)

    def prepare_rename(
        self, params: lsp.PrepareRenameParams,
    ) -> Optional[lsp.PrepareRenamePlaceholder]:
        """Return the name at a place."""
        at = self._place(params)
        symbol = at and at[0].names.at(at[1])
        if at is None or symbol is None or not self.library.named_at(*at):
            return None
        return lsp.PrepareRenamePlaceholder(
            symbol.location.range, at[0].syntax.plain(symbol.span))

    async def rename(self, params: lsp.RenameParams) -> Optional[lsp.WorkspaceEdit]:
        """Return the edits that give another name to the thing at a place."""
        at, library = self._place(params), self.library
        named = library.named_at(*at) if at else []
        if not named:
            return None
        places = await asyncio.to_thread(library.renamed, named, params.new_name)
        new = escape(params.new_name)
        return self._edit([
            (one.scope.buffer, lsp.TextEdit(one.location.range, new)) for one in places])

    def _edit(self, edits: Iterable[tuple[Buffer, lsp.TextEdit]]) -> lsp.WorkspaceEdit:
        """Return edits of files, of documents of a version for a client that has them."""
        files: dict[Buffer, list[lsp.TextEdit]] = {}
        for buffer, edit in edits:
            files.setdefault(buffer, []).append(edit)
        workspace = self.client_capabilities.workspace
        client = workspace and workspace.workspace_edit
        if not (client and client.document_changes):
            return lsp.WorkspaceEdit(changes={one.uri: found for one, found in files.items()})
        return lsp.WorkspaceEdit(document_changes=[
            lsp.TextDocumentEdit(
                lsp.OptionalVersionedTextDocumentIdentifier(uri=one.uri, version=one.version),
                found) for one, found in files.items()])

    def actions(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        """Return the fixes of diagnostics in a range, of an analysis of the present text."""
        buffer = self._buffer(params.text_document)
        if buffer is None:
            return []
        text, analysis = self.checks.analyses.get(buffer.real, (None, Analysis()))
        part = buffer.text.span(params.range)
        return [
            lsp.CodeAction(
                one.title, kind=lsp.CodeActionKind.QuickFix, is_preferred=True,
                diagnostics=[self._diagnostic(buffer, one)], edit=self._edit([
                    (buffer, lsp.TextEdit(buffer.text.range_of(span), new))
                    for span, new in one.edits]))
            for one in (analysis.findings if text is buffer else ())
            if one.edits and one.span.start <= part.end and part.start <= one.span.end]

    def formatted(self, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        """Return the edit of ``hrdf format``: none of a text that it refuses or leaves."""
        buffer = self._buffer(params.text_document)
        if buffer is None or buffer.format is None:
            return []
        text = buffer.text.source
        result = formatted(
            SourceFile(buffer.path, text.encode('utf-8', 'surrogatepass'), encoding='utf-8'),
            Report())
        after = text if result is None else result.decode('utf-8')
        return [] if after == text else [
            lsp.TextEdit(buffer.text.range_of(Span(0, len(text))), after)]


def _path(uri: str) -> str:
    """Return the path of a document, which may be without a file."""
    path = None
    with suppress(ValueError):
        path = to_fs_path(uri)
    return (path or os.path.join(os.sep, uri)).replace('\0', '')


# ---- outline

def outline(buffer: Buffer) -> list[lsp.DocumentSymbol]:
    """Return the outline of a text, to a depth of 40."""
    top: list[lsp.DocumentSymbol] = []
    inner: dict[SyntaxNode, tuple[list[lsp.DocumentSymbol], int]] = {}
    language = buffer.language
    for node in buffer.syntax.nodes[:_OUTLINE_ELEMENTS]:
        symbols, depth = (top, 0) if node.parent is None else inner[node.parent]
        symbol = _symbol(buffer, None if language is None else language.declaration(node))
        inner[node] = symbols, depth
        if symbol is not None and depth < _OUTLINE_DEPTH:
            children: list[lsp.DocumentSymbol] = []
            symbol.children = children
            symbols.append(symbol)
            inner[node] = children, depth + 1
    return top


def _symbol(buffer: Buffer, found: Optional[DeclaredElement]) -> Optional[lsp.DocumentSymbol]:
    if found is None or found.content.text is not None:
        return None
    node = found.node
    if not (node.parent is None or found.element.repeated or found.content.scope):
        return None
    kinds = (one.names for one in found.content.attributes.values() if one.names)
    kind = next(kinds, '') or node.tag
    name, selection = next(_named(buffer, node), (node.tag, node.tag_span))
    detail = '' if name == node.tag else node.tag
    word = buffer.syntax.value(node, 'type')
    if word and word != name:
        detail += f' {word}'
    whole = Span(node.start, max(node.end, selection.end))
    return lsp.DocumentSymbol(
        name, _KINDS.get(kind, lsp.SymbolKind.Field), buffer.text.range_of(whole),
        buffer.text.range_of(selection), detail or None)


def _named(buffer: Buffer, node: SyntaxNode) -> Iterator[tuple[str, Span]]:
    """Yield the values that may be shown as the name of an element, the best first."""
    attributes = (node.attribute(name) for name in _NAMES)
    spans = [found.value for found in attributes if found is not None]
    spans += [
        buffer.syntax.text_span(child) for child in node.children if child.tag in ('name', 'uri')]
    for span in spans:
        text = '' if span is None else buffer.syntax.plain(span).strip()
        if span is not None and text:
            yield text, span


def serve(settings: AnalysisSettings, reader: BinaryIO, writer: BinaryIO) -> None:
    """Serve an editor until it ends the connection."""
    server = Server(settings)
    for name, answer, options in (
            (lsp.INITIALIZED, server.initialized, None),
            (lsp.TEXT_DOCUMENT_DID_OPEN, server.updated, None),
            (lsp.TEXT_DOCUMENT_DID_CHANGE, server.updated, None),
            (lsp.TEXT_DOCUMENT_DID_CLOSE, server.closed, None),
            (lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, server.files_changed, None),
            (lsp.TEXT_DOCUMENT_COMPLETION, server.complete, lsp.CompletionOptions(
                trigger_characters=_TRIGGERS)),
            (lsp.TEXT_DOCUMENT_HOVER, server.hover, None),
            (lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, server.outline, None),
            (lsp.TEXT_DOCUMENT_DEFINITION, server.definitions, None),
            (lsp.TEXT_DOCUMENT_REFERENCES, server.references, None),
            (lsp.TEXT_DOCUMENT_PREPARE_RENAME, server.prepare_rename, None),
            (lsp.TEXT_DOCUMENT_RENAME, server.rename, lsp.RenameOptions(prepare_provider=True)),
            (lsp.TEXT_DOCUMENT_CODE_ACTION, server.actions, lsp.CodeActionOptions(
                [lsp.CodeActionKind.QuickFix])),
            (lsp.TEXT_DOCUMENT_FORMATTING, server.formatted, None)):
        server.feature(name, options)(partial(answer))  # pygls sets attributes of it
    # else half of the time of an answer would go into the collection of garbage
    gc.freeze()
    gc.set_threshold(_COLLECTION)
    server.start_io(reader, writer)
