# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf frames``, ``hrdf tree`` and ``hrdf info``."""

from __future__ import annotations

from math import acos, cos, sin
from pathlib import Path
import shutil
from typing import Any
from xml.etree import ElementTree

from helpers.terminal import Run
import pytest

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
PARTS = """\
<robot name="arm">
  <link name="base"><inertial><mass value="2"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="bar">
    <inertial><origin xyz="1 0 0"/><mass value="2"/>
      <inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><mesh filename="package://mine/a.stl"/></geometry></visual>
    <collision><geometry><mesh filename="package://mine/a.stl"/></geometry></collision>
    <visual><geometry><mesh filename="nosuch.stl"/></geometry></visual>
  </link>
  <link name="end"/>
  <joint name="turn" type="revolute"><parent link="base"/><child link="bar"/><axis xyz="0 0 1"/>
    <limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
  <joint name="slide" type="prismatic"><parent link="bar"/><child link="end"/>
    <limit lower="-3" upper="3" effort="1" velocity="1"/><mimic joint="turn"/></joint>
  <ros2_control name="c" type="system"><hardware><plugin>mock/System</plugin></hardware>
  </ros2_control>
  <gazebo><plugin filename="libx.so" name="x"><file>package://other/x.yaml</file></plugin></gazebo>
</robot>
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path) -> Path:
    """Write an arm (turn, a bar of 1 m, slide along it), a mimic joint, a robot of parts."""
    for name, text in {'arm.hrdf': ARM, 'two.urdf': TWO, 'parts.urdf': PARTS}.items():
        (tmp_path / name).write_text(text)
    (tmp_path / 'a.stl').write_bytes(b'x' * 84)
    return tmp_path


def described(hrdf: Run, options: str = '') -> Any:
    done = hrdf(f'frames arm.hrdf --json {options}')
    assert done.status == 0
    return done.json('frames')


def frame(document: Any, name: str) -> Any:
    [found] = [found for found in document['frames'] if found['name'] == name]
    return found


def test_the_whole_model(hrdf: Run) -> None:
    document = described(hrdf)
    assert [document[name] for name in ('format', 'version', 'root', 'dependent')] == [
        'hrdf', '1.6.0', 'base_link', []]
    assert [(one['name'], one['kind'], one['position'], one['upper'])
            for one in document['coordinates']] == [
        ('turn', 'angle', 0.0, None), ('slide', 'length', 0.0, None)]
    bodies = {body['name']: body for body in document['bodies']}
    assert all({joint['parent'], joint['child']} <= {*bodies} for joint in document['joints'])
    [turn] = [joint for joint in document['joints'] if joint['name'] == 'turn']
    assert (turn['type'], turn['coordinates'], turn['axes']) == (
        'joint', ['turn'], [[0.0, 0.0, 1.0]])
    bar = bodies['bar']
    assert (bar['mass'], bar['com'], bar['tag']) == (2.0, [0.5, 0.0, 0.0], 'bar')
    assert bar['inertia'] == pytest.approx([2.0, 1.0, 3.0, 0.0, 0.0, 0.0])
    parents = {found['name']: found['parent'] for found in document['frames']}
    for name in parents:
        seen = set()
        while name is not None and name not in seen:
            seen.add(name)
            last, name = name, parents[name]
        assert (last, name) == ('base_link', None)


@pytest.mark.parametrize('options', [
    '--position turn=0.5 --position slide=-0.25', '--positions 0.5,-0.25',
    '--positions=0.5,-0.25', '--positions 0.5,7 --position slide=-0.25'])
def test_positions_move_the_frames(options: str, hrdf: Run) -> None:
    document = described(hrdf, options)
    assert [item['position'] for item in document['coordinates']] == [0.5, -0.25]
    tool = frame(document, 'tool/body')
    assert tool['position'] == pytest.approx([0.75 * cos(0.5), 0.75 * sin(0.5), 0.0])
    assert tool['orientation'] == pytest.approx([0.0, 0.0, sin(0.25), cos(0.25)])


def test_columns_are_aligned_in_every_script(hrdf: Run) -> None:
    head, _, row = hrdf('frames wide.urdf', files={'wide.urdf': (
        '<robot name="r"><link name="base"/><link name="日本"/><joint name="j" type="fixed">'
        '<parent link="base"/><child link="日本"/></joint></robot>')}).out.splitlines()
    assert head.index('kind') == row.index('link') + len('日本')


@pytest.mark.filterwarnings('error')
def test_positions_too_large_for_numbers_are_wrong_usage(hrdf: Run) -> None:
    files = {'ball.skel': """<skel version="1.0"><world name="w"><skeleton name="s">
