# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The words in sensors, worlds and materials that libsdformat refuses."""

from __future__ import annotations

from pathlib import Path

from helpers.sdf_texts import errors_of, in_model, in_world
from hrdf_ros.load import load
import pytest


def sensor(kind: str, inside: str) -> str:
    return in_model(f'<link name="l"><sensor name="s" type="{kind}">{inside}</sensor></link>')


def noise(kind: str, *around: str) -> str:
    """Return an element with a noise of a type in it."""
    inside = f'<noise type="{kind}"/>'
    for tag in reversed(around):
        inside = f'<{tag}>{inside}</{tag}>'
    return inside


EARTH = (
    '<spherical_coordinates><surface_model>{}</surface_model><latitude_deg>0</latitude_deg>'
    '<longitude_deg>0</longitude_deg><elevation>0</elevation><heading_deg>0</heading_deg>{}'
    '</spherical_coordinates>')
AXES = (
    '<surface_axis_equatorial>2</surface_axis_equatorial>'
    '<surface_axis_polar>1</surface_axis_polar>')


@pytest.mark.parametrize(('text', 'expected'), [
    (sensor('altimeter', noise('bad', 'altimeter', 'vertical_position')), ['ELEMENT_MISSING']),
    (sensor('altimeter', noise('Gaussian', 'altimeter', 'vertical_velocity')), []),
    (sensor('imu', noise('bad', 'imu', 'angular_velocity', 'x')), ['ELEMENT_MISSING']),
    (sensor('imu', noise('bad', 'altimeter', 'vertical_position')), []),
    (sensor('imu', '<imu/>' + noise('bad', 'imu', 'angular_velocity', 'x')), []),
    (sensor('magnetometer', noise('bad', 'magnetometer', 'x')), []),
    (sensor('force_torque', '<force_torque><frame>bad</frame></force_torque>'),
     ['ELEMENT_INVALID']),
    (sensor('force_torque', '<force_torque><frame> parent </frame></force_torque>'), []),
    (sensor('force_torque', '<force_torque><measure_direction>up</measure_direction>'
            '</force_torque>'), ['ELEMENT_INVALID']),
    (sensor('rgbd', '<camera><image><format>r8g8b8</format></image></camera>'),
     ['ELEMENT_INVALID']),
    (sensor('camera', '<camera><image><format>R8G8B8</format></image></camera>'), []),
    (sensor('camera', '<camera><image><format/></image></camera>'), []),
    (sensor('camera', '<camera><noise><type>bad</type></noise></camera>'), ['ELEMENT_MISSING']),
    (sensor('camera', '<camera><lens><type>bad</type></lens></camera>'), []),
    (in_world('<atmosphere type="adiabatic"/><atmosphere type="bad"/>'), []),
    (in_world('<atmosphere type="bad"/>'), ['ELEMENT_INVALID']),
    (in_world(EARTH.format('MOON_SCS', '')), []),
    (in_world(EARTH.format('VENUS', '')), ['ELEMENT_INVALID']),
    (in_world(EARTH.format('CUSTOM_SURFACE', '')), ['ELEMENT_MISSING', 'ELEMENT_MISSING']),
    (in_world(EARTH.format('CUSTOM_SURFACE', AXES)), []),
    (in_world(EARTH.format(
        'EARTH_WGS84', '<world_frame_orientation>NED</world_frame_orientation>')),
     ['ELEMENT_INVALID']),
    (in_model('<link name="l"><visual name="v"><geometry><empty/></geometry><material><pbr><wood/>'
              '</pbr></material></visual></link>'), ['ELEMENT_INCORRECT_TYPE']),
    (in_model('<link name="l"><particle_emitter name="e" type="point"><material><script/>'
              '</material></particle_emitter></link>'), ['ELEMENT_INVALID', 'ELEMENT_MISSING']),
    (in_model('<link name="l"><battery name="b"/><battery name="b"/><any name="__a__"/></link>'
              '<any name="a"/><any name="a"/>'), []),
    (in_model('<link name="l"><sensor name="b" type="imu"/><sensor name="b" type="imu"/></link>'),
     ['DUPLICATE_NAME']),
    (in_world('<actor name="a"><skin><filename>x</filename></skin><animation name="b"><filename>x'
              '</filename></animation><animation name="b"><filename>y</filename></animation>'
              '<script/></actor>'), ['DUPLICATE_NAME']),
    (sensor('camra', '').replace(
        '<link', '<link name="k"><inertial><mass>-1</mass></inertial></link>'
        '<link name="j"><gravity>x</gravity></link><link', 1),
     ['ELEMENT_INVALID', 'LINK_INERTIA_INVALID', 'ATTRIBUTE_INVALID']),
    (in_world('<light name="a" type="sun"/>'), ['ATTRIBUTE_INVALID']),
    (in_world('<light name="a" type="spot"/><light name="a" type="spot"/>'), ['DUPLICATE_NAME']),
    (in_world('<light name="world" type="spot"/>'), ['RESERVED_NAME']),
    ('<sdf version="1.12"><light name="a" type="sun"/></sdf>', ['ATTRIBUTE_INVALID']),
    (in_world('<actor name="a"><skin><filename>x</filename></skin><script/><link name="l">'
              '<particle_emitter name="e" type="x"/></link></actor>'), ['ATTRIBUTE_INVALID']),
    (in_world('<actor name="__a__"><skin><filename>a</filename></skin><script/></actor>'), []),
])
def test_words(text: str, expected: list[str]) -> None:
    assert errors_of(text) == expected


