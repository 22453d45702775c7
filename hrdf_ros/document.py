# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
XML made safe and located.

One pass of expat turns the bytes into plain nodes that know the byte at which they start; lines
and columns are worked out from the bytes only when a finding is shown. Entity declarations are
refused, nothing external is ever opened, and the depth of elements is bounded. Names keep their
prefix as written: these formats use prefixes, not namespaces.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
import re
from typing import NamedTuple, NoReturn, Optional
from xml.parsers import expat

from hrdf_ros.report import Location, Report

MAX_DEPTH = 1000
_LONGEST_TAG = 1 << 16
_LONGEST_REFERENCE = len('&#x10ffff;')
_NO_ATTRIBUTES: Mapping[str, str] = {}
# These two must not look at a long name more than once: they run over what an attacker wrote.
_ATTRIBUTE = re.compile(r'\s([^\s=<>/"\']+)\s*=\s*("[^"]*"|\'[^\']*\')')
_START_TAG = re.compile(r'<[^\s/>]+(?=[\s/>])(?:[^"\'>]|"[^"]*"|\'[^\']*\')*>')
_START_TAG_BYTES = re.compile(rb'<(?:[^"\'>]|"[^"]*"|\'[^\']*\')*>')
_BEFORE_TEXT = re.compile(r'(?:\s|<!--.*?-->|<\?.*?\?>)*(?:<!\[CDATA\[\s*)?', re.DOTALL)
_SOURCE_CHARACTER = re.compile(r'&[^;&<]*;|\r\n|.', re.DOTALL)
_DECLARED_ENCODING = re.compile(
    rb'^\s*<\?xml[^>]*?encoding\s*=\s*["\']([A-Za-z0-9._-]+)["\']')
_BYTE_ORDER_MARKS = ((b'\xef\xbb\xbf', 'utf-8'), (b'\xff\xfe', 'utf-16'), (b'\xfe\xff', 'utf-16'))


class Source(NamedTuple):
    """A file's name and bytes, and the place of the include element that asked for it."""

    file: str
    data: bytes
    included_from: Optional[Place] = None


class Document:
    """The text of one file, which turns places in it into locations."""

    __slots__ = ('file', 'data', 'included_from', 'stray', '_line_ends')

    def __init__(self, source: Source) -> None:
        self.file = source.file
        self.data = source.data
        self.included_from = source.included_from
        self._line_ends: list[int] = []
        self.stray: list[Place] = []
        """Text that stands beside child elements, and processing instructions in the root."""

    def location(self, start: int) -> Location:
        """Return the point of a byte offset, with the include elements that led to the file."""
        return self.point(start)._replace(included_from=self.chain)

    def point(self, start: int) -> Location:
        """Return the line and column of a byte offset; code points are counted, a tab is one."""
        line = self.line(start)
        column = len(self.data[self._line_start(line - 1):start].decode('utf-8', 'replace'))
        return Location(self.file, line, column + 1)

    def line(self, start: int) -> int:
        """Return the line of a byte offset, which costs less than the column."""
        return bisect_left(self._ends(), start) + 1

    def _ends(self) -> list[int]:
        """Return where the lines end; worked out only when a finding is shown."""
        if not self._line_ends:
            self._line_ends = [found.start() for found in re.finditer(b'\n', self.data)]
            self._line_ends.append(len(self.data))
        return self._line_ends

    def _line_start(self, line: int) -> int:
        """Return where a line starts, the first being 0."""
        return self._ends()[line - 1] + 1 if line else 0

    @property
    def chain(self) -> tuple[Location, ...]:
        """The include elements that led to this file, the innermost first."""
        chain = []
        place = self.included_from
        while place is not None:
            chain.append(place.document.point(place.start))
            place = place.document.included_from
        return tuple(chain)

    def source_line(self, line: int) -> str:
        """Return a line of the text as it stands in the file, the first being 1."""
        text = self.data[self._line_start(line - 1):self._ends()[line - 1]]
        return text.decode('utf-8', 'replace').rstrip('\r')


