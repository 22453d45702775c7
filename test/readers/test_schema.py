# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The schema engine: each rule with its message and place, and what a getter returns."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import parse, SourceFile
from hrdf_ros.parsing import urdf
from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.readers.schema import (
    Attribute,
    Bounds,
    Element,
    has_prefix,
    NewerSyntax,
    NOT_NEGATIVE,
    one_of,
    Policy,
    POSITIVE,
    Remark,
    Replaced,
    Schema,
    TEXT,
    TypedElement,
    ValueType,
    Variants,
)
import pytest

NUMBER = ValueType('number', urdf.number)
VECTOR3 = ValueType('vector3', urdf.vector3)
POLICY = Policy('Toy', 'the toy shop')
VERSIONS = ('1', '2', '3')


class Checked(NamedTuple):
    """The result of a validation: the root, messages with their column, whether no error."""

    root: TypedElement
    found: list[str]
    ok: bool


def check(
    text: str, root: Element, *, policy: Policy = POLICY, version: str = '',
    elements: Optional[dict[str, Element]] = None, **options: Any,
) -> Checked:
    report = Report()
    element = parse(SourceFile('t', text.encode()), report, TypedElement)
    assert element is not None
    schema = Schema(
        root='a', elements={'a': root, **(elements or {})}, policy=policy, versions=VERSIONS)
    ok = schema.validate(element, report, version=version, **options)
    found = []
    for diagnostic in report:
        at = diagnostic.resolve()
        assert at is not None
        hint = f' ({diagnostic.hint})' if diagnostic.hint else ''
        found.append(f'{at.column} {diagnostic.severity}: {diagnostic.message}{hint}')
    assert ok == report.ok
    return Checked(element, found, ok)


def messages(text: str, root: Element, **options: Any) -> list[str]:
    return check(text, root, **options).found


# ---- structure

def test_an_unknown_element_is_ignored_with_a_hint() -> None:
    root = Element(children={'link': Element()})
    assert messages('<a><lnik/></a>', root) == [
        "4 warning: unknown element <lnik> in <a>; ignored (did you mean 'link'?)"]
    strict = POLICY._replace(unknown_element=codes.UNKNOWN_ELEMENT._replace(severity='error'))
    assert messages('<a><b/></a>', root, policy=strict) == [
        '4 error: unknown element <b> in <a>']


def test_a_known_element_at_another_place_is_not_allowed() -> None:
    root = Element(children={'b': Element(children={'c': Element()})})
    assert messages('<a><c/></a>', root) == ['4 warning: <c> is not allowed in <a>; ignored']


def test_elements_of_others_are_left_alone() -> None:
    text = '<a xmlns:x="x"><gazebo y="1"/><x:b z="1"/></a>'
    mine = Element(foreign=frozenset({'gazebo', '*:*'}))
    theirs = POLICY._replace(is_foreign_element=has_prefix, is_foreign_attribute=has_prefix)
    assert messages(text, mine, policy=theirs) == []
    assert len(messages(text, Element(), policy=theirs)) == 1
    assert messages('<a><b c="1"><d/></b></a>', Element(open=True)) == []
    assert messages('<a b="1"/>', Element(any_attributes=True)) == []


def test_an_unknown_attribute_is_ignored_with_a_hint() -> None:
    assert messages('<a nmae="x"/>', Element(attributes={'name': Attribute()})) == [
        "4 warning: unknown attribute 'nmae' in <a>; ignored (did you mean 'name'?)"]


def test_what_is_required_is_missing() -> None:
    root = Element(
        attributes={'name': Attribute(required=True), 'x': Attribute(expected=True)},
        children={'b': Element(required=True, hint='write it'), 'c': Element(expected=True)})
    assert messages('<a/>', root) == [
        "1 error: <a> is missing the required attribute 'name'",
        "1 warning: <a> has no attribute 'x'; its default is used",
        '1 error: <a> is missing the required element <b> (write it)',
        '1 warning: <a> has no <c>; its default is used']
    assert messages('<a name="" x=""><b/><c/></a>', root) == []


def test_one_of_several_is_required() -> None:
    attributes = Element(attributes={'x': Attribute(), 'y': Attribute()}, any_of=('x', 'y'))
    assert messages('<a/>', attributes) == [
        "1 error: <a> is missing the required attribute 'x' or 'y'"]
    assert messages('<a y="1"/>', attributes) == []
    children = Element(children={'x': Element(), 'y': Element()}, any_of=('x', 'y'))
    assert messages('<a/>', children) == [
        '1 error: <a> is missing the required element <x> or <y>']
    assert messages('<a><x/></a>', children) == []


