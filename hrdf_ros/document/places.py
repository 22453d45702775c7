# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Places in the bytes of a well-formed document: attributes, texts, child elements.

The bytes are UTF-8, and an attacker may have written them: everything here takes linear time.
"""

from collections.abc import Iterator
import re
from typing import NamedTuple, Optional

from hrdf_ros.document.tokenizer import attributes, plain, Token, tokens

_CONTINUATION = bytes(range(0x80, 0xc0))
_CODE_POINT_BYTES = 4
_REFERENCE_BYTES = 32
_CDATA_END = len(']]>')
_NOT_BLANK = rb'[^ \t\r\n]|\Z'
_LONGER_IN_SOURCE = rb'&[^;&<]*;|\r\n'
_LINE_END = rb'\r\n'


class Run(NamedTuple):
    """A run of characters between two bytes: an attribute's value, or text up to some markup."""

    start: int
    end: int
    is_cdata: bool = False

    def text(self, data: bytes) -> str:
        """Return the characters, with references replaced."""
        written = data[self.start:self.end].decode('utf-8', 'replace')
        return written if self.is_cdata else plain(written)

    def character(self, data: bytes, index: int) -> int:
        """Return the byte at which the index-th character starts, a reference being one."""
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
        """Return the byte of the first character that is not white space, the end if all is."""
        position = _first_not_blank(data, self.start, self.end)
        while position < self.end:
            width = _width_of_blank(data, position, self)
            if width == 0:
                break
            position = _first_not_blank(data, position + width, self.end)
        return position


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
    """Return how many code points start in some bytes of UTF-8."""
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
    """Return how much deeper the text after a token is."""
    return (token.kind == 'open') - (token.kind == 'close')


def _first_not_blank(data: bytes, position: int, end: int) -> int:
    found = re.compile(_NOT_BLANK).search(data, position, end)
    return end if found is None else found.start()


def _width_of_blank(data: bytes, position: int, run: Run) -> int:
    """Return how many bytes a character of white space takes, 0 if it is not one."""
    if data[position] == ord('&') and not run.is_cdata:
        end = data.find(b';', position, min(position + _REFERENCE_BYTES, run.end)) + 1
        return end - position if plain(data[position:end].decode()).isspace() else 0
    ahead = data[position:min(position + _CODE_POINT_BYTES, run.end)]
    character = ahead.decode('utf-8', 'ignore')[:1]
    return len(character.encode()) if character.isspace() else 0
