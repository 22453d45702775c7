# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What is said about text that is not well-formed."""

from __future__ import annotations

from hrdf_ros import load
import pytest

QUOTED = 'attributes are written name="value", in two quotes and with a space before each'


@pytest.mark.parametrize(('text', 'place', 'message', 'hint'), [
    ('<robot>\n<link>\n<joint>\n</link></robot>', '4:3',
     'mismatched tag: </link> does not close <joint>, which is opened on line 3',
     'add </joint> before it, or write <joint .../>'),
    ('<robot>\n<link>\n</lnk></robot>', '3:3',
     'mismatched tag: </lnk> does not close <link>, which is opened on line 2', 'write </link>'),
    ('<robot>\n<link>', '2:7',
     'no element found: the file ends inside of <link>, which is opened on line 2', 'add </link>'),
    ('<robot/>\n<robot/>', '2:1', 'junk after document element',
     'a file has one root element; is an end tag too early or too many?'),
    ('<robot name="a><link/></robot>', '1:16', 'not well-formed (invalid token)',
     'a quote is missing before this <'),
    ('<robot name=a></robot>', '1:13', 'not well-formed (invalid token)',
     'the value of an attribute is in quotes: name="value"'),
    ('<robot name"a"></robot>', '1:12', 'not well-formed (invalid token)', QUOTED),
    ('<robot name="a"version="1.0"/>', '1:16', 'not well-formed (invalid token)', QUOTED),
    ('<robot><link</robot>', '1:13', 'not well-formed (invalid token)',
     'a > is missing before this <'),
    ('<robot name="a & b"/>', '1:17', 'not well-formed (invalid token)', 'write & as &amp;'),
    ('<robot a="1" a="2"/>', '1:14', 'duplicate attribute', 'remove one of the two'),
])
def test_syntax_errors_say_what_to_do(text: str, place: str, message: str, hint: str) -> None:
    for kind in ('hrdf', 'sdf', 'skel', 'urdf'):
        [found] = load(text, format=kind).report
        assert found.code == 'xml-syntax'
        assert str(found.resolve()) == f'<text>:{place}'
        assert found.message == f'not well-formed XML: {message}'
        assert found.hint == hint


def test_long_and_strange_tags_are_bounded() -> None:
    text = f"<robot><{'a' * 5000}></{'b' * 5000}></robot>"
    [found] = load(text, format='urdf').report
    assert len(found.message) < 700
    [found] = load('<robot></\xe9\u4e2d></robot>', format='urdf').report
    assert '</\xe9\u4e2d> does not close <robot>' in found.message
