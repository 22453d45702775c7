# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The beginning of a document: its encoding, its DOCTYPE, its root element.

No XML parser sees a document before ``safe_text``, which takes linear time: declarations in a DTD
can make a parser recurse, or make its text grow without bounds.
"""

from codecs import lookup
from collections.abc import Mapping
import re
from typing import NamedTuple, Optional
from xml.parsers import expat

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document.source import Document, SourceFile, SourceRef
from hrdf_ros.document.tokenizer import scan_start_tag, Token, tokens

_DECLARED_ENCODING = rb'^\s*<\?xml[^>]*?encoding\s*=\s*["\']([A-Za-z0-9._-]+)["\']'
_NO_CHARACTER_SETS = ('idna', 'punycode', 'raw-unicode-escape', 'undefined', 'unicode-escape')
"""Python codecs in which no XML is written, and whose decoding can take unbounded time."""
_BYTE_ORDER_MARKS = (
    (b'\xef\xbb\xbf', 'utf-8'), (b'\xff\xfe', 'utf-16-le'), (b'\xfe\xff', 'utf-16-be'))
_BLANKS = b' \t\r\n'
_DOCTYPE = b'<!DOCTYPE'
_SUBSET_END = rb'\]\s*>'


class Encoding(NamedTuple):
    """The encoding of a file: the codec, and the byte order mark at its beginning."""

    name: str
    mark: bytes

    def decode(self, data: bytes) -> str:
        """Return the text of the file; bytes in another encoding raise UnicodeDecodeError."""
        return data[len(self.mark):].decode(self.name)

    def encode(self, text: str) -> bytes:
        """Return the bytes of the file with another text."""
        return self.mark + text.encode(self.name)


def encoding_of(source: SourceFile) -> Encoding:
    """Return the encoding of a file, by its mark or else by its declaration."""
    for mark, codec in _BYTE_ORDER_MARKS:
        if source.data.startswith(mark):
            return Encoding(codec, mark)
    start = source.data[:200]
    declared = re.match(_DECLARED_ENCODING, start) if b'encoding' in start else None
    name = 'utf-8' if declared is None else declared[1].decode('ascii')
    return Encoding(source.encoding or name, b'')


def as_utf8(
    source: SourceFile, report: Report, reference: Optional[str] = None,
) -> Optional[bytes]:
    """
    Return the bytes in UTF-8 without a byte order mark, from any encoding.

    The result is None, with the reason in the report, where they are not in the encoding that they
    declare.
    """
    encoding = encoding_of(source)
    try:
        if lookup(encoding.name).name in _NO_CHARACTER_SETS:
            raise LookupError('it is not a character set')
        text = encoding.decode(source.data)
        if '\0' in text[:2] or text.startswith('\ufeff'):  # expat would read it as UTF-16
            raise LookupError(
                'a NUL, or a second byte order mark, begins it; UTF-16 needs one byte order mark')
        if encoding.name.lower() in ('utf-8', 'utf8'):
            return source.data[len(encoding.mark):]
        return text.encode('utf-8')
    except UnicodeDecodeError as error:
        data = source.data[len(encoding.mark):]
        before = data[:error.start].decode(encoding.name, 'replace').encode()
        readable = data.decode(encoding.name, 'replace').encode()
        location = SourceRef(Document(source._replace(data=readable)), len(before))
        reason: Exception = error
    except (LookupError, UnicodeError) as error:
        location, reason = SourceRef(Document(source), 0), error
    report.add(
        codes.XML_ENCODING, f'the text cannot be read as {encoding.name}: {reason}', location,
        reference=reference)
    return None


class _Prolog(NamedTuple):
    """
    The byte of the root element, the DOCTYPE before it, and the byte of its first declaration.

    Both ``doctype`` and ``declaration`` are None if the DOCTYPE is malformed.
    """

    root: int
    doctype: Optional[tuple[int, int]] = None
    declaration: Optional[int] = None


def _scan_prolog(data: bytes) -> _Prolog:
    """Return the prolog of a document in UTF-8, which need not be well-formed."""
    doctype: Optional[tuple[int, int]] = None
    position = 0
    for token in tokens(data):
        if data[position:token.start].strip(_BLANKS):
            break
        if token.kind == 'declaration' and data.startswith(_DOCTYPE, token.start):
            if doctype is not None:
                return _Prolog(doctype[0])  # the first one stays, so that expat refuses the second
            if not token.is_complete:
                return _unfinished(data, token)
            doctype = token.start, token.end
        elif token.kind not in ('comment', 'instruction'):
            return _Prolog(token.start, doctype)
        position = token.end
    return _Prolog(position, doctype)


def _unfinished(data: bytes, doctype: Token) -> _Prolog:
    """Return the prolog that ends in a DOCTYPE that has declarations or is malformed."""
    position = doctype.end + 1
    for token in tokens(data, position) if data.startswith(b'[', doctype.end) else ():
        if b']' in data[position:token.start]:
            break
        if token.kind == 'declaration':
            end = re.compile(_SUBSET_END).search(data, token.start)
            root = token.end if end is None else end.end()
            return _Prolog(root, None, token.start)
        if token.kind not in ('comment', 'instruction'):
            break
        position = token.end
    return _Prolog(doctype.start)


def safe_text(
    source: SourceFile, report: Report, reference: Optional[str] = None,
) -> Optional[bytes]:
    """
    Return a document in UTF-8 with blanks for its DOCTYPE, of the same length.

    The result is None, with the reason in the report, where its DTD has declarations. The DOCTYPE
    is blanked because expat ignores undeclared entities where there is an external DTD, and
    refuses them where there is none. A malformed DOCTYPE stays, for expat to report.
    """
    data = source.data
    prolog = _scan_prolog(data) if _DOCTYPE in data else _Prolog(0)
    if prolog.declaration is not None:
        report.add(
            codes.XML_DTD, 'declarations in a DTD are refused',
            SourceRef(Document(source), prolog.declaration), reference=reference)
        return None
    if prolog.doctype is None:
        return data
    start, end = prolog.doctype
    try:
        expat.ParserCreate('utf-8').Parse(data[start:end] + b'<a/>', True)
    except expat.ExpatError:
        return data
    return data[:start] + b' ' * (end - start) + data[end:]


def root_element(source: SourceFile) -> Optional[tuple[str, Mapping[str, str]]]:
    """Return the tag and attributes of the root element, None without a root element."""
    data = as_utf8(source, Report())
    if data is None:
        return None
    root = _scan_prolog(data).root
    found = next(tokens(data, root), None)
    tag = None if found is None or data[root:found.start].strip(_BLANKS) else (
        scan_start_tag(data, found.start))
    return None if tag is None else (
        tag.tag.decode(),
        {name.decode(): value.text(data) for name, (_, value) in tag.attributes.items()})
