# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What is not XML, but is read by tinyxml2, TinyXML 1 or pugixml."""

from __future__ import annotations

from hrdf_ros.diagnostics import Report
from hrdf_ros.document import parse, root_element, SourceFile
from hrdf_ros.document.recovery import recover
from hrdf_ros.load import load
from hypothesis import given, strategies
import pytest

Found = list[tuple[str, object, object]]


def codes_and_places(text: str, *, anywhere: bool = False) -> tuple[bool, Found]:
    """Tell whether there is a root element, and what is reported where."""
    report = Report()
    source = SourceFile('a.xml', text.encode())
    root = parse(source, report, declaration_anywhere=anywhere)
    assert (root is None) == (not report.ok)
    places = [(found.code, found.resolve()) for found in report]
    return root is not None, [(code, at.line, at.column) for code, at in places if at is not None]


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
    assert recover(text.encode()).faults == ()


def test_raw_text_is_well_formed_and_places_stay() -> None:
    report = Report()
    root = parse(SourceFile('a', b'<a>\n<b><!-- -- --></b><c/></a>'), report)
    assert root is not None
    assert root.children[0].raw() == '<b><!--    --></b>'
    assert root.children[1].location.resolve().column == 19


def test_the_root_element_is_found_after_a_fault() -> None:
    text = f'\ufeff\n<!-- -- -->{DECLARATION}<robot name="x"/>'
    assert root_element(SourceFile('a', text.encode())) == ('robot', {'name': 'x'})
    assert load(text.replace('<robot name="x"/>', '<robot name="x"><link name="l"/></robot>')).ok


@given(strategies.lists(strategies.sampled_from(
    ['<!--', '-->', '--', '-', '<?xml', ' ', '?>', 'version="1.0"', '<![CDATA[', ']]>', '<a>',
     '</a>', 'x', '\0', 'é', '\n']), max_size=12))
def test_recovering_keeps_length_and_lines(parts: list[str]) -> None:
    data = ''.join(parts).encode()
    clean, faults = recover(data, declaration_anywhere=True)
    assert len(clean) == len(data)
    assert bool(faults) == (clean != data) or b'--' in data
    assert all(0 <= fault.start < len(data) for fault in faults)
    assert list(faults) == sorted(faults)