def test_a_duplicate_is_ignored_and_removed() -> None:
    root = Element(children={'b': Element(text=NUMBER), 'c': Element(repeated=True)})
    checked = check('<a><b>1</b><c/><b>x</b><c/></a>', root)
    assert checked.found == ['16 warning: duplicate <b>; ignored']
    assert [child.tag for child in checked.root.children] == ['b', 'c', 'c']
    every = POLICY._replace(duplicate_element=None)
    assert messages('<a><b>1</b><b>2</b></a>', root, policy=every) == []


def test_of_a_choice_one_child_is_read() -> None:
    children = {'box': Element(text=NUMBER), 'ball': Element(text=NUMBER)}
    first = Element(children=children, choice='first')
    declared = Element(children=children, choice='declared')
    text = '<a><ball>1</ball><box>x</box></a>'
    checked = check(text, first)
    assert checked.found == ['18 warning: <box> has no effect: <a> is read as its <ball>']
    chosen = checked.root.choice()
    assert chosen is not None and chosen.number() == 1.0
    assert messages(text, declared) == [
        '4 warning: <ball> has no effect: <a> is read as its <box>',
        "23 error: <box>: 'x' is not a number"]
    assert messages('<a/>', first) == ['1 error: <a> is missing its content: one of <box>, <ball>']
    assert messages('<a><bx/></a>', first) == [
        "4 error: unknown element <bx> in <a> (did you mean 'box'?)"]
    assert messages('<a><bx/></a>', declared) == [
        '1 error: <a> is missing its content: one of <box>, <ball>',
        "4 warning: unknown element <bx> in <a>; ignored (did you mean 'box'?)"]


def test_text_where_there_is_none() -> None:
    root = Element(children={'b': Element()})
    assert messages('<a>x<b>y</b>z</a>', root) == [
        '4 warning: text is not allowed in <a>; ignored',
        '8 warning: text is not allowed in <b>; ignored',
        '13 warning: text is not allowed here; ignored']
    assert messages('<a>x</a>', root, policy=POLICY._replace(stray_text=None)) == []


def test_comments_of_other_languages_have_a_hint() -> None:
    root = Element(children={'b': Element()})
    for text in ('# b', '// b'):
        assert messages(f'<a>{text}<b>{text}</b>\n {text}</a>', root) == [
            '4 warning: text is not allowed in <a>; ignored (a comment is written <!-- ... -->)',
            f'{len(text) + 7} warning: text is not allowed in <b>; ignored '
            '(a comment is written <!-- ... -->)',
            '2 warning: text is not allowed here; ignored (a comment is written <!-- ... -->)']


def test_exclusive_and_required_attributes() -> None:
    root = Element(attributes={
        'x': Attribute(), 'y': Attribute(excludes=('x',)), 'z': Attribute(requires=('x',))})
    assert messages('<a x="1" y="1"/>', root) == [
        "10 error: <a> has both 'x' and 'y', which exclude each other"]
    assert messages('<a z="1"/>', root) == ["4 error: 'z' has no meaning without 'x'"]


# ---- versions and handling

def test_what_the_version_does_not_have() -> None:
    root = Element(
        attributes={'x': Attribute(NUMBER, since='2', default=7.0)},
        children={'b': Element(since='3')})
    checked = check('<a x="y"><b/></a>', root, version='1')
    assert checked.found == [
        "4 error: attribute 'x' requires Toy 2 or newer; this file is Toy 1 "
        '(write version="2" or newer)',
        '10 error: <b> requires Toy 3 or newer; this file is Toy 1 (write version="3" or newer)']
    assert checked.root.number('x') == 7.0
    assert checked.root.children[0].rule.is_newer
    assert messages('<a x="1"/>', root, version='2') == []
    [found] = messages('<a><b/></a>', root, version='1', is_version_given=False)
    assert 'this file is Toy 1 (it has no version attribute)' in found


