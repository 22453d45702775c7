# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The launch files and the configurations: arguments, started programs, without launch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
import runpy
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

from hrdf_ros.node.settings import BadSetting, changed, DESCRIPTIONS, Settings
import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
CONFIG = ROOT / 'config'
EXAMPLES = ROOT / 'examples'
ARM = str(EXAMPLES / 'hrdf' / 'arm_6dof.hrdf')
MODULES = ('launch', 'launch.actions', 'launch.event_handlers', 'launch.logging',
           'launch.substitutions', 'launch_ros', 'launch_ros.actions',
           'launch_ros.parameter_descriptions')
OURS = 'hrdf_ros.node.launching'


class Record:
    """Something that a launch file makes: how it was called."""

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        self.arguments = arguments
        self.keywords = keywords


class FakeModule(ModuleType):
    """A module with every class that is asked for."""

    def __getattr__(self, name: str) -> type[Record]:
        setattr(self, name, type(name, (Record,), {}))
        found: type[Record] = vars(self)[name]
        return found


def declared_by(generate: Callable[[], Any]) -> dict[str, Any]:
    """Return the arguments of a launch file with their defaults."""
    return {
        entity.arguments[0]: entity.keywords['default_value']
        for entity in generate().arguments[0] if type(entity).__name__ == 'DeclareLaunchArgument'}


def actions_of(generate: Callable[[], Any], **given: str) -> list[Record]:
    """Return the actions of a launch file for some arguments."""
    values: dict[str, str] = {}
    for name, default in declared_by(generate).items():
        if isinstance(default, Record):  # the value of another argument
            default = values[default.arguments[0]]
        values[name] = given.get(name, default)
    function = generate().arguments[0][-1].keywords['function']
    actions: list[Record] = function(SimpleNamespace(launch_configurations=values))
    return actions


Start = Callable[..., dict[str, Record]]


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """Return a function that returns the programs of a launch file, by package or kind."""
    index = tmp_path / 'share' / 'ament_index' / 'resource_index' / 'packages'
    index.mkdir(parents=True)
    for package in ('rviz2', 'joint_state_publisher_gui'):
        (index / package).touch()
    monkeypatch.setenv('AMENT_PREFIX_PATH', f'/nowhere:{tmp_path}')
    monkeypatch.setenv('ROS_DISTRO', 'jazzy')
    for name in MODULES:
        monkeypatch.setitem(sys.modules, name, FakeModule(name))
    vars(sys.modules['launch.logging'])['launch_config'] = SimpleNamespace(log_dir=str(tmp_path))
    monkeypatch.delitem(sys.modules, OURS, raising=False)
    yield lambda file, **given: {
        each.keywords.get('package', type(each).__name__): each
        for each in actions_of(generator(file), **given)}
    sys.modules.pop(OURS, None)


def generator(file: str) -> Callable[[], Any]:
    found: Callable[[], Any] = runpy.run_path(
        str(ROOT / 'launch' / file))['generate_launch_description']
    return found


def values(node: Record) -> dict[str, Any]:
    """Return the parameters of a node, without those of its file."""
    return {
        name: value.arguments[0] if isinstance(value, Record) else value
        for each in node.keywords['parameters'] if isinstance(each, dict)
        for name, value in each.items()}


# ---- config

def test_the_parameter_file_has_every_parameter_with_its_default_and_a_comment() -> None:
    text = (CONFIG / 'hrdf_ros.yaml').read_text()
    parameters = yaml.safe_load(text)['/**']['ros__parameters']
    assert list(parameters) == list(Settings._fields)
    assert changed(Settings(), parameters) == Settings()
    lines = text.splitlines()
    for name, description in DESCRIPTIONS.items():
        [index] = [index for index, line in enumerate(lines) if line.startswith(f'    {name}: ')]
        assert lines[index - 1] == f'    # {description}'


# ---- the node

@pytest.mark.parametrize('file', ['hrdf.launch.py', 'view.launch.py'])
def test_every_parameter_of_the_node_is_an_argument(start: Start, file: str) -> None:
    assert {*Settings._fields, 'use_sim_time', 'params_file', 'namespace'} <= set(
        declared_by(generator(file)))


