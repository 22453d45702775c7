# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Positions and edits as the protocol has them: lines, and characters in units."""

from __future__ import annotations

import time

from hrdf_ros.lsp.text import Lines, Text
from hypothesis import given
from hypothesis import strategies as st
import pytest

TEXTS = st.lists(st.sampled_from(
    ['a', 'é', '\U0001f916', '\n', '\r\n', '\r', ' ', '\u2028', '\x0c']), max_size=12).map(''.join)
ENCODINGS = st.sampled_from(['utf-8', 'utf-16', 'utf-32'])
POSITIONS = st.tuples(st.integers(0, 6), st.integers(0, 8))


@pytest.mark.parametrize(('encoding', 'character'), [('utf-8', 7), ('utf-16', 4), ('utf-32', 3)])
def test_units_of_columns(encoding: str, character: int) -> None:
    text = Text('x\né\U0001f916ab', encoding)
    assert text.position(5) == (1, character)
    assert text.offset((1, character)) == 5
    assert text.offset((1, 99)) == text.offset((9, 0)) == 6


@pytest.mark.parametrize(('position', 'offset'), [
    ((0, 9), 1), ((1, 0), 3), ((1, 9), 4), ((2, 0), 5), ((3, 1), 8), ((4, 0), 9)])
def test_lines_end_as_the_protocol_says(position: tuple[int, int], offset: int) -> None:
    assert Text('a\r\nb\rc\n\u2028d').offset(position) == offset


@given(TEXTS, ENCODINGS)
def test_offsets_and_positions_are_inverse(source: str, encoding: str) -> None:
    text = Text(source, encoding)
    for offset in range(len(source) + 1):
        if source[offset - 1:offset + 1] != '\r\n':
            assert text.offset(text.position(offset)) == offset


@pytest.mark.parametrize(('line', 'column', 'offset'), [
    (1, 1, 0), (1, 4, 3), (2, 1, 4), (2, 9, 5), (None, None, 0), (9, 1, 4)])
def test_places_of_diagnostics_are_separated_by_line_feeds_only(
        line: int, column: int, offset: int) -> None:
    assert Text('a\rb\nc').offset_of(line, column) == offset


@given(TEXTS, st.lists(st.tuples(POSITIONS, POSITIONS, TEXTS), max_size=4), ENCODINGS)
def test_edits_are_those_of_the_text(
        source: str, edits: list[tuple[tuple[int, int], tuple[int, int], str]],
        encoding: str) -> None:
    lines = Lines(source, encoding)
    for start, end, new in edits:
        text = Text(source, encoding)
        first = text.offset(start)
        source = source[:first] + new + source[max(first, text.offset(end)):]
        lines.replace(start, end, new)
        assert lines.source() == source


def test_many_edits_of_a_large_text_take_little_time() -> None:
    lines = Lines('<link name="a"/> <!-- 40 characters -->\n' * 120_000, 'utf-16')
    start = time.process_time()
    for index in range(200):
        lines.replace((index * 500, 12), (index * 500, 13), 'b')
    assert time.process_time() - start < 1.0
    assert lines.source().count('"b"') == 200
