# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Places in the bytes of a document: tags, attributes, texts, child elements.

The bytes are UTF-8 and were read before, so they are well-formed. Everything here runs over what
an attacker wrote: no pattern looks at a byte more than a fixed number of times. Patterns are
compiled when they are first used, which takes a location: most documents need none.
"""

from collections.abc import Iterator
import re
import sys
from typing import NamedTuple, Optional

_CONTINUATION = bytes(range(0x80, 0xc0))
_LONGEST_CODE_POINT = 4
_CDATA = len('<![CDATA[')
_TOKEN = (
    rb'(?s)<(?:(?P<open>[^\s/>!?]+)(?:\s+[^\s=]+\s*=\s*(?:"[^"]*"|\'[^\']*\'))*\s*(?P<empty>/)?'
    rb'|(?P<close>/)[^>]*|!--.*?--|(?P<cdata>!\[CDATA\[).*?\]\]|\?.*?\?)>')
_TAG = rb'<[^\s/>]+'
_ATTRIBUTE = rb'\s+([^\s=/>]+)\s*=\s*(?:"[^"]*"|\'[^\']*\')'
_VALUE = rb'[^\s=/>]+\s*=\s*("[^"]*"|\'[^\']*\')'
_TAG_END = rb'\s*(/?)>'
_BLANKS = rb'[ \t\r\n]*'
_CHARACTER = r'(?s)&#(?:x(?P<hex>[0-9a-fA-F]+)|(?P<decimal>[0-9]+));|(?P<plain>.)'
_REFERENCE = '&(?:(amp|lt|gt|quot|apos)|#x([0-9a-fA-F]{1,8})|#([0-9]{1,9}));'
_NAMED = {'amp': '&', 'lt': '<', 'gt': '>', 'quot': '"', 'apos': "'"}
_LONGER_IN_SOURCE = rb'&[^;&<]*;|\r\n'
_LINE_END = rb'\r\n'


class Run(NamedTuple):
    """A run of characters between two bytes: an attribute's value, or text up to some markup."""

    start: int
    end: int
    is_cdata: bool = False

    def text(self, data: bytes) -> str:
        """Return the run as it is written."""
        return data[self.start:self.end].decode('utf-8', 'replace')

    def character(self, data: bytes, index: int) -> int:
        """Return the byte at which the index-th character starts, a reference being one."""
        position, longer = self.start, _LINE_END if self.is_cdata else _LONGER_IN_SOURCE
        for source in re.compile(longer).finditer(data, self.start, self.end):
            plain = count_code_points(data[position:source.start()])
            if index <= plain:
                break
            index -= plain + 1
            position = source.end()
        ahead = data[position:min(position + _LONGEST_CODE_POINT * index, self.end)]
        return position + len(ahead.decode('utf-8', 'ignore')[:index].encode())

    def first_not_blank(self, data: bytes) -> int:
        """Return the byte of the first character that is not white space, the end if all is."""
        position = _end_of_blanks(data, self.start, self.end)
        while position < self.end and (data[position] >= 0x80 or data[position] == ord('&')):
            width = _width_of_blank(data, position, self.end, self.is_cdata)
            if width == 0:
                break
            position = _end_of_blanks(data, position + width, self.end)
        return position


class StartTag(NamedTuple):
    """
    A start tag: its name, where it starts and ends, whether the element has no content.

    ``attributes`` has the byte of each attribute's name.
    """

    start: int
    end: int
    attributes: dict[bytes, int]
    is_empty: bool
    tag: bytes

    @property
    def name_end(self) -> int:
        """The byte after its name."""
        return self.start + 1 + len(self.tag)


def count_code_points(data: bytes) -> int:
    """Return how many code points start in some bytes of UTF-8."""
    return len(data.translate(None, _CONTINUATION))


def root_start(data: bytes) -> int:
    """Return the byte at which the root element starts."""
    return next(token.start() for token in re.compile(_TOKEN).finditer(data) if token['open'])


