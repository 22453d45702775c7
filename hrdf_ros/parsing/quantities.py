# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Angles and lengths as people type them: ``30deg``, ``pi/6``, ``-1.2rad``, ``50mm``, ``0.5``."""

from math import isfinite, pi, radians
import re
from typing import Literal, NamedTuple, Optional

Kind = Literal['angle', 'length']
_NUMBER = r'(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?'
_QUANTITY = re.compile(
    rf'(?P<sign>[-+]?)(?P<factor>{_NUMBER})?(?:(?:(?<=\d)\*)?\s*(?P<pi>pi|π))?'
    rf'(?:(?<=[iπ])\*(?P<times>{_NUMBER}))?(?:/(?P<divisor>{_NUMBER}))?'
    r'\s*(?P<unit>deg|°|rad|mm|cm|m)?')
_AROUND_OPERATOR = re.compile(r'\s*([-+*/])\s*')
_METERS = {'m': 1.0, 'cm': 100.0, 'mm': 1000.0}
"""The number of each unit of length in one meter."""


class Quantity(NamedTuple):
    """
    A value in radians or meters.

    ``kind`` is angle or length, or None for a number without a unit, which has the unit of its
    coordinate.
    """

    value: float
    kind: Optional[Kind] = None


def parse_quantity(text: str) -> Quantity:
    """Return the quantity that a text means; raise ValueError for any other text."""
    found = _QUANTITY.fullmatch(_AROUND_OPERATOR.sub(r'\1', text.strip()))
    if found is None or not (found['factor'] or found['pi']):
        return Quantity(_finite(float(text)))
    value = float(found['factor'] or 1.0) * (pi if found['pi'] else 1.0)
    value *= float(found['times'] or 1.0)
    if found['divisor']:
        if float(found['divisor']) == 0.0:
            raise ValueError('a division by zero')
        value /= float(found['divisor'])
    value, unit = _finite(-value if found['sign'] == '-' else value), found['unit']
    if unit in _METERS:
        if found['pi']:
            raise ValueError('pi is for angles')
        return Quantity(value / _METERS[unit], 'length')
    if unit in ('deg', '°'):
        if found['pi']:
            raise ValueError('pi is for radians')
        return Quantity(radians(value), 'angle')
    return Quantity(value, 'angle' if unit or found['pi'] else None)


def _finite(value: float) -> float:
    if not isfinite(value):
        raise ValueError('a number that is not finite')
    return value
