# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
A document with its white space in order, and nothing else changed.

Each element is on a line of its own, two spaces deeper than the one around it, as far as
``DEEPEST``, so that the text grows in proportion to itself. Comments, CDATA
sections, texts and attribute values stay as they are, and so does all that is in an element with
text or with ``xml:space="preserve"``. Attributes stay on their lines, one blank line stays one.
"""

from __future__ import annotations

from collections import Counter
import re
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document.encoding import declared_encoding
from hrdf_ros.document.parser import parse
from hrdf_ros.document.source import SourceFile

_CODECS = ((b'\xef\xbb\xbf', 'utf-8'), (b'\xff\xfe', 'utf-16-le'), (b'\xfe\xff', 'utf-16-be'))
INDENT = '  '
DEEPEST = 32
"""Elements within each other up to which each is indented further."""
_CONTINUATION = 2 * INDENT
_LONGEST_TAG = 64
"""Characters of a start tag's beginning below which its attributes are aligned."""
_TOKEN = re.compile(r"""(?sx)
    (?P<comment> <!--.*?--> ) | (?P<cdata> <!\[CDATA\[.*?\]\]> )
  | (?P<other> <\?.*?\?> | <!(?:[^\[>"']|"[^"]*"|'[^']*')*
      (?:\[(?:[^\]<]|<!--.*?-->|<\?.*?\?>)*\]\s*)?> )
  | (?P<close> </[^>]*> ) | (?P<open> <(?:[^>"']|"[^"]*"|'[^']*')*> )
""")
_ATTRIBUTE = re.compile(
    r"""(?P<gap>[ \t\r\n]+)(?P<name>[^\s=]+)\s*=\s*(?P<value>"[^"]*"|'[^']*')""")
_NEAT = re.compile(r"""<[^\s/>]+(?:[ ][^\s=]+=(?:"[^"]*"|'[^']*'))*/?>""")
_TAG = re.compile(r'<[^\s/>]+')
_BLANKS = ' \t\r\n'
_BREAK = re.compile(r'\r\n|\n|\r')
_PRESERVE = re.compile(r"""\sxml:space\s*=\s*(?:"preserve"|'preserve')""")


class Encoding(NamedTuple):
    """How a file holds its text: the codec, and the byte order mark that it begins with."""

    name: str
    mark: bytes

    def decode(self, data: bytes) -> str:
        """Return the text of the file; UnicodeDecodeError where it is not in this encoding."""
        return data[len(self.mark):].decode(self.name)

    def encode(self, text: str) -> bytes:
        """Return the bytes of the file with another text."""
        return self.mark + text.encode(self.name)


def encoding_of(source: SourceFile) -> Encoding:
    """Return the encoding of a file: by its mark, else as it declares."""
    for mark, codec in _CODECS:
        if source.data.startswith(mark):
            return Encoding(codec, mark)
    return Encoding(source.encoding or declared_encoding(source.data), b'')


class _Token(NamedTuple):
    """A piece of markup: its kind, its text, and the text between it and the one before."""

    kind: str
    text: str
    before: str

    @property
    def is_empty(self) -> bool:
        return self.text.endswith('/>')


def formatted(source: SourceFile, report: Report) -> Optional[bytes]:
    """
    Return the bytes of a document with its white space in order, in the encoding that it has.

    None, with the reason in the report, where it is not well-formed or is refused by ``parse``.
    """
    found = Report()
    root = parse(source, found)
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
    """Return a well-formed text with its white space in order."""
    tokens = _tokens(text)
    writer = _Writer(_line_end(text, tokens), _verbatim(tokens))
    for index, token in enumerate(tokens):
        writer.add(index, token)
    return writer.text()


def _tokens(text: str) -> list[_Token]:
    tokens, position = [], 0
    for found in _TOKEN.finditer(text):
        tokens.append(_Token(
            str(found.lastgroup), found[0], text[position:found.start()]))
        position = found.end()
    return tokens


