# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Split XML text into tokens, and find places in it: attributes, texts, child elements.

The text is bytes or characters, and need not be well-formed. All of this takes linear time, since
an attacker may have written the text. Patterns are compiled when they are first used, since few
are needed for a well-formed file.
"""

from collections.abc import Iterable, Iterator
from functools import cache
import re
import sys
from typing import Any, AnyStr, Literal, NamedTuple, Optional

TokenKind = Literal['comment', 'cdata', 'instruction', 'declaration', 'open', 'empty', 'close']

ILLEGAL = '[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]'
"""A pattern for characters that XML text cannot have."""
_OPENING = r'<(?:(!--)|(!\[CDATA\[)|(\?)|(!)|(/))?'
_KINDS: tuple[TokenKind, ...] = (
    'open', 'comment', 'cdata', 'instruction', 'declaration', 'close')
_ENDS = {'comment': '-->', 'cdata': r'\]\]>', 'instruction': r'\?>', 'close': r'[^<>]*>'}
_QUOTED = r'[^<>"\']*(?:(?:"[^"<]*"|\'[^\'<]*\')[^<>"\']*){0,50}'
_LITERALS = r'[^\[<>"\']*(?:(?:"[^"]*"|\'[^\']*\')[^\[<>"\']*){0,50}'
"""A pattern for parts of tags, without repetition: a repeated group takes 100 bytes each time."""
_TAG_END = r'(?:(?<=(/))|)>'
_SUBSET = r'[^\]<]*(?:(\][ \t\r\n]*>)|<!--|(<\?))'
_NAME = r'[^\s<>/=!?"\']*'
_ATTRIBUTE = r"""(?x)
    (?P<name> [^\s=<>/"']+ ) (?: \s* = \s* (?P<value>
        "[^"<]*" | '[^'<]*' | (?P<broken> ["'][^"'<>\n]* ) ) )?
"""
_REFERENCE = '&(?:(amp|lt|gt|quot|apos)|#x([0-9a-fA-F]{1,20})|#([0-9]{1,20}));'
_ATTRIBUTE_START = r'[^ \t\r\n="\'/]|/(?=>)|\Z'
"""A pattern for the text after white space, or the rest of a faulty attribute."""
_ESCAPES = str.maketrans({
    '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\t': '&#9;', '\n': '&#10;',
    '\r': '&#13;'})
_CONTINUATION = bytes(range(0x80, 0xc0))
_CODE_POINT_BYTES = 4
"""The maximum number of bytes of a code point in UTF-8."""
_CDATA_END = len(']]>')
_LONGER_IN_SOURCE = rb'&[^;&<]*;|\r\n'
_LINE_END = rb'\r\n'
_NAMED = {'amp': '&', 'lt': '<', 'gt': '>', 'quot': '"', 'apos': "'"}


class Token(NamedTuple):
    """
    A piece of markup: its kind, and the offsets of its start, its name or content, and its end.

    ``is_complete`` is False if the end of the markup is missing; ``end`` is then the first offset
    that cannot belong to it.
    """

    kind: TokenKind
    start: int
    content: int
    end: int
    is_complete: bool

    def name(self, text: AnyStr) -> AnyStr:
        """Return the tag, or the name at the start of the content."""
        return name_at(text, self.content)


class AttributeToken(NamedTuple):
    """
    An attribute: its name, and its value between the quotes, as far as they are there.

    ``value_start`` is -1 if there is no quote; ``is_closed`` says whether the second quote is
    there.
    """

    start: int
    name_end: int
    value_start: int
    value_end: int
    end: int
    is_closed: bool


def pattern_for(text: AnyStr, pattern: str) -> re.Pattern[AnyStr]:
    """Return an ASCII pattern, compiled for characters or bytes according to the text."""
    return _compiled(pattern, isinstance(text, str))


@cache
def _compiled(pattern: str, is_text: bool) -> re.Pattern[Any]:
    """Compile a pattern once: asking ``re`` for it takes a third of a formatter's time."""
    return re.compile(pattern if is_text else pattern.encode(), re.ASCII)


def name_at(text: AnyStr, start: int) -> AnyStr:
    """Return the name at an offset, the empty text where there is none."""
    found = pattern_for(text, _NAME).match(text, start)
    return text[start:start] if found is None else found[0]


def tokens(text: AnyStr, start: int = 0) -> Iterator[Token]:
    """Yield the tokens of a text from an offset on."""
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
    """Return a start tag, whose content is only its name if the end of the tag is missing."""
    position = _end_of_repeated(text, _QUOTED, content)
    end = pattern_for(text, _TAG_END).match(text, position)
    if end is None:
        return Token('open', start, content, content + len(name_at(text, content)), False)
    return Token('empty' if end.lastindex else 'open', start, content, end.end(), True)


def _declaration(text: AnyStr, start: int, content: int) -> Token:
    """Return a DOCTYPE or other declaration, complete if its internal subset declares nothing."""
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
    """Return the end of the last of consecutive matches of a pattern."""
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
    """Return a text with its references replaced; unknown references stay as they are."""
    return re.sub(_REFERENCE, _character, text) if '&' in text else text


