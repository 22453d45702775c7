# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0

"""Names in plugins follow the links, joints and frames that they name."""

from __future__ import annotations

from xml.etree import ElementTree

from hrdf_ros import load_model
from hrdf_ros.diagnostics import Report
from hrdf_ros.writers.sdf import write_sdf
from hrdf_ros.writers.urdf import write_urdf
import pytest

MODEL = """<model name="blue"><link name="chassis"/><link name="wheel"/><link name="1"/>
<joint name="j" type="revolute"><parent>chassis</parent><child>wheel</child>
<axis><xyz>0 0 1</xyz></axis></joint>
<joint name="u" type="universal"><parent>chassis</parent><child>1</child>
<axis><xyz>0 0 1</xyz></axis><axis2><xyz>0 1 0</xyz></axis2></joint>
<plugin name="j" filename="wheel">{}</plugin></model>"""
WORLD = """<sdf version="1.11"><world name="w"><physics name="p" type="ode"/>
<plugin name="sys" filename="physics"/><light name="sun" type="directional"/>
<actor name="walker"/>{}</world></sdf>"""


def converted(content: str) -> tuple[str, Report]:
    """Return the content of the plugin in a URDF of a world, and the report."""
    urdf, report = write_urdf(load_model(WORLD.format(MODEL.format(content))), gazebo=True)
    return urdf[urdf.index('filename="wheel">') + 17:urdf.index('</plugin>')], report


@pytest.mark.parametrize('before, after', [
    ('<left_joint>j</left_joint>', '<left_joint>blue/j</left_joint>'),
    ('<a><b> chassis </b></a>', '<a><b> blue/chassis </b></a>'),
    ('<a b="wheel" c=\'j\'/>', '<a b="blue/wheel" c=\'blue/j\'/>'),
    ('<a>blue::j</a>', '<a>blue/j</a>'),
    ('<a>jj</a><j/>', '<a>jj</a><j/>')])
def test_a_name_changes_with_the_item_that_it_names(before: str, after: str) -> None:
    text, report = converted(before)
    assert text == after
    changes = [found for found in report if found.code == 'name-changed']
    assert [found.severity for found in changes] == (['info'] if before != after else [])


def test_an_element_of_gz_systems_names_what_keeps_its_name() -> None:
    """A joint off its child's frame becomes two in a URDF, of which one has its name."""
    model = MODEL.format('<joint_name>j</joint_name><sub_topic>j</sub_topic><label>j</label>')
    moved = model.replace('<axis>', '<pose>0.1 0.2 0.3 0.4 0 0</pose><axis>', 1)
    text, report = write_urdf(load_model(WORLD.format(moved)), gazebo=True)
    assert '<joint_name>blue/j</joint_name><sub_topic>j</sub_topic><label>j</label>' in text
    assert [found.subjects for found in report if 'are not changed' in found.message] == [
        ('j in <sub_topic>', 'j in <label>')]


@pytest.mark.parametrize('content', [
    '<link_name>j</link_name>', '<joint_name>wheel</joint_name>', '<joint_name>u</joint_name>'])
def test_an_element_of_gz_systems_names_no_item_of_another_kind(content: str) -> None:
    text, report = converted(content)
    assert text == content
    assert [found.severity for found in report if found.code == 'name-changed'] == ['warning']


def test_a_link_of_a_detachable_model_stays_with_a_warning() -> None:
    plugin = '<child_model>box</child_model><child_link>lid</child_link>'
    box = '<model name="box"><pose>0 0 2 0 0 0</pose><link name="lid"/></model>'
    model = load_model(WORLD.format(MODEL.format(plugin) + box))
    text, report = write_urdf(model, gazebo=True)
    assert plugin in text
    assert [found.subjects for found in report if 'are not changed' in found.message] == [
        ('lid in <child_link>',)]


def test_a_plugin_of_a_urdf_follows_a_link_that_sdf_renames() -> None:
    text, _ = write_sdf(load_model(
        '<robot name="r"><link name="a"/><link name="arm"/>'
        '<joint name="arm" type="continuous"><parent link="a"/><child link="arm"/></joint>'
        '<gazebo><plugin name="p" filename="f"><link_name>arm</link_name>'
        '<comLinkName>arm</comLinkName><joint_name>arm</joint_name></plugin></gazebo></robot>'))
    assert '<link name="arm/body">' in text
    assert '<link_name>arm/body</link_name><comLinkName>arm/body</comLinkName>' in text
    assert '<joint_name>arm</joint_name>' in text


@pytest.mark.parametrize('content', [
    '<topic>j</topic>', '<names>j wheel</names>', '<rate>1</rate>', '<joint>u</joint>',
    '<a file_name="wheel"/>'])
def test_a_word_that_may_be_another_stays_with_a_warning(content: str) -> None:
    text, report = converted(content)
    assert text == content
    assert [found.severity for found in report if found.code == 'name-changed'] == ['warning']


def test_the_content_of_a_world_is_not_written_into_a_robot() -> None:
    urdf, report = write_urdf(load_model(WORLD.format(MODEL.format(''))), gazebo=True)
    root = ElementTree.fromstring(urdf)
    assert [plugin.get('name') for plugin in root.iter('plugin')] == ['j']
    assert not {'physics', 'light', 'actor'} & {element.tag for element in root.iter()}
    messages = [found.message for found in report if found.code == 'extension-not-representable']
    assert len(messages) == 1 and all(
        f"'{tag}'" in messages[0] for tag in ('physics', 'plugin', 'light', 'actor'))


def test_a_nested_model_has_names_of_its_own() -> None:
    nested = MODEL.format('<joint>j</joint>').replace('name="blue"', 'name="arm"')
    plugin = '<plugin name="p" filename="f"><a>j</a></plugin>'
    model = load_model(
        f'<sdf version="1.11"><model name="m"><link name="j"/>{nested}{plugin}</model></sdf>')
    for text in (write_urdf(model, gazebo=True)[0], write_sdf(model, flatten=True)[0]):
        assert '<a>j</a>' in text and ('<joint>arm/j</joint>' in text) == ('<robot' in text)
    assert '<joint>j</joint>' in write_sdf(model)[0]
