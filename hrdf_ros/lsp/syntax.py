# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Elements of a text that need not be well-formed, with the place of every name and value.

The parser of ``document`` stops at the first fault. In this module a start tag without its ``>``
is an element without content, an element without an end tag ends where the element around it does,
and an extra end tag is ignored.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
import re
from typing import Literal, NamedTuple, Optional, TypeVar

from hrdf_ros.document import tokenizer
from hrdf_ros.document.tokenizer import plain, Token
from hrdf_ros.lsp.positions import Span

_TAG_END = re.compile('(/?)>')
_WORD = re.compile(r'\S')
_ENTITY = re.compile(r'&(?!(?:amp|lt|gt|quot|apos|#[0-9]+|#x[0-9a-fA-F]+);)')
_NAME = re.compile(r'[^\W\d][\w.:-]*')


class SyntaxAttribute(NamedTuple):
    """
    An attribute: its name, and its value without quotes, as far as they are written.

    ``value`` is None if there is no quote; ``is_closed`` says whether the second quote is there.
    """

    name: str
    span: Span
    value: Optional[Span]
    is_closed: bool
    end: int


class SyntaxNode:
    """
    An element: ``tag_span`` is its name in the start tag, ``close_span`` the one in the end tag.

    ``content`` reaches from the end of the start tag to the end tag. ``is_broken`` says that the
    start tag has no ``>``, and ``is_closed`` that the start tag or an end tag ends the element.
    """

    __slots__ = ('tag', 'start', 'tag_span', 'attributes', 'content', 'end', 'close_span',
                 'parent', 'children', 'is_broken', 'is_empty', 'is_closed', 'texts')

    def __init__(self, tag: str, start: int, parent: Optional[SyntaxNode]) -> None:
        self.tag = tag
        self.start = self.end = start
        self.tag_span = Span(start + 1, start + 1 + len(tag))
        self.attributes: list[SyntaxAttribute] = []
        self.content = Span(start, start)
        self.close_span: Optional[Span] = None
        self.parent = parent
        self.children: list[SyntaxNode] = []
        self.is_broken = self.is_empty = self.is_closed = False
        self.texts: list[Span] = []

    def attribute(self, name: str) -> Optional[SyntaxAttribute]:
        """Return the first attribute with a name."""
        return next((found for found in self.attributes if found.name == name), None)

    def path(self) -> list[SyntaxNode]:
        """Return the elements from the root to this one."""
        path: list[SyntaxNode] = []
        node: Optional[SyntaxNode] = self
        while node is not None:
            path.append(node)
            node = node.parent
        return path[::-1]


class Excerpt(NamedTuple):
    """
    The part of a text that is read: everything in a window, and the elements around it.

    Outside of the window, ``tokens`` leaves out the elements that do not reach into it.
    """

    window: Span
    tokens: Iterator[Token]


