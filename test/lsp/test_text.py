# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Positions, edits, places of diagnostics."""

from __future__ import annotations

from hrdf_ros.lsp.text import Change, Position, Text
from hypothesis import given
from hypothesis import strategies as st
import pytest

TEXTS = st.text(st.sampled_from('ab\u00e4\u20ac\U0001f916\n\r\u2028\x0c\x85'), max_size=40)


@pytest.mark.parametrize(('encoding', 'character'), [('utf-8', 5), ('utf-16', 3), ('utf-32', 2)])
def test_characters_count_in_the_unit_that_was_agreed_on(encoding: str, character: int) -> None:
    text = Text('x\na\U0001f916b', encoding)
    assert text.position(4) == Position(1, character)
    assert text.offset(Position(1, character)) == 4


def test_only_the_line_ends_of_the_protocol_end_lines() -> None:
    text = Text('a\u2028b\x0cc\x85d\r\ne\rf\ng')
    assert [text.position(offset).line for offset in range(15)] == [
        0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3]


def test_a_position_beyond_its_line_is_its_end() -> None:
    text = Text('ab\r\ncd')
    assert text.offset(Position(0, 99)) == 2
    assert text.offset(Position(9, 0)) == 6


@given(TEXTS, st.sampled_from(['utf-8', 'utf-16', 'utf-32']))
def test_positions_lead_back_to_their_offsets(source: str, encoding: str) -> None:
    text = Text(source, encoding)
    for offset in range(len(source) + 1):
        if source[offset - 1:offset + 1] != '\r\n':
            assert text.offset(text.position(offset)) == offset


@given(TEXTS, TEXTS, st.data())
def test_an_edit_replaces_a_range(source: str, new: str, data: st.DataObject) -> None:
    offsets = st.integers(0, len(source)).filter(
        lambda offset: source[offset - 1:offset + 1] != '\r\n')
    start, end = sorted((data.draw(offsets), data.draw(offsets)))
    text = Text(source)
    changed = text.changed(Change(text.position(start), text.position(end), new))
    assert changed.source == source[:start] + new + source[end:]


def test_diagnostics_count_code_points_and_lines_by_lf() -> None:
    text = Text('a\rb\nc\U0001f916d')
    assert text.offset_of(1, 3) == 2
    assert text.offset_of(2, 3) == 6
    assert text.offset_of(9, 9) == 7
