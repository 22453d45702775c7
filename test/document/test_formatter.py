# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""White space in order, and nothing else changed."""

from __future__ import annotations

from pathlib import Path
import re
from xml.parsers.expat import ParserCreate

from helpers.robots import CORPORA, described, name_of, REPOSITORY
from hrdf_ros import load
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceFile
from hrdf_ros.document.formatter import format_text, formatted, INDENTED_LEVELS
from hrdf_ros.model import Model
from hypothesis import given
from hypothesis import strategies as st
import pytest

SUFFIXES = ('.hrdf', '.sdf', '.world', '.skel', '.urdf', '.xacro')
FILES = [*described(REPOSITORY / 'examples', SUFFIXES), *described(CORPORA, SUFFIXES),
         *described(REPOSITORY / 'test' / 'diagnostics', SUFFIXES)]
INSIDE = st.lists(st.sampled_from([
    '<a>', '</a>', '<b c = "1"  d=\'<>\'/>'.replace('<>', ' > '), '<b\n  c="1"\r\n d="2"\n/>',
    '<!-- x\n  <y> -->', '<!---->', '<![CDATA[ <z> ]]>', '<?p i ?>', '  ', '\n', '\r\n', '\r',
    '\n\n\n', 'text', '&#32;', '\u00a0', '<s xml:space="preserve"> <t/> </s>', '<e> </e>',
    '<f></f>']), max_size=14).map(''.join)


def reformatted(data: bytes) -> bytes | None:
    """Return the bytes of a file after formatting, None where it is refused."""
    return formatted(SourceFile('f', data), Report())


def significant(data: bytes) -> list[object]:
    """Return all that a reader can see in a document: tags, attributes, texts, comments."""
    events: list[tuple[object, ...]] = []
    parser = ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = lambda *found: events.append(('start', *found))
    parser.EndElementHandler = lambda tag: events.append(('end', tag))
    parser.CommentHandler = lambda text: events.append(('comment', text))
    parser.ProcessingInstructionHandler = lambda *found: events.append(('instruction', *found))
    parser.StartCdataSectionHandler = lambda: events.append(('cdata',))
    parser.CharacterDataHandler = lambda text: events.append(('text', text))
    parser.Parse(data, True)
    return [
        event for before, event, after in zip(events, events[1:], events[2:])
        if event[0] != 'text' or str(event[1]).strip(' \t\r\n')
        or (before[0], after[0]) == ('start', 'end')]


def without_blanks_in_foreign_text(model: Model) -> str:
    """Return all of a Model but for places, with the white space of others' elements closed up."""
    text = repr(tuple(model._replace(source=None)))
    text = re.sub(r'<[^<>]*:\d+:\d+>|Location\([^()]*\(\)\)', '', text)
    return re.sub(r'(?:\\[nrt]| )+', ' ', text).replace('> <', '><').replace(' />', '/>')


@pytest.mark.parametrize(('text', 'expected'), [
    ('<a><b/><c>1 2</c></a>', '<a>\n  <b/>\n  <c>1 2</c>\n</a>\n'),
    ('<a>\n\n\n<b/>\n\n\n\n<c/>\n\n</a>', '<a>\n  <b/>\n\n  <c/>\n</a>\n'),
    ('<a ><b  c = "1"   d="2" /></a >', '<a>\n  <b c="1" d="2"/>\n</a>\n'),
    ('<a><b c="1"\n d="2"/></a>', '<a>\n  <b c="1"\n     d="2"/>\n</a>\n'),
    ('<a><b\nc="1" d="2"\n/></a>', '<a>\n  <b\n     c="1" d="2"/>\n</a>\n'),
    ('<a> <!-- x --> <b/><!--y-->\n<!-- z\n w --></a>',
     '<a> <!-- x -->\n  <b/> <!--y-->\n  <!-- z\n w -->\n</a>\n'),
    ('<a>\n <p> 1\n 2 </p> <q> </q><r></r></a>',
     '<a>\n  <p> 1\n 2 </p>\n  <q> </q>\n  <r></r>\n</a>\n'),
    ('<a>x <b/>\n<c/></a>', '<a>x <b/>\n<c/></a>\n'),
    ('<a><![CDATA[ ]]> <b/></a>', '<a><![CDATA[ ]]> <b/></a>\n'),
    ('<a><b xml:space="preserve"> <c/> </b></a>',
     '<a>\n  <b xml:space="preserve"> <c/> </b>\n</a>\n'),
    ('<?xml version="1.0"?><!DOCTYPE a><a/>', '<?xml version="1.0"?>\n<!DOCTYPE a>\n<a/>\n'),
    ('<a>\r\n<b/></a>', '<a>\r\n  <b/>\r\n</a>\r\n'),
    ('<!DOCTYPE r [ <!-- ]> <a> --> <?p ]> </b> ?> ]> <r> <a/> </r>',
     '<!DOCTYPE r [ <!-- ]> <a> --> <?p ]> </b> ?> ]>\n<r>\n  <a/>\n</r>\n'),
    ('<a b="1\n 2"/>', '<a b="1\n 2"/>\n'),
    ('\n <!-- x --> <a/> \n', '<!-- x -->\n<a/>\n')])
