# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf frames`` and ``hrdf tree``."""

import json
from math import acos, cos, sin
from pathlib import Path
import shutil
from xml.etree import ElementTree

from hrdf_ros.cli import main
import jsonschema
import pytest

Output = pytest.CaptureFixture[str]
SCHEMA = Path(__file__).parents[2] / 'docs' / 'schema' / 'frames.schema.json'
ARM = """\
<robot version="1.6.0">
  <joint axis="rz" tag="turn"/>
  <rigid-body mass="2" com_trans="0.5 0 0" com_rot="Rz(pi/2)" ixx="1" iyy="2" izz="3"
      output_trans="1 0 0" tag="bar"/>
  <joint axis="tx" tag="slide"/>
  <end-effector tag="tool" output_trans="0 0 0.25"/>
</robot>
"""
TWO = """\
<robot name="two">
  <link name="base"/>
  <link name="left"><inertial><mass value="1.5"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="right"><inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="tip"/>
  <joint name="l" type="revolute"><parent link="base"/><child link="left"/>
    <axis xyz="0 0 1"/><limit lower="-1" upper="2" effort="1" velocity="1"/></joint>
  <joint name="r" type="revolute"><parent link="base"/><child link="right"/>
    <axis xyz="0 0 1"/><limit lower="-1" upper="2" effort="1" velocity="1"/>
    <mimic joint="l" multiplier="-2" offset="0.5"/></joint>
  <joint name="t" type="fixed"><parent link="left"/><child link="tip"/></joint>
</robot>
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work beside an arm (turn, a bar of 1 m, slide along it) and a tree with a mimic joint."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'arm.hrdf').write_text(ARM)
    (tmp_path / 'two.urdf').write_text(TWO)
    return tmp_path


def described(capsys: Output, *arguments: str) -> dict:
    assert main(['frames', 'arm.hrdf', '--json', *arguments]) == 0
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, json.loads(SCHEMA.read_text()))
    return document


def frame(document: dict, name: str) -> dict:
    [found] = [found for found in document['frames'] if found['name'] == name]
    return found


def test_the_whole_model(capsys: Output) -> None:
    document = described(capsys)
    assert (document['format'], document['version'], document['root']) == (
        'hrdf', '1.6.0', 'base_link')
    assert [item['name'] for item in document['coordinates']] == ['turn', 'slide']
    assert [item['kind'] for item in document['coordinates']] == ['angle', 'length']
    assert [item['position'] for item in document['coordinates']] == [0.0, 0.0]
    assert document['coordinates'][0]['upper'] is None
    assert document['dependent'] == []
    bodies = {body['name'] for body in document['bodies']}
    assert all({joint['parent'], joint['child']} <= bodies for joint in document['joints'])
    [turn] = [joint for joint in document['joints'] if joint['name'] == 'turn']
    assert (turn['type'], turn['coordinates'], turn['axes']) == (
        'joint', ['turn'], [[0.0, 0.0, 1.0]])


def test_inertia_is_turned_into_the_axes_of_the_body(capsys: Output) -> None:
    [bar] = [body for body in described(capsys)['bodies'] if body['name'] == 'bar']
    assert (bar['mass'], bar['com'], bar['tag']) == (2.0, [0.5, 0.0, 0.0], 'bar')
    assert bar['inertia'] == pytest.approx([2.0, 1.0, 3.0, 0.0, 0.0, 0.0])


@pytest.mark.parametrize('options', [
    ['--position', 'turn=0.5', '--position', 'slide=-0.25'], ['--positions', '0.5,-0.25'],
    ['--positions=0.5,-0.25'], ['--positions', '0.5,7', '--position', 'slide=-0.25']])
def test_positions_move_the_frames(options: list[str], capsys: Output) -> None:
    document = described(capsys, *options)
    assert [item['position'] for item in document['coordinates']] == [0.5, -0.25]
    tool = frame(document, 'tool/body')
    assert tool['position'] == pytest.approx([0.75 * cos(0.5), 0.75 * sin(0.5), 0.0])
    assert tool['orientation'] == pytest.approx([0.0, 0.0, sin(0.25), cos(0.25)])


def test_columns_are_aligned_in_every_script(tmp_path: Path, capsys: Output) -> None:
    file = tmp_path / 'wide.urdf'
    file.write_text(
        '<robot name="r"><link name="base"/><link name="日本"/><joint name="j" type="fixed">'
        '<parent link="base"/><child link="日本"/></joint></robot>', encoding='utf-8')
    assert main(['frames', str(file)]) == 0
    head, _, row = capsys.readouterr().out.splitlines()
    assert head.index('kind') == row.index('link') + len('日本')


@pytest.mark.filterwarnings('error')
def test_positions_too_large_for_numbers_are_wrong_usage(tmp_path: Path, capsys: Output) -> None:
    file = tmp_path / 'ball.skel'
    file.write_text("""<skel version="1.0"><world name="w"><skeleton name="s">
