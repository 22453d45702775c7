# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Grouped diagnostics: what is said of many items is one diagnostic."""

from __future__ import annotations

from typing import NamedTuple, Optional

from hrdf_ros.codes import Code, Severity
from hrdf_ros.diagnostics import Locatable, Report


class _Kind(NamedTuple):
    """What makes several of them one diagnostic."""

    code: Code
    severity: Severity
    text: str


class GroupedDiagnostics:
    """
    Collects diagnostics by kind, so that a robot of a hundred joints gets a page and not a book.

    What has no location of its own belongs to the Model, which is at ``location``.
    """

    def __init__(self, location: Optional[Locatable] = None) -> None:
        self._location = location
        self._names: dict[_Kind, dict[str, None]] = {}
        self._locations: dict[_Kind, Optional[Locatable]] = {}
        self._hints: dict[_Kind, Optional[str]] = {}

    def add(
        self, code: Code, text: str, name: str, location: Optional[Locatable] = None, *,
        severity: Optional[Severity] = None, hint: Optional[str] = None,
    ) -> None:
        """Say ``text`` of the named item; the diagnostic points at the first one."""
        kind = _Kind(code, severity or code.severity, text)
        self._names.setdefault(kind, {})[name] = None
        self._locations.setdefault(kind, location or self._location)
        self._hints.setdefault(kind, hint)

    def into(self, report: Report) -> None:
        """Add one diagnostic for each kind, in the order in which the kinds came up."""
        for kind, names in self._names.items():
            listed = ', '.join(repr(name) for name in names)
            report.add(
                kind.code, f'{kind.text}: {listed}', self._locations[kind],
                severity=kind.severity, hint=self._hints[kind])
