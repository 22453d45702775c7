# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The server: what an editor tells and asks, by the Language Server Protocol."""

from __future__ import annotations

import asyncio
from contextlib import suppress
import gc
from importlib.metadata import PackageNotFoundError, version
from itertools import count
import os
from typing import Any, BinaryIO, NamedTuple, Optional

from hrdf_ros.lsp import convert
from hrdf_ros.lsp.actions import fixes
from hrdf_ros.lsp.analysis import Analysis, AnalysisSettings, LARGEST
from hrdf_ros.lsp.buffer import Buffer
from hrdf_ros.lsp.checks import Checks
from hrdf_ros.lsp.completion import complete
from hrdf_ros.lsp.formatting import formatting
from hrdf_ros.lsp.hover import hover
from hrdf_ros.lsp.library import Library
from hrdf_ros.lsp.navigation import definitions, references
from hrdf_ros.lsp.rename import name_span, rename, RenameRefused, written
from hrdf_ros.lsp.symbols import outline
from hrdf_ros.lsp.text import Text
from hrdf_ros.lsp.transport import AnsweringProtocol
from hrdf_ros.readers.registry import FORMATS
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import lsp_method
from pygls.uris import to_fs_path

_COLLECTION = 100_000
"""Objects that are made before garbage is looked for."""
_MOST_FIXED = 100
"""Diagnostics of a request for quick fixes that are looked at."""
_LONGEST_URI = 8192
_NO_FILE = '<no file>'
_TRIGGERS = ['<', '/', ' ', '"', "'", '=', ':', '>']