def test_a_newer_attribute_is_read_where_that_is_a_warning() -> None:
    policy = POLICY._replace(newer=codes.NEWER_THAN_VERSION._replace(severity='warning'))
    root = Element(attributes={'x': Attribute(NUMBER, since='2', excludes=('y',)),
                               'y': Attribute(NUMBER)})
    assert check('<a x="1"/>', root, policy=policy, version='1').root.number('x') == 1.0
    checked = check('<a x="1" y="2"/>', root, policy=policy, version='1')
    assert checked.found == ["4 warning: 'x' has no effect beside 'y' in Toy 1"]
    assert checked.root.read('x') is None


@pytest.mark.parametrize(('handling', 'found'), [
    ('read', ["7 error: <b>: 'x' is not a number"]),
    ('checked', ["7 error: <b>: 'x' is not a number"]),
    ('preserved', ["7 error: <b>: 'x' is not a number"]),
    ('not preserved', ['4 info: <b> is not preserved (h)', "7 error: <b>: 'x' is not a number"]),
    ('no effect', ['4 warning: <b> has no effect here: the toy shop does not read it (h)']),
    ('skipped', []),
])
def test_what_becomes_of_an_element(handling: Any, found: list[str]) -> None:
    root = Element(children={'b': Element(text=NUMBER, handling=handling, hint='h')})
    assert messages('<a><b>x</b></a>', root) == found


def test_what_becomes_of_an_attribute() -> None:
    root = Element(attributes={
        'x': Attribute(NUMBER, handling='not preserved'),
        'y': Attribute(NUMBER, handling='no effect'), 'z': Attribute(NUMBER, handling='skipped')})
    assert messages('<a x="u" y="v" z="w"/>', root) == [
        "4 info: <a> attribute 'x' is not preserved",
        "7 error: <a> attribute 'x': 'u' is not a number",
        "10 warning: <a> attribute 'y' has no effect here: the toy shop does not read it"]


def test_variants_add_and_replace() -> None:
    root = Element(
        attributes={'type': Attribute(), 'x': Attribute(NUMBER)},
        children={'b': Element(handling='skipped')},
        variants=Variants('type', {'t': Element(
            attributes={'y': Attribute(NUMBER)}, children={'b': Element(required=True)})}))
    assert messages('<a type="u"/>', root) == []
    assert messages('<a type=" t " x="1" y="2"/>', root) == [
        '1 error: <a> is missing the required element <b>']
    assert len(messages('<a type="u" y="2"/>', root)) == 1


def test_an_element_may_contain_itself_or_be_like_another() -> None:
    root = Element(
        attributes={'x': Attribute(NUMBER)},
        children={'a': 'a', 'b': Element(like='a', required=True, repeated=True)})
    assert messages('<a><a><b x="?"/></a><b x="1"/></a>', root) == [
        '7 error: <b> is missing the required element <b>',
        "13 error: <b> attribute 'x': '?' is not a number",
        '21 error: <b> is missing the required element <b>']


def test_a_faulty_tolerant_part_is_removed() -> None:
    part = Element(
        attributes={'x': Attribute(NUMBER)}, tolerant='this part is ignored', repeated=True,
        children={'c': Element(text=NUMBER)})
    checked = check(
        '<a><b x="1"/><b x="?"/><b><c>?</c></b></a>', Element(children={'b': part}))
    assert checked.found == [
        "20 warning: <b> attribute 'x': '?' is not a number; this part is ignored",
        "30 warning: <c>: '?' is not a number; this part is ignored"]
    assert checked.ok
    assert [child.number('x') for child in checked.root.children] == [1.0]


# ---- values

def test_a_bad_value_is_named_at_its_character() -> None:
    root = Element(
        attributes={'x': Attribute(VECTOR3)}, children={'b': Element(text=VECTOR3)})
    assert messages('<a x="1 2 c"><b>1 d 3</b></a>', root) == [
        "11 error: <a> attribute 'x': 'c' is not a number",
        "19 error: <b>: 'd' is not a number"]


