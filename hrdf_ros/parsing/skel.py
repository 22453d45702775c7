# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Values as DART 6.20 reads them in SKEL files.

A number is what C's ``stod`` reads; the rest of the word is ignored. A vector is words between
white space. If DART would continue with uninitialized memory (too few numbers) or abort (no
number, out of range), a ValueSyntaxError is raised; ignored text is returned, to be reported.
"""

import math
from typing import NamedTuple, Optional

from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.parsing.strtod import leading_number
from hrdf_ros.parsing.suggestions import words
from hrdf_ros.pose import Pose


class Numbers(NamedTuple):
    """Numbers read from a text, and the index of the first character that was ignored."""

    values: tuple[float, ...]
    ignored: Optional[int] = None


def number(text: str) -> Numbers:
    """Return the number with which a text begins (``0.005s``); it must be finite."""
    found = limit(text)
    if math.isinf(found.values[0]):
        raise ValueSyntaxError(f"'{text.strip()}' is not finite")
    return found


def limit(text: str) -> Numbers:
    """Return the number with which a text begins; it may be infinite."""
    found = leading_number(text)
    if found is None:
        raise ValueSyntaxError(f"'{text.strip()}' is not a number")
    word = text[:found.end].lower()
    if math.isnan(found.value):
        raise ValueSyntaxError('a number is required here, not nan')
    if math.isinf(found.value) and 'inf' not in word:
        raise ValueSyntaxError(f"'{word.strip()}' is too large for a number")
    return Numbers((found.value,), found.end if text[found.end:].strip() else None)


def vector(text: str, count: int) -> Numbers:
    """Return the first ``count`` numbers of a text, all finite."""
    values: list[float] = []
    ignored: Optional[int] = None
    for word, start in words(text):
        if len(values) == count:
            return Numbers(tuple(values), start if ignored is None else ignored)
        try:
            found = number(word)
        except ValueSyntaxError as fault:
            raise ValueSyntaxError(fault.message, start) from None
        values += found.values
        if ignored is None and found.ignored is not None:
            ignored = start + found.ignored
    if len(values) < count:
        raise ValueSyntaxError(
            f'{count} numbers are required, not {len(values)}', len(text.rstrip()))
    return Numbers(tuple(values), ignored)


def transformation(text: str) -> Numbers:
    """
    Return the six numbers of a ``<transformation>``; missing ones are 0.

    >>> transformation('1 2')
    Numbers(values=(1.0, 2.0, 0.0, 0.0, 0.0, 0.0), ignored=None)
    """
    found = vector(text, min(len(text.split()), 6) or 6)
    return Numbers((*found.values, *[0.0] * 6)[:6], found.ignored)


def pose(values: tuple[float, ...]) -> Pose:
    """Return the pose of x, y, z, a, b, c: ``Trans(x, y, z) Rx(a) Ry(b) Rz(c)``, not rpy."""
    x, y, z, a, b, c = values
    if a == 0.0 and b == 0.0 and c == 0.0:
        return Pose(x, y, z)
    sa, ca = math.sin(a / 2.0), math.cos(a / 2.0)
    sb, cb = math.sin(b / 2.0), math.cos(b / 2.0)
    sc, cc = math.sin(c / 2.0), math.cos(c / 2.0)
    return Pose(
        x, y, z,
        sa * cb * cc + ca * sb * sc,
        ca * sb * cc - sa * cb * sc,
        ca * cb * sc + sa * sb * cc,
        ca * cb * cc - sa * sb * sc,
    )


def boolean(text: str) -> Optional[bool]:
    """Return a truth value, or None for words that DART takes as false with an error message."""
    return {'1': True, 'true': True, '0': False, 'false': False}.get(text.lower())
