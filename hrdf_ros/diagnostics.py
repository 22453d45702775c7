# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Diagnostics of a description: where, what, how bad, and what to do."""

from collections.abc import Callable, Iterator
import re
from typing import NamedTuple, Optional, Protocol, Union

from hrdf_ros.codes import Code, Severity, TOO_MANY_DIAGNOSTICS

Hint = Union[str, Callable[[], Optional[str]], None]
"""How to fix it; a function is called for the first diagnostics of a report only."""

MAX_PER_CODE = 1000
"""Diagnostics of one code and severity that a report keeps; the next one says there are more."""

MOST_NAMES = 12
"""Names in a list that are shown on a line; of more the last are counted."""

MAX_HINTS = 50
"""Hints of one report that are computed, which takes time where there are many names."""


LONGEST_NAME = 80
"""Characters of a quoted name that a message shows."""
LONGEST_PATH = 320
"""Characters of a quoted path or URI that a message shows."""
LONGEST_MESSAGE = 2000

_QUOTED = r"['<]([^'<>]{81,})['>]"

Paint = Callable[[str, str], str]
"""Colors a text by its role."""


def printable(text: str) -> str:
    """Return a text from outside without the characters that would control a terminal or log."""
    if text.isprintable():
        return text
    return ''.join(
        character if character.isprintable() or '\ud800' <= character <= '\udfff' else '\ufffd'
        for character in text)


def shortened(text: str) -> str:
    """Return a message in which long names in quotes or angle brackets, and it itself, are cut."""
    if len(text) <= LONGEST_NAME:
        return text
    if "'" in text or '<' in text:
        text = re.sub(_QUOTED, _cut, text)
    return text if len(text) <= LONGEST_MESSAGE else f'{text[:LONGEST_MESSAGE]}...'


def _cut(quoted: re.Match[str]) -> str:
    name, whole = quoted[1], quoted[0]
    length = LONGEST_PATH if '/' in name else LONGEST_NAME
    return whole if len(name) <= length else f'{whole[0]}{name[:length]}...{whole[-1]}'


def _abridged(message: str) -> str:
    """Return a message whose long list of quoted names ends in the count of the rest."""
    names = message.split("', '")
    if len(names) <= MOST_NAMES:
        return message
    rest = len(names) - MOST_NAMES + 1
    tail = names[-1].partition("'")[2]
    return "', '".join(names[:MOST_NAMES - 1]) + f"' and {rest} more{tail}"


def _plain(text: str, _: str) -> str:
    return text


class Location(NamedTuple):
    """
    A point in a file.

    Lines and columns count from 1, columns in code points, a tab is one; None is unknown.
    ``included_from`` holds the include elements that led here, the innermost first.
    """

    file: str
    line: Optional[int] = None
    column: Optional[int] = None
    included_from: tuple['Location', ...] = ()

    def __str__(self) -> str:
        """Return ``file:line:column`` as far as it is known."""
        known = [str(number) for number in (self.line, self.column) if number is not None]
        return ':'.join([self.file, *known])

    def resolve(self) -> 'Location':
        """Return itself, so that a Location may be used where a reference is."""
        return self

    def of(self, *_: str) -> 'Location':
        """Return itself: a Location does not know what was read there."""
        return self


class Locatable(Protocol):
    """A reference to a point in a file; resolving it takes time, so it is done late."""

    def resolve(self) -> Location:
        """Return the point in the file."""

    def of(self, *fields: str) -> 'Locatable':
        """Return the place of a field of the Model's record that was read there."""


def value_location(location: Optional[Locatable], *fields: str) -> Optional[Locatable]:
    """Return the place of the first of some fields of a record, None where that has none."""
    return None if location is None else location.of(*fields)


class Diagnostic(NamedTuple):
    """
    One diagnostic; ``code`` is the name of a record in ``hrdf_ros.codes``.

    ``reference`` is the name that the format's reference implementation has for it (for SDFormat
    the name of libsdformat's ErrorCode), None where it has none.
    """

    code: str
    severity: Severity
    message: str
    location: Optional[Locatable] = None
    hint: Optional[str] = None
    reference: Optional[str] = None

    def __str__(self) -> str:
        """Return the line that a terminal shows."""
        return self.line()

    def __repr__(self) -> str:
        """Return the line that a terminal shows, in angle brackets."""
        return f'<{self}>'

    def __eq__(self, other: object) -> bool:
        """Compare, locations by the point that they resolve to."""
        if not isinstance(other, Diagnostic):
            return NotImplemented
        return self._resolved() == other._resolved()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._resolved())

    def __reduce__(self) -> tuple[type['Diagnostic'], tuple[object, ...]]:
        """Pickle the point in the file instead of the document."""
        return Diagnostic, self._resolved()

    def line(self, paint: Paint = _plain) -> str:
        """
        Return ``file:line:column: severity[code]: message`` on one line.

        ``paint`` gets a part and its role: ``location`` or the severity.
        """
        at = self.resolve()
        where = '' if at is None else paint(printable(str(at)), 'location') + ': '
        label = paint(f'{self.severity}[{self.code}]', self.severity)
        return f'{where}{label}: {printable(_abridged(self.message))}'

    def resolve(self) -> Optional[Location]:
        """Return the point in the file, None where the diagnostic belongs to no file."""
        return None if self.location is None else self.location.resolve()

    def _resolved(self) -> tuple[object, ...]:
        return (
            self.code, self.severity, self.message, self.resolve(), self.hint, self.reference)


