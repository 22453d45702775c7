# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The tokenizer of XML text: bytes or characters, well-formed or not, in linear time.

Patterns are compiled when they are first used: reading a well-formed file needs few of them.
"""

from __future__ import annotations

from collections.abc import Iterator
import re
import sys
from typing import AnyStr, Literal, NamedTuple

TokenKind = Literal['comment', 'cdata', 'instruction', 'declaration', 'open', 'empty', 'close']

_OPENING = r'<(?:(!--)|(!\[CDATA\[)|(\?)|(!)|(/))?'
_COMMENT = r'<!--[^-]*(?:-(?!->)[^-]*)*-->'
_INSTRUCTION = r'<\?[^?]*(?:\?(?!>)[^?]*)*\?>'
_LITERALS = r'(?:"[^"]*"[^\[<>"\']*|\'[^\']*\'[^\[<>"\']*)*'
_DECLARATION = (
    rf'[^\[<>"\']*{_LITERALS}'
    rf'(?:\[[^\]<]*(?:(?:{_COMMENT}|{_INSTRUCTION})[^\]<]*)*\][ \t\r\n]*)?(>)?')
_START_TAG = r'[^<>"\']*(?:(?:"[^"<]*"|\'[^\'<]*\')[^<>"\']*)*((?<=/))?>'
_KINDS: tuple[tuple[TokenKind, str], ...] = (
    ('open', _START_TAG), ('comment', '-->'), ('cdata', r'\]\]>'), ('instruction', r'\?>'),
    ('declaration', _DECLARATION), ('close', r'[^<>]*>'))
_SEARCHED = ('comment', 'cdata', 'instruction')
_NAME = r'[^\s<>/=!?"\']*'
_ATTRIBUTE = r"""(?x)
    (?P<name> [^\s=<>/"']+ ) (?: \s* = \s* (?P<value>
        "[^"<]*" | '[^'<]*' | (?P<broken> ["'][^"'<>\n]* ) ) )?
"""
_REFERENCE = '&(?:(amp|lt|gt|quot|apos)|#x([0-9a-fA-F]{1,8})|#([0-9]{1,9}));'
_SKIPPED = r'(?:[ \t\r\n="\']|/(?!>))*'
"""White space between attributes, and remains of faulty attributes."""
_NAMED = {'amp': '&', 'lt': '<', 'gt': '>', 'quot': '"', 'apos': "'"}



class Token(NamedTuple):
    """
    A piece of markup: its kind, and the offsets of its start, its name or content, and its end.

    ``is_complete`` is False where its end is missing: it ends where it cannot go on.
    """

    kind: TokenKind
    start: int
    content: int
    end: int
    is_complete: bool

    def name(self, text: AnyStr) -> AnyStr:
        """Return the tag, or whatever name follows the first characters."""
        return name_at(text, self.content)


class AttributeToken(NamedTuple):
    """
    An attribute: its name and, between the quotes, its value as far as they are there.

    ``value_start`` is -1 where there is no quote; ``is_closed`` says whether the second is there.
    """

    start: int
    name_end: int
    value_start: int
    value_end: int
    end: int
    is_closed: bool


def pattern_for(text: AnyStr, pattern: str) -> re.Pattern[AnyStr]:
    """Return a pattern, of ASCII, for characters or bytes."""
    return re.compile(pattern if isinstance(text, str) else pattern.encode(), re.ASCII)


def name_at(text: AnyStr, start: int) -> AnyStr:
    """Return the name at an offset, empty where none is there."""
    found = pattern_for(text, _NAME).match(text, start)
    return text[start:start] if found is None else found[0]


def tokens(text: AnyStr, start: int = 0) -> Iterator[Token]:
    """Yield the markup of a text from an offset on."""
    opening = pattern_for(text, _OPENING)
    kinds = [(kind, pattern_for(text, end)) for kind, end in _KINDS]
    found = opening.search(text, start)
    while found is not None:
        kind, pattern = kinds[found.lastindex or 0]
        content = found.end()
        if kind in _SEARCHED:
            rest = pattern.search(text, content)
            token = Token(
                kind, found.start(), content, len(text) if rest is None else rest.end(),
                rest is not None)
        else:
            token = _tag(text, kind, found, pattern)
        yield token
        found = opening.search(text, token.end)


def _tag(
    text: AnyStr, kind: TokenKind, opening: re.Match[AnyStr], pattern: re.Pattern[AnyStr],
) -> Token:
    """Return a tag or declaration; without its end it is the beginning and the name."""
    start, content = opening.span()
    rest = pattern.match(text, content)
    if rest is None:
        return Token(kind, start, content, content + len(name_at(text, content)), False)
    if kind == 'open' and rest.lastindex:
        return Token('empty', start, content, rest.end(), True)
    return Token(kind, start, content, rest.end(), kind != 'declaration' or rest.lastindex == 1)


def attributes(text: AnyStr, start: int) -> Iterator[AttributeToken]:
    """Yield the attributes that follow the name of a tag."""
    attribute, skipped = pattern_for(text, _ATTRIBUTE), pattern_for(text, _SKIPPED)
    position = start
    while True:
        blanks = skipped.match(text, position)
        found = attribute.match(text, position if blanks is None else blanks.end())
        if found is None:
            return
        value = found.span('value')
        is_closed = found['value'] is not None and found['broken'] is None
        yield AttributeToken(
            found.start(), found.end('name'),
            value[0] + 1 if value[0] >= 0 else -1, value[1] - is_closed, found.end(), is_closed)
        position = found.end()


def plain(text: str) -> str:
    """Return a text with its references replaced; unknown ones stay as they are."""
    return re.sub(_REFERENCE, _character, text) if '&' in text else text


def _character(reference: re.Match[str]) -> str:
    name, hexadecimal, decimal = reference.groups()
    if name:
        return _NAMED[name]
    number = int(hexadecimal, 16) if hexadecimal else int(decimal)
    return chr(number) if number <= sys.maxunicode else reference[0]
