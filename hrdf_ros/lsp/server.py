# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The server: the editor's documents, their analyses, and the transport of pygls."""

from __future__ import annotations

from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from itertools import count
import logging
import os
import re
from typing import Any, BinaryIO, Optional

from hrdf_ros.lsp import convert
from hrdf_ros.lsp.analysis import Analysis, AnalysisSettings
from hrdf_ros.lsp.documents import Buffer, OpenDocument
from hrdf_ros.lsp.library import Cache, Library
from hrdf_ros.lsp.worker import Checks
from hrdf_ros.readers.registry import FORMATS
from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method
from pygls.uris import to_fs_path

_MESSAGE_BYTES = 256 << 20
"""Bytes of one message; a longer one is skipped."""
_LONGEST_HEADER = 4096
_LENGTH = re.compile(rb'Content-Length: (\d+)\r\n')
_LONGEST_URI = 8192
_NO_FILE = '<no file>'
_LOGGER = logging.getLogger(__name__)


class _Protocol(LanguageServerProtocol):
    """The protocol of pygls with documents of our own."""

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


class BoundedInput:
    """The stream of an editor, without messages that are too long: pygls reserves their bytes."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def readline(self) -> bytes:
        """Return a line of a header, but none that announces too much."""
        line = self._stream.readline(_LONGEST_HEADER)
        found = _LENGTH.fullmatch(line)
        if found is None or len(found[1]) < 10 and int(found[1]) <= _MESSAGE_BYTES:
            return line
        while self._stream.readline(_LONGEST_HEADER).strip():
            pass
        left = int(found[1][:18])
        while left > 0 and (skipped := len(self._stream.read(min(left, 1 << 16)))):
            left -= skipped
        return b'\r\n'

    def read(self, length: int) -> bytes:
        """Return the body of a message."""
        return self._stream.read(length)


class Server(LanguageServer):
    """
    A server for one editor.

    ``page`` is the address of the page that explains the diagnostic codes.
    """

    def __init__(self, settings: AnalysisSettings, page: str) -> None:
        super().__init__(
            'hrdf', _version(), protocol_cls=_Protocol,
            text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental)
        self.settings = settings
        self.page = page
        self.documents: dict[str, OpenDocument] = {}
        self._paths: dict[str, str] = {}
        self._numbers = count(1)
        self._files: Cache = {}
        self._checks: Optional[Checks] = None

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log an error; the default is a message on the user's screen."""
        _LOGGER.error('%s', error)

    # ---- documents

    @property
    def checks(self) -> Checks:
        """The analyses, which need the loop that runs."""
        if self._checks is None:
            self._checks = Checks(self.documents, self.settings, self._publish, self._failed)
        return self._checks

    @property
    def encoding(self) -> str:
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
            {path: one.buffer for path, one in self.documents.items()}, self.settings, folders,
            self.encoding, self._files)

    def initialized(self) -> None:
        """Prepare for the first key, and ask to be told of files that others change."""
        for found in FORMATS:
            found.schema()
        workspace = self.client_capabilities.workspace
        watched = workspace and workspace.did_change_watched_files
        if watched and watched.dynamic_registration:
            self.client_register_capability(lsp.RegistrationParams([convert.watchers()]))

    def opened(self, document: lsp.TextDocumentItem) -> None:
        """Take over a document that the editor has opened."""
        path = self._path(document.uri)
        real = self._paths[document.uri] = os.path.realpath(path)
        self.documents[real] = OpenDocument(
            document.uri, path, document.text, document.version, self.encoding)
        self.checks.changed(real)

    def _path(self, uri: str) -> str:
        """Return the path of a document; one that is not a file gets one that no file has."""
        with suppress(ValueError):
            path = to_fs_path(uri) if uri.startswith('file:') else None
            if len(uri) <= _LONGEST_URI:
                os.fsencode(path or uri)
                if '\0' not in (path or uri):
                    return path or os.path.realpath(uri)
        return f'{os.sep}{_NO_FILE}{os.sep}{next(self._numbers)}'

    def changed(self, params: lsp.DidChangeTextDocumentParams) -> None:
        """Apply edits to a document."""
        real = self._paths.get(params.text_document.uri, '')
        document = self.documents.get(real)
        if document is not None:
            for one in params.content_changes:
                document.change(params.text_document.version, one.text, convert.changed_range(one))
            self.checks.changed(real)

    def closed(self, uri: str) -> None:
        """Forget a document; its file counts again."""
        real = self._paths.pop(uri, None)
        if real is not None:
            self.documents.pop(real, None)
            self.checks.closed(real)
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    def end(self) -> None:
        """End the analyses."""
        if self._checks is not None:
            self._checks.end()

    def buffer(self, document: lsp.TextDocumentIdentifier) -> Optional[Buffer]:
        """Return an open document, None where it is not open or too large."""
        found = self.documents.get(self._paths.get(document.uri, ''))
        return None if found is None or found.buffer.is_large else found.buffer

    def place(self, params: Any) -> Optional[tuple[Buffer, int]]:
        """Return the document and offset of a request, None where there are no answers."""
        buffer, at = self.buffer(params.text_document), params.position
        return None if buffer is None else (
            buffer, buffer.text.offset((at.line, at.character)))

    def analysis(self, buffer: Buffer) -> tuple[Optional[Buffer], Analysis]:
        """Return the last analysis of a document, and the text that it is of."""
        found = self.checks.analyses.get(os.path.realpath(buffer.path))
        return found or (None, Analysis((), ()))

    def _publish(self, buffer: Buffer, analysis: Analysis) -> None:
        library = self.library
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(
            buffer.uri,
            [convert.diagnostic(buffer, one, self.page, library) for one in analysis.diagnostics],
            buffer.version))

    def _failed(self, buffer: Buffer) -> None:
        self.window_log_message(lsp.LogMessageParams(
            lsp.MessageType.Warning, f'{buffer.path}: the analysis ended without a result'))

    # ---- the client

    @property
    def has_snippets(self) -> bool:
        """Whether the client understands tab stops."""
        document = self.client_capabilities.text_document
        item = document and document.completion and document.completion.completion_item
        return bool(item and item.snippet_support)

    @property
    def has_versions(self) -> bool:
        """Whether the client understands edits of documents of a version."""
        workspace = self.client_capabilities.workspace
        return bool(workspace and workspace.workspace_edit
                    and workspace.workspace_edit.document_changes)


def _version() -> str:
    try:
        return version('hrdf_ros')
    except PackageNotFoundError:
        return ''
