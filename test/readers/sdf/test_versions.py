# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Old versions: what they mean, upgraded."""

from __future__ import annotations

import math
from pathlib import Path

from helpers.loading import model_of
from helpers.sdf_texts import body_of, codes_of, errors_of, in_model, in_world, position
from hrdf_ros.load import load, load_model
import pytest

EXAMPLES = Path(__file__).parents[3] / 'examples' / 'sdf'


@pytest.mark.parametrize(
    'file', sorted(EXAMPLES.rglob('*.sdf')), ids=lambda file: str(file.relative_to(EXAMPLES)))
def test_examples_have_no_errors_and_no_warnings(file: Path) -> None:
    assert [found for found in load(file).report if found.severity != 'info'] == []



def test_siblings_are_renamed_in_document_order() -> None:
    loaded = load(in_model(
        '<frame name="a"><pose>1 0 0 0 0 0</pose></frame><link name="a"/>'
        '<link name="b"><pose frame="a"/></link>'
        '<joint name="b" type="fixed"><parent>a_link</parent><child>b</child></joint>', '1.6'))
    assert codes_of(loaded).count('name-changed') == 2
    assert position(model_of(loaded), 'm::b') == (1, 0, 0)
    assert [joint.name for joint in model_of(loaded).joints] == ['b_joint']


FLATTENED = (
    '<model name="m"><link name="base"/>'
    '<frame name="arm::__model__" attached_to="arm::upper"><pose>1 0 0 0 0 0</pose></frame>'
    '<link name="arm::upper"><pose relative_to="arm::__model__">0 0 1 0 0 0</pose></link>'
    '<link name="arm::hand::palm"><pose>0 1 0 0 0 0</pose></link>'
    '<joint name="arm::j" type="revolute"><parent>arm::upper</parent>'
    '<child>arm::hand::palm</child><axis><xyz expressed_in="arm::__model__">0 0 1</xyz></axis>'
    '</joint></model>')


def test_flattened_models_in_worlds_are_nested_again() -> None:
    model = load_model(in_world(FLATTENED, '1.7'))
    assert [scope.source_name for scope in model.scopes] == ['m', 'm::arm', 'm::arm::hand']
    assert position(model, 'm::arm') == (1, 0, 0)
    assert position(model, 'm::arm::upper') == (1, 0, 1)
    assert position(model, 'm::arm::hand::palm') == (1, 1, 0)
    assert body_of(model, 'm::arm::j') == 'm::arm::hand::palm'


def test_gravity_was_part_of_the_physics() -> None:
    old = in_world('<physics type="ode"><gravity>0 0 -1</gravity></physics>', '1.4')
    assert load_model(old).gravity == (0, 0, -1)
    assert load_model(in_world('<gravity>0 0 -2</gravity>')).gravity == (0, 0, -2)
    assert load_model(in_world('')).gravity == (0, 0, -9.8)


def test_sdf_1_0_wrote_attributes() -> None:
    model = load_model(
        '<sdf version="1.0"><model name="m"><link name="a" gravity="0">'
        '<origin pose="1 0 0 0 0 0"/>'
        '<inertial mass="3"/></link><link name="b"/><joint name="j" type="revolute">'
        '<parent link="a"/><child link="b"/><axis xyz="0 1 0"><limit upper="2"/></axis></joint>'
        '</model></sdf>')
    assert position(model, 'm::a') == (1, 0, 0)
    inertia = model.bodies[0].inertia
    assert inertia is not None and inertia.mass == 3.0
    assert [each.text for each in model.bodies[0].extensions] == ['<gravity>0</gravity>']
    assert (model.joints[0].parent, model.coordinates[0].upper) == (0, 2.0)


@pytest.mark.parametrize(('sdf', 'reference'), [
    ('<sdf>', 'FILE_READ'), ('<sdf version="1.1">', 'CONVERSION_ERROR'),
    ('<sdf version="1.9.0">', 'CONVERSION_ERROR'), ('<sdf version="1.99">', 'CONVERSION_ERROR'),
    ('<sdf version="abc">', 'CONVERSION_ERROR')])
def test_versions_that_do_not_exist(sdf: str, reference: str) -> None:
    assert errors_of(f'{sdf}<model name="m"><link name="a"/></model></sdf>') == [reference]


@pytest.mark.parametrize('root', ['<gazebo version="1.2"/>', '<world name="w"/>', '<hrdf/>'])
def test_a_foreign_root(root: str, tmp_path: Path) -> None:
    (tmp_path / 'other.sdf').write_text(root)
    assert errors_of(in_model(f'<include><uri>{tmp_path}/other.sdf</uri></include>'))[:1] == [
        'PARSING_ERROR']
    assert load(tmp_path / 'other.sdf').report.first_error.reference == 'PARSING_ERROR'


def test_of_several_worlds_the_first_is_loaded() -> None:
    text = '<sdf version="1.12"><world name="a"/><world name="b"/></sdf>'
    assert load_model(text).name == 'a'
    assert codes_of(load(text)) == ['sdf-not-loaded']
    assert errors_of(text.replace('"b"', '"a"')) == ['DUPLICATE_NAME']