<body name="b"><inertia><mass>1</mass></inertia></body>
<joint type="ball" name="j"><parent>world</parent><child>b</child></joint></skeleton></world>
</skel>"""}
    assert hrdf('frames ball.skel --positions 1e16,0,0', files=files).status == 0
    assert hrdf('frames ball.skel --positions 1e308,0,0') == (
        2, '', 'hrdf: error: the positions are too large: frames would be infinitely far away\n')


def test_a_tag_means_the_output_of_an_end_effector(hrdf: Run) -> None:
    tool, base = described(hrdf, 'tool --position turn=0 base_link')['frames']
    assert base['name'] == 'base_link'
    assert (tool['name'], tool['tag'], tool['body']) == ('tool', 'tool', 'tool/body')
    assert tool['position'] == pytest.approx([1.0, 0.0, 0.25])
    document = described(hrdf, 'base_link --relative-to tool')
    assert document['root'] == 'tool'
    assert document['frames'][0]['position'] == pytest.approx([-1.0, 0.0, -0.25])


def test_the_table(hrdf: Run) -> None:
    head, base, tool = hrdf(
        'frames arm.hrdf base_link tool --position turn=1.5').out.splitlines()
    assert head.split() == 'in base_link kind x y z roll pitch yaw'.split()
    assert base.split() == ['base_link', 'link', *['0.000000'] * 6]
    assert tool.split()[:3] == ['tool', 'end_effector', '0.070737']
    assert tool.split()[-1] == '1.500000'


@pytest.mark.pins('position-outside-limits')
def test_positions_outside_the_limits_are_reported(hrdf: Run) -> None:
    assert hrdf('frames two.urdf --position l=1').err.splitlines()[0] == (
        "two.urdf:11:38: warning[position-outside-limits]: coordinate 'r' is at -1.5, outside of "
        'its limit -1.0')
    assert "coordinate 'r' is at 2.5, outside of its limit 2.0" in hrdf(
        'frames two.urdf --position l=0.75 --position r=2.5').err
    assert hrdf('frames two.urdf --position l=0.75').err == ''


def test_an_unknown_frame_may_have_its_name_by_another_naming(hrdf: Run) -> None:
    """The parts of a gripper have frames with HEBI's names alone."""
    Path('kit.hrdf').write_text(
        '<robot version="1.6.0"><actuator type="X5-1"/><end-effector type="X5Parallel"/></robot>')
    status, _, error = hrdf('frames kit.hrdf l_finger')
    assert status == 2
    assert error == (
        "hrdf: error: there is no frame 'l_finger'; the end effector is 'x5_parallel_1'; "
        'with --naming hebi there are end_effector_1/l_finger\n')
    assert '--naming default' in hrdf('frames kit.hrdf x5_1_1 --naming hebi')[2]
    assert '--naming' not in hrdf('frames kit.hrdf nowhere')[2]
    assert '--naming' not in hrdf('frames two.urdf nowhere')[2]


def test_positions_have_units(hrdf: Run) -> None:
    def tool(position: str) -> Any:
        return frame(described(hrdf, position), 'tool')

    assert tool('--position turn=90deg') == tool('--position turn=pi/2')
    assert tool('--position turn=-0.5rad') == tool('--position turn=-0.5')
    assert tool('--position slide=50mm') == tool('--positions 0,5cm') == tool('--positions 0,0.05')
    assert tool('--positions -pi/2,0') == tool('--positions=-90deg,0m')


