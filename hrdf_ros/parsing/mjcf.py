# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The grammars of MJCF values.

A number is written as C reads it, and only white space may follow the number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
import re
from typing import Any, Optional

from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.parsing.numbers import plain_numbers, separated
from hrdf_ros.parsing.strtod import leading_number
from hrdf_ros.parsing.suggestions import words

_MEMORY = re.compile(r'\s*\+?([0-9]{1,18})([KMGTPE]?)\s*', re.IGNORECASE | re.ASCII)
_INTEGER = re.compile(r'[+-]?[0-9]{1,18}')


def number(text: str, _: object = None) -> float:
    return _numbers(text, 1, 1)[0]


def integer(text: str, _: object = None) -> int:
    return separated(text, _read_integer, 1, 1)[0]


def memory(text: str, _: object = None) -> int:
    """Return a number of bytes, whose suffix may be K, M, G, T, P or E; -1 states no size."""
    found = _MEMORY.fullmatch(text)
    if text.strip() != '-1' and found is None:
        raise ValueSyntaxError(f"'{text}' is not a number of bytes such as 10M")
    return -1 if found is None else int(found[1]) << 10 * ' KMGTPE'.index(found[2].upper() or ' ')


def boolean(text: str, _: object = None) -> bool:
    """Return the boolean that ``true`` or ``false`` stands for."""
    if text not in ('true', 'false'):
        raise ValueSyntaxError(f"'{text}' is not true or false")
    return text == 'true'


def numbers(
    minimum: int, maximum: Optional[int], is_integer: bool = False,
) -> Callable[[str, object], tuple[Any, ...]]:
    """Return a parser of several numbers; a ``maximum`` of None allows any count."""
    def parse(text: str, _: object = None) -> tuple[Any, ...]:
        if is_integer:
            return separated(text, _read_integer, minimum, maximum)
        return _numbers(text, minimum, maximum)
    return parse


def _numbers(text: str, minimum: int, maximum: Optional[int]) -> tuple[float, ...]:
    values = plain_numbers(text, minimum) if minimum == maximum else None
    return separated(text, _read_number, minimum, maximum) if values is None else values


def _read_number(piece: str, start: int) -> float:
    found = leading_number(piece)
    if found is None or found.end != len(piece):
        raise ValueSyntaxError(f"'{piece}' is not a number", start)
    return found.value


def _read_integer(piece: str, start: int) -> int:
    if not _INTEGER.fullmatch(piece):
        raise ValueSyntaxError(f"'{piece}' is not an integer", start)
    return int(piece)


def several_of(known: Sequence[str]) -> Callable[[str, object], tuple[str, ...]]:
    """Return a parser of words out of a list, each at most once."""
    def parse(text: str, _: object = None) -> tuple[str, ...]:
        found = list(words(text))
        for word, start in found:
            if word not in known:
                raise ValueSyntaxError(f"'{word}' is not one of {', '.join(known)}", start)
        if len(dict(found)) < len(found):
            raise ValueSyntaxError('a word is repeated')
        return tuple(dict(found))
    return parse


def several_in_order(known: Sequence[str]) -> Callable[[str, object], tuple[str, ...]]:
    """Return a parser of words out of a list, in the order of the list."""
    several = several_of(known)

    def parse(text: str, _: object = None) -> tuple[str, ...]:
        found = several(text, None)
        if sorted(found, key=known.index) != list(found):
            raise ValueSyntaxError(f"the order is {', '.join(known)}")
        return found
    return parse


_several_inputs = several_in_order(('pos', 'vel', 'ff', 'voltage', 'pressure'))


def inputs(text: str, _: object = None) -> tuple[str, ...]:
    """Return the inputs of an actuator: a chart, none, or several in MuJoCo's order."""
    return (text,) if text in ('expmap', 'quat', 'none') else _several_inputs(text, None)
