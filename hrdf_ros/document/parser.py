# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Parse bytes to elements with places, in one pass of expat that refuses hostile documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from operator import attrgetter
import re
from typing import Any, Optional, TYPE_CHECKING, TypeVar
from xml.parsers import expat

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document.prolog import as_utf8, safe_text
from hrdf_ros.document.source import Document, NO_PATHS, SourceFile, SourceRef, ValuePaths
from hrdf_ros.document.tokenizer import end_of_element, run_before
from hrdf_ros.limits import ResourceLimits

if TYPE_CHECKING:
    from hrdf_ros.document.faults import Fault
    from typing_extensions import Self

_NO_ATTRIBUTES: Mapping[str, str] = {}
_BREAKS = (b'\t', b'\r', b'\n')
_QUOTES = (b'"', b"'")
_CHILDREN = attrgetter('children')
_ITEM = b'<(?!/)|='
"""A pattern for the beginning of an element, or the sign before the value of an attribute."""


class XmlElement:
    """
    An element: its tag and attributes as written, its child elements, its text.

    ``text`` is the first text that is not blank, comes before any child element and is not
    interrupted by a comment. White space at the start is removed; at the end it is kept.
    ``value`` is None until a reader stores the value that it has parsed from the text.
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
        return SourceRef(self.document, self.start)

    def attribute_location(self, attribute: str, character: Optional[int] = None) -> SourceRef:
        """Return the location of an attribute's name, or of a character of its value."""
        return SourceRef(self.document, self.start, attribute, character)

    def text_location(self, character: int = 0) -> SourceRef:
        """Return the location of a character of the text."""
        return SourceRef(self.document, self.start, '', character)

    def value_location(self, path: str) -> SourceRef:
        """Return the location of a value below the element by its path (``ValuePaths``)."""
        return SourceRef(self.document, self.start, paths=(path,))

    def get(self, attribute: str) -> Optional[str]:
        """Return the value of an attribute, None where it is absent."""
        return self.attributes.get(attribute)

    def written(self, attribute: str) -> str:
        """Return the value of an attribute as written, with its tabs and line breaks."""
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
        """Return the element as it is in the file, with blanks for faults (``recover``)."""
        data = self.document.well_formed
        return data[self.start:end_of_element(data, self.start)].decode('utf-8')


Element = TypeVar('Element', bound=XmlElement)


def parse(
    source: SourceFile, report: Report, element: type[Element], *,
    value_paths: ValuePaths = NO_PATHS, reference: Optional[str] = None, ends_early: bool = False,
    declaration_anywhere: bool = False,
) -> Optional[Element]:
    """
    Return the root element, or None with the reason in the report.

    ``element`` is the class of the elements. ``value_paths`` say where the format writes the
    Model's values (``SourceRef.of``). ``reference`` is the name that the reference implementation
    has for an unreadable file. With ``ends_early`` a superfluous end tag ends the document, as it
    does for tinyxml2. ``declaration_anywhere`` is for parsers that ignore misplaced XML
    declarations (``recover``).
    """
    data = as_utf8(source, report, reference)
    if data is None:
        return None
    source = source._replace(data=data)
    document = Document(source, value_paths)
    text = safe_text(source, report, reference)
    if text is None or not _has_room(document, report, reference):
        return None
    builder = _ElementBuilder(document, element)
    fault = builder.build(text, ends_early)
    deep = builder.too_deep()
    if fault is not None and deep is None:
        from hrdf_ros.document.faults import recover  # most files have no faults
        recovered = recover(document, report, declaration_anywhere=declaration_anywhere)
        if recovered is not None:
            document.stray.clear()
            text = safe_text(source._replace(data=recovered), report, reference)
            if text is None:
                return None
            builder = _ElementBuilder(document, element)
            fault = builder.build(text, ends_early)
            deep = builder.too_deep()
    if deep is not None:
        report.add(
            codes.XML_TOO_DEEP,
            f'elements are nested deeper than {document.limits.element_depth}', deep.location,
            reference=reference)
    elif fault is not None:
        report.add(
            codes.XML_SYNTAX, f'not well-formed XML: {fault.message}',
            SourceRef(document, fault.start), hint=fault.hint, reference=reference, fix=fault.fix)
    else:
        builder.check_prefixes(report)
        root: Element = builder.tops[0]
        return root
    return None


def parse_again(text: str) -> XmlElement:
    """Return the root of a text that was parsed before, whatever the resource limits were."""
    limits = ResourceLimits(element_depth=len(text), elements=len(text))
    source = SourceFile('', text.encode('utf-8'), limits=limits, encoding='utf-8')
    root = parse(source, Report(), XmlElement)
    assert root is not None
    return root


