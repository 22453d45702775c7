# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What a writer could not say as it was: one finding for each kind, with all names."""

from __future__ import annotations

from typing import NamedTuple, Optional

from hrdf_ros.report import Located, Report, Severity


class _Kind(NamedTuple):
    """What makes two notes one finding."""

    severity: Severity
    code: str
    text: str


class Notes:
    """
    Collects notes by kind, so that a robot of a hundred joints gets a page and not a book.

    What has no place of its own is of the Model, which stands at ``place``.
    """

    def __init__(self, place: Optional[Located] = None) -> None:
        self._place = place
        self._names: dict[_Kind, dict[str, None]] = {}
        self._places: dict[_Kind, Optional[Located]] = {}

    def add(
        self, severity: Severity, code: str, text: str, name: str, at: Optional[Located] = None,
    ) -> None:
        """Note that ``text`` holds for the named thing; the finding points at the first one."""
        kind = _Kind(severity, code, text)
        self._names.setdefault(kind, {})[name] = None
        self._places.setdefault(kind, at or self._place)

    def into(self, report: Report) -> None:
        """Add one finding for each kind, in the order in which the kinds came up."""
        for kind, names in self._names.items():
            listed = ', '.join(repr(name) for name in names)
            report.add(kind.severity, kind.code, f'{kind.text}: {listed}', self._places[kind])
