# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The server: the editor's documents, their analyses, and the answers to its requests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
import gc
import logging
from multiprocessing import get_context
import os
from pathlib import Path
from typing import Any, BinaryIO, Optional, Union
from urllib.parse import quote, unquote

from hrdf_ros import __version__
from hrdf_ros.diagnostics import Location, Report
from hrdf_ros.document import escape, SourceFile
from hrdf_ros.document.formatter import formatted
from hrdf_ros.lsp.analysis import Analysis, AnalysisJob, AnalysisSettings, faulty_span, Finding
from hrdf_ros.lsp.analysis import serve as analyze_for
from hrdf_ros.lsp.completion import closing_tag, complete, hover, opens_a_list, tag_names
from hrdf_ros.lsp.library import Cache, Library
from hrdf_ros.lsp.names import Buffer, outline
from hrdf_ros.lsp.positions import Span, Text
from hrdf_ros.readers.registry import CONFIGURATION_SUFFIX, FORMATS
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument

_FIX_ALL = 'source.fixAll.hrdf'
_COLLECTION = 100_000
"""The number of objects that are created before the garbage collector runs."""
_TRIGGERS = ['<', '/', '"', "'"]
"""
The keys after which an editor asks for proposals by itself.

No blank, ``>`` or end of line is among them: there, Enter would take a proposal.
"""
CLOSING_TAG = 'hrdf/closingTag'
"""Our request for the text that VS Code adds after a typed ``>``; LSP has no such request."""
_SEVERITIES = {
    'error': lsp.DiagnosticSeverity.Error, 'warning': lsp.DiagnosticSeverity.Warning,
    'info': lsp.DiagnosticSeverity.Information}
_AT_ONCE = 2
"""The analyses that run at the same time; others wait."""
_PAUSE = 0.03
"""The seconds without a change after which an analysis begins."""
_LOGGER = logging.getLogger(__name__)