def _has_room(document: Document, report: Report, reference: Optional[str]) -> bool:
    """Return whether a document and its includes are small enough, and report it if not."""
    if not document.is_full:
        return True
    data, limit = document.data, document.limits.elements
    signs = [sign.end() for sign in re.finditer(_ITEM, data)]
    # the index here of the first item beyond the limit, which earlier documents share
    first = limit - (document.size.items - len(signs))
    end = signs[max(first, 0)] if signs else 0
    report.add(
        codes.TOO_MANY_ELEMENTS, f'there are more than {limit} elements and attributes',
        SourceRef(document, max(data.rfind(b'<', 0, end), 0)), reference=reference)
    return False


class _ElementBuilder:
    """A builder that makes elements from expat's events."""

    def __init__(self, document: Document, element: type[XmlElement]) -> None:
        self.document = document
        self.element = element
        self.tops: list[Any] = []
        self.levels: list[list[Any]] = [self.tops]
        """The elements found so far at the top, and in each open element."""
        self.seen = 0
        parser = self.parser = expat.ParserCreate('utf-8')
        parser.buffer_text = True
        # a text longer than the buffer would come in pieces, of which only the first is a value
        parser.buffer_size = max(len(document.data), parser.buffer_size)

    def build(self, data: bytes, ends_early: bool) -> Optional[Fault]:
        """Read the document; return its first fault, or None if it is well-formed."""
        self.document.well_formed = data
        parser = self.parser
        self._set_handlers()
        try:
            parser.Parse(data, True)
        except expat.ExpatError as error:
            start = max(parser.ErrorByteIndex, 0)
            at_end = self.tops and len(self.levels) == 1
            if not (ends_early and at_end and data.startswith(b'</', start - 1)):
                from hrdf_ros.document.faults import explain
                elements = [level[-1] for level in self.levels[:-1]]
                return explain(
                    error, self.document, start, [(one.tag, one.start) for one in elements])
            self.document.stray.append(SourceRef(self.document, start - 1))
        finally:
            # The handlers refer to the parser; without this, the cycle would outlive the load.
            parser.StartElementHandler = parser.EndElementHandler = None
            parser.CharacterDataHandler = parser.ProcessingInstructionHandler = None
        return None

    def _set_handlers(self) -> None:
        """Set the handlers, which are closures for tags and text because these run most often."""
        document, element, parser, levels = self.document, self.element, self.parser, self.levels
        push, pop = levels.append, levels.pop
        fresh: Optional[XmlElement] = None
        # The open element that has contained nothing but white space so far.

        def start(tag: str, attributes: dict[str, str]) -> None:
            nonlocal fresh
            node = fresh = element(
                document, tag, attributes or _NO_ATTRIBUTES, parser.CurrentByteIndex)
            levels[-1].append(node)
            push(node.children)

        def end(_: str) -> None:
            nonlocal fresh
            fresh = None
            pop()

        def text(data: str) -> None:
            nonlocal fresh
            if data.isspace():
                return
            if fresh is None:
                self._stray()
            else:
                fresh.text = data.lstrip()
                fresh = None

        parser.StartElementHandler = start
        parser.EndElementHandler = end
        parser.CharacterDataHandler = text
        # Because there is a handler, expat ends a run of text at each comment and CDATA section.
        parser.CommentHandler = _end_of_text
        parser.StartCdataSectionHandler = parser.EndCdataSectionHandler = _end_of_text
        parser.ProcessingInstructionHandler = self._instruction

    def _stray(self) -> None:
        """Record a text from which no value is read; the text ends at the parser's position."""
        document = self.document
        siblings = self.levels[-1] or self.levels[-2]
        run = run_before(
            document.data, max(siblings[-1].start, self.seen), self.parser.CurrentByteIndex)
        self.seen = run.end
        document.stray.append(SourceRef(document, run.first_not_blank(document.data)))

    def _instruction(self, *_: object) -> None:
        if len(self.levels) > 1:
            self.document.stray.append(SourceRef(self.document, self.parser.CurrentByteIndex))

    def too_deep(self) -> Optional[XmlElement]:
        """Return the first element that is nested deeper than the resource limits allow."""
        depth, level = self.document.limits.element_depth, self.tops
        if self.document.well_formed.count(b'<') <= depth:
            return None
        while level and depth > 0:
            level = list(chain.from_iterable(map(_CHILDREN, level)))
            depth -= 1
        return level[0] if level else None

    def check_prefixes(self, report: Report) -> None:
        """Warn once about each prefix that no ``xmlns`` before it declares."""
        if ':' not in ' '.join(self.parser.intern):
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
                    report.add(
                        codes.XML_UNDECLARED_PREFIX,
                        f"the namespace prefix '{prefix}' is not declared", location,
                        hint=f'declare it on the root element: xmlns:{prefix}="..."')


def _end_of_text(*_: object) -> None:
    """Do nothing: expat ends a run of text wherever it calls a handler."""
