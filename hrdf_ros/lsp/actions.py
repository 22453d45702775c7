# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The diagnostics of a text as an editor shows them, and their fixes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Optional
from urllib.parse import quote

from hrdf_ros.diagnostics import Location
from hrdf_ros.lsp.analysis import Analysis, faulty_span, Finding
from hrdf_ros.lsp.answers import workspace_edit
from hrdf_ros.lsp.library import Library
from hrdf_ros.lsp.missing import Addition, additions
from hrdf_ros.lsp.names import Buffer
from hrdf_ros.lsp.positions import Span, Text
from lsprotocol import types as lsp

FIX_ALL = 'source.fixAll.hrdf'
"""The kind of the action that applies all safe fixes."""
_SEVERITIES = {
    'error': lsp.DiagnosticSeverity.Error, 'warning': lsp.DiagnosticSeverity.Warning,
    'info': lsp.DiagnosticSeverity.Information}


class Findings(NamedTuple):
    """The findings about a text; ``page`` is the address that explains their codes."""

    buffer: Buffer
    analysis: Analysis
    library: Library
    page: str

    def diagnostics(self) -> list[lsp.Diagnostic]:
        """Return all findings as diagnostics of the protocol."""
        return [self._diagnostic(one) for one in self.analysis.findings]

    def _diagnostic(self, found: Finding) -> lsp.Diagnostic:
        return lsp.Diagnostic(
            range=self.buffer.text.range_of(found.span), message=found.message,
            severity=_SEVERITIES[found.severity], code=found.code, source='hrdf',
            code_description=lsp.CodeDescription(f'{self.page}#{quote(found.code)}'),
            related_information=found.elsewhere and [self._related(found.elsewhere)])

    def _related(self, at: Location) -> lsp.DiagnosticRelatedInformation:
        """Return the place of a fault in an included file."""
        buffer = self.library.buffer(at.file) or Buffer(
            Path(at.file).absolute().as_uri(), at.file, Text(''))
        span = faulty_span(buffer.text, buffer.text.offset_of(at))
        return lsp.DiagnosticRelatedInformation(buffer.location(span), 'it is here')

    def actions(
        self, params: lsp.CodeActionParams, capabilities: lsp.ClientCapabilities,
    ) -> list[lsp.CodeAction]:
        """Return the fixes of findings in a range, and the action that applies all safe fixes."""
        wanted = params.context.only
        return [
            one for one in self._actions(self.buffer.text.span(params.range), capabilities)
            if wanted is None or any(_is_of_kind(one.kind, kind) for kind in wanted)]

    def _actions(
        self, part: Span, capabilities: lsp.ClientCapabilities,
    ) -> Iterator[lsp.CodeAction]:
        text = self.buffer.text
        here = [one for one in self.analysis.findings
                if one.span.start <= part.end and part.start <= one.span.end]
        for one in here:
            if one.edits:
                yield lsp.CodeAction(
                    one.title, kind=lsp.CodeActionKind.QuickFix, is_preferred=True,
                    diagnostics=[self._diagnostic(one)], edit=workspace_edit(capabilities, [
                        (self.buffer, lsp.TextEdit(text.range_of(span), new))
                        for span, new in one.edits]))
        missing: dict[Addition, list[Finding]] = {}
        for one in here:
            for addition in additions(self.buffer, one):
                missing.setdefault(addition, []).append(one)
        for (title, span, new), findings in missing.items():
            yield lsp.CodeAction(
                title, kind=lsp.CodeActionKind.QuickFix,
                diagnostics=[self._diagnostic(one) for one in findings],
                edit=workspace_edit(capabilities, [
                    (self.buffer, lsp.TextEdit(text.range_of(span), new))]))
        if self.analysis.fixed is not None:
            whole = text.range_of(Span(0, len(text.source)))
            yield lsp.CodeAction(
                'Fix all that have one safe fix', kind=FIX_ALL, edit=workspace_edit(
                    capabilities, [(self.buffer, lsp.TextEdit(whole, self.analysis.fixed))]))


def _is_of_kind(kind: Optional[str], wanted: str) -> bool:
    """
    Return whether a kind of action is the wanted one or below it.

    ``source.fixAll.hrdf`` is below ``source.fixAll``.
    """
    name, above = (str(getattr(one, 'value', one)) for one in (kind, wanted))
    return above in ('', name) or name.startswith(f'{above}.')
