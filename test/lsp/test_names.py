# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Definitions, references, rename and the outline, over files and formats."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hrdf_ros import load
from lsprotocol import types as lsp
import pytest

if TYPE_CHECKING:
    from helpers.editor import Editor

URDF = """<robot name="r">
  <material name="red"><color rgba="1 0 0 1"/></material>
  <link name="base"><visual><geometry><sphere radius="1"/></geometry>
    <material name="red"/></visual>
    <inertial><mass value="1"/>
      <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <link name="arm">
    <inertial><mass value="1"/>
      <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="j1" type="continuous"><parent link="base"/><child link="arm"/></joint>
  <gazebo reference="arm"/>
  <ros2_control name="c" type="system"><joint name="j1"/></ros2_control>
</robot>
"""
ARM = """<robot version="1.5.0">
  <include path="wrist.hrdf"/>
  <joint axis="rz" tag="turn"/>
</robot>
"""
WRIST = """<robot version="1.5.0">
  <actuator type="X5-1" tag="wrist"/>
</robot>
"""
WORLD = """<sdf version="1.9"><world name="w">
  <include><name>arm</name><uri>arm.hrdf</uri></include>
  <include><uri>robot.urdf</uri></include>
  <model name="box"><static>true</static><link name="base"/>
    <frame name="top" attached_to="base"><pose relative_to="base">0 0 1 0 0 0</pose></frame>
  </model>
  <frame name="grip" attached_to="arm::wrist"/>
  <joint name="mount" type="fixed"><parent>r::base</parent><child>box::top</child></joint>
</world></sdf>
"""


@pytest.fixture
def files(folder: Path) -> Path:
    """Write robots that include each other."""
    for name, text in (('arm.hrdf', ARM), ('wrist.hrdf', WRIST), ('world.sdf', WORLD),
                       ('robot.urdf', URDF)):
        (folder / name).write_text(text)
    return folder


@pytest.mark.parametrize(('file', 'at', 'expected'), [
    ('robot.urdf', '<parent link="ba|se"', ['robot.urdf: <link name="[base]']),
    ('robot.urdf', 'reference="|arm', ['robot.urdf: <link name="[arm]']),
    ('robot.urdf', '<ros2_control name="c" type="system"><joint name="j|1',
     ['robot.urdf: <joint name="[j1]']),
    ('robot.urdf', '<material name="r|ed"/>', ['robot.urdf: <material name="[red]']),
    ('arm.hrdf', 'path="wri|st', ['wrist.hrdf: <[]']),
    ('world.sdf', 'attached_to="arm::|wrist', ['wrist.hrdf: <actuator type="X5-1" tag="[wrist]']),
    ('world.sdf', 'attached_to="a|rm::wrist', ['world.sdf: <name>[arm]']),
    ('world.sdf', '<parent>r::ba|se', ['robot.urdf: <link name="[base]']),
    ('world.sdf', '<parent>|r::base', ['robot.urdf: <robot name="[r]']),
    ('world.sdf', '<child>box::t|op', ['world.sdf: <frame name="[top]']),
    ('world.sdf', 'relative_to="ba|se"', ['world.sdf: <link name="[base]']),
    ('world.sdf', '<uri>robot|.urdf', ['robot.urdf: <[]']),
    ('world.sdf', 'type="fix|ed"', [])])
def test_definitions_are_found_over_files_and_formats(
        editor: Editor, files: Path, file: str, at: str, expected: list[str]) -> None:
    assert editor.definition(editor.open(file), at) == expected


def test_references_are_found_in_all_files(editor: Editor, files: Path) -> None:
    assert editor.references(editor.open('wrist.hrdf'), 'tag="wri|st"') == [
        'world.sdf: <frame name="grip" attached_to="arm::[wrist]',
        'wrist.hrdf: <actuator type="X5-1" tag="[wrist]']
    uri = editor.open('robot.urdf')
    assert editor.references(uri, '<child link="ar|m"') == [
        'robot.urdf: <child link="[arm]', 'robot.urdf: <gazebo reference="[arm]',
        'robot.urdf: <link name="[arm]']
    assert editor.references(uri, '<child link="ar|m"', with_definition=False) == [
        'robot.urdf: <child link="[arm]', 'robot.urdf: <gazebo reference="[arm]']
    assert editor.references(uri, '<link name="ba|se"') == [
        'robot.urdf: <link name="[base]', 'robot.urdf: <parent link="[base]',
        'world.sdf: <parent>r::[base]']
    assert editor.references(editor.open('arm.hrdf'), 'path="wri|st') == [
        'arm.hrdf: <include path="[wrist.hrdf]']
    assert editor.references(editor.open('world.sdf'), '<link name="ba|se"') == [
        'world.sdf: <frame name="top" attached_to="[base]', 'world.sdf: <link name="[base]',
        'world.sdf: <pose relative_to="[base]']


def test_rename_reaches_open_and_closed_files(editor: Editor, files: Path) -> None:
    before = load(files / 'world.sdf').model
    uri = editor.open('wrist.hrdf')
    editor.rename(uri, 'tag="wri|st"', 'hand & "arm"')
    assert 'tag="hand &amp; &quot;arm&quot;"' in editor.texts[uri]
    (files / 'wrist.hrdf').write_text(editor.texts[uri])
    assert 'attached_to="arm::hand &amp; &quot;arm&quot;"' in (files / 'world.sdf').read_text()
    after = load(files / 'world.sdf')
    assert after.model is not None, after.report
    assert [frame.pose for frame in after.model.frames] == [frame.pose for frame in before.frames]
    assert {frame.name for frame in after.model.frames} ^ {
        frame.name for frame in before.frames} >= {'arm/wrist', 'arm/hand & "arm"'}


