# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Findings about a description: where, what, how bad, and what to do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple, Optional, Protocol

from hrdf_ros.codes import CODES

Severity = Literal['error', 'warning', 'info']


class Location(NamedTuple):
    """
    A point in a file.

    Lines and columns count from 1, columns in code points, a tab is one; None is unknown.
    ``included_from`` holds the include elements that led here, the innermost first.
    """

    file: str
    line: Optional[int] = None
    column: Optional[int] = None
    included_from: tuple[Location, ...] = ()

    def __str__(self) -> str:
        """Return ``file:line:column`` as far as it is known."""
        known = [str(number) for number in (self.line, self.column) if number is not None]
        return ':'.join([self.file, *known])

    def location(self) -> Location:
        """Return itself, so that a Location may stand where a Place does."""
        return self


class Located(Protocol):
    """Whatever can tell where it stands; finding out may cost something, so it is asked late."""

    def location(self) -> Location:
        """Return the point in the file."""


class Diagnostic(NamedTuple):
    """
    One finding.

    ``reference`` is the name that the format's reference implementation has for it (for SDFormat
    the name of libsdformat's ErrorCode), None where it has none.
    """

    code: str
    severity: Severity
    message: str
    at: Optional[Located] = None
    hint: Optional[str] = None
    reference: Optional[str] = None

    def location(self) -> Optional[Location]:
        """Return where the finding is, None where it belongs to no file."""
        return self.at.location() if self.at is not None else None


class Report:
    """The findings of one run, in the order in which they were found."""

    __slots__ = ('diagnostics',)

    def __init__(self) -> None:
        self.diagnostics: list[Diagnostic] = []

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.diagnostics)

    def __len__(self) -> int:
        return len(self.diagnostics)

    def add(
        self, severity: Severity, code: str, message: str, at: Optional[Located] = None, *,
        hint: Optional[str] = None, reference: Optional[str] = None,
    ) -> None:
        """Add a finding; a code that is not in the catalogue is a KeyError."""
        if code not in CODES:
            raise KeyError(code)
        self.diagnostics.append(Diagnostic(code, severity, message, at, hint, reference))

    def error(
        self, code: str, message: str, at: Optional[Located] = None, *,
        hint: Optional[str] = None, reference: Optional[str] = None,
    ) -> None:
        """Add a finding that makes the description unusable."""
        self.add('error', code, message, at, hint=hint, reference=reference)

    def warning(
        self, code: str, message: str, at: Optional[Located] = None, *,
        hint: Optional[str] = None, reference: Optional[str] = None,
    ) -> None:
        """Add a finding that the user should look at."""
        self.add('warning', code, message, at, hint=hint, reference=reference)

    def info(
        self, code: str, message: str, at: Optional[Located] = None, *,
        hint: Optional[str] = None, reference: Optional[str] = None,
    ) -> None:
        """Add a finding that only explains what was done."""
        self.add('info', code, message, at, hint=hint, reference=reference)

    def extend(self, other: Report) -> None:
        """Add the findings of another report behind its own."""
        self.diagnostics.extend(other.diagnostics)

    def sort(self, start: int) -> None:
        """
        Put the findings from an index on in file order.

        Those of an included file stand where its include element does.
        """
        self.diagnostics[start:] = sorted(self.diagnostics[start:], key=_file_order)

    @property
    def ok(self) -> bool:
        """Tell whether there is no error."""
        return not any(found.severity == 'error' for found in self.diagnostics)

    def strict(self) -> Report:
        """Return the report in which every warning is an error."""
        stricter = Report()
        stricter.diagnostics = [
            found._replace(severity='error') if found.severity == 'warning' else found
            for found in self.diagnostics
        ]
        return stricter


def _file_order(found: Diagnostic) -> tuple[tuple[int, int], ...]:
    """Return the lines and columns that lead to a finding, from the outermost file inwards."""
    at = found.location()
    if at is None:
        return ()
    return tuple((place.line or 0, place.column or 0) for place in (*at.included_from[::-1], at))
