# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Positions and edits as the protocol has them: lines, and characters in units."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
import pytest

pytest.importorskip('lsprotocol')

from hrdf_ros.diagnostics import Location
from hrdf_ros.lsp.positions import Text
from lsprotocol import types as lsp

TEXTS = st.lists(st.sampled_from(
    ['a', 'é', '\U0001f916', '\n', '\r\n', '\r', ' ', '\u2028', '\x0c']), max_size=12).map(''.join)
ENCODINGS = st.sampled_from(['utf-8', 'utf-16', 'utf-32'])


@pytest.mark.parametrize(('encoding', 'character'), [('utf-8', 7), ('utf-16', 4), ('utf-32', 3)])
def test_units_of_columns(encoding: str, character: int) -> None:
    text = Text('x\né\U0001f916ab', encoding)
    assert text.position(5) == lsp.Position(1, character)
    assert text.offset(lsp.Position(1, character)) == 5
    assert text.offset(lsp.Position(1, 99)) == text.offset(lsp.Position(9, 0)) == 6


@pytest.mark.parametrize(('position', 'offset'), [
    ((0, 9), 1), ((1, 0), 3), ((1, 9), 4), ((2, 0), 5), ((3, 1), 8), ((4, 0), 9)])
def test_lines_end_as_the_protocol_says(position: tuple[int, int], offset: int) -> None:
    assert Text('a\r\nb\rc\n\u2028d').offset(lsp.Position(*position)) == offset


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
    assert Text('a\rb\nc').offset_of(Location('', line, column)) == offset
