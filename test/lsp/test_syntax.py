# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Elements of texts that are not well-formed."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from helpers.robots import described, name_of, REPOSITORY
from hrdf_ros.lsp.syntax import recovered, Syntax
from hypothesis import given
from hypothesis import strategies as st
import pytest

EXAMPLES = described(
    REPOSITORY / 'examples', ('.hrdf', '.sdf', '.skel', '.urdf', '.xacro'))
MARKUP = st.lists(st.sampled_from([
    '<a>', '<b c="1">', '<b c="&amp;"/>', '</a>', '</b>', '<', '<a', 'c=', '"', '&', '<!--', '-->',
    '<![CDATA[', ']]>', '<?x', '?>', ' ', '\n', 'text', '\U0001f916', '<1>', '<b c=1 c="2" c="3">',
    '<!DOCTYPE a>', '>', '/>']), max_size=14).map(''.join)


@pytest.mark.parametrize(('text', 'expected'), [
    ('<a><b><c></b></a>', '<a><b><c></c></b></a>'),
    ('<a><b\n</a>', '<a>  \n</a>'),
    ('<a>&x; & &amp;</a>', '<a> x;   &amp;</a>'),
    ('<a b="1" b="2" c d=3 e="4"/>', '<a b="1"             e="4"/>'),
    ('<a></b></a><c/>', '<a>    </a>    '),
    ('<a><b', '<a>  </a>'),
    ('x<a/>', ' <a/>')])
def test_a_text_is_recovered_as_xml(text: str, expected: str) -> None:
    assert recovered(Syntax(text)).source == expected


@given(MARKUP)
def test_any_markup_is_recovered(inside: str) -> None:
    """Whatever is in an element: the recovered text is XML of the same lines."""
    text = f'<r>{inside}</r>'
    found = recovered(Syntax(text))
    if not any(one in inside for one in ('<!--', '<?', '<!', '--', ']]>')):
        ElementTree.fromstring(found.source)
    assert found.source.count('\n') == text.count('\n')
    assert 0 <= found.original(len(found.source)) <= len(text)


@pytest.mark.parametrize('file', EXAMPLES, ids=name_of)
def test_elements_of_the_examples_are_those_of_a_parser(file: Path) -> None:
    text = file.read_text(encoding='utf-8')
    assert [node.tag for node in Syntax(text).nodes] == [
        element.tag.replace('{http://www.ros.org/wiki/xacro}', 'xacro:')
        for element in ElementTree.fromstring(text.encode()).iter()]
    assert recovered(Syntax(text)).source == text


def test_deep_and_long_texts_take_linear_time() -> None:
    for text in ('<a>' * 40_000, '<' * 40_000, '<a b="' * 20_000, '</a>' * 20_000,
                 '<a ' + 'b="1" ' * 20_000, '<a><!-- ' * 20_000):
        assert recovered(Syntax(text)).source.count('\n') == 0
