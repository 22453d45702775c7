# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""XML that is not a robot description: read by lxml, hardened."""

from __future__ import annotations

from hrdf_ros.data_files import parse_xml
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceFile
import pytest

DECLARED = '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>'


def refused(data: bytes) -> tuple[str, int | None]:
    """Return the code and line of the diagnostic that refuses a file."""
    report = Report()
    assert parse_xml(SourceFile('a.xml', data), report) is None
    found, = report
    place = found.resolve()
    assert place is not None and place.file == 'a.xml'
    return found.code, place.line


@pytest.mark.parametrize('text', [
    '<a>x<!-- c -->y<?p i?></a>', '<!DOCTYPE a><a>xy</a>',
    '<!DOCTYPE a SYSTEM "http://example.org/a.dtd" [<!-- c -->]><a>xy</a>'])
@pytest.mark.parametrize('encoding', ['utf-8', 'utf-8-sig', 'utf-16'])
def test_a_file_is_read(text: str, encoding: str) -> None:
    report = Report()
    assert parse_xml(SourceFile('a.xml', text.encode(encoding)), report).text == 'xy'
    assert not list(report)


@pytest.mark.parametrize('encoding', ['utf-8', 'utf-16'])
@pytest.mark.parametrize('text', [
    f'\n{DECLARED}', '<?p?>\n<!DOCTYPE a PUBLIC "[" \'>\' [<!-- ] --><!ELEMENT a (((a)))>]><a/>',
    f'<!DOCTYPE a [\n<!ELEMENT a {"(" * 200_000}'])
def test_declarations_are_refused(text: str, encoding: str) -> None:
    assert refused(text.encode(encoding)) == ('xml-dtd', 2)


@pytest.mark.parametrize('text', [
    '<a>\n<b></a>', '<a>\n&undeclared;</a>', '<!DOCTYPE a SYSTEM "a">\n<a>&undeclared;</a>'])
def test_what_is_not_well_formed_is_refused(text: str) -> None:
    assert refused(text.encode()) == ('xml-syntax', 2)


def test_depth_and_length_are_bounded() -> None:
    assert refused(b'<a>' * 10_000)[0] == 'xml-syntax'
    assert refused(b'<a>' + b'x' * 11_000_000 + b'</a>')[0] == 'xml-syntax'
