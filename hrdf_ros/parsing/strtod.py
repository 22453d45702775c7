# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Numbers as C reads them (``strtod``), for SDFormat, SKEL and MJCF.

``strtod`` reads the longest prefix that is a number: decimal, hexadecimal, inf or nan, after
white space and an optional sign. Each format treats the rest in its own way.
"""

import re
from typing import NamedTuple, Optional

_NUMBER = (
    r'[ \t\n\v\f\r]*(?P<sign>[+-]?)(?:'
    r'(?P<hex>0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?[0-9]+)?)|'
    r'(?P<decimal>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|'
    r'(?P<name>(?i:infinity|inf|nan(?:\([0-9A-Za-z_]*\))?)))')
"""The pattern of the prefix, compiled when it is first used: most numbers are plain."""


class Number(NamedTuple):
    """A number read from the beginning of a text, and the index of the character after it."""

    value: float
    end: int


def leading_number(text: str, start: int = 0) -> Optional[Number]:
    """Return the number with which the text begins at ``start``, as ``strtod`` reads it."""
    found = re.compile(_NUMBER).match(text, start)
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