class _Protocol(LanguageServerProtocol):
    """The protocol of pygls, which gives no answer to a request with values of wrong types."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Return a message; answer with an error where it is not one of the protocol."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if 'id' in data and 'method' in data:
                self._send_response(data['id'], error=error.to_response_error())
            raise


class Server(LanguageServer):
    """
    A server for one editor, which sends the whole text with each change.

    pygls would apply partial edits to lines as Python splits them (see ``positions``).
    """

    def __init__(self, settings: AnalysisSettings) -> None:
        super().__init__(
            'hrdf', __version__, protocol_cls=_Protocol,
            text_document_sync_kind=lsp.TextDocumentSyncKind.Full)
        self._settings = settings
        self._documents: dict[str, Buffer] = {}
        self._files: Cache = {}
        self._analyses: dict[str, tuple[Buffer, Analysis]] = {}
        """The last analysis of each document, by real path, and the text that was analyzed."""
        self._slots = asyncio.Semaphore(_AT_ONCE)
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log an error; pygls would show a message on the user's screen."""
        _LOGGER.error('%s', error)

    # ---- documents

    @property
    def _encoding(self) -> str:
        """The unit of positions that client and server agreed on."""
        kind = self.workspace.position_encoding
        return str(getattr(kind, 'value', kind))

    @property
    def library(self) -> Library:
        """The files as they are now, for one request, which may run in a thread."""
        folders = [path for uri in self.workspace.folders if (path := to_fs_path(uri))]
        if not folders and self.workspace.root_path:
            folders = [self.workspace.root_path]
        return Library(
            dict(self._documents), self._settings, folders, self._files, self._encoding)

    def initialized(self, _: lsp.InitializedParams) -> None:
        """Prepare for the first key, and ask for notices of files that others change."""
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
        self._changed(buffer.real)

    def closed(self, params: lsp.DidCloseTextDocumentParams) -> None:
        """Forget a document; its file counts again, or another open document of that file."""
        buffer = self._open(params.text_document)
        if buffer is None:
            return
        real = buffer.real
        del self._documents[real]
        if real in self._tasks:
            self._tasks.pop(real).cancel()
        self._analyses.pop(real, None)
        self._changed(real)
        for uri in {buffer.uri, params.text_document.uri}:
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))
        for other in self.workspace.text_documents.values():
            if os.path.realpath(_path(other.uri)) == real:
                self._take(other)

    def _open(self, document: lsp.TextDocumentIdentifier) -> Optional[Buffer]:
        return self._documents.get(os.path.realpath(_path(document.uri)))

    # ---- analyses

    def files_changed(self, _: lsp.DidChangeWatchedFilesParams) -> None:
        """Analyze every document again."""
        for real in self._documents:
            self._analyze(real)

    def _changed(self, real: str) -> None:
        """Analyze a document that was opened or changed, and the documents that include it."""
        for other in self._documents:
            if other == real or real in map(os.path.realpath, self._last(other).files):
                self._analyze(other)

    def _last(self, real: str) -> Analysis:
        return self._analyses[real][1] if real in self._analyses else Analysis()

    def _analyze(self, real: str) -> None:
        """Analyze a document; cancel its analysis in progress."""
        if real in self._tasks:
            self._tasks[real].cancel()
        self._tasks[real] = asyncio.get_running_loop().create_task(self._run(real))

    async def _run(self, real: str) -> None:
        """Publish the analysis of a document, at first without frames, as soon as it is done."""
        await asyncio.sleep(_PAUSE)
        buffer = self._documents[real]
        if buffer.format is None and not buffer.path.endswith(CONFIGURATION_SUFFIX):
            # not a robot description, so it is not for this server
            self._analyses.pop(real, None)
            self._publish(buffer, Analysis())
            return
        async with self._slots:
            texts = {path: one.text.source for path, one in self._documents.items()}
            context = get_context('forkserver')
            receiver, sender = context.Pipe(duplex=False)
            process = context.Process(target=analyze_for, daemon=True, args=(
                sender, AnalysisJob(buffer.path, texts, self._settings)))
            process.start()
            sender.close()
            try:
                for _ in range(2):
                    analysis: Analysis = await asyncio.to_thread(receiver.recv)
                    if analysis.frames is None:  # keep only the last ones
                        analysis = analysis._replace(frames=self._last(real).frames)
                    self._analyses[real] = buffer, analysis
                    self._publish(buffer, analysis)
            except (EOFError, OSError):
                self.window_log_message(lsp.LogMessageParams(
                    lsp.MessageType.Warning,
                    f'{buffer.path}: the analysis ended without a result'))
            finally:
                process.kill()

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

    # ---- requests

    def answers(self, answer: Callable[..., Any]) -> Callable[[Any], Any]:
        """Return a request handler for a function of a document, or of a place in it."""
        def handle(params: Any) -> Any:
            buffer = self._open(params.text_document)
            if buffer is None or buffer.is_large:
                return None
            position = getattr(params, 'position', None)
            place = () if position is None else (buffer.text.offset(position),)
            return answer(params, buffer, *place)
        return handle

    def complete(
        self, params: lsp.CompletionParams, buffer: Buffer, offset: int,
    ) -> list[lsp.CompletionItem]:
        """Return the proposals for a place; after a key, only where a list may open by itself."""
        context = params.context
        if context is not None and context.trigger_character is not None and not opens_a_list(
                buffer, offset, context.trigger_character):
            return []
        document = self.client_capabilities.text_document
        item = document and document.completion and document.completion.completion_item
        return complete(
            buffer, offset, self.library, snippets=bool(item and item.snippet_support))

    def tag_names(
        self, _: lsp.LinkedEditingRangeParams, buffer: Buffer, offset: int,
    ) -> Optional[lsp.LinkedEditingRanges]:
        """Return the names in the start and end tag at a place, which an editor edits together."""
        spans = tag_names(buffer, offset)
        return None if spans is None else lsp.LinkedEditingRanges(
            [buffer.text.range_of(span) for span in spans])

    def closing_tag(self, params: Any) -> Optional[str]:
        """Return the end tag, as JSON names it, that belongs after the ``>`` before a place."""
        buffer = self._open(lsp.TextDocumentIdentifier(params.textDocument.uri))
        if buffer is None or buffer.is_large:
            return None
        at = lsp.Position(params.position.line, params.position.character)
        return closing_tag(buffer, buffer.text.offset(at))

    def hover(self, _: lsp.HoverParams, buffer: Buffer, offset: int) -> Optional[lsp.Hover]:
        """Return the documentation of a place."""
        return hover(buffer, offset, self.library, self._last(buffer.real).frames or {})

    def outline(self, _: lsp.DocumentSymbolParams, buffer: Buffer) -> list[lsp.DocumentSymbol]:
        return outline(buffer)

    def definitions(
        self, _: lsp.DefinitionParams, buffer: Buffer, offset: int,
    ) -> list[lsp.Location]:
        """Return where the item at a place is defined."""
        return self.library.definitions(buffer, offset)

    def references(
        self, params: lsp.ReferenceParams, buffer: Buffer, offset: int,
    ) -> list[lsp.Location]:
        """Return every place that names the item at a place."""
        return self.library.references(
            buffer, offset, with_definition=params.context.include_declaration)

    def prepare_rename(
        self, _: lsp.PrepareRenameParams, buffer: Buffer, offset: int,
    ) -> Optional[lsp.PrepareRenamePlaceholder]:
        """Return the name at a place."""
        symbol = buffer.names.at(offset)
        if symbol is None or not self.library.named_at(buffer, offset):
            return None
        return lsp.PrepareRenamePlaceholder(
            symbol.location.range, buffer.syntax.plain(symbol.span))

    def rename(
        self, params: lsp.RenameParams, buffer: Buffer, offset: int,
    ) -> Optional[lsp.WorkspaceEdit]:
        """Return the edits that give another name to the item at a place."""
        library, new = self.library, escape(params.new_name)
        named = library.named_at(buffer, offset)
        return self._edit([
            (one.scope.buffer, lsp.TextEdit(one.location.range, new))
            for one in library.renamed(named, params.new_name)]) if named else None

    def _edit(self, edits: Iterable[tuple[Buffer, lsp.TextEdit]]) -> lsp.WorkspaceEdit:
        """Return edits of files; if the client has versions, edits of documents in a version."""
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

    def actions(self, params: lsp.CodeActionParams, buffer: Buffer) -> list[lsp.CodeAction]:
        """Return the fixes of diagnostics in a range, if the analysis is of the current text."""
        text, analysis = self._analyses.get(buffer.real, (None, Analysis()))
        if text is not buffer:
            return []
        part = buffer.text.span(params.range)
        wanted = params.context.only
        found = [
            lsp.CodeAction(
                one.title, kind=lsp.CodeActionKind.QuickFix, is_preferred=True,
                diagnostics=[self._diagnostic(buffer, one)], edit=self._edit([
                    (buffer, lsp.TextEdit(buffer.text.range_of(span), new))
                    for span, new in one.edits]))
            for one in analysis.findings
            if one.edits and one.span.start <= part.end and part.start <= one.span.end]
        if analysis.fixed is not None:
            whole = buffer.text.range_of(Span(0, len(buffer.text.source)))
            found.append(lsp.CodeAction(
                'Fix all that have one safe fix', kind=_FIX_ALL,
                edit=self._edit([(buffer, lsp.TextEdit(whole, analysis.fixed))])))
        return [
            one for one in found
            if wanted is None or any(_is_of_kind(one.kind, kind) for kind in wanted)]

    def formatted(
        self, _: lsp.DocumentFormattingParams, buffer: Buffer,
    ) -> list[lsp.TextEdit]:
        """Return the edit of ``hrdf format``; it is empty for a refused or unchanged text."""
        text = buffer.text.source
        file = SourceFile(buffer.path, text.encode('utf-8', 'surrogatepass'), encoding='utf-8')
        result = None if buffer.format is None else formatted(file, Report())
        after = text if result is None else result.decode('utf-8')
        return [] if after == text else [
            lsp.TextEdit(buffer.text.range_of(Span(0, len(text))), after)]


