# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Text that is not well-formed: recover from what other parsers ignore, and explain the rest."""

from collections.abc import Sequence
from functools import partial
import re
from typing import NamedTuple, Optional
from xml.parsers import expat

from hrdf_ros import codes
from hrdf_ros.diagnostics import Edit, Fix, Report
from hrdf_ros.document.source import Document, SourceRef
from hrdf_ros.document.tokenizer import tokens

_IS_DECLARATION = rb'<\?xml[\s?]'
_DECLARATION = (
    rb'<\?xml\s+version\s*=\s*(["\'])1\.[0-9]+\1'
    rb'(?:\s+encoding\s*=\s*(["\'])[A-Za-z][A-Za-z0-9._-]*\2)?'
    rb'(?:\s+standalone\s*=\s*(["\'])(?:yes|no)\3)?\s*\?>')
_CODES = expat.errors.codes
_DASHES = b'-(?=-)|(?<=-)-|-$'
_END_TAG = rb'/?([^<>\s/]{1,80})'
_HINTS = {
    expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT:
        'a file has one root element; is an end tag too early or too many?',
    expat.errors.XML_ERROR_UNDEFINED_ENTITY:
        'only &amp; &lt; &gt; &quot; and &apos; are defined; write & as &amp;',
    expat.errors.XML_ERROR_UNCLOSED_TOKEN: 'a > or the end of a comment is missing',
    expat.errors.XML_ERROR_DUPLICATE_ATTRIBUTE: 'remove one of the two',
}
_ATTRIBUTES = 'attributes are written name="value", in two quotes and with a space before each'
_NO_XML = 'a robot description is XML, which begins with <'


class Fault(NamedTuple):
    """A fault at a byte, and the way to fix it."""

    start: int
    message: str
    hint: Optional[str] = None
    fix: Optional[Fix] = None


def recover(
    document: Document, report: Report, *, declaration_anywhere: bool = False,
) -> Optional[bytes]:
    """
    Return a document of the same length with blanks for the faults that other parsers ignore.

    The result is None if there are no such faults. They are ``--`` inside of comments, XML
    declarations that are malformed or follow only white space and other declarations, and a NUL
    byte with all that follows. With ``declaration_anywhere``, as for TinyXML 1 and pugixml, a
    declaration may follow anything.
    """
    data = document.data
    text, nul, _ = data.partition(b'\0')
    clean, faults = bytearray(data), []
    if nul:
        clean[len(text):] = b' ' * (len(data) - len(text))
        faults.append(Fault(len(text), 'a NUL byte ends the text; the rest is ignored'))
    position, may_follow = 0, True
    for token in tokens(text):
        written = text[token.start:token.end]
        is_declaration = re.match(_IS_DECLARATION, written) is not None
        may_follow = may_follow and not text[position:token.start].strip()
        position = token.end
        if not token.is_complete and token.kind in ('comment', 'cdata', 'instruction'):
            break
        if token.kind == 'comment' and b'--' in written[4:-2]:
            faults.append(Fault(
                token.start + written.index(b'--', 4), "'--' inside of a comment", None,
                Fix("Replace '--' in the comment by '=='", partial(
                    _without_dashes, document, token.start + 4, token.end - 3))))
            clean[token.start + 4:token.end - 3] = written[4:-3].replace(b'-', b' ')
        elif is_declaration and token.start > 0 and (may_follow or declaration_anywhere):
            faults.append(Fault(
                token.start, 'an XML declaration after the start of the file; ignored'))
            clean[token.start:token.end] = b' ' * len(written)
        elif is_declaration and token.start == 0 and not re.fullmatch(_DECLARATION, written):
            faults.append(Fault(0, 'a malformed XML declaration; ignored'))
            clean[:token.end] = b' ' * len(written)
        may_follow = may_follow and is_declaration
    for fault in sorted(faults, key=lambda one: one.start):
        report.add(
            codes.XML_RECOVERED, f'not well-formed XML: {fault.message}',
            SourceRef(document, fault.start), fix=fault.fix)
    return bytes(clean) if faults else None


def _without_dashes(document: Document, start: int, end: int) -> tuple[Edit, ...]:
    comment = re.sub(_DASHES, b'=', document.data[start:end])
    return (document.edit(start, end, comment.decode('utf-8', 'replace')),)


def explain(
    error: expat.ExpatError, document: Document, start: int,
    open_elements: Sequence[tuple[str, int]],
) -> Fault:
    """Return the explanation of an error at a byte, given the tags and starts of open elements."""
    data = document.well_formed
    is_token = error.code == _CODES[expat.errors.XML_ERROR_INVALID_TOKEN]
    message = 'invalid token' if is_token else expat.ErrorString(error.code)
    opened, opened_at = open_elements[-1] if open_elements else (None, 0)
    begins = data.lstrip(b'\xef\xbb\xbf \t\r\n').startswith(b'<')
    if opened is not None and error.code == _CODES[expat.errors.XML_ERROR_TAG_MISMATCH]:
        found = re.compile(_END_TAG).match(data, start)
        tag = '' if found is None else found[1].decode('utf-8', 'replace')
        hint = f'write </{opened}>' if all(one != tag for one, _ in open_elements) else (
            f'add </{opened}> before it, or write <{opened} .../>')
        return Fault(
            start, f'mismatched tag: </{tag}> does not close <{opened}>, which is opened '
            f'on line {document.lines.line(opened_at)}', hint,
            _closing(opened, document, data.rfind(b'<', 0, start)))
    if opened is not None and error.code == _CODES[expat.errors.XML_ERROR_NO_ELEMENTS]:
        return Fault(
            start, f'{message}: the file ends inside of <{opened}>, which is opened on '
            f'line {document.lines.line(opened_at)}', f'add </{opened}>',
            _closing(opened, document, len(data.rstrip())))
    if not begins and (opened is None or is_token):
        return Fault(start, message, _NO_XML)
    return Fault(start, message, _token_hint(data, start) if is_token else _HINTS.get(message))


def _closing(tag: str, document: Document, start: int) -> Fix:
    return Fix(f'Close <{tag}>', (document.edit(start, start, f'</{tag}>'),))


def _token_hint(data: bytes, start: int) -> Optional[str]:
    """Return the hint for a character that is not allowed."""
    before = data[data.rfind(b'<', 0, start) + 1:start]
    character = data[start:start + 1]
    if before.count(b'"') % 2 and character == b'<':
        return 'a quote is missing before this <'
    if b'=' in before and before.rstrip().endswith(b'='):
        return 'the value of an attribute is in quotes: name="value"'
    if character in (b'"', b"'") or before.count(b'"') % 2 == 0 and before.endswith(b'"'):
        return _ATTRIBUTES
    if character == b'&' or before.rstrip().endswith(b'&'):
        return 'write & as &amp;'
    if character == b'<':
        return 'a > is missing before this <'
    return None
