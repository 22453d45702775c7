# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A URDF in SDFormat, beside what the recorded answers of libsdformat compare."""

from __future__ import annotations

import math
from pathlib import Path
import re
from typing import Any, Optional

from helpers.loading import model_of
from helpers.sdf_texts import in_world, position
from hrdf_ros.fields import FIELDS
from hrdf_ros.limits import ResourceLimits
from hrdf_ros.load import load, load_model, LoadResult
from hrdf_ros.model import Mesh, Model
from hrdf_ros.pose import to_rpy
from hrdf_ros.writers.sdf import write_sdf
import pytest

MASS = (
    '<inertial><mass value="1"/>'
    '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>')
BASE = f'<link name="base">{MASS}</link>'


def link(name: str, content: str = MASS) -> str:
    return f'<link name="{name}">{content}</link>'


def joint(name: str, kind: str, parent: str, child: str, content: str = '') -> str:
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="0 0 1" rpy="0 0 0.5"/>{content}</joint>')


def included(folder: Path, robot: str, include: str = '', **options: Any) -> LoadResult:
    (folder / 'r.urdf').write_text(f'<robot name="r">\n{robot}\n</robot>')
    file = folder / 'w.sdf'
    file.write_text(in_world(f'<include><uri>r.urdf</uri>{include}</include>'))
    return load(file, model_name='r', **options)


def messages(loaded: LoadResult, code: str) -> list[str]:
    return [found.message for found in loaded.report if found.code == code]


def test_a_mimicking_joint(tmp_path: Path) -> None:
    model = model_of(included(
        tmp_path, BASE + link('a') + link('b') + joint('j', 'continuous', 'base', 'a')
        + joint('k', 'continuous', 'a', 'b', '<mimic joint="j" multiplier="-2" offset="0.25"/>')))
    mimic = model.coordinates[1].mimic
    assert mimic is not None
    assert model.coordinates[mimic.leader].name == 'j'
    assert (mimic.multiplier, mimic.offset) == (-2.0, 0.25)


def test_a_sensor_of_a_lumped_link_moves_with_it(tmp_path: Path) -> None:
    loaded = included(tmp_path, BASE + link('eye') + joint('weld', 'fixed', 'base', 'eye') + (
        '<gazebo reference="eye"><sensor name="s" type="camera"><pose>1 0 0 0 0 0</pose>'
        '</sensor></gazebo>'))
    model = model_of(loaded)
    sensor = next(frame for frame in model.frames if frame.kind == 'sensor')
    assert sensor.source_name == 'r::base::s'
    assert sensor.pose.position == pytest.approx((math.cos(0.5), math.sin(0.5), 1.0))
    assert to_rpy(sensor.pose)[2] == pytest.approx(0.5)
    written = load_model(write_sdf(model)[0])
    again = next(frame for frame in written.frames if frame.kind == 'sensor')
    assert again.pose == pytest.approx(sensor.pose)


def test_a_sensor_that_is_relative_to_a_frame_stays(tmp_path: Path) -> None:
    model = model_of(included(
        tmp_path, BASE + link('eye') + joint('weld', 'fixed', 'base', 'eye') + (
            '<gazebo reference="eye"><sensor name="s" type="camera">'
            '<pose relative_to="eye">1 0 0 0 0 0</pose></sensor></gazebo>')))
    assert position(model, 'r::base::s') == pytest.approx((math.cos(0.5), math.sin(0.5), 1.0))


def test_names_of_lumped_links_in_plugins_and_joints(tmp_path: Path) -> None:
    model = model_of(included(
        tmp_path, BASE + link('eye') + joint('weld', 'fixed', 'base', 'eye') + (
            '<gazebo><plugin name="p" filename="f"><!-- kept --><bodyName>eye</bodyName>'
            '<xyzOffset>0 0 1</xyzOffset></plugin><plugin name="q" filename="f"><!-- kept -->'
            '<bodyName>base</bodyName></plugin><link name="extra"/>'
            '<joint name="j" type="fixed"><parent>eye</parent><child>extra</child></joint>'
            '</gazebo>')))
    plugins = [raw.text for raw in model.extensions if raw.tag == 'plugin']
    assert '<bodyName>base</bodyName><xyzOffset>0.0 0.0 2.0</xyzOffset>' in plugins[0]
    assert '<rpyOffset>0.0 0.0 0.5</rpyOffset>' in plugins[0]
    assert '<!-- kept --><bodyName>base</bodyName>' in plugins[1]
    assert model.joints[-1].parent == 0


