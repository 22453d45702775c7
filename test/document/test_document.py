# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""XML made safe and located: nodes, places, and what is refused."""

from __future__ import annotations

from resource import getrusage, RUSAGE_SELF
from typing import Optional
from xml.etree import ElementTree

from hrdf_ros.diagnostics import Report
from hrdf_ros.document import Document, parse, root_element, SourceFile, SourceRef, XmlElement
from hrdf_ros.limits import ResourceLimits
from hypothesis import given, strategies
import pytest


def read(text: str | bytes, report: Optional[Report] = None) -> XmlElement:
    data = text if isinstance(text, bytes) else text.encode('utf-8')
    root = parse(SourceFile('a.xml', data), report if report is not None else Report(), XmlElement)
    assert root is not None
    return root


def refused(text: str | bytes) -> tuple[str, Optional[int], Optional[int]]:
    """Return code, line and column of the only diagnostic, with which nothing is returned."""
    data = text if isinstance(text, bytes) else text.encode('utf-8')
    report = Report()
    assert parse(SourceFile('a.xml', data), report, XmlElement) is None
    [found] = report
    assert found.severity == 'error'
    at = found.resolve()
    assert at is not None
    return found.code, at.line, at.column


def place_of(location: SourceRef) -> tuple[Optional[int], Optional[int]]:
    at = location.resolve()
    return at.line, at.column


@pytest.mark.parametrize(('content', 'text'), [
    ('', ''), ('  \n ', ''), (' 1 2 ', '1 2 '), ('<!-- c -->1', '1'), ('1<!-- c -->2', '1'),
    ('<![CDATA[1 < 2]]>', '1 < 2'), ('1<b/>2', '1'), ('<b/>2', ''), ('&lt;&#49;&amp;', '<1&'),
    ('<?pi x?>1', '1'), ('0.5 ' * 10_000, '0.5 ' * 10_000),
])
def test_text_is_the_first_run_before_any_child(content: str, text: str) -> None:
    assert read(f'<a>{content}</a>').text == text


@pytest.mark.parametrize(('content', 'places'), [
    ('1<b/>2', [(1, 9)]), ('<b/>\n  x', [(2, 3)]), ('1', []), ('1<!-- c -->2', [(1, 15)]),
    ('<?pi x?>', [(1, 4)]), ('<b/>é 2<b/>3', [(1, 8), (1, 15)]),
])
def test_text_that_no_value_is_read_from(content: str, places: list[tuple[int, int]]) -> None:
    document = read(f'<a>{content}</a>').document
    assert [place_of(location) for location in document.stray] == places


TEXT = """<?xml version="1.0"?>
<!-- é -->
<a one = "1"
\ttwo='é 2'>
  <b>
    <!-- c --> 1 x</b><c three="&lt;&#x41;\u00e9&amp;q"/>
  <d><![CDATA[ 7y ]]></d>
</a>
"""


def test_places_of_elements_attributes_and_characters() -> None:
    root = read(TEXT)
    one, two, seven = root.children
    assert [place_of(node.location) for node in root.walk()] == [(3, 1), (5, 3), (6, 23), (7, 3)]
    assert [place_of(found) for found in (
        root.attribute_location('one'), root.attribute_location('one', 0),
        root.attribute_location('two'), root.attribute_location('two', 2), one.text_location(),
        one.text_location(2), seven.text_location(1))] == [
            (3, 4), (3, 11), (4, 2), (4, 9), (6, 16), (6, 18), (7, 17)]
    references = [place_of(two.attribute_location('three', index))[1] for index in range(5)]
    assert references == [33, 37, 43, 44, 49]
    like_attributes = read('<a title="x=\'1\' >" x="2"/>')
    assert place_of(like_attributes.attribute_location('x', 0)) == (1, 23)


@pytest.mark.parametrize('end', ['\n', '\r\n'])
def test_lines_may_end_either_way(end: str) -> None:
    root = read(f'<a>{end}<b x="1{end}2"/>{end}  <c/></a>')
    assert place_of(root.children[1].location) == (4, 3)
    assert place_of(root.children[0].attribute_location('x', 2)) == (3, 1)
    assert root.document.lines.excerpt(root.children[0].start, 9).after == '<b x="1'


@pytest.mark.parametrize(('start', 'excerpt'), [
    (0, ('', 'one', False, False)), (2, ('on', 'e', False, False)),
    (3, ('one', '', False, False)), (4, ('', 'two', False, False)),
    (9, ('', '', False, False)), (10, ('', '日本', False, True)),
    (16, ('日本', '日本', False, True)), (19, ('本日', '本日', True, False)),
    (25, ('本日', '', True, False)),
])
def test_excerpts(start: int, excerpt: tuple[object, ...]) -> None:
    document = Document(SourceFile('a.xml', 'one\ntwo\r\n\n日本日本日'.encode()))
    assert document.lines.excerpt(start, 8) == excerpt


