# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Bytes to elements: one pass of expat, which refuses hostile documents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn, Optional, overload, TYPE_CHECKING, TypeVar
from xml.parsers import expat

from hrdf_ros import codes
from hrdf_ros.codes import Code
from hrdf_ros.diagnostics import Fix, Report
from hrdf_ros.document.elements import XmlElement
from hrdf_ros.document.places import run_before
from hrdf_ros.document.prolog import as_utf8, DOCTYPE, Prolog, scan_prolog, without_doctype
from hrdf_ros.document.source import Document, NO_PATHS, SourceFile, SourceRef, ValuePaths

if TYPE_CHECKING:
    from hrdf_ros.document.faults import Fault

Element = TypeVar('Element', bound=XmlElement)

_NO_ATTRIBUTES: Mapping[str, str] = {}
_USUAL_DEPTH = 16


class _Refused(Exception):
    """Ends a parse; the diagnostic is already made."""


@overload
def parse(
    source: SourceFile, report: Report, *, value_paths: ValuePaths = NO_PATHS,
    reference: Optional[str] = None, ends_early: bool = False,
    declaration_anywhere: bool = False,
) -> Optional[XmlElement]: ...


@overload
def parse(
    source: SourceFile, report: Report, element: type[Element], *,
    value_paths: ValuePaths = NO_PATHS, reference: Optional[str] = None, ends_early: bool = False,
    declaration_anywhere: bool = False,
) -> Optional[Element]: ...


def parse(
    source: SourceFile, report: Report, element: type[Any] = XmlElement, *,
    value_paths: ValuePaths = NO_PATHS, reference: Optional[str] = None, ends_early: bool = False,
    declaration_anywhere: bool = False,
) -> Any:
    """
    Return the root element, or None with the reason in the report.

    ``element`` is the class of the elements. ``value_paths`` say where the format writes the
    Model's values (``SourceRef.of``). ``reference`` is the reference implementation's
    name for an unreadable file. With ``ends_early`` an end tag too many ends the document, as it
    does for tinyxml2; ``declaration_anywhere`` is for the parsers that ignore misplaced XML
    declarations (``recover``).
    """
    data = as_utf8(source, report, reference)
    if data is None:
        return None
    document = Document(source._replace(data=data), value_paths)
    if not _take(document, data, report, reference):
        return None
    size = document.size.items
    builder = _Builder(document, report, reference, element)
    try:
        fault = builder.build(ends_early)
        if fault is not None and _recover(
                document, report, reference, declaration_anywhere=declaration_anywhere):
            document.size.items = size
            builder = _Builder(document, report, reference, element)
            fault = builder.build(ends_early)
    except _Refused:
        return None
    if fault is not None:
        report.add(
            codes.XML_SYNTAX, f'not well-formed XML: {fault.message}',
            SourceRef(document, fault.start), hint=fault.hint, reference=reference,
            fix=_fix(document, fault))
        return None
    builder.check_prefixes()
    return builder.tops.pop()


def _take(
    document: Document, data: bytes, report: Report, reference: Optional[str],
) -> bool:
    """Set the text that is parsed; return whether its DTD declares nothing."""
    prolog = scan_prolog(data) if DOCTYPE in data else Prolog(0)
    if prolog.refusal:
        report.add(
            codes.XML_DTD, prolog.refusal, SourceRef(document, prolog.declaration),
            reference=reference)
        return False
    document.well_formed = without_doctype(data, prolog)
    return True


def _recover(
    document: Document, report: Report, reference: Optional[str], *, declaration_anywhere: bool,
) -> bool:
    """Blank the faults that other parsers ignore; return whether there were any."""
    from hrdf_ros.document.faults import recover  # most files have none
    recovered = recover(document.data, declaration_anywhere=declaration_anywhere)
    for fault in recovered.faults:
        report.add(
            codes.XML_RECOVERED, f'not well-formed XML: {fault.message}',
            SourceRef(document, fault.start), fix=_fix(document, fault))
    document.stray.clear()
    return bool(recovered.faults) and _take(document, recovered.data, report, reference)


