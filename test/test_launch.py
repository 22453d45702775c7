# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The launch files, read by the real launch and launch_ros where they are installed."""

from importlib.util import find_spec
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(
    find_spec('launch_ros') is None, reason='launch and launch_ros are not installed')

FILES = Path(__file__).resolve().parents[1] / 'launch'


def context():
    """Return a context in which substitutions can be performed."""
    from launch import LaunchContext
    return LaunchContext()


def description(name):
    """Return the launch description of a file."""
    from launch.launch_description_sources import PythonLaunchDescriptionSource
    return PythonLaunchDescriptionSource(str(FILES / name)).get_launch_description(
        context())


def test_every_argument_of_the_node_is_a_setting_and_explained():
    from hrdf_ros.node.settings import Settings
    declared = description('hrdf.launch.py').get_launch_arguments()
    arguments = {argument.name: argument for argument in declared}
    assert set(arguments) - {'namespace', 'use_sim_time'} <= set(Settings._fields)
    assert {'model', 'publish_frequency', 'frame_prefix'} <= set(arguments)
    assert all(argument.description for argument in arguments.values())


def test_the_defaults_are_those_of_the_node():
    from hrdf_ros.node.settings import Settings
    here = context()
    for argument in description('hrdf.launch.py').get_launch_arguments():
        if argument.name in Settings._fields:
            value = ''.join(part.perform(here) for part in argument.default_value)
            assert value == str(Settings._field_defaults[argument.name]).replace('False', 'false')


def test_the_node_is_started_with_what_is_given():
    from launch_ros.actions import Node
    found = description('hrdf.launch.py')
    here = context()
    here.launch_configurations.update({
        'model': '/robots/arm.hrdf', 'frame_prefix': 'left/', 'namespace': 'left'})
    for argument in found.get_launch_arguments():
        argument.execute(here)
    [node] = [entity for entity in found.entities if isinstance(entity, Node)]
    assert (node.node_package, node.node_executable) == ('hrdf_ros', 'hrdf_node')
    from launch_ros.utilities import evaluate_parameters
    [parameters] = evaluate_parameters(here, node._Node__parameters)
    assert parameters['model'] == '/robots/arm.hrdf'
    assert parameters['frame_prefix'] == 'left/'
    assert (parameters['publish_frequency'], parameters['watch']) == (20.0, False)


def test_the_view_has_switches_for_rviz_and_sliders():
    names = {
        argument.name for argument in description('view.launch.py').get_launch_arguments()}
    assert {'gui', 'rviz', 'rviz_config'} <= names


def test_the_view_is_in_the_namespace_of_the_node():
    from launch_ros.actions import Node
    here = context()
    here.launch_configurations['namespace'] = 'left'
    nodes = [
        entity for entity in description('view.launch.py').entities if isinstance(entity, Node)]
    assert len(nodes) == 2
    for node in nodes:
        node._perform_substitutions(here)
        assert node.expanded_node_namespace == '/left'