@given(strategies.text('a\né日\t', max_size=40), strategies.integers(1, 400), strategies.data())
def test_points_are_counted_as_python_counts(
        text: str, times: int, data: strategies.DataObject) -> None:
    text *= times
    index = data.draw(strategies.integers(0, len(text)))
    at = Document(SourceFile('a.xml', text.encode())).point(len(text[:index].encode()))
    assert at.line == text.count('\n', 0, index) + 1
    assert at.column == index - (text.rfind('\n', 0, index) + 1) + 1


def test_many_diagnostics_on_one_long_line() -> None:
    root = read('<a>' + '<b/>' * 100_000 + '</a>')
    columns = [place_of(node.location)[1] for node in root.children]
    assert columns == list(range(4, 400_004, 4))


def test_include_chains_list_the_innermost_first() -> None:
    outer = Document(SourceFile('outer', b'<a>\n <i/>'))
    middle = Document(SourceFile('middle', b'<i/>', SourceRef(outer, 5)))
    inner = Document(SourceFile('inner', b'\n\n<x/>', SourceRef(middle, 0)))
    at = inner.location(2)
    assert (at.file, at.line, at.column) == ('inner', 3, 1)
    assert [(each.file, each.line, each.column) for each in at.included_from] == [
        ('middle', 1, 1), ('outer', 2, 2)]


# ---- raw text

@pytest.mark.parametrize('element', [
    '<b/>', '<b x="/>"/>', '<b></b>', '<b>/></b>', '<b ><c/><b/></b >', "<b x='>'>é</b>",
    '<b><![CDATA[</b>]]></b>', '<b><!-- </b> --></b>', '<b\n/>'])
@pytest.mark.parametrize(
    'context', ['<b>{}</b>', '<a>{}<c/></a>', '<a>{} text</a>', '<a>{}\n</a>'])
def test_raw_text_is_to_the_byte(element: str, context: str) -> None:
    assert read(context.format(element)).children[0].raw() == element


TREES = strategies.recursive(
    strategies.builds(lambda tag, x: (tag, {'x': x}, []), strategies.sampled_from('abc'),
                      strategies.text('<>"\'/é& \n', max_size=5)),
    lambda below: strategies.builds(
        lambda tag, children: (tag, {}, children), strategies.sampled_from('abc'),
        strategies.lists(below, max_size=4)))


def built(tree: tuple) -> ElementTree.Element:
    tag, attributes, children = tree
    element = ElementTree.Element(tag, attributes)
    element.extend(built(child) for child in children)
    return element


@given(TREES)
def test_every_element_is_read_as_others_read_it(tree: tuple) -> None:
    text = ElementTree.tostring(built(tree), encoding='unicode')
    for node, element in zip(read(text).walk(), ElementTree.fromstring(text).iter(), strict=True):
        assert (node.tag, dict(node.attributes)) == (element.tag, element.attrib)
        assert text.encode().startswith(node.raw().encode(), node.start)
        again = ElementTree.fromstring(node.raw())
        assert ElementTree.tostring(again) == ElementTree.tostring(element)


@given(strategies.binary(max_size=50))
def test_no_bytes_crash(data: bytes) -> None:
    report = Report()
    assert (parse(SourceFile('a.xml', data), report, XmlElement) is None) == (not report.ok)
    for found in report:
        assert found.resolve() is not None
    root_element(SourceFile('a.xml', data))


# ---- what is refused

@pytest.mark.pins('xml-syntax')
@pytest.mark.parametrize(('text', 'line', 'column'), [
    ('', 1, 1), ('  \n', 2, 1), ('<a>\n<b></a>', 2, 6), ('<a x="1" x="2"/>', 1, 10),
    ('<a/><b/>', 1, 5), ('<a>&nosuch;</a>', 1, 4), ('<a>\n  <b', 2, 3), ('text', 1, 1),
])
def test_bad_xml(text: str, line: int, column: int) -> None:
    assert refused(text) == ('xml-syntax', line, column)


