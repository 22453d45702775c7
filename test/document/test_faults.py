# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Text that is not well-formed: what other parsers ignore, and explanations of the rest."""

from __future__ import annotations

from hrdf_ros.diagnostics import Report
from hrdf_ros.document import Document, parse, SourceFile, XmlElement
from hrdf_ros.document.faults import recover
from hrdf_ros.load import load
from hypothesis import given, strategies
import pytest

Found = list[tuple[str, object, object]]


def codes_and_places(text: str, *, anywhere: bool = False) -> tuple[bool, Found]:
    """Return whether there is a root element, and the codes with their places."""
    report = Report()
    source = SourceFile('a.xml', text.encode())
    root = parse(source, report, XmlElement, declaration_anywhere=anywhere)
    assert (root is None) == (not report.ok)
    places = [(found.code, found.resolve()) for found in report]
    return root is not None, [(code, at.line, at.column) for code, at in places if at is not None]


QUOTED = 'attributes are written name="value", in two quotes and with a space before each'
DECLARATION = '<?xml version="1.0"?>'


@pytest.mark.parametrize(('text', 'line', 'column'), [
    ('<!-- a -- b -->\n<a/>', 1, 8), ('<!-- a --->\n<a/>', 1, 8), ('<a>\n<!--é---></a>', 2, 6),
    (f'\n  {DECLARATION}<a/>', 2, 3), (f'{DECLARATION}\n{DECLARATION}<a/>', 2, 1),
    ('<?xml verison="1.0"?><a/>', 1, 1), ('<?xml ?><a/>', 1, 1),
    ('<?xml version="1.0" encodng="utf-8"?><a/>', 1, 1),
    ('<a/>\0', 1, 5), ('<a/>\n\0\0', 2, 1), ('<a/>\0<b', 1, 5),
])
def test_what_every_parser_ignores(text: str, line: int, column: int) -> None:
    assert codes_and_places(text) == (True, [('xml-recovered', line, column)])
    assert codes_and_places(text, anywhere=True) == (True, [('xml-recovered', line, column)])


@pytest.mark.parametrize(('text', 'column'), [
    (f'<!-- c -->{DECLARATION}<a/>', 11), (f'<a>{DECLARATION}</a>', 4), (f'<a/>{DECLARATION}', 5),
    (f'<?p?>{DECLARATION}<a/>', 6),
])
def test_a_declaration_after_something_is_for_some_parsers(text: str, column: int) -> None:
    assert codes_and_places(text)[0] is False
    assert codes_and_places(text, anywhere=True) == (True, [('xml-recovered', 1, column)])


@pytest.mark.parametrize('text', [
    '<a/><!-- a -- b', '<a', '<a/>x', '<a b="<!-- -- -->"/>', '<a>&nosuch;</a>', '\0<a/>'])
def test_what_no_parser_ignores(text: str) -> None:
    assert codes_and_places(text)[0] is False


def test_what_looks_like_a_fault_is_none() -> None:
    text = '<a x="--"><![CDATA[<!-- -- --><?xml ?>]]><!-- <?xml ?> <![CDATA[ --></a>'
    assert codes_and_places(text) == (True, [])
    assert recover(Document(SourceFile('a', text.encode())), Report()) is None


def test_raw_text_is_well_formed_and_places_stay() -> None:
    report = Report()
    root = parse(SourceFile('a', b'<a>\n<b><!-- -- --></b><c/></a>'), report, XmlElement)
    assert root is not None
    assert root.children[0].raw() == '<b><!--    --></b>'
    assert root.children[1].location.resolve().column == 19


@given(strategies.lists(strategies.sampled_from(
    ['<!--', '-->', '--', '-', '<?xml', ' ', '?>', 'version="1.0"', '<![CDATA[', ']]>', '<a>',
     '</a>', 'x', '\0', 'é', '\n']), max_size=12))
def test_recovering_keeps_length_and_lines(parts: list[str]) -> None:
    data = ''.join(parts).encode()
    report = Report()
    clean = recover(Document(SourceFile('a', data)), report, declaration_anywhere=True)
    assert (clean is None) == (len(report) == 0)
    if clean is not None:
        assert len(clean) == len(data) and (clean != data or b'--' in data)
    places = [found.location.offset() for found in report]
    assert places == sorted(places) and all(0 <= start < len(data) for start in places)


@pytest.mark.parametrize(('text', 'place', 'message', 'hint'), [
    ('<robot>\n<link>\n<joint>\n</link></robot>', '4:3',
     'mismatched tag: </link> does not close <joint>, which is opened on line 3',
     'add </joint> before it, or write <joint .../>'),
    ('<robot>\n<link>\n</lnk></robot>', '3:3',
     'mismatched tag: </lnk> does not close <link>, which is opened on line 2', 'write </link>'),
    ('<robot></\xe9\u4e2d></robot>', '1:10',
     'mismatched tag: </\xe9\u4e2d> does not close <robot>, which is opened on line 1',
     'write </robot>'),
    ('<robot>\n<link>', '2:7',
     'no element found: the file ends inside of <link>, which is opened on line 2', 'add </link>'),
    ('<robot/>\n<robot/>', '2:1', 'junk after document element',
     'a file has one root element; is an end tag too early or too many?'),
    ('<robot name="a><link/></robot>', '1:16', 'invalid token',
     'a quote is missing before this <'),
    ('<robot name=a></robot>', '1:13', 'invalid token',
     'the value of an attribute is in quotes: name="value"'),
    ('<robot name"a"></robot>', '1:12', 'invalid token', QUOTED),
    ('<robot name="a"version="1.0"/>', '1:16', 'invalid token', QUOTED),
    ('<robot><link</robot>', '1:13', 'invalid token',
     'a > is missing before this <'),
    ('<robot name="a & b"/>', '1:17', 'invalid token', 'write & as &amp;'),
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