def test_numbers_have_bounds() -> None:
    root = Element(attributes={
        'x': Attribute(NUMBER, bounds=POSITIVE, default=5.0),
        'y': Attribute(VECTOR3, bounds=NOT_NEGATIVE),
        'z': Attribute(NUMBER, bounds=Bounds(maximum=1.0))})
    text = '<a x="0" y="1 -2 3" z="2"/>'
    checked = check(text, root)
    assert checked.found == [
        "7 error: <a> attribute 'x': 0.0 must be greater than 0.0",
        "13 error: <a> attribute 'y': -2.0 is less than the minimum 0.0",
        "24 error: <a> attribute 'z': 2.0 is greater than the maximum 1.0"]
    assert checked.root.number('x') == 5.0
    warned = POLICY._replace(out_of_range=codes.BAD_VALUE._replace(severity='warning'))
    assert messages(text, root, policy=warned)[0].endswith('; the default is used')
    kept = check(text, root, policy=warned._replace(keeps_out_of_range=True))
    assert (kept.root.number('x'), kept.root.number('z')) == (0.0, 2.0)


def test_words_of_an_enumeration() -> None:
    kind = ValueType(
        'word', words={'X5': '', 'X8-9': '', 'T5': '2'}, ignore_case=True,
        spellings={'rx5': 'X5'})
    root = Element(attributes={'type': Attribute(kind)}, children={'b': Element(text=kind)})
    assert messages('<a type="X6"><b>X9</b></a>', root) == [
        "10 error: unknown <a> type 'X6' (one of X5, X8-9, T5)",
        "17 error: unknown <b> 'X9' (did you mean 'X8-9'?)"]
    assert messages('<a type="x8-9"/>', root) == [
        "10 warning: wrong case: 'x8-9' should be 'X8-9'"]
    checked = check('<a type="RX5"/>', root)
    assert checked.found == ["10 warning: 'RX5' is read as 'X5' (write 'X5')"]
    assert checked.root.string('type') == 'X5'
    assert messages('<a type="t5"/>', root, version='1') == [
        "4 error: <a> type 'T5' requires Toy 2 or newer; this file is Toy 1 "
        '(write version="2" or newer)',
        "10 warning: wrong case: 't5' should be 'T5'"]
    assert len(messages('<a type=" X5"/>', root)) == 1
    strips = Element(attributes={'type': Attribute(one_of('X5', strips=True))})
    assert check('<a type=" X5 "/>', strips).root.string('type') == 'X5'


def test_an_unknown_word_may_be_read_as_another() -> None:
    policy = POLICY._replace(unknown_word=codes.BAD_VALUE._replace(severity='warning'))
    root = Element(attributes={'x': Attribute(one_of('on', 'off', fallback='off'), default='on')})
    checked = check('<a x="maybe"/>', root, policy=policy)
    assert checked.found == ["7 warning: unknown <a> x 'maybe'; read as 'off' (one of on, off)"]
    assert checked.root.string('x') == 'off'
    assert check('<a/>', root).root.string('x') == 'on'


def test_older_versions_may_read_a_value_otherwise() -> None:
    def plain(_: TypedElement, text: str, __: list[int]) -> float:
        if text == 'pi':
            raise NewerSyntax("the formula 'pi'", 0, '2')
        return float(text)

    root = Element(attributes={'x': Attribute(
        ValueType('number', lambda text, _: 3.0, before=('2', plain)))})
    assert check('<a x="pi"/>', root).root.number('x') == 3.0
    assert messages('<a x="pi"/>', root, version='1') == [
        "7 error: the formula 'pi' requires Toy 2 or newer; this file is Toy 1 "
        '(write version="2" or newer)']


def test_characters_behind_a_value_are_ignored() -> None:
    def loose(text: str, trailing: list[int]) -> float:
        trailing += [1] if len(text) > 1 else []
        return float(text[0])

    kind = ValueType('number', loose)
    root = Element(attributes={'x': Attribute(kind)}, children={'b': Element(text=kind)})
    checked = check('<a x="1m"><b>2s t</b></a>', root)
    assert checked.found == [
        "8 warning: <a> attribute 'x': 'm' is not part of the value; ignored",
        "15 warning: <b>: 's' is not part of the value; ignored"]
    assert (checked.root.number('x'), checked.root.number('b')) == (1.0, 2.0)


def test_remarks_and_codes_of_faults() -> None:
    class Odd(ValueSyntaxError):
        pass

    def parse_odd(text: str, _: list[int]) -> Optional[str]:
        if text == 'odd':
            raise Odd('this is odd')
        if text == 'replaced':
            raise Replaced('this is not right', 'right')
        return text

    info = codes.BAD_VALUE._replace(severity='info')
    kind = ValueType('text', parse_odd, remarks=(
        Remark(lambda text: text.find('!') if '!' in text else None, info, 'so loud'),))
    policy = POLICY._replace(faults={Odd: info, Replaced: info})
    root = Element(attributes={'x': Attribute(kind)})
    assert messages('<a x="ab!"/>', root) == ['9 info: so loud']
    assert messages('<a x="odd"/>', root, policy=policy) == [
        "7 info: <a> attribute 'x': this is odd"]
    checked = check('<a x="replaced"/>', root, policy=policy)
    assert checked.found == ["7 info: <a> attribute 'x': this is not right"]
    assert checked.root.string('x') == 'right'


