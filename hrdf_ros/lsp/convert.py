# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Our records as the protocol has them, and back."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote

from hrdf_ros.lsp.actions import Fix
from hrdf_ros.lsp.analysis import EditorDiagnostic, Related
from hrdf_ros.lsp.buffer import Buffer
from hrdf_ros.lsp.completion import Item
from hrdf_ros.lsp.library import Library
from hrdf_ros.lsp.places import place_at
from hrdf_ros.lsp.symbols import Symbol
from hrdf_ros.lsp.text import Change, Position, Span, Text
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
SOURCE = 'hrdf'


def position(given: lsp.Position) -> Position:
    """Return a position of the protocol as ours."""
    return Position(given.line, given.character)


def span_range(text: Text, span: Span) -> lsp.Range:
    """Return a part of a text as a range."""
    start, end = text.position(span.start), text.position(max(span.start, span.end))
    return lsp.Range(lsp.Position(*start), lsp.Position(*end))


def location(buffer: Buffer, span: Span) -> lsp.Location:
    """Return a part of a file as a location."""
    return lsp.Location(buffer.uri, span_range(buffer.text, span))


def change(given: lsp.TextDocumentContentChangeEvent) -> Change:
    """Return an edit of the protocol as ours."""
    if isinstance(given, lsp.TextDocumentContentChangePartial):
        return Change(position(given.range.start), position(given.range.end), given.text)
    return Change(None, None, given.text)


def diagnostics(
    buffer: Buffer, found_in_text: Iterable[EditorDiagnostic], page: str, library: Library,
) -> list[lsp.Diagnostic]:
    """Return the diagnostics of a text; ``page`` is the address of what explains the codes."""
    return [
        lsp.Diagnostic(
            range=span_range(buffer.text, faulty_span(buffer, found.start)),
            message=found.message, severity=_SEVERITIES[found.severity], code=found.code,
            code_description=lsp.CodeDescription(f'{page}#{quote(found.code)}'), source=SOURCE,
            related_information=[_related(one, buffer, library) for one in found.related] or None)
        for found in found_in_text]


def faulty_span(buffer: Buffer, start: int) -> Span:
    """Return what is faulty at an offset: a tag, an attribute, a value or a character."""
    place = place_at(buffer.syntax, start + 1)
    if place.kind == 'tag' and place.span.start == start + 1:
        return Span(start, place.span.end)
    if place.kind in ('attribute', 'value', 'text') and (
            place.span.start <= start < place.span.end):
        return Span(start, place.span.end)
    return Span(start, min(start + 1, len(buffer.text.source)))


def _related(
    related: Related, buffer: Buffer, library: Library,
) -> lsp.DiagnosticRelatedInformation:
    other = buffer if related.file == buffer.path else library.buffer(related.file)
    if other is None:
        other = Buffer(file_uri(related.file), related.file, Text(''))
        at = lsp.Position(related.line - 1, related.column - 1)
        return lsp.DiagnosticRelatedInformation(
            lsp.Location(other.uri, lsp.Range(at, at)), related.message)
    start = other.text.offset_of(related.line, related.column)
    return lsp.DiagnosticRelatedInformation(
        location(other, faulty_span(other, start)), related.message)


def file_uri(path: str) -> str:
    """Return the URI of a path."""
    return f'file://{quote(path)}'


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
    """Return an element of the outline, with those in it."""
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
    buffer: Buffer, fix: Fix, found: lsp.Diagnostic, *, has_versions: bool,
) -> lsp.CodeAction:
    """Return a fix of a diagnostic."""
    return lsp.CodeAction(
        fix.title, kind=lsp.CodeActionKind.QuickFix, diagnostics=[found],
        is_preferred=fix.is_preferred, edit=workspace_edit(
            [(buffer, fix.edits)], has_versions=has_versions))


def markdown(text: str) -> lsp.MarkupContent:
    """Return a text for people."""
    return lsp.MarkupContent(lsp.MarkupKind.Markdown, text)


