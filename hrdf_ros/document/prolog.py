# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The beginning of a document: its DOCTYPE, and where its root element starts.

No XML parser sees a byte before this scan, which is linear: the declarations of a DTD can make
one recurse, or grow without bounds.
"""

from collections.abc import Mapping
import re
from typing import NamedTuple, Optional
from xml.parsers import expat

from hrdf_ros.diagnostics import Report
from hrdf_ros.document.encoding import as_utf8
from hrdf_ros.document.scanner import attribute_value, plain, scan_start_tag
from hrdf_ros.document.source import SourceFile

_BLANKS = rb'[ \t\r\n]*'
_ENDS = {b'<!': b'-->', b'<?': b'?>'}
_DOCTYPE = b'<!DOCTYPE'
_HEAD = rb'<!DOCTYPE[^\[<>"\']*(?:"[^"]*"[^\[<>"\']*|\'[^\']*\'[^\[<>"\']*)*'
_PARAMETER_ENTITY = rb'%[^;<>\]%]*;'
_SUBSET_END = rb'\]\s*>'
_DECLARATION = (
    rb'<!(ENTITY|ATTLIST|ELEMENT|NOTATION)\s+(?:%\s+)?([^\s>]{1,200})(?:\s+([^\s>]{1,200}))?')


def root_element(source: SourceFile) -> Optional[tuple[str, Mapping[str, str]]]:
    """Return the tag and attributes of the root element, None where the bytes have none."""
    data = as_utf8(source, Report(), None)
    tag = None if data is None else scan_start_tag(data, scan_prolog(data).root)
    if data is None or tag is None:
        return None
    values = {
        name.decode(): plain(attribute_value(data, start).text(data))
        for name, start in tag.attributes.items()}
    return tag.tag.decode(), values


class DtdDeclaration(NamedTuple):
    """A declaration in a DTD: where, and what it declares."""

    start: int
    what: str

    @property
    def refusal(self) -> str:
        """The message that refuses it."""
        return f'the DTD declares the {self.what}; declarations are refused'


class Prolog(NamedTuple):
    """
    What is before the root element: its byte, the DOCTYPE, and what that declares.

    Of a DOCTYPE that is malformed ``doctype`` is None; it has no declarations either.
    """

    root: int
    doctype: Optional[tuple[int, int]] = None
    declaration: Optional[DtdDeclaration] = None


def without_doctype(data: bytes, prolog: Prolog) -> bytes:
    """
    Return a document with blanks for its DOCTYPE, of the same length.

    With an external DTD expat ignores entities that are not declared, in values too; without a
    DOCTYPE it refuses them. A malformed DOCTYPE stays, for expat to report.
    """
    start, end = prolog.doctype or (0, 0)
    try:
        expat.ParserCreate('utf-8').Parse(data[start:end] + b'<a/>', True)
    except expat.ExpatError:
        return data
    return data[:start] + b' ' * (end - start) + data[end:] if end else data


def scan_prolog(data: bytes) -> Prolog:
    """Return what is before the root element of a document in UTF-8, well-formed or not."""
    doctype: Optional[tuple[int, int]] = None
    position = _end_of_blanks(data, 0)
    while True:
        if doctype is None and data.startswith(_DOCTYPE, position):
            end, declaration = _scan_doctype(data, position)
            if declaration is not None or end is None:
                return Prolog(_end_of_declarations(data, position), None, declaration)
            doctype = position, end
        elif data.startswith((b'<!--', b'<?'), position):
            end = _end_of_markup(data, position)
        else:
            return Prolog(position, doctype)
        position = _end_of_blanks(data, end)


def _scan_doctype(data: bytes, start: int) -> tuple[Optional[int], Optional[DtdDeclaration]]:
    """Return where a DOCTYPE ends, None where it is malformed, and its first declaration."""
    head = re.compile(_HEAD).match(data, start)
    position = start if head is None else head.end()
    if data.startswith(b'[', position):
        position = _end_of_blanks(data, position + 1)
        while position < len(data) and not data.startswith(b']', position):
            reference = re.compile(_PARAMETER_ENTITY).match(data, position)
            if reference is not None:
                end = reference.end()
            elif data.startswith((b'<!--', b'<?'), position):
                end = _end_of_markup(data, position)
            else:
                return None, _declaration(data, position)
            position = _end_of_blanks(data, end)
        position = _end_of_blanks(data, position + 1)
    return position + 1 if data.startswith(b'>', position) else None, None


def _end_of_declarations(data: bytes, start: int) -> int:
    """Return about where a DOCTYPE that is not accepted ends."""
    end = re.compile(_SUBSET_END).search(data, start)
    return start if end is None else _end_of_blanks(data, end.end())


def _declaration(data: bytes, start: int) -> DtdDeclaration:
    found = re.compile(_DECLARATION).match(data, start)
    if found is None:
        return DtdDeclaration(start, 'document type')
    kind, name, attribute = (part.decode('utf-8', 'replace') for part in found.groups(b''))
    if kind == 'ATTLIST':
        return DtdDeclaration(start, f'attribute {name}/@{attribute}')
    return DtdDeclaration(start, f'{kind.lower()} {name}')


def _end_of_blanks(data: bytes, position: int) -> int:
    blanks = re.compile(_BLANKS).match(data, position)
    return position if blanks is None else blanks.end()


def _end_of_markup(data: bytes, start: int) -> int:
    """Return the byte after a comment or processing instruction, the last one without an end."""
    end = _ENDS[data[start:start + 2]]
    found = data.find(end, start + (4 if end == b'-->' else 2))
    return len(data) if found < 0 else found + len(end)
