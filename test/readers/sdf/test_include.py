# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Includes: which file they mean, what they change, and how models are merged."""

from __future__ import annotations

from pathlib import Path

from helpers.loading import model_of
from helpers.sdf_texts import body_of, codes_of, in_model, in_world, position
from hrdf_ros.load import load, load_model
from hrdf_ros.load_result import LoadResult
from hrdf_ros.writers.sdf import write_sdf
import pytest

ARM = (
    '<sdf version="1.9"><model name="arm"><pose>9 9 9 0 0 0</pose>'
    '<link name="upper"><pose>0 0 1 0 0 0</pose></link>'
    '<frame name="tool"><pose>0 0 2 0 0 0</pose></frame>'
    '<frame name="tip" attached_to="upper"><pose>0 1 0 0 0 0</pose></frame></model></sdf>')


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / 'arm.sdf').write_text(ARM)
    return tmp_path


def include(folder: Path, inside: str, attributes: str = '') -> LoadResult:
    """Load a model with a link, a frame `f` at x = 5, and an include of arm.sdf."""
    file = folder / 'top.sdf'
    file.write_text(in_model(
        '<link name="base"/><frame name="f"><pose>5 0 0 0 0 0</pose></frame>'
        f'<include{attributes}><uri>arm.sdf</uri>{inside}</include>'))
    return load(file)


def test_static_holds_for_all_below(folder: Path) -> None:
    (folder / 'arm.sdf').write_text(
        in_model('<link name="a"/><model name="n"><link name="b"/></model>'))
    loaded = include(folder, '<static>true</static>')
    model = model_of(loaded)
    assert 'sdf-include-non-standard' in codes_of(loaded)
    assert {body.source_name: body.static for body in model.bodies} == {
        'm::base': False, 'm::m::a': True, 'm::m::n::b': True}


@pytest.mark.parametrize(('inside', 'namespace'), [
    ('', 'arms/{name}'), ('<namespace/>', 'arms/{name}'),
    ('<namespace>{name}/left</namespace>', '{name}/left')])
def test_a_namespace_of_an_include_replaces_the_one_of_its_model(
    folder: Path, inside: str, namespace: str,
) -> None:
    (folder / 'arm.sdf').write_text(
        ARM.replace('name="arm"', 'name="arm" namespace="arms/{name}"'))
    model = model_of(include(folder, inside))
    assert [(scope.name, scope.namespace) for scope in model.scopes] == [
        ('m', ''), ('arm', namespace)]
    text, report = write_sdf(model)
    assert not list(report)
    assert f'<model name="arm" namespace="{namespace}">' in text


def test_a_namespace_is_lost_before_sdformat_1_11(folder: Path) -> None:
    model = model_of(include(folder, '<namespace>left</namespace>'))
    text, report = write_sdf(model, version='1.10')
    assert 'namespace' not in text
    assert [found.code for found in report] == ['detail-not-representable']


def test_freeing_a_static_model_is_not_standard(folder: Path) -> None:
    (folder / 'arm.sdf').write_text(ARM.replace('<pose>', '<static>true</static><pose>', 1))
    loaded = include(folder, '<static>false</static>')
    assert codes_of(loaded)[:1] == ['sdf-include-non-standard']
    assert not any(body.static for body in model_of(loaded).bodies)


def test_joints_and_frames_of_an_include_are_not_standard(folder: Path) -> None:
    loaded = include(
        folder, '<frame name="grip" attached_to="tip"/><joint name="j" type="fixed">'
        '<parent>world</parent><child>upper</child></joint>')
    model = model_of(loaded)
    assert codes_of(loaded).count('sdf-include-non-standard') == 2
    assert body_of(model, 'm::arm::grip') == 'm::arm::upper'
    assert [joint.source_name for joint in model.joints] == ['m::arm::j']


def test_merging_with_a_placement_frame(folder: Path) -> None:
    model = model_of(include(
        folder, '<placement_frame>tool</placement_frame><pose/>', ' merge="true"'))
    assert position(model, 'm::tool') == (0, 0, 0)
    assert position(model, 'm::upper') == (0, 0, -1)