@pytest.mark.pins('xml-encoding')
@pytest.mark.parametrize(('data', 'line', 'column'), [
    (b'<a>\n\xff</a>', 2, 1), (b'<?xml version="1.0" encoding="klingon"?><a/>', 1, 1),
    (b'<?xml version="1.0" encoding="Punycode"?><a/>' + b'-a9' * 1_000_000, 1, 1),
    (b'<?xml version="1.0" encoding="idna"?><a/>', 1, 1),
    (b'<?xml version="1.0" encoding="ascii"?>\n<a>\xc3\xa9</a>', 2, 4),
    ('<a>\né'.encode('utf-16') + b'd', 2, 2), (b'\xef\xbb\xbf<\xc3\xa9>\xff', 1, 4),
    (b'\xef\xbb\xbf\xef\xbb\xbf<a/>', 1, 1), ('<a/>'.encode('utf-16-le'), 1, 1),
    ('<a/>'.encode('utf-16-be'), 1, 1), ('\0<a/>'.encode('utf-16'), 1, 1),
])
def test_bad_encodings(data: bytes, line: int, column: int) -> None:
    assert refused(data) == ('xml-encoding', line, column)


@pytest.mark.parametrize('encoding', ['utf-8', 'utf-8-sig', 'utf-16', 'utf-16-le', 'latin-1'])
def test_good_encodings(encoding: str) -> None:
    declared = encoding if encoding == 'latin-1' else encoding[:6].rstrip('-')
    text = f'<?xml version="1.0" encoding="{declared}"?>\n<a x="é"/>'
    data = text.encode(encoding)
    if encoding == 'utf-16-le':
        data = b'\xff\xfe' + data
    root = read(data)
    assert root.get('x') == 'é'
    assert place_of(root.attribute_location('x', 1)) == (2, 8)


@pytest.mark.pins('xml-dtd')
@pytest.mark.parametrize('declaration', [
    '<!ENTITY lol "lol">', '<!ENTITY % p "x">', '<!ENTITY x SYSTEM "file:///etc/passwd">',
    '<!ATTLIST a x CDATA "1">', '<!ELEMENT a ANY>', '<!NOTATION n SYSTEM "n">',
    '<!ENTITY x SYSTEM "y" NDATA z>'])
def test_declarations_in_a_dtd(declaration: str) -> None:
    assert refused(f'<!DOCTYPE a [\n{declaration}]>\n<a>&lol;</a>') == ('xml-dtd', 2, 1)


@pytest.mark.parametrize('encoding', ['utf-8', 'utf-16', 'utf-7'])
@pytest.mark.parametrize('subset', [
    f'<!ELEMENT a {"(" * 200_000}', '<!-- ]> --><?p ]>?>%p;<!ENTITY b "">',
    '<!ENTITY e0 "">' + ''.join(
        f'<!ENTITY e{i + 1} "&e{i};">' for i in range(60_000)) + ']><a>&e60000;</a>'])
def test_declarations_reach_no_parser(subset: str, encoding: str) -> None:
    text = f'<?xml version="1.0" encoding="{encoding}"?>\n<!DOCTYPE a PUBLIC "[" \'>\' [{subset}'
    assert refused(text.encode(encoding))[:2] == ('xml-dtd', 2)
    assert root_element(SourceFile('a', text.encode(encoding))) in (None, ('a', {}))


@pytest.mark.parametrize('text', [
    '<!DOCTYPE a [{}]><a/>', '<a {}', '<!DOCTYPE {}', '<!-- {} --><a/>'])
@pytest.mark.parametrize('part', ['<!-- x -->', '"', '"\'', '--', '<?p?>'])
def test_markup_takes_little_memory(text: str, part: str) -> None:
    data = text.format(part * 100_000).encode()
    before = getrusage(RUSAGE_SELF).ru_maxrss
    root_element(SourceFile('a', data))
    assert getrusage(RUSAGE_SELF).ru_maxrss - before < 1 << 13


@pytest.mark.parametrize(('doctype', 'column'), [
    ('<!DOCTYPE a><!DOCTYPE a [<!ELEMENT a ANY>]>', 13), ('<!DOCTYPE a SYSTEM>', 19),
    ('<!DOCTYPE a "[<!ELEMENT a ANY>]>', 13)])
def test_a_malformed_doctype(doctype: str, column: int) -> None:
    assert refused(f'{doctype}<a/>') == ('xml-syntax', 1, column)


@pytest.mark.parametrize('doctype', [
    '<!DOCTYPE a>', '<!DOCTYPE a SYSTEM "http://example.org/nosuch.dtd">',
    '<!DOCTYPE a []>', '<!DOCTYPE a [<!-- c --><?p i?>]>'])
def test_a_doctype_without_declarations_passes(doctype: str) -> None:
    assert read(doctype + '<a/>').tag == 'a'


@pytest.mark.pins('xml-too-deep')
def test_depth_is_bounded() -> None:
    most = ResourceLimits().element_depth
    deep = '<a>' * most + '</a>' * most
    assert sum(1 for _ in read(deep).walk()) == most
    assert refused(f'<a>{deep}</a>') == ('xml-too-deep', 1, 3 * most + 1)
    assert refused('<a>' * 1_000_000)[0] == 'xml-too-deep'