def test_white_space_is_put_in_order(text: str, expected: str) -> None:
    assert format_text(text) == expected
    assert format_text(expected) == expected


@pytest.mark.parametrize('text', ['<a{}/>', '<a b="1"{}>\n</a>', '<a b{}= "1"/>', '<a></a{}>'])
def test_many_blanks_in_a_tag_take_linear_time(text: str) -> None:
    """A pattern that goes back over a million blanks for each of them takes an hour."""
    wide, narrow = (format_text(text.format(' ' * count)) for count in (1 << 20, 1))
    assert wide.replace(' ', '') == narrow.replace(' ', '')


@given(INSIDE)
def test_any_document_keeps_all_but_its_white_space(inside: str) -> None:
    text = f'<a>{inside}</a>' if inside.count('<a>') == inside.count('</a>') else f'<r>{inside}'
    once = reformatted(text.encode())
    if once is not None:
        assert significant(once) == significant(text.encode())
        assert reformatted(once) == once


@pytest.mark.parametrize('file', FILES, ids=name_of)
def test_robots_mean_the_same(file: Path) -> None:
    """The Model is the same, the diagnostics too, and formatting again changes nothing."""
    data = file.read_bytes()
    once = reformatted(data)
    try:
        texts = data.decode(), (once or b'').decode()
    except UnicodeError:
        return
    before, after = (
        load(file, path=[str(CORPORA / 'sdf' / 'resources')], xacro=False,
             overlay={str(file.resolve()): text}) for text in texts)
    if once is None:
        assert b'<!ENTITY' in data or b'<!ATT' in data or before.report.diagnostics
        return
    assert significant(once) == significant(data)
    assert reformatted(once) == once
    assert [(one.code, one.severity) for one in before.report] == [
        (one.code, one.severity) for one in after.report]
    assert (before.model is None) == (after.model is None)
    if before.model is not None and after.model is not None:
        assert without_blanks_in_foreign_text(before.model) == without_blanks_in_foreign_text(
            after.model)


@pytest.mark.parametrize(('codec', 'mark', 'declared'), [
    ('utf-8', b'', ''), ('utf-8', b'\xef\xbb\xbf', ''), ('utf-16-le', b'\xff\xfe', 'UTF-16'),
    ('utf-16-be', b'\xfe\xff', 'UTF-16'), ('latin-1', b'', 'ISO-8859-1')])
def test_encoding_and_mark_stay(codec: str, mark: bytes, declared: str) -> None:
    declaration = f'<?xml version="1.0" encoding="{declared}"?>\n' if declared else ''
    text = declaration + '<a>\n<b c="\u00e4"/></a>'
    once = reformatted(mark + text.encode(codec))
    assert once == mark + (declaration + '<a>\n  <b c="\u00e4"/>\n</a>\n').encode(codec)


@pytest.mark.parametrize(('text', 'code'), [
    ('<a><b></a>', 'xml-syntax'), ('', 'xml-syntax'), ('<a><!-- -- --></a>', 'xml-recovered'),
    ('<!DOCTYPE a [<!ENTITY e "x">]><a/>', 'xml-dtd'), ('<a/>\0', 'xml-recovered'),
    ('<?xml version="1.0" encoding="nonsense"?><a/>', 'xml-encoding')])
def test_what_is_not_well_formed_is_refused(text: str, code: str) -> None:
    report = Report()
    assert formatted(SourceFile('f', text.encode()), report) is None
    assert [(one.code, one.severity) for one in report] == [(code, 'error')]


def test_deep_elements_are_indented_as_far_as_some_depth() -> None:
    depth = INDENTED_LEVELS + 10
    lines = format_text('<a>' * depth + '<b/>' + '</a>' * depth).split('\n')
    assert lines[INDENTED_LEVELS + 1] == lines[INDENTED_LEVELS] == '  ' * INDENTED_LEVELS + '<a>'
    assert lines[depth] == '  ' * INDENTED_LEVELS + '<b/>'
    assert lines[depth * 2] == '</a>'
