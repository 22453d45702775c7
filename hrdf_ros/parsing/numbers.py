# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Parse several numbers: plain decimals in one step, other texts piece by piece."""

from __future__ import annotations

from collections.abc import Callable
import math
import re
from typing import Optional, TypeVar

from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.parsing.suggestions import WORD

Value = TypeVar('Value')

PLAIN = '+-.0123456789eE'
"""The characters of decimal numbers, which Python reads as C does and as formulas are read."""


def plain_number(text: str) -> Optional[float]:
    """Return a finite decimal number without white space (the common case), else None."""
    if text.strip(PLAIN):
        return None
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def plain_numbers(text: str, count: int) -> Optional[tuple[float, ...]]:
    """
    Return ``count`` finite numbers separated by white space (the common case).

    The result is None if the text needs a closer look: Python and C may read it differently.
    """
    try:
        values = tuple(map(float, text.split()))
    except ValueError:
        return None
    usual = len(values) == count and math.isfinite(sum(values))
    return values if usual and text.isascii() and '_' not in text else None


def separated(
    text: str, read: Callable[[str, int], Value], minimum: int, maximum: Optional[int],
    piece: str = WORD,
) -> tuple[Value, ...]:
    """Return the value that ``read`` makes of each piece of a text and the index of its start."""
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
