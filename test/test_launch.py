# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The launch files: what they take and what they start, without launch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
import runpy
from typing import Any

from helpers.fake_launch import actions_of, fake_launch, Record
from hrdf_ros.node.launch_arguments import (
    missing_packages,
    parameter_arguments,
    parameters,
    settings,
)
from hrdf_ros.node.settings import BadSetting, Settings
import pytest

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / 'examples'
ARM = str(EXAMPLES / 'hrdf' / 'arm_6dof.hrdf')
Start = Callable[..., dict[str, Record]]


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """Return a function that gives what a launch file starts, by package or kind."""
    install(tmp_path, monkeypatch, 'rviz2', 'joint_state_publisher_gui')
    monkeypatch.setenv('TMPDIR', str(tmp_path))
    monkeypatch.setattr('tempfile.tempdir', str(tmp_path))
    with fake_launch():
        def run(file: str, **given: str) -> dict[str, Record]:
            generate = runpy.run_path(str(ROOT / 'launch' / file))['generate_launch_description']
            return {
                each.keywords.get('package', type(each).__name__): each
                for each in actions_of(generate, **given)}

        yield run


def install(prefix: Path, monkeypatch: pytest.MonkeyPatch, *packages: str) -> None:
    """Let packages be found in an ament index, and no others."""
    index = prefix / 'share' / 'ament_index' / 'resource_index' / 'packages'
    index.mkdir(parents=True, exist_ok=True)
    for package in packages:
        (index / package).touch()
    monkeypatch.setenv('AMENT_PREFIX_PATH', f'/nowhere:{prefix}')
    monkeypatch.setenv('ROS_DISTRO', 'jazzy')


def values(node: Record) -> dict[str, Any]:
    """Return the parameters of a node."""
    return {
        name: value.arguments[0] if isinstance(value, Record) else value
        for each in node.keywords['parameters'] for name, value in each.items()}


# ---- arguments

def test_every_parameter_of_the_node_is_an_argument() -> None:
    arguments = {argument.name: argument for argument in parameter_arguments()}
    assert set(arguments) == {*Settings._fields, 'use_sim_time'}
    assert all(argument.description for argument in arguments.values())


def test_the_defaults_are_those_of_the_node() -> None:
    defaults = {argument.name: argument.default for argument in parameter_arguments()}
    assert parameters(defaults) == parameters({}) == {}
    assert defaults['publish_frequency'] == '20.0'
    assert defaults['watch'] == 'false'


@pytest.mark.parametrize('text', [
    'a,b c', "['a', 'b c']", '[a, b c]', ' a , b c ', '["a", "b c"]'])
def test_lists_are_written_with_commas_or_as_yaml(text: str) -> None:
    assert parameters({'joint_names': text}) == {'joint_names': ['a', 'b c']}


def test_every_kind_of_parameter_is_read() -> None:
    given = {
        'model': 'package://robots/arm.hrdf', 'model_name': '007', 'path': 'models',
        'packages': 'robots=/r,meshes=/m', 'publish_frequency': '50', 'watch': 'True',
        'ignore_timestamp': '0', 'actuated_joints': "['1.0', 'b']", 'use_sim_time': 'true',
        'gui': 'false'}
    found = parameters(given)
    assert found == {
        'model': 'package://robots/arm.hrdf', 'model_name': '007', 'path': ['models'],
        'packages': ['robots=/r', 'meshes=/m'], 'publish_frequency': 50.0, 'watch': True,
        'ignore_timestamp': False, 'actuated_joints': ['1.0', 'b'], 'use_sim_time': True}
    del found['use_sim_time']
    assert settings(found).package_directories == {'robots': '/r', 'meshes': '/m'}


@pytest.mark.parametrize('name, text, message', [
    ('watch', 'maybe', "watch must be true or false, not 'maybe'"),
    ('publish_frequency', 'fast', "publish_frequency must be a number, not 'fast'"),
    ('path', '[a', "path must be a list such as a,b or ['a', 'b'], not [a")])
def test_bad_values_are_refused(name: str, text: str, message: str) -> None:
    with pytest.raises(BadSetting) as error:
        parameters({name: text})
    assert str(error.value) == message


def test_invalid_values_are_refused_before_anything_starts(start: Start) -> None:
    with pytest.raises(BadSetting, match='naming must be default or hebi'):
        start('hrdf.launch.py', naming='other')


# ---- the node

def test_the_node_gets_what_is_given_and_nothing_else(start: Start) -> None:
    node = start(
        'hrdf.launch.py', model=ARM, frame_prefix='left/', namespace='left',
        path='a,b', watch='true')['hrdf_ros']
    assert node.keywords['executable'] == 'hrdf_node'
    assert node.keywords['namespace'] == 'left'
    assert values(node) == {
        'model': ARM, 'frame_prefix': 'left/', 'path': ['a', 'b'], 'watch': True}
    assert 'on_exit' not in node.keywords


