# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The node in a launch file: each of its parameters is an argument.

Lists are written ``a,b`` or ``['a', 'b']``, ``xacro_arguments`` as on a command line: ``a:=1
b:=2``. An argument that is not given has the value of the parameter file.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
import shlex
from typing import Any

from hrdf_ros.node.settings import changed, DESCRIPTIONS, Settings, typed
from launch.actions import DeclareLaunchArgument
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
import yaml

Given = Mapping[str, str]


def arguments(share: Path, **defaults: Any) -> list[DeclareLaunchArgument]:
    """Return the arguments of the launch file; ``share`` is the share directory of the package."""
    found = {
        'namespace': ('', 'the namespace of the node and its topics'),
        'params_file': (str(share / 'config' / 'hrdf_ros.yaml'), 'a parameter file'),
        'use_sim_time': ('false', 'take the time from /clock'),
        **{name: ('', text) for name, text in DESCRIPTIONS.items()}}
    return [
        DeclareLaunchArgument(name, default_value=defaults.get(name, default), description=text)
        for name, (default, text) in found.items()]


def node(given: Given, **options: Any) -> Node:
    """Return the node with the parameters of the file and of the arguments."""
    found = _parameters(given)
    changed(Settings(), found)  # with an invalid value nothing is started
    # without a type, a text is read as YAML, and a model_name of 007 becomes a number
    typed = {name: ParameterValue(value, value_type=list[str] if isinstance(value, list)
                                  else type(value)) for name, value in found.items()}
    return Node(
        package='hrdf_ros', executable='hrdf_node', name='hrdf_ros', output='screen',
        namespace=given['namespace'], parameters=[given['params_file'], clock(given), typed],
        **options)


def clock(given: Given) -> dict[str, bool]:
    """Return the parameter that all nodes of the launch file share."""
    return {'use_sim_time': yaml.safe_load(given['use_sim_time']) is True}


def settings_of(given: Given) -> Settings:
    """Return the settings that the node will have; an invalid value raises BadSetting."""
    file = yaml.safe_load(Path(given['params_file']).read_text())
    return changed(Settings(), {**_parameters_in(file or {}), **_parameters(given)})


def _parameters_in(file: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters in a parameter file, whichever nodes they are for."""
    found: dict[str, Any] = {}
    for name, value in file.items():
        if isinstance(value, dict):
            found |= value if name == 'ros__parameters' else _parameters_in(value)
    return found


def _parameters(given: Given) -> dict[str, Any]:
    """Return the parameters given as arguments, with their types."""
    return {
        name: _listed(name, given[name]) if isinstance(default, tuple)
        else typed(name, given[name])
        for name, default in Settings()._asdict().items() if given.get(name)}


def _listed(name: str, text: str) -> Any:
    """Return the elements of a list that is written as text."""
    if text.lstrip().startswith('['):
        return yaml.load(text, yaml.BaseLoader)
    if name == 'xacro_arguments':
        return shlex.split(text)
    return [word.strip() for word in text.split(',')]
