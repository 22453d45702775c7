# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Reports: diagnostics in order, and how strictly they are taken."""

import pickle
import re

from hrdf_ros import codes
from hrdf_ros.codes import CODES
from hrdf_ros.diagnostics import Location, Report, Suggestion
from hrdf_ros.document import parse, SourceFile, XmlElement
import pytest

HERE = Location('a.xml', 3, 4, (Location('b.xml', 1, 2),))


def test_diagnostics_keep_their_order() -> None:
    report = Report()
    report.add(codes.NAME_CHANGED, 'one', HERE, severity='info')
    report.add(codes.XML_SYNTAX, 'two', hint='do', reference='FILE_READ')
    report.add(codes.UNKNOWN_ELEMENT, 'three')
    assert [(found.severity, found.code, found.message) for found in report] == [
        ('info', 'name-changed', 'one'), ('error', 'xml-syntax', 'two'),
        ('warning', 'unknown-element', 'three')]
    assert len(report) == 3
    first, second, _ = report
    assert first.resolve() == HERE
    assert second.resolve() is None
    assert (second.hint, second.reference) == ('do', 'FILE_READ')


def test_file_order_goes_into_includes() -> None:
    report = Report()
    for message, line, chain in (
            ('e', 9, ()), ('c', 2, (4,)), ('d', 1, (3, 5)), ('b', 7, (4, 1)), ('a', 1, ())):
        included = tuple(Location('f', number, 1) for number in reversed(chain))
        report.add(codes.XML_SYNTAX, message, Location('f', line, 1, included))
    report.add(codes.XML_SYNTAX, 'nowhere')
    report.sort(1)
    assert [found.message for found in report] == ['e', 'nowhere', 'a', 'd', 'b', 'c']


def test_strict_takes_warnings_for_errors_and_leaves_the_rest() -> None:
    report = Report()
    report.add(codes.NAME_CHANGED, 'one', severity='info')
    report.add(codes.NAME_CHANGED, 'two', HERE, hint='do', severity='warning')
    stricter = report.strict()
    assert [found.severity for found in stricter] == ['info', 'error']
    assert stricter.diagnostics[1].hint == 'do'
    assert [found.severity for found in report] == ['info', 'warning']


@pytest.mark.parametrize('code', CODES)
def test_codes_are_kebab_case_and_explained(code: str) -> None:
    assert re.fullmatch(r'[a-z0-9]+(-[a-z0-9]+)*', code)
    assert CODES[code].name == code


def test_long_messages_are_cut() -> None:
    report = Report()
    for name in ('n' * 600, 'n' * 1_000_000):
        message = f"the link '{name}' is missing"
        report.add(codes.DUPLICATE_NAME, message, hint=message)
    whole, cut = report
    assert whole.message == f"the link '{'n' * 600}' is missing"
    assert cut.hint == cut.message
    assert len(cut.message) == 655
    assert cut.message.startswith("the link 'nnn") and cut.message.endswith("nnn' is missing")


def test_a_suggestion_is_a_fix_where_the_word_is_in_the_file() -> None:
    text = b'<a>\n<lnk c="x"> jont </lnk\n></a>'
    report = Report()
    root = parse(SourceFile('f', text), report, XmlElement)
    assert root is not None
    [element] = root.children
    for word, location in (
            ('lnk', element.location), ('c', element.attribute_location('c')),
            ('x', element.attribute_location('c', 0)), ('jont', element.text_location()),
            ('y', element.attribute_location('c', 0)), ('c', None), ('c', Location('f', 1, 1))):
        report.add(
            codes.NAME_CHANGED, 'm', location, hint=Suggestion(word, lambda: 'a<b', 'other'))
    report.add(
        codes.NAME_CHANGED, 'm', element.location, hint=Suggestion('lnk', lambda: None, 'o'))
    *found, without = pickle.loads(pickle.dumps(report.diagnostics))
    assert {one.hint for one in found} == {"did you mean 'a<b'?"}
    assert (without.hint, without.fix) == ('o', None)
    edits = [() if one.fix is None else one.fix.resolve() for one in found]
    assert [[(edit.start.line, edit.start.column, edit.end.column, edit.text) for edit in several]
            for several in edits] == [
        [(2, 2, 5, 'a&lt;b'), (2, 20, 23, 'a&lt;b')], [(2, 6, 7, 'a&lt;b')],
        [(2, 9, 10, 'a&lt;b')], [(2, 13, 17, 'a&lt;b')], [], [], []]


@pytest.mark.parametrize(('text', 'edited'), [
    ('<sdf version="1.4"/>', '<sdf version="1.9"/>'), ('<sdf/>', '<sdf version="1.9"/>')])
def test_an_attribute_of_the_root_is_an_edit(text: str, edited: str) -> None:
    root = parse(SourceFile('f', text.encode()), Report(), XmlElement)
    assert root is not None
    [edit] = root.location.version_fix('1.9').resolve()
    assert edit.start.column and edit.end.column
    assert text[:edit.start.column - 1] + edit.text + text[edit.end.column - 1:] == edited


def test_severity_and_reference_are_those_of_the_code() -> None:
    report = Report()
    report.add(codes.SDF_RESERVED_NAME, 'one', HERE)
    found = report.diagnostics[0]
    assert (found.severity, found.reference) == ('error', 'RESERVED_NAME')
    assert str(found) == 'a.xml:3:4: error[sdf-reserved-name]: one'
    assert report.first_error is found
