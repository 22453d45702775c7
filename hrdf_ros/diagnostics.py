# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Diagnostics of a description, with their places, messages, severities and fixes."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple, Optional, Protocol, Union

from hrdf_ros.codes import Code, Severity, TOO_MANY_DIAGNOSTICS, UNKNOWN_ELEMENT
from hrdf_ros.limits import DIAGNOSTICS_PER_CODE, HINTS

_MESSAGE_START = 500
"""The characters that are kept at the beginning of a very long message."""
_MESSAGE_END = 150
"""The characters that are kept at the end of a very long message."""


def printable(text: str) -> str:
    """Return an untrusted text without the characters that would control a terminal or log."""
    if text.isprintable():
        return text
    return ''.join(
        character if character.isprintable() or '\ud800' <= character <= '\udfff' else '\ufffd'
        for character in text)


def shortened(text: str) -> str:
    """Return a message without its middle if it is very long, as with a name of a megabyte."""
    if len(text) <= _MESSAGE_START + _MESSAGE_END:
        return text
    return f'{text[:_MESSAGE_START]} ... {text[-_MESSAGE_END:]}'


class Location(NamedTuple):
    """
    A point in a file.

    Lines and columns count from 1; columns are code points, and a tab is one. None is unknown.
    ``included_from`` has the include elements that led here, innermost first, and the calls of
    xacro macros; ``macro`` is the name of the macro in such a call.
    """

    file: str
    line: Optional[int] = None
    column: Optional[int] = None
    included_from: tuple['Location', ...] = ()
    macro: str = ''

    def __str__(self) -> str:
        """Return ``file:line:column`` as far as it is known."""
        known = [str(number) for number in (self.line, self.column) if number is not None]
        return ':'.join([self.file, *known])

    def resolve(self) -> 'Location':
        """Return itself, so that a Location may be used where a reference is."""
        return self

    def lead(self) -> str:
        """Return the words that say how this include element or macro call led elsewhere."""
        if self.macro:
            return f"in the macro '{self.macro}', called at {self}"
        return f'included from {self}'

    def of(self, *_: str) -> 'Location':
        """Return itself: a Location knows no fields."""
        return self

    def edits(self, word: str, text: str) -> tuple['Edit', ...]:
        """Return no edits: a Location does not know the file."""
        return ()

    def rewritten(self, rewrite: 'Rewrite') -> tuple['Edit', ...]:
        """Return no edits: a Location does not know the file."""
        return ()

    def is_written(self) -> bool:
        """Return True: a Location does not know of a missing value."""
        return True


class Edit(NamedTuple):
    """A text that replaces the part of a file from ``start`` up to ``end``."""

    start: Location
    end: Location
    text: str


Rewrite = Callable[[str], Optional[str]]
"""A function that returns another text for a value, or None."""


class Locatable(Protocol):
    """A reference to a point in a file, which is resolved late, since that takes time."""

    def resolve(self) -> Location:
        """Return the point in the file."""

    def of(self, *fields: str) -> 'Locatable':
        """Return the place of a field of the Model's record that was read there."""

    def edits(self, word: str, text: str) -> tuple[Edit, ...]:
        """Return the edits that replace a word at the place by a text, none if it is not there."""

    def rewritten(self, rewrite: 'Rewrite') -> tuple[Edit, ...]:
        """Return the edit of the value there, none if ``rewrite`` has no text for it."""

    def is_written(self) -> bool:
        """Return whether the file has a value at the place, not only the format's default."""


class Fix(NamedTuple):
    """
    A fix of a diagnostic, which an editor or ``hrdf check --fix`` may apply.

    ``edits`` are computed late, and resolved when the diagnostic is pickled; an empty tuple means
    that there is no fix after all. A fix that is not ``is_safe`` rests on a guess about what was
    meant, and is applied only on request.
    """

    title: str
    edits: Union[tuple[Edit, ...], Callable[[], tuple[Edit, ...]]]
    is_safe: bool = True

    def resolve(self) -> tuple[Edit, ...]:
        """Return the edits."""
        return self.edits() if callable(self.edits) else self.edits


def replacement(word: str, text: str, location: Optional[Locatable]) -> Optional[Fix]:
    """Return the fix that writes a text for the word at a location."""
    return None if location is None else Fix(
        f"Change to '{text}'", partial(location.edits, word, text))