class _Protocol(AnsweringProtocol):
    """
    The protocol with texts of our own.

    pygls ends lines where Python does, at form feeds and U+2028 too, where no editor does.
    """

    _server: Server

    def shortened(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return a message with at most so many diagnostics to look for fixes of."""
        if data.get('method') == lsp.TEXT_DOCUMENT_CODE_ACTION:
            with suppress(AttributeError, KeyError, TypeError):  # structuring reports what it is
                found = data['params']['context']['diagnostics']
                data['params']['context']['diagnostics'] = found[:_MOST_FIXED]
        return data

    @lsp_method(lsp.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: lsp.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        self._server.opened(document.uri, document.text, document.version)

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: lsp.DidChangeTextDocumentParams) -> None:
        self._server.changed(params)

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: lsp.DidCloseTextDocumentParams) -> None:
        self._server.closed(params.text_document.uri)


class Server(LanguageServer):
    """
    A server for one editor.

    ``page`` is the address of the page that explains the diagnostic codes.
    """

    protocol: _Protocol

    def __init__(self, settings: AnalysisSettings, page: str) -> None:
        super().__init__(
            'hrdf', _version(), protocol_cls=_Protocol,
            text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental)
        self.settings = settings
        self.page = page
        self.documents: dict[str, Buffer] = {}
        self._paths: dict[str, str] = {}
        self._numbers = count(1)
        self.library = Library(self.documents, settings)
        self._checks: Optional[Checks] = None
        _register(self)

    # ---- documents

    @property
    def checks(self) -> Checks:
        """The analyses, which need the loop that runs."""
        if self._checks is None:
            self._checks = Checks(self.documents, self.settings, self._publish, self._failed)
        return self._checks

    def initialized(self) -> None:
        """Begin, with the folders and the unit of positions that were agreed on."""
        folders = [path for uri in self.workspace.folders if (path := to_fs_path(uri))]
        if not folders and self.workspace.root_path:
            folders = [self.workspace.root_path]
        self.library = Library(
            self.documents, self.settings, folders, self._encoding())
        for found in FORMATS:
            found.schema()  # imported now, not when the first key is pressed
        workspace = self.client_capabilities.workspace
        watched = workspace and workspace.did_change_watched_files
        if watched and watched.dynamic_registration:
            self.client_register_capability(lsp.RegistrationParams([_watchers()]))

    def _encoding(self) -> Any:
        return str(getattr(
            self.workspace.position_encoding, 'value', self.workspace.position_encoding))

    def opened(self, uri: str, source: str, number: int) -> None:
        """Take over a document that the editor has opened."""
        path = self._path(uri)
        real = self._paths[uri] = os.path.realpath(path)
        self.documents[real] = Buffer(uri, path, Text(source, self._encoding()), number)
        self.checks.changed(real)

    def _path(self, uri: str) -> str:
        """Return the path of a document; one that is no file gets one that no file has."""
        with suppress(ValueError):
            path = to_fs_path(uri) if uri.startswith('file:') else None
            if len(uri) <= _LONGEST_URI:
                os.fsencode(path or uri)
                if '\0' not in (path or uri):
                    return path or os.path.realpath(uri)
        return f'{os.sep}{_NO_FILE}{os.sep}{next(self._numbers)}'

    def changed(self, params: lsp.DidChangeTextDocumentParams) -> None:
        """Apply edits to a document."""
        buffer = self.buffer(params.text_document.uri)
        if buffer is None:
            return
        text = buffer.text
        for one in params.content_changes:
            text = text.changed(convert.change(one))
        real = self._paths[buffer.uri]
        self.documents[real] = Buffer(
            buffer.uri, buffer.path, text, params.text_document.version)
        self.checks.changed(real)

    def closed(self, uri: str) -> None:
        """Let go of a document; what is on disk counts again."""
        real = self._paths.pop(uri, None)
        if real is not None:
            self.documents.pop(real, None)
            self.checks.closed(real)
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    def buffer(self, uri: str) -> Optional[Buffer]:
        """Return an open document, None where it is not open."""
        return self.documents.get(self._paths.get(uri, ''))

    def analysis(self, buffer: Buffer) -> Analysis:
        """Return the last analysis of a document, which may be of an older text."""
        found = self.checks.analyses.get(os.path.realpath(buffer.path))
        return found or Analysis((), ())

    def _publish(self, buffer: Buffer, analysis: Analysis) -> None:
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(
            buffer.uri,
            convert.diagnostics(buffer, analysis.diagnostics, self.page, self.library),
            buffer.version))

    def _failed(self, buffer: Buffer, why: str) -> None:
        self.window_log_message(lsp.LogMessageParams(
            lsp.MessageType.Warning, f'{buffer.path}: {why}'))

    @property
    def has_snippets(self) -> bool:
        """Whether the client understands tab stops."""
        document = self.client_capabilities.text_document
        item = document and document.completion and document.completion.completion_item
        return bool(item and item.snippet_support)


    @property
    def has_document_changes(self) -> bool:
        """Whether the client understands edits of documents of a version."""
        workspace = self.client_capabilities.workspace
        return bool(workspace and workspace.workspace_edit
                    and workspace.workspace_edit.document_changes)


def _watchers() -> lsp.Registration:
    """Return what asks the editor to tell when files of ours are changed by others."""
    suffixes = ','.join(suffix[1:] for one in FORMATS for suffix in one.suffixes)
    return lsp.Registration(
        'files', lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES,
        lsp.DidChangeWatchedFilesRegistrationOptions([
            lsp.FileSystemWatcher(glob_pattern=f'**/*.{{{suffixes}}}')]))


class _At(NamedTuple):
    """A document and an offset in it."""

    buffer: Buffer
    offset: int


def _at(server: Server, params: Any) -> Optional[_At]:
    """Return the place that a request is about, None in a document that is not looked into."""
    buffer = server.buffer(params.text_document.uri)
    if buffer is None or len(buffer.text.source) > LARGEST:
        return None
    return _At(buffer, buffer.text.offset(convert.position(params.position)))


def _register(server: Server) -> None:
    """Connect what the protocol tells and asks to what answers."""
    _register_session(server)
    _register_typing(server)
    _register_names(server)
    _register_rename(server)
    _register_edits(server)


def _register_session(server: Server) -> None:
    @server.feature(lsp.INITIALIZED)
    def initialized(ls: Server, _: lsp.InitializedParams) -> None:
        ls.initialized()

    @server.feature(lsp.SHUTDOWN)
    def shutdown(ls: Server, *_: Any) -> None:
        ls.checks.end()

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files_changed(ls: Server, _: lsp.DidChangeWatchedFilesParams) -> None:
        ls.checks.files_changed()


def _register_typing(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(
        trigger_characters=_TRIGGERS))
    def completion(ls: Server, params: lsp.CompletionParams) -> Optional[lsp.CompletionList]:
        at = _at(ls, params)
        if at is None:
            return None
        return lsp.CompletionList(is_incomplete=False, items=[
            convert.completion_item(at.buffer, item, snippets=ls.has_snippets)
            for item in complete(at.buffer, at.offset, ls.library)])

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hovered(ls: Server, params: lsp.HoverParams) -> Optional[lsp.Hover]:
        at = _at(ls, params)
        found = at and hover(at.buffer, at.offset, ls.library, ls.analysis(at.buffer).frames)
        if at is None or found is None:
            return None
        return lsp.Hover(
            convert.markdown(found.markdown), convert.span_range(at.buffer.text, found.span))


    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(
        ls: Server, params: lsp.DocumentSymbolParams,
    ) -> Optional[list[lsp.DocumentSymbol]]:
        buffer = ls.buffer(params.text_document.uri)
        return None if buffer is None else [
            convert.symbol(buffer.text, one) for one in outline(buffer)]


def _register_names(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definition(ls: Server, params: lsp.DefinitionParams) -> list[lsp.Location]:
        at = _at(ls, params)
        found = [] if at is None else definitions(at.buffer, at.offset, ls.library)
        return [convert.location(one.buffer, one.span) for one in found]

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    async def all_references(ls: Server, params: lsp.ReferenceParams) -> list[lsp.Location]:
        at = _at(ls, params)
        found = [] if at is None else await asyncio.to_thread(
            references, at.buffer, at.offset, ls.library,
            with_definition=params.context.include_declaration)
        return [convert.location(one.buffer, one.span) for one in found]

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlight(
        ls: Server, params: lsp.DocumentHighlightParams,
    ) -> list[lsp.DocumentHighlight]:
        at = _at(ls, params)
        if at is None:
            return []
        named = ls.library.named_at(at.buffer, at.offset)
        found = ls.library.references(named, [at.buffer]) if named else ()
        here = [one.part.span for one in found] + [
            one.definition.span for one in named if one.buffer is at.buffer]
        return [lsp.DocumentHighlight(convert.span_range(at.buffer.text, one)) for one in here]


def _register_rename(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare_rename(
        ls: Server, params: lsp.PrepareRenameParams,
    ) -> Optional[lsp.PrepareRenamePlaceholder]:
        at = _at(ls, params)
        if at is None or not ls.library.named_at(at.buffer, at.offset):
            return None
        span = name_span(at.buffer, at.offset)
        return lsp.PrepareRenamePlaceholder(
            convert.span_range(at.buffer.text, span), at.buffer.syntax.plain(span))

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    async def renamed(ls: Server, params: lsp.RenameParams) -> Optional[lsp.WorkspaceEdit]:
        at = _at(ls, params)
        named = [] if at is None else ls.library.named_at(at.buffer, at.offset)
        if not named:
            return None
        try:
            files = await asyncio.to_thread(rename, ls.library, named, params.new_name)
        except RenameRefused as refused:
            raise JsonRpcInvalidParams(str(refused)) from None
        text = written(params.new_name)
        return convert.workspace_edit([
            (buffer, [(span, text) for span in spans]) for buffer, spans in files],
            has_versions=ls.has_document_changes)


def _register_edits(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(
        [lsp.CodeActionKind.QuickFix]))
    def actions(ls: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        buffer = ls.buffer(params.text_document.uri)
        if buffer is None or len(buffer.text.source) > LARGEST:
            return []
        return [
            convert.quick_fix(buffer, fix, found, has_versions=ls.has_document_changes)
            for found in params.context.diagnostics if found.source == convert.SOURCE
            for fix in fixes(
                buffer, str(found.code), found.message,
                buffer.text.offset(convert.position(found.range.start)))]


    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def format_document(
        ls: Server, params: lsp.DocumentFormattingParams,
    ) -> Optional[list[lsp.TextEdit]]:
        buffer = ls.buffer(params.text_document.uri)
        if buffer is None or len(buffer.text.source) > LARGEST:
            return None
        return [
            lsp.TextEdit(convert.span_range(buffer.text, edit.span), edit.text)
            for edit in formatting(buffer)]


def serve(settings: AnalysisSettings, page: str, reader: BinaryIO, writer: BinaryIO) -> None:
    """Serve an editor until it ends the connection."""
    server = Server(settings, page)
    # half of the time of an answer would go into looking for garbage among what stays
    gc.freeze()
    gc.set_threshold(_COLLECTION)
    try:
        asyncio.run(server.protocol.serve(reader, writer))
    except (BrokenPipeError, KeyboardInterrupt, SystemExit):
        pass
    finally:
        server.shutdown()  # type: ignore[no-untyped-call]  # of pygls


def _version() -> str:
    try:
        return version('hrdf_ros')
    except PackageNotFoundError:
        return ''