class Place(NamedTuple):
    """
    A point in a document, resolved to a Location only when somebody asks.

    Without ``part`` it is the element (its ``<``), with an attribute's name that attribute, with
    the empty string the element's text; ``character`` is the faulty one of the value.
    """

    document: Document
    start: int
    part: Optional[str] = None
    character: Optional[int] = None

    def location(self) -> Location:
        """Return the point in the file."""
        return self.document.location(self.start + self._offset())

    def _offset(self) -> int:
        """Return how many bytes behind the element's ``<`` the point is."""
        if self.part is None:
            return 0
        text = self.document.data[self.start:self.start + _LONGEST_TAG].decode('utf-8', 'replace')
        tag = _START_TAG.match(text)
        if tag is None:
            return 0
        if self.part == '':
            before = _BEFORE_TEXT.match(text, tag.end())
            start = before.end() if before is not None else tag.end()
            return _value_offset(text, start, self.character or 0)
        for attribute in _ATTRIBUTE.finditer(tag.group()):
            if attribute.group(1) == self.part:
                if self.character is None:
                    return len(text[:attribute.start(1)].encode())
                return _value_offset(text, attribute.start(2) + 1, self.character)
        return 0


def _value_offset(text: str, start: int, index: int) -> int:
    """Return the byte offset of the index-th character of a value whose source begins at start."""
    position = start
    for _ in range(index):
        character = _SOURCE_CHARACTER.match(text, position)
        if character is None:
            break
        position = character.end()
    return len(text[:position].encode())


class Node:
    """
    An element: its tag and attributes as written, its child elements, its text.

    ``text`` is the first run of text that is not blank and stands before any child element
    (comments are passed over, and end the run), untrimmed on the right and trimmed on the left.
    """

    __slots__ = ('document', 'tag', 'attributes', 'children', 'text', 'start')

    document: Document
    tag: str
    attributes: Mapping[str, str]
    children: list[Node]
    text: str
    start: int

    @property
    def place(self) -> Place:
        """The place of the element."""
        return Place(self.document, self.start)

    def at(self, attribute: str, character: Optional[int] = None) -> Place:
        """Return the place of an attribute's name, or of a character of its value."""
        return Place(self.document, self.start, attribute, character)

    def at_text(self, character: int = 0) -> Place:
        """Return the place of a character of the text."""
        return Place(self.document, self.start, '', character)

    def get(self, attribute: str) -> Optional[str]:
        """Return the value of an attribute, None where it is absent."""
        return self.attributes.get(attribute)

    def child(self, tag: str) -> Optional[Node]:
        """Return the first child element with this tag."""
        for child in self.children:
            if child.tag == tag:
                return child
        return None

    def all(self, tag: str) -> list[Node]:
        """Return the child elements with this tag."""
        return [child for child in self.children if child.tag == tag]

    def walk(self) -> Iterator[Node]:
        """Yield the element and everything below it, in document order."""
        pending = [self]
        while pending:
            node = pending.pop()
            yield node
            pending.extend(reversed(node.children))

    def raw(self) -> str:
        """Return the element as it stands in the file, to the byte."""
        data = self.document.data
        end = _end_of_element(data[self.start:])
        return data[self.start:self.start + end].decode('utf-8')


class _Found(Exception):
    """Ends a parse that has seen enough."""


def root_element(data: bytes) -> Optional[tuple[str, Mapping[str, str]]]:
    """Return the tag and attributes of the root element, None where the bytes have none."""
    parser = expat.ParserCreate()
    root: list[tuple[str, Mapping[str, str]]] = []

    def start(tag: str, attributes: Mapping[str, str]) -> None:
        root.append((tag, attributes))
        raise _Found

    parser.StartElementHandler = start
    try:
        parser.Parse(data, True)
    except (_Found, expat.ExpatError, LookupError, ValueError):
        pass
    return root[0] if root else None


