# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What is proposed while one types, and what is shown under the pointer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
import pytest

if TYPE_CHECKING:
    from helpers.editor import Editor

ARM = """\
<robot version="1.5.0">
  <actuator type="X5-1" tag="J1"/>
  <link type="X5" extension="0.3" twist="0" tag="upper"/>
  <actuator type="X5-4"/>
  <bracket type="X5LightLeft">
    <output>
      <end-effector/>
    </output>
  </bracket>
</robot>
"""
URDF = """\
<robot name="r">
  <link name="base"/>
  <link name="arm"/>
  <joint name="j1" type="revolute">
    <parent link="base"/>
    <child link="arm"/>
    <axis xyz="0 0 1"/>
    <limit effort="1" velocity="1"/>
  </joint>
</robot>
"""
SDF = """\
<sdf version="1.9">
  <model name="m">
    <link name="a"/>
    <link name="b"><pose relative_to="a">1 0 0 0 0 0</pose></link>
    <frame name="f" attached_to="b"/>
    <model name="inner"><link name="c"/></model>
    <joint name="j" type="revolute">
      <parent>a</parent>
      <child>b</child>
    </joint>
  </model>
</sdf>
"""


NEW = ARM.replace('  <bracket', '  <\n  <bracket')
LINK = ARM.replace('<end-effector/>', '<link type="X5" />')
POSE = SDF.replace('<link name="a"/>', '<link name="a"><pose /></link>')
SKEL = ('<skel version="1.0"><skeleton name="s"><joint name="j" type="weld">\n<\n</skeleton>'
        '</skel>')
MJCF = """<mujoco><default><default class="arm"/></default><worldbody><body name="b">
<
<joint name="j" type="hinge" class=""/><geom size="1" material=""/></body></worldbody>
<actuator><motor name="drive" joint=""/></actuator>
<sensor><actuatorpos actuator=""/></sensor><asset><material name="red"/></asset></mujoco>"""


@pytest.mark.parametrize(('name', 'text', 'at', 'proposed', 'others'), [
    ('a.hrdf', NEW, '  <|\n', 'actuator bracket end-effector include joint link', 'output'),
    ('a.hrdf', NEW.replace('1.5.0', '1.0.0'), '  <|\n', 'actuator', 'end-effector include'),
    ('a.hrdf', LINK, 'type="X5" |/>', 'extension twist tag input mass', 'type'),
    ('a.hrdf', LINK.replace('1.5.0', '1.0.0'), 'type="X5" |/>', 'extension twist', 'tag input'),
    ('a.hrdf', ARM, '<actuator type="|X5-1"', 'X5-1', 'R25-8'),
    ('a.hrdf', ARM.replace('1.5.0', '1.6.0'), '<actuator type="|X5-1"', 'X5-1 R25-8', 'X5'),
    ('a.hrdf', ARM, '<robot version="|1.5.0"', '1.5.0 1.6.0', ''),
    ('a.hrdf', ARM.replace('<bracket', '<!-- < --><bracket'), '<!-- <| -->', '', 'link'),
    ('r.urdf', URDF.replace('<child link="arm"/>', '<child link="'), '<child link="|\n',
     'base arm', 'j1'),
    ('r.urdf', URDF.replace('<child link="arm"/>', '<ch'), '<ch|\n', 'child', 'link'),
    ('r.urdf', URDF.replace('<child link="arm"/>\n', '<child link="arm"></'),
     '<child link="arm"></|', 'child', 'joint'),
    ('r.urdf', URDF.replace('<axis', '<mimic joint=""/><axis').replace(
        '</robot>', '<joint name="j2" type="fixed"/></robot>'), '<mimic joint="|"', 'j2', 'j1'),
    ('r.urdf', URDF.replace('<link name="arm"/>', '<link name="arm"><'), '<link name="arm"><|\n',
     'visual', 'contact self_collision_checking'),
    ('m.sdf', SDF, 'relative_to="|a"', 'a f inner j inner::c', 'b'),
    ('m.sdf', SDF, '<parent>|a', 'a b f inner inner::c', 'j'),
    ('m.sdf', SDF, 'attached_to="|b"', 'a', 'f'),
    ('m.sdf', SDF, 'type="|revolute"', 'revolute', 'a'),
    ('m.sdf', POSE, '<pose |/>', 'relative_to rotation_format degrees', ''),
    ('m.sdf', POSE.replace('"1.9"', '"1.5"'), '<pose |/>', '', 'relative_to degrees'),
    ('s.skel', SKEL, '\n<|\n', 'parent', 'axis_order'),
    ('s.skel', SKEL.replace('weld', 'euler'), '\n<|\n', 'axis_order', ''),
    ('s.skel', SKEL, 'type="|weld"', 'universal euler', ''),
    ('m.xml', MJCF, '\n<|\n', 'geom joint site freejoint', 'mujoco'),
    ('m.xml', MJCF, '<joint |name', 'axis range damping', 'geom'),
    ('m.xml', MJCF, 'type="|hinge"', 'free ball slide hinge', ''),
    ('m.xml', MJCF, '<motor name="drive" joint="|"', 'j', 'b'),
    ('m.xml', MJCF, 'actuator="|"', 'drive', 'j'), ('m.xml', MJCF, 'material="|"', 'red', 'arm'),
    ('m.xml', MJCF, 'class="|"/>', 'arm', 'red'), ('new.sdf', '<', '<|', 'sdf', 'robot'),
    ('new.xml', '<', '<|', 'robot sdf mujoco skel', 'link')])