def _fix(document: Document, fault: Fault) -> Optional[Fix]:
    if fault.fix is None:
        return None
    title, start, end, text = fault.fix
    return Fix(title, lambda: (document.edit(start, end, text()),))


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
        self.levels = [self.tops] * min(_USUAL_DEPTH, document.limits.element_depth + 1)
        """The children of each open element so far, behind the root element; longer at times."""
        self.depth: Callable[[], int]
        self.size: Callable[[], int]
        self.seen = 0
        parser = self.parser = expat.ParserCreate('utf-8')
        parser.buffer_text = True
        # a text longer than the buffer would come in pieces, of which only the first is a value
        parser.buffer_size = max(len(document.data), parser.buffer_size)
        self._connect()

    def build(self, ends_early: bool) -> Optional[Fault]:
        """Read the document; return its first fault, None where it is well-formed."""
        try:
            return self._parse(self.document.well_formed, ends_early)
        finally:
            self.document.size.items = self.size()
            # they refer to the parser, which would live as long as the load: it collects nothing
            parser = self.parser
            parser.StartElementHandler = parser.EndElementHandler = None
            parser.CharacterDataHandler = parser.ProcessingInstructionHandler = None
            del self.levels[1:]  # the handler of text was called once more

    def _parse(self, data: bytes, ends_early: bool) -> Optional[Fault]:
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError as error:
            start, depth = max(self.parser.ErrorByteIndex, 0), self.depth()
            at_end = self.tops and depth == 0
            if not (ends_early and at_end and data.startswith(b'</', start - 1)):
                from hrdf_ros.document.faults import explain
                return explain(
                    error, data, start, [level[-1] for level in self.levels[:depth]])
            self.document.stray.append(SourceRef(self.document, start - 1))
        return None

    def _connect(self) -> None:
        """
        Install the handlers: closures, because they run once for every element.

        What they count is in variables of theirs for the same reason.
        """
        parser, document, element = self.parser, self.document, self.element
        levels, depth, refuse_size = self.levels, 0, self._refuse_size
        most = document.limits.elements
        left = most - document.size.items
        fresh: Optional[XmlElement] = None
        # the element in which there was nothing but white space so far

        def start(tag: str, attributes: dict[str, str]) -> None:
            nonlocal fresh, depth, left
            node = fresh = element(
                document, tag, attributes or _NO_ATTRIBUTES, parser.CurrentByteIndex)
            levels[depth].append(node)
            depth += 1
            left -= 1 + len(attributes)
            try:
                levels[depth] = node.children
            except IndexError:
                self._deepen(node)
            if left < 0:
                refuse_size(node)

        def end(_: str) -> None:
            nonlocal fresh, depth
            fresh = None
            depth -= 1

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
            if depth:
                document.stray.append(SourceRef(document, parser.CurrentByteIndex))

        self.depth = lambda: depth
        self.size = lambda: most - left
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
        depth = self.depth()
        siblings = self.levels[depth] or self.levels[depth - 1]
        run = run_before(
            data, max(siblings[-1].start, self.seen), self.parser.CurrentByteIndex)
        self.seen = run.end
        self.document.stray.append(SourceRef(self.document, run.first_not_blank(data)))

    def check_prefixes(self) -> None:
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
                    self.report.add(
                        codes.XML_UNDECLARED_PREFIX,
                        f"the namespace prefix '{prefix}' is not declared", location,
                        hint=f'declare it on the root element: xmlns:{prefix}="..."')

    def _deepen(self, node: XmlElement) -> None:
        """Add a level; refuse a document that is deeper than the resource limits."""
        deepest = self.document.limits.element_depth
        if len(self.levels) > deepest:
            self._refuse(
                codes.XML_TOO_DEEP, f'elements are nested deeper than {deepest}', node)
        self.levels.append(node.children)

    def _refuse_size(self, node: XmlElement) -> NoReturn:
        """Refuse a document that is larger than the resource limits."""
        self._refuse(
            codes.TOO_MANY_ELEMENTS,
            f'there are more than {self.document.limits.elements} elements and attributes', node)

    def _refuse(self, code: Code, message: str, node: XmlElement) -> NoReturn:
        self.report.add(code, message, node.location, reference=self.reference)
        raise _Refused
