# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Say many things in one message: lists of names, counts, one diagnostic for many items."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Optional

from hrdf_ros.codes import Code, Severity
from hrdf_ros.diagnostics import Locatable, Report

_LISTED = 12
"""The most names that a message lists; the others are counted."""


def listed(names: Iterable[str]) -> str:
    """Return names in quotes, separated by commas; only the first of many, and how many follow."""
    quoted = [f"'{name}'" for name in names]
    return first_of(quoted, _LISTED if len(quoted) <= _LISTED else _LISTED - 1)


def first_of(items: Sequence[Any], most: int, text: Callable[[Any], str] = str) -> str:
    """
    Return items separated by commas, at most ``most`` of them, and how many follow.

    ``text`` returns the text of an item; it is called for those that are shown.
    """
    rest = len(items) - most
    return ', '.join(map(text, items[:most])) + (f' {and_more(rest)}' if rest > 0 else '')


def and_more(count: int, noun: str = '') -> str:
    """Return the end of a list that shows only its first items, such as ``and 3 more errors``."""
    return f'and {count} more {noun}'.rstrip()


def count_of(count: int, noun: str) -> str:
    """Return a count with its noun, such as ``1 name`` or ``2 names``."""
    return f'{count} {noun}' if count == 1 else f'{count} {noun}s'


_Group = tuple[Optional[Locatable], Optional[str], dict[str, None]]
"""The place and the hint of the first item of a grouped diagnostic, and the names of all."""


class GroupedDiagnostics:
    """
    A collection that makes one diagnostic for all items with the same text.

    A diagnostic without a location of its own is at ``location``, that of the Model.
    """

    def __init__(self, location: Optional[Locatable] = None) -> None:
        self._location = location
        self._groups: dict[tuple[Code, Severity, str], _Group] = {}

    def add(
        self, code: Code, text: str, name: str, location: Optional[Locatable] = None, *,
        severity: Optional[Severity] = None, hint: Optional[str] = None,
    ) -> None:
        """Add a named item to the diagnostic with this text, which points at its first item."""
        group = self._groups.setdefault(
            (code, severity or code.severity, text), (location or self._location, hint, {}))
        group[2][name] = None

    def about(
        self, code: Code, text: str, *items: Any, severity: Optional[Severity] = None,
    ) -> None:
        """Add named items, each at its own location."""
        for item in items:
            self.add(code, text, item.name, item.location, severity=severity)

    def into(self, report: Report) -> None:
        """Add one diagnostic for each group, in the order in which they were added first."""
        for (code, severity, text), (location, hint, names) in self._groups.items():
            report.add(
                code, f'{text}: {listed(names)}', location, severity=severity, hint=hint,
                subjects=tuple(names))
