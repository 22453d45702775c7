# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Numbers as C reads them (``strtod``), for SDFormat, SKEL and MJCF.

``strtod`` reads the longest prefix that is a number: decimal, hexadecimal, inf or nan, after
white space and an optional sign. Formats treat the rest differently.
"""

from __future__ import annotations

from collections.abc import Callable
import math
import re
from typing import NamedTuple, Optional, TypeVar

from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.parsing.suggestions import WORD

Value = TypeVar('Value')
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


def separated(
    text: str, read: Callable[[str, int], Value], minimum: int, maximum: Optional[int],
    piece: str = WORD,
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