def test_merged_references_to_the_model_mean_the_proxy(folder: Path) -> None:
    (folder / 'arm.sdf').write_text(in_model(
        '<link name="upper"/><link name="lower"><pose relative_to="__model__">1 0 0 0 0 0</pose>'
        '</link><joint name="j" type="revolute"><parent>upper</parent><child>lower</child>'
        '<pose relative_to="__model__"/>'
        '<axis><xyz expressed_in="__model__">0 0 1</xyz></axis></joint>'))
    model = model_of(include(folder, '<pose>0 0 0 1.5707963267948966 0 0</pose>', ' merge="true"'))
    assert position(model, 'm::lower') == (1, 0, 0)
    assert position(model, 'm::j') == (0, 0, 0)
    assert model.joints[0].motions[0].axis == pytest.approx((0, 0, 1))


def test_a_world_takes_models_and_frames_but_no_links(folder: Path) -> None:
    (folder / 'two.sdf').write_text(in_model(
        '<model name="n"><link name="z"/></model><frame name="f" attached_to="n"/>'))
    for file, merged in (('two.sdf', True), ('arm.sdf', False)):
        world = folder / 'world.sdf'
        world.write_text(in_world(
            f'<include merge="true"><uri>{file}</uri><pose>1 0 0 0 0 0</pose></include>'))
        loaded = load(world)
        assert ('sdf-merge-unsupported' not in codes_of(loaded)) == merged
        if merged:
            assert position(model_of(loaded), 'n::z') == (1, 0, 0)
            assert body_of(model_of(loaded), 'f') == 'n::z'


def test_a_failed_include_is_reported_once(folder: Path) -> None:
    (folder / 'arm.sdf').unlink()
    (folder / 'top.sdf').write_text(in_model(
        '<link name="a"><pose relative_to="arm::tool"/></link>'
        '<include><uri>arm.sdf</uri></include>'
        '<joint name="j" type="fixed"><parent>a</parent><child>arm::upper</child></joint>'))
    assert codes_of(load(folder / 'top.sdf')) == ['sdf-uri-not-found']


@pytest.mark.parametrize('uri', ['model://robots/arm', 'robots/arm/', 'model://robots/arm/m.sdf'])
def test_uris_are_searched_on_the_path(folder: Path, uri: str) -> None:
    directory = folder / 'share' / 'robots' / 'arm'
    directory.mkdir(parents=True)
    (directory / 'm.sdf').write_text(ARM)
    (directory / 'old.sdf').write_text(ARM.replace('arm', 'old'))
    (directory / 'model.config').write_text(
        '<model><name>a</name><sdf version="1.4">old.sdf</sdf>'
        '<sdf version="1.10">m.sdf</sdf><sdf version="1.9">old.sdf</sdf></model>')
    loaded = load(
        in_world(f'<include><uri> {uri} </uri></include>'), path=[str(folder / 'share')])
    assert [scope.name for scope in model_of(loaded).scopes] == ['arm']


def test_a_directory_can_be_loaded(folder: Path) -> None:
    (folder / 'model.config').write_text('<model><sdf version="1.9">arm.sdf</sdf></model>')
    assert load_model(folder).name == 'arm'


@pytest.mark.parametrize(('text', 'errors'), [
    (in_world('<light name="l" type="bad"/><model name="m"><link name="a"/>'
              '<joint name="j" type="bad"><parent>world</parent><child>a</child></joint>'
              '<model name="n"/></model><atmosphere type="bad"/>'),
     ['<atmosphere>', '<joint>', "'n' has no link", '<light>']),
    (in_model('<model name="n"><link name="a"><sensor name="s" type="bad"/><inertial>'
              '<mass>-3</mass></inertial><light name="t" type="bad"/></link></model>'
              '<joint name="j" type="bad"><parent>world</parent><child>n::a</child></joint>'),
     ['<light>', '<sensor>', 'inertia', '<joint>'])])
def test_errors_are_in_the_order_of_libsdformat(text: str, errors: list[str]) -> None:
    found = [each.message for each in load(text).report if each.severity == 'error']
    assert all(part in message for part, message in zip(errors, found, strict=True))


