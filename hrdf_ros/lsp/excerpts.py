# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The elements around a place of a large text, found without reading all of it at each keystroke.

The text is kept in pieces that begin with a tag. Each piece knows its tags whose partner is in
another piece, so the elements that are open at a place follow from a few tags of each piece before
it. After a change, only the changed pieces are read again.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple, Optional

from hrdf_ros.document import tokenizer
from hrdf_ros.document.tokenizer import Token
from hrdf_ros.lsp.positions import Span
from hrdf_ros.lsp.syntax import Excerpt, read_start_tag, Syntax

_PIECE = 1 << 13
"""The fewest characters of a piece, except of the last one."""


class Piece(NamedTuple):
    """
    A part of a text that begins with a tag and ends before the next piece.

    ``single`` are its tags whose partner is in another piece, with offsets from its start: start
    tags of elements that end elsewhere, and end tags of elements that begin elsewhere.
    """

    length: int
    single: tuple[Token, ...]


class Pieces:
    """A large, immutable text in pieces."""

    def __init__(self, source: str, pieces: tuple[Piece, ...] = ()) -> None:
        self.source = source
        self._pieces = pieces or tuple(_cut(source, 0, frozenset()))
        self._starts = [0, *accumulate(one.length for one in self._pieces)]
        """The offset at which each piece starts, and the end of the text."""

    def changed(self, span: Span, source: str) -> Pieces:
        """Return the pieces of a text in which a span was replaced; other pieces are kept."""
        shift = len(source) - len(self.source)
        # a tag at the end of the previous piece may continue in the replaced text
        first = max(bisect_left(self._starts, span.start) - 1, 0)
        after = bisect_right(self._starts, span.end)
        known = {start + shift: index for index, start in enumerate(self._starts[after:-1], after)}
        new = tuple(_cut(source, self._starts[first], frozenset(known)))
        end = self._starts[first] + sum(one.length for one in new)
        kept = self._pieces[known[end]:] if end in known else ()
        return Pieces(source, (*self._pieces[:first], *new, *kept))

    def around(self, offset: int) -> Syntax:
        """Return the elements of the pieces next to an offset, and the elements around those."""
        index = min(bisect_right(self._starts, offset), len(self._pieces)) - 1
        first, end = max(index - 1, 0), min(index + 2, len(self._pieces))
        window = Span(self._starts[first], self._starts[end])
        return Syntax(self.source, Excerpt(window, self._tokens(first, end, window)))

    def _tokens(self, first: int, end: int, window: Span) -> Iterator[Token]:
        """Yield all tags of some pieces, and the single tags of all others."""
        yield from self._single(0, first)
        for token in tokenizer.tokens(self.source, window.start):
            if token.start >= window.end:
                break
            yield token
        yield from self._single(end, len(self._pieces))

    def _single(self, first: int, end: int) -> Iterator[Token]:
        for start, piece in zip(self._starts[first:end], self._pieces[first:end]):
            for one in piece.single:
                yield one._replace(
                    start=one.start + start, content=one.content + start, end=one.end + start)


def _cut(source: str, start: int, known: frozenset[int]) -> Iterator[Piece]:
    """Yield the pieces of a text from an offset up to the start of a known piece."""
    single: list[Token] = []
    names: list[Optional[str]] = []
    """The names of the tags in ``single``, or None for end tags."""
    for token in tokenizer.tokens(source, start):
        is_known = token.start in known
        if token.start > start and (is_known or token.start - start >= _PIECE):
            yield Piece(token.start - start, tuple(single))
            single, names, start = [], [], token.start
            if is_known:
                return
        if token.kind == 'close':
            if names and names[-1] == token.name(source):
                names.pop()
                single.pop()
                continue
        elif token.kind != 'open' or not _opens(source, token):
            continue
        names.append(token.name(source) if token.kind == 'open' else None)
        single.append(token._replace(
            start=token.start - start, content=token.content - start, end=token.end - start))
    yield Piece(len(source) - start, tuple(single))


def _opens(source: str, token: Token) -> bool:
    """Return whether a start tag opens an element; an incomplete tag may be empty or broken."""
    if token.is_complete:
        return True
    node = read_start_tag(source, token, None)
    return not (node.is_broken or node.is_empty)