def test_settings_of_a_lumped_link_are_for_its_own_shapes(tmp_path: Path) -> None:
    ball = '<collision><geometry><sphere radius="1"/></geometry></collision>'
    model = model_of(included(
        tmp_path, link('base', MASS + ball) + link('top', MASS + ball + ball) + joint(
            'weld', 'fixed', 'base', 'top') + (
            '<gazebo reference="top"><mu1>0.9</mu1><collision><max_contacts>3</max_contacts>'
            '<surface><bounce/></surface></collision></gazebo>'
            '<gazebo reference="base"><laserRetro value="7"/></gazebo>')))
    own, *lumped = model.bodies[0].collisions
    assert [raw.tag for raw in own.extensions] == ['laser_retro']
    assert [shape.name for shape in lumped] == [
        f'base_fixed_joint_lump__top_collision_{count}' for count in (1, 2)]
    for shape in lumped:
        assert [raw.tag for raw in shape.extensions] == ['max_contacts', 'surface']
        assert '<mu>0.9</mu>' in shape.extensions[1].text
        assert '<bounce/>' in shape.extensions[1].text


def test_shapes_that_extensions_do_not_reach_are_reported(tmp_path: Path) -> None:
    ball = '<collision{}><geometry><sphere radius="1"/></geometry></collision>'
    loaded = included(
        tmp_path, link('base', MASS + ball.format(' name="foo"') + ball.format(' name="base_x"'))
        + link('base_tip', MASS + ball.format('')) + joint('u', 'fixed', 'base', 'base_tip')
        + link('tool', MASS + ball.format('')) + joint('v', 'fixed', 'base', 'tool')
        + ''.join(f'<gazebo reference="{name}"><mu1>{mu}</mu1></gazebo>' for name, mu in (
            ('base', 0.1), ('base_tip', 0.2), ('tool', 0.3))))
    friction = {
        shape.name: re.findall('<mu>(.*?)</mu>', ''.join(raw.text for raw in shape.extensions))
        for shape in model_of(loaded).bodies[0].collisions}
    assert friction == {
        'base_fixed_joint_lump__foo_collision': [], 'base_x_collision_1': ['0.1'],
        'base_tip_collision_2': ['0.1'], 'base_fixed_joint_lump__tool_collision_3': ['0.3']}
    assert [each for each in messages(loaded, 'sdf-urdf-converted') if '<gazebo> has' in each] == [
        "what <gazebo> has for each collision of 'base' does not reach 'foo'",
        "what <gazebo> has for each collision of 'base_tip' does not reach 'base_tip'",
        "what <gazebo> has for each collision of 'base' is for that of 'base_tip', too, because "
        'its name begins the same']


def test_colors_are_as_bright_as_in_gazebo(tmp_path: Path) -> None:
    ball = '<visual><geometry><sphere radius="1"/></geometry>{}</visual>'
    red = '<material name="red"><color rgba="0.4 0 1 0.5"/></material>'
    model = model_of(included(
        tmp_path, link('base', MASS + ball.format(red) + ball.format(''))
        + link('tip', MASS + ball.format(red)) + joint('j', 'continuous', 'base', 'tip')
        + '<gazebo reference="tip"><visual><material><diffuse>0 1 0 1</diffuse></material>'
        '</visual></gazebo>'))
    colored, plain = model.bodies[0].visuals
    [other] = model.bodies[1].visuals
    assert other.material is not None
    assert (other.material.diffuse, other.material.ambient) == ((0.0, 1.0, 0.0, 1.0), None)
    assert colored.material is not None
    assert colored.material.diffuse == colored.material.ambient == (0.5, 0.0, 1.0, 0.5)
    assert plain.material is None


def test_meshes_are_found_by_package(tmp_path: Path) -> None:
    (tmp_path / 'a.stl').write_bytes(b'')
    (tmp_path / 'r.urdf').write_text('<robot name="r">' + link(
        'base', MASS + '<visual><geometry><mesh filename="package://arm/a.stl"/></geometry>'
        '</visual>') + '</robot>')
    world = tmp_path / 'w.sdf'
    world.write_text(in_world('<include><uri>r.urdf</uri></include>'))
    model = load_model(world, model_name='r', packages={'arm': str(tmp_path)})
    mesh = model.bodies[0].visuals[0].geometry
    assert isinstance(mesh, Mesh)
    assert (mesh.uri, mesh.file) == ('model://arm/a.stl', str(tmp_path / 'a.stl'))


def test_faults_in_gazebo_elements_are_located_in_the_urdf(tmp_path: Path) -> None:
    loaded = included(tmp_path, BASE + '\n<gazebo>\n  <pose>1 2</pose>\n</gazebo>')
    found = loaded.report.first_error
    assert found is not None and found.code == 'bad-value'
    at = found.resolve()
    assert at is not None
    assert (Path(at.file).name, at.line, len(at.included_from)) == ('r.urdf', 4, 1)