class Misspelled(NamedTuple):
    """
    An element whose tag is probably misspelled, which is a diagnostic at ``location``.

    ``meant`` is the tag that is near, ``name`` the name that its element would have defined.
    """

    location: Locatable
    meant: str
    name: str


class Report:
    """
    The diagnostics of one run, in the order in which they were found.

    ``misspelled`` are elements whose absence may have led to some of them, see ``follow_ups``.
    """

    __slots__ = ('diagnostics', 'misspelled', '_counts', '_hints')

    def __init__(self) -> None:
        self.diagnostics: list[Diagnostic] = []
        self.misspelled: list[Misspelled] = []
        self._counts: dict[tuple[str, str], int] = {}
        self._hints = 0

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.diagnostics)

    def __len__(self) -> int:
        return len(self.diagnostics)

    def __str__(self) -> str:
        """Return a line for each diagnostic."""
        return '\n'.join(map(str, self.diagnostics))

    def __repr__(self) -> str:
        """Return a line for each diagnostic."""
        return str(self) or '<no diagnostics>'

    def __eq__(self, other: object) -> bool:
        """Tell whether the diagnostics are the same, in the same order."""
        if not isinstance(other, Report):
            return NotImplemented
        return self.diagnostics == other.diagnostics

    __hash__ = None  # type: ignore[assignment]  # a report changes

    def add(
        self, code: Code, message: str, location: Optional[Locatable] = None, *,
        hint: Hint = None, severity: Optional[Severity] = None, reference: Optional[str] = None,
    ) -> None:
        """Add a diagnostic; severity and reference are those of the code unless given."""
        if callable(hint):
            self._hints += 1
            hint = hint() if self._hints <= MAX_HINTS else None
        self._keep(Diagnostic(
            code=code.name, severity=severity or code.severity, message=shortened(message),
            location=location, hint=hint and shortened(hint),
            reference=reference or code.reference))

    def _keep(self, found: Diagnostic) -> None:
        """Add a diagnostic, unless there are already too many of its code."""
        kind = found.code, found.severity
        count = self._counts[kind] = self._counts.get(kind, 0) + 1
        if count <= MAX_PER_CODE:
            self.diagnostics.append(found)
        elif count == MAX_PER_CODE + 1:
            self.diagnostics.append(Diagnostic(
                code=TOO_MANY_DIAGNOSTICS.name, severity=found.severity,
                message=f'there are more than {MAX_PER_CODE} diagnostics [{found.code}]; the rest '
                'is not listed', location=found.location,
                hint='fix the first ones, then check again'))

    def extend(self, other: 'Report') -> None:
        """Add the diagnostics of another report after its own."""
        for found in other.diagnostics:
            self._keep(found)
        self.misspelled += other.misspelled

    def drop(self, start: int) -> None:
        """Remove the diagnostics from an index on, which have another reason than they say."""
        for found in self.diagnostics[start:]:
            self._counts[found.code, found.severity] -= 1
        del self.diagnostics[start:]

    def add_hint(self, start: int, hint: str) -> None:
        """Give the first error from an index on a hint."""
        for index in range(start, len(self.diagnostics)):
            if self.diagnostics[index].severity == 'error':
                self.diagnostics[index] = self.diagnostics[index]._replace(hint=hint)
                return

    def sort(self, start: int) -> None:
        """
        Put the diagnostics from an index on in file order.

        Those of an included file are sorted by its include element.
        """
        self.diagnostics[start:] = sorted(self.diagnostics[start:], key=_file_order)

    @property
    def ok(self) -> bool:
        """Tell whether there is no error."""
        return self.first_error is None

    @property
    def first_error(self) -> Optional[Diagnostic]:
        """The first diagnostic that is an error, None where there is none."""
        return next((found for found in self.diagnostics if found.severity == 'error'), None)

    def as_warnings(self) -> 'Report':
        """Return the report in which every error is a warning."""
        milder = Report()
        milder.diagnostics = [
            found._replace(severity='warning') if found.severity == 'error' else found
            for found in self.diagnostics
        ]
        return milder

    def with_reference(self, reference: str) -> 'Report':
        """Return the report in which each error has a reference, this one if it had none."""
        referring = Report()
        referring.diagnostics = [
            found._replace(reference=reference)
            if found.severity == 'error' and found.reference is None else found
            for found in self.diagnostics
        ]
        return referring

    def strict(self) -> 'Report':
        """Return the report in which every warning is an error."""
        stricter = Report()
        stricter.diagnostics = [
            found._replace(severity='error') if found.severity == 'warning' else found
            for found in self.diagnostics
        ]
        return stricter


def _file_order(found: Diagnostic) -> tuple[tuple[int, int], ...]:
    """Return the lines and columns that lead to a diagnostic, from the outermost file inwards."""
    at = found.resolve()
    if at is None:
        return ()
    return tuple((point.line or 0, point.column or 0) for point in (*at.included_from[::-1], at))
