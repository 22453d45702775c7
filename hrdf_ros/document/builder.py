# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Bytes to nodes: one pass of expat, with what is refused on the way."""

from __future__ import annotations

from codecs import lookup
from collections.abc import Callable, Mapping
import re
from typing import NoReturn, Optional
from xml.parsers import expat

from hrdf_ros.document.nodes import feed, Found, Node
from hrdf_ros.document.places import Document, Place, Source
from hrdf_ros.report import Report

_LONGEST_REFERENCE = len('&#x10ffff;')
_NO_ATTRIBUTES: Mapping[str, str] = {}
_DECLARED_ENCODING = re.compile(
    rb'^\s*<\?xml[^>]*?encoding\s*=\s*["\']([A-Za-z0-9._-]+)["\']')
_NO_CHARACTER_SETS = ('idna', 'punycode', 'raw-unicode-escape', 'undefined', 'unicode-escape')
"""Codecs of Python that no XML is written in; to read them can take a time without bound."""
_BYTE_ORDER_MARKS = ((b'\xef\xbb\xbf', 'utf-8'), (b'\xff\xfe', 'utf-16'), (b'\xfe\xff', 'utf-16'))


def root_element(source: Source) -> Optional[tuple[str, Mapping[str, str]]]:
    """Return the tag and attributes of the root element, None where the bytes have none."""
    parser = expat.ParserCreate(source.encoding)
    root: list[tuple[str, Mapping[str, str]]] = []

    def start(tag: str, attributes: Mapping[str, str]) -> None:
        root.append((tag, attributes))
        raise Found

    parser.StartElementHandler = start
    try:
        feed(parser, source.data)
    except (Found, expat.ExpatError, LookupError, ValueError):
        pass
    return root[0] if root else None


class _Refused(Exception):
    """Ends a parse; the finding is already made."""


def parse(
    source: Source, report: Report, *, reference: Optional[str] = None, ends_early: bool = False,
) -> Optional[Node]:
    """
    Return the root element, or None with the reason in the report.

    ``reference`` is what the format's reference implementation calls an unreadable file. With
    ``ends_early`` an end tag too many ends the document, as it does for tinyxml2.
    """
    data = _as_utf8(source, report, reference)
    if data is None:
        return None
    document = Document(source._replace(data=data))
    builder = _Builder(document, report, reference)
    try:
        builder.parser.Parse(data, True)
    except _Refused:
        return None
    except expat.ExpatError as error:
        start = max(builder.parser.ErrorByteIndex, 0)
        if not (ends_early and builder.at_end and data.startswith(b'</', start - 1)):
            report.error(
                'xml-syntax', f'not well-formed XML: {expat.ErrorString(error.code)}',
                Place(document, start), reference=reference)
            return None
        document.stray.append(Place(document, start - 1))
    # the parser and its handlers are a cycle: without the tree, so that it is freed at once
    root, builder.root = builder.root, None
    return root


def _as_utf8(source: Source, report: Report, reference: Optional[str]) -> Optional[bytes]:
    """Return the bytes in UTF-8 without a byte order mark, whatever the file is written in."""
    data = source.data
    encoding = source.encoding or _declared_encoding(data)
    for mark, name in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            encoding = name
            data = data[3:] if name == 'utf-8' else data
    try:
        if lookup(encoding).name in _NO_CHARACTER_SETS:
            raise LookupError('this is no character set')
        text = data.decode(encoding)
        return data if encoding.lower() in ('utf-8', 'utf8') else text.encode('utf-8')
    except (LookupError, UnicodeError) as error:
        document = Document(source)
        start = error.start if isinstance(error, UnicodeDecodeError) else 0
        report.error(
            'xml-encoding', f'the text cannot be read as {encoding}: {error}',
            Place(document, start), reference=reference)
        return None


def _declared_encoding(data: bytes) -> str:
    declared = _DECLARED_ENCODING.match(data[:200])
    return 'utf-8' if declared is None else declared.group(1).decode('ascii')


def _end_of_text(*_: object) -> None:
    """Do nothing: that there is a handler makes expat end the run of text here."""