@pytest.mark.pins('model-not-found')
def test_one_model_of_a_world() -> None:
    text = in_world(
        '<frame name="f"><pose>1 0 0 0 0 0</pose></frame>'
        '<model name="a"><pose relative_to="f"/><link name="l"/></model>'
        '<model name="b"><link name="l"/></model>')
    model = load_model(text, model_name='a')
    assert [body.name for body in model.bodies] == ['l']
    assert (model.name, model.is_world, model.root) == ('a', False, 'world')
    assert position(model, 'a::l') == (1, 0, 0)
    assert [body.name for body in load_model(text).bodies] == ['world', 'a/l', 'b/l']
    assert 'model-not-found' in codes_of(load(text, model_name='c'))


def test_models_that_are_not_loaded_are_checked() -> None:
    text = in_world(
        '<model name="a"><link name="l"/></model><model name="b"><link name="l"/></model>'
        '<joint name="j" type="fixed"><parent>{}</parent><child>a::l</child></joint>')
    assert codes_of(load(text.format('b::l'), model_name='a')) == ['sdf-not-loaded']
    assert codes_of(load(text.format('x'), model_name='b'))[:1] == ['joint-parent-unknown']
    second = text.format('x').replace('<world', '<world name="v"/><world')
    assert 'joint-parent-unknown' in codes_of(load(second))


def test_lights_take_name_and_pose(tmp_path: Path) -> None:
    (tmp_path / 'lamp.sdf').write_text(
        '<sdf version="1.9"><light name="lamp" type="point"><pose>0 0 9 0 0 0</pose></light>'
        '</sdf>')
    (tmp_path / 'top.sdf').write_text(in_world(
        '<model name="m"><link name="a"/></model><include><uri>lamp.sdf</uri></include>'
        '<include><uri>lamp.sdf</uri><name>left</name><pose>1 2 3 0 0 0</pose></include>'))
    model = load_model(tmp_path / 'top.sdf')
    assert position(model, 'lamp') == (0, 0, 9)
    assert position(model, 'left') == (1, 2, 3)
    assert [each.text for each in model.extensions] == [
        '<light name="lamp" type="point"><pose>0 0 9 0 0 0</pose></light>',
        '<light name="left" type="point"><pose>1 2 3 0 0 0</pose></light>']


@pytest.mark.parametrize(('inside', 'code'), [
    ('<link name="a"/><frame name="g" attached_to="f"/>', 'sdf-attached-to-unknown'),
    ('<link name="a"/><frame name="g"><pose relative_to="f"/></frame>', 'sdf-relative-to-unknown'),
    ('<link name="a"/><joint name="j" type="fixed"><parent>base</parent><child>a</child></joint>',
     'joint-parent-unknown'),
    ('<frame name="g"/>', 'sdf-model-without-link')])
def test_a_merged_model_is_checked_alone(folder: Path, inside: str, code: str) -> None:
    (folder / 'arm.sdf').write_text(in_model(inside))
    errors = [found for found in include(folder, '', ' merge="true"').report
              if found.severity == 'error']
    assert [found.code for found in errors] == [code]


def test_parameters_are_not_applied(folder: Path) -> None:
    loaded = include(
        folder, '<experimental:params><link element_id="upper" action="remove"/>'
        '</experimental:params>')
    assert 'sdf-include-non-standard' in codes_of(loaded)
    assert position(model_of(loaded), 'm::arm::upper') == (9, 9, 10)


@pytest.mark.parametrize('around', [
    '<population name="p"><model name="n">{}</model></population>',
    '<population name="p"><model name="n"><model name="o">{}</model></model></population>',
    '<state world_name="w"><insertions><model name="n">{}</model></insertions></state>'])
def test_an_include_in_a_model_that_becomes_raw_text(tmp_path: Path, around: str) -> None:
    (tmp_path / 'can.sdf').write_text(in_model('<link name="l"/>'))
    world = tmp_path / 'w.sdf'
    world.write_text(in_world(around.format('<include><uri>can.sdf</uri></include>')))
    loaded = load(world)
    assert loaded.files == (str(world), str(tmp_path / 'can.sdf'))
    assert not [raw for raw in model_of(loaded).extensions if '<include>' in raw.text]
    world.write_text(world.read_text().replace('can.sdf', 'gone.sdf'))
    assert [found.reference for found in load(world).report] == ['URI_LOOKUP']


