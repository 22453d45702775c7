# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The server: what an editor tells it about its documents, and which part answers requests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
import gc
import logging
import os
from threading import Event
from typing import Any, BinaryIO, Optional, Union

from hrdf_ros import __version__
from hrdf_ros.diagnostics import Location
from hrdf_ros.lsp.actions import Findings, FIX_ALL
from hrdf_ros.lsp.analyses import Analyses
from hrdf_ros.lsp.analysis import Analysis, AnalysisSettings
from hrdf_ros.lsp.answers import ANSWERS, NEARBY, Query, TYPED, WORKSPACE
from hrdf_ros.lsp.documents import Documents
from hrdf_ros.lsp.library import Cache, Library
from hrdf_ros.lsp.names import Buffer
from hrdf_ros.lsp.outline import workspace_symbols
from hrdf_ros.lsp.positions import Span
from hrdf_ros.lsp.preview import CLOSED, CURSOR, PREVIEW, Preview
from hrdf_ros.lsp.syntax import cursor_at
from hrdf_ros.readers.registry import CONFIGURATION_SUFFIX, FORMATS
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcContentModified, JsonRpcException, JsonRpcInvalidParams
from pygls.io_ import run_async, StdoutWriter
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method
from pygls.uris import to_fs_path

_COLLECTION = 100_000
"""
The number of new objects after which the garbage collector runs.

With Python's default, half of the time of an answer is garbage collection.
"""
_TRIGGERS = ['<', '/', '"', "'"]
"""
The characters after which an editor asks for proposals by itself.

A space, ``>`` and a line break are not among them: Enter would accept a proposal there.
"""
_LOGGER = logging.getLogger(__name__)
Handler = Generator[Any, Any, Any]
"""A handler of pygls that answers at once, or yields a function that takes longer."""


class _Protocol(LanguageServerProtocol):
    """
    The protocol of pygls with three changes.

    pygls does not answer a request with values of wrong types. It keeps documents by lines as
    Python splits them (see ``positions``), which takes too long for a keystroke in a large text.
    It logs a traceback for an answer that is no longer wanted.
    """

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Return a message; answer with an error if it does not follow the protocol."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if 'id' in data and 'method' in data:
                self._send_response(data['id'], error=error.to_response_error())
            raise

    def _send_handler_result(self, future: Future[Any], *, msg_id: Any) -> None:
        error = None if future.cancelled() else future.exception()
        if isinstance(error, JsonRpcContentModified):
            self._request_futures.pop(msg_id, None)
            self._send_response(msg_id, error=error.to_response_error())
        else:
            super()._send_handler_result(future, msg_id=msg_id)

    @lsp_method(lsp.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: lsp.DidOpenTextDocumentParams) -> Handler:
        yield self.fm.features[lsp.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: lsp.DidChangeTextDocumentParams) -> Handler:
        yield self.fm.features[lsp.TEXT_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: lsp.DidCloseTextDocumentParams) -> Handler:
        yield self.fm.features[lsp.TEXT_DOCUMENT_DID_CLOSE], (params,), None