class Syntax:
    """
    The elements of a text; ``roots`` are the outermost, of which there should be only one.

    ``strays`` are end tags that end nothing; ``outside`` is text outside of all elements.
    """

    def __init__(self, source: str, excerpt: Optional[Excerpt] = None) -> None:
        self.source = source
        self.roots: list[SyntaxNode] = []
        self.nodes: list[SyntaxNode] = []
        self.comments: list[Span] = []
        self.strays: list[Span] = []
        self.outside: list[Span] = []
        self._open: list[SyntaxNode] = []
        self._tags: Counter[str] = Counter()
        self._window, tokens = excerpt or Excerpt(
            Span(0, len(source)), tokenizer.tokens(source))
        self._read(tokens)

    @property
    def root(self) -> Optional[SyntaxNode]:
        """The first of the outermost elements."""
        return self.roots[0] if self.roots else None

    def value(self, node: SyntaxNode, name: str) -> Optional[str]:
        """Return the value of an attribute, or None if the element has no such attribute."""
        return self.values(node).get(name)

    def values(self, node: SyntaxNode) -> dict[str, str]:
        return {
            found.name: self.plain(found.value) for found in reversed(node.attributes)
            if found.value is not None}

    def plain(self, span: Span) -> str:
        """Return a span of the text with its XML references replaced."""
        return plain(self.source[span.start:span.end])

    def text_span(self, node: SyntaxNode) -> Span:
        """Return the first text of an element without the white space around it; empty if none."""
        for span in node.texts:
            found = _WORD.search(self.source, span.start, span.end)
            if found is not None:
                text = self.source[found.start():span.end]
                return Span(found.start(), found.start() + len(text.rstrip()))
        return Span(node.content.start, node.content.start)

    def node_at(self, offset: int) -> Optional[SyntaxNode]:
        """Return the innermost element around an offset, which may be in one of its tags."""
        found, inner = None, _last_before(self.roots, offset)
        while inner is not None and (
                offset < inner.end or offset == inner.end and not inner.is_closed):
            found, inner = inner, _last_before(inner.children, offset)
        return found

    def _read(self, tokens: Iterator[Token]) -> None:
        position = 0
        for token in tokens:
            self._add_text(position, token.start)
            position = token.end
            if token.kind in ('open', 'empty'):
                position = self._start(token)
            elif token.kind == 'close':
                self._close(token)
            elif token.kind == 'cdata' and self._open:
                self._add_text(token.content, token.end - len(']]>'))
            elif token.kind == 'cdata':
                self._add_text(token.start, token.end)
            elif token.kind == 'comment':
                self.comments.append(Span(token.start, token.end))
        self._add_text(position, len(self.source))
        while self._open:
            self._pop(len(self.source))

    def _add_text(self, start: int, end: int) -> None:
        text = Span(max(start, self._window.start), min(end, self._window.end))
        if text.start < text.end:
            (self._open[-1].texts if self._open else self.outside).append(text)

    def _start(self, token: Token) -> int:
        """Read a start tag; return where it ends."""
        parent = self._open[-1] if self._open else None
        node = read_start_tag(self.source, token, parent)
        (self.roots if parent is None else parent.children).append(node)
        self.nodes.append(node)
        end = node.end
        if not (node.is_broken or node.is_empty):
            node.end = len(self.source)
            self._open.append(node)
            self._tags[node.tag] += 1
        return end

    def _close(self, token: Token) -> None:
        """End the element that an end tag names, and all elements that are open inside."""
        tag = token.name(self.source)
        if not self._tags[tag]:
            self.strays.append(Span(token.start, token.end))
            return
        while self._open[-1].tag != tag:
            self._pop(token.start)
        node = self._pop(token.start)
        node.is_closed = token.is_complete
        node.end = token.end
        node.close_span = Span(token.content, token.content + len(tag))

    def _pop(self, end: int) -> SyntaxNode:
        node = self._open.pop()
        self._tags[node.tag] -= 1
        node.end = end
        node.content = Span(node.content.start, end)
        return node


def read_start_tag(source: str, token: Token, parent: Optional[SyntaxNode]) -> SyntaxNode:
    """Return the element of a start tag; until more is read, the element ends with the tag."""
    tag = token.name(source)
    node = SyntaxNode(tag, token.start, parent)
    position = node.tag_span.end
    for found in tokenizer.attributes(source, position) if tag else ():
        value = Span(found.value_start, found.value_end) if found.value_start >= 0 else None
        position = found.end
        node.attributes.append(SyntaxAttribute(
            source[found.start:found.name_end], Span(found.start, found.name_end), value,
            found.is_closed, found.end))
    end = _TAG_END.match(source, tokenizer.attribute_start(source, position))
    if end is None or _NAME.fullmatch(tag) is None:
        node.is_broken = True
        node.end = max(token.end, position) if end is None else end.end()
        if end is None and tag:  # attributes may follow up to the next tag
            node.end = tokenizer.attribute_start(source, node.end)
        return node
    node.is_empty = node.is_closed = end[1] == '/'
    node.end = end.end()
    node.content = Span(end.end(), end.end())
    return node


Located = TypeVar('Located', SyntaxNode, Span)


def _last_before(parts: list[Located], offset: int) -> Optional[Located]:
    """Return the last of some ordered spans that starts before an offset."""
    index = bisect_left(parts, offset, key=attrgetter('start')) - 1
    return parts[index] if index >= 0 else None


# ---- the thing at an offset

class Cursor(NamedTuple):
    """
    The element, attribute or value at an offset.

    ``node`` is the element around the offset, or the one whose name is there. ``span`` is the
    name, value or text that is written there so far; ``attribute`` is the attribute that it
    belongs to.
    """

    kind: Literal['tag', 'end tag', 'attribute', 'value', 'text', 'nothing']
    node: Optional[SyntaxNode]
    span: Span
    attribute: Optional[SyntaxAttribute] = None

    @property
    def around(self) -> Optional[SyntaxNode]:
        """The element that would contain a new element written here."""
        return self.node.parent if self.kind == 'tag' and self.node is not None else self.node


