# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The grammars of URDF values, as urdfdom reads them (a C++ stream for each number).

Numbers are decimal, never inf, nan or hexadecimal. White space is allowed before a number and not
after it; the numbers of a vector are separated by spaces, not by tabs or line breaks.
"""

from __future__ import annotations

import math
import re

from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.parsing.numbers import PLAIN, plain_number, separated

_NUMBER = re.compile(r'[ \t\n\v\f\r]*[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?')
_PIECE = '[^ ]+'
_PLAIN_VECTOR = PLAIN + ' '
_VERSION = re.compile('([0-9]{1,9})[.]([0-9]{1,9})')


def number(text: str, _: object = None) -> float:
    """Return the number that makes up the whole text."""
    plain = plain_number(text)
    return _located_number(text, 0) if plain is None else plain


def _located_number(text: str, index: int) -> float:
    """Return the text as a number; ``index`` is where the text starts in the whole value."""
    found = _NUMBER.match(text)
    if found is None:
        raise ValueSyntaxError(
            f"'{text}' is not a number" if text.strip() else 'a number is missing', index)
    if found.end() < len(text):
        raise ValueSyntaxError(
            f'{text[found.end():]!r} follows the number', index + found.end())
    value = float(text)
    if math.isinf(value):
        raise ValueSyntaxError(f"'{text}' is out of the range of a double", index)
    return value


def vector(text: str, count: int) -> tuple[float, ...]:
    """Return exactly ``count`` numbers."""
    if not text.strip(_PLAIN_VECTOR):
        try:
            values = tuple(map(float, text.split()))
            if len(values) == count and math.isfinite(sum(values)):
                return values
        except ValueError:
            pass
    return separated(text, _located_number, count, count, _PIECE)


def vector3(text: str, _: object = None) -> tuple[float, ...]:
    """Return exactly three numbers."""
    return vector(text, 3)


def color(text: str, _: object = None) -> tuple[float, ...]:
    """Return red, green, blue and alpha, each in 0 .. 1."""
    values = vector(text, 4)
    for value, piece in zip(values, re.finditer(_PIECE, text)):
        if not 0.0 <= value <= 1.0:
            raise ValueSyntaxError(
                f'a component of a color is in 0 .. 1, not {piece.group()}', piece.start()
            )
    return values


def version(text: str) -> tuple[int, int]:
    """Return the major and the minor number of ``x.y``."""
    found = _VERSION.fullmatch(text)
    if found is None:
        raise ValueSyntaxError(f"'{text}' is not a version of the form x.y")
    return int(found.group(1)), int(found.group(2))