def test_texts_stay_texts(start: Start) -> None:
    node = start('hrdf.launch.py', model=ARM, model_name='007', joint_names='1,2')['hrdf_ros']
    [given] = node.keywords['parameters']
    assert given['model_name'].keywords == {'value_type': str}
    assert given['joint_names'].keywords == {'value_type': list[str]}


# ---- the view

def test_the_view_has_sliders_and_rviz_in_the_namespace(start: Start) -> None:
    found = start('view.launch.py', model=ARM, namespace='left', use_sim_time='true')
    assert {*found} == {
        'hrdf_ros', 'joint_state_publisher_gui', 'rviz2', 'RegisterEventHandler'}
    for package in ('hrdf_ros', 'joint_state_publisher_gui', 'rviz2'):
        assert found[package].keywords['namespace'] == 'left'
        assert values(found[package])['use_sim_time'] is True


def test_the_end_of_the_node_ends_the_rest(start: Start) -> None:
    on_exit = start('view.launch.py', model=ARM)['hrdf_ros'].keywords['on_exit']
    assert type(on_exit).__name__ == 'Shutdown'


def test_joints_that_sliders_do_not_move_are_shown(start: Start) -> None:
    assert values(start('view.launch.py', model=ARM)['hrdf_ros'])['publish_initial'] is True
    without = start('view.launch.py', model=ARM, gui='false')
    assert 'publish_initial' not in values(without['hrdf_ros'])
    assert 'joint_state_publisher_gui' not in without
    kept = start('view.launch.py', model=ARM, publish_initial='false')
    assert 'publish_initial' not in values(kept['hrdf_ros'])


@pytest.mark.parametrize('file, root', [
    ('hrdf/gantry.hrdf', 'base_link'), ('sdf/delta.sdf', 'base'),
    ('sdf/two_arm_world.sdf', 'world'), ('skel/humanoid.skel', 'world'),
    ('urdf/rover.urdf', 'ground')])
def test_rviz_gets_a_configuration_for_the_robot(start: Start, file: str, root: str) -> None:
    found = start(
        'view.launch.py', model=str(EXAMPLES / file), frame_prefix='left/', namespace='/left')
    option, config = found['rviz2'].keywords['arguments']
    text = Path(config).read_text()
    assert option == '-d'
    assert f'Fixed Frame: "left/{root}"' in text
    assert 'TF Prefix: "left"' in text
    assert 'Value: "/left/robot_description"' in text
    [handler] = found['RegisterEventHandler'].arguments
    handler.keywords['on_shutdown']()
    assert not Path(config).exists()


def test_a_configuration_of_the_user_is_taken(start: Start) -> None:
    found = start('view.launch.py', model=ARM, rviz_config='/my.rviz')
    assert found['rviz2'].keywords['arguments'] == ['-d', '/my.rviz']
    assert 'RegisterEventHandler' not in found


def test_a_prefix_that_rviz_does_not_find_is_said(start: Start) -> None:
    found = start('view.launch.py', model=ARM, frame_prefix='left_')
    assert 'slash' in found['LogInfo'].keywords['msg']
    assert 'LogInfo' not in start('view.launch.py', model=ARM, frame_prefix='left/')


def test_a_model_in_a_package(start: Start, tmp_path: Path) -> None:
    share = tmp_path / 'share' / 'robots'
    share.mkdir()
    (share / 'my delta.sdf').write_text((EXAMPLES / 'sdf' / 'delta.sdf').read_text())
    found = start('view.launch.py', model='package://robots/my%20delta.sdf')
    assert values(found['hrdf_ros'])['model'] == 'package://robots/my%20delta.sdf'
    text = Path(found['rviz2'].keywords['arguments'][1]).read_text()
    assert 'Fixed Frame: "base"' in text


def test_a_description_with_errors_starts_the_node_alone(start: Start, tmp_path: Path) -> None:
    broken = tmp_path / 'broken.hrdf'
    broken.write_text('<robot><actuator type="X5-44"/></robot>')
    assert set(start('view.launch.py', model=str(broken))) == {'hrdf_ros'}
    assert 'rviz2' in start('view.launch.py', model=str(broken), watch='true')


def test_a_description_from_the_topic_is_shown(start: Start) -> None:
    found = start('view.launch.py', frame_prefix='a/')
    assert 'Fixed Frame: "a/base_link"' in Path(
        found['rviz2'].keywords['arguments'][1]).read_text()


def test_a_missing_package_starts_nothing_and_says_what_to_install(
        start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path / 'other', monkeypatch, 'joint_state_publisher_gui')
    with pytest.raises(RuntimeError) as error:
        start('view.launch.py', model=ARM)
    assert str(error.value) == (
        'rviz2 is not installed: sudo apt install ros-jazzy-rviz2, or rviz:=false to do without '
        'RViz')
    assert 'rviz2' not in start('view.launch.py', model=ARM, rviz='false')


def test_each_missing_package_is_named() -> None:
    said = missing_packages({'one': '', 'two_three': 'x:=false'}, {})
    assert said == (
        'one is not installed: sudo apt install ros-<distro>-one; two_three is not installed: '
        'sudo apt install ros-<distro>-two-three, or x:=false')