def test_the_node_gets_the_arguments_and_the_parameter_file(start: Start) -> None:
    node = start(
        'hrdf.launch.py', model='package://robots/arm.hrdf', model_name='007', path='a, b c',
        packages='robots=/r,meshes=/m', publish_frequency='50', watch='True', namespace='left',
        actuated_joints="['1.0', b, 2.0]", xacro_arguments="len:=0.9 name:='a b'",
        use_sim_time='true')['hrdf_ros']
    assert (node.keywords['executable'], node.keywords['namespace']) == ('hrdf_node', 'left')
    assert node.keywords['parameters'][0] == str(CONFIG / 'hrdf_ros.yaml')
    assert values(node) == {
        'use_sim_time': True, 'model': 'package://robots/arm.hrdf', 'model_name': '007',
        'path': ['a', 'b c'], 'packages': ['robots=/r', 'meshes=/m'], 'publish_frequency': 50,
        'watch': True, 'actuated_joints': ['1.0', 'b', '2.0'],
        'xacro_arguments': ['len:=0.9', 'name:=a b']}
    typed = node.keywords['parameters'][2]
    assert typed['model_name'].keywords == {'value_type': str}
    assert typed['path'].keywords == {'value_type': list[str]}
    assert 'on_exit' not in node.keywords


@pytest.mark.parametrize('name, text, message', [
    ('watch', 'maybe', 'watch must be a bool'),
    ('publish_frequency', 'fast', 'publish_frequency must be a float'),
    ('path', '[{a: b}, [', 'expected'), ('naming', 'other', 'naming must be default or hebi')])
def test_invalid_values_start_nothing(start: Start, name: str, text: str, message: str) -> None:
    with pytest.raises((BadSetting, yaml.YAMLError), match=message):
        start('hrdf.launch.py', **{name: text})


# ---- the view

def test_the_view_has_sliders_and_rviz_in_the_namespace(start: Start) -> None:
    found = start('view.launch.py', model=ARM, namespace='left', use_sim_time='true')
    assert {*found} == {'hrdf_ros', 'joint_state_publisher_gui', 'rviz2'}
    for node in found.values():
        assert node.keywords['namespace'] == 'left'
        assert values(node)['use_sim_time'] is True
    assert type(found['hrdf_ros'].keywords['on_exit']).__name__ == 'Shutdown'


def config_of(found: dict[str, Record]) -> Any:
    option, config = found['rviz2'].keywords['arguments']
    assert option == '-d'
    return yaml.safe_load(Path(config).read_text())


@pytest.mark.parametrize('file, root', [
    ('hrdf/gantry.hrdf', 'base_link'), ('sdf/delta.sdf', 'base'),
    ('sdf/two_arm_world.sdf', 'world'), ('skel/humanoid.skel', 'world'),
    ('urdf/rover.urdf', 'ground')])
def test_rviz_gets_our_configuration_for_the_robot(start: Start, file: str, root: str) -> None:
    config = config_of(start(
        'view.launch.py', model=str(EXAMPLES / file), frame_prefix='left/', namespace='/left'))
    ours = yaml.safe_load((CONFIG / 'view.rviz').read_text())
    for each, frame, prefix, topic in (
            (config, f'left/{root}', 'left', '/left/robot_description'),
            (ours, 'base_link', '', '/robot_description')):
        manager = each['Visualization Manager']
        [robot] = [display for display in manager['Displays']
                   if display['Class'] == 'rviz_default_plugins/RobotModel']
        assert manager['Global Options'].pop('Fixed Frame') == frame
        assert robot.pop('TF Prefix') == prefix
        assert robot['Description Topic'].pop('Value') == topic
        view = manager['Views']['Current']
        assert view.pop('Distance') > 0.0 and len(view.pop('Focal Point')) == 3
        for display in manager['Displays']:
            display.pop('Cell Size', None), display.pop('Marker Scale', None)
    assert config == ours


def test_the_camera_looks_at_a_floating_robot_where_it_starts(
        start: Start, tmp_path: Path) -> None:
    file = tmp_path / 'floating.xml'
    file.write_text('<mujoco><worldbody><body pos="0 0 2"><freejoint/><geom size="0.1"/></body>'
                    '</worldbody></mujoco>')
    view = config_of(start('view.launch.py', model=str(file)))['Visualization Manager']['Views']
    assert view['Current']['Focal Point'] == {'X': 0.0, 'Y': 0.0, 'Z': 1.05}


