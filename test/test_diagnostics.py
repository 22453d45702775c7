# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Reports: diagnostics in order, and how strictly they are taken."""

import re

from hrdf_ros import codes
from hrdf_ros.codes import CODES
from hrdf_ros.diagnostics import Location, Report
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


def test_a_location_is_written_as_far_as_it_is_known() -> None:
    assert str(Location('a.sdf', 3, 4)) == 'a.sdf:3:4'
    assert str(Location('a.sdf')) == 'a.sdf'


def test_long_lists_end_in_a_count() -> None:
    def line(count: int) -> str:
        report = Report()
        names = ', '.join(f"'j{index}'" for index in range(count))
        report.add(codes.LINK_ADDED, f'joints: {names}; links are added')
        return str(report.diagnostics[0])
    assert line(12).endswith("'j10', 'j11'; links are added")
    assert line(91).endswith("'j9', 'j10' and 80 more; links are added")


def test_only_errors_make_it_bad() -> None:
    report = Report()
    assert report.ok
    report.add(codes.NAME_CHANGED, '', severity='info')
    report.add(codes.NAME_CHANGED, '', severity='warning')
    assert report.ok
    report.add(codes.NAME_CHANGED, '', severity='error')
    assert not report.ok


def test_strict_takes_warnings_for_errors_and_leaves_the_rest() -> None:
    report = Report()
    report.add(codes.NAME_CHANGED, 'one', severity='info')
    report.add(codes.NAME_CHANGED, 'two', HERE, hint='do', severity='warning')
    stricter = report.strict()
    assert [found.severity for found in stricter] == ['info', 'error']
    assert stricter.diagnostics[1].hint == 'do'
    assert [found.severity for found in report] == ['info', 'warning']


def test_reports_add_up() -> None:
    report, other = Report(), Report()
    report.add(codes.NAME_CHANGED, 'one', severity='info')
    other.add(codes.NAME_CHANGED, 'two', severity='info')
    report.extend(other)
    assert [found.message for found in report] == ['one', 'two']
    assert len(other) == 1


def test_severity_and_reference_are_those_of_the_code() -> None:
    report = Report()
    report.add(codes.SDF_RESERVED_NAME, 'one', HERE)
    found = report.diagnostics[0]
    assert (found.severity, found.reference) == ('error', 'RESERVED_NAME')
    assert str(found) == 'a.xml:3:4: error[sdf-reserved-name]: one'
    assert report.first_error is found


@pytest.mark.parametrize('code', CODES)
def test_codes_are_kebab_case_and_explained(code: str) -> None:
    assert re.fullmatch(r'[a-z0-9]+(-[a-z0-9]+)*', code)
    assert CODES[code].name == code
    assert CODES[code].summary and not CODES[code].summary.endswith('.')


@pytest.mark.parametrize(('message', 'expected'), [
    ("the link 'arm' is missing", "the link 'arm' is missing"),
    (f"unknown element <{'u' * 80}> in <link>; ignored",) * 2,
    (f"unknown element <{'u' * 81}> in <link>; ignored",
     f"unknown element <{'u' * 80}...> in <link>; ignored"),
    (f"two links are named '{'n' * 1_000_000}'", f"two links are named '{'n' * 80}...'"),
    (f"the mesh file '/home/{'n' * 300}' is not found",) * 2,
    (f"the mesh file '/home/{'n' * 400}'", f"the mesh file '/home/{'n' * 314}...'"),
    ('x' * 3000, 'x' * 2000 + '...'),
])
def test_long_names_are_cut(message: str, expected: str) -> None:
    report = Report()
    report.add(codes.DUPLICATE_NAME, message, hint=message)
    assert (report.diagnostics[0].message, report.diagnostics[0].hint) == (expected, expected)
