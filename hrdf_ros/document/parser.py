# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Bytes to nodes: one pass of expat, with what is refused on the way."""

from __future__ import annotations

from codecs import lookup
from collections.abc import Mapping
import re
from typing import Any, NoReturn, Optional, overload, TypeVar
from xml.parsers import expat

from hrdf_ros import codes
from hrdf_ros.codes import Code
from hrdf_ros.diagnostics import Report
from hrdf_ros.document.elements import XmlElement
from hrdf_ros.document.scanner import run_before
from hrdf_ros.document.source import Document, NO_PATHS, SourceFile, SourceRef, ValuePaths

Element = TypeVar('Element', bound=XmlElement)

_CHUNK = 1 << 12
_NO_ATTRIBUTES: Mapping[str, str] = {}
_DECLARED_ENCODING = re.compile(
    rb'^\s*<\?xml[^>]*?encoding\s*=\s*["\']([A-Za-z0-9._-]+)["\']')
_NO_CHARACTER_SETS = ('idna', 'punycode', 'raw-unicode-escape', 'undefined', 'unicode-escape')
"""Codecs of Python that no XML is written in; to read them can take a time without bound."""
_BYTE_ORDER_MARKS = ((b'\xef\xbb\xbf', 'utf-8'), (b'\xff\xfe', 'utf-16'), (b'\xfe\xff', 'utf-16'))


class _Found(Exception):
    """Ends a parse that has seen enough."""


def root_element(source: SourceFile) -> Optional[tuple[str, Mapping[str, str]]]:
    """Return the tag and attributes of the root element, None where the bytes have none."""
    parser = expat.ParserCreate(source.encoding)
    root: list[tuple[str, Mapping[str, str]]] = []

    def start(tag: str, attributes: Mapping[str, str]) -> None:
        root.append((tag, attributes))
        raise _Found

    parser.StartElementHandler = start
    try:
        _feed(parser, source.data)
    except (_Found, expat.ExpatError, LookupError, ValueError):
        pass
    return root[0] if root else None


def _feed(parser: expat.XMLParserType, data: bytes) -> None:
    """
    Let a parser read bytes until a handler raises.

    It gets them bit by bit because expat reads to the end of what it has before it raises. The
    bits grow: expat reads a tag that is not complete again with each one.
    """
    start, size = 0, _CHUNK
    while start < len(data):
        parser.Parse(data[start:start + size], False)
        start += size
        size *= 2
    parser.Parse(b'', True)


class _Refused(Exception):
    """Ends a parse; the finding is already made."""


@overload
def parse(
    source: SourceFile, report: Report, *, value_paths: ValuePaths = NO_PATHS,
    reference: Optional[str] = None, ends_early: bool = False,
) -> Optional[XmlElement]: ...


@overload
def parse(
    source: SourceFile, report: Report, element: type[Element], *,
    value_paths: ValuePaths = NO_PATHS, reference: Optional[str] = None, ends_early: bool = False,
) -> Optional[Element]: ...


def parse(
    source: SourceFile, report: Report, element: type[Any] = XmlElement, *,
    value_paths: ValuePaths = NO_PATHS, reference: Optional[str] = None, ends_early: bool = False,
) -> Any:
    """
    Return the root element, or None with the reason in the report.

    ``element`` is the class of the elements. ``value_paths`` say where the format writes the
    Model's values (``SourceRef.of``). ``reference`` is what the format's reference implementation
    calls an unreadable file. With ``ends_early`` an end tag too many ends the document, as it
    does for tinyxml2.
    """
    data = _as_utf8(source, report, reference)
    if data is None:
        return None
    document = Document(source._replace(data=data), value_paths)
    builder = _Builder(document, report, reference, element)
    try:
        builder.parser.Parse(data, True)
    except _Refused:
        return None
    except expat.ExpatError as error:
        start = max(builder.parser.ErrorByteIndex, 0)
        if not (ends_early and builder.at_end and data.startswith(b'</', start - 1)):
            report.add(
                codes.XML_SYNTAX, f'not well-formed XML: {expat.ErrorString(error.code)}',
                SourceRef(document, start), reference=reference)
            return None
        document.stray.append(SourceRef(document, start - 1))
    builder.check_prefixes()
    return builder.tops.pop()  # its handlers are a cycle: without the tree, that is freed at once


def _as_utf8(source: SourceFile, report: Report, reference: Optional[str]) -> Optional[bytes]:
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
    except UnicodeDecodeError as error:
        before = len(_readable(data[:error.start], encoding))
        location = SourceRef(Document(source._replace(data=_readable(data, encoding))), before)
        reason: Exception = error
    except (LookupError, UnicodeError) as error:
        location, reason = SourceRef(Document(source), 0), error
    report.add(
        codes.XML_ENCODING, f'the text cannot be read as {encoding}: {reason}', location,
        reference=reference)
    return None


def _readable(data: bytes, encoding: str) -> bytes:
    """Return in UTF-8 what can be read of a text, a mark for the rest."""
    return data.decode(encoding, 'replace').encode('utf-8')


