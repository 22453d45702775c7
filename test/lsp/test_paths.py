# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Paths and URIs in values: how they go on while they are typed, and where they lead."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
import pytest

if TYPE_CHECKING:
    from helpers.editor import Editor

FILES = (
    'meshes/base.stl', 'meshes/base.dae', 'meshes/notes.txt', 'meshes/.hidden.stl',
    'meshes/left arm/wrist.stl', 'textures/wood.png', 'urdf/arm.xacro', 'urdf/parts/hand.xacro',
    'gripper/model.config', 'gripper/model.sdf', 'other_pkg/package.xml', 'other_pkg/a.stl')
CONFIG = '<model><name>gripper</name><sdf version="1.9">model.sdf</sdf></model>'
MODEL = '<sdf version="1.9"><model name="gripper"><link name="l"/></model></sdf>'
URDF = """<robot name="r"><link name="l"><visual><geometry>
<mesh filename=""/></geometry><material name="m"><texture filename=""/></material></visual></link>
</robot>"""
SDF = '<sdf version="1.9"><world name="w"><include><uri></uri></include></world></sdf>'
MJCF = """<mujoco><compiler assetdir="meshes" texturedir="textures"/><include file=""/>
<asset><mesh name="m" file=""/><texture name="t" file="" type="2d"/></asset></mujoco>"""


@pytest.fixture(autouse=True)
def package(folder: Path) -> Path:
    """Fill the folder, which is the package ``robots`` beside ``other_pkg``."""
    for name in FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    (folder / 'gripper/model.config').write_text(CONFIG)
    (folder / 'gripper/model.sdf').write_text(MODEL)
    for name, path in (('robots', folder), ('other_pkg', folder / 'other_pkg')):
        (path / 'package.xml').write_text(f'<package><name>{name}</name></package>')
    return folder


def ways_on(editor: Editor, name: str, text: str, at: str) -> dict[str, str]:
    """Return the label of each proposal, the best first, and the line once it is accepted."""
    uri = editor.open(name, text)
    found = {}
    for item in sorted(editor.complete(uri, at), key=lambda one: str(one.sort_text)):
        edit = item.text_edit
        assert isinstance(edit, lsp.TextEdit)
        line = text.splitlines()[edit.range.start.line]
        found[item.label] = (
            line[:edit.range.start.character] + edit.new_text + line[edit.range.end.character:])
    return found


@pytest.mark.parametrize(('typed', 'proposed'), [
    ('', 'file://, gripper/, meshes/, model://, other_pkg/, package://, textures/, urdf/'),
    ('m', 'file://, gripper/, meshes/, model://, other_pkg/, package://, textures/, urdf/'),
    ('meshes/', 'left arm/, base.dae, base.stl'),
    ('meshes/.', '.hidden.stl'),
    ('package://', 'other_pkg/, robots/'),
    ('package://other_pkg/', 'a.stl'),
    ('package://other_pkg/a', 'a.stl'),
    ('package://robots/meshes/', 'left%20arm/, base.dae, base.stl'),
    ('package://no_such/', ''),
    ('model://gripper/../', 'gripper/, meshes/, other_pkg/, textures/, urdf/'),
    ('http://localhost/', ''),
    ('https://fuel.gazebosim.org/1.0/', ''),
    ('$(find ot', 'other_pkg), robots)'),
    ('file://$(find other_pkg)/', 'a.stl'),
    ('${prefix}/', ''),
    ('no/such/', ''),
    ('\ufffd/', '')])
def test_paths_of_meshes(editor: Editor, typed: str, proposed: str) -> None:
    text = URDF.replace('mesh filename=""', f'mesh filename="{typed}"')
    found = ways_on(editor, 'r.urdf', text, f'<mesh filename="{typed}|"')
    assert ', '.join(found) == proposed


@pytest.mark.parametrize(('name', 'text', 'at', 'proposed'), [
    ('r.urdf', URDF, 'texture filename="|"', 'textures/'),
    ('r.urdf', URDF.replace('texture filename="', 'texture filename="textures/'),
     'filename="textures/|"', 'wood.png'),
    ('w.sdf', SDF, '<uri>|<', 'gripper'),
    ('w.sdf', SDF.replace('<uri>', '<uri>model://'), 'model://|', 'gripper'),
    ('w.sdf', SDF.replace('<uri>', '<uri>model://gripper/'), 'gripper/|', 'model.sdf'),
    ('gripper/model.sdf', SDF.replace('<uri>', '<uri>model://'), 'model://|', 'gripper/'),
    ('gripper/model.sdf', SDF.replace('<uri>', '<uri>model://'), 'model://|', 'other_pkg/'),
    ('m.xml', MJCF, '<mesh name="m" file="|"', 'base.stl'),
    ('m.xml', MJCF, '<texture name="t" file="|"', 'wood.png'),
    ('m.xml', MJCF, '<include file="|"', 'urdf/'),
    ('r.xacro', '<robot xmlns:xacro="x"><xacro:include filename="$(find robots)/urdf/"/></robot>',
     'urdf/|"', 'arm.xacro'),
    ('r.hrdf', '<robot version="1.5.0"><include path="urdf/"/></robot>', 'urdf/|"', 'parts/')])