def test_rename_of_a_model_changes_the_part_of_each_reference(
        editor: Editor, files: Path) -> None:
    uri = editor.open('world.sdf')
    editor.rename(uri, '<child>bo|x::top', 'table')
    assert editor.texts[uri] == WORLD.replace('box', 'table')
    editor.rename(uri, '<name>ar|m<', 'left')
    assert 'attached_to="left::wrist"' in editor.texts[uri]
    assert [one.code for one in editor.diagnostics(uri) if one.severity == 1] == []
    uri = editor.open('robot.urdf')
    editor.rename(uri, '<material name="r|ed"/>', 'dark red')
    assert editor.texts[uri] == URDF.replace('"red"', '"dark red"')


@pytest.mark.parametrize('name', ['', ' ', 'a::b', 'top', 'world', '__model__', 'a\nb'])
def test_a_name_that_is_none_is_refused(editor: Editor, files: Path, name: str) -> None:
    from pygls.exceptions import JsonRpcException
    uri = editor.open('world.sdf')
    with pytest.raises(JsonRpcException):
        editor.rename(uri, '<link name="ba|se"', name)


def test_only_names_can_be_renamed(editor: Editor, files: Path) -> None:
    from lsprotocol import types as lsp
    uri = editor.open('world.sdf')
    ask = editor.client.text_document_prepare_rename_async
    assert editor.wait(ask(lsp.PrepareRenameParams(**editor.at(uri, 'type="fix|ed"')))) is None
    found = editor.wait(ask(lsp.PrepareRenameParams(**editor.at(uri, '"arm::wri|st"'))))
    assert found.placeholder == 'wrist' and found.range.start == editor.position(
        uri, '"arm::|wrist"')


def test_names_are_found_while_the_text_is_broken(editor: Editor, files: Path) -> None:
    uri = editor.open('robot.urdf', URDF.replace('<gazebo', '<ga<gazebo').replace(
        '</robot>', ''))
    assert editor.definition(uri, '<child link="ar|m"') == ['robot.urdf: <link name="[arm]']


def test_what_is_in_a_macro_is_seen(editor: Editor) -> None:
    uri = editor.open('m.urdf.xacro', (
        '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
        '<xacro:macro name="arm" params="p"><link name="${p}_link"/>'
        '<xacro:if value="1"><joint name="${p}_joint" type="fixed"><parent link="base"/>'
        '<child link="${p}_link"/></joint></xacro:if></xacro:macro><link name="base"/></robot>'))
    assert editor.outline(uri) == [('r', 'robot', [
        ('${p}_link', 'link', []), ('${p}_joint', 'joint fixed', []), ('base', 'link', [])])]
    assert editor.definition(uri, '<child link="${p}_li|nk"') == [
        'm.urdf.xacro: <link name="[${p}_link]']
    assert editor.labels(uri, '<parent link="|base"') == ['${p}_link', 'base']


def test_outline_shows_what_there_is_several_of(editor: Editor, files: Path) -> None:
    assert editor.outline(editor.open('robot.urdf')) == [('r', 'robot', [
        ('red', 'material', []), ('base', 'link', [('visual', '', [])]), ('arm', 'link', []),
        ('j1', 'joint continuous', [])])]
    assert editor.outline(editor.open('arm.hrdf')) == [('robot', '', [
        ('wrist.hrdf', 'include', []), ('turn', 'joint', [])])]
    assert editor.outline(editor.open('world.sdf')) == [('sdf', '', [('w', 'world', [
        ('arm', 'include', []), ('robot.urdf', 'include', []),
        ('box', 'model', [('base', 'link', []), ('top', 'frame', [])]),
        ('grip', 'frame', []), ('mount', 'joint fixed', [])])])]


def test_files_of_the_folder_are_read_within_limits(
        editor: Editor, files: Path) -> None:
    (files / 'huge.hrdf').write_text(f'<robot version="1.5.0"><!-- {"x" * (5 << 20)} --></robot>')
    (files / 'not_text.hrdf').write_bytes(b'\xff\xfe\x00')
    (files / 'cycle.hrdf').write_text('<robot><include path="cycle.hrdf"/></robot>')
    assert len(editor.references(editor.open('wrist.hrdf'), 'tag="wri|st"')) == 2
    assert editor.definition(editor.open('cycle.hrdf'), 'path="cy|cle') == ['cycle.hrdf: <[]']


def test_items_of_the_workspace(editor: Editor, folder: Path) -> None:
    """Open texts come before files; other XML has no items."""
    (folder / 'items.urdf').write_text('<robot name="r"><link name="old_wheel_7"/></robot>')
    (folder / 'items.sdf').write_text(
        '<sdf version="1.9"><model name="m"><link name="wheel_8"/></model></sdf>')
    (folder / 'items.xml').write_text('<mujoco><worldbody><body name="w_9"/></worldbody></mujoco>')
    (folder / 'package.xml').write_text('<package name="wheel_5"/>')
    editor.open('items.urdf', '<robot name="r"><link name="wheel_7"/></robot>')
    found = editor.wait(editor.client.workspace_symbol_async(lsp.WorkspaceSymbolParams('WHEEL_')))
    assert [(one.name, one.container_name) for one in found] == [('wheel_7', None), (
        'wheel_8', 'm')]
    assert editor.targets([one.location for one in found]) == [
        'items.sdf: <link name="[wheel_8]', 'items.urdf: <link name="[wheel_7]']
    [body] = editor.wait(editor.client.workspace_symbol_async(lsp.WorkspaceSymbolParams('w_9')))
    assert body.name == 'w_9'
