# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What is proposed while one types, and what is shown under the pointer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hrdf_ros.readers.hrdf import catalog
from hrdf_ros.readers.hrdf.schema import SCHEMA
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


def test_elements_of_the_schema_and_the_version_are_proposed(editor: Editor) -> None:
    uri = editor.open('arm.hrdf', ARM)
    editor.type(uri, '  <bracket|', '')
    editor.change(uri, ARM.replace('  <bracket', '  <\n  <bracket'))
    assert editor.labels(uri, '  <|\n') == list(SCHEMA.elements['robot'].children)
    editor.change(uri, ARM.replace('1.5.0', '1.0.0').replace('  <bracket', '  <\n  <bracket'))
    labels = editor.labels(uri, '  <|\n')
    assert 'actuator' in labels and not {'end-effector', 'include'} & set(labels)


def test_an_element_comes_with_its_required_attributes(editor: Editor) -> None:
    uri = editor.open('arm.hrdf', ARM.replace('  <bracket', '  <li\n  <bracket'))
    item = next(one for one in editor.complete(uri, '  <li|\n') if one.label == 'link')
    edited = item.text_edit
    assert edited.new_text == 'link type="${1}" extension="${2}" twist="${3}"/>'
    assert edited.range.start.character == 3 and edited.range.end.character == 5
    assert item.detail == 'a tube with an interface on each end'


def test_attributes_that_are_not_there_yet_are_proposed(editor: Editor) -> None:
    uri = editor.open('arm.hrdf', ARM.replace('<end-effector/>', '<link type="X5" />'))
    labels = editor.labels(uri, '<link type="X5" |/>')
    assert {'extension', 'twist', 'tag', 'input', 'mass'} <= set(labels) and 'type' not in labels
    editor.change(uri, ARM.replace('<end-effector/>', '<link type="X5" />').replace(
        '1.5.0', '1.0.0'))
    assert editor.labels(uri, '<link type="X5" |/>') == ['extension', 'twist']


def test_words_of_the_version_are_proposed(editor: Editor) -> None:
    uri = editor.open('arm.hrdf', ARM)
    words = editor.labels(uri, '<actuator type="|X5-1"')
    assert 'X5-1' in words and 'R25-8' not in words
    editor.change(uri, ARM.replace('1.5.0', '1.6.0'))
    assert set(editor.labels(uri, '<actuator type="|X5-1"')) == set(catalog.ACTUATORS)
    assert '1.6.0' in editor.labels(uri, '<robot version="|1.6.0"')


def test_names_of_links_are_proposed_in_a_text_that_is_not_well_formed(editor: Editor) -> None:
    uri = editor.open('r.urdf', URDF.replace('<child link="arm"/>', '<child link="'))
    assert editor.labels(uri, '<child link="|\n') == ['base', 'arm']
    editor.change(uri, URDF.replace('<child link="arm"/>', '<ch'))
    assert 'child' in editor.labels(uri, '<ch|\n')
    editor.change(uri, URDF.replace('<child link="arm"/>\n', '<child link="arm"></'))
    assert editor.labels(uri, '<child link="arm"></|') == ['child']


def test_names_of_joints_are_proposed_for_a_joint_only(editor: Editor) -> None:
    uri = editor.open('r.urdf', URDF.replace('<axis', '<mimic joint=""/><axis').replace(
        '</robot>', '<joint name="j2" type="fixed"/></robot>'))
    assert editor.labels(uri, '<mimic joint="|"') == ['j2']


def test_frames_of_the_scope_are_proposed(editor: Editor) -> None:
    uri = editor.open('m.sdf', SDF)
    assert editor.labels(uri, 'relative_to="|a"') == ['a', 'f', 'inner', 'j', 'inner::c']
    assert editor.labels(uri, '<parent>|a') == ['a', 'b', 'f', 'inner', 'inner::c']
    assert 'f' not in editor.labels(uri, 'attached_to="|b"')
    assert 'revolute' in editor.labels(uri, 'type="|revolute"')


def test_attributes_and_elements_follow_the_version_of_the_file(editor: Editor) -> None:
    uri = editor.open('m.sdf', SDF.replace('<link name="a"/>', '<link name="a"><pose /></link>'))
    assert editor.labels(uri, '<pose |/>') == ['relative_to', 'rotation_format', 'degrees']
    editor.change(uri, SDF.replace('"1.9"', '"1.5"').replace(
        '<link name="a"/>', '<link name="a"><pose /></link>'))
    assert editor.labels(uri, '<pose |/>') == []


