# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The table language of schemas: what each word of a row declares."""

from __future__ import annotations

from hrdf_ros.readers.schema import Attribute, Bounds, Element, Elements, one_of, TEXT, ValueType
import pytest

NUMBER = ValueType('number', lambda text, _: float(text))
TABLE = """
_named
  @name required names=joint | its name

_limits
  @range number [rad] 0..3   | the range

robot scope                  | a robot
  joint same
  pose shared repeated       | where it is
  last as=limits dropped     | the last limits
  default                    | defaults
    joint like=_limits       | defaults of joints

joint repeated with=named,limits variants=type:screw
      | a joint, which connects
      |   two bodies
  @type free|screw =free 1.2+ | how the joint moves
  @x,y text
      | a coordinate | deprecated=write <pose> instead

_screw
  @pitch number excludes=x,y

pose number =1               | a pose
"""
MENTIONED = {'include': Element('a part')}
ELEMENTS = Elements(
    {'number': NUMBER, 'text': TEXT}, {}, TABLE, undocumented='see elsewhere', mentioned=MENTIONED)
JOINT = ELEMENTS['joint']


def test_a_part_begins_with_an_underscore_and_is_no_element() -> None:
    assert [*ELEMENTS] == ['robot', 'joint', 'pose']
    assert '_limits' in ELEMENTS


def test_words_declare_types_defaults_units_bounds_and_versions() -> None:
    assert JOINT.attributes['type'] == Attribute(
        one_of('free', 'screw'), 'how the joint moves', default='free', since='1.2')
    assert JOINT.attributes['range'] == Attribute(
        NUMBER, 'the range', unit='rad', bounds=Bounds(0.0, 3.0))
    assert ELEMENTS['pose'].default == 1.0
    assert ELEMENTS['pose'].text is NUMBER


def test_a_row_continues_and_may_declare_several() -> None:
    assert JOINT.doc == 'a joint, which connects two bodies'
    assert JOINT.attributes['x'] is JOINT.attributes['y']
    assert JOINT.attributes['x'].deprecated == 'write <pose> instead'


def test_an_attribute_without_documentation_has_that_of_the_tables() -> None:
    assert JOINT.variants is not None
    assert JOINT.variants.elements['screw'].attributes == {
        'pitch': Attribute(NUMBER, 'see elsewhere', excludes=('x', 'y'))}


def test_content_comes_from_parts_and_other_elements() -> None:
    robot = ELEMENTS['robot']
    assert set(JOINT.attributes) == {'name', 'range', 'type', 'x', 'y'}
    assert robot.children['joint'] == 'joint'
    assert robot.children['pose'] == Element(
        'where it is', like='pose', repeated=True, foreign=frozenset(MENTIONED),
        mentioned=MENTIONED)
    last, default = robot.children['last'], robot.children['default']
    assert isinstance(last, Element) and isinstance(default, Element)
    assert (last.handling, last.doc) == ('not preserved', 'the last limits')
    assert set(last.attributes) == {'range'}
    like = default.children['joint']
    assert isinstance(like, Element) and ELEMENTS[like.like].attributes == last.attributes


def test_every_element_may_have_those_that_are_mentioned() -> None:
    assert JOINT.foreign == ELEMENTS['_limits'].foreign == {'include'}
    assert JOINT.mentioned == ELEMENTS['_limits'].mentioned == MENTIONED


def test_a_name_is_declared_once() -> None:
    with pytest.raises(AssertionError, match='two parts have the same name'):
        Elements({}, {}, '_a\n\n_a')