def test_a_unit_of_another_kind_is_refused(hrdf: Run) -> None:
    assert hrdf('frames arm.hrdf --position turn=50mm') == (
        2, '', "hrdf: error: coordinate 'turn' is an angle: give it in deg or rad\n")
    assert hrdf('frames arm.hrdf --positions 0,1rad') == (
        2, '', "hrdf: error: coordinate 'slide' is a length: give it in m or mm\n")


def test_more_than_a_full_turn_without_a_unit_is_a_warning(hrdf: Run) -> None:
    assert hrdf('frames arm.hrdf --position turn=90').err == (
        "hrdf: warning: coordinate 'turn' is at 90 radians, more than a full turn; write "
        'turn=90deg for degrees, or turn=90rad\n')
    for meant in ('turn=90rad', 'turn=90deg', 'turn=6.28', 'slide=90'):
        assert hrdf(f'frames arm.hrdf --position {meant}').err == ''


def test_angles_in_degrees(hrdf: Run) -> None:
    head, row = hrdf('frames arm.hrdf bar --position turn=30deg --degrees').out.splitlines()
    assert head.split()[-6:] == 'roll deg pitch deg yaw deg'.split()
    assert row.split()[-1] == '30.000000'
    lines = hrdf('tree two.urdf --degrees --position l=0.5rad').out.splitlines()
    assert 'l = 28.6479 deg in -57.2958 … 114.592 deg' in lines[2]
    assert 'r = -2 l +28.6479 = -28.6479 deg' in lines[4]
    assert hrdf('frames arm.hrdf --json --degrees').status == 2


@pytest.mark.parametrize(('options', 'name', 'head'), [
    ('', 'zero', 'in world at zero'), ('--position a=0', None, 'in world'),
    ('--positions 0', None, 'in world')])
def test_the_answer_says_at_which_positions(
    options: str, name: str | None, head: str, hrdf: Run,
) -> None:
    files = {'m.xml': (
        '<mujoco><worldbody><body name="b"><joint name="a"/><geom size="1"/></body></worldbody>'
        '<keyframe><key name="home" qpos="1"/></keyframe></mujoco>')}
    assert hrdf(f'frames m.xml {options}', files=files).out.startswith(f'{head}  ')
    assert hrdf(f'frames m.xml --json {options}').json('frames')['configuration'] == name
    assert hrdf(f'info m.xml --json {options}').json('info')['configuration'] == name


def test_initial_positions_have_the_name_of_their_configuration(hrdf: Run) -> None:
    examples = Path(__file__).parents[2] / 'examples'
    for file, name, text in (
            ('hrdf/arm_6dof.cfg.yaml', 'home', 'at home'),
            ('skel/humanoid.skel', 'initial', 'at the initial positions')):
        assert text in hrdf(f'frames {examples / file}').out.splitlines()[0]
        assert hrdf(f'frames {examples / file} --json').json('frames')['configuration'] == name
        assert f'positions           {name}\n' in hrdf(f'info {examples / file}').out


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


@pytest.mark.pins('loop-open', 'loop-singular')
@pytest.mark.parametrize(('angle', 'status', 'word'), [
    (0.5, 0, ''),
    (3.0, 1, "error[loop-open]: the loop through 'loop' cannot close"),
    (acos(0.25), 0, 'warning[loop-singular]: '),
])
def test_loops_are_solved(angle: float, status: int, word: str, hrdf: Run) -> None:
    done = hrdf(f'frames loop.sdf --json --position turn={angle}', files={'loop.sdf': FOUR_BAR})
    assert done.status == status
    assert done.err.startswith(f'loop.sdf:8:7: {word}') if word else done.err == ''
    assert ('hint: it is driven by turn; those given' in done.err) is bool(word)
    document = done.json('frames')
    assert [item['name'] for item in document['coordinates']] == ['turn']
    assert {item['name'] for item in document['dependent']} == {'knee', 'rock', 'loop'}
    if not word:
        coupler, rocker = (frame(document, name)['position'] for name in ('coupler', 'rocker'))
        assert coupler == pytest.approx([2 * cos(angle), 2 * sin(angle), 0.0])
        assert rocker == pytest.approx([1.0, 0.0, 0.0])


