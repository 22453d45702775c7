# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Values that are probably in another unit: which are reported, where, and which are not."""

from __future__ import annotations

from collections.abc import Iterator
import math
from typing import Optional

from hrdf_ros import load
import pytest

CODE = 'implausible-value'
Reported = list[tuple[Optional[int], Optional[int], str]]


def reported(text: str, kind: str) -> Reported:
    """Return line, column and message of each implausible value, which are all warnings."""
    result = load(text, format=kind)
    assert result.ok, result.report
    found = [one for one in result.report if one.code == CODE]
    assert all(one.severity == 'warning' and one.hint for one in found)
    return [(at.line, at.column, one.message) for one in found if (at := one.resolve())]


def columns(text: str, kind: str) -> Iterator[str]:
    """Yield the text from the column of each implausible value on, for a line of text."""
    for _, column, _ in reported(text, kind):
        yield text[(column or 1) - 1:]


# ---- angles

def urdf(inside: str = '', kind: str = 'revolute', link: str = '') -> str:
    limit = '' if '<limit' in inside else '<limit effort="1" velocity="1"/>'
    return (f'<robot name="r"><link name="a">{link}</link><link name="b"/><joint name="j" '
            f'type="{kind}"><parent link="a"/><child link="b"/>{inside}{limit}</joint></robot>')


def sdf(pose: str, attributes: str = '') -> str:
    return (f'<sdf version="1.9"><model name="m"><link name="a"><pose{attributes}>{pose}</pose>'
            '</link></model></sdf>')


def hrdf(attributes: str, version: str = '1.6.0') -> str:
    return f'<robot version="{version}"><rigid-body mass="1" {attributes}/></robot>'


def skel(transformation: str) -> str:
    return (
        f'<skel version="1.0"><world name="w"><skeleton name="s"><body name="b"><transformation>'
        f'{transformation}</transformation></body><joint name="j" type="free"><parent>world'
        '</parent><child>b</child></joint></skeleton></world></skel>')


@pytest.mark.parametrize(('text', 'kind', 'place'), [
    (urdf('<origin xyz="1 2 3" rpy="0 -90 180"/>'), 'urdf', '-90 180"'),
    (urdf('<origin rpy="180 0 0"/>'), 'urdf', '180 0 0"'),
    (sdf('0 0 1 0 0 90'), 'sdf', '90</pose>'),
    (sdf('\t0 0 100   45 0\t90'), 'sdf', '45 0\t90</pose>'),
    (hrdf('output_rot="Rx(90)"'), 'hrdf', '90)"'),
    (hrdf('output_rot="Rz(pi/2)*Ry(-(45 + 45))*Rx(30)"'), 'hrdf', '-(45 + 45)'),
    (skel('0 0 0 0 90 0'), 'skel', '90 0<'),
    ('<robot version="1.0.0"><link type="X5" twist="-90" extension="0.3"/></robot>', 'hrdf',
     '-90"'),
])
def test_angles_in_degrees(text: str, kind: str, place: str) -> None:
    [found] = columns(text, kind)
    assert found.startswith(place)


@pytest.mark.parametrize(('text', 'kind'), [
    (urdf('<origin rpy="6.2832 -6.2832 3.15"/>'), 'urdf'),
    (sdf('0 0 1 7 8 9'), 'sdf'),
    (sdf('10 20 30 0 0 0'), 'sdf'),
    (sdf('0 0 1 0 0 90', ' degrees="true"'), 'sdf'),
    (sdf('0 0 1 0 0 0 100', ' rotation_format="quat_xyzw"'), 'sdf'),
    (hrdf('output_rot="Rx(4*pi/2)*Rz(90*pi/180)" output_trans="20 30 40"'), 'hrdf'),
    (hrdf('output_rot="1 0 0 0 1 0 0 0 1"'), 'hrdf'),
    (skel('10 20 30 1 2 3'), 'skel'),
])
def test_angles_in_radians(text: str, kind: str) -> None:
    assert reported(text, kind) == []


