# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The grammars of SDFormat values, as libsdformat reads them (``src/Param.cc``).

Scalars and the numbers of a pose go through ``stod``, which reads a prefix and ignores the
rest (``1.5f``, ``1,``, ``0x10``); vectors go through a C++ stream, which does not. A function
raises ValueSyntaxError at the faulty character, and appends to ``loose`` the index from which on
characters are ignored.
"""

from __future__ import annotations

import math
import re
from typing import Optional

from hrdf_ros.parsing.errors import implausible_angles, USUAL, ValueSyntaxError
from hrdf_ros.parsing.numbers import plain_numbers
from hrdf_ros.parsing.strtod import leading_number
from hrdf_ros.parsing.suggestions import words
from hrdf_ros.pose import from_quaternion, from_rpy, IDENTITY, Pose

Loose = Optional[list[int]]

ROOT = '__root__'
"""The name of the root of the file's pose graph, to which no element can refer."""

_INF = math.inf
_LEAST_NORMAL = 2.2250738585072014e-308
"""The least normal double: ``stod`` refuses numbers that are nearer to 0."""
_UNLIMITED = ('inf', '-inf')
"""The usual texts of limits of joints that have none."""
_ZERO_POSE = [0.0] * 6
"""The numbers of a pose that is the identity."""
_LONG_EXPONENT = re.compile('[eE]-[0-9]{3}')

# patterns, compiled when they are first used: most values are plain numbers
_STREAMED = r'[ \t\n\v\f\r]*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)'
_INTEGER = r'[ \t\n\v\f\r]*[+-]?(?:0[xX](?P<hex>[0-9a-fA-F]+)|[0-9]+)'

_BOOLEANS = {'true': True, '1': True, 'false': False, '0': False}


def is_reserved(name: str) -> bool:
    """Return whether SDFormat reserves a name: ``world`` and ``__...__`` (SDF 1.7)."""
    return name == 'world' or name[:2] == '__' and len(name) >= 4 and name[-2:] == '__'


def boolean(text: str) -> bool:
    """Return the boolean of ``true`` or ``1``, ``false`` or ``0``, in upper or lower case."""
    value = _BOOLEANS.get(text.strip().lower())
    if value is None:
        raise ValueSyntaxError(f"'{text.strip()}' is neither true nor false")
    return value


def double(text: str, loose: Loose = None) -> float:
    """
    Return a number as ``stod`` reads it: a prefix; inf and nan are numbers, 1e999 is not.

    ``true`` is 1 and ``false`` is 0, as in libsdformat.
    """
    try:
        value = float(text)
        if (_LEAST_NORMAL <= value < _INF or _LEAST_NORMAL <= -value < _INF
                or not text.strip('+-.0')) and text.isascii() and '_' not in text:
            return value
        if text in _UNLIMITED:
            return value
    except ValueError:
        pass
    truth = _BOOLEANS.get(text.strip().lower())
    if truth is not None:
        return float(truth)
    word = next(words(text), None)
    if word is None:
        raise ValueSyntaxError('a number is missing')
    value, end = _prefix(text, word[1])
    if loose is not None and text[end:].strip():
        loose.append(end)
    return value


def _prefix(text: str, start: int) -> tuple[float, int]:
    """Return the number at ``start`` and the index after it."""
    number = leading_number(text, start)
    if number is None:
        raise ValueSyntaxError(f"'{next(words(text[start:]))[0]}' is not a number", start)
    value, end = number
    digits = text[start:end].lstrip('+-').lower()
    too_big = math.isinf(value) and not digits.startswith('inf')
    if too_big or abs(value) < _LEAST_NORMAL and _has_digits(digits):
        raise ValueSyntaxError(f"'{text[start:end]}' is out of the range of a double", start)
    return value, end


def _has_digits(text: str) -> bool:
    """Return whether the mantissa of a number is not zero."""
    mantissa = text[2:].split('p')[0] if text.startswith('0x') else text.split('e')[0]
    return bool(mantissa.strip('0.'))


def integer(text: str, loose: Loose = None) -> int:
    """Return an integer as ``stoi`` reads it: a prefix (``3.7`` is 3), ``0x`` for base 16."""
    found = re.match(_INTEGER, text)
    if found is None and text.strip().lower() in _BOOLEANS:
        return int(boolean(text))
    if found is None:
        raise ValueSyntaxError(f"'{text.strip()}' is not an integer")
    # float, because it takes any number of digits, and has all integers of this range
    value = int(found.group(), 16) if found['hex'] else float(found.group())
    if not -0x80000000 <= value <= 0xffffffff:
        raise ValueSyntaxError(f"'{found.group()}' is out of the range of an integer")
    if loose is not None and text[found.end():].strip():
        loose.append(found.end())
    return int(value)