def _declared_encoding(data: bytes) -> str:
    declared = _DECLARED_ENCODING.match(data[:200])
    return 'utf-8' if declared is None else declared.group(1).decode('ascii')


def _end_of_text(*_: object) -> None:
    """Do nothing: that there is a handler makes expat end the run of text here."""


class _Builder:
    """Receives expat's events and builds nodes."""

    def __init__(
        self, document: Document, report: Report, reference: Optional[str],
        element: type[XmlElement],
    ) -> None:
        self.document = document
        self.report = report
        self.reference = reference
        self.element = element
        self.tops: list[XmlElement] = []
        self.open = [self.tops]
        self.seen = 0
        parser = self.parser = expat.ParserCreate('utf-8')
        parser.buffer_text = True
        # a text longer than the buffer would come in pieces, of which only the first is a value
        parser.buffer_size = max(len(document.data), parser.buffer_size)
        parser.EntityDeclHandler = self._entity
        self._connect()

    @property
    def at_end(self) -> bool:
        """Whether the root element has been read to its end."""
        return bool(self.tops) and len(self.open) == 1

    def _connect(self) -> None:
        """Install the handlers: closures, because they run once for every element."""
        parser, document, element = self.parser, self.document, self.element
        make = element.__new__
        size, stack = document.size, self.open
        most_items, most_open = document.limits.elements, document.limits.element_depth + 1
        fresh: Optional[XmlElement] = (
            None  # the element in which nothing but white space was so far
        )

        def start(tag: str, attributes: dict[str, str]) -> None:
            nonlocal fresh
            node = fresh = make(element)
            node.document = document
            node.tag = tag
            node.attributes = attributes or _NO_ATTRIBUTES
            node.text = ''
            node.start = parser.CurrentByteIndex
            node.value = None
            stack[-1].append(node)
            stack.append([])
            node.children = stack[-1]
            size.items += 1 + len(attributes)
            if size.items > most_items or len(stack) > most_open:
                self._refuse_size(node)

        def end(_: str) -> None:
            nonlocal fresh
            fresh = None
            stack.pop()

        def text(data: str) -> None:
            nonlocal fresh
            if data.isspace():
                return
            if fresh is None:
                self._stray()
            else:
                fresh.text = data.lstrip()
                fresh = None

        def instruction(*_: object) -> None:
            if len(stack) > 1:
                document.stray.append(SourceRef(document, parser.CurrentByteIndex))

        parser.StartElementHandler = start
        parser.EndElementHandler = end
        parser.CharacterDataHandler = text
        parser.CommentHandler = _end_of_text
        parser.StartCdataSectionHandler = _end_of_text
        parser.EndCdataSectionHandler = _end_of_text
        parser.ProcessingInstructionHandler = instruction

    def _stray(self) -> None:
        """Remember text that no value is read from; it ends where the parser is."""
        data = self.document.data
        siblings = self.open[-1] or self.open[-2]
        run = run_before(
            data, max(siblings[-1].start, self.seen), self.parser.CurrentByteIndex)
        self.seen = run.end
        self.document.stray.append(SourceRef(self.document, run.first_not_blank(data)))

    def check_prefixes(self) -> None:
        """Warn once about each prefix that no ``xmlns`` before it declares."""
        if not any(':' in name for name in self.parser.intern):
            return
        declared = {'xml', 'xmlns'}
        for node in self.tops[0].walk():
            names = [node.tag, *node.attributes]
            declared.update(name[6:] for name in names if name.startswith('xmlns:'))
            for name in names:
                prefix, colon, _ = name.partition(':')
                if colon and prefix not in declared:
                    declared.add(prefix)
                    location = node.location if name == node.tag else node.attribute_location(name)
                    self.report.add(
                        codes.XML_UNDECLARED_PREFIX,
                        f"the namespace prefix '{prefix}' is not declared", location,
                        hint=f'declare it on the root element: xmlns:{prefix}="..."')

    def _refuse_size(self, node: XmlElement) -> NoReturn:
        """Refuse a document that is deeper or larger than the bounds."""
        limits = self.document.limits
        if len(self.open) > limits.element_depth + 1:
            self._refuse(
                codes.XML_TOO_DEEP, f'elements are nested deeper than {limits.element_depth}', node
            )
        self._refuse(
            codes.TOO_MANY_ELEMENTS,
            f'there are more than {limits.elements} elements and attributes',
            node,
        )

    def _entity(self, name: str, *_: object) -> None:
        """Refuse entity declarations: they are how small files become huge ones."""
        self._refuse(
            codes.XML_ENTITY, f"the entity '{name}' is declared; entities are refused", None
        )

    def _refuse(self, code: Code, message: str, node: Optional[XmlElement]) -> NoReturn:
        location = (
            node.location if node else SourceRef(self.document, self.parser.CurrentByteIndex)
        )
        self.report.add(code, message, location, reference=self.reference)
        raise _Refused