def test_proposals_fit_the_place_and_the_version(
        editor: Editor, name: str, text: str, at: str, proposed: str, others: str) -> None:
    labels = editor.labels(editor.open(name, text), at)
    assert set(proposed.split()) <= set(labels), labels
    assert not set(others.split()).intersection(labels), labels


def test_an_element_comes_with_its_required_attributes(editor: Editor) -> None:
    uri = editor.open('arm.hrdf', ARM.replace('  <bracket', '  <li\n  <bracket'))
    item = next(one for one in editor.complete(uri, '  <li|\n') if one.label == 'link')
    edited = item.text_edit
    assert edited.new_text == 'link type="${1}" extension="${2}" twist="${3}"/>'
    assert edited.range.start.character == 3 and edited.range.end.character == 5
    assert item.detail == 'a tube with an interface on each end'


def test_tags_of_an_included_file_are_proposed(editor: Editor, folder: Path) -> None:
    (folder / 'arm.hrdf').write_text(ARM)
    uri = editor.open('m.sdf', SDF.replace(
        '<link name="a"/>', '<include><name>arm</name><uri>arm.hrdf</uri></include>'))
    assert {'arm::J1', 'arm::upper'} <= set(editor.labels(uri, '<parent>|a'))


@pytest.mark.parametrize(('at', 'expected'), [
    ('<actu|ator type="X5-1"', ('an actuator of the library', 'frame `J1` (link, mass 0.315 kg)')),
    ('exten|sion', ('the length of the tube (unit m; default 0)', 'required')),
    ('X5-|1', ('mass 0.315 kg', 'torque 2.5 Nm', 'speed 9.425 rad/s')),
    ('up|per', ('tag, `arm.hrdf:3`', 'in `base_link`: xyz 0 0 0.03105 m')),
    ('X5Light|Left', ('bracket for X: mass 0.1 kg',)),
    ('<out|put', ('the elements after the bracket',))])
def test_hover_says_what_it_means(editor: Editor, at: str, expected: tuple[str, ...]) -> None:
    uri = editor.open('arm.hrdf', ARM)
    editor.settle(uri)
    assert all(one in editor.hover(uri, at) for one in expected)


def test_names_are_no_markdown(editor: Editor) -> None:
    """An editor would fetch the image."""
    name = '`![](https://example.org/a.png)'
    uri = editor.open('m.sdf', SDF.replace('"b"', f'"{name}"').replace('>b<', f'>{name}<'))
    editor.settle(uri)
    shown = editor.hover(uri, f'<child>|{name}<')
    assert 'm.sdf:4' in shown and 'xyz 1 0 0 m, rpy 0 0 0 rad' in shown
    quoted = "`'![](https://example.org/a.png)`"
    assert f'**{quoted}** link' in shown and f'frame {quoted} (' in shown


def test_hover_keeps_the_last_poses_while_a_text_is_broken(editor: Editor) -> None:
    uri = editor.open('arm.hrdf', ARM)
    editor.settle(uri)
    editor.change(uri, f'{ARM}<')
    editor.diagnostics(uri)
    assert '0.03105' in editor.hover(uri, 'up|per')


@pytest.mark.parametrize(('name', 'text', 'is_open'), [
    ('package.xml', '<', False), ('package.xml', '<launch>\n<', False), ('a.urdf', '<', True),
    ('a.xml', '<mujoco>\n<', True)])
def test_no_list_opens_by_itself_in_other_xml(
        editor: Editor, name: str, text: str, is_open: bool) -> None:
    uri = editor.open(name, text)
    found = editor.ask('completion', lsp.CompletionParams(
        **editor.at(uri, f'{text}|'), context=lsp.CompletionContext(
            lsp.CompletionTriggerKind.TriggerCharacter, '<')))
    assert (found is not None) == is_open
    assert editor.formatting(uri) == []
    assert editor.diagnostics(uri) == [] or is_open