class Suggestion(NamedTuple):
    """
    A hint that takes time to find: the word that ``word`` stands for, which is a fix as well.

    ``otherwise`` is the hint where ``find`` returns None.
    """

    word: str
    find: Callable[[], Optional[str]]
    otherwise: Optional[str] = None

    def __call__(self) -> Optional[str]:
        """Return the hint."""
        meant = self.find()
        return self.otherwise if meant is None else meant_hint(meant)


Hint = Union[str, Suggestion, Callable[[], Optional[str]], None]
"""A text that says how to fix the fault; a slow one is computed only for the first diagnostics."""


def meant_hint(word: str) -> str:
    """Return the hint with the word that is meant."""
    return f"did you mean '{word}'?"


def value_location(location: Optional[Locatable], *fields: str) -> Optional[Locatable]:
    """Return the place of the first of some fields of a record, None where that has none."""
    return None if location is None else location.of(*fields)


class Diagnostic(NamedTuple):
    """
    One diagnostic; ``code`` is the name of a record in ``hrdf_ros.codes``.

    ``reference`` is the name that the format's reference implementation has for it (for SDFormat
    the name of libsdformat's ErrorCode), None where it has none. ``subjects`` are the names, and
    the tags (``<link>``), that it is about. ``fix`` is the edit that its hint describes. ``cause``
    is the name or tag whose absence led to the diagnostic, empty where nothing is absent; another
    diagnostic of a misspelled element with that name or tag among its subjects makes this one
    redundant. ``consumer`` is the program that it is about (``hrdf check --for``), None for any.

    >>> from hrdf_ros import load
    >>> found = load('<robot name="r"><link nome="a"/></robot>').report.diagnostics[0]
    >>> found.code, found.severity, found.resolve().column
    ('unknown-attribute', 'warning', 23)
    """

    code: str
    severity: Severity
    message: str
    location: Optional[Locatable] = None
    hint: Optional[str] = None
    reference: Optional[str] = None
    subjects: tuple[str, ...] = ()
    fix: Optional[Fix] = None
    cause: str = ''
    consumer: Optional[str] = None

    def __str__(self) -> str:
        """Return the line that a terminal shows."""
        return self.line()

    def __repr__(self) -> str:
        """Return the line of a terminal in angle brackets."""
        return f'<{self}>'

    def __eq__(self, other: object) -> bool:
        """Compare two diagnostics; locations are equal if they resolve to the same point."""
        if not isinstance(other, Diagnostic):
            return NotImplemented
        return self._resolved() == other._resolved()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._resolved())

    def __reduce__(self) -> tuple[type['Diagnostic'], tuple[object, ...]]:
        """Return what pickle stores, with the point in the file in place of the document."""
        return Diagnostic, self._resolved()

    def line(self, paint: Callable[[str, str], str] = lambda text, _: text) -> str:
        """
        Return ``file:line:column: severity[code]: message``.

        ``paint`` colors a part by its role, which is ``location`` or the severity.
        """
        at = self.resolve()
        where = '' if at is None else paint(printable(str(at)), 'location') + ': '
        label = paint(f'{self.severity}[{self.code}]', self.severity)
        return f'{where}{label}: {printable(self.message)}'

    def resolve(self) -> Optional[Location]:
        """Return the point in the file, None where the diagnostic belongs to no file."""
        return None if self.location is None else self.location.resolve()

    def _resolved(self) -> tuple[object, ...]:
        fix = self.fix and self.fix._replace(edits=self.fix.resolve())
        return (
            self.code, self.severity, self.message, self.resolve(), self.hint, self.reference,
            self.subjects, fix, self.cause, self.consumer)