def test_a_gearbox_is_among_the_joints(hrdf: Run) -> None:
    gears = Path(__file__).parents[2] / 'examples' / 'sdf' / 'features' / 'gearbox.sdf'
    document = hrdf(f'frames {gears} --json --position input_turn=0.5').json('frames')
    assert document['joints'][-1] == {
        'name': 'gears', 'source_name': 'gearbox::gears', 'type': 'gearbox', 'parent': 'input',
        'child': 'output', 'coordinates': [], 'axes': [[0.0, 0.0, 1.0], [0.0, 0.0, 1.0]]}
    assert [(item['name'], item['position']) for item in document['dependent']] == [
        ('output_turn', -1.0)]
    assert hrdf(f'tree {gears}').out.endswith(
        'constraint: input - output - case [gears: gearbox]\n')


# ---- hrdf tree

def test_tree_shows_bodies_joints_limits_and_mass(hrdf: Run) -> None:
    assert hrdf('tree two.urdf').out.splitlines() == [
        'two: urdf 1.0, 4 links, 3 joints, 2 coordinates, 2.5 kg',
        'base',
        '├─ left  1.5 kg  [l: revolute, l in -1 … 2 rad]',
        '│  └─ tip  [t: fixed]',
        '└─ right  1 kg  [r: revolute, r = -2 l +0.5]',
    ]


@pytest.mark.parametrize('options', [
    '--position l=0.25', '--positions 0.25', '--positions 0.25,7'])
def test_tree_shows_positions_that_were_asked_for(options: str, hrdf: Run) -> None:
    lines = hrdf(f'tree two.urdf {options}').out.splitlines()
    assert lines[2] == '├─ left  1.5 kg  [l: revolute, l = 0.25 rad in -1 … 2 rad]'
    assert lines[4] == '└─ right  1 kg  [r: revolute, r = -2 l +0.5 = 0 rad]'
    assert '[slide: joint, slide = 2 m]' in hrdf('tree arm.hrdf --positions -1,2').out


