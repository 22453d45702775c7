# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The requests of the Language Server Protocol, and their answers."""

from __future__ import annotations

import asyncio
import gc
from typing import Any, BinaryIO, cast, Optional

from hrdf_ros.document import escape
from hrdf_ros.lsp import convert
from hrdf_ros.lsp.analysis import AnalysisSettings
from hrdf_ros.lsp.completion import complete
from hrdf_ros.lsp.edits import formatting, outline
from hrdf_ros.lsp.hover import hover
from hrdf_ros.lsp.library import RenameRefused
from hrdf_ros.lsp.server import BoundedInput, Server
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams

_COLLECTION = 100_000
"""Objects that are made before garbage is looked for."""
_TRIGGERS = ['<', '/', ' ', '"', "'", '=', ':', '>']


def _initialized(ls: Server, _: lsp.InitializedParams) -> None:
    ls.initialized()


def _shut_down(ls: Server, *_: Any) -> None:
    ls.end()


def _files_changed(ls: Server, _: lsp.DidChangeWatchedFilesParams) -> None:
    ls.checks.files_changed()


def _completion(ls: Server, params: lsp.CompletionParams) -> Optional[lsp.CompletionList]:
    at = ls.place(params)
    return at and lsp.CompletionList(is_incomplete=False, items=[
        convert.completion_item(at[0], item, snippets=ls.has_snippets)
        for item in complete(*at, ls.library)])


def _hover(ls: Server, params: lsp.HoverParams) -> Optional[lsp.Hover]:
    at = ls.place(params)
    found = at and hover(*at, ls.library, ls.analysis(at[0])[1].frames)
    return at and found and lsp.Hover(
        lsp.MarkupContent(lsp.MarkupKind.Markdown, found.markdown),
        convert.span_range(at[0].text, found.span))


def _symbols(ls: Server, params: lsp.DocumentSymbolParams) -> Optional[list[lsp.DocumentSymbol]]:
    buffer = ls.buffer(params.text_document)
    return None if buffer is None else [
        convert.symbol(buffer.text, one) for one in outline(buffer)]


def _definition(ls: Server, params: lsp.DefinitionParams) -> list[lsp.Location]:
    at = ls.place(params)
    return [convert.location(one) for one in ls.library.definitions(*at)] if at else []


async def _references(ls: Server, params: lsp.ReferenceParams) -> list[lsp.Location]:
    at = ls.place(params)
    found = [] if at is None else await asyncio.to_thread(
        ls.library.all_references, *at, with_definition=params.context.include_declaration)
    return [convert.location(one) for one in found]


def _highlights(ls: Server, params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
    at = ls.place(params)
    named = ls.library.named_at(*at) if at else []
    if at is None or not named:
        return []
    buffer, _ = at
    found = [*ls.library.references(named, [buffer]), *(one.place for one in named)]
    return [
        lsp.DocumentHighlight(convert.span_range(buffer.text, one.span)) for one in found
        if one.buffer is buffer]


def _prepare_rename(
    ls: Server, params: lsp.PrepareRenameParams,
) -> Optional[lsp.PrepareRenamePlaceholder]:
    at = ls.place(params)
    if at is None or not ls.library.named_at(*at):
        return None
    buffer, offset = at
    span = buffer.names.name_span(offset)
    return lsp.PrepareRenamePlaceholder(
        convert.span_range(buffer.text, span), buffer.syntax.plain(span))


async def _rename(ls: Server, params: lsp.RenameParams) -> Optional[lsp.WorkspaceEdit]:
    at, library = ls.place(params), ls.library
    named = library.named_at(*at) if at else []
    if not named:
        return None
    try:
        files = await asyncio.to_thread(library.renamed, named, params.new_name)
    except RenameRefused as refused:
        raise JsonRpcInvalidParams(str(refused)) from None
    text = escape(params.new_name)
    return convert.workspace_edit([
        (places[0].buffer, [(place.span, text) for place in places])
        for places in files.values()], has_versions=ls.has_versions)


def _actions(ls: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """Return the fixes of diagnostics in a range, of an analysis of the present text."""
    buffer = ls.buffer(params.text_document)
    if buffer is None:
        return []
    text, analysis = ls.analysis(buffer)
    library, start, end = ls.library, params.range.start, params.range.end
    first = buffer.text.offset((start.line, start.character))
    last = buffer.text.offset((end.line, end.character))
    return [
        convert.quick_fix(
            buffer, one.fix, convert.diagnostic(buffer, one, ls.page, library),
            has_versions=ls.has_versions)
        for one in (analysis.diagnostics if text is buffer else ())
        if one.fix is not None and (
            one.start <= last and first <= convert.faulty_span(buffer, one.start).end)]


def _formatting(ls: Server, params: lsp.DocumentFormattingParams) -> Optional[list[lsp.TextEdit]]:
    buffer = ls.buffer(params.text_document)
    return None if buffer is None else [
        lsp.TextEdit(convert.span_range(buffer.text, edit.span), edit.text)
        for edit in formatting(buffer)]


_FEATURES: tuple[tuple[str, Any, Any], ...] = (
    (lsp.INITIALIZED, _initialized, None),
    (lsp.SHUTDOWN, _shut_down, None),
    (lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, _files_changed, None),
    (lsp.TEXT_DOCUMENT_COMPLETION, _completion, lsp.CompletionOptions(
        trigger_characters=_TRIGGERS)),
    (lsp.TEXT_DOCUMENT_HOVER, _hover, None),
    (lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, _symbols, None),
    (lsp.TEXT_DOCUMENT_DEFINITION, _definition, None),
    (lsp.TEXT_DOCUMENT_REFERENCES, _references, None),
    (lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, _highlights, None),
    (lsp.TEXT_DOCUMENT_PREPARE_RENAME, _prepare_rename, None),
    (lsp.TEXT_DOCUMENT_RENAME, _rename, lsp.RenameOptions(prepare_provider=True)),
    (lsp.TEXT_DOCUMENT_CODE_ACTION, _actions, lsp.CodeActionOptions(
        [lsp.CodeActionKind.QuickFix])),
    (lsp.TEXT_DOCUMENT_FORMATTING, _formatting, None),
)


def serve(settings: AnalysisSettings, page: str, reader: BinaryIO, writer: BinaryIO) -> None:
    """Serve an editor until it ends the connection."""
    server = Server(settings, page)
    for name, function, options in _FEATURES:
        server.feature(name, options)(function)
    # else half of the time of an answer would go into the collection of garbage
    gc.freeze()
    gc.set_threshold(_COLLECTION)
    try:
        server.start_io(cast(BinaryIO, BoundedInput(reader)), writer)
    finally:
        server.end()