def test_paths_of_other_elements(
        editor: Editor, name: str, text: str, at: str, proposed: str) -> None:
    assert proposed in ways_on(editor, name, text, at)


def test_files_of_another_kind_are_not_proposed(editor: Editor) -> None:
    text = URDF.replace('mesh filename=""', 'mesh filename="textures/"')
    assert ways_on(editor, 'r.urdf', text, '<mesh filename="textures/|"') == {}


def test_a_part_of_a_path_is_replaced(editor: Editor) -> None:
    """The text before it and the text behind the next slash stay."""
    text = URDF.replace('mesh filename=""', 'mesh filename="package://robots/me/base.stl"')
    found = ways_on(editor, 'r.urdf', text, 'robots/me|/base.stl')
    assert found['meshes/'] == text.splitlines()[1].replace('/me/', '/meshes/')
    text = text.replace('me/base.stl', 'meshes/bse.stl')
    found = ways_on(editor, 'r.urdf', text, 'meshes/b|se.stl')
    assert found['base.stl'] == text.splitlines()[1].replace('bse', 'base')


@pytest.mark.parametrize(('name', 'text', 'targets'), [
    ('r.urdf', URDF.replace('mesh filename=""', 'mesh filename="package://other_pkg/a.stl"'),
     'other_pkg/a.stl'),
    ('r.urdf', URDF.replace('mesh filename=""', 'mesh filename="package://other_pkg/no.stl"'),
     ''),
    ('r.urdf', URDF.replace('mesh filename=""', 'mesh filename="http://localhost/a.stl"'), ''),
    ('w.sdf', SDF.replace('<uri>', '<uri>model://gripper'), 'gripper/model.sdf'),
    ('m.xml', MJCF.replace('"m" file=""', '"m" file="base.stl"').replace(
        '"t" file=""', '"t" file="wood.png"'), 'meshes/base.stl textures/wood.png'),
    ('m.xml', '<mujoco><include file="urdf/arm.xacro"/></mujoco>', 'urdf/arm.xacro'),
    ('r.xacro', '<robot xmlns:xacro="x"><xacro:include filename="$(find robots)/urdf/arm.xacro"/>'
     '<xacro:include filename="${x}/urdf/arm.xacro"/></robot>', 'urdf/arm.xacro'),
    ('r.hrdf', '<robot version="1.5.0"><include path="meshes/notes.txt"/></robot>',
     'meshes/notes.txt')])
def test_links_to_files(
        editor: Editor, folder: Path, name: str, text: str, targets: str) -> None:
    uri = editor.open(name, text)
    links = editor.ask('document_link', lsp.DocumentLinkParams(lsp.TextDocumentIdentifier(uri)))
    assert [one.target for one in links] == [
        (folder / target).as_uri() for target in targets.split()]


@pytest.mark.parametrize(('compiler', 'typed', 'proposed'), [
    ('<compiler assetdir="meshes"/>', '', 'base.stl'),
    ('<compiler assetdir="textures" meshdir="meshes"/>', '', 'base.stl'),
    ('<compiler meshdir="meshes"/><compiler assetdir="textures"/>', 'meshes/', 'base.stl'),
    ('<compiler assetdir="textures" meshdir=""/>', 'meshes/', 'base.stl'),
    ('<compiler meshdir="meshes" strippath="true"/>', 'C:/of/another/computer/', 'base.stl')])
def test_directories_of_meshes_in_mjcf(
        editor: Editor, folder: Path, compiler: str, typed: str, proposed: str) -> None:
    text = f'<mujoco>{compiler}<asset><mesh name="m" file="{typed}"/></asset></mujoco>'
    found = ways_on(editor, 'm.xml', text, f'file="{typed}|"')
    assert f'file="{typed}{proposed}"' in found[proposed]
    if 'strippath' in compiler:
        assert not any(name.endswith('/') for name in found)
    uri = editor.open('n.xml', text.replace(f'"{typed}"', f'"{typed}{proposed}"'))
    links = editor.ask('document_link', lsp.DocumentLinkParams(lsp.TextDocumentIdentifier(uri)))
    assert [one.target for one in links] == [(folder / 'meshes' / proposed).as_uri()]


def test_a_link_is_the_whole_path(editor: Editor) -> None:
    uri = editor.open('w.sdf', SDF.replace('<uri>', '<uri>model://gripper'))
    [link] = editor.ask('document_link', lsp.DocumentLinkParams(lsp.TextDocumentIdentifier(uri)))
    assert editor.targets([lsp.Location(uri, link.range)]) == ['w.sdf: <uri>[model://gripper]']


def test_an_include_of_mjcf_is_followed(editor: Editor, folder: Path) -> None:
    part = '<mujoco><worldbody><body name="hand"/></worldbody></mujoco>'
    (folder / 'hand.xml').write_text(part)
    text = ('<mujoco><include file="hand.xml"/><sensor><framepos objtype="body" objname="hand"/>'
            '</sensor><contact><exclude body1="hand" body2="hand"/></contact></mujoco>')
    uri = editor.open('m.xml', text)
    assert editor.definition(uri, '<include file="ha|nd.xml"') == ['hand.xml: <[]']
    assert editor.definition(uri, 'body1="ha|nd"') == ['hand.xml: <body name="[hand]']