def test_lines_wrap_below_their_link(hrdf: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('COLUMNS', '50')
    monkeypatch.setattr('sys.stdout.isatty', lambda: True)
    assert hrdf('tree ball.sdf', files={'ball.sdf': (
        '<sdf version="1.9"><model name="m"><link name="a"/><link name="b"/><link name="c"/>'
        '<joint name="shoulder" type="ball"><parent>a</parent><child>b</child></joint>'
        '<joint name="j" type="fixed"><parent>b</parent><child>c</child></joint></model></sdf>'
    )}).out.splitlines()[-3:] == [
        '└─ b  1 kg  [shoulder: ball, shoulder_x in rad,',
        '   │    shoulder_y in rad, shoulder_z in rad]', '   └─ c  1 kg  [j: fixed]']


def test_a_deep_tree_does_not_grow_quadratically(hrdf: Run) -> None:
    lines = hrdf('tree deep.hrdf', files={'deep.hrdf': (
        '<robot version="1.6.0">' + '<joint axis="rz"/>' * 500 + '</robot>')}).out.splitlines()
    assert len(lines) >= 500 and max(map(len, lines)) < 300


@pytest.mark.skipif(shutil.which('dot') is None, reason='there is no Graphviz on this machine')
def test_graphviz_draws_every_link_and_joint(hrdf: Run) -> None:
    drawn = hrdf('tree r.urdf --to svg', files={'r.urdf': (
        '<robot name="r"><link name="a &amp; b"/><link name="&lt;script&gt;"/><joint name="j" '
        'type="fixed"><parent link="a &amp; b"/><child link="&lt;script&gt;"/></joint></robot>')})
    texts = {found.text for found in ElementTree.fromstring(drawn.out).iter(
        '{http://www.w3.org/2000/svg}text')}
    assert {'a & b', '<script>', 'j'} <= texts


# ---- hrdf info

def info(hrdf: Run, options: str = '') -> Any:
    done = hrdf(f'info parts.urdf --package mine=. --json {options}')
    assert done.status == 0
    return done.json('info')


def test_summary_as_json(hrdf: Run, tmp_path: Path) -> None:
    found = info(hrdf)
    assert {name: found[name] for name in found if name not in ('center_of_mass', 'inertia')} == {
        'name': 'arm', 'format': 'urdf', 'version': '1.0', 'description': None, 'root': 'base',
        'configuration': 'zero', 'bodies': 3, 'joints': 2, 'coordinates': 2,
        'degrees_of_freedom': 1, 'frames': 3,
        'mass': 4.0, 'files': ['parts.urdf'], 'configurations': [],
        'packages': ['mine', 'other'], 'plugins': ['libx.so', 'mock/System'],
        'meshes': [
            {'uri': 'package://mine/a.stl', 'file': str(tmp_path / 'a.stl'), 'bytes': 84,
             'uses': 2},
            {'uri': 'nosuch.stl', 'file': None, 'bytes': None, 'uses': 1}]}


@pytest.mark.parametrize(('angle', 'center', 'inertia'), [
    ('0', [0.5, 0, 0], [1, 2, 2, 0, 0, 0]),
    ('1.5707963267948966', [0, 0.5, 0], [2, 1, 2, 0, 0, 0])])
def test_mass_is_at_the_configuration(
    angle: str, center: list[float], inertia: list[float], hrdf: Run,
) -> None:
    found = info(hrdf, f'--position turn={angle}')
    assert found['center_of_mass'] == pytest.approx(center, abs=1e-12)
    assert found['inertia'] == pytest.approx(inertia, abs=1e-12)


def test_summary_as_text(hrdf: Run) -> None:
    lines = hrdf('info parts.urdf --package mine=.').out.splitlines()
    assert lines[:8] == [
        'name                arm', 'format              urdf 1.0',
        'degrees of freedom  1 (and 1 dependent coordinates)', 'links               3',
        'joints              2', 'frames              3', 'mass                4 kg',
        "center of mass      0.5 0 0 m in 'base'"]
    assert 'meshes              package://mine/a.stl (84 bytes, used 2 times)' in lines
    assert '                    nosuch.stl (not found)' in lines
    assert lines[-2:] == ['plugins             libx.so', '                    mock/System']


def test_inertia_of_each_link(hrdf: Run) -> None:
    base, bar, end = info(hrdf, '--inertia')['links']
    assert base == {'name': 'base', 'mass': 2, 'center_of_mass': [0, 0, 0],
                    'inertia': [1, 1, 1, 0, 0, 0]}
    assert (bar['center_of_mass'], end['mass'], end['inertia']) == ([1, 0, 0], 0, [0] * 6)
    lines = hrdf('info parts.urdf --package mine=. --inertia').out.splitlines()
    assert [line.split() for line in lines[-4:-1]] == [
        'link mass x y z ixx iyy izz ixy ixz iyz'.split(), 'base 2 0 0 0 1 1 1 0 0 0'.split(),
        'bar 2 1 0 0 0 0 0 0 0 0'.split()]


def test_without_mass_and_with_many_meshes(hrdf: Run) -> None:
    meshes = ''.join(
        f'<visual><geometry><mesh filename="{"" if count else "https://x.org/"}{count}.stl"/>'
        '</geometry></visual>' for count in range(91))
    lines = hrdf('info many.urdf', files={'many.urdf': (
        f'<robot name="r"><link name="l">{meshes}</link></robot>')}).out.splitlines()
    assert lines[-1] == '                    and 80 more'
    assert 'meshes              https://x.org/0.stl (on the network)' in lines
    found = hrdf('info many.urdf --json').json('info')
    assert (found['mass'], found['center_of_mass'], found['inertia']) == (0, None, None)


def test_an_unknown_frame_names_the_tool_first(hrdf: Run) -> None:
    """Among many frames, people look for the end effector."""
    done = hrdf('frames arm.hrdf zzzz', files={
        'arm.hrdf': '<robot version="1.5.0"><actuator type="X5-4"/>'
        '<end-effector type="X5Parallel"/></robot>'})
    assert done.status == 2 and 'there are x5_parallel_1,' in done.err
