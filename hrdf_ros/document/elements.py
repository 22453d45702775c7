# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Elements as plain nodes, and how they stand in the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
import re
from typing import Any, Optional
from xml.parsers import expat

from hrdf_ros.document.source import Document, SourceRef

_CHUNK = 1 << 12
_START_TAG_BYTES = re.compile(rb'<(?:[^"\'>]|"[^"]*"|\'[^\']*\')*>')


class XmlElement:
    """
    An element: its tag and attributes as written, its child elements, its text.

    ``text`` is the first run of text that is not blank and stands before any child element
    (comments are passed over, and end the run), untrimmed on the right and trimmed on the left.
    ``value`` is free for what a reader's grammar finds in it, None at first.
    """

    __slots__ = ('document', 'tag', 'attributes', 'children', 'text', 'start', 'value')

    document: Document
    tag: str
    attributes: Mapping[str, str]
    children: list[XmlElement]
    text: str
    start: int
    value: Any

    @property
    def location(self) -> SourceRef:
        """The place of the element."""
        return SourceRef(self.document, self.start)

    def attribute_location(self, attribute: str, character: Optional[int] = None) -> SourceRef:
        """Return the place of an attribute's name, or of a character of its value."""
        return SourceRef(self.document, self.start, attribute, character)

    def text_location(self, character: int = 0) -> SourceRef:
        """Return the place of a character of the text."""
        return SourceRef(self.document, self.start, '', character)

    def get(self, attribute: str) -> Optional[str]:
        """Return the value of an attribute, None where it is absent."""
        return self.attributes.get(attribute)

    def child(self, tag: str) -> Optional[XmlElement]:
        """Return the first child element with this tag."""
        for child in self.children:
            if child.tag == tag:
                return child
        return None

    def all(self, tag: str) -> list[XmlElement]:  # noqa: A003
        """Return the child elements with this tag."""
        return [child for child in self.children if child.tag == tag]

    def walk(self) -> Iterator[XmlElement]:
        """Yield the element and everything below it, in document order."""
        pending = [self]
        while pending:
            node = pending.pop()
            yield node
            pending.extend(reversed(node.children))

    def raw(self) -> str:
        """Return the element as it stands in the file, to the byte."""
        data = self.document.data
        return data[self.start:_end_of_element(data, self.start)].decode('utf-8')


class Found(Exception):
    """Ends a parse that has seen enough."""


def feed(parser: expat.XMLParserType, data: bytes, start: int = 0) -> None:
    """
    Let a parser read bytes until a handler raises.

    It gets them bit by bit because expat reads to the end of what it has before it raises. The
    bits grow: expat reads a tag that is not complete again with each one.
    """
    size = _CHUNK
    while start < len(data):
        parser.Parse(data[start:start + size], False)
        start += size
        size *= 2
    parser.Parse(b'', True)


def _end_of_element(data: bytes, begin: int) -> int:
    """Return the end of the element that begins at a byte."""
    tag = _START_TAG_BYTES.match(data, begin)
    if tag is not None and tag.group().endswith(b'/>'):
        return tag.end()
    parser = expat.ParserCreate('utf-8')
    depth = index = 0

    def start(*_: object) -> None:
        nonlocal depth
        depth += 1

    def end(*_: object) -> None:
        nonlocal depth, index
        depth -= 1
        if depth == 0:
            # asked here, because expat reads on behind an exception
            index = parser.CurrentByteIndex
            raise Found

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    try:
        feed(parser, data, begin)
    except Found:
        return data.index(b'>', begin + index) + 1
    raise ValueError('the bytes do not begin with an element')
