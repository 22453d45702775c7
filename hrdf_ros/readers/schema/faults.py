# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What may be wrong with a value beside its syntax, and the parsers that find it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Optional, TYPE_CHECKING

from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.readers.schema.declarations import Bounds, Parse, ParseInContext, Value, ValueType

if TYPE_CHECKING:
    from hrdf_ros.readers.schema.element import TypedElement


class NewerSyntax(ValueSyntaxError):
    """A value that only versions ``since`` a newer one accept; ``what`` needs that version."""

    def __init__(self, what: str, index: int, since: str) -> None:
        super().__init__(what, index)
        self.since = since


class Replaced(ValueSyntaxError):
    """A value that is not right, and what is read in its place (None: the default)."""

    def __init__(self, message: str, value: Value) -> None:
        super().__init__(message)
        self.value = value


class ReplacedWord(Replaced):
    """
    A word of an enumeration that is not right.

    ``since`` is the version that came with it where the file's version does not have it.
    """

    def __init__(self, word: str, value: Optional[str], since: str = '') -> None:
        super().__init__(word, value)
        self.since = since


class OutOfRange(Replaced):
    """A number outside of its bounds; ``value`` is the number."""


class UnknownWord(Replaced):
    """A word that an enumeration does not have."""

    def __init__(self, word: str, known: ValueType) -> None:
        super().__init__(word, known.fallback)
        self.known = known.words


class NewerWord(ReplacedWord):
    """A word that only newer versions have."""


class WrongCase(ReplacedWord):
    """A word with wrong capital letters; ``value`` is the right one."""


class OtherSpelling(ReplacedWord):
    """A word that is spelled otherwise than the enumeration does; ``value`` is what it has."""


def bounded(parse: Parse, bounds: Bounds) -> Parse:
    """Return a parser that raises OutOfRange."""
    minimum, maximum, excludes_minimum = (
        bounds.minimum, bounds.maximum, bounds.excludes_minimum)

    def parse_bounded(text: str, trailing: list[int]) -> Value:
        value = parse(text, trailing)
        if isinstance(value, tuple) or excludes_minimum or not minimum <= value <= maximum:
            check_bounds(value, bounds)
        return value
    return parse_bounded


def bounded_in_context(parse: ParseInContext, bounds: Bounds) -> ParseInContext:
    """Return a parser that raises OutOfRange."""
    def parse_bounded(element: TypedElement, text: str, trailing: list[int]) -> Value:
        value = parse(element, text, trailing)
        check_bounds(value, bounds)
        return value
    return parse_bounded


def check_bounds(value: Value, bounds: Bounds) -> None:
    """Raise OutOfRange where a number, or one of several, is not within the bounds."""
    minimum, maximum = bounds.minimum, bounds.maximum
    for number in value if isinstance(value, tuple) else (value,):
        if bounds.excludes_minimum and number <= minimum:
            raise OutOfRange(f'{number!r} must be greater than {minimum!r}', value)
        if number < minimum:
            raise OutOfRange(f'{number!r} is less than the minimum {minimum!r}', value)
        if number > maximum:
            raise OutOfRange(f'{number!r} is greater than the maximum {maximum!r}', value)


def enumeration(known: ValueType, newer: Mapping[str, str]) -> Parse:
    """Return the parser of an enumeration; ``newer`` are words that the version does not have."""
    words = known.words

    def parse(text: str, _: list[int]) -> Optional[str]:
        word = text.strip() if known.strips else text
        if word not in words:
            raise _unknown(word, known, newer)
        if word in newer:
            raise NewerWord(word, word, newer[word])
        return word
    return parse


def _unknown(word: str, known: ValueType, newer: Mapping[str, str]) -> Replaced:
    """Return what is wrong with a word that is not one of an enumeration."""
    lower = word.lower()
    meant = known.spellings.get(lower)
    if meant is not None:
        return OtherSpelling(word, meant, newer.get(meant, ''))
    if known.ignore_case:
        for candidate in known.words:
            if candidate.lower() == lower:
                return WrongCase(word, candidate, newer.get(candidate, ''))
    return UnknownWord(word, known)
