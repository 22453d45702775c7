# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Answer a typed key: open lists of proposals, and write or remove end tags."""

from __future__ import annotations

import re
from typing import Optional

from hrdf_ros.lsp.names import Buffer
from hrdf_ros.lsp.positions import Span
from hrdf_ros.lsp.syntax import cursor_at
from lsprotocol import types as lsp

_END_TAG_REST = re.compile('[\\w.:-]*>?')
_END_TAG = re.compile(r'\s*</([\w.:-]+)\s*>')


def opens_a_list(buffer: Buffer, offset: int, key: str) -> bool:
    """
    Return whether a list of proposals may open by itself after a typed key.

    It may open after ``<`` in content, and after ``/`` and quotes inside a tag.
    """
    cursor = cursor_at(buffer.syntax, offset)
    if key == '<':
        return cursor.kind == 'tag'
    return cursor.kind in ('value', 'end tag')


def tag_names(buffer: Buffer, offset: int) -> Optional[tuple[Span, Span]]:
    """
    Return the names in the start and end tag of the element whose name is at an offset.

    There are none while the end tag is written: ``</skel`` may become the end tag of another
    element.
    """
    node = cursor_at(buffer.syntax, offset).node
    if node is None or node.close_span is None or not node.is_closed or node.is_broken:
        return None
    spans = node.tag_span, node.close_span
    return spans if any(span.has(offset) for span in spans) else None


def edits_after_key(buffer: Buffer, offset: int) -> list[lsp.TextEdit]:
    """
    Return the edits that belong to the ``>`` or ``</`` typed before an offset.

    A ``>`` adds the missing end tag of its element. A ``</`` removes the end tag that follows,
    which a ``>`` added.
    """
    source = buffer.text.source
    if source.endswith('>', 0, offset):
        tag = _missing_end_tag(buffer, offset)
        return [] if tag is None else [
            lsp.TextEdit(buffer.text.range_of(Span(offset, offset)), tag)]
    span = _superfluous_end_tag(buffer, offset) if source.endswith('</', 0, offset) else None
    return [] if span is None else [lsp.TextEdit(buffer.text.range_of(span), '')]


def _missing_end_tag(buffer: Buffer, offset: int) -> Optional[str]:
    """Return the missing end tag of an element whose start tag ends at an offset, else None."""
    node = buffer.syntax.node_at(offset)
    if node is None or node.is_broken or node.is_empty or node.content.start != offset:
        return None
    # the end tag of this element may be missing from an element of the same name around it
    is_closed = all(one.is_closed for one in node.path() if one.tag == node.tag)
    return None if is_closed else f'</{node.tag}>'


def _superfluous_end_tag(buffer: Buffer, offset: int) -> Optional[Span]:
    """
    Return the end tag that follows the ``</`` before an offset, with the white space before it.

    The name and ``>`` after that ``</`` may be there already, since keys come faster than
    requests.
    """
    syntax, start = buffer.syntax, offset - len('</')
    node = syntax.node_at(start)
    if node is None or node.is_broken or start < node.content.start:
        return None
    typed = _END_TAG_REST.match(buffer.text.source, offset)
    following = _END_TAG.match(buffer.text.source, typed.end()) if typed else None
    if typed is None or following is None or following[1] != node.tag:
        return None
    if typed[0].endswith('>'):
        is_extra = any(buffer.text.source.startswith(f'</{node.tag}', stray.start)
                       for stray in syntax.strays if stray.start >= typed.end())
    else:
        is_extra = node.close_span is not None and node.close_span.start == following.start(1)
    return Span(*following.span()) if is_extra else None
