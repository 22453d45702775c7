# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Quick fixes: the edits that a diagnostic suggests.

They follow from what the diagnostic says, its hint included, and from what is at its place, so
that they fit a diagnostic that the editor has moved with the text.
"""

from __future__ import annotations

from collections.abc import Iterator
import re
from typing import NamedTuple

from hrdf_ros import codes
from hrdf_ros.document import escape
from hrdf_ros.lsp.buffer import Buffer
from hrdf_ros.lsp.places import place_at
from hrdf_ros.lsp.syntax import SyntaxNode
from hrdf_ros.lsp.text import Span

_MEANT = re.compile(r"(?:did you mean|\bshould be|^hint: write) '([^']+)'", re.MULTILINE)
_VERSION = re.compile(r'^hint: write version="([^"]+)"', re.MULTILINE)
_DASHES = re.compile('-(?=-)|(?<=-)-')
_CUT = '...'


class Edit(NamedTuple):
    """A text in place of a part of the text."""

    span: Span
    text: str


class Fix(NamedTuple):
    """A quick fix; ``is_preferred`` for the one that is most likely meant."""

    title: str
    edits: list[Edit]
    is_preferred: bool = True


def fixes(buffer: Buffer, code: str, message: str, start: int) -> Iterator[Fix]:
    """Yield the fixes of a diagnostic at an offset."""
    meant = _MEANT.search(message)
    version = _VERSION.search(message)
    if code in (codes.XML_RECOVERED.name, codes.XML_SYNTAX.name):
        yield from _comment(buffer, start)
        yield from _close(buffer, code, start)
    elif code == codes.MISSING_VERSION.name:
        yield from _versions(buffer)
    elif version is not None:
        yield from _version(buffer, version[1])
    elif meant is not None and not meant[1].endswith(_CUT):
        yield from _replace(buffer, meant[1], start)


def _replace(buffer: Buffer, word: str, start: int) -> Iterator[Fix]:
    """Yield the replacement of a tag, an attribute's name, a value or a text."""
    place = place_at(buffer.syntax, start + 1)
    if place.kind == 'tag':
        node = next(one for one in buffer.syntax.nodes if one.tag_span == place.span)
        spans = [place.span] if node.close_span is None else [place.span, node.close_span]
        yield Fix(f'Change to <{word}>', [Edit(span, word) for span in spans])
    elif place.kind in ('attribute', 'value', 'text') and place.span.start < place.span.end:
        yield Fix(f"Change to '{word}'", [Edit(place.span, escape(word))])


def _versions(buffer: Buffer) -> Iterator[Fix]:
    """Yield the newest version, and the one that a file without a version has."""
    language = buffer.language
    if language is not None:
        yield from _version(buffer, language.schema.versions[-1])
        for fix in _version(buffer, language.version):
            title = f'{fix.title}, as it is read now'
            yield fix._replace(title=title, is_preferred=False)


def _version(buffer: Buffer, version: str) -> Iterator[Fix]:
    """Yield the attribute with a version on the root element."""
    root = buffer.syntax.root
    if root is None:
        return
    attribute = root.attribute('version')
    if attribute is not None and attribute.value is not None:
        edit = Edit(attribute.value, version)
    else:
        edit = Edit(Span(root.tag_span.end, root.tag_span.end), f' version="{version}"')
    yield Fix(f'Set version="{version}"', [edit])


def _comment(buffer: Buffer, start: int) -> Iterator[Fix]:
    """Yield other characters for the dashes in a comment, as many."""
    for comment in buffer.syntax.comments:
        if comment.start <= start < comment.end:
            inside = Span(comment.start + len('<!--'), comment.end - len('-->'))
            text = buffer.text.source[inside.start:inside.end]
            edited = _DASHES.sub('=', text)
            edited = edited[:-1] + '=' if edited.endswith('-') else edited
            if edited != text:
                yield Fix("Replace '--' in the comment by '=='", [Edit(inside, edited)])


def _close(buffer: Buffer, code: str, start: int) -> Iterator[Fix]:
    """Yield the end tag of the last element before a fault that has none."""
    if code != codes.XML_SYNTAX.name:
        return
    for node in reversed(buffer.syntax.nodes):
        if node.start < start and _lacks_end_tag(node):
            yield Fix(f'Close <{node.tag}>', [Edit(Span(node.end, node.end), f'</{node.tag}>')])
            return


def _lacks_end_tag(node: SyntaxNode) -> bool:
    return bool(node.tag) and not (node.is_broken or node.is_closed) and node.close_span is None