@pytest.mark.parametrize('around', [
    '<model name="m"><link name="l">{}</link></model>', '<light name="l" type="point">{}</light>',
    '<actor name="a"><skin><filename>x</filename></skin><script/>{}</actor>', '<gui>{}</gui>',
    '<state world_name="w">{}</state>', '<frame name="f">{}</frame>',
    '<state world_name="w"><insertions>{}</insertions></state>'])
def test_an_include_that_is_ignored_is_looked_up(folder: Path, around: str) -> None:
    for include, references in (
            ('<uri>gone</uri>', ['URI_LOOKUP']), ('', ['ATTRIBUTE_MISSING']),
            ('<uri>arm.sdf</uri>', [])):
        (folder / 'w.sdf').write_text(in_world(around.format(f'<include>{include}</include>')))
        errors = [found for found in load(folder / 'w.sdf').report if found.severity == 'error']
        assert [found.reference for found in errors] == references
    assert load(in_world(around.format('<include><uri>x</uri></include>')), placeholders=True).ok


def test_includes_for_others_are_left_alone() -> None:
    for tag in ('plugin name="p" filename="f"', 'foo', 'my:foo'):
        inside = f'<{tag}><include><uri>gone</uri></include></{tag.partition(" ")[0]}>'
        assert load(in_world(inside)).ok


def test_a_urdf_in_a_population(tmp_path: Path) -> None:
    (tmp_path / 'r.urdf').write_text(
        '<robot name="r"><link name="l"><inertial><mass value="1"/><inertia ixx="1" iyy="1" '
        'izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>')
    world = tmp_path / 'w.sdf'
    world.write_text(in_world(
        '<population name="p"><include><uri>r.urdf</uri></include></population>'))
    text = model_of(load(world)).extensions[0].text
    assert '<model name="r"><link name="l"><inertial><pose rotation_format="quat_xyzw">' in text


# ---- placeholders

@pytest.mark.parametrize(('include', 'name'), [
    ('<uri>model://robots/arm</uri>', 'arm'), ('<uri>parts/arm.sdf</uri>', 'arm'),
    ('<uri>model://world</uri>', 'placeholder'), ('<uri>gone</uri><name>arm</name>', 'arm'),
    ('<uri>https://fuel.gazebosim.org/1.0/o/models/Traffic Cone/2</uri>', 'Traffic Cone')])
def test_a_placeholder_stands_for_a_missing_include(include: str, name: str) -> None:
    text = in_world(
        f'<include>{include}<pose>1 0 0 0 0 0</pose></include>'
        f'<model name="m"><link name="l"/></model><frame name="f">'
        f'<pose relative_to="{name}::tool">0 0 1 0 0 0</pose></frame><joint name="j" type="fixed">'
        f'<parent>{name}::hand::palm</parent><child>m::l</child></joint>')
    assert load(text).model is None
    loaded = load(text, placeholders=True)
    assert [found.severity for found in loaded.report] == ['warning']
    assert f"a placeholder '{name}' stands for it" in loaded.report.diagnostics[0].message
    model = model_of(loaded)
    assert [body.source_name for body in model.bodies] == ['world', f'{name}::placeholder', 'm::l']
    assert position(model, f'{name}::placeholder') == (1, 0, 0)
    assert position(model, 'f') == (1, 0, 1)
    assert (model.joints[0].parent, model.joints[0].child) == (1, 2)


def test_placeholders_have_different_names() -> None:
    text = in_world('<include><uri>model://cone</uri></include>' * 2)
    assert [scope.name for scope in model_of(load(text, placeholders=True)).scopes] == [
        'cone', 'cone_2']


def test_a_missing_include_that_would_be_merged() -> None:
    loaded = load(in_model(
        '<link name="a"/><include merge="true"><uri>model://arm</uri></include>'
        '<frame name="f" attached_to="tool"/>'), placeholders=True)
    assert codes_of(loaded)[:1] == ['sdf-uri-not-found'] and loaded.report.ok
    assert [scope.name for scope in model_of(loaded).scopes] == ['m', 'arm']


def test_a_faulty_include_is_an_error_in_any_case(folder: Path) -> None:
    (folder / 'arm.sdf').write_text('<sdf version="1.9">')
    (folder / 'top.sdf').write_text(in_world('<include><uri>arm.sdf</uri></include>'))
    assert load(folder / 'top.sdf', placeholders=True).model is None
