# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The encoding of a document: whatever it is, the bytes are read as UTF-8."""

from __future__ import annotations

from codecs import lookup
import re
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document.source import Document, SourceFile, SourceRef

_DECLARED_ENCODING = re.compile(
    rb'^\s*<\?xml[^>]*?encoding\s*=\s*["\']([A-Za-z0-9._-]+)["\']')
_NO_CHARACTER_SETS = ('idna', 'punycode', 'raw-unicode-escape', 'undefined', 'unicode-escape')
"""Codecs of Python that no XML is written in; reading them can take unbounded time."""
_BYTE_ORDER_MARKS = ((b'\xef\xbb\xbf', 'utf-8'), (b'\xff\xfe', 'utf-16'), (b'\xfe\xff', 'utf-16'))


def as_utf8(source: SourceFile, report: Report, reference: Optional[str]) -> Optional[bytes]:
    """
    Return the bytes in UTF-8 without a byte order mark, whatever the file is written in.

    None, with the reason in the report, where they are not in the encoding that they declare.
    """
    data = source.data
    encoding = source.encoding or declared_encoding(data)
    for mark, name in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            encoding = name
            data = data[3:] if name == 'utf-8' else data
    try:
        if lookup(encoding).name in _NO_CHARACTER_SETS:
            raise LookupError('it is not a character set')
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


def declared_encoding(data: bytes) -> str:
    """Return the encoding that the XML declaration of a file names."""
    declared = _DECLARED_ENCODING.match(data[:200])
    return 'utf-8' if declared is None else declared.group(1).decode('ascii')