class Server(LanguageServer):
    """A server for one editor, which sends only the changed parts of a text."""

    def __init__(self, settings: AnalysisSettings) -> None:
        super().__init__(
            'hrdf', __version__, protocol_cls=_Protocol,
            text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental)
        self._documents = Documents()
        self._files: Cache = {}
        self._analyses = Analyses(settings, self._publish, self._log_failure)
        self._preview = Preview(self._show)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log an error, which pygls would show on the user's screen."""
        _LOGGER.error('%s', error)

    # ---- documents

    @property
    def _encoding(self) -> str:
        """The encoding of positions that client and server agreed on."""
        kind = self.workspace.position_encoding
        return str(getattr(kind, 'value', kind))

    @property
    def library(self) -> Library:
        """The files at this moment, for a single request, which may run in a thread."""
        folders = [path for uri in self.workspace.folders if (path := to_fs_path(uri))]
        if not folders and self.workspace.root_path:
            folders = [self.workspace.root_path]
        return Library(
            dict(self._documents.texts), self._analyses.settings, folders, self._files,
            self._encoding)

    def initialize(self, params: lsp.InitializeParams) -> None:
        """Expand xacro files if the user, who trusts them, has enabled this in the editor."""
        options = params.initialization_options
        if isinstance(options, Mapping) and options.get('expandXacro') is True:
            settings = self._analyses.settings
            self._analyses.settings = settings._replace(
                options={**settings.options, 'xacro': None})

    def initialized(self, _: lsp.InitializedParams) -> None:
        """Prepare for the first keystroke, and ask to be notified of changed files."""
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
        """Take over the text of a document, which need not be a file."""
        buffer = self._documents.open(params.text_document, self._encoding) if isinstance(
            params, lsp.DidOpenTextDocumentParams) else self._documents.change(params)
        if buffer is not None and buffer.is_large:
            # otherwise the first keystroke has to wait for the pieces
            asyncio.get_running_loop().run_in_executor(None, getattr, buffer, 'pieces')
        if buffer is not None:
            self._changed(buffer.real)

    def closed(self, params: lsp.DidCloseTextDocumentParams) -> None:
        """Forget a document; its file, or another open document of that file, takes its place."""
        buffer = self._documents.close(params.text_document)
        if buffer is not None:
            self._analyses.forget(buffer.real)
            self._changed(buffer.real)
            for uri in {buffer.uri, params.text_document.uri}:
                self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    # ---- analyses

    def files_changed(self, _: lsp.DidChangeWatchedFilesParams) -> None:
        """Analyze every document again."""
        for buffer in self._documents.texts.values():
            self._analyze(buffer)

    def _changed(self, real: str) -> None:
        """Analyze a document that was opened or changed, and the documents that include it."""
        self._preview.follow(self._documents.texts, self._analyses.settings)
        for other, buffer in self._documents.texts.items():
            if other == real or real in map(os.path.realpath, self._analyses.last(other).files):
                self._analyze(buffer)

    def _analyze(self, buffer: Buffer) -> None:
        """Analyze a document if it is a robot description; other documents are ignored."""
        if buffer.format is None and not buffer.path.endswith(CONFIGURATION_SUFFIX):
            self._analyses.forget(buffer.real)
            self._publish(buffer, Analysis())
        else:
            self._analyses.start(buffer, dict(self._documents.texts))

    def _publish(self, buffer: Buffer, analysis: Analysis) -> None:
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(
            buffer.uri, self._findings(buffer, analysis).diagnostics(), buffer.version))

    def _findings(self, buffer: Buffer, analysis: Analysis) -> Findings:
        return Findings(buffer, analysis, self.library, self._analyses.settings.page)

    def _log_failure(self, buffer: Buffer) -> None:
        self.window_log_message(lsp.LogMessageParams(
            lsp.MessageType.Warning, f'{buffer.path}: the analysis ended without a result'))

    # ---- the robot beside the text

    def preview(self, params: Any) -> Handler:
        """Show a document in a viewer; the answer is the address of its page."""
        buffer = self._documents.find(params.textDocument)
        if buffer is None:
            raise JsonRpcInvalidParams('the document is not open')
        return (yield self._preview.show, (
            buffer, self._documents.texts, self._analyses.settings), None)

    def preview_cursor(self, params: Any) -> None:
        """Mark the link or joint at the cursor."""
        buffer = self._documents.find(params.textDocument)
        if buffer is not None:
            self._preview.point(buffer, buffer.text.offset(params.position))

    def preview_closed(self, _: Any) -> None:
        """End the viewer."""
        self._preview.close()

    def _show(self, at: Location) -> None:
        """Let the editor show the start tag of an element."""
        buffer = self.library.buffer(at.file)
        if buffer is not None:
            start = buffer.text.offset_of(at)
            node = cursor_at(buffer.near(start).syntax, start + 1).node
            end = start if node is None else node.end if node.is_empty else node.content.start
            self.window_show_document(lsp.ShowDocumentParams(
                buffer.uri, take_focus=False,
                selection=buffer.text.range_of(Span(start, max(start, end)))))

    # ---- requests

    def symbols(self, params: lsp.WorkspaceSymbolParams) -> Handler:
        """Return the items of the workspace that match what was typed."""
        in_thread = self.thread()(partial(workspace_symbols))
        return (yield in_thread, (self.library, params.query), None)

    def handler(self, method: str) -> Callable[[Any], Handler]:
        """
        Return the handler for a request about a document.

        A request that needs all of a large text is answered by the process that analyzes it, a
        request that reads many files in a thread, and any other request at once.
        """
        answer = ANSWERS[method]
        in_thread = self.thread()(partial(answer))  # pygls marks the function

        def handle(params: Any) -> Handler:
            query = self._query(method, params)
            if query is None:
                return None
            if query.buffer.is_large and method not in NEARBY:
                return (yield self._analyses.ask, (query,), None)
            if method in WORKSPACE:
                return (yield in_thread, (query,), None)
            return answer(query)
        return handle

    def _query(self, method: str, params: Any) -> Optional[Query]:
        if method == TYPED:  # pygls has no type for it
            params = lsp.TextDocumentPositionParams(
                lsp.TextDocumentIdentifier(params.textDocument.uri),
                lsp.Position(params.position.line, params.position.character))
        buffer = self._documents.find(params.text_document)
        if buffer is None:
            return None
        part, last = getattr(params, 'range', None), self._analyses.last(buffer.real)
        position = getattr(params, 'position', part and part.start)
        return Query(
            method, params, buffer, 0 if position is None else buffer.text.offset(position),
            self.library, self.client_capabilities, last.frames or {}, last.names)

    def actions(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        """Return the fixes in a range; there are none until the present text is analyzed."""
        buffer = self._documents.find(params.text_document)
        return [] if buffer is None else self._findings(
            buffer, self._analyses.of(buffer)).actions(params, self.client_capabilities)


def serve(settings: AnalysisSettings, reader: BinaryIO, writer: BinaryIO) -> None:
    """Serve an editor until it ends the connection."""
    server = Server(settings)
    options: dict[str, Any] = {
        lsp.TEXT_DOCUMENT_COMPLETION: lsp.CompletionOptions(trigger_characters=_TRIGGERS),
        lsp.TEXT_DOCUMENT_RENAME: lsp.RenameOptions(prepare_provider=True),
        lsp.TEXT_DOCUMENT_CODE_ACTION: lsp.CodeActionOptions(
            [lsp.CodeActionKind.QuickFix, FIX_ALL])}
    handlers: dict[str, Any] = {
        lsp.INITIALIZE: partial(server.initialize),  # pygls sets attributes
        lsp.INITIALIZED: partial(server.initialized),
        lsp.TEXT_DOCUMENT_DID_OPEN: partial(server.updated),
        lsp.TEXT_DOCUMENT_DID_CHANGE: partial(server.updated),
        lsp.TEXT_DOCUMENT_DID_CLOSE: partial(server.closed),
        lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES: partial(server.files_changed),
        lsp.TEXT_DOCUMENT_CODE_ACTION: partial(server.actions),
        lsp.WORKSPACE_SYMBOL: partial(server.symbols),
        PREVIEW: partial(server.preview),
        CURSOR: partial(server.preview_cursor),
        CLOSED: partial(server.preview_closed),
        **{method: server.handler(method) for method in ANSWERS}}
    for method, handler in handlers.items():
        server.feature(method, options.get(method))(handler)
    # otherwise garbage collection takes half of the time of an answer
    gc.freeze()
    gc.set_threshold(_COLLECTION)
    server.protocol.set_writer(StdoutWriter(writer))
    with suppress(BrokenPipeError, EOFError, KeyboardInterrupt, SystemExit):
        asyncio.run(_handle_messages(server, reader))
    server.shutdown()  # type: ignore[no-untyped-call]


async def _handle_messages(server: Server, reader: BinaryIO) -> None:
    """Handle the messages of a pipe; pygls' reader switches threads four times per message."""
    stream = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(stream), reader)
    await run_async(Event(), stream, server.protocol, error_handler=server.report_server_error)