@pytest.mark.parametrize('text', [
    '<sdf version="1.12"><model name="a"><link name="l"/></model><world name="a"/></sdf>',
    in_model('<link name="l"/><my:own name="l"/>'),
    in_model('<link name="l"/><gripper name="l"/>')])
def test_names_that_only_the_check_of_the_reference_minds_are_a_warning(text: str) -> None:
    found = [(each.severity, each.code) for each in load(text).report]
    assert ('warning', 'duplicate-name') in found
    assert 'error' not in [severity for severity, _ in found]


LINKS = '<link name="a"/><link name="b"/>'


def axis(inside: str, tag: str = 'axis', version: str = '1.12') -> str:
    other = '' if tag == 'axis' else '<axis><xyz>1 0 0</xyz></axis>'
    return in_model(
        f'{LINKS}<joint name="j" type="universal"><parent>a</parent><child>b</child>{other}<{tag}>'
        f'{inside}</{tag}></joint>', version)


@pytest.mark.parametrize(('text', 'expected'), [
    (axis('<xyz>0 0 1</xyz><limit><lower/></limit>'), ['ELEMENT_INVALID']),
    (axis('<xyz>0 0 1</xyz><limit><lower/></limit>', 'axis2'), []),
    (axis('<xyz>0 0 1</xyz><limit><lower>True</lower></limit>'), []),
    (axis('<limit/>', version='1.4'), ['ELEMENT_INVALID']),
    (axis('<limit/>', version='1.5'), []),
    (in_world('<actor name="a"><skin><filename>x</filename></skin><script><trajectory id="0" '
              'type="x"><waypoint><time>1</time><pose/></waypoint></trajectory></script></actor>'),
     ['ELEMENT_INVALID'])])
def test_values_that_may_be_left_out(text: str, expected: list[str]) -> None:
    assert errors_of(text) == expected


@pytest.mark.parametrize(('version', 'expected'), [('1.7', []), ('1.8', ['RESERVED_NAME'])])
def test_the_name_that_an_include_gives(
    version: str, expected: list[str], tmp_path: Path,
) -> None:
    (tmp_path / 'm.sdf').write_text(in_model('<link name="l"/>'))
    (tmp_path / 'w.sdf').write_text(
        f'<sdf version="{version}"><world name="w"><include><uri>m.sdf</uri><name>a::b</name>'
        '</include></world></sdf>')
    found = load(tmp_path / 'w.sdf').report
    assert [each.reference for each in found if each.severity == 'error'] == expected