# ---- limits

def limits(lower: float, upper: float) -> str:
    return f'<limit lower="{lower}" upper="{upper}" effort="1" velocity="1"/>'


@pytest.mark.parametrize(('lower', 'upper', 'at'), [
    (-180, 180, '-180"'), (0, 90, '90"'), (-45, 0, '-45"'), (-1.5, 120, '120"'),
    (0, 360, '360"')])
def test_limits_in_degrees(lower: float, upper: float, at: str) -> None:
    [found] = columns(urdf(limits(lower, upper)), 'urdf')
    assert found.startswith(at)


@pytest.mark.parametrize(('lower', 'upper'), [
    (-math.pi, math.pi), (-9.42, 9.42), (-10.4, 10.4), (-20 * math.pi, 20 * math.pi),
    (-1000, 1000), (-1e16, 1e16), (-999999, 999999)])
def test_limits_of_robots(lower: float, upper: float) -> None:
    assert reported(urdf(limits(lower, upper)), 'urdf') == []
    assert reported(urdf(limits(-30, 30), 'prismatic'), 'urdf') == []


# ---- lengths and masses

def test_lengths_in_millimeters() -> None:
    [found] = columns(urdf('<origin xyz="0 0 350" rpy="0 0 0"/>'), 'urdf')
    assert found.startswith('0 0 350"')
    text = '<robot version="1.6.0"><link type="X5" extension="300" twist="0"/></robot>'
    [found] = columns(text, 'hrdf')
    assert found.startswith('300"')
    text = text.replace('</robot>', '<rigid-body mass="1"/></robot>')
    assert len(reported(text, 'hrdf')) == 1


def test_many_of_a_kind_are_one_diagnostic() -> None:
    text = '<rigid-body mass="1" output_trans="0 0 300"/>' * 10
    [(_, column, message)] = reported(f'<robot version="1.6.0">{text}</robot>', 'hrdf')
    assert column == 59
    assert message.startswith(
        "the length of body 'rigid_body_1', 'rigid_body_2', 'rigid_body_3', 'rigid_body_4', ")
    assert message.endswith(
        "'rigid_body_10' is implausible; the first is 300 m, from its frame to "
        "'rigid_body_1/output'")


def test_limits_of_many_joints_are_implausible() -> None:
    joints = ''.join(
        f'<link name="{name}"/><joint name="j{name}" type="revolute"><parent link="base"/>'
        f'<child link="{name}"/><limit lower="0" upper="0" effort="1" velocity="1"/></joint>'
        for name in 'abcdef')
    report = load(f'<robot name="r"><link name="base"/>{joints}</robot>').report
    [found] = [one for one in report if one.code == 'limits-equal']
    assert found.message == (
        "the limits of joint 'ja', 'jb', 'jc', 'jd', 'je', 'jf' are implausible; "
        'the first are both 0.0: it cannot move')


def test_worlds_and_static_models_are_large() -> None:
    assert reported(
        '<sdf version="1.9"><world name="w"><model name="m"><pose>5000 0 0 0 0 0</pose><static>1'
        '</static><link name="a"/><link name="b"><pose>900 0 0 0 0 0</pose><inertial><mass>1e7'
        '</mass></inertial></link><joint name="j" type="fixed"><parent>a</parent><child>b</child>'
        '</joint></model></world></sdf>', 'sdf') == []


def inertial(mass: float, moment: float, rest: str = '') -> str:
    return urdf(kind='fixed', link=(
        f'<inertial><mass value="{mass}"/><inertia ixx="{moment}" iyy="{moment}" izz="{moment}" '
        f'ixy="0" ixz="0" iyz="0"/></inertial>{rest}'))


def shape(text: str) -> str:
    return f'<collision><geometry>{text}</geometry></collision>'


