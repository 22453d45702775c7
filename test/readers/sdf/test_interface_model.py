# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Files of other formats in SDFormat: built-in ones, and the example of docs/readers.md."""

from __future__ import annotations

import importlib.metadata
from pathlib import Path
import re
from types import SimpleNamespace
from typing import Any

from helpers.loading import model_of
from helpers.sdf_texts import codes_of, in_model, in_world, position
from hrdf_ros.diff import diff_models
from hrdf_ros.kinematics import Kinematics
from hrdf_ros.load import load, load_model
from hrdf_ros.writers.sdf import write_sdf
from hrdf_ros.writers.urdf import write_urdf
import pytest

DOCS = Path(__file__).parents[3] / 'docs' / 'readers.md'
EXAMPLES = dict(re.findall(r'```(\w+).*?\n(.*?)```', DOCS.read_text(encoding='utf-8'), re.DOTALL))
HRDF = (
    '<robot version="1.5.0"><actuator type="X5-4"/><bracket type="X5LightLeft"/>'
    '<actuator type="X5-1"/><end-effector tag="tool" mass="0.1"/></robot>')


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a toy file, its reader registered."""
    pytest.importorskip('yaml', reason='the example of docs/readers.md needs PyYAML')
    names: dict[str, Any] = {}
    exec(EXAMPLES['python'], names)
    entry = SimpleNamespace(name='toy', load=lambda: names['read'])
    monkeypatch.setattr(importlib.metadata, 'entry_points', lambda group: [entry])
    (tmp_path / 'rod.toy').write_text(EXAMPLES['yaml'])
    (tmp_path / 'arm.hrdf').write_text(HRDF)
    return tmp_path


def write(folder: Path, text: str) -> Path:
    file = folder / 'top.sdf'
    file.write_text(text)
    return file


def test_the_documented_example(folder: Path) -> None:
    model = load_model(write(folder, EXAMPLES['xml']))
    assert position(model, 'rod::tip') == (1, 0, 3)
    assert position(model, 'rod::base') == (1, 0, 2)
    assert position(model, 'flag::cloth') == (1, 0, 3)
    pose = Kinematics(model).pose('flag/cloth', q={'rod/tip': 0.5})
    assert pose[:3, 3] == pytest.approx([1, 0, 3.5])


def test_a_slide_that_is_free_without_limits_is_so_in_a_world(folder: Path) -> None:
    world = (
        '<sdf version="1.12"><world name="w"><include><uri>rod.toy</uri></include>'
        '<model name="m"><link name="a"/><link name="b"/><joint name="j" type="prismatic">'
        '<parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint></model>'
        '<model name="cell"><include><uri>cell.sdf</uri></include></model></world></sdf>')
    (folder / 'cell.sdf').write_text(in_model('<include><uri>rod.toy</uri></include>'))
    found = [item for item in load(write(folder, world)).report if item.code == 'limits-missing']
    assert [item.message for item in found] == ["joint 'm/j' is prismatic and has no limits"]


def test_a_color_is_written_for_ambient_light_from_a_world_too(folder: Path) -> None:
    lone = write_sdf(load_model(folder / 'arm.hrdf'))[0]
    world = load_model(write(folder, in_world(
        '<include><uri>arm.hrdf</uri><name>arm</name></include>')))
    assert write_sdf(world)[0].count('<ambient>') == lone.count('<ambient>') > 0
    lost = [{found.code for found in write_urdf(model)[1]} for model in (
        world, load_model(folder / 'arm.hrdf'))]
    assert 'detail-not-representable' not in set.difference(*lost)


def test_the_words_of_its_joints_are_not_compared(folder: Path) -> None:
    world = load_model(write(folder, in_world(
        '<include><uri>rod.toy</uri></include><model name="m"><link name="a"/><link name="b"/>'
        '<joint name="j" type="revolute"><parent>a</parent><child>b</child></joint></model>')))
    written = write_sdf(world)[0]
    changed = written.replace('name="j" type="revolute"', 'name="j" type="continuous"')
    assert [
        (found.what, found.name) for found in diff_models(world, load_model(changed))
        if found.what == 'type of joint'] == [('type of joint', 'm/j')]


def test_its_diagnostics_are_located_in_its_file(folder: Path) -> None:
    (folder / 'rod.toy').write_text(EXAMPLES['yaml'].replace('parent: base', 'parent: post'))
    found = list(load(write(folder, EXAMPLES['xml'])).report)
    at = found[0].resolve()
    assert [each.code for each in found] == ['missing-element']
    assert at is not None and (Path(at.file).name, at.line) == ('rod.toy', 4)


@pytest.mark.pins('sdf-include-without-name')
def test_a_model_needs_a_name(folder: Path) -> None:
    (folder / 'rod.toy').write_text(re.sub('model: .*', "model: ''", EXAMPLES['yaml']))
    include = '<include><uri>rod.toy</uri>{}</include>'
    assert codes_of(load(write(folder, in_world(include.format(''))))) == [
        'sdf-include-without-name']
    named = load(write(folder, in_world(include.format('<name>r</name>'))))
    assert model_of(named).scopes[0].name == 'r'


def test_hrdf_in_a_model(folder: Path) -> None:
    model = load_model(write(folder, in_model(
        '<link name="base"/><include><uri>arm.hrdf</uri><name>arm</name>'
        '<pose>0 0 1 0 0 0</pose></include>'
        '<joint name="weld" type="fixed"><parent>base</parent><child>arm::base_link</child>'
        '</joint>'
        '<frame name="grip" attached_to="arm::tool"/>')))
    lone = load_model(folder / 'arm.hrdf')
    assert [each.name for each in model.coordinates] == [
        f'arm/{each.name}' for each in lone.coordinates]
    q = [0.3, -0.7]
    at = Kinematics(model).pose('grip', q=q)[:3, 3]
    assert at - [0, 0, 1] == pytest.approx(Kinematics(lone).pose('tool', q=q)[:3, 3])


def test_it_cannot_be_merged(folder: Path) -> None:
    loaded = load(write(folder, in_world('<include merge="true"><uri>rod.toy</uri></include>')))
    assert 'sdf-merge-unsupported' in codes_of(loaded)


def test_additions_of_an_include_to_another_format_are_reported(folder: Path) -> None:
    loaded = load(write(folder, in_world(
        '<include><uri>arm.hrdf</uri><name>a</name><frame name="f"/></include>')))
    assert 'sdf-include-non-standard' in [found.code for found in loaded.report]
    assert 'a::f' not in [frame.source_name for frame in model_of(loaded).frames]


def test_one_robot_of_another_format_may_be_asked_for(folder: Path) -> None:
    file = write(folder, in_world(
        '<include><uri>arm.hrdf</uri><name>left</name><plugin name="p" filename="f"/></include>'
        '<include><uri>arm.hrdf</uri><name>right</name><pose>0 1 0 0 0 0</pose></include>'))
    one, lone = load_model(file, model_name='right'), load_model(folder / 'arm.hrdf')
    assert [body.name for body in one.bodies] == [body.name for body in lone.bodies]
    moved = Kinematics(one).pose('tool') - Kinematics(lone).pose('tool')
    assert moved[:3, 3] == pytest.approx([0, 1, 0])
    assert [each.tag for each in load_model(file).extensions] == ['plugin']


def test_an_included_skeleton_is_not_chosen_by_the_name_of_a_model(folder: Path) -> None:
    (folder / 's.skel').write_text(
        '<skel version="1.0"><world name="w"><skeleton name="s"><body name="b"/><joint type="weld"'
        ' name="j"><parent>world</parent><child>b</child></joint></skeleton></world></skel>')
    file = write(folder, in_world(
        '<include><uri>s.skel</uri></include><model name="m"><link name="l"/></model>'))
    assert [body.name for body in load_model(file, model_name='m').bodies] == ['l']