@pytest.mark.pins('xml-undeclared-prefix')
def test_an_undeclared_prefix_is_warned_about_once() -> None:
    report = Report()
    read('<a xmlns:s="urn:x"><s:b s:c="1"/></a>', report)
    assert list(report) == []
    root = read('<a>\n <s:b/> <s:c t:x="1"/> <xml:d xmlns:u=""/></a>', report)
    assert [child.tag for child in root.children] == ['s:b', 's:c', 'xml:d']
    assert [(found.severity, found.code) for found in report] == [
        ('warning', 'xml-undeclared-prefix')] * 2
    assert [place_of(found.location) for found in report] == [(2, 2), (2, 14)]  # type: ignore[arg-type]


def test_root_element() -> None:
    def root_of(data: bytes, encoding: Optional[str] = None) -> object:
        return root_element(SourceFile('a.xml', data, encoding=encoding))

    assert root_of(b'<?xml version="1.0"?><!-- c --><a x="1"><b>') == ('a', {'x': '1'})
    assert root_of(b'') is None
    assert root_of(b'no xml') is None
    declared = '<?xml version="1.0" encoding="UTF-16"?><é/>'.encode()
    assert root_of(declared) is None
    assert root_of(declared, 'utf-8') == ('é', {})


def test_a_tag_of_megabytes_is_read_once() -> None:
    assert root_element(SourceFile('a.xml', b'<a x="' + b'1' * 64_000_000)) is None


@pytest.mark.parametrize('doctype', [
    '<!DOCTYPE a SYSTEM "x">', '<!DOCTYPE a [%p;]>',
    '<!-- <!DOCTYPE x> -->\n<!DOCTYPE a PUBLIC "-//x" "y">'])
@pytest.mark.parametrize('inside', ['<a b="1&u;0"/>', '<a>1&u;0</a>', '<a><b>&model;</b></a>'])
def test_undeclared_entities_are_errors_with_an_external_dtd(doctype: str, inside: str) -> None:
    report = Report()
    assert parse(SourceFile('f', f'{doctype}\n{inside}'.encode()), report, XmlElement) is None
    assert [found.code for found in report] == ['xml-syntax']
    assert 'undefined entity' in report.diagnostics[0].message
    line = report.diagnostics[0].resolve().line
    assert line == doctype.count('\n') + 2


# ---- paths

LINKS = """<robot>
<!-- <mass value="0"/> --><link name="a > b">
  <inertial><mass
    value="-1"/><inertia ixx='1'/></inertial>
  <visual><mesh><uri>  a.stl</uri></mesh></visual>
</link>
<link mass="3"><pose/><![CDATA[<mass>4</mass>]]><empty> </empty></link>
<mass>5</mass>
</robot>"""
PATHS = {
    'mass': ('@mass', 'inertial/mass/@value', 'mass'), 'ixx': ('inertial/inertia/@ixx',),
    'izz': ('inertial/inertia/@izz', 'inertia'), 'uri': ('visual/mesh/uri',),
    'file': ('visual/mesh/file/@name',), 'pose': ('pose',), 'empty': ('empty',)}


@pytest.mark.parametrize(('index', 'fields', 'expected'), [
    (0, ('mass',), (4, 12)), (0, ('ixx',), (4, 31)), (0, ('ixx', 'mass'), (4, 12)),
    (0, ('izz', 'ixx'), (4, 31)), (0, ('izz',), (4, 17)), (0, ('uri',), (5, 24)),
    (0, ('file',), (5, 11)), (0, ('pose',), (2, 27)), (0, ('nothing',), (2, 27)),
    (1, ('mass',), (7, 13)), (1, ('pose',), (7, 16)), (1, ('empty',), (7, 49)), (1, (), (7, 1)),
    (2, ('mass',), (8, 1))])
def test_values_of_the_model_are_found_again_by_their_paths(
        index: int, fields: tuple[str, ...], expected: tuple[int, int]) -> None:
    root = parse(SourceFile('a.urdf', LINKS.encode()), Report(), XmlElement, value_paths=PATHS)
    assert root is not None
    assert place_of(root.children[index].location.of(*fields)) == expected


@pytest.mark.parametrize(('index', 'field', 'expected'), [
    (0, 'mass', True), (0, 'ixx', True), (0, 'izz', False), (1, 'empty', False),
    (1, 'pose', False), (1, 'nothing', False), (2, 'mass', False)])
def test_values_that_the_file_does_not_have_are_not_written(
        index: int, field: str, expected: bool) -> None:
    root = parse(SourceFile('a.urdf', LINKS.encode()), Report(), XmlElement, value_paths=PATHS)
    assert root is not None
    assert root.children[index].location.of(field).is_written() is expected