def test_an_end_tag_too_many_ends_the_file() -> None:
    loaded = load(in_model('<link name="a"/>') + '</sdf>\n<')
    assert [(found.code, found.resolve().column) for found in loaded.report] == [
        ('stray-text', len(in_model('<link name="a"/>')) + 1)]
    assert loaded.model is not None


@pytest.mark.parametrize('text', ['?xml version="1.0"?>', 'hello '])
def test_text_before_the_root_is_ignored(text: str, tmp_path: Path) -> None:
    file = tmp_path / 'm.sdf'
    file.write_text(text + in_model('<link name="a"/>'))
    loaded = load(file)
    assert [(found.code, found.severity) for found in loaded.report] == [
        ('xml-recovered', 'warning')]
    assert model_of(loaded).bodies[0].location.resolve().column > len(text)


@pytest.mark.parametrize('name', ['<name>__default__</name>', ''])
def test_a_script_needs_texts(name: str) -> None:
    assert errors_of(in_model(
        f'<link name="a"><visual name="v"><material><script><uri>x</uri>{name}</script></material>'
        '<geometry><empty/></geometry></visual></link>')) == ['ELEMENT_MISSING']


def kept(text: str, tag: str) -> str:
    """Return the text of the element with a tag that is kept of a file."""
    model = load_model(text)
    raws = [*model.extensions, *(raw for body in model.bodies for raw in body.extensions)]
    return next(raw.text for raw in raws if raw.tag == tag)


def test_kept_text_is_of_the_new_version() -> None:
    text = in_model(
        '<link name="a"><sensor name="s" type="camera"><pose frame="">1 0 0 0 0 0</pose>'
        '<plugin name="p" filename="f"><pose frame=""/><!-- as it is --></plugin></sensor>'
        '<light name="l" type="point"><pose>0 0 1 0 0 0</pose><!-- as it is --></light></link>',
        '1.6')
    assert kept(text, 'sensor') == (
        '<sensor name="s" type="camera"><pose>1 0 0 0 0 0</pose>'
        '<plugin name="p" filename="f"><pose frame=""/><!-- as it is --></plugin></sensor>')
    assert kept(text, 'light').endswith('<!-- as it is --></light>')
    assert 'frame=""' in kept(text.replace('1.6', '1.7'), 'sensor')


def test_kept_noise_of_an_imu() -> None:
    text = in_model(
        '<link name="a"><sensor name="s" type="imu"><imu><noise><type>gaussian</type>'
        '<rate><mean>0.1</mean></rate><accel><mean>0.2</mean><stddev>0.3</stddev></accel></noise>'
        '</imu></sensor></link>', '1.5')
    loaded = load(text)
    assert not list(loaded.report)
    found = kept(text, 'sensor')
    assert found.count('<noise type="gaussian"><mean>0.1</mean></noise>') == 3
    assert found.count('<noise type="gaussian"><mean>0.2</mean><stddev>0.3</stddev></noise>') == 3
    assert found.startswith(
        '<sensor name="s" type="imu"><imu><angular_velocity><x><noise type="gaussian">')


@pytest.mark.parametrize(('engine', 'expected'), [
    ('<ode><solver><dt>0.01</dt></solver></ode>', '0.01'),
    ('<bullet><dt>0.02</dt></bullet>', '0.02'),
])
def test_kept_physics(engine: str, expected: str) -> None:
    text = in_world(
        '<physics name="p" type="ode"><update_rate>5</update_rate>' + engine + '</physics>'
        '<model name="m"><link name="l"/></model>', '1.3')
    found = kept(text, 'physics')
    assert '<real_time_update_rate>5</real_time_update_rate>' in found
    assert f'<max_step_size>{expected}</max_step_size>' in found
    assert '<dt>' not in found


@pytest.mark.parametrize(('version', 'flag', 'axis'), [
    ('1.4', None, (-1, 0, 0)), ('1.4', 'false', (0, 0, 1)), ('1.5', None, (0, 0, 1)),
    ('1.5', 'True', (-1, 0, 0)), ('1.6', '1', (-1, 0, 0)), ('1.6', 'yes', (0, 0, 1)),
    ('1.7', 'true', (0, 0, 1))])
def test_the_frame_of_an_axis(version: str, flag: str | None, axis: tuple[int, ...]) -> None:
    tag = 'use_parent_model_frame'
    inside = '' if flag is None else f'<{tag}>{flag}</{tag}>'
    model = load_model(in_model(
        '<link name="a"/><link name="b"/><joint name="j" type="revolute"><parent>a</parent>'
        f'<child>b</child><pose>0 0 0 0 {math.pi / 2} 0</pose><axis><xyz>0 0 1</xyz>{inside}'
        '</axis></joint>', version))
    assert model.joints[0].motions[0].axis == pytest.approx(axis)
