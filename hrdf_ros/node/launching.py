# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The launch files: the node, and with it RViz and sliders.

Each parameter of the node is an argument; lists are written ``a,b`` or ``['a', 'b']``. An
argument that is not given has the value of the parameter file.
"""

from __future__ import annotations

from collections.abc import Mapping
import os
from pathlib import Path
import tempfile
from typing import Any, Optional

from hrdf_ros.node.perform import load_description
from hrdf_ros.node.settings import changed, DESCRIPTIONS, Settings
from hrdf_ros.topology import span
from launch.actions import DeclareLaunchArgument, LogInfo, OpaqueFunction, Shutdown
from launch.launch_context import LaunchContext
from launch.logging import launch_config
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
import yaml

Given = Mapping[str, str]
_VIEW = {
    'gui': ('true', 'move the joints with sliders: joint_state_publisher_gui'),
    'rviz': ('true', 'start RViz'),
    'rviz_config': ('', 'a configuration of RViz; default: config/view.rviz for this robot')}


def node_description(share: Path) -> list[Any]:
    """Return the entities of hrdf.launch.py; ``share`` is the share directory of the package."""
    return [*_declare(share), OpaqueFunction(
        function=lambda context: [_node(context.launch_configurations)])]


def view_description(share: Path) -> list[Any]:
    """Return the entities of view.launch.py: with sliders all joints are shown."""
    return [
        *_declare(share, _VIEW, publish_initial=LaunchConfiguration('gui')),
        OpaqueFunction(function=lambda context: _view(context, share))]


def _declare(
    share: Path, more: Mapping[str, tuple[str, str]] = {}, **defaults: Any,
) -> list[DeclareLaunchArgument]:
    """Return the arguments of the node and some more, some with other defaults."""
    arguments = {
        **more,
        'namespace': ('', 'the namespace of the node and its topics'),
        'params_file': (str(share / 'config' / 'hrdf_ros.yaml'), 'a parameter file'),
        'use_sim_time': ('false', 'take the time from /clock'),
        **{name: ('', text) for name, text in DESCRIPTIONS.items()}}
    return [
        DeclareLaunchArgument(name, default_value=defaults.get(name, default), description=text)
        for name, (default, text) in arguments.items()]


def parameters(given: Given) -> dict[str, Any]:
    """Return the parameters that were given as arguments, typed."""
    return {name: _typed(given[name], default) for name, default in Settings()._asdict().items()
            if given.get(name)}


def _typed(text: str, default: Any) -> Any:
    if isinstance(default, str):
        return text
    if isinstance(default, tuple) and not text.lstrip().startswith('['):
        return [word.strip() for word in text.split(',')]
    found = yaml.safe_load(text)
    if isinstance(default, float) and type(found) is int:
        return float(found)
    return [str(each) for each in found] if isinstance(found, list) else found


def _node(given: Given, **options: Any) -> Node:
    """Return the node with the parameters of the file and of the arguments."""
    found = parameters(given)
    changed(Settings(), found)  # an invalid value starts nothing
    # without a type a text is read as YAML: a model_name of 007 would be a number
    typed = {name: ParameterValue(value, value_type=list[str] if isinstance(value, list)
                                  else type(value)) for name, value in found.items()}
    return Node(
        package='hrdf_ros', executable='hrdf_node', name='hrdf_ros', output='screen',
        namespace=given['namespace'], parameters=[given['params_file'], _clock(given), typed],
        **options)


def _clock(given: Given) -> dict[str, bool]:
    return {'use_sim_time': _is_true(given['use_sim_time'])}


def _is_true(text: str) -> bool:
    return yaml.safe_load(text) is True


def _view(context: LaunchContext, share: Path) -> list[Any]:
    """
    Return the node, sliders and RViz; raise RuntimeError if a package is missing.

    A description with errors starts the node alone, which reports them and ends, unless it is
    to watch the files.
    """
    given = context.launch_configurations
    file = yaml.safe_load(Path(given['params_file']).read_text())
    settings = changed(Settings(), {**_parameters_in(file), **parameters(given)})
    programs = {'gui': 'joint_state_publisher_gui', 'rviz': 'rviz2'}
    wanted = {name: package for name, package in programs.items() if _is_true(given[name])}
    _require_installed(wanted)
    actions: list[Any] = [_node(given, on_exit=Shutdown(reason='hrdf_node ended'))]
    root = _root_frame(settings) if settings.is_described else 'base_link'
    if root is None and not settings.watch:
        return actions
    options = {'namespace': given['namespace'], 'parameters': [_clock(given)]}
    if 'gui' in wanted:
        actions.append(Node(package=wanted['gui'], executable=wanted['gui'], **options))
    if 'rviz' in wanted:
        config = given['rviz_config'] or _write_config(
            share, settings.frame_prefix, root or 'base_link', given['namespace'])
        actions.append(
            Node(package='rviz2', executable='rviz2', arguments=['-d', config], **options))
        if settings.frame_prefix and not settings.frame_prefix.endswith('/'):
            actions.append(LogInfo(msg=(
                f"RViz cannot show the robot's links with the frame_prefix "
                f"'{settings.frame_prefix}': it puts a slash behind a prefix; TF is shown")))
    return actions


def _parameters_in(file: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters in a parameter file, whatever the name of the node."""
    found: dict[str, Any] = {}
    for name, value in (file or {}).items():
        if isinstance(value, dict):
            found |= value if name == 'ros__parameters' else _parameters_in(value)
    return found


def _require_installed(wanted: Mapping[str, str]) -> None:
    prefixes = os.environ.get('AMENT_PREFIX_PATH', '').split(os.pathsep)
    index = Path('share', 'ament_index', 'resource_index', 'packages')
    distro = os.environ.get('ROS_DISTRO', '<distro>')
    missing = [
        f'{package} is not installed: sudo apt install ros-{distro}-{package.replace("_", "-")}, '
        f'or {name}:=false to do without' for name, package in wanted.items()
        if not any((Path(prefix) / index / package).is_file() for prefix in prefixes if prefix)]
    if missing:
        raise RuntimeError('; '.join(missing))


def _root_frame(settings: Settings) -> Optional[str]:
    """Return the root frame of the description, None if it has errors."""
    description = load_description(settings).description
    if description is None:
        return None  # the node reports why
    model = description.model
    return model.bodies[span(model).roots[0]].name


def _write_config(share: Path, prefix: str, root: str, namespace: str) -> str:
    """Write RViz's configuration for a robot beside the logs of the launch; return its path."""
    text = rviz_config(
        (share / 'config' / 'view.rviz').read_text(), prefix + root, prefix, namespace)
    with tempfile.NamedTemporaryFile(
            'w', dir=launch_config.log_dir, suffix='.rviz', delete=False) as stream:
        stream.write(text)
    return stream.name


def rviz_config(text: str, frame: str, prefix: str, namespace: str) -> str:
    """Return a configuration of RViz with other fixed frame, TF prefix and topic."""
    config = yaml.safe_load(text)
    manager = config['Visualization Manager']
    manager['Global Options']['Fixed Frame'] = frame
    for display in manager['Displays']:
        if display['Class'] == 'rviz_default_plugins/RobotModel':
            display['TF Prefix'] = prefix.removesuffix('/')
            display['Description Topic']['Value'] = '/'.join(
                (f'/{namespace.strip("/")}'.rstrip('/'), 'robot_description'))
    return str(yaml.safe_dump(config, sort_keys=False))
