# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""RViz's configuration for every example."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from hrdf_ros.node.perform import load_description
from hrdf_ros.node.rviz_config import rviz_config, RvizScene, scene_of
from hrdf_ros.node.settings import Settings
import pytest
import yaml

EXAMPLES = Path(__file__).resolve().parents[2] / 'examples'
FILES = sorted(
    file for suffix in ('hrdf', 'sdf', 'skel', 'urdf') for file in EXAMPLES.rglob(f'*.{suffix}'))


def config_of(file: Path, prefix: str = '', namespace: str = '') -> dict[str, Any]:
    description = load_description(Settings(model=str(file), frame_prefix=prefix)).description
    assert description is not None
    text = rviz_config(scene_of(description, prefix), namespace, prefix)
    found: dict[str, Any] = yaml.safe_load(text)['Visualization Manager']
    return found


def display(config: dict[str, Any], name: str) -> dict[str, Any]:
    [found] = [each for each in config['Displays'] if each['Name'] == name]
    return dict(found)


@pytest.mark.parametrize('file', FILES, ids=lambda file: str(file.relative_to(EXAMPLES)))
def test_the_fixed_frame_is_the_root_of_tf(file: Path) -> None:
    answer = load_description(Settings(model=str(file), frame_prefix='r/'))
    assert answer.description is not None
    urdf = ElementTree.fromstring(answer.description.urdf)
    children = {child.get('link') for child in urdf.iter('child')}
    [root] = [link.get('name') for link in urdf.iter('link')
              if link.get('name') not in children]
    assert config_of(file, 'r/')['Global Options']['Fixed Frame'] == f'r/{root}'


def test_topic_and_prefix_are_the_given_ones() -> None:
    robot = display(config_of(EXAMPLES / 'hrdf/arm_6dof.hrdf', 'left/', '/cell/left'), 'Robot')
    assert robot['TF Prefix'] == 'left'
    assert robot['Description Topic']['Value'] == '/cell/left/robot_description'
    assert robot['Description Topic']['Durability Policy'] == 'Transient Local'
    robot = display(config_of(EXAMPLES / 'hrdf/arm_6dof.hrdf'), 'Robot')
    assert robot['TF Prefix'] == ''
    assert robot['Description Topic']['Value'] == '/robot_description'


def test_tagged_frames_have_axes() -> None:
    group = display(config_of(EXAMPLES / 'hrdf/arm_6dof.hrdf', 'left/'), 'Tagged frames')
    frames = {each['Name']: each['Reference Frame'] for each in group['Displays']}
    assert frames['tool'] == 'left/tool'
    assert {each['Class'] for each in group['Displays']} == {'rviz_default_plugins/Axes'}
    names = {each['Name'] for each in config_of(EXAMPLES / 'sdf/delta.sdf')['Displays']}
    assert names == {'Grid', 'Robot', 'TF'}


def test_the_view_is_as_large_as_the_robot() -> None:
    arm = config_of(EXAMPLES / 'hrdf/arm_6dof.hrdf')
    distance = arm['Views']['Current']['Distance']
    assert 1.0 < distance < 4.0
    assert display(arm, 'Grid')['Cell Size'] == pytest.approx(0.1)


@pytest.mark.parametrize('file, at_least, at_most', [
    ('sdf/features/shapes.sdf', 2.0, 40.0),  # one link
    ('skel/joints/ball.skel', 0.4, 4.0),
    ('skel/rover.skel', 1.0, 8.0)])  # stands on a large ground
def test_shapes_count(file: str, at_least: float, at_most: float) -> None:
    distance = config_of(EXAMPLES / file)['Views']['Current']['Distance']
    assert at_least < distance < at_most


def test_names_are_only_text() -> None:
    scene = RvizScene(root='a: "b"\n- c', tagged=(('#t', "x: 'y'"),))
    config = yaml.safe_load(rviz_config(scene, 'n', 'p/'))['Visualization Manager']
    assert config['Global Options']['Fixed Frame'] == 'a: "b"\n- c'
    [axes] = display(config, 'Tagged frames')['Displays']
    assert (axes['Name'], axes['Reference Frame']) == ('#t', "x: 'y'")


def test_names_are_left_out_where_there_are_many() -> None:
    assert yaml.safe_load(rviz_config(RvizScene(links=500), '', ''))[
        'Visualization Manager']['Displays'][2]['Show Names'] is False
