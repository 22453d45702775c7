# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Findings about a description: where, what, how bad, and what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple, Optional, Protocol, Union

from hrdf_ros.codes import CODES

Severity = Literal['error', 'warning', 'info']
Hint = Union[str, Callable[[], Optional[str]], None]
"""What to do about a finding; a function is asked for the first findings of a report only."""

MOST_OF_ONE_KIND = 1000
"""Findings of one code and severity that a report keeps; the next one says that there are more."""

MOST_HINTS = 50
"""Hints of one report that are worked out, which takes time where there are many names."""


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

    def within(self, *_: str) -> Location:
        """Return itself: a Location has nothing in it to look for."""
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

    __slots__ = ('diagnostics', '_counts', '_hints')

    def __init__(self) -> None:
        self.diagnostics: list[Diagnostic] = []
        self._counts: dict[tuple[str, str], int] = {}
        self._hints = 0

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.diagnostics)

    def __len__(self) -> int:
        return len(self.diagnostics)

    def add(
        self, severity: Severity, code: str, message: str, at: Optional[Located] = None, *,
        hint: Hint = None, reference: Optional[str] = None,
    ) -> None:
        """Add a finding; a code that is not in the catalogue is a KeyError."""
        if code not in CODES:
            raise KeyError(code)
        if callable(hint):
            self._hints += 1
            hint = hint() if self._hints <= MOST_HINTS else None
        self._keep(Diagnostic(code, severity, message, at, hint, reference))

    def _keep(self, found: Diagnostic) -> None:
        """Add a finding, unless there are already too many of its kind."""
        kind = found.code, found.severity
        count = self._counts[kind] = self._counts.get(kind, 0) + 1
        if count <= MOST_OF_ONE_KIND:
            self.diagnostics.append(found)
        elif count == MOST_OF_ONE_KIND + 1:
            self.diagnostics.append(Diagnostic(
                'findings-left-out', found.severity,
                f'there are more than {MOST_OF_ONE_KIND} findings [{found.code}]: those from here '
                'on are left out', found.at, 'mend the first ones, then check again'))

    def error(
        self, code: str, message: str, at: Optional[Located] = None, *,
        hint: Hint = None, reference: Optional[str] = None,
    ) -> None:
        """Add a finding that makes the description unusable."""
        self.add('error', code, message, at, hint=hint, reference=reference)

    def warning(
        self, code: str, message: str, at: Optional[Located] = None, *,
        hint: Hint = None, reference: Optional[str] = None,
    ) -> None:
        """Add a finding that the user should look at."""
        self.add('warning', code, message, at, hint=hint, reference=reference)

    def info(
        self, code: str, message: str, at: Optional[Located] = None, *,
        hint: Hint = None, reference: Optional[str] = None,
    ) -> None:
        """Add a finding that only explains what was done."""
        self.add('info', code, message, at, hint=hint, reference=reference)

    def extend(self, other: Report) -> None:
        """Add the findings of another report behind its own."""
        for found in other.diagnostics:
            self._keep(found)

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
