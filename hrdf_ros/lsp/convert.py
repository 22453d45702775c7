# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Records as the protocol has them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Optional
from urllib.parse import quote

from hrdf_ros.diagnostics import Location
from hrdf_ros.lsp.analysis import EditorDiagnostic, EditorFix
from hrdf_ros.lsp.completion import Item
from hrdf_ros.lsp.documents import Buffer
from hrdf_ros.lsp.edits import Symbol
from hrdf_ros.lsp.library import Library, Place
from hrdf_ros.lsp.places import place_at
from hrdf_ros.lsp.text import Position, Span, Text
from hrdf_ros.readers.registry import FORMATS
from lsprotocol import types as lsp

_SEVERITIES = {
    'error': lsp.DiagnosticSeverity.Error, 'warning': lsp.DiagnosticSeverity.Warning,
    'info': lsp.DiagnosticSeverity.Information}
_ITEM_KINDS = {
    'element': lsp.CompletionItemKind.Class, 'attribute': lsp.CompletionItemKind.Property,
    'word': lsp.CompletionItemKind.EnumMember, 'name': lsp.CompletionItemKind.Reference}
_SYMBOL_KINDS = {
    'model': lsp.SymbolKind.Module, 'world': lsp.SymbolKind.Namespace,
    'robot': lsp.SymbolKind.Module, 'link': lsp.SymbolKind.Class, 'body': lsp.SymbolKind.Class,
    'tag': lsp.SymbolKind.Class, 'joint': lsp.SymbolKind.Interface,
    'frame': lsp.SymbolKind.Key, 'marker': lsp.SymbolKind.Key,
    'material': lsp.SymbolKind.Constant, 'include': lsp.SymbolKind.File}
_SOURCE = 'hrdf'


def span_range(text: Text, span: Span) -> lsp.Range:
    """Return a part of a text as a range."""
    start, end = text.position(span.start), text.position(max(span.start, span.end))
    return lsp.Range(lsp.Position(*start), lsp.Position(*end))


def location(place: Place) -> lsp.Location:
    """Return a part of a file as a location."""
    return lsp.Location(place.buffer.uri, span_range(place.buffer.text, place.span))


def changed_range(
    change: lsp.TextDocumentContentChangeEvent,
) -> Optional[tuple[Position, Position]]:
    """Return the range that a change replaces, None for the whole document."""
    if not isinstance(change, lsp.TextDocumentContentChangePartial):
        return None
    start, end = change.range.start, change.range.end
    return (start.line, start.character), (end.line, end.character)


def diagnostic(
    buffer: Buffer, found: EditorDiagnostic, page: str, library: Library,
) -> lsp.Diagnostic:
    """Return a diagnostic of a text; ``page`` is the address that explains the codes."""
    return lsp.Diagnostic(
        range=span_range(buffer.text, faulty_span(buffer, found.start)),
        message=found.message, severity=_SEVERITIES[found.severity], code=found.code,
        code_description=lsp.CodeDescription(f'{page}#{quote(found.code)}'), source=_SOURCE,
        related_information=found.related and [_related(found.related, library)])


def faulty_span(buffer: Buffer, start: int) -> Span:
    """Return the faulty part at an offset: a tag, an attribute, a value or a character."""
    place = place_at(buffer.syntax, start + 1)
    if place.kind == 'tag' and place.span.start == start + 1:
        return Span(start, place.span.end)
    if place.kind in ('attribute', 'value', 'text') and (
            place.span.start <= start < place.span.end):
        return Span(start, place.span.end)
    return Span(start, min(start + 1, len(buffer.text.source)))


def _related(at: Location, library: Library) -> lsp.DiagnosticRelatedInformation:
    """Return the place of a diagnostic in an included file."""
    buffer = library.buffer(at.file)
    if buffer is None:  # too large, or no longer there
        start = lsp.Position((at.line or 1) - 1, (at.column or 1) - 1)
        where = lsp.Location(Path(at.file).absolute().as_uri(), lsp.Range(start, start))
    else:
        span = faulty_span(buffer, buffer.text.offset_of(at.line, at.column))
        where = location(Place(buffer, span))
    return lsp.DiagnosticRelatedInformation(where, 'it is here')


def completion_item(buffer: Buffer, item: Item, *, snippets: bool) -> lsp.CompletionItem:
    """Return a proposal, with tab stops for a client that has them."""
    is_snippet = snippets and item.snippet != ''
    new_text = item.snippet if is_snippet else item.text
    text = buffer.text
    typed = text.source[item.span.start:item.span.end]
    return lsp.CompletionItem(
        label=item.label, kind=_ITEM_KINDS[item.kind],
        detail=item.detail or None, sort_text=f'{item.rank}{item.label}',
        filter_text=item.text if item.text.startswith('<') and not typed else item.label,
        insert_text_format=(
            lsp.InsertTextFormat.Snippet if is_snippet else lsp.InsertTextFormat.PlainText),
        text_edit=lsp.TextEdit(span_range(text, item.span), new_text))


def symbol(text: Text, found: Symbol) -> lsp.DocumentSymbol:
    """Return an element of the outline and its children."""
    return lsp.DocumentSymbol(
        name=found.name, kind=_SYMBOL_KINDS.get(found.kind, lsp.SymbolKind.Field),
        range=span_range(text, found.span), selection_range=span_range(text, found.selection),
        detail=found.detail or None, children=[symbol(text, one) for one in found.children])


def workspace_edit(
    files: Iterable[tuple[Buffer, Iterable[tuple[Span, str]]]], *, has_versions: bool,
) -> lsp.WorkspaceEdit:
    """Return edits of files, of documents of a version for a client that has them."""
    edits = [
        (buffer, [lsp.TextEdit(span_range(buffer.text, span), text) for span, text in changes])
        for buffer, changes in files]
    if not has_versions:
        return lsp.WorkspaceEdit(changes={buffer.uri: changes for buffer, changes in edits})
    return lsp.WorkspaceEdit(document_changes=[
        lsp.TextDocumentEdit(
            lsp.OptionalVersionedTextDocumentIdentifier(uri=buffer.uri, version=buffer.version),
            changes) for buffer, changes in edits])


def quick_fix(
    buffer: Buffer, fix: EditorFix, found: lsp.Diagnostic, *, has_versions: bool,
) -> lsp.CodeAction:
    """Return a fix of a diagnostic."""
    return lsp.CodeAction(
        fix.title, kind=lsp.CodeActionKind.QuickFix, diagnostics=[found], is_preferred=True,
        edit=workspace_edit([(buffer, fix.edits)], has_versions=has_versions))


def watchers() -> lsp.Registration:
    """Return the request to be told when files of these formats are changed by others."""
    suffixes = ','.join(suffix[1:] for one in FORMATS for suffix in one.suffixes)
    return lsp.Registration(
        'files', lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES,
        lsp.DidChangeWatchedFilesRegistrationOptions([
            lsp.FileSystemWatcher(glob_pattern=f'**/*.{{{suffixes}}}')]))
