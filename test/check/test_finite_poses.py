# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Poses that are finite numbers each, but add up to infinity."""

from __future__ import annotations

from hrdf_ros.load import load
import pytest

FAR = '1e308 0 0'


def urdf(far: str, count: int = 3) -> str:
    """Return a robot of links at a distance from each other, the joint of each in a line of it."""
    links = ''.join(f'<link name="l{index}"/>' for index in range(count))
    joints = '\n'.join(
        f'<joint name="j{index}" type="fixed"><origin xyz="{far}"/><parent link="l{index}"/>'
        f'<child link="l{index + 1}"/></joint>' for index in range(count - 1))
    return f'<robot name="r">{links}\n{joints}</robot>'


def not_finite(text: str) -> list[tuple[object, str]]:
    report = load(text).report
    found = [each for each in report if each.code == 'not-finite' and each.severity == 'error']
    return [(at.line if (at := each.resolve()) else None, each.message) for each in found]


def test_the_first_body_of_a_branch_is_reported_at_its_joint() -> None:
    assert not_finite(urdf(FAR, 5)) == [
        (3, "the pose of body 'l2' in the root is not a finite number")]
    assert load(urdf('1e305 0 0')).ok


@pytest.mark.parametrize('text', [
    '<robot version="1.6.0">' +
    '<actuator type="X5-4"/><link type="X5" extension="1e308" twist="0"/>' * 4 + '</robot>',
    '<robot name="r"><link name="a"/>' + ''.join(
        f'<link name="l{index}"/><joint name="j{index}" type="continuous"><parent link="a"/>'
        f'<child link="l{index}"/>'
        + (f'<mimic joint="j{index - 1}" multiplier="1e300" offset="1"/>' if index else '')
        + '</joint>' for index in range(4)) + '</robot>',
    f'<sdf version="1.9"><model name="m"><link name="l"><pose>{FAR} 0 0 0</pose></link>'
    f'<frame name="f" attached_to="l"><pose>{FAR} 0 0 0</pose></frame></model></sdf>',
    f'<skel version="1.0"><world name="w"><skeleton name="s"><transformation>{FAR} 0 0 0'
    f'</transformation><body name="b"><transformation>{FAR} 0 0 0</transformation></body>'
    '<joint name="j" type="weld"><parent>world</parent><child>b</child></joint></skeleton>'
    '</world></skel>',
], ids=['hrdf', 'mimics', 'sdf', 'skel'])
def test_every_format(text: str) -> None:
    assert not_finite(text)
    assert not load(text).ok


def test_masses_that_add_up_to_infinity() -> None:
    link = ('<link name="{}"><inertial><origin xyz="{} 0 0"/><mass value="{}"/><inertia ixx="1" '
            'iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>')
    joint = '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>'
    message = 'the mass or inertia of all bodies together is not a finite number'
    for far, mass in ((0.0, 1e308), (1e160, 1.0)):
        text = link.format('a', 0.0, mass) + link.format('b', far, mass)
        loaded = load(f'<robot name="r">{text}{joint}</robot>')
        assert loaded.ok
        assert [(each.severity, each.message) for each in loaded.report
                if each.code == 'not-finite'] == [('warning', message)]
        single = load(f'<robot name="r">{link.format("a", 0.0, mass)}</robot>')
        assert 'not-finite' not in [each.code for each in single.report]
