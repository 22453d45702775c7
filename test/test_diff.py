# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The semantic comparison: what it finds, and what it knows to be the same."""

from __future__ import annotations

from pathlib import Path

from helpers.kinematic_models import random_model
from hrdf_ros import load_model, write_mjcf, write_urdf
from hrdf_ros.diff import diff_models, Difference
from hrdf_ros.diff.values import texts
from hrdf_ros.model import Constraint, Model
import pytest

ARM = """<robot name="arm">
  <link name="base"/>
  <link name="arm"><inertial><origin xyz="0 0 1"/><mass value="2"/>
    <inertia ixx="1" ixy="0" ixz="0" iyy="2" iyz="0" izz="3"/></inertial></link>
  <link name="hand"/>
  <joint name="shoulder" type="revolute"><origin xyz="0 0 1"/>
    <parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="wrist" type="continuous"><origin xyz="0 0 2"/>
    <parent link="arm"/><child link="hand"/><mimic joint="shoulder"/></joint>
</robot>"""


def arm(old: str = '', new: str = '') -> Model:
    assert old in ARM
    return load_model(ARM.replace(old, new, 1) if old else ARM, format='urdf')


@pytest.mark.parametrize(('old', 'new', 'expected'), [
    ('value="2"', 'value="3"', [Difference('mass', 'arm', '2', '3')]),
    ('<origin xyz="0 0 1"/><mass', '<origin xyz="0 0 2"/><mass',
     [Difference('center of mass', 'arm', '0 0 1', '0 0 2')]),
    ('izz="3"', 'izz="2.5"',
     [Difference('inertia', 'arm', '1 2 3 0 0 0', '1 2 2.5 0 0 0')]),
    ('<child link="hand"/>', '<child link="hand"/><limit effort="5" velocity="6"/>', [
        Difference('velocity', 'wrist', 'inf', '6'),
        Difference('effort', 'wrist', 'inf', '5')]),
    ('lower="-1"', 'lower="-2"', [Difference('lower', 'shoulder', '-1', '-2')]),
    ('<mimic joint="shoulder"/>', '<mimic joint="shoulder" offset="1"/>', [
        Difference('mimic', 'wrist', '1 * shoulder + 0', '1 * shoulder + 1')]),
    ('<mimic joint="shoulder"/>', '', [
        Difference('mimic', 'wrist', '1 * shoulder + 0', '-')]),
])
def test_numbers(old: str, new: str, expected: list[Difference]) -> None:
    found = diff_models(arm(), arm(old, new))
    assert [item for item in found if 'of frame' not in item.what] == expected


def test_a_moved_joint_is_one_difference_not_one_for_each_frame_behind_it() -> None:
    found = diff_models(arm(), arm('<origin xyz="0 0 1"/>\n', '<origin xyz="0 0 1.5"/>\n'))
    assert found == [Difference(
        'pose of frame', 'arm', 'xyz 0 0 1 rpy 0 0 0',
        'xyz 0 0 1.5 rpy 0 0 0')]


def test_items_that_one_side_alone_has() -> None:
    other = load_model(
        ARM.replace('hand', 'tool').replace('wrist', 'turn').replace('0 0 2', '0 0 3'),
        format='urdf')
    assert {tuple(item) for item in diff_models(arm(), other)} == {
        found for kind, mine, theirs in (
            ('body', 'hand', 'tool'), ('frame', 'hand', 'tool'), ('joint', 'wrist', 'turn'),
            ('coordinate', 'wrist', 'turn'))
        for found in ((kind, mine, 'present', '-'), (kind, theirs, '-', 'present'))}


def test_a_rename_is_one_line_and_what_else_differs_has_the_new_name() -> None:
    new = ARM.replace('shoulder', 'turn').replace('"arm"', '"boom"').replace('"-1"', '"-2"')
    found = diff_models(arm(), load_model(new, format='urdf'))
    assert list(map(str, found)) == [
        'name of body: arm -> boom', 'name of joint: shoulder -> turn', 'lower turn: -1 -> -2']
    assert [one.what for one in diff_models(arm(), load_model(new, format='urdf'), only=[
        'names'])] == ['name of body', 'name of joint']


def test_names_of_bodies_that_are_alike_are_not_guessed() -> None:
    def frames(*names: str) -> Model:
        return load_model('<robot name="r"><link name="base"/>' + ''.join(
            f'<link name="{name}"/><joint name="j{index}" type="fixed"><parent link="base"/>'
            f'<child link="{name}"/></joint>' for index, name in enumerate(names)) + '</robot>')

    found = diff_models(frames('a', 'b'), frames('c', 'd'))
    assert not any(one.is_rename for one in found)


VISUAL = """<robot name="r"><link name="l">
  <visual><origin xyz="0 0 0.1"/><geometry><box size="1 2 3"/></geometry>
    <material name="m"><color rgba="1 0 0 1"/></material></visual>
  <collision><geometry><sphere radius="0.5"/></geometry></collision>
  <collision><geometry><mesh filename="a.stl"/></geometry></collision>
</link></robot>"""


