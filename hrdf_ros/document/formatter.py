# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Format a document: indent its elements, space its attributes, and change nothing else.

Comments, CDATA sections, texts and attribute values stay as they are, and so does all that is in
an element with text or with ``xml:space="preserve"``.
"""

from __future__ import annotations

from collections import Counter
import re
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document.parser import parse, XmlElement
from hrdf_ros.document.prolog import encoding_of
from hrdf_ros.document.source import SourceFile
from hrdf_ros.document.tokenizer import attributes, name_at, Token, tokens

INDENT = '  '
INDENTED_LEVELS = 32
"""The maximum number of levels by which nested elements are indented."""
_ALIGNED_TAG = 64
"""The maximum length of a tag's name, in characters, that attributes are indented by."""
_BLANKS = ' \t\r\n'
_BREAK = re.compile(r'\r\n|\n|\r')
_PRESERVE = re.compile(r"""\sxml:space\s*=\s*(?:"preserve"|'preserve')""")


def formatted(source: SourceFile, report: Report) -> Optional[bytes]:
    """
    Return the formatted bytes of a document, in the encoding that it has.

    The result is None, with the reason in the report, where the document is not well-formed or
    ``parse`` refuses it.
    """
    found = Report()
    root = parse(source, found, XmlElement)
    refusals = [one for one in found if one.severity == 'error' or (
        one.code == codes.XML_RECOVERED.name)]
    for one in refusals:
        report.add(
            codes.CODES[one.code], one.message, one.location, severity='error', hint=one.hint)
    if root is None or refusals:
        return None
    encoding = encoding_of(source)
    text = encoding.decode(source.data)
    if encoding.encode(text) != source.data:
        report.add(
            codes.XML_ENCODING, f'the text cannot be written as {encoding.name} again',
            root.location)
        return None
    result = format_text(text)
    if ''.join(result.split()) != ''.join(text.split()):
        raise AssertionError('formatting changes more than white space')
    return encoding.encode(result)


def format_text(text: str) -> str:
    """Return a well-formed text with its elements indented and its attributes spaced."""
    breaks = Counter(_BREAK.findall(text))
    line_end = max(breaks, key=breaks.__getitem__, default='\n')
    lines = [line_end + INDENT * depth for depth in range(INDENTED_LEVELS + 1)]
    verbatim = _verbatim(text)
    pieces: list[str] = []
    depth = position = 0
    kept_depth, last = -1, 'open'
    for token in tokens(text):
        before, written = text[position:token.start], text[token.start:token.end]
        position = token.end
        depth -= token.kind == 'close'
        if kept_depth >= 0:
            pieces += [before, written]
            kept_depth = -1 if depth == kept_depth and token.kind == 'close' else kept_depth
        else:
            line = lines[min(depth, INDENTED_LEVELS)]
            pieces += [_gap(before, token, last, line), _markup(written, token, line)]
            kept_depth = depth if token.start in verbatim else -1
        depth += token.kind == 'open'
        last = token.kind
    return ''.join(pieces[1:]) + line_end


def _verbatim(text: str) -> set[int]:
    """Return the starts of elements that contain text, or only white space."""
    found: set[int] = set()
    parents: list[Token] = []
    last: Optional[Token] = None
    for token in tokens(text):
        before = text[last.end if last else 0:token.start]
        if parents and (before.strip(_BLANKS) or token.kind == 'cdata' or (
                token.kind == 'close' and last is parents[-1])):
            found.add(parents[-1].start)
        if token.kind == 'close':
            parents.pop()
        elif token.kind == 'open':
            parents.append(token)
            if _PRESERVE.search(text, token.start, token.end):
                found.add(token.start)
        last = token
    return found


def _gap(before: str, token: Token, last: str, line: str) -> str:
    """Return the white space before a piece of markup; several blank lines become one."""
    breaks = len(_BREAK.findall(before))
    if token.kind == 'comment' and not breaks:
        return ' '
    is_apart = breaks > 1 and token.kind != 'close' and last != 'open'
    return line.rstrip(' ') + line if is_apart else line


def _markup(written: str, token: Token, line: str) -> str:
    """Return a piece of markup; a tag has one space between its attributes."""
    if token.kind == 'close':
        return written.rstrip('> \t\r\n') + '>'
    if token.kind not in ('open', 'empty'):
        return written
    name = name_at(written, 1)
    column = line + ' ' * (min(len(name), _ALIGNED_TAG) + 2)
    pieces, position = ['<', name], 1 + len(name)
    for found in attributes(written, position):
        has_break = _BREAK.search(written, position, found.start) is not None
        pieces += [
            column if has_break else ' ', written[found.start:found.name_end], '=',
            written[found.value_start - 1:found.value_end + 1]]
        position = found.end
    return ''.join([*pieces, '/>' if token.kind == 'empty' else '>'])
