# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The part of ``lxml.etree`` that a check uses, by expat: Pyodide on npm comes without lxml.

It reads ``model.config``, ``package.xml`` and COLLADA.
"""

from collections.abc import Iterator
from typing import Any, Optional
from xml.etree import ElementTree
from xml.parsers import expat


class XMLSyntaxError(Exception):
    """A text is not well-formed XML; ``position`` is its line and column, from 1."""

    def __init__(self, error: expat.ExpatError) -> None:
        self.msg = expat.ErrorString(error.code)
        self.position = error.lineno, error.offset + 1
        super().__init__(self.msg)


class XMLParser:
    """Takes the options of lxml's parser, which are the only behavior of this one."""

    def __init__(self, **options: object) -> None:
        self.options = options


class Element(ElementTree.Element):
    """An element that knows its line, and whose ``iter`` takes a name with any namespace."""

    sourceline: int

    def iter(self, tag: Optional[str] = None) -> Iterator[Any]:  # noqa: A003
        """Yield the element and all below it that have a name, such as ``{*}unit``."""
        local = (tag or '').rpartition('}')[2]
        if not (tag or '').startswith('{*}'):
            return super().iter(tag)
        return (one for one in super().iter() if one.tag.rpartition('}')[2] == local)


def fromstring(text: bytes, parser: XMLParser) -> Element:
    """Return the root element of a text; raise XMLSyntaxError if it is not well-formed."""
    reader = expat.ParserCreate('utf-8', '}')
    reader.buffer_text = True
    builder = ElementTree.TreeBuilder(element_factory=Element)

    def start(name: str, attributes: dict[str, str]) -> None:
        names = {_qualified(key): value for key, value in attributes.items()}
        element = builder.start(_qualified(name), names)
        assert isinstance(element, Element)
        element.sourceline = reader.CurrentLineNumber

    reader.StartElementHandler = start
    reader.EndElementHandler = lambda name: builder.end(_qualified(name))
    reader.CharacterDataHandler = builder.data
    try:
        reader.Parse(text, True)
    except expat.ExpatError as error:
        raise XMLSyntaxError(error) from error
    root = builder.close()
    assert isinstance(root, Element)
    return root


def _qualified(name: str) -> str:
    """Return a name of expat, ``namespace}name``, as lxml writes it."""
    return f'{{{name}' if '}' in name else name
