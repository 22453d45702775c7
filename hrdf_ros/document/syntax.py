# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What expat says about text that is not well-formed, in words that help to fix it."""

from __future__ import annotations

from collections.abc import Sequence
import re
from typing import NamedTuple, Optional
from xml.parsers import expat

from hrdf_ros.document.elements import XmlElement

_CODES = expat.errors.codes
_END_TAG = re.compile(rb'/?([^<>\s/]{1,80})')
_HINTS = {
    expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT:
        'a file has one root element; is an end tag too early or too many?',
    expat.errors.XML_ERROR_UNDEFINED_ENTITY:
        'only &amp; &lt; &gt; &quot; and &apos; are defined; write & as &amp;',
    expat.errors.XML_ERROR_UNCLOSED_TOKEN: 'a > or the end of a comment is missing',
    expat.errors.XML_ERROR_DUPLICATE_ATTRIBUTE: 'remove one of the two',
}


class Explanation(NamedTuple):
    """What is wrong with a text, and how to fix it."""

    message: str
    hint: Optional[str] = None


def explain(
    error: expat.ExpatError, data: bytes, start: int, open_elements: Sequence[XmlElement],
) -> Explanation:
    """Return what an error at a byte means, given the elements that are open there."""
    message = expat.ErrorString(error.code)
    innermost = open_elements[-1] if open_elements else None
    if innermost is not None and error.code == _CODES[expat.errors.XML_ERROR_TAG_MISMATCH]:
        found = _END_TAG.match(data, start)
        tag = '' if found is None else found[1].decode('utf-8', 'replace')
        return Explanation(
            f'mismatched tag: </{tag}> does not close <{innermost.tag}>, which is opened on line '
            f'{_line(innermost, data)}', _end_tag_hint(tag, open_elements))
    if innermost is not None and error.code == _CODES[expat.errors.XML_ERROR_NO_ELEMENTS]:
        return Explanation(
            f'{message}: the file ends inside of <{innermost.tag}>, which is opened on line '
            f'{_line(innermost, data)}', f'add </{innermost.tag}>')
    if error.code == _CODES[expat.errors.XML_ERROR_INVALID_TOKEN]:
        return Explanation(message, _token_hint(data, start))
    if innermost is None and not data.lstrip(b'\xef\xbb\xbf \t\r\n').startswith(b'<'):
        return Explanation(message, _NO_XML)
    return Explanation(message, _HINTS.get(message))


_ATTRIBUTES = 'attributes are written name="value", in two quotes and with a space before each'
_NO_XML = 'a robot description is XML, which begins with <'


def _end_tag_hint(tag: str, open_elements: Sequence[XmlElement]) -> str:
    """Return what to do about an end tag that does not close the innermost element."""
    innermost = open_elements[-1]
    if all(one.tag != tag for one in open_elements):
        return f'write </{innermost.tag}>'
    return f'add </{innermost.tag}> before it, or write <{innermost.tag} .../>'


def _token_hint(data: bytes, start: int) -> Optional[str]:
    """Return what is probably wrong where a character is not allowed."""
    if not data.lstrip(b'\xef\xbb\xbf \t\r\n').startswith(b'<'):
        return _NO_XML
    before = data[data.rfind(b'<', 0, start) + 1:start]
    character = data[start:start + 1]
    if before.count(b'"') % 2 and character == b'<':
        return 'a quote is missing before this <'
    if b'=' in before and before.rstrip().endswith(b'='):
        return 'the value of an attribute is in quotes: name="value"'
    if character in (b'"', b"'") or before.count(b'"') % 2 == 0 and before.endswith(b'"'):
        return _ATTRIBUTES
    if character == b'&' or before.rstrip().endswith(b'&'):
        return 'write & as &amp;'
    if character == b'<':
        return 'a > is missing before this <'
    return None


def _line(element: XmlElement, data: bytes) -> int:
    return data.count(b'\n', 0, element.start) + 1