def _is_of_kind(kind: Optional[str], wanted: str) -> bool:
    """Return whether a kind of actions is a wanted one, or below it: ``source.fixAll``."""
    name, above = (str(getattr(one, 'value', one)) for one in (kind, wanted))
    return above in ('', name) or name.startswith(f'{above}.')


def _path(uri: str) -> str:
    """Return the path of a document, which may be without a file."""
    path = None
    with suppress(ValueError):
        path = to_fs_path(uri)
    return (path or os.path.join(os.sep, uri)).replace('\0', '')


def serve(settings: AnalysisSettings, reader: BinaryIO, writer: BinaryIO) -> None:
    """Serve an editor until it ends the connection."""
    server = Server(settings)
    answers, in_thread = server.answers, server.thread()  # for requests that read many files
    features: list[tuple[str, Any, Any]] = [
        (lsp.INITIALIZED, partial(server.initialized), None),  # pygls sets attributes
        (lsp.TEXT_DOCUMENT_DID_OPEN, partial(server.updated), None),
        (lsp.TEXT_DOCUMENT_DID_CHANGE, partial(server.updated), None),
        (lsp.TEXT_DOCUMENT_DID_CLOSE, partial(server.closed), None),
        (lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, partial(server.files_changed), None),
        (lsp.TEXT_DOCUMENT_COMPLETION, answers(server.complete), lsp.CompletionOptions(
            trigger_characters=_TRIGGERS)),
        (lsp.TEXT_DOCUMENT_LINKED_EDITING_RANGE, answers(server.tag_names), None),
        (CLOSING_TAG, partial(server.closing_tag), None),
        (lsp.TEXT_DOCUMENT_HOVER, answers(server.hover), None),
        (lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, answers(server.outline), None),
        (lsp.TEXT_DOCUMENT_DEFINITION, answers(server.definitions), None),
        (lsp.TEXT_DOCUMENT_REFERENCES, in_thread(answers(server.references)), None),
        (lsp.TEXT_DOCUMENT_PREPARE_RENAME, answers(server.prepare_rename), None),
        (lsp.TEXT_DOCUMENT_RENAME, in_thread(answers(server.rename)), lsp.RenameOptions(
            prepare_provider=True)),
        (lsp.TEXT_DOCUMENT_CODE_ACTION, answers(server.actions), lsp.CodeActionOptions(
            [lsp.CodeActionKind.QuickFix, _FIX_ALL])),
        (lsp.TEXT_DOCUMENT_FORMATTING, answers(server.formatted), None)]
    for name, handler, options in features:
        server.feature(name, options)(handler)
    # else garbage collection takes half of the time of an answer
    gc.freeze()
    gc.set_threshold(_COLLECTION)
    server.start_io(reader, writer)
