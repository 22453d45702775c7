# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The grammar of SDF 1.12: what stands where, found in one walk."""

from hrdf_ros.diagnostics import Report
from hrdf_ros.document import parse, SourceFile
from hrdf_ros.readers.sdf import schema_model, schema_sensor, schema_world
from hrdf_ros.readers.sdf.grammar import validate
import pytest

SCHEMA = {**schema_model.MODEL, **schema_sensor.SENSOR, **schema_world.WORLD}


def findings(inner: str, version: str = '1.12') -> Report:
    """Return what is found in a model with this content."""
    return check(f'<sdf version="{version}"><model name="m">{inner}</model></sdf>')


def check(xml: str) -> Report:
    root = parse(SourceFile('<text>', xml.encode()), Report())
    assert root is not None
    report = Report()
    assert validate(root, report) is report.ok
    return report


def codes(report: Report) -> list[tuple[str, ...]]:
    return [(found.severity, found.code, found.reference) for found in report]


def test_a_plain_model_has_no_findings():
    assert not list(findings("""
        <link name="a"><pose relative_to="f">0 0 1 0 0 0</pose><inertial><mass>1</mass></inertial>
        <visual name="v"><geometry><box><size>1 1 1</size></box></geometry></visual></link>
        <link name="b"/><frame name="f"/>
        <joint name="j" type="revolute"><parent>a</parent><child>b</child>
        <axis><xyz expressed_in="f">0 0 1</xyz><limit><lower>-1</lower><upper>inf</upper></limit>
        </axis></joint>"""))


def test_unknown_elements_and_attributes_are_warnings_with_a_hint():
    report = findings('<link name="a" nmae="b"><inertail><mass>x</mass></inertail></link>')
    assert codes(report) == [
        ('warning', 'unknown-attribute', 'ATTRIBUTE_INCORRECT_TYPE'),
        ('warning', 'unknown-element', 'ELEMENT_INCORRECT_TYPE')]
    assert [found.hint for found in report] == [
        "did you mean 'name'?", "did you mean 'inertial'?"]


def test_what_belongs_to_others_is_not_looked_at():
    assert not list(findings("""
        <plugin name="p" filename="x.so"><foo bar="1"><pose>?</pose></foo></plugin>
        <custom:block><pose>?</pose></custom:block>
        <link name="a" my:note="1"/>"""))


def test_a_plugin_needs_a_file_name_but_no_name():
    assert codes(findings('<link name="a"/><plugin filename="x"/><plugin name="p"/>')) == [
        ('error', 'missing-attribute', 'ATTRIBUTE_MISSING')]


@pytest.mark.parametrize('inner', [
    '<link/>', '<joint name="j"><parent>a</parent><child>b</child></joint>'])
def test_missing_attributes_are_errors(inner):
    assert codes(findings(inner)) == [('error', 'missing-attribute', 'ATTRIBUTE_MISSING')]


@pytest.mark.parametrize('name', ['', '  '])
def test_an_empty_name_is_an_error(name):
    report = findings(f'<link name="{name}"/>')
    assert codes(report) == [('error', 'bad-value', 'ATTRIBUTE_INVALID')]


def test_a_joint_needs_parent_and_child_unless_it_is_a_ball():
    assert codes(findings('<joint name="j" type="fixed"/>')) == [
        ('error', 'missing-element', 'ELEMENT_MISSING')] * 2
    assert not list(findings('<joint name="j" type="ball"/>'))


def test_other_required_elements_have_defaults():
    report = findings('<link name="a"><visual name="v"/></link>')
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
    assert codes(findings(inner)) == [('error', 'bad-value', 'ELEMENT_INVALID')]


@pytest.mark.parametrize('inner', [
    '<link name="a"><pose degrees="yes">0 0 0 0 0 0</pose></link>',
    '<link name="a"><pose relative_to="__root__"/></link>',
    '<frame name="a" attached_to="__root__"/>',
    '<link name="a"><sensor name="s" type="camra"/></link>',
    '<link name="a"><light name="s" type="sun"/></link>',
])
def test_bad_values_of_attributes_are_errors(inner):
    assert codes(findings(inner)) == [('error', 'bad-value', 'ATTRIBUTE_INVALID')]


def test_findings_stand_in_document_order_at_the_faulty_character():
    report = findings(
        '\n<link name="a">\n <pose>0 0 x 0 0 0</pose>\n <foo/>\n <gravity>no</gravity>\n</link>')
    places = [(at.line, at.column) for at in (found.resolve() for found in report) if at]
    assert places == [(3, 12), (4, 2), (5, 11)]


def test_what_is_passed_over_is_a_warning():
    report = findings('<link name="a"><pose>0 0 1m 0 0 0</pose></link>')
    assert codes(report) == [('warning', 'trailing-characters', None)]


def test_deprecated_elements_are_warnings():
    report = findings("""<joint name="j" type="screw"><parent>a</parent><child>b</child>
        <thread_pitch>1</thread_pitch></joint>""")
    assert codes(report) == [('warning', 'deprecated', 'ELEMENT_DEPRECATED')]


def test_the_proposed_children_of_include_pass():
    assert not list(findings("""<include><uri>x</uri><joint name="j" type="fixed">
        <parent>a</parent><child>b</child></joint><frame name="f"/></include>"""))


def test_worlds_physics_and_sensors_are_known():
    assert not list(check("""<sdf version="1.12"><world name="w"><gravity>0 0 -9.8</gravity>
        <physics type="ode" default="true"><max_step_size>0.001</max_step_size>
        <ode><solver><type>quick</type></solver></ode></physics>
        <scene><ambient>1 1 1 1</ambient><sky><clouds><speed>12</speed></clouds></sky></scene>
        <light name="sun" type="directional"><cast_shadows>1</cast_shadows></light>
        <model name="m"><link name="a">
        <sensor name="s" type="gpu_lidar"><lidar><scan><horizontal><samples>640</samples>
        </horizontal></scan><range><min>0.1</min></range></lidar></sensor>
        <sensor name="i" type="imu"><imu><angular_velocity><x><noise type="gaussian">
        <stddev>1e-3</stddev></noise></x></angular_velocity></imu></sensor>
        </link></model></world></sdf>"""))


def test_deep_documents_are_walked_without_recursion():
    depth = 900
    inner = '<model name="m">' * depth + '<link name="a"/>' + '</model>' * depth
    assert not list(check(f'<sdf version="1.12">{inner}</sdf>'))


def test_every_word_of_the_schema_leads_somewhere():
    """Walk the tables through the validator: each element that is named can be checked."""
    types = {
        'string', 'bool', 'int', 'double', 'vector2', 'vector3', 'time', 'color', 'any', 'pose'}
    for key, words in SCHEMA.items():
        for word in words.split():
            if word[0] in '@=*':
                continue
            tag, _, kind = word.partition(':')
            kind = kind.partition('[')[0]
            tag = tag.rstrip('!-')
            known = kind in types or kind in SCHEMA or (
                not kind and (f'{key}/{tag}' in SCHEMA or tag in SCHEMA))
            assert known, f'{key}: {word}'