class _Refused(Exception):
    """Ends a parse; the finding is already made."""


def parse(source: Source, report: Report, *, reference: Optional[str] = None) -> Optional[Node]:
    """
    Return the root element, or None with the reason in the report.

    ``reference`` is what the format's reference implementation calls an unreadable file.
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
        message = expat.ErrorString(error.code)
        start = builder.parser.ErrorByteIndex
        report.error(
            'xml-syntax', f'not well-formed XML: {message}', Place(document, max(start, 0)),
            reference=reference)
        return None
    return builder.root


def _as_utf8(source: Source, report: Report, reference: Optional[str]) -> Optional[bytes]:
    """Return the bytes in UTF-8 without a byte order mark, whatever the file is written in."""
    data = source.data
    encoding = 'utf-8'
    declared = _DECLARED_ENCODING.match(data[:200])
    if declared is not None:
        encoding = declared.group(1).decode('ascii')
    for mark, name in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            encoding = name
            data = data[3:] if name == 'utf-8' else data
    try:
        text = data.decode(encoding)
        return data if encoding.lower() in ('utf-8', 'utf8') else text.encode('utf-8')
    except (LookupError, UnicodeError) as error:
        document = Document(source)
        start = error.start if isinstance(error, UnicodeDecodeError) else 0
        report.error(
            'xml-encoding', f'the text cannot be read as {encoding}: {error}',
            Place(document, start), reference=reference)
        return None


class _Builder:
    """Receives expat's events and builds nodes."""

    def __init__(self, document: Document, report: Report, reference: Optional[str]) -> None:
        self.document = document
        self.report = report
        self.reference = reference
        self.root: Optional[Node] = None
        self.declared_prefixes = {'xml', 'xmlns'}
        parser = self.parser = expat.ParserCreate('utf-8')
        parser.buffer_text = True
        parser.ordered_attributes = True
        parser.EntityDeclHandler = self._entity
        self._connect()

    def _connect(self) -> None:
        """Install the handlers, as closures because they run once for every element."""
        parser, document = self.parser, self.document
        stack: list[Node] = []
        make = Node.__new__

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
            if len(stack) > MAX_DEPTH:
                self._refuse('xml-too-deep', f'elements are nested deeper than {MAX_DEPTH}', node)

        def end(_: str) -> None:
            stack.pop()

        def text(data: str) -> None:
            if data.isspace():
                return
            node = stack[-1]
            if not node.text and not node.children:
                node.text = data.lstrip()
            else:
                self._stray(data)

        def ignore(*_: object) -> None:
            """Make expat end the run of text here."""

        def instruction(*_: object) -> None:
            if stack:
                document.stray.append(Place(document, parser.CurrentByteIndex))

        parser.StartElementHandler = start
        parser.EndElementHandler = end
        parser.CharacterDataHandler = text
        parser.CommentHandler = ignore
        parser.StartCdataSectionHandler = ignore
        parser.EndCdataSectionHandler = ignore
        parser.ProcessingInstructionHandler = instruction

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

    def _entity(self, name: str, *_: object) -> None:
        """Refuse entity declarations: they are how small files become huge ones."""
        self._refuse('xml-entity', f"the entity '{name}' is declared; entities are refused", None)

    def _refuse(self, code: str, message: str, node: Optional[Node]) -> NoReturn:
        place = node.place if node else Place(self.document, self.parser.CurrentByteIndex)
        self.report.error(code, message, place, reference=self.reference)
        raise _Refused


def _end_of_element(data: bytes) -> int:
    """Return the length of the element with which the bytes begin."""
    tag = _START_TAG_BYTES.match(data)
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
            raise _Found

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    try:
        parser.Parse(data, True)
    except _Found:
        return data.index(b'>', index) + 1
    raise ValueError('the bytes do not begin with an element')