def test_empty_values() -> None:
    root = Element(
        attributes={'x': Attribute(NUMBER, required=True, default=1.0)},
        children={'b': Element(text=NUMBER, default=2.0),
                  'c': Element(text=TEXT, text_required=True)})
    assert messages('<a x=" "><b/><c/></a>', root) == [
        "7 error: <a> attribute 'x': a number is missing", '10 error: <b>: a number is missing',
        '14 error: <c> is empty']
    blank = POLICY._replace(blank_is_default=True)
    checked = check('<a x=" "><b/><c/></a>', root, policy=blank)
    assert [found.partition(' ')[2] for found in checked.found] == [
        "error: <a> attribute 'x' is empty", 'error: <c> is empty']
    assert (checked.root.number('x'), checked.root.number('b')) == (1.0, 2.0)


def test_line_breaks_in_attributes_may_be_kept() -> None:
    root = Element(attributes={'x': Attribute(TEXT), 'y': Attribute(VECTOR3)})
    text = '<a x="1\n2" y="1 2\t3"/>'
    assert check(text, root).root.string('x') == '1 2'
    kept = check(text, root, policy=POLICY._replace(keeps_line_breaks=True))
    assert kept.root.string('x') == '1\n2'
    assert len(kept.found) == 1


# ---- getters

def test_getters_return_values_or_defaults() -> None:
    pose = ValueType('pose', lambda text, _: ('pose', text))
    root = Element(
        attributes={'x': Attribute(NUMBER, default=1.0), 's': Attribute(TEXT, default='d')},
        children={
            'y': Element(text=NUMBER, default=2.0), 'v': Element(text=VECTOR3, default=(1, 2, 3)),
            's2': Element(text=TEXT, default='e'), 'pose': Element(text=pose), 'n': Element(
                text=NUMBER)})
    empty = check('<a/>', root).root
    assert (empty.number('x'), empty.number('y'), empty.vector3('v')) == (1.0, 2.0, (1, 2, 3))
    assert (empty.string('s'), empty.string('s2')) == ('d', 'e')
    assert empty.number('n', 4.0) == 4.0
    assert empty.read('n') is None
    assert not empty.has('y')
    full = check(
        '<a x="5" s=" t "><y>6</y><v>7 8 9</v><s2> u </s2><pose>p</pose></a>', root).root
    assert (full.number('x', 0.0), full.number('y', 0.0)) == (5.0, 6.0)
    assert full.vector3('v') == (7.0, 8.0, 9.0)
    assert (full.string('s'), full.string('s2')) == (' t ', 'u')
    assert full.pose() == ('pose', 'p')
    assert full.has('x') and full.has('y')
    assert full.child('y') is not None and full.children[0].number() == 6.0


def test_several_values_are_those_of_attributes_and_children() -> None:
    root = Element(
        attributes={'x': Attribute(NUMBER, default=1.0), 'w': Attribute(NUMBER, default=3.0)},
        children={'y': Element(text=NUMBER, default=2.0)})
    for text in ('<a/>', '<a x="5"><y>6</y></a>', '<a x="b" w="7"><y>c</y></a>'):
        element = check(text, root).root
        names = ('y', 'x', 'w')
        assert list(element.values_of(*names)) == [element.number(name) for name in names]


def test_values_are_located() -> None:
    root = Element(attributes={'x': Attribute(NUMBER)}, children={
        'b': Element(text=NUMBER), 'c': Element()})
    element = check('<a x="1"><b> 2</b><c/></a>', root).root
    columns = [element.locate(name).resolve().column for name in ('x', 'b', 'c', 'd')]
    assert columns == [7, 14, 19, 1]


def test_a_name_that_the_schema_has_not_is_a_mistake_of_the_reader() -> None:
    with pytest.raises(KeyError):
        check('<a/>', Element()).root.number('x')