def _character(reference: re.Match[str]) -> str:
    name, hexadecimal, decimal = reference.groups()
    if name:
        return _NAMED[name]
    number = int(hexadecimal, 16) if hexadecimal else int(decimal)
    return chr(number) if number <= sys.maxunicode else reference[0]


def escape(text: str) -> str:
    """Return a text with the characters escaped that may not stand in an element or attribute."""
    return text.translate(_ESCAPES) if re.search('[&<>"\t\n\r]', text) else text


def start_tag(tag: str, attributes: Iterable[tuple[str, str]]) -> str:
    """Return the beginning of an element, without the ``>`` or ``/>`` that ends its tag."""
    return f'<{tag}' + ''.join([f' {name}="{escape(value)}"' for name, value in attributes])


# ---- places in the bytes of a well-formed document, in UTF-8

class Run(NamedTuple):
    """A run of characters between two bytes: an attribute's value, or text up to some markup."""

    start: int
    end: int
    is_cdata: bool = False

    def text(self, data: bytes) -> str:
        """Return the characters, with references replaced."""
        written = data[self.start:self.end].decode('utf-8', 'replace').replace('\r\n', '\n')
        return written if self.is_cdata else plain(written)

    def character(self, data: bytes, index: int) -> int:
        """Return the byte at which the index-th character starts; a reference is one character."""
        position, longer = self.start, _LINE_END if self.is_cdata else _LONGER_IN_SOURCE
        for source in re.compile(longer).finditer(data, self.start, self.end):
            count = count_code_points(data[position:source.start()])
            if index <= count:
                break
            index -= count + 1
            position = source.end()
        ahead = data[position:min(position + _CODE_POINT_BYTES * index, self.end)]
        return position + len(ahead.decode('utf-8', 'ignore')[:index].encode())

    def first_not_blank(self, data: bytes) -> int:
        """Return the byte of the first character that is not white space, or else the end."""
        text = self.text(data)
        return self.character(data, len(text) - len(text.lstrip()))


class StartTag(NamedTuple):
    """
    A start tag: its name, where it starts and ends, and whether the element has no content.

    ``attributes`` has the byte of each attribute's name and its value, without the quotes.
    """

    tag: bytes
    start: int
    end: int
    is_empty: bool
    attributes: dict[bytes, tuple[int, Run]]

    @property
    def name_end(self) -> int:
        """The byte after its name."""
        return self.start + 1 + len(self.tag)


def count_code_points(data: bytes) -> int:
    """Return the number of code points that start in some bytes of UTF-8."""
    return len(data.translate(None, _CONTINUATION))


def root_start(data: bytes) -> int:
    """Return the byte at which the root element starts."""
    return next(token.start for token in tokens(data) if token.kind in ('open', 'empty'))


def scan_start_tag(data: bytes, start: int) -> Optional[StartTag]:
    """Return the start tag at a byte, None where there is none."""
    token = next(tokens(data, start), None)
    if token is None or token.start != start or token.kind not in ('open', 'empty'):
        return None
    tag = token.name(data)
    found = {
        data[one.start:one.name_end]: (one.start, Run(one.value_start, one.value_end))
        for one in attributes(data, token.content + len(tag))}
    if not tag or not token.is_complete:
        return None
    return StartTag(tag, start, token.end, token.kind == 'empty', found)


def find_text(data: bytes, tag: StartTag) -> Optional[Run]:
    """Return the first run of text that is not blank and comes before any child element."""
    position = tag.end
    for token in () if tag.is_empty else tokens(data, position):
        run = Run(position, token.start)
        if token.kind == 'cdata' and run.first_not_blank(data) == run.end:
            run = Run(token.content, token.end - _CDATA_END, is_cdata=True)
        start = run.first_not_blank(data)
        if start < run.end:
            return run._replace(start=start)
        if token.kind in ('open', 'empty', 'close'):
            break
        position = token.end
    return None


def child_starts(data: bytes, tag: StartTag) -> Iterator[tuple[bytes, int]]:
    """Yield the tag of each child element and the byte at which it starts."""
    depth = 0
    for token in () if tag.is_empty else tokens(data, tag.end):
        if token.kind in ('open', 'empty') and depth == 0:
            yield token.name(data), token.start
        depth += _levels(token)
        if depth < 0:
            break


def end_of_element(data: bytes, start: int) -> int:
    """Return the byte after the element that starts at a byte."""
    depth = 0
    for token in tokens(data, start):
        depth += _levels(token)
        if depth == 0:
            return token.end
    raise ValueError('no element starts at this byte')


def run_before(data: bytes, position: int, end: int) -> Run:
    """Return the run of text that ends at a byte; some markup starts at the position before."""
    for token in tokens(data, position):
        if token.start >= end:
            break
        if token.end > end:
            return Run(token.content, end, is_cdata=True)
        position = token.end
    return Run(position, end)


def _levels(token: Token) -> int:
    """Return by how many levels a token changes the depth."""
    return (token.kind == 'open') - (token.kind == 'close')
