# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What is at the beginning of a document: the root element, declarations of a DTD."""

from collections.abc import Mapping
from typing import NamedTuple, NoReturn, Optional
from xml.parsers import expat

from hrdf_ros.document.recovery import recover
from hrdf_ros.document.source import SourceFile

_CHUNK = 1 << 12
_BYTE_ORDER_MARK = b'\xef\xbb\xbf'


class DtdDeclaration(NamedTuple):
    """A declaration in a DTD: where, and what it declares."""

    start: int
    what: str


class _Found(Exception):
    """Ends a parse that has seen enough."""


def root_element(source: SourceFile) -> Optional[tuple[str, Mapping[str, str]]]:
    """Return the tag and attributes of the root element, None where the bytes have none."""
    root = _root_of(source.data, source.encoding)
    if root is not None:
        return root
    recovered = recover(source.data.removeprefix(_BYTE_ORDER_MARK), declaration_anywhere=True)
    return _root_of(recovered.data, source.encoding) if recovered.faults else None


def _root_of(data: bytes, encoding: Optional[str]) -> Optional[tuple[str, Mapping[str, str]]]:
    parser = expat.ParserCreate(encoding)
    root: list[tuple[str, Mapping[str, str]]] = []

    def start(tag: str, attributes: Mapping[str, str]) -> None:
        root.append((tag, attributes))
        raise _Found

    parser.StartElementHandler = start
    try:
        _feed(parser, data)
    except (_Found, expat.ExpatError, LookupError, ValueError):
        pass
    return root[0] if root else None


def _stop(*_: object) -> NoReturn:
    """End a parse at the root element."""
    raise _Found


def first_declaration(data: bytes) -> Optional[DtdDeclaration]:
    """Return the first declaration in a document's internal DTD, None where it has none."""
    if b'<!DOCTYPE' not in data:
        return None
    parser = expat.ParserCreate('utf-8')
    found: list[DtdDeclaration] = []

    def declared(what: str, name: str) -> NoReturn:
        start = data.rfind(b'<!', 0, parser.CurrentByteIndex + 1)
        found.append(DtdDeclaration(start, f'{what} {name}'))
        raise _Found

    parser.EntityDeclHandler = lambda name, *_: declared('entity', name)
    parser.AttlistDeclHandler = lambda tag, name, *_: declared('attribute', f'{tag}/@{name}')
    parser.ElementDeclHandler = lambda tag, _: declared('element', tag)
    parser.NotationDeclHandler = lambda name, *_: declared('notation', name)
    parser.StartElementHandler = _stop
    try:
        _feed(parser, data)
    except (_Found, expat.ExpatError):
        pass
    return found[0] if found else None


def without_doctype(data: bytes) -> bytes:
    """
    Return a document with blanks for its DOCTYPE, of the same length.

    With an external DTD expat ignores entities that are not declared, in values too; without a
    DOCTYPE it refuses them.
    """
    if b'<!DOCTYPE' not in data:
        return data
    parser = expat.ParserCreate('utf-8')
    span: list[int] = []

    parser.StartDoctypeDeclHandler = lambda *_: span.append(parser.CurrentByteIndex)
    parser.EndDoctypeDeclHandler = lambda: span.append(parser.CurrentByteIndex)
    parser.StartElementHandler = _stop
    try:
        _feed(parser, data)
    except (_Found, expat.ExpatError):
        pass
    if len(span) < 2:
        return data
    start = data.rfind(b'<!DOCTYPE', 0, span[0] + len(b'<!DOCTYPE'))
    end = data.find(b'>', span[1]) + 1
    return data[:start] + b' ' * (end - start) + data[end:]


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
