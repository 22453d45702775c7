# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Exceptions for faulty values in all grammars, and for angles that are probably in degrees."""

from __future__ import annotations

from collections.abc import Sequence
import math
from typing import Any, Optional

from hrdf_ros.diagnostics import Hint
from hrdf_ros.parsing.suggestions import words

USUAL = 3.0 * math.pi
"""The radians up to which an angle is plausible: generators add up angles beyond a turn."""


class ValueSyntaxError(ValueError):
    """
    A value that its grammar does not accept.

    ``index`` is the faulty character of the text, counted from 0; ``hint`` says what was probably
    meant, or is None if that is unknown.
    """

    def __init__(self, message: str, index: int = 0, hint: Hint = None) -> None:
        super().__init__(message)
        self.message = message
        self.index = index
        self.hint = hint


class ImplausibleValue(ValueSyntaxError):
    """
    A value that its grammar accepts but that is probably a mistake, such as degrees for radians.

    ``value`` is the value that is used nevertheless. ``first`` is the first word that is an angle,
    or None if the value is a formula.
    """

    def __init__(
        self, message: str, index: int, value: Any, hint: str, first: Optional[int] = None,
    ) -> None:
        super().__init__(message, index, hint)
        self.value = value
        self.first = first


def implausible_angle(
    angle: float, index: int, value: Any, advice: Optional[str] = None,
    first: Optional[int] = None,
) -> ImplausibleValue:
    """
    Return the fault of an angle at a character of its text; ``value`` is used nevertheless.

    ``advice`` says what to write, by default the number of radians.
    """
    radians = f'{math.radians(angle):.6g}'
    return ImplausibleValue(
        f'an angle of {angle!r} rad is more than a full turn', index, value,
        f'if these are degrees, write {advice or radians}', first)


def implausible_angles(
    text: str, angles: Sequence[float], first: int, value: Any, advice: Optional[str] = None,
) -> ImplausibleValue:
    """Return the fault of the first implausible angle; the angles begin at word ``first``."""
    which = next(index for index, angle in enumerate(angles) if abs(angle) > USUAL)
    starts = [start for _, start in words(text)]
    index = starts[first + which] if len(starts) > first + which else 0
    return implausible_angle(angles[which], index, value, advice, first)