def test_masses_in_grams() -> None:
    [found] = columns(inertial(250000, 10), 'urdf')
    assert found.startswith('250000"')
    assert reported(inertial(90000, 10), 'urdf') == []
    assert reported(inertial(1e15, 10), 'urdf') == []


@pytest.mark.parametrize(('mass', 'moment', 'rest'), [
    (1.0, 1e4, ''),                                             # kg mm^2 without a shape
    (1.0, 1e4, shape('<mesh filename="http://m"/>')),
    (1.0, 100.0, shape('<box size="0.1 0.1 0.1"/>')),
    (1.0, 1.0, shape('<box size="0.1 0.1 0.1"/>')),             # nobody's tensor but a default
    (1.0, 100.0, shape('<sphere radius="0.1"/>') + shape('<cylinder radius="0.1" length="0.1"/>')),
    (2.0, 1e-9, shape('<box size="0.1 0.1 0.1"/>')),
])
def test_tensors_of_another_scale(mass: float, moment: float, rest: str) -> None:
    [found] = columns(inertial(mass, moment, rest), 'urdf')
    assert found.startswith('<inertial>')


@pytest.mark.parametrize(('mass', 'moment', 'rest'), [
    (1.0, 0.02, shape('<box size="0.1 0.1 0.1"/>')),            # twice as far as it reaches
    (1.0, 0.0, ''), (1e-6, 1e-16, ''), (1e-7, 1.0, ''),
    (1000.0, 1e5, shape('<box size="20 20 20"/>')),
    (1.0, 100.0, shape('<mesh filename="http://m"/>')),
    (1.0, 1e-6, ''), (1.0, 1e-9, ''), (1.0, 1e-6, shape('<box size="0.5 0.5 0.5"/>')),
])
def test_tensors_of_robots(mass: float, moment: float, rest: str) -> None:
    assert reported(inertial(mass, moment, rest), 'urdf') == []


@pytest.mark.parametrize('mass, moment, found', [
    (0.0, 8.4e-7, ["body 'b' has moments of inertia and the mass 0"]), (0.0, 0.0, []),
    (0.5, 8.4e-7, [])])
def test_moments_without_a_mass(mass: float, moment: float, found: list[str]) -> None:
    text = ' '.join(f'i{axis}="{moment}"' for axis in ('xx', 'yy', 'zz'))
    loaded = load(
        f'<robot name="r"><link name="b"><inertial><mass value="{mass}"/><inertia {text} ixy="0" '
        'ixz="0" iyz="0"/></inertial></link></robot>')
    assert [one.message for one in loaded.report if one.code == 'inertia-invalid'] == found


@pytest.mark.parametrize(('moment', 'unit'), [
    (16.67, 'kg cm^2: multiply the tensor by 0.0001'),
    (1667.0, 'kg mm^2: multiply the tensor by 1e-06'),
    (1.667e6, 'g mm^2: multiply the tensor by 1e-09'),
    (1.667e12, None)])
def test_hint_names_the_unit_in_which_a_tensor_fits(moment: float, unit: Optional[str]) -> None:
    text = inertial(1.0, moment, shape('<box size="0.1 0.1 0.1"/>'))
    [found] = [one for one in load(text).report if one.code == CODE]
    fits = unit is not None and found.hint == f'it would fit in {unit} for kg m^2'
    assert fits or unit is None and 'fit' not in (found.hint or '')


def test_tensor_of_a_mesh_is_compared_with_the_robot() -> None:
    def text(moment: float) -> str:
        mesh = shape('<mesh filename="http://m"/>')
        return inertial(1.0, moment, mesh).replace('<parent', '<origin xyz="0.2 0 0"/><parent')

    [(_, _, message)] = reported(text(1.0), 'urdf')
    assert message.endswith('1.22 m from its center; the robot reaches 0.2 m')
    assert reported(text(0.1), 'urdf') == []
