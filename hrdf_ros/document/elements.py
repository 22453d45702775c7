# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Elements as plain nodes, and where they are in the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Optional, TYPE_CHECKING

from hrdf_ros.document.places import end_of_element
from hrdf_ros.document.source import Document, SourceRef

if TYPE_CHECKING:
    from typing_extensions import Self

_BREAKS = (b'\t', b'\r', b'\n')
_QUOTES = (b'"', b"'")


class XmlElement:
    """
    An element: its tag and attributes as written, its child elements, its text.

    ``text`` is the first run of text that is not blank and comes before any child element
    (comments are ignored, and end the run), untrimmed on the right and trimmed on the left.
    ``value`` holds the value that a reader parses from it, None at first.
    """

    __slots__ = ('document', 'tag', 'attributes', 'children', 'text', 'start', 'value')

    def __init__(
        self, document: Document, tag: str, attributes: Mapping[str, str], start: int,
    ) -> None:
        self.document = document
        self.tag = tag
        self.attributes = attributes
        self.children: list[Self] = []
        self.text = ''
        self.start = start
        self.value: Any = None

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

    def value_location(self, path: str) -> SourceRef:
        """Return the place of a value below the element by its path, see ``ValuePaths``."""
        return SourceRef(self.document, self.start, paths=(path,))

    def get(self, attribute: str) -> Optional[str]:
        """Return the value of an attribute, None where it is absent."""
        return self.attributes.get(attribute)

    def written(self, attribute: str) -> str:
        """Return the value of an attribute with the tabs and line breaks that are in the file."""
        value = self.attributes[attribute]
        data = self.document.data
        tag_end = data.find(b'>', self.start)
        if data.find(f'{attribute}="{value}"'.encode(), self.start, tag_end) >= 0:
            return value
        start = self.attribute_location(attribute, 0).offset()
        if data[start - 1:start] not in _QUOTES:
            return value
        source = data[start:data.index(data[start - 1:start], start)]
        return source.decode() if any(one in source for one in _BREAKS) else value

    def child(self, tag: str) -> Optional[Self]:
        """Return the first child element with this tag."""
        for child in self.children:
            if child.tag == tag:
                return child
        return None

    def all(self, tag: str) -> list[Self]:  # noqa: A003
        """Return the child elements with this tag."""
        return [child for child in self.children if child.tag == tag]

    def walk(self) -> Iterator[Self]:
        """Yield the element and everything below it, in document order."""
        pending = [self]
        while pending:
            node = pending.pop()
            yield node
            pending.extend(reversed(node.children))

    def raw(self) -> str:
        """Return the element as it is in the file, to the byte where that is well-formed."""
        data = self.document.well_formed
        return data[self.start:end_of_element(data, self.start)].decode('utf-8')
