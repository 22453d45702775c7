# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The tokenizer of XML text: bytes or characters, well-formed or not, in linear time.

Patterns are compiled when they are first used: reading a well-formed file needs few of them.
"""

from collections.abc import Iterable, Iterator
from functools import cache
import re
import sys
from typing import Any, AnyStr, Literal, NamedTuple

TokenKind = Literal['comment', 'cdata', 'instruction', 'declaration', 'open', 'empty', 'close']

ILLEGAL = '[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]'
"""A character that no XML text may have."""
_OPENING = r'<(?:(!--)|(!\[CDATA\[)|(\?)|(!)|(/))?'
_KINDS: tuple[TokenKind, ...] = (
    'open', 'comment', 'cdata', 'instruction', 'declaration', 'close')
_ENDS = {'comment': '-->', 'cdata': r'\]\]>', 'instruction': r'\?>', 'close': r'[^<>]*>'}
_QUOTED = r'[^<>"\']*(?:(?:"[^"<]*"|\'[^\'<]*\')[^<>"\']*){0,50}'
_LITERALS = r'[^\[<>"\']*(?:(?:"[^"]*"|\'[^\']*\')[^\[<>"\']*){0,50}'
"""Parts of tags: a repeated group takes 100 bytes each time, so it is not repeated further."""
_TAG_END = r'(?:(?<=(/))|)>'
_SUBSET = r'[^\]<]*(?:(\][ \t\r\n]*>)|<!--|(<\?))'
_NAME = r'[^\s<>/=!?"\']*'
_ATTRIBUTE = r"""(?x)
    (?P<name> [^\s=<>/"']+ ) (?: \s* = \s* (?P<value>
        "[^"<]*" | '[^'<]*' | (?P<broken> ["'][^"'<>\n]* ) ) )?
"""
_REFERENCE = '&(?:(amp|lt|gt|quot|apos)|#x([0-9a-fA-F]{1,20})|#([0-9]{1,20}));'
_ATTRIBUTE_START = r'[^ \t\r\n="\'/]|/(?=>)|\Z'
"""The text after white space, and the rest of faulty attributes."""
_ESCAPES = str.maketrans({
    '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\t': '&#9;', '\n': '&#10;',
    '\r': '&#13;'})
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
    return _compiled(pattern, isinstance(text, str))


@cache
def _compiled(pattern: str, is_text: bool) -> re.Pattern[Any]:
    """Compile a pattern once: asking ``re`` for it takes a third of a formatter's time."""
    return re.compile(pattern if is_text else pattern.encode(), re.ASCII)


def name_at(text: AnyStr, start: int) -> AnyStr:
    """Return the name at an offset, empty where none is there."""
    found = pattern_for(text, _NAME).match(text, start)
    return text[start:start] if found is None else found[0]


def tokens(text: AnyStr, start: int = 0) -> Iterator[Token]:
    """Yield the markup of a text from an offset on."""
    opening = pattern_for(text, _OPENING)
    found = opening.search(text, start)
    while found is not None:
        token = _token(text, _KINDS[found.lastindex or 0], *found.span())
        yield token
        found = opening.search(text, token.end)


def _token(text: AnyStr, kind: TokenKind, start: int, content: int) -> Token:
    if kind == 'open':
        return _start_tag(text, start, content)
    if kind == 'declaration':
        return _declaration(text, start, content)
    end = pattern_for(text, _ENDS[kind])
    rest = end.match(text, content) if kind == 'close' else end.search(text, content)
    if rest is not None:
        return Token(kind, start, content, rest.end(), True)
    is_tag = kind == 'close'
    last = content + len(name_at(text, content)) if is_tag else len(text)
    return Token(kind, start, content, last, False)


def _start_tag(text: AnyStr, start: int, content: int) -> Token:
    """Return a start tag; without its end it is the name only."""
    position = _end_of_repeated(text, _QUOTED, content)
    end = pattern_for(text, _TAG_END).match(text, position)
    if end is None:
        return Token('open', start, content, content + len(name_at(text, content)), False)
    return Token('empty' if end.lastindex else 'open', start, content, end.end(), True)


def _declaration(text: AnyStr, start: int, content: int) -> Token:
    """Return a DOCTYPE or the like; complete only if its internal subset declares nothing."""
    head = position = _end_of_repeated(text, _LITERALS, content)
    end = pattern_for(text, '>').match(text, head)
    if end is not None:
        return Token('declaration', start, content, end.end(), True)
    found = pattern_for(text, r'\[').match(text, head)
    while found is not None:
        found = pattern_for(text, _SUBSET).match(text, found.end())
        if found is not None and found.lastindex == 1:
            return Token('declaration', start, content, found.end(), True)
        if found is not None:
            end_of_markup = _ENDS['instruction' if found.lastindex else 'comment']
            found = pattern_for(text, end_of_markup).search(text, found.end())
    return Token('declaration', start, content, position, False)


def _end_of_repeated(text: AnyStr, pattern: str, position: int) -> int:
    """Return where the last of several matches of a pattern ends, each behind the other."""
    repeated = pattern_for(text, pattern)
    found = repeated.match(text, position)
    while found is not None and found.end() > position:
        position = found.end()
        found = repeated.match(text, position)
    return position


def attributes(text: AnyStr, start: int) -> Iterator[AttributeToken]:
    """Yield the attributes that follow the name of a tag."""
    attribute = pattern_for(text, _ATTRIBUTE)
    found = attribute.match(text, attribute_start(text, start))
    while found is not None:
        value = found.span('value')
        is_closed = found['value'] is not None and found['broken'] is None
        yield AttributeToken(
            found.start(), found.end('name'),
            value[0] + 1 if value[0] >= 0 else -1, value[1] - is_closed, found.end(), is_closed)
        found = attribute.match(text, attribute_start(text, found.end()))


def attribute_start(text: AnyStr, position: int) -> int:
    """Return where the next attribute of a tag starts, or the end of the tag."""
    found = pattern_for(text, _ATTRIBUTE_START).search(text, position)
    return position if found is None else found.start()


def plain(text: str) -> str:
    """Return a text with its references replaced; unknown ones stay as they are."""
    return re.sub(_REFERENCE, _character, text) if '&' in text else text


def _character(reference: re.Match[str]) -> str:
    name, hexadecimal, decimal = reference.groups()
    if name:
        return _NAMED[name]
    number = int(hexadecimal, 16) if hexadecimal else int(decimal)
    return chr(number) if number <= sys.maxunicode else reference[0]


def escape(text: str) -> str:
    """Return a text as it may be in an element or between double quotes."""
    return text.translate(_ESCAPES) if re.search('[&<>"\t\n\r]', text) else text


def start_tag(tag: str, attributes: Iterable[tuple[str, str]]) -> str:
    """Return the beginning of an element, without the ``>`` or ``/>`` that ends its tag."""
    return f'<{tag}' + ''.join([f' {name}="{escape(value)}"' for name, value in attributes])