def cursor_at(syntax: Syntax, offset: int) -> Cursor:
    """Return what is at an offset of a text."""
    here = Span(offset, offset)
    comment = _last_before(syntax.comments, offset)
    if comment is not None and offset < comment.end:
        return Cursor('nothing', None, here)
    node = syntax.node_at(offset)
    stray = _last_before(syntax.strays, offset - 1)
    if stray is not None and offset <= stray.end and syntax.source[stray.end - 1] != '>':
        return Cursor('end tag', node, Span(stray.start + 2, stray.end))
    if node is None:
        return Cursor('nothing', None, here)
    if node.tag_span.has(offset):
        return Cursor('tag', node, node.tag_span)
    if node.is_broken or offset < (node.end if node.is_empty else node.content.start):
        return _in_start_tag(node, offset)
    if node.close_span is not None and offset >= node.close_span.start - 1:
        return Cursor('end tag', node, node.close_span)
    text = syntax.text_span(node)
    return Cursor('text', node, text if text.has(offset) else here)


def _in_start_tag(node: SyntaxNode, offset: int) -> Cursor:
    for attribute in node.attributes:
        if attribute.value is not None and attribute.value.has(offset):
            return Cursor('value', node, attribute.value, attribute)
        if attribute.span.has(offset):
            return Cursor('attribute', node, attribute.span, attribute)
    return Cursor('attribute', node, Span(offset, offset))


# ---- recovery

class RecoveredText(NamedTuple):
    """
    A text made well-formed: faults became blanks, and end tags were inserted.

    ``of`` is the original text; ``inserted`` has the offsets in it at which text was inserted, and
    the lengths of the inserted texts.
    """

    of: str
    source: str
    inserted: tuple[tuple[int, int], ...]

    def original(self, offset: int) -> int:
        """Return the offset in the original text for an offset in this one."""
        shift = 0
        for position, length in self.inserted:
            if offset - shift <= position:
                break
            shift += min(length, offset - shift - position)
        return offset - shift

    def original_edits(self, edits: Iterable[tuple[Span, str]]) -> tuple[tuple[Span, str], ...]:
        """
        Return edits of this text as edits of the original.

        The result is empty if one of the edits changes a fault.
        """
        found = []
        for span, new in edits:
            part = Span(self.original(span.start), self.original(span.end))
            if self.source[span.start:span.end] == self.of[part.start:part.end]:
                found.append((part, new))
            elif part.start < part.end:
                return ()
        return tuple(found)  # edits of inserted end tags are left out


def recovered(
    syntax: Syntax, others: Callable[[SyntaxNode], Iterable[Span]] = lambda _: (),
) -> RecoveredText:
    """
    Return a text as well-formed XML, with the same lines, blanks for faults, and all end tags.

    ``others`` returns further parts of an element that become blanks.
    """
    source = syntax.source
    faults = [*syntax.strays, *syntax.outside]
    faults += [Span(one.start, one.end) for one in syntax.roots[1:]]
    faults += [Span(*found.span()) for found in _ENTITY.finditer(source)]
    faults += [Span(*found.span()) for found in re.finditer(tokenizer.ILLEGAL, source)]
    inserted: list[tuple[int, str]] = []
    for node in syntax.nodes:
        faults += [*_faults_of(node), *others(node)]
        if not (node.is_broken or node.is_closed):
            end = node.end if node.close_span is None else node.close_span.start - 2
            faults += [] if node.close_span is None else [Span(end, node.end)]
            inserted.append((end, f'</{node.tag}>'))
    inserted = [one for one in inserted if syntax.root and one[0] <= syntax.root.end]
    inserted.reverse()  # where several elements end, the innermost ends first
    return _applied(source, faults, sorted(inserted, key=lambda one: one[0]))


def _faults_of(node: SyntaxNode) -> Iterator[Span]:
    """Yield the faulty parts of a start tag: the whole tag, or incomplete attributes."""
    if node.is_broken:
        yield Span(node.start, node.end)
        return
    seen, position = set(), node.tag_span.end
    for attribute in node.attributes:
        start = attribute.span.start
        yield Span(position, start)
        if start == position or not attribute.is_closed or attribute.name in seen or (
                _NAME.fullmatch(attribute.name) is None):
            yield Span(start, attribute.end)
        seen.add(attribute.name)
        position = attribute.end
    yield Span(position, node.end - 2 if node.is_empty else node.content.start - 1)


def _applied(
    source: str, faults: list[Span], inserted: list[tuple[int, str]],
) -> RecoveredText:
    """Replace faults by blanks, except for line breaks, and insert texts."""
    characters = list(source)
    for start, end in faults:
        for index in range(start, min(end, len(characters))):
            if characters[index] not in '\r\n':
                characters[index] = ' '
    pieces, position = [], 0
    for offset, text in inserted:
        pieces += [*characters[position:offset], text]
        position = offset
    return RecoveredText(
        source, ''.join([*pieces, *characters[position:]]),
        tuple((offset, len(text)) for offset, text in inserted))
