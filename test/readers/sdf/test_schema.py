# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The schema of SDF 1.12: what may be where, and which values it has."""

from hrdf_ros.diagnostics import Report
from hrdf_ros.document import parse, SourceFile
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.schema import SCHEMA
import pytest


def diagnostics_of(inner: str, version: str = '1.12') -> Report:
    """Return what is found in a model with this content."""
    return check(f'<sdf version="{version}"><model name="m">{inner}</model></sdf>')


def check(xml: str) -> Report:
    root = parse(SourceFile('<text>', xml.encode()), Report(), TypedElement)
    assert root is not None
    report = Report()
    assert SCHEMA.validate(root, report) is report.ok
    return report


def codes(report: Report) -> list[tuple[str, ...]]:
    return [(found.severity, found.code, found.reference) for found in report]


def test_unknown_elements_and_attributes_are_warnings_with_a_hint():
    report = diagnostics_of('<link name="a" nmae="b"><inertail><mass>x</mass></inertail></link>')
    assert codes(report) == [
        ('warning', 'unknown-attribute', 'ATTRIBUTE_INCORRECT_TYPE'),
        ('warning', 'unknown-element', 'ELEMENT_INCORRECT_TYPE')]
    assert [found.hint for found in report] == [
        "did you mean 'name'?", "did you mean 'inertial'?"]


@pytest.mark.parametrize('part', [
    '<link name="a"><inertial><fluid_added_mass/></inertial></link>',
    '<joint name="j" type="ball"><axis><limit><stiffness>1</stiffness></limit></axis></joint>',
    '<joint name="j" type="ball"><axis><limit><dissipation>1</dissipation></limit></axis></joint>',
    '<model_state name="m"/>'])
def test_details_that_are_lost_are_reported(part):
    assert 'detail-not-preserved' in [found.code for found in diagnostics_of(part)]


@pytest.mark.parametrize(('tag', 'found'), [
    ('frame_id', []), ('gz_frame_id', []), ('ignition_frame_id', ['deprecated'])])
def test_frames_of_messages_are_known_as_gazebo_reads_them(tag, found):
    sensor = f'<sensor name="s" type="imu"><{tag}>f</{tag}></sensor>'
    assert [each.code for each in diagnostics_of(f'<link name="a">{sensor}</link>')] == found


def test_foreign_content_is_not_validated():
    assert not list(diagnostics_of("""
        <plugin name="p" filename="x.so"><foo bar="1"><pose>?</pose></foo></plugin>
        <custom:block><pose>?</pose></custom:block>
        <link name="a" my:note="1"/>"""))


def test_a_plugin_needs_a_file_name_but_no_name():
    assert codes(diagnostics_of('<link name="a"/><plugin filename="x"/><plugin name="p"/>')) == [
        ('error', 'missing-attribute', 'ATTRIBUTE_MISSING')]


@pytest.mark.parametrize('name', ['', '  '])
def test_an_empty_name_is_an_error(name):
    report = diagnostics_of(f'<link name="{name}"/>')
    assert codes(report) == [('error', 'bad-value', 'ATTRIBUTE_INVALID')]


def test_a_joint_needs_parent_and_child_unless_it_is_a_ball():
    assert codes(diagnostics_of('<joint name="j" type="fixed"/>')) == [
        ('error', 'missing-element', 'ELEMENT_MISSING')] * 2
    assert not list(diagnostics_of('<joint name="j" type="ball"/>'))


def test_other_required_elements_have_defaults():
    report = diagnostics_of('<link name="a"><visual name="v"/></link>')
    assert codes(report) == [('warning', 'missing-element', None)]


@pytest.mark.parametrize('inner', [
    '<link name="a"><pose>1 2 3</pose></link>',
    '<link name="a"><pose rotation_format="quat">0 0 0 0 0 0</pose></link>',
    '<link name="a"><pose rotation_format="quat_xyzw" degrees="1"/></link>',
    '<link name="a"><gravity>yes</gravity></link>',
    '<link name="a"><inertial><mass>m</mass></inertial></link>',
    '<link name="a"><visual name="v"><geometry><box><size>1 1</size></box></geometry></visual>'
    '</link>',
    '<joint name="j" type="fixed"><parent/><child>b</child></joint>',
    '<link name="a"><collision name="c"><geometry><empty/></geometry><surface><bounce>'
    '<restitution_coefficient>1.5</restitution_coefficient></bounce></surface></collision></link>',
])
def test_bad_values_of_elements_are_errors(inner):
    assert codes(diagnostics_of(inner)) == [('error', 'bad-value', 'ELEMENT_INVALID')]


@pytest.mark.parametrize('inner', [
    '<link name="a"><pose degrees="yes">0 0 0 0 0 0</pose></link>',
    '<link name="a"><pose relative_to="__root__"/></link>',
    '<frame name="a" attached_to="__root__"/>',
])
def test_bad_values_of_attributes_are_errors(inner):
    assert codes(diagnostics_of(inner)) == [('error', 'bad-value', 'ATTRIBUTE_INVALID')]


def test_every_default_is_a_word_of_its_type_and_within_its_bounds():
    pending = list(SCHEMA.elements.values())
    for element in pending:
        pending += element.children.values()
        values = [(each.type, each.default, each.bounds) for each in element.attributes.values()]
        for kind, default, bounds in [(element.text, element.default, element.bounds), *values]:
            assert kind is None or not kind.words or default in (None, *kind.words)
            if default is not None and bounds is not None:
                numbers = default if isinstance(default, tuple) else (default,)
                assert bounds.minimum <= min(numbers) <= max(numbers) <= bounds.maximum
