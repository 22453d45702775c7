# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The server: the editor's documents, their analyses, and the answers to its requests."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial
import gc
import logging
import os
from pathlib import Path
from typing import Any, BinaryIO, Optional
from urllib.parse import quote

from hrdf_ros import __version__
from hrdf_ros.diagnostics import Location
from hrdf_ros.document import escape
from hrdf_ros.lsp.analysis import Analysis, AnalysisSettings, faulty_span, Finding
from hrdf_ros.lsp.completion import complete
from hrdf_ros.lsp.edits import formatting, outline
from hrdf_ros.lsp.hover import hover
from hrdf_ros.lsp.library import Buffer, Cache, Library, RenameRefused
from hrdf_ros.lsp.text import Text
from hrdf_ros.lsp.worker import Checks
from hrdf_ros.readers.registry import FORMATS
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method
from pygls.uris import to_fs_path

_COLLECTION = 100_000
"""Objects that are made before garbage is looked for."""
_TRIGGERS = ['<', '/', ' ', '"', "'", '=', ':', '>']
_SEVERITIES = {
    'error': lsp.DiagnosticSeverity.Error, 'warning': lsp.DiagnosticSeverity.Warning,
    'info': lsp.DiagnosticSeverity.Information}
_LOGGER = logging.getLogger(__name__)


class _Protocol(LanguageServerProtocol):
    """The protocol of pygls with documents of our own (see ``text``)."""

    _server: Server

    @lsp_method(lsp.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: lsp.DidOpenTextDocumentParams) -> None:
        self._server.opened(params.text_document)

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: lsp.DidChangeTextDocumentParams) -> None:
        self._server.changed(params)

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: lsp.DidCloseTextDocumentParams) -> None:
        self._server.closed(params.text_document.uri)


class Server(LanguageServer):
    """A server for one editor."""

    def __init__(self, settings: AnalysisSettings) -> None:
        super().__init__(
            'hrdf', __version__, protocol_cls=_Protocol,
            text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental)
        self._settings = settings
        self._documents: dict[str, Buffer] = {}
        self._paths: dict[str, str] = {}
        self._files: Cache = {}
        self._checks: Optional[Checks] = None

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log an error; the default is a message on the user's screen."""
        _LOGGER.error('%s', error)

    # ---- documents

    @property
    def checks(self) -> Checks:
        """The analyses, in the unit of positions that was agreed on."""
        if self._checks is None:
            kind = self.workspace.position_encoding
            self._settings = self._settings._replace(encoding=str(getattr(kind, 'value', kind)))
            self._checks = Checks(self._documents, self._settings, self._publish, self._failed)
        return self._checks

    @property
    def library(self) -> Library:
        """The files as they are now, for one request: a thread may use it."""
        folders = [path for uri in self.workspace.folders if (path := to_fs_path(uri))]
        if not folders and self.workspace.root_path:
            folders = [self.workspace.root_path]
        return Library(dict(self._documents), self._settings, folders, self._files)

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

    def opened(self, document: lsp.TextDocumentItem) -> None:
        """Take over a document that the editor has opened; one may be without a file."""
        checks, uri = self.checks, document.uri
        path = None
        with suppress(ValueError):
            path = to_fs_path(uri) if uri.startswith('file:') else None
        buffer = Buffer(
            uri, (path or os.path.join(os.sep, uri)).replace('\0', ''),
            Text(document.text, self._settings.encoding), document.version)
        self._paths[uri] = buffer.real
        self._documents[buffer.real] = buffer
        checks.changed(buffer.real)

    def changed(self, params: lsp.DidChangeTextDocumentParams) -> None:
        """Apply edits to a document."""
        document = self._documents.get(self._paths.get(params.text_document.uri, ''))
        if document is None:
            return
        text = document.text
        for one in params.content_changes:
            text = text.edited(one.range, one.text) if isinstance(
                one, lsp.TextDocumentContentChangePartial) else Text(one.text, text.encoding)
        self._documents[document.real] = Buffer(
            document.uri, document.path, text, params.text_document.version)
        self.checks.changed(document.real)

    def closed(self, uri: str) -> None:
        """Forget a document; its file counts again."""
        real = self._paths.pop(uri, None)
        if real is not None:
            self._documents.pop(real, None)
            self.checks.closed(real)
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

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
        start = buffer.text.offset_of(at.line, at.column)
        return lsp.DiagnosticRelatedInformation(
            buffer.location(faulty_span(buffer.text, start)), 'it is here')

    def _failed(self, buffer: Buffer) -> None:
        self.window_log_message(lsp.LogMessageParams(
            lsp.MessageType.Warning, f'{buffer.path}: the analysis ended without a result'))

    # ---- requests

    def _buffer(self, document: lsp.TextDocumentIdentifier) -> Optional[Buffer]:
        """Return an open document, None where it is not open or too large."""
        found = self._documents.get(self._paths.get(document.uri, ''))
        return None if found is None or found.is_large else found

    def _place(self, params: Any) -> Optional[tuple[Buffer, int]]:
        """Return the document and offset of a request, None where there are no answers."""
        buffer = self._buffer(params.text_document)
        return None if buffer is None else (buffer, buffer.text.offset(params.position))

    def complete(self, params: lsp.CompletionParams) -> Optional[lsp.CompletionList]:
        """Return the proposals for a place."""
        at, document = self._place(params), self.client_capabilities.text_document
        item = document and document.completion and document.completion.completion_item
        return at and lsp.CompletionList(is_incomplete=False, items=complete(
            *at, self.library, snippets=bool(item and item.snippet_support)))

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
        found = self.library.definitions(*at) if at else []
        return [buffer.location(span) for buffer, span in found]

    async def references(self, params: lsp.ReferenceParams) -> list[lsp.Location]:
        """Return every place that names the thing at a place."""
        at = self._place(params)
        found = [] if at is None else await asyncio.to_thread(
            self.library.references, *at, with_definition=params.context.include_declaration)
        return [buffer.location(span) for buffer, span in found]

    def prepare_rename(
        self, params: lsp.PrepareRenameParams,
    ) -> Optional[lsp.PrepareRenamePlaceholder]:
        """Return the name at a place."""
        at = self._place(params)
        if at is None or not self.library.named_at(*at):
            return None
        buffer, offset = at
        span = buffer.names.name_span(offset)
        return lsp.PrepareRenamePlaceholder(buffer.text.range_of(span), buffer.syntax.plain(span))

    async def rename(self, params: lsp.RenameParams) -> Optional[lsp.WorkspaceEdit]:
        """Return the edits that give another name to the thing at a place."""
        at, library = self._place(params), self.library
        named = library.named_at(*at) if at else []
        if not named:
            return None
        try:
            places = await asyncio.to_thread(library.renamed, named, params.new_name)
        except RenameRefused as refused:
            raise JsonRpcInvalidParams(str(refused)) from None
        new = escape(params.new_name)
        return self._edit([
            (buffer, lsp.TextEdit(buffer.text.range_of(span), new)) for buffer, span in places])

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

    def formatted(self, params: lsp.DocumentFormattingParams) -> Sequence[lsp.TextEdit]:
        """Return the edits that format a document."""
        buffer = self._buffer(params.text_document)
        return [] if buffer is None else formatting(buffer)


def serve(settings: AnalysisSettings, reader: BinaryIO, writer: BinaryIO) -> None:
    """Serve an editor until it ends the connection."""
    server = Server(settings)
    for name, answer, options in (
            (lsp.INITIALIZED, server.initialized, None),
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