<body name="b"><inertia><mass>1</mass></inertia></body>
<joint type="ball" name="j"><parent>world</parent><child>b</child></joint></skeleton></world>
</skel>""")
    assert main(['frames', str(file), '--positions', '1e16,0,0']) == 0
    assert main(['frames', str(file), '--positions', '1e308,0,0']) == 2
    assert capsys.readouterr().err == (
        'hrdf: error: the positions are too large: frames would be infinitely far away\n')


def test_a_tag_means_the_output_of_an_end_effector(capsys: Output) -> None:
    tool, base = described(capsys, 'tool', '--position', 'turn=0', 'base_link')['frames']
    assert base['name'] == 'base_link'
    assert (tool['name'], tool['tag'], tool['body']) == ('tool', 'tool', 'tool/body')
    assert tool['position'] == pytest.approx([1.0, 0.0, 0.25])


def test_relative_to_another_frame(capsys: Output) -> None:
    document = described(capsys, 'base_link', '--relative-to', 'tool')
    assert document['root'] == 'tool'
    assert document['frames'][0]['position'] == pytest.approx([-1.0, 0.0, -0.25])


def test_parents_lead_to_the_root(capsys: Output) -> None:
    document = described(capsys)
    parents = {found['name']: found['parent'] for found in document['frames']}
    for name in parents:
        seen = set()
        while name is not None and name not in seen:
            seen.add(name)
            last, name = name, parents[name]
        assert (last, name) == ('base_link', None)


def test_the_table(capsys: Output) -> None:
    assert main(['frames', 'arm.hrdf', 'base_link', 'tool', '--position', 'turn=1.5']) == 0
    head, base, tool = capsys.readouterr().out.splitlines()
    assert head.split() == 'in base_link kind x y z roll pitch yaw'.split()
    assert base.split() == ['base_link', 'link', *['0.000000'] * 6]
    assert tool.split()[-1] == '1.500000'
    assert tool.split()[:3] == ['tool', 'end_effector', '0.070737']


def test_tree_shows_bodies_joints_limits_and_mass(capsys: Output) -> None:
    assert main(['tree', 'two.urdf']) == 0
    assert capsys.readouterr().out.splitlines() == [
        'two: urdf 1.0, 4 links, 3 joints, 2 coordinates, 2.5 kg',
        'base',
        '├─ left  1.5 kg  [l: revolute, l in -1 … 2 rad]',
        '│  └─ tip  [t: fixed]',
        '└─ right  1 kg  [r: revolute, r = -2 l +0.5]',
    ]


@pytest.mark.parametrize('options', [
    ['--position', 'l=0.25'], ['--positions', '0.25'], ['--positions', '0.25,7']])
def test_tree_shows_positions_that_were_asked_for(options: list[str], capsys: Output) -> None:
    assert main(['tree', 'two.urdf', *options]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2] == '├─ left  1.5 kg  [l: revolute, l = 0.25 rad in -1 … 2 rad]'
    assert lines[4] == '└─ right  1 kg  [r: revolute, r = -2 l +0.5 = 0 rad]'
    assert main(['tree', 'arm.hrdf', '--positions', '-1,2']) == 0
    assert '[slide: joint, slide = 2 m]' in capsys.readouterr().out


def test_a_deep_tree_does_not_grow_quadratically(here: Path, capsys: Output) -> None:
    (here / 'deep.hrdf').write_text(
        '<robot version="1.6.0">' + '<joint axis="rz"/>' * 500 + '</robot>')
    assert main(['tree', 'deep.hrdf']) == 0
    out = capsys.readouterr().out
    assert len(out.splitlines()) >= 500
    assert max(map(len, out.splitlines())) < 300


FOUR_BAR = """
    <sdf version="1.11"><model name="four_bar">
      <link name="ground"/>
      <link name="crank"/>
      <link name="coupler"><pose>2 0 0 0 0 0</pose></link>
      <link name="rocker"><pose>1 0 0 0 0 0</pose></link>
      {}
      <joint name="loop" type="revolute"><pose>-0.5 0.8660254037844386 0 0 0 0</pose>
        <parent>rocker</parent><child>coupler</child><axis><xyz>0 0 1</xyz></axis></joint>
    </model></sdf>""".format(''.join(
    f'<joint name="{name}" type="revolute"><parent>{parent}</parent><child>{child}</child>'
    '<axis><xyz>0 0 1</xyz></axis></joint>' for name, parent, child in (
        ('turn', 'ground', 'crank'), ('knee', 'crank', 'coupler'),
        ('rock', 'ground', 'rocker'))))


def test_positions_outside_the_limits_are_reported(here: Path, capsys: Output) -> None:
    # pins: position-outside-limits
    assert main(['frames', 'two.urdf', '--position', 'l=1']) == 0
    assert capsys.readouterr().err.splitlines()[0] == (
        "two.urdf:11:38: warning[position-outside-limits]: coordinate 'r' is at -1.5, outside of "
        'its limit -1.0')
    assert main(['frames', 'two.urdf', '--position', 'l=0.75', '--position', 'r=2.5']) == 0
    assert "coordinate 'r' is at 2.5, outside of its limit 2.0" in capsys.readouterr().err
    assert main(['frames', 'two.urdf', '--position', 'l=0.75']) == 0
    assert capsys.readouterr().err == ''


@pytest.mark.parametrize(('angle', 'status', 'word'), [
    (0.5, 0, ''),
    (3.0, 1, "error[loop-open]: the loop through 'loop' cannot close"),  # pins: loop-open
    (acos(0.25), 0, 'warning[loop-singular]: '),  # pins: loop-singular
])
def test_loops_are_solved(
    angle: float, status: int, word: str, here: Path, capsys: Output,
) -> None:
    (here / 'loop.sdf').write_text(FOUR_BAR)
    assert main(['frames', 'loop.sdf', '--json', '--position', f'turn={angle}']) == status
    out, err = capsys.readouterr()
    assert err.startswith(f'loop.sdf:8:7: {word}') if word else err == ''
    assert ('hint: it is driven by turn; those given' in err) is bool(word)
    document = json.loads(out)
    assert [item['name'] for item in document['coordinates']] == ['turn']
    assert {item['name'] for item in document['dependent']} == {'knee', 'rock', 'loop'}
    if not word:
        coupler, rocker = (frame(document, name)['position'] for name in ('coupler', 'rocker'))
        assert coupler == pytest.approx([2 * cos(angle), 2 * sin(angle), 0.0])
        assert rocker == pytest.approx([1.0, 0.0, 0.0])


GEARS = Path(__file__).parents[2] / 'examples' / 'sdf' / 'features' / 'gearbox.sdf'


def test_a_gearbox_is_among_the_joints(capsys: Output) -> None:
    assert main(['frames', str(GEARS), '--json', '--position', 'input_turn=0.5']) == 0
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, json.loads(SCHEMA.read_text()))
    assert document['joints'][-1] == {
        'name': 'gears', 'source_name': 'gearbox::gears', 'type': 'gearbox', 'parent': 'input',
        'child': 'output', 'coordinates': [], 'axes': [[0.0, 0.0, 1.0], [0.0, 0.0, 1.0]]}
    assert [(item['name'], item['position']) for item in document['dependent']] == [
        ('output_turn', -1.0)]
    assert main(['tree', str(GEARS)]) == 0
    assert capsys.readouterr().out.endswith('constraint: input - output - case [gears: gearbox]\n')


@pytest.mark.skipif(shutil.which('dot') is None, reason='there is no Graphviz on this machine')
def test_graphviz_draws_every_link_and_joint(here: Path, capsys: Output) -> None:
    (here / 'r.urdf').write_text(
        '<robot name="r"><link name="a &amp; b"/><link name="&lt;script&gt;"/><joint name="j" '
        'type="fixed"><parent link="a &amp; b"/><child link="&lt;script&gt;"/></joint></robot>')
    assert main(['tree', 'r.urdf', '--to', 'svg']) == 0
    texts = {
        found.text for found in ElementTree.fromstring(capsys.readouterr().out).iter(
            '{http://www.w3.org/2000/svg}text')}
    assert {'a & b', '<script>', 'j'} <= texts