def test_the_robot_of_a_parameter_file_or_the_topic_is_shown(start: Start, tmp_path: Path) -> None:
    mine = tmp_path / 'mine.yaml'
    mine.write_text(yaml.safe_dump({'cell': {'hrdf_ros': {'ros__parameters': {
        'model': str(EXAMPLES / 'sdf' / 'delta.sdf'), 'frame_prefix': 'd/'}}}}))
    for given, root in (({'params_file': str(mine)}, 'd/base'),
                        ({'frame_prefix': 'a/'}, 'a/base_link')):
        config = config_of(start('view.launch.py', **given))
        assert config['Visualization Manager']['Global Options']['Fixed Frame'] == root
        assert config['Visualization Manager']['Views']['Current']['Distance'] > 0.0
    assert "if its root is not 'a/base_link'" in start('view.launch.py', frame_prefix='a/')[
        'LogInfo'].keywords['msg']
    found = start('view.launch.py', model=ARM, rviz_config='/my.rviz')
    assert found['rviz2'].keywords['arguments'] == ['-d', '/my.rviz']


def test_a_prefix_that_rviz_does_not_find_is_reported(start: Start) -> None:
    found = start('view.launch.py', model=ARM, frame_prefix='left_')
    assert 'slash' in found['LogInfo'].keywords['msg']
    assert 'LogInfo' not in start('view.launch.py', model=ARM, frame_prefix='left/')


def test_a_description_with_errors_starts_the_node_alone(start: Start, tmp_path: Path) -> None:
    broken = tmp_path / 'broken.hrdf'
    broken.write_text('<robot><actuator type="X5-44"/></robot>')
    assert set(start('view.launch.py', model=str(broken))) == {'hrdf_ros'}


def test_rviz_follows_with_its_root_when_a_watched_description_is_mended(
    start: Start, tmp_path: Path,
) -> None:
    broken = tmp_path / 'm.sdf'
    broken.write_text('<sdf')
    found = start('view.launch.py', model=str(broken), watch='true')
    assert set(found) == {'hrdf_ros', 'joint_state_publisher_gui', 'RegisterEventHandler'}
    handler = found['RegisterEventHandler'].arguments[0].keywords
    assert handler['target_action'] is found['hrdf_ros']
    assert handler['on_stderr'](SimpleNamespace(text=b'm.sdf:1: error')) is None
    broken.write_text('<sdf version="1.9"><model name="m"><link name="trunk"/></model></sdf>')
    published = SimpleNamespace(text=b"publishing 'm': 1 links, 0 coordinates, root frame trunk")
    [rviz] = handler['on_stdout'](published)
    config = config_of({'rviz2': rviz})
    assert config['Visualization Manager']['Global Options']['Fixed Frame'] == 'trunk'
    assert handler['on_stderr'](published) is None


def test_missing_packages_start_nothing_and_the_message_says_what_to_install(
        start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / 'other').mkdir()
    monkeypatch.setenv('AMENT_PREFIX_PATH', str(tmp_path / 'other'))
    with pytest.raises(RuntimeError) as error:
        start('view.launch.py', model=ARM)
    assert str(error.value) == (
        'joint_state_publisher_gui is not installed: sudo apt install '
        'ros-jazzy-joint-state-publisher-gui, or gui:=false to do without; rviz2 is not '
        'installed: sudo apt install ros-jazzy-rviz2, or rviz:=false to do without')
    assert set(start('view.launch.py', model=ARM, rviz='false', gui='false')) == {'hrdf_ros'}


def test_the_view_publishes_what_rviz_reads(start: Start) -> None:
    assert values(start('view.launch.py', model=ARM)['hrdf_ros'])['rviz_compatible'] is True
    assert 'rviz_compatible' not in values(start('hrdf.launch.py', model=ARM)['hrdf_ros'])
    kept = start('view.launch.py', model=ARM, rviz_compatible='false')
    assert values(kept['hrdf_ros'])['rviz_compatible'] is False


def test_joints_that_sliders_do_not_move_are_shown(start: Start) -> None:
    assert values(start('view.launch.py', model=ARM)['hrdf_ros'])['publish_initial'] is True
    without = start('view.launch.py', model=ARM, gui='false')
    assert values(without['hrdf_ros'])['publish_initial'] is False
    assert 'joint_state_publisher_gui' not in without
    kept = start('view.launch.py', model=ARM, publish_initial='false')
    assert values(kept['hrdf_ros'])['publish_initial'] is False