def test_tags_of_an_included_file_are_proposed(editor: Editor, folder: Path) -> None:
    (folder / 'arm.hrdf').write_text(ARM)
    uri = editor.open('m.sdf', SDF.replace(
        '<link name="a"/>', '<include><name>arm</name><uri>arm.hrdf</uri></include>'))
    assert {'arm::J1', 'arm::upper'} <= set(editor.labels(uri, '<parent>|a'))


def test_variants_are_told_apart(editor: Editor) -> None:
    text = ('<skel version="1.0"><skeleton name="s"><joint name="j" type="weld"><|</skeleton>'
            '</skel>')
    uri = editor.open('s.skel', text.replace('|', ''))
    assert 'axis_order' not in editor.labels(uri, text[-60:])
    editor.change(uri, text.replace('|', '').replace('weld', 'euler'))
    assert 'axis_order' in editor.labels(uri, text.replace('weld', 'euler')[-60:])
    assert 'universal' in editor.labels(uri, 'type="|euler"')


def test_an_empty_file_gets_its_root(editor: Editor) -> None:
    uri = editor.open('new.sdf', '<')
    assert editor.labels(uri, '<|') == ['sdf']
    uri = editor.open('new.xml', '<')
    assert editor.labels(uri, '<|') == ['robot', 'sdf', 'mujoco', 'skel', 'robot']


def test_nothing_is_proposed_in_a_comment_or_an_unknown_document(editor: Editor) -> None:
    uri = editor.open('arm.hrdf', ARM.replace('<bracket', '<!-- < --><bracket'))
    assert editor.labels(uri, '<!-- <| -->') == []


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


def test_hover_shows_the_pose_of_a_frame_where_it_is_referred_to(editor: Editor) -> None:
    uri = editor.open('m.sdf', SDF)
    editor.settle(uri)
    shown = editor.hover(uri, '<child>|b<')
    assert '**`b`** link, `m.sdf:4`' in shown and 'xyz 1 0 0 m, rpy 0 0 0 rad' in shown


def test_names_are_no_markdown(editor: Editor) -> None:
    """An editor would fetch the image."""
    name = '`![](https://example.org/a.png)'
    uri = editor.open('m.sdf', SDF.replace('"b"', f'"{name}"').replace('>b<', f'>{name}<'))
    editor.settle(uri)
    shown = editor.hover(uri, f'<child>|{name}<')
    quoted = "`'![](https://example.org/a.png)`"
    assert f'**{quoted}** link' in shown and f'frame {quoted} (' in shown


def test_mjcf_is_completed_and_explained(editor: Editor) -> None:
    text = ('<mujoco><default><default class="arm"/></default><worldbody><body name="b">\n<\n'
            '<joint name="j" type="hinge" class=""/><geom size="1" material=""/></body>'
            '</worldbody><actuator><motor joint=""/></actuator>'
            '<asset><material name="red"/></asset></mujoco>')
    uri = editor.open('m.xml', text)
    assert {'geom', 'joint', 'site', 'freejoint'} <= set(editor.labels(uri, '\n<|\n'))
    assert {'axis', 'range', 'damping'} <= set(editor.labels(uri, '<joint |name'))
    assert set(editor.labels(uri, 'type="|hinge"')) == {'free', 'ball', 'slide', 'hinge'}
    assert editor.labels(uri, '<motor joint="|"') == ['j']
    assert editor.labels(uri, 'material="|"') == ['red']
    assert 'arm' in editor.labels(uri, 'class="|"')
    assert 'one of free' in editor.hover(uri, 'ty|pe="hinge"')


def test_hover_keeps_the_last_poses_while_a_text_is_broken(editor: Editor) -> None:
    uri = editor.open('arm.hrdf', ARM)
    editor.settle(uri)
    editor.type(uri, '</robot>|', '<')
    editor.diagnostics(uri)
    assert '0.03105' in editor.hover(uri, 'up|per')


def test_what_other_programs_read_is_not_proposed(editor: Editor) -> None:
    uri = editor.open('r.urdf', URDF.replace('<link name="arm"/>', '<link name="arm"><'))
    labels = editor.labels(uri, '<link name="arm"><|\n')
    assert 'visual' in labels
    assert not {'contact', 'self_collision_checking'}.intersection(labels)
