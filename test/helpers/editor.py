# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""An editor, which starts ``hrdf lsp`` and talks to it through standard input and output."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from itertools import count
import os
from pathlib import Path
import re
import sys
from typing import Any, TypeVar
from urllib.parse import unquote, urlparse

from lsprotocol import types as lsp
import pytest_lsp

from helpers.robots import REPOSITORY

Result = TypeVar('Result')
SECONDS = 120.0
"""The seconds within which each answer has to come, also on a busy machine."""
CAPABILITIES = lsp.ClientCapabilities(
    general=lsp.GeneralClientCapabilities(
        position_encodings=[lsp.PositionEncodingKind.Utf16]),
    workspace=lsp.WorkspaceClientCapabilities(
        workspace_edit=lsp.WorkspaceEditClientCapabilities(document_changes=True)),
    text_document=lsp.TextDocumentClientCapabilities(
        completion=lsp.CompletionClientCapabilities(
            completion_item=lsp.ClientCompletionItemOptions(snippet_support=True)),
        document_symbol=lsp.DocumentSymbolClientCapabilities(
            hierarchical_document_symbol_support=True)))


class Editor:
    """
    A session; every method waits for its answer.

    A place is given as a text that occurs once in the document, with ``|`` where the cursor is.
    """

    def __init__(
        self, folder: Path, *options: str,
        capabilities: lsp.ClientCapabilities = CAPABILITIES,
        command: tuple[str, ...] = ('-m', 'hrdf_ros.cli'),
        on_registration: Callable[[list[lsp.Registration]], object] = list,
        initialization_options: object = None,
    ) -> None:
        self._loop = asyncio.new_event_loop()
        self.folder = folder
        self.texts: dict[str, str] = {}
        self._versions: dict[str, int] = {}
        self._numbers = count(1)
        self.published: list[lsp.PublishDiagnosticsParams] = []
        self.client = pytest_lsp.LanguageClient()

        @self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: lsp.PublishDiagnosticsParams) -> None:
            self.published.append(params)

        @self.client.feature(lsp.CLIENT_REGISTER_CAPABILITY)
        def registered(params: lsp.RegistrationParams) -> None:
            on_registration(list(params.registrations))

        self.wait(self.client.start_io(
            sys.executable, *command, 'lsp', *options, cwd=folder,
            env={**os.environ, 'PYTHONPATH': str(REPOSITORY)}))
        self.answer = self.wait(self.client.initialize_session(lsp.InitializeParams(
            capabilities=capabilities, root_uri=folder.as_uri(),
            initialization_options=initialization_options,
            workspace_folders=[lsp.WorkspaceFolder(folder.as_uri(), folder.name)])))

    def __enter__(self) -> Editor:
        return self

    def __exit__(self, *_: object) -> None:
        self.wait(self.client.shutdown_session())
        self.wait(self.client.stop())
        self._loop.close()

    def wait(self, awaited: Coroutine[Any, Any, Result]) -> Result:
        """Return the result of a coroutine; fail if it takes longer than SECONDS."""
        return self._loop.run_until_complete(asyncio.wait_for(awaited, SECONDS))

    # ---- documents

    def uri(self, name: str) -> str:
        """Return the URI of a file of the folder."""
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str | None = None) -> str:
        """Open a file, with its text on disk or another one; return its URI."""
        uri = self.uri(name)
        if text is None:
            text = (self.folder / name).read_bytes().decode('utf-8')
        self.texts[uri], self._versions[uri] = text, next(self._numbers)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(
            lsp.TextDocumentItem(uri, 'xml', self._versions[uri], text)))
        return uri

    def close(self, uri: str) -> None:
        """Close a document."""
        del self.texts[uri]
        self.client.text_document_did_close(
            lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(uri)))

    def change(self, uri: str, text: str) -> None:
        """Give a document another text: send the part that differs, if the server knows parts."""
        old = self.texts[uri]
        start = len(os.path.commonprefix((old, text)))
        same = len(os.path.commonprefix((old[start:][::-1], text[start:][::-1])))
        # CR LF is one character for an editor
        start -= old[:start].endswith('\r')
        same -= old[len(old) - same:].startswith('\n')
        part = lsp.Range(utf16_position(old, start), utf16_position(old, len(old) - same))
        sync = self.answer.capabilities.text_document_sync
        knows_parts = not isinstance(sync, lsp.TextDocumentSyncOptions) or (
            sync.change == lsp.TextDocumentSyncKind.Incremental)
        self.texts[uri], self._versions[uri] = text, next(self._numbers)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(
            lsp.VersionedTextDocumentIdentifier(version=self._versions[uri], uri=uri),
            [lsp.TextDocumentContentChangePartial(part, text[start:len(text) - same])
             if knows_parts else lsp.TextDocumentContentChangeWholeDocument(text)]))

    def edit(self, uri: str, edits: list[lsp.TextEdit]) -> None:
        """Apply edits of the server, which do not overlap."""
        self.change(uri, applied(self.texts[uri], edits))

    # ---- places

    def position(self, uri: str, at: str) -> lsp.Position:
        """Return the position of the ``|`` in a text that occurs once in the document."""
        text = self.texts[uri]
        assert text.count(at.replace('|', '', 1)) == 1, at
        return utf16_position(text, text.index(at.replace('|', '', 1)) + at.index('|'))

    def at(self, uri: str, at: str) -> dict[str, Any]:
        """Return the fields of a request about a place."""
        return {
            'text_document': lsp.TextDocumentIdentifier(uri), 'position': self.position(uri, at)}

    # ---- requests

    def diagnostics(self, uri: str) -> list[lsp.Diagnostic]:
        """Return the diagnostics of the document's current text, as soon as they arrive."""
        return self._published(uri, 1)

    def settle(self, uri: str) -> None:
        """Wait until everything about the document's current text is known, also the frames."""
        self._published(uri, 2)

    def _published(self, uri: str, times: int) -> list[lsp.Diagnostic]:
        async def enough() -> lsp.PublishDiagnosticsParams:
            while len(found := [
                    params for params in self.published
                    if params.uri == uri and params.version == self._versions[uri]]) < times:
                await asyncio.sleep(0.002)
            return found[-1]
        return list(self.wait(enough()).diagnostics)

    def ask(self, request: str, params: Any) -> Any:
        """Send a request about a document and return the answer."""
        return self.wait(getattr(self.client, f'text_document_{request}_async')(params))

    def complete(self, uri: str, at: str) -> list[lsp.CompletionItem]:
        """Return the proposals for a place."""
        found = self.ask('completion', lsp.CompletionParams(**self.at(uri, at)))
        assert isinstance(found, lsp.CompletionList)
        return list(found.items)

    def labels(self, uri: str, at: str) -> list[str]:
        """Return the labels of the proposals for a place."""
        return [item.label for item in self.complete(uri, at)]

    def hover(self, uri: str, at: str) -> str:
        """Return what is shown about a place, or '' if nothing is."""
        found = self.ask('hover', lsp.HoverParams(**self.at(uri, at)))
        return '' if found is None else found.contents.value

    def targets(self, locations: list[lsp.Location] | None) -> list[str]:
        """Return locations as ``file: text before>the text``, ordered by file and line."""
        shown = []
        for found in locations or []:
            path = Path(unquote(urlparse(found.uri).path))
            text = self.texts.get(found.uri) or path.read_bytes().decode()
            start, end = (utf16_offset(text, at) for at in (found.range.start, found.range.end))
            before = text[:start].rpartition('<')[2]
            shown.append(f'{path.name}: <{before}[{text[start:end]}]')
        return sorted(shown)

    def definition(self, uri: str, at: str) -> list[str]:
        """Return where the item at a place is defined."""
        return self.targets(self.ask('definition', lsp.DefinitionParams(**self.at(uri, at))))

    def references(self, uri: str, at: str, *, with_definition: bool = True) -> list[str]:
        """Return where the item at a place is named."""
        return self.targets(self.ask('references', lsp.ReferenceParams(
            lsp.ReferenceContext(with_definition), **self.at(uri, at))))

    def rename(self, uri: str, at: str, name: str) -> None:
        """Rename the item at a place, in open files and others."""
        self.perform(self.ask('rename', lsp.RenameParams(new_name=name, **self.at(uri, at))))

    def perform(self, edit: lsp.WorkspaceEdit | None) -> None:
        """Make the edits that the server asks for."""
        assert edit is not None and edit.document_changes is not None
        for change in edit.document_changes:
            assert isinstance(change, lsp.TextDocumentEdit)
            uri, edits = change.text_document.uri, list(change.edits)
            if uri in self.texts:
                assert change.text_document.version == self._versions[uri]
                self.edit(uri, edits)
            else:
                path = Path(unquote(urlparse(uri).path))
                path.write_bytes(applied(path.read_bytes().decode(), edits).encode())

    def fixes(self, uri: str) -> dict[str, lsp.CodeAction]:
        """Return the quick fixes of all diagnostics of a document by title."""
        found = self.diagnostics(uri)
        whole = lsp.Range(lsp.Position(0, 0), utf16_position(self.texts[uri], 10 ** 9))
        actions = self.ask('code_action', lsp.CodeActionParams(
            lsp.TextDocumentIdentifier(uri), whole, lsp.CodeActionContext(
                found, only=[lsp.CodeActionKind.QuickFix]))) or []
        return {action.title: action for action in actions}

    def actions(self, uri: str, kind: str) -> list[lsp.CodeAction]:
        """Return the actions of a kind for a whole document."""
        whole = lsp.Range(lsp.Position(0, 0), utf16_position(self.texts[uri], 10 ** 9))
        return list(self.ask('code_action', lsp.CodeActionParams(
            lsp.TextDocumentIdentifier(uri), whole, lsp.CodeActionContext([], only=[kind]))) or [])

    def formatting(self, uri: str) -> list[lsp.TextEdit]:
        """Return the edits that format a document."""
        return list(self.ask('formatting', lsp.DocumentFormattingParams(
            lsp.TextDocumentIdentifier(uri), lsp.FormattingOptions(4, False))) or [])

    def outline(self, uri: str) -> list[tuple[str, str, list]]:
        """Return the outline: the name, detail and children of each element."""
        def shown(symbols: list[lsp.DocumentSymbol]) -> list[tuple[str, str, list]]:
            return [(one.name, one.detail or '', shown(one.children or [])) for one in symbols]
        return shown(self.ask('document_symbol', lsp.DocumentSymbolParams(
            lsp.TextDocumentIdentifier(uri))) or [])


def utf16_position(text: str, offset: int) -> lsp.Position:
    """Return the position of an offset, as the protocol defines it."""
    before = text[:offset].replace('\r\n', '\n').replace('\r', '\n').split('\n')
    return lsp.Position(len(before) - 1, len(before[-1].encode('utf-16-le')) // 2)


def utf16_offset(text: str, position: lsp.Position) -> int:
    """Return the offset of a position, as the protocol defines it."""
    lines = re.split('(\r\n|\r|\n)', text)
    start = sum(map(len, lines[:2 * position.line]))
    line = lines[2 * position.line].encode('utf-16-le')[:2 * position.character]
    return start + len(line.decode('utf-16-le'))


def applied(text: str, edits: list[lsp.TextEdit]) -> str:
    """Return a text after edits that do not overlap."""
    spans = sorted(
        (utf16_offset(text, edit.range.start), utf16_offset(text, edit.range.end), edit.new_text)
        for edit in edits)
    for start, end, new in reversed(spans):
        text = text[:start] + new + text[end:]
    return text