def scan_start_tag(data: bytes, start: int) -> Optional[StartTag]:
    """Return the start tag at a byte, None where there is none."""
    tag = re.compile(_TAG).match(data, start)
    if tag is None:
        return None
    attributes: dict[bytes, int] = {}
    position, attribute = tag.end(), re.compile(_ATTRIBUTE)
    found = attribute.match(data, position)
    while found is not None:
        attributes[found[1]] = found.start(1)
        position = found.end()
        found = attribute.match(data, position)
    end = re.compile(_TAG_END).match(data, position)
    return None if end is None else StartTag(
        start, end.end(), attributes, end[1] == b'/', tag[0][1:])


def plain(text: str) -> str:
    """Return a text with the characters that its references mean; others stay as they are."""
    return re.sub(_REFERENCE, _meant, text) if '&' in text else text


def _meant(reference: re.Match[str]) -> str:
    name, hexadecimal, decimal = reference.groups()
    if name:
        return _NAMED[name]
    number = int(hexadecimal, 16) if hexadecimal else int(decimal)
    return chr(number) if number <= sys.maxunicode else reference[0]


def attribute_value(data: bytes, start: int) -> Run:
    """Return the value, without the quotes, of the attribute whose name starts at a byte."""
    found = re.compile(_VALUE).match(data, start)
    return Run(start, start) if found is None else Run(found.start(1) + 1, found.end(1) - 1)


def find_text(data: bytes, tag: StartTag) -> Optional[Run]:
    """Return the first run of text that is not blank and comes before any child element."""
    position = tag.end
    for token in () if tag.is_empty else re.compile(_TOKEN).finditer(data, position):
        run = Run(position, token.start())
        if token['cdata'] and run.first_not_blank(data) == run.end:
            run = Run(token.start() + _CDATA, token.end() - len(']]>'), is_cdata=True)
        start = run.first_not_blank(data)
        if start < run.end:
            return run._replace(start=start)
        if token['open'] or token['close']:
            break
        position = token.end()
    return None


def child_starts(data: bytes, tag: StartTag) -> Iterator[tuple[bytes, int]]:
    """Yield the tag of each child element and the byte at which it starts."""
    depth = 0
    for token in () if tag.is_empty else re.compile(_TOKEN).finditer(data, tag.end):
        if token['open']:
            if depth == 0:
                yield token['open'], token.start()
            depth += not token['empty']
        elif token['close']:
            depth -= 1
            if depth < 0:
                break


def end_of_element(data: bytes, start: int) -> int:
    """Return the byte after the element that starts at a byte."""
    depth = 0
    for token in re.compile(_TOKEN).finditer(data, start):
        if token['open']:
            depth += not token['empty']
        elif token['close']:
            depth -= 1
        if depth == 0:
            return token.end()
    raise ValueError('no element starts at this byte')


def run_before(data: bytes, position: int, end: int) -> Run:
    """Return the run of text that ends at a byte; some markup starts at the position before."""
    for token in re.compile(_TOKEN).finditer(data, position):
        if token.start() >= end:
            break
        if token.end() > end:
            return Run(token.start() + _CDATA, end, is_cdata=True)
        position = token.end()
    return Run(position, end)


def _end_of_blanks(data: bytes, position: int, end: int) -> int:
    blanks = re.compile(_BLANKS).match(data, position, end)
    return position if blanks is None else blanks.end()


def _width_of_blank(data: bytes, position: int, end: int, is_cdata: bool) -> int:
    """Return how many bytes a character of white space takes, 0 if it is not one."""
    semicolon = data.find(b';', position, min(position + 32, end))
    last = semicolon + 1 if data[position] == ord('&') and semicolon >= 0 else position + 4
    text = data[position:min(last, end)].decode('utf-8', 'ignore')
    found = re.compile(_CHARACTER).match(text)
    if found is None or is_cdata and not found['plain']:
        return 0
    return len(found[0].encode()) if _character(found).isspace() else 0


def _character(found: re.Match[str]) -> str:
    """Return the character that a reference means, or the character itself."""
    if found['plain']:
        return found['plain']
    return chr(int(found['hex'], 16) if found['hex'] else int(found['decimal']))