class Report:
    """
    The diagnostics of one run, in the order in which they were found.

    >>> from hrdf_ros import load
    >>> report = load('<robot name="r"><link name="a"/><link name="b"/></robot>').report
    >>> report.ok, len(report), [found.code for found in report]
    (False, 1, ['urdf-not-a-tree'])
    """

    __slots__ = ('diagnostics', '_counts', '_hints')

    def __init__(self) -> None:
        self.diagnostics: list[Diagnostic] = []
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
        """Return whether the diagnostics are the same, in the same order."""
        if not isinstance(other, Report):
            return NotImplemented
        return self.diagnostics == other.diagnostics

    __hash__ = None  # type: ignore[assignment]  # a report changes

    def add(
        self, code: Code, message: str, location: Optional[Locatable] = None, *,
        hint: Hint = None, severity: Optional[Severity] = None, reference: Optional[str] = None,
        subjects: tuple[str, ...] = (), fix: Optional[Fix] = None, cause: str = '',
    ) -> None:
        """
        Add a diagnostic; severity and reference are those of the code unless given.

        The fix of a Suggestion writes its word at ``location``.
        """
        if callable(hint):
            self._hints += 1
            if self._hints > HINTS:
                hint = None
            elif isinstance(hint, Suggestion):
                meant = hint.find()
                if meant is not None:
                    fix = replacement(hint.word, meant, location)
                hint = hint.otherwise if meant is None else meant_hint(meant)
            else:
                hint = hint()
        self._keep(Diagnostic(
            code=code.name, severity=severity or code.severity, message=shortened(message),
            location=location, hint=hint and shortened(hint),
            reference=reference or code.reference, fix=fix, cause=cause,
            subjects=subjects or (cause and (cause,)) or ()))

    def _keep(self, found: Diagnostic) -> None:
        """Add a diagnostic, unless there are already too many of its code."""
        kind = found.code, found.severity
        count = self._counts[kind] = self._counts.get(kind, 0) + 1
        if count <= DIAGNOSTICS_PER_CODE:
            self.diagnostics.append(found)
        elif count == DIAGNOSTICS_PER_CODE + 1:
            self.diagnostics.append(Diagnostic(
                code=TOO_MANY_DIAGNOSTICS.name, severity=found.severity,
                message=f'there are more than {DIAGNOSTICS_PER_CODE} diagnostics '
                f'[{found.code}]; the rest is not listed', location=found.location,
                hint='fix the first ones, then check again'))

    def extend(self, other: 'Report') -> None:
        """Add the diagnostics of another report after its own."""
        for found in other.diagnostics:
            self._keep(found)

    def drop(self, start: int) -> None:
        """Remove the diagnostics from an index on, because they do not name the real cause."""
        for found in self.diagnostics[start:]:
            self._counts[found.code, found.severity] -= 1
        del self.diagnostics[start:]

    def sort(self, start: int) -> None:
        """
        Sort the diagnostics that start at an index into the order of the file.

        A diagnostic in an included file stands at the outermost include.
        """
        def order(found: Diagnostic) -> tuple[tuple[int, int], ...]:
            at = found.resolve()
            points = () if at is None else (*at.included_from[::-1], at)
            return tuple((point.line or 0, point.column or 0) for point in points)

        self.diagnostics[start:] = sorted(self.diagnostics[start:], key=order)

    def fold(self) -> None:
        """
        Remove the diagnostics that follow from a misspelled element: one cause has one diagnostic.

        If a removed diagnostic is an error, that of the misspelled element becomes an error with
        the same reference, so that a refused file stays refused.
        """
        if not any(found.cause for found in self.diagnostics):
            return
        causes: dict[str, int] = {}
        for index, found in enumerate(self.diagnostics):
            for subject in found.subjects if found.code == UNKNOWN_ELEMENT.name else ():
                causes.setdefault(subject, index)
        errors: dict[int, Diagnostic] = {}
        for found in self.diagnostics:
            if found.cause in causes and found.severity == 'error':
                errors.setdefault(causes[found.cause], found)
        self.diagnostics = [
            found._replace(severity='error', reference=errors[index].reference)
            if index in errors and found.severity != 'error' else found
            for index, found in enumerate(self.diagnostics) if found.cause not in causes]

    @property
    def ok(self) -> bool:
        """Return whether there is no error."""
        return self.first_error is None

    @property
    def first_error(self) -> Optional[Diagnostic]:
        """The first diagnostic that is an error, None where there is none."""
        return next((found for found in self.diagnostics if found.severity == 'error'), None)

    def as_warnings(self) -> 'Report':
        """Return the report in which every error is a warning."""
        return self._changed('error', 'warning')

    def strict(self) -> 'Report':
        """Return the report in which every warning is an error."""
        return self._changed('warning', 'error')

    def _changed(self, old: Severity, new: Severity) -> 'Report':
        changed = Report()
        changed.diagnostics = [
            found._replace(severity=new) if found.severity == old else found for found in self]
        return changed