def test_changes_are_reported(tmp_path: Path) -> None:
    loaded = included(
        tmp_path, BASE + link('a') + link('b') + joint('w', 'fixed', 'base', 'a')
        + joint('j', 'revolute', 'a', 'b', '<limit lower="1" upper="0" effort="1" velocity="1"/>'
                '<safety_controller k_velocity="1"/>')
        + link('c') + joint('k', 'fixed', 'b', 'c') + '<transmission name="t"/>'
        '<gazebo reference="k"><disableFixedJointLumping>true</disableFixedJointLumping></gazebo>')
    assert messages(loaded, 'sdf-urdf-converted') == [
        "fixed joints make links parts of others: 'a'",
        "the limits of 'j' are exchanged: the lower one is the greater",
        "the fixed joint 'k' becomes a revolute joint with the limits 0",
        'the content of <gazebo> elements is applied: 1',
        'elements that SDFormat has no place for are dropped: <transmission>, '
        '<safety_controller>']


def test_a_joint_that_the_file_calls_fixed_is_not_told_to_be_fixed(tmp_path: Path) -> None:
    unlocked = (
        '<gazebo reference="k"><disableFixedJointLumping>true</disableFixedJointLumping></gazebo>')
    limits = '<limit lower="0" upper="0" effort="1" velocity="1"/>'
    loaded = included(
        tmp_path, BASE + link('a') + link('b') + joint('k', 'fixed', 'base', 'a')
        + joint('j', 'revolute', 'a', 'b', limits) + unlocked)
    assert [one.type for one in model_of(loaded).joints] == ['revolute', 'revolute']
    assert messages(loaded, 'limits-equal') == [
        "the limits of joint 'j' are both 0.0: it cannot move"]


@pytest.mark.parametrize(('place', 'message'), [
    (None, "SDFormat has no place for an acceleration limit: 'j'"),
    ('limit acceleration', '<acceleration> is not allowed in <limit>; ignored')])
def test_a_field_is_converted_by_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: Optional[str], message: str,
) -> None:
    field = FIELDS['Coordinate']['acceleration']._replace(sdf=place)
    monkeypatch.setitem(
        FIELDS, 'Coordinate', {**FIELDS['Coordinate'], 'acceleration': field})  # type: ignore
    (tmp_path / 'r.urdf').write_text('<robot name="r" version="1.2">' + BASE + link('a') + joint(
        'j', 'revolute', 'base', 'a',
        '<limit lower="0" upper="1" effort="1" velocity="1" acceleration="3"/>') + '</robot>')
    loaded = load(in_world(f'<include><uri>{tmp_path}/r.urdf</uri></include>'))
    assert message in [found.message for found in loaded.report]


def test_a_link_of_two_joints_is_refused(tmp_path: Path) -> None:
    loaded = included(
        tmp_path, BASE + link('a') + link('b') + joint('i', 'continuous', 'base', 'a')
        + joint('j', 'continuous', 'base', 'b') + joint('k', 'continuous', 'a', 'b'))
    found = loaded.report.first_error
    assert found is not None
    assert (found.code, found.reference) == ('duplicate-name', 'DUPLICATE_NAME')


@pytest.mark.parametrize('kind', ['fixed', 'continuous'])
def test_a_long_chain(tmp_path: Path, kind: str) -> None:
    count = 3000
    robot = BASE.replace('base', 'l0') + ''.join(
        link(f'l{index}') + joint(f'j{index}', kind, f'l{index - 1}', f'l{index}')
        for index in range(1, count))
    model: Model = model_of(included(tmp_path, robot))
    assert len(model.bodies) == (1 if kind == 'fixed' else count)
    assert position(model, f'r::l{count - 1}') == pytest.approx((0, 0, count - 1))
    inertia = model.bodies[0].inertia
    assert inertia is not None and inertia.mass == (count if kind == 'fixed' else 1)


def test_a_urdf_that_cannot_be_read(tmp_path: Path) -> None:
    found = included(tmp_path, BASE + joint('j', 'spherical', 'base', 'base')).report.first_error
    assert found is not None
    assert (found.code, found.reference) == ('bad-value', 'FILE_READ')


@pytest.mark.parametrize('content', [
    f'<gazebo reference="a"><collision>{"<x/>" * 80}</collision></gazebo>',
    '<gazebo reference="a"><mu1>1</mu1></gazebo>' * 40])
def test_elements_added_to_many_shapes_are_bounded(tmp_path: Path, content: str) -> None:
    sphere = '<collision><geometry><sphere radius="1"/></geometry></collision>'
    loaded = included(
        tmp_path, link('a', MASS + sphere * 40) + content, limits=ResourceLimits(elements=1000))
    assert loaded.model is None
    assert messages(loaded, 'too-many-elements') == [
        'there are more than 1000 elements with the ones that <gazebo> adds to visuals and '
        'collisions']