def _verbatim(tokens: list[_Token]) -> set[int]:
    """Return the start tags of elements that have text, or nothing but white space, in them."""
    found: set[int] = set()
    stack: list[tuple[int, bool]] = []
    for index, token in enumerate(tokens):
        if stack and (token.before.strip(_BLANKS) or token.kind == 'cdata'):
            found.add(stack[-1][0])
        if token.kind == 'close':
            start, has_markup = stack.pop()
            if not has_markup:
                found.add(start)
        if stack and token.kind != 'close':
            stack[-1] = (stack[-1][0], True)
        if token.kind == 'open' and not token.is_empty:
            stack.append((index, False))
            if _PRESERVE.search(token.text):
                found.add(index)
    return found


def _line_end(text: str, tokens: list[_Token]) -> str:
    """Return what ends most lines between pieces of markup, or all lines if none is there."""
    ends = Counter(
        end for token in tokens if not token.before.strip(_BLANKS)
        for end in _BREAK.findall(token.before))
    ends = ends or Counter(_BREAK.findall(text))
    return max(ends, key=lambda end: (ends[end], end == '\n')) if ends else '\n'


class _Writer:
    """Puts the pieces of a document together."""

    def __init__(self, line_end: str, verbatim: set[int]) -> None:
        self._line_end = line_end
        self._verbatim = verbatim
        self._pieces: list[str] = []
        self._depth = 0
        self._kept = 0
        """How many elements are open in one whose content stays as it is, itself included."""
        self._after_open = False

    def text(self) -> str:
        """Return the document, which ends with the end of a line."""
        return ''.join(self._pieces) + self._line_end

    @property
    def _indentation(self) -> str:
        """What is before a piece on its line."""
        return INDENT * min(self._depth, DEEPEST)

    def add(self, index: int, token: _Token) -> None:
        """Add a piece and the white space before it."""
        is_close = token.kind == 'close'
        self._depth -= is_close
        if self._kept:
            self._pieces += [token.before, token.text]
            self._kept += (token.kind == 'open' and not token.is_empty) - is_close
        else:
            self._add_gap(token, is_close)
            self._add_markup(token)
            if index in self._verbatim:
                self._kept = 1
        self._depth += token.kind == 'open' and not token.is_empty
        self._after_open = token.kind == 'open' and not token.is_empty

    def _add_gap(self, token: _Token, is_close: bool) -> None:
        """Add the white space between two pieces of markup."""
        if not self._pieces:
            return
        breaks = len(_BREAK.findall(token.before))
        if token.kind == 'comment' and not breaks:
            self._pieces.append(' ')
            return
        is_parted = breaks > 1 and not is_close and not self._after_open
        self._pieces.append(self._line_end * (1 + is_parted) + self._indentation)

    def _add_markup(self, token: _Token) -> None:
        if token.kind == 'open':
            self._pieces.append(self._start_tag(token.text))
        elif token.kind == 'close':
            self._pieces.append(token.text.rstrip('> \t\r\n') + '>')
        else:
            self._pieces.append(token.text)

    def _start_tag(self, text: str) -> str:
        """Return a start tag with its attributes in line."""
        if _NEAT.fullmatch(text):
            return text
        tag = _TAG.match(text)
        assert tag is not None
        pieces = [tag[0]]
        first, column = True, self._line_end + self._indentation + _CONTINUATION
        end = len(text.rstrip('/>' + _BLANKS))  # many blanks there would be tried one by one
        for found in _ATTRIBUTE.finditer(text, tag.end(), end):
            has_break = _BREAK.search(found['gap']) is not None
            if first and not has_break and len(tag[0]) < _LONGEST_TAG:
                column = self._line_end + self._indentation + ' ' * (len(tag[0]) + 1)
            first = False
            pieces += [column if has_break else ' ', found['name'], '=', found['value']]
        return ''.join([*pieces, '/>' if text.endswith('/>') else '>'])
