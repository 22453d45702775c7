# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Compare values, and show two of them in the shortest texts that tell them apart."""

from __future__ import annotations

import math
import sys
from typing import Optional, Union

from hrdf_ros.inertia import Inertia, tensor_in_body

Value = tuple[Union[str, float], ...]
_DIGITS, _ALL_DIGITS = 6, 17
"""The minimum and maximum number of significant digits with which a number is shown."""


def moments(inertia: Optional[Inertia]) -> dict[str, tuple[float, ...]]:
    """Return mass, center of mass and the tensor about it, in the axes of the body."""
    if inertia is None or inertia.mass == 0.0 and inertia.is_zero:
        return {'mass': (0.0,), 'center of mass': (0.0,) * 3, 'inertia': (0.0,) * 6}
    return {'mass': (inertia.mass,), 'center of mass': inertia.pose.position,
            'inertia': tensor_in_body(inertia)}


def close(a: Value, b: Value, tolerance: float) -> bool:
    """
    Return whether two values are equal within the tolerance.

    NaN equals NaN, and an infinite number equals an infinite number of the same sign.
    """
    return len(a) == len(b) and all(_same(x, y, tolerance) for x, y in zip(a, b))


def _same(x: Union[str, float], y: Union[str, float], tolerance: float) -> bool:
    return x == y or not isinstance(x, str) and not isinstance(y, str) and (
        math.isnan(x) and math.isnan(y)
        or abs(x - y) <= tolerance * min(max(1.0, abs(x), abs(y)), sys.float_info.max))


def texts(a: Value, b: Value, tolerance: float) -> tuple[str, str]:
    """
    Return both values as texts, with the fewest digits, at least six, that tell numbers apart.

    Numbers that are equal within the tolerance have the same text, and those that are zero within
    the tolerance are shown as 0.
    """
    if len(a) != len(b):
        alone = [[_number(part, part, tolerance)[0] for part in value] for value in (a, b)]
        return ' '.join(alone[0]) or '-', ' '.join(alone[1]) or '-'
    pairs = [_number(x, y, tolerance) for x, y in zip(a, b)]
    return ' '.join(x for x, _ in pairs) or '-', ' '.join(y for _, y in pairs) or '-'


def _number(
    x: Union[str, float], y: Union[str, float], tolerance: float,
) -> tuple[str, str]:
    if isinstance(x, str) or isinstance(y, str):
        return _text(x, _DIGITS), _text(y, _DIGITS)
    if _same(x, y, tolerance):
        y = x
    x, y = (0.0 if abs(value) <= tolerance else value for value in (x, y))
    digits = next((
        digits for digits in range(_DIGITS, _ALL_DIGITS)
        if x == y or _text(x, digits) != _text(y, digits)), _ALL_DIGITS)
    return _text(x, digits), _text(y, digits)


def _text(value: Union[str, float], digits: int) -> str:
    return value if isinstance(value, str) else f'{value + 0.0:.{digits}g}'