def vector(text: str, count: int, loose: Loose = None) -> tuple[float, ...]:
    """Return the first ``count`` numbers of a vector; the rest is ignored."""
    return plain_numbers(text, count) or _streamed(text, count, loose)


def _streamed(text: str, count: int, loose: Loose) -> tuple[float, ...]:
    values: list[float] = []
    end = 0
    while len(values) < count:
        found = re.compile(_STREAMED).match(text, end)
        if found is None:
            word, start = next(words(text[end:]), ('', 0))
            raise ValueSyntaxError(f"'{word}' is not a number", end + start) if word else (
                ValueSyntaxError(f'{count} numbers are required, not {len(values)}', end))
        values.append(float(found.group(1)))
        end = found.end()
        if text[end:end + 1] in ('e', 'E') or not math.isfinite(values[-1]):
            raise ValueSyntaxError(
                f"'{next(words(text[found.start(1):]))[0]}' is not a number", found.start(1))
    if loose is not None and text[end:].strip():
        loose.append(end)
    return tuple(values)


def color(text: str, loose: Loose = None) -> tuple[float, float, float, float]:
    """Return red, green, blue, alpha, each in 0 .. 1; alpha is 1 if it is absent."""
    values = plain_numbers(text, 4) or plain_numbers(text, 3)
    if values is None or '-' in text or max(values) > 1.0:
        values = _components(text, loose)
    red, green, blue, alpha = (*values, 1.0)[:4]
    return red, green, blue, alpha


def _components(text: str, loose: Loose) -> tuple[float, ...]:
    values = []
    for word, start in words(text):
        value, end = _prefix(text, start)
        if not 0.0 <= value <= 1.0:
            raise ValueSyntaxError(f'{word} is not between 0 and 1', start)
        if loose is not None and end < start + len(word):
            loose.append(end)
        values.append(value)
    if len(values) not in (3, 4):
        raise ValueSyntaxError(f'a color has 3 or 4 numbers, there are {len(values)}')
    return tuple(values)


def pose(
    text: str, degrees: bool = False, quaternion: bool = False, loose: Loose = None, *,
    plausible: bool = False,
) -> Pose:
    """
    Return a pose: nothing, or x y z roll pitch yaw, or x y z and a quaternion x y z w.

    Lengths are in meters, angles in radians unless ``degrees`` says otherwise. There must be
    exactly 6 or 7 finite numbers. A quaternion is normalized; one without a direction is
    ignored. With ``plausible``, angles of more than a full turn raise ImplausibleValue.
    """
    if quaternion and degrees:
        raise ValueSyntaxError('degrees do not apply to a quaternion')
    if not text or text.isspace():
        return IDENTITY
    values = _finite(text, 7 if quaternion else 6, loose)
    if quaternion:
        return _turned(values, text, loose)
    if values == _ZERO_POSE:
        return IDENTITY
    if degrees:
        return from_rpy(values[:3], [math.radians(v) for v in values[3:]])
    found = from_rpy(values[:3], values[3:])
    _, _, _, roll, pitch, yaw = values
    if plausible and not (
            -USUAL <= roll <= USUAL and -USUAL <= pitch <= USUAL and -USUAL <= yaw <= USUAL):
        raise implausible_angles(
            text, values[3:], 3, found, 'radians, or degrees="true" (SDFormat 1.9)')
    return found


def _turned(values: list[float], text: str, loose: Loose) -> Pose:
    """Return the pose of seven numbers; without a direction, a quaternion is ignored."""
    try:
        return from_quaternion(values[:3], values[3:])
    except ValueError:
        if loose is not None:
            loose.append([start for _, start in words(text)][3])
        return Pose(*values[:3])


def _finite(text: str, count: int, loose: Loose) -> list[float]:
    """Return exactly ``count`` finite numbers."""
    plain = plain_numbers(text, count)
    if plain is not None and ('-' not in text or _LONG_EXPONENT.search(text) is None):
        return list(plain)  # without underflow, which Python and C read differently
    values: list[float] = []
    for word, start in words(text):
        value, end = _prefix(text, start)
        if not math.isfinite(value):
            raise ValueSyntaxError(f"'{word}' is not finite", start)
        if len(values) == count:
            raise ValueSyntaxError(f'{count} numbers are required, here is one more', start)
        if loose is not None and end < start + len(word):
            loose.append(end)
        values.append(value)
    if len(values) != count:
        raise ValueSyntaxError(f'{count} numbers are required, not {len(values)}')
    return values