@pytest.mark.parametrize(('old', 'new', 'expected'), [
    ('1 2 3', '1 2 4', ['size of visual l: 1 2 3 -> 1 2 4']),
    ('0 0 0.1', '0 0 0.1234567891', [
        'pose of visual l: xyz 0 0 0.1 rpy 0 0 0 -> xyz 0 0 0.123457 rpy 0 0 0']),
    ('1 0 0 1', '0 1 0 1', ['diffuse color of visual l: 1 0 0 1 -> 0 1 0 1']),
    ('<box size="1 2 3"/>', '<sphere radius="1"/>', [
        'geometry of visual l: box -> sphere', 'size of visual l: 1 2 3 -> -',
        'radius of visual l: - -> 1']),
    ('<collision><geometry><sphere radius="0.5"/></geometry></collision>', '', [
        'collision 1 l: present -> -']),
    ('"a.stl"', '"b.stl"', ['file of collision 2 l: missing a.stl -> missing b.stl'])])
def test_shapes(old: str, new: str, expected: list[str]) -> None:
    one, other = (load_model(text, format='urdf') for text in (VISUAL, VISUAL.replace(old, new)))
    found = diff_models(one, other)
    assert list(map(str, found)) == expected
    assert diff_models(one, other, only=['shapes']) == found
    assert diff_models(one, other, only=['kinematics', 'inertia', 'names']) == []


def test_meshes_are_compared_by_content(tmp_path: Path) -> None:
    text = '<robot name="r"><link name="l"><visual><geometry><mesh filename="{}"/></geometry>' \
        '</visual></link></robot>'
    sha = '315f5bdb76d078c43b8ac0064e4a0164612b1fce77c869345bfc94c75894edd3'  # of Hello, world!
    pointer = f'version https://git-lfs.github.com/spec/v1\noid sha256:{sha}\nsize 13\n'
    models = {}
    for name, content in (
            ('a', 'Hello, world!'), ('b', 'Hello, world!'), ('c', pointer), ('d', 'Hello')):
        (tmp_path / f'{name}.stl').write_text(content)
        (tmp_path / f'{name}.urdf').write_text(text.format(f'{name}.stl'))
        models[name] = load_model(tmp_path / f'{name}.urdf')
    assert diff_models(models['a'], models['b']) == diff_models(models['a'], models['c']) == []
    found, = diff_models(models['a'], models['d'])
    assert str(found) == 'file of visual l: a.stl 315f5bdb76d0 -> d.stl 185f8db32271'


def test_numbers_are_as_short_as_they_can_be() -> None:
    assert texts((0.1 + 0.2, -1.3e-17), (0.4, 0.5), 1e-9) == ('0.3 0', '0.4 0.5')
    assert texts((1.23456789,), (1.23456788,), 0.0) == ('1.23456789', '1.23456788')
    assert texts((1.0, 2.0), (1.0 + 1e-12, 3.0), 1e-9) == ('1 2', '1 3')
    assert texts((-0.0,), (1e-17,), 0.0) == ('0', '1e-17')


def test_connections_and_types() -> None:
    found = diff_models(arm(), arm(
        '<parent link="arm"/><child link="hand"/>', '<parent link="base"/><child link="hand"/>'))
    assert Difference('parent of joint', 'wrist', 'arm', 'base') in found
    found = diff_models(arm(), arm('type="continuous"', 'type="floating"'))
    assert Difference('type of joint', 'wrist', 'continuous', 'floating') in found


@pytest.mark.parametrize('seed', range(8))
def test_a_written_urdf_moves_as_the_model_did(seed: int) -> None:
    """Massless links and joints are added, limits chosen; no body differs or moves otherwise."""
    kinds = ('fixed', 'revolute', 'prismatic', 'screw', 'universal', 'planar')
    model = random_model(seed, 10, kinds, 1 + seed % 2)
    again = load_model(write_urdf(model)[0], format='urdf')
    found = diff_models(model, again)
    assert not [item for item in found if item.what in (
        'mass', 'center of mass', 'inertia', 'pose of frame', 'motion of frame', 'mimic')]
    assert not [item for item in found if item.what == 'body' and item.b == '-']


def test_constraints() -> None:
    tie = Constraint('gears', 'gearbox', bodies=(0, 1))
    one, other = (arm()._replace(constraints=(each,)) for each in (
        tie, tie._replace(bodies=(0, 2))))
    assert diff_models(one, one) == []
    assert diff_models(one, other) == [
        Difference('bodies of constraint', 'gears', 'base - arm', 'base - hand')]
    assert diff_models(arm(), one) == [Difference('constraint', 'gears', '-', 'present')]


def test_a_urdf_and_its_mjcf_are_compared_in_what_both_can_say() -> None:
    arm = load_model(Path(__file__).parent.parent / 'examples' / 'urdf' / 'gripper_arm.urdf')
    again = load_model(write_mjcf(arm)[0])
    assert diff_models(arm, again) == []
    changed = load_model(write_mjcf(arm)[0].replace(' range="-', ' range="-9', 1))
    assert [found.what for found in diff_models(arm, changed)] == ['lower']


def test_another_axis_is_another_motion() -> None:
    found = diff_models(arm(), arm('xyz="0 1 0"', 'xyz="0 -1 0"'))
    assert [(item.what, item.name) for item in found] == [('motion of frame', 'arm')]


def test_the_tolerance_decides() -> None:
    other = arm('<origin xyz="0 0 1"/>\n', '<origin xyz="0 0 1.001"/>\n')
    assert diff_models(arm(), other, tolerance=0.01) == []
    assert len(diff_models(arm(), other, tolerance=0.0001)) == 1
