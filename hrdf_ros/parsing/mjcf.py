# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The grammars of MJCF values, as MuJoCo reads them: numbers of C, separated by white space."""

from __future__ import annotations

from collections.abc import Callable, Sequence
import re
from typing import Any, Optional

from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.parsing.numbers import leading_number, plain_numbers

_PIECE = re.compile(r'\S+')
_INTEGER = re.compile(r'[+-]?[0-9]{1,18}')


def number(text: str, _: object = None) -> float:
    """Return one number."""
    return _checked(text, 1, 1)[0]


def integer(text: str, _: object = None) -> int:
    """Return one integer."""
    return _integers(text, 1, 1)[0]


def boolean(text: str, _: object = None) -> bool:
    """Return a truth value, ``true`` or ``false``."""
    if text not in ('true', 'false'):
        raise ValueSyntaxError(f"'{text}' is not true or false")
    return text == 'true'


def numbers(
    minimum: int, maximum: Optional[int], is_integer: bool = False,
) -> Callable[[str, object], tuple[Any, ...]]:
    """Return a parser of several numbers; ``maximum`` None is any count."""
    def parse(text: str, _: object = None) -> tuple[Any, ...]:
        if is_integer:
            return _integers(text, minimum, maximum)
        return _checked(text, minimum, maximum)
    return parse


def several_of(words: Sequence[str]) -> Callable[[str, object], tuple[str, ...]]:
    """Return a parser of words out of a list, each at most once."""
    def parse(text: str, _: object = None) -> tuple[str, ...]:
        found = tuple(text.split())
        for piece in _PIECE.finditer(text):
            if piece.group() not in words:
                raise ValueSyntaxError(
                    f"'{piece.group()}' is not one of {', '.join(words)}", piece.start())
        if len(set(found)) < len(found):
            raise ValueSyntaxError('a word is repeated')
        return found
    return parse


def _checked(text: str, minimum: int, maximum: Optional[int]) -> tuple[float, ...]:
    values = plain_numbers(text, maximum) if minimum == maximum else None
    if values is not None:
        return values
    pieces = list(_PIECE.finditer(text))
    result = []
    for piece in pieces:
        found = leading_number(piece.group())
        if found is None or found.end != len(piece.group()):
            raise ValueSyntaxError(f"'{piece.group()}' is not a number", piece.start())
        result.append(found.value)
    _check_count(pieces, minimum, maximum)
    return tuple(result)


def _integers(text: str, minimum: int, maximum: Optional[int]) -> tuple[int, ...]:
    pieces = list(_PIECE.finditer(text))
    for piece in pieces:
        if not _INTEGER.fullmatch(piece.group()):
            raise ValueSyntaxError(f"'{piece.group()}' is not an integer", piece.start())
    _check_count(pieces, minimum, maximum)
    return tuple(int(piece.group()) for piece in pieces)


def _check_count(pieces: list[re.Match[str]], minimum: int, maximum: Optional[int]) -> None:
    count = len(pieces)
    if count < minimum:
        expected = str(minimum) if minimum == maximum else f'at least {minimum}'
        raise ValueSyntaxError(f'{expected} numbers are required, not {count}')
    if maximum is not None and count > maximum:
        expected = str(maximum) if minimum == maximum else f'at most {maximum}'
        raise ValueSyntaxError(
            f'{expected} numbers are required, not {count}', pieces[maximum].start())
