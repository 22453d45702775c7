# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Numbers as C reads them (``strtod``), for SDFormat, SKEL and MJCF.

``strtod`` reads the longest prefix that is a number: decimal, hexadecimal, inf or nan, after
white space and an optional sign. Formats treat the rest differently; for MJCF, whose values are
the second half, there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
import math
import re
from typing import Any, NamedTuple, Optional, TypeVar

from hrdf_ros.parsing.errors import ValueSyntaxError

Value = TypeVar('Value')
_INTEGER = re.compile(r'[+-]?[0-9]{1,18}')

_NUMBER = re.compile(
    r'[ \t\n\v\f\r]*(?P<sign>[+-]?)(?:'
    r'(?P<hex>0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?[0-9]+)?)|'
    r'(?P<decimal>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|'
    r'(?P<name>(?i:infinity|inf|nan(?:\([0-9A-Za-z_]*\))?)))')


class Number(NamedTuple):
    """A number read from the beginning of a text, and the index of the character after it."""

    value: float
    end: int


def plain_numbers(text: str, count: int) -> Optional[tuple[float, ...]]:
    """
    Return ``count`` finite numbers separated by white space (the common case).

    None where the text needs a closer look: Python and C may read it differently.
    """
    try:
        values = tuple(map(float, text.split()))
    except ValueError:
        return None
    usual = len(values) == count and math.isfinite(sum(values))
    return values if usual and text.isascii() and '_' not in text else None


def leading_number(text: str, start: int = 0) -> Optional[Number]:
    """Return the number with which the text begins at ``start``, as ``strtod`` reads it."""
    found = _NUMBER.match(text, start)
    if found is None:
        return None
    if found['hex'] is not None:
        value = _hexadecimal(found['hex'])
    elif found['decimal'] is not None:
        value = float(found['decimal'])
    else:
        value = float(found['name'][:3])
    return Number(-value if found['sign'] == '-' else value, found.end())


def _hexadecimal(text: str) -> float:
    try:
        return float.fromhex(text)
    except OverflowError:
        return float('inf')


def listed(
    text: str, read: Callable[[str, int], Value], minimum: int, maximum: Optional[int],
    piece: str = r'\S+',
) -> tuple[Value, ...]:
    """Return the values that a function reads from the pieces of a text, and their starts."""
    pieces = list(re.finditer(piece, text))
    values = tuple([read(found.group(), found.start()) for found in pieces])
    exact, count = minimum == maximum, len(values)
    if count < minimum:
        expected = str(minimum) if exact else f'at least {minimum}'
        raise ValueSyntaxError(f'{expected} numbers are required, not {count}')
    if maximum is not None and count > maximum:
        expected = str(maximum) if exact else f'at most {maximum}'
        raise ValueSyntaxError(
            f'{expected} numbers are required, not {count}', pieces[maximum].start())
    return values


# ---- MJCF

def number(text: str, _: object = None) -> float:
    """Return one number."""
    return _numbers(text, 1, 1)[0]


def integer(text: str, _: object = None) -> int:
    """Return one integer."""
    return listed(text, _read_integer, 1, 1)[0]


def boolean(text: str, _: object = None) -> bool:
    """Return a truth value, ``true`` or ``false``."""
    if text not in ('true', 'false'):
        raise ValueSyntaxError(f"'{text}' is not true or false")
    return text == 'true'


def numbers(
    minimum: int, maximum: Optional[int], is_integer: bool = False,
) -> Callable[[str, object], tuple[Any, ...]]:
    """Return a parser of several numbers; ``maximum`` None is any count."""
    def parse(text: str, _: object = None) -> tuple[Any, ...]:
        if is_integer:
            return listed(text, _read_integer, minimum, maximum)
        return _numbers(text, minimum, maximum)
    return parse


def _numbers(text: str, minimum: int, maximum: Optional[int]) -> tuple[float, ...]:
    values = plain_numbers(text, minimum) if minimum == maximum else None
    return listed(text, _read_number, minimum, maximum) if values is None else values


def _read_number(piece: str, start: int) -> float:
    found = leading_number(piece)
    if found is None or found.end != len(piece):
        raise ValueSyntaxError(f"'{piece}' is not a number", start)
    return found.value


def _read_integer(piece: str, start: int) -> int:
    if not _INTEGER.fullmatch(piece):
        raise ValueSyntaxError(f"'{piece}' is not an integer", start)
    return int(piece)


def several_of(words: Sequence[str]) -> Callable[[str, object], tuple[str, ...]]:
    """Return a parser of words out of a list, each at most once."""
    def parse(text: str, _: object = None) -> tuple[str, ...]:
        found = tuple(text.split())
        for piece in re.finditer(r'\S+', text):
            if piece.group() not in words:
                raise ValueSyntaxError(
                    f"'{piece.group()}' is not one of {', '.join(words)}", piece.start())
        if len(set(found)) < len(found):
            raise ValueSyntaxError('a word is repeated')
        return found
    return parse