class _Builder:
    """Receives expat's events and builds nodes."""

    def __init__(self, document: Document, report: Report, reference: Optional[str]) -> None:
        self.document = document
        self.report = report
        self.reference = reference
        self.root: Optional[Node] = None
        self.open: list[Node] = []
        self.declared_prefixes = {'xml', 'xmlns'}
        parser = self.parser = expat.ParserCreate('utf-8')
        parser.buffer_text = True
        # a text longer than the buffer would come in pieces, of which only the first is a value
        parser.buffer_size = max(len(document.data), parser.buffer_size)
        parser.ordered_attributes = True
        parser.EntityDeclHandler = self._entity
        self._connect()

    @property
    def at_end(self) -> bool:
        """Whether the root element has been read to its end."""
        return self.root is not None and not self.open

    def _connect(self) -> None:
        """Install the handlers."""
        parser, stack = self.parser, self.open

        def end(_: str) -> None:
            stack.pop()

        def instruction(*_: object) -> None:
            if stack:
                self.document.stray.append(Place(self.document, parser.CurrentByteIndex))

        parser.StartElementHandler = self._start_handler(stack)
        parser.EndElementHandler = end
        parser.CharacterDataHandler = self._text_handler(stack)
        parser.CommentHandler = _end_of_text
        parser.StartCdataSectionHandler = _end_of_text
        parser.EndCdataSectionHandler = _end_of_text
        parser.ProcessingInstructionHandler = instruction

    def _start_handler(self, stack: list[Node]) -> Callable[[str, list[str]], None]:
        """Return what begins a node, a closure because it runs once for every element."""
        parser, document = self.parser, self.document
        make = Node.__new__
        size, limits = document.size, document.limits

        def start(tag: str, attributes: list[str]) -> None:
            node = make(Node)
            node.document = document
            node.tag = tag
            node.children = []
            node.text = ''
            node.start = parser.CurrentByteIndex
            if attributes:
                node.attributes = dict(zip(attributes[::2], attributes[1::2]))
            else:
                node.attributes = _NO_ATTRIBUTES
            if stack:
                stack[-1].children.append(node)
            else:
                self.root = node
            stack.append(node)
            if ':' in tag or attributes:
                self._check_prefixes(node)
            size.items += 1 + len(node.attributes)
            if len(stack) > limits.element_depth or size.items > limits.elements:
                self._refuse_size(node, len(stack))

        return start

    def _text_handler(self, stack: list[Node]) -> Callable[[str], None]:
        """Return what keeps the text of a node."""
        def text(data: str) -> None:
            if data.isspace():
                return
            node = stack[-1]
            if not node.text and not node.children:
                node.text = data.lstrip()
            else:
                self._stray(data)

        return text

    def _stray(self, text: str) -> None:
        """Remember text that stands where no value is read."""
        end = self.parser.CurrentByteIndex
        nearby = max(0, end - _LONGEST_REFERENCE * len(text))
        start = self.document.data.rfind(text.split(None, 1)[0].encode(), nearby, end)
        self.document.stray.append(Place(self.document, start if start >= 0 else end))

    def _check_prefixes(self, node: Node) -> None:
        """Warn once about each prefix that no ``xmlns`` declares."""
        for name in node.attributes:
            if name.startswith('xmlns:'):
                self.declared_prefixes.add(name[6:])
        for name in (node.tag, *node.attributes):
            prefix = name.partition(':')[0] if ':' in name else 'xml'
            if prefix not in self.declared_prefixes:
                self.declared_prefixes.add(prefix)
                place = node.place if name == node.tag else node.at(name)
                self.report.warning(
                    'xml-undeclared-prefix',
                    f"the namespace prefix '{prefix}' is not declared", place,
                    hint=f'declare it on the root element: xmlns:{prefix}="..."')

    def _refuse_size(self, node: Node, depth: int) -> NoReturn:
        """Refuse a document that is deeper or larger than the bounds."""
        limits = self.document.limits
        if depth > limits.element_depth:
            self._refuse(
                'xml-too-deep', f'elements are nested deeper than {limits.element_depth}', node)
        self._refuse(
            'xml-too-many', f'there are more than {limits.elements} elements and attributes', node)

    def _entity(self, name: str, *_: object) -> None:
        """Refuse entity declarations: they are how small files become huge ones."""
        self._refuse('xml-entity', f"the entity '{name}' is declared; entities are refused", None)

    def _refuse(self, code: str, message: str, node: Optional[Node]) -> NoReturn:
        place = node.place if node else Place(self.document, self.parser.CurrentByteIndex)
        self.report.error(code, message, place, reference=self.reference)
        raise _Refused
