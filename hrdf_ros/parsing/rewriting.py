# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Rewrite the texts of values whose meaning is guessed: degrees, millimeters, decimal commas."""

from __future__ import annotations

from collections.abc import Callable
import math
import re
from typing import Optional

from hrdf_ros.parsing.suggestions import WORD

_NUMBER = r'[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?'
"""A pattern for a number; it is compiled at the first fault, since most files have no fault."""
_LENGTHS = 3
"""The number of lengths in a pose, which come before its angles."""


def in_radians(text: str, first: int = 0) -> Optional[str]:
    """Convert numbers from number ``first`` on to radians; return None if a word is no number."""
    return _scaled(text, lambda index, value: math.radians(value) if index >= first else value)


def in_meters(text: str) -> Optional[str]:
    """Return a text with meters in place of its first three numbers, which are millimeters."""
    return _scaled(text, lambda index, value: value / 1000.0 if index < _LENGTHS else value)


def without_commas(text: str) -> Optional[str]:
    """
    Return a text in which spaces instead of commas separate the numbers.

    The result is None if some numbers have spaces between them, because a comma may then be a
    decimal point.
    """
    is_decimal = re.search(r'\d,\d', text) and re.search(r'[^\s,]\s+[^\s,]', text)
    new = re.sub(r'\s*,\s*', ' ', text).strip()
    return None if ',' not in text or ' ' not in new or is_decimal else new


def with_product(text: str, index: int) -> Optional[str]:
    """Return a formula in which the number at a character, in degrees, is multiplied by pi/180."""
    found = re.match(_NUMBER, text[index:])
    if found is None:
        return None
    end = index + found.end()
    return f'{text[:end]}*pi/180{text[end:]}'


def _scaled(text: str, scale: Callable[[int, float], float]) -> Optional[str]:
    """Return a text with other numbers in it, or None if a word is no number."""
    parts, position = [], 0
    for index, word in enumerate(re.finditer(WORD, text)):
        if re.fullmatch(_NUMBER, word[0]) is None:
            return None
        value = float(word[0])
        new = scale(index, value)
        parts += [text[position:word.start()], word[0] if new == value else repr(new)]
        position = word.end()
    return ''.join([*parts, text[position:]])
