# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""MJCF that is written: read again, and by MuJoCo where it is installed."""

from __future__ import annotations

from pathlib import Path
import re

from helpers.records import put
from hrdf_ros import Kinematics, load_model
from hrdf_ros.cli import main
from hrdf_ros.diff import agreement
from hrdf_ros.load import load
from hrdf_ros.lowering import lower
from hrdf_ros.lowering.target import MJCF
from hrdf_ros.model import Configuration, Model
from hrdf_ros.mujoco_process import is_available
from hrdf_ros.writers.mesh_files import binary_stl
from hrdf_ros.writers.mjcf import make_mjcf, MjcfOptions, write_mjcf
import pytest

EXAMPLES = Path(__file__).parents[3] / 'examples'
INPUTS = Path(__file__).parents[2] / 'conformance' / 'inputs' / 'mjcf'
FILES = sorted(
    file for kind in ('hrdf', 'sdf', 'skel', 'urdf')
    for file in (EXAMPLES / kind).glob(f'*.{kind}'))
ARM = """<robot name="arm"><link name="base"/><link name="upper"/>
<joint name="elbow" type="revolute"><parent link="base"/><child link="upper"/>
<axis xyz="0 1 0"/><limit lower="-1" upper="2" effort="5" velocity="3"/></joint>{}</robot>"""


def model_of(source: str | Path) -> Model:
    loaded = load(source)
    assert loaded.model is not None, loaded.report
    return loaded.model


@pytest.mark.parametrize('file', FILES, ids=lambda file: file.name)
def test_examples_read_back_the_same_and_compile(file: Path, tmp_path: Path) -> None:
    model = model_of(file)
    written = make_mjcf(model, MjcfOptions(mesh_directory=str(tmp_path)))
    assert written.report.ok
    lowered = lower(model, MJCF).model
    names = {body.name: other.name for body, other in zip(model.bodies, lowered.bodies)}
    for name, data in written.meshes.items():
        Path(name).write_bytes(data)
    found = agreement(model, model_of(written.text), names)
    assert found.missing == ()
    assert found.pose.value < 1e-9
    assert found.mass.value < 1e-8
    mujoco = pytest.importorskip('mujoco', reason='mujoco-core is not installed')
    assert mujoco.MjModel.from_xml_string(written.text).nbody >= 2


NUMBERS = (
    'nq', 'nu', 'neq', 'nsite', 'ncam', 'nlight', 'ntex', 'nmat', 'nsensor', 'ntendon',
    'dof_damping', 'dof_armature', 'dof_frictionloss', 'jnt_limited', 'jnt_stiffness', 'key_qpos',
    'qpos_spring', 'key_ctrl', 'actuator_gainprm', 'tendon_range', 'cam_fovy')


@pytest.mark.parametrize('file', [
    file for file in sorted(INPUTS.glob('*.xml')) if 'refused' not in file.name],
    ids=lambda file: file.name)
def test_mujoco_compiles_the_same_of_mjcf_that_is_written(file: Path, tmp_path: Path) -> None:
    mujoco = pytest.importorskip('mujoco', reason='mujoco-core is not installed')
    written = make_mjcf(model_of(file), MjcfOptions(mesh_directory=str(tmp_path)))
    before = mujoco.MjModel.from_xml_path(str(file))
    after = mujoco.MjModel.from_xml_string(written.text)
    for name in NUMBERS:
        assert getattr(after, name) == pytest.approx(getattr(before, name), abs=1e-9), name
    assert after.body_mass.sum() == pytest.approx(before.body_mass.sum(), abs=1e-8)


def test_what_a_model_has_no_place_for_is_written_back() -> None:
    text, report = write_mjcf(model_of(
        '<mujoco><worldbody><geom type="plane" size="0 5 0.05"/><body name="a"><joint name="j" '
        'range="-1 2" limited="false"/><joint name="s" type="slide" actuatorfrcrange="1 2" '
        'actuatorfrclimited="false"/><geom size="1"/></body></worldbody><equality>'
        '<weld name="w" body1="a"/><joint name="e" joint1="j" joint2="s"/></equality>'
        '<compiler angle="radian"/></mujoco>'))
    for kept in ('size="0 5 0.05"', 'limited="false" range="-1.0 2.0"', '<joint name="e" j',
                 'actuatorfrclimited="false" actuatorfrcrange="1.0 2.0"'):
        assert kept in text
    assert 'another order' in str([found.message for found in report])


def test_the_sensor_of_a_camera_and_empty_names_of_files_are_written_back() -> None:
    text, _ = write_mjcf(load_model(
        '<mujoco><default><camera focal="1 1" sensorsize="1 1" resolution="9 9"/></default><asset>'
        '<texture name="t" type="cube" builtin="flat" width="8" height="8" fileright=""/></asset>'
        '<worldbody><camera fovy="60"/></worldbody></mujoco>'))
    assert 'sensorsize="1 1"' in text and 'fovy' not in text
    assert 'fileright=""' in text


def test_configurations_are_keyframes_in_the_order_of_the_joints() -> None:
    model = model_of(ARM.format(''))._replace(
        configurations=(Configuration('home', ((0, 0.5),)),))
    text, _ = write_mjcf(model)
    assert '<key name="home" qpos="0.5"/>' in text
    text, _ = write_mjcf(model, free_base=True)
    assert '<key name="home" qpos="0.0 0.0 0.0 1.0 0.0 0.0 0.0 0.5"/>' in text


def test_mimics_begin_where_they_follow_and_loops_close_between_sites() -> None:
    model = model_of(EXAMPLES / 'sdf' / 'features' / 'mimic.sdf')
    [mimic] = [one.mimic for one in model.coordinates if one.mimic]
    [found] = [one.mimic for one in model_of(write_mjcf(model)[0]).coordinates if one.mimic]
    assert (found.multiplier, found.offset) == (mimic.multiplier, pytest.approx(mimic.offset))
    text = make_mjcf(
        model_of(EXAMPLES / 'sdf' / 'four_bar.sdf'), MjcfOptions(actuators='motor')).text
    assert len(re.findall('<connect ', text)) == 2  # a hinge: two points of its axis
    assert len(re.findall('<motor ', text)) == 3  # none for what is no joint of MuJoCo


SPHERE = '<link name="a"><visual><geometry><sphere radius="0"/></geometry></visual></link>'
STAYS = '<body name="a">\n      <inertial '
FIXED = '<sdf version="1.12"><model name="m">{}<link name="a"/></model></sdf>'
PLANAR = ('<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="fixed"><parent '
          'link="a"/><child link="b"/></joint><joint name="k" type="planar"><parent link="b"/>'
          '<child link="b"/></joint></robot>')
LOOP = ('<sdf version="1.12"><model name="m"><link name="a"/><link name="b"/><joint name="j" '
        'type="revolute"><parent>a</parent><child>b</child><axis/></joint><joint name="k" '
        'type="revolute"><parent>b</parent><child>a</child><axis><xyz>0 0 1</xyz><mimic '
        'joint="j"><multiplier>1</multiplier></mimic></axis></joint></model></sdf>')
MESH = '<robot version="1.6.0"><rigid-body mass="1" mesh_path="https://a.org/x.stl"/></robot>'


@pytest.mark.parametrize(('source', 'line', 'code', 'said'), [
    (ARM.format(''), '<joint name="elbow" type="hinge" axis="0.0 1.0 0.0" range="-1.0 2.0" '
     'actuatorfrcrange="-5.0 5.0"/>', '', ''),
    (ARM.format(''), 'mass="1e-09" diaginertia="1e-12 1e-12 1e-12"/>', 'inertia-not-representable',
     ''),
    ('<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/><inertia ixx="1" '
     'iyy="1" izz="10" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="j" type="fixed">'
     '<parent link="a"/><child link="b"/></joint></robot>',
     'diaginertia="4.0 4.0 4.0"/>', 'inertia-not-representable', 'its mean'),
    (f'<robot name="r">{SPHERE}</robot>', '<body name="a"/>', 'geometry-not-representable', ''),
    (FIXED.format('<static>true</static>'), STAYS, 'no-effect', "'a'"),
    (FIXED.format('<joint name="j" type="fixed"><parent>world</parent><child>a</child></joint>'),
     STAYS, 'no-effect', "'a'"),
    (PLANAR, '', 'loop-not-representable', ''),  # no body is joined to itself
    ('<robot name="r"><link name="world"><inertial><mass value="1"/><inertia ixx="1" iyy="1" '
     'izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>', '<worldbody/>',
     'inertia-not-representable', "the world of MJCF has no mass; omitted: 'world'"),
    (LOOP, '', 'mimic-not-representable', ''),  # a coordinate that only a loop has has no name
    (MESH, '', 'geometry-not-representable', "not found are omitted: 'https://a.org/x.stl'")])
def test_what_is_written_and_said(source: str, line: str, code: str, said: str) -> None:
    """A free base, here of FIXED, moves nothing that the file fixes."""
    text, report = write_mjcf(model_of(source), free_base=code == 'no-effect')
    assert line in text and load(text, format='mjcf').ok
    assert code in {'', *(found.code for found in report if said in found.message)}
    assert source != MESH or [found.hint for found in report] == [
        'hrdf fetch https://a.org/x.stl downloads it']


@pytest.mark.parametrize(('interface', 'chosen', 'expected'), [
    ('position', '', '<position name="elbow" joint="elbow" kp="100.0"'),
    ('effort', '', '<motor name="elbow" joint="elbow" ctrlrange="-5.0 5.0"/>'),
    ('effort', 'velocity', '<velocity name="elbow" joint="elbow" kv="10.0"'),
    ('effort', 'none', '')])
def test_commanded_joints_get_actuators(interface: str, chosen: str, expected: str) -> None:
    control = ('<ros2_control name="c" type="system"><joint name="elbow"><command_interface '
               f'name="{interface}"/></joint></ros2_control>')
    text = make_mjcf(model_of(ARM.format(control)), MjcfOptions(actuators=chosen)).text
    assert expected in text and bool(expected) == ('<actuator>' in text)
    without = model_of(ARM.format(''))
    text = make_mjcf(without, MjcfOptions(actuators=chosen)).text
    assert ('<actuator>' in text) == (chosen == 'velocity')  # for all joints


def test_a_free_base_has_mass_and_no_plane() -> None:
    """MuJoCo refuses both: a moving link without mass, and a plane on one."""
    arm = ARM.format('').replace(
        '<link name="upper"/>', '<link name="upper"><inertial><mass value="1"/><inertia ixx="1" '
        'iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>')
    text, report = write_mjcf(model_of(arm), free_base=True)
    assert '<freejoint name="base_free"/>' in text
    assert [found.subjects for found in report if found.code == 'inertia-not-representable'] == [
        ('base',)]
    ground = model_of('<sdf version="1.12"><model name="m"><link name="a"><collision name="c">'
                      '<geometry><plane/></geometry></collision></link></model></sdf>')
    assert 'type="plane"' in write_mjcf(ground)[0]
    assert 'type="plane"' not in write_mjcf(ground, free_base=True)[0]


def test_moments_without_mass_get_a_mass_for_drake() -> None:
    """Drake 1.51 aborts: "condition 'mass > 0' failed". MJCF that MuJoCo takes stays as it is."""
    foot = ('<link name="foot"><inertial><mass value="0"/><inertia ixx="1e-7" iyy="1e-7" '
            'izz="1e-7" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="ankle" '
            'type="fixed"><parent link="upper"/><child link="foot"/></joint>')
    text, report = write_mjcf(model_of(ARM.format(foot)))
    assert 'mass="1e-09" diaginertia="1e-07 1e-07 1e-07"' in text
    [found] = [one for one in report if 'Drake ends' in one.message]
    assert (found.severity, found.subjects) == ('info', ('foot',))
    again, report = write_mjcf(model_of(
        text.replace('mass="1e-09" diaginertia="1e-07', 'mass="0" diaginertia="1e-07')))
    assert 'mass="0.0" diaginertia="1e-07 1e-07 1e-07"' in again
    assert not [one for one in report if 'Drake ends' in one.message]


def test_joints_with_other_anchors_are_in_one_body_again() -> None:
    model = model_of(
        '<mujoco><worldbody><body name="a"><joint name="j" pos="1 0 0" ref="20" '
        'actuatorfrcrange="-2 5"/><joint name="s" type="slide" ref="1"/>'
        '<joint name="k" pos="0 2 0" axis="1 0 0"/><geom size="1"/></body>'
        '</worldbody></mujoco>')
    text, report = write_mjcf(model)
    assert (text.count('<body'), text.count('<inertial'), list(report)) == (1, 1, [])
    assert agreement(model, model_of(text), {}).pose.value < 1e-12
    assert 'actuatorfrcrange="-2.0 5.0"' in text


def test_convert_writes_and_verifies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / 'arm.xml'
    arm = str(EXAMPLES / 'hrdf' / 'arm_6dof.hrdf')
    assert main(['convert', arm, '-o', str(out), '--verify']) == 0
    err = capsys.readouterr().err
    assert 'verified: 38 frames in 6 configurations, 13 links' in err
    assert ('MuJoCo agrees: 14 links in 3 configurations' in err) == is_available()
    assert main(['check', str(out)]) == 0


@pytest.mark.parametrize('suffix', ['urdf', 'sdf'])
def test_mjcf_to_urdf_and_sdf_keeps_every_link(suffix: str, tmp_path: Path) -> None:
    (tmp_path / 'robot.xml').write_text(
        '<mujoco><worldbody><site name="s" pos="1 0 0"/><body name="a"><joint name="x" '
        'type="slide"/><joint name="y"/><geom size="1"/><body name="b" pos="0 0 1">'
        '<joint name="ball" type="ball"/><geom size="1"/></body></body></worldbody></mujoco>')
    out = tmp_path / f'robot.{suffix}'
    assert main(['convert', str(tmp_path / 'robot.xml'), '-o', str(out)]) == 0
    written = model_of(out)
    assert {'a', 'b'} <= {body.name.rpartition('/')[2] for body in written.bodies}
    if suffix == 'sdf':
        assert {frame.name: frame.pose.x for frame in written.frames}['s'] == 1.0


def test_a_joint_with_one_position_is_fixed_there_with_what_follows_it() -> None:
    joint = (
        '<joint name="{0}" type="{1}"><parent link="{2}"/><child link="{3}"/><axis xyz="0 0 1"/>'
        '<limit lower="{4}" upper="{4}" effort="1" velocity="1"/>{5}</joint><link name="{3}"/>')
    source = model_of('<robot name="r"><link name="base"/>' + ''.join((
        joint.format('zero', 'revolute', 'base', 'a', 0, ''),
        joint.format('one', 'prismatic', 'a', 'b', 1, ''),
        joint.format('twice', 'prismatic', 'b', 'c', 0, '<mimic joint="one" multiplier="2"/>'),
    )) + '</robot>')
    text, report = write_mjcf(source)
    written = model_of(text)
    assert written.coordinates == ()
    assert [float(Kinematics(written).pose(name)[2, 3]) for name in 'abc'] == [0.0, 1.0, 3.0]
    assert agreement(source, written).pose.value == 0.0
    assert any(
        found.subjects == ('zero', 'one', 'twice') and 'one position' in found.message
        for found in report)


@pytest.mark.parametrize('limit, attributes', [
    ('lower="1" upper="2" effort="0"', ('1.0 2.0', None)),
    ('lower="-1e15" upper="1" effort="1"', ('-1000000000000000.0 1.0', '-1.0 1.0'))])
def test_limits_that_mujoco_takes_for_none(limit: str, attributes: tuple[str, str | None]) -> None:
    text, report = write_mjcf(model_of(
        ARM.format('').replace('lower="-1" upper="2" effort="5"', limit)))
    found = [re.search(f' {name}="(.*?)"', text) for name in ('range', 'actuatorfrcrange')]
    assert tuple(each and each[1] for each in found) == attributes
    assert ('no range' in str([each.message for each in report])) == ('e15' not in limit)


@pytest.mark.parametrize('kind', ['ball', 'free'])
def test_a_ball_turns_in_the_frame_of_its_joint(kind: str) -> None:
    model = model_of(
        '<skel version="1.0"><world name="w"><skeleton name="s"><body name="b"/>'
        f'<joint type="{kind}" name="j"><parent>world</parent><child>b</child><transformation>'
        '0.02 0 0.1 0.3 -0.2 0.5</transformation><init_pos>0.1 0.2 0.3 1 2 3</init_pos>'
        '<dof local_index="0" name="roll"/></joint></skeleton></world></skel>')
    text, report = write_mjcf(model)
    again = model_of(text)
    assert 'name-changed' in [item.code for item in report]
    assert 'ref' not in text.split('type="ball"')[-1]
    q = [0.3, -0.4, 0.5, 0.1, 0.2, 0.3][:len(model.coordinates)]
    pose = Kinematics(again).pose('b', [*q[3:], *q[:3]])  # MJCF has positions first
    assert Kinematics(model).pose('b', q) == pytest.approx(pose, abs=1e-12)


FREE = """<mujoco><worldbody><body name="b"><freejoint name="j"/><geom size="1"/></body>
</worldbody></mujoco>"""


@pytest.mark.parametrize('field, value', [('axis', (0.0, 1.0, 0.0)), ('offset', 0.5)])
def test_a_joint_that_moves_like_no_free_joint_is_written_as_several(
        field: str, value: object) -> None:
    model = put(model_of(FREE), ('joints', 0, 'motions', 0, field), value)
    text, report = write_mjcf(model)
    q = {one.name: 0.1 * count for count, one in enumerate(model.coordinates, 1)}
    expected = Kinematics(model).pose('b', q)
    assert Kinematics(model_of(text)).pose('b', q) == pytest.approx(expected, abs=1e-12)
    assert not list(report)


def test_the_scale_of_a_ball_is_told() -> None:
    model = put(model_of(FREE), ('joints', 0, 'motions', 3, 'scale'), 0.5)
    assert [found.code for found in write_mjcf(model)[1]] == ['scale-not-representable']


@pytest.mark.parametrize('kind, count', [('free', 6), ('ball', 3)])
@pytest.mark.parametrize('field', [
    'damping', 'friction', 'spring_stiffness', 'armature', 'spring_reference', 'lower', 'upper',
    'effort'])
def test_dynamics_that_differ_by_direction_are_told(kind: str, count: int, field: str) -> None:
    model = model_of(
        f'<mujoco><worldbody><body name="b"><joint name="j" type="{kind}" damping="2" '
        'frictionloss="2" armature="2" stiffness="2"/><geom size="1"/></body></worldbody>'
        '</mujoco>')
    assert list(write_mjcf(model)[1]) == []
    for index in range(count):
        changed = write_mjcf(put(model, ('coordinates', index, field), 0.5))[1]
        named = {name for found in changed for name in found.subjects
                 if found.code == 'detail-not-representable'}
        of_joint = field not in ('spring_reference', 'lower', 'upper', 'effort')
        others = {one.name for one in model.coordinates[1:]}
        assert named == (
            others if of_joint and index == 0 else {model.coordinates[index].name})


@pytest.mark.parametrize(('package', 'file', 'start'), [
    ((), 'a.mjcf', ''), (('--package-name', 'p'), 'mjcf/a.mjcf', '../')])
def test_a_bundle_has_the_meshes_and_textures_that_its_mjcf_names(
    package: tuple[str, ...], file: str, start: str, tmp_path: Path,
) -> None:
    (tmp_path / 'm.stl').write_bytes(binary_stl([[(0, 0, 0), (1, 0, 0), (0, 1, 0)]]))
    (tmp_path / 't.png').write_bytes(b'\x89PNG\r\n\x1a\n')
    (tmp_path / 'a.xml').write_text(
        '<mujoco><asset><mesh name="m" file="m.stl"/><texture name="t" type="2d" file="t.png"/>'
        '<material name="x" texture="t"/></asset><worldbody><geom type="mesh" mesh="m" '
        'material="x"/></worldbody></mujoco>')
    out = tmp_path / 'out'
    assert main(['convert', str(tmp_path / 'a.xml'), '--to', 'mjcf', '--bundle', str(out),
                 *package]) == 0
    text = (out / file).read_text()
    for name in ('meshes/m.stl', 'textures/t.png'):
        assert f'file="{start}{name}"' in text
        assert (out / name).exists()


def test_meshes_that_were_not_found_are_one_warning() -> None:
    """It says what that means for the links that have nothing else to collide with."""
    mesh = '<collision><geometry><mesh filename="package://gone/{}.stl"/></geometry></collision>'
    box = '<collision><geometry><box size="1 1 1"/></geometry></collision>'
    text, report = write_mjcf(model_of(
        '<robot name="r"><link name="a">' + mesh.format('m') + box + '</link><link name="b">'
        + mesh.format('n') + '</link><joint name="j" type="fixed"><parent link="a"/>'
        '<child link="b"/></joint></robot>'))
    found, = (one for one in report if one.code == 'geometry-not-representable')
    assert found.message == (
        "meshes that were not found are omitted: 'package://gone/m.stl', 'package://gone/n.stl'; "
        'links that have no other collision touch nothing, and the robot falls through the '
        "floor: 'b'")
    assert found.hint == 'tell where they are: --path DIR, --package NAME=DIR'
    assert text.count('<geom') == 1


@pytest.mark.parametrize(('source', 'is_told'), [('sdf', True), ('mjcf', False)])
def test_what_drake_does_not_read_is_told(source: str, is_told: bool) -> None:
    """A source that is MJCF has these constraints itself."""
    model = model_of(EXAMPLES / 'sdf' / 'four_bar.sdf')
    if source == 'mjcf':
        model = model_of(write_mjcf(model)[0])
    report = write_mjcf(model)[1]
    found = [one for one in report if 'Drake ignores' in one.message]
    assert [(one.severity, len(one.subjects)) for one in found] == [('info', 1)] * is_told


def test_links_that_drake_misplaces_are_told() -> None:
    report = write_mjcf(model_of(EXAMPLES / 'sdf' / 'delta.sdf'))[1]
    [found] = [one for one in report if 'Drake misplaces' in one.message]
    assert (found.severity, found.subjects) == (
        'info', ('fore_a', 'platform', 'fore_b', 'fore_c'))


def test_what_pinocchio_does_not_read_is_told() -> None:
    report = write_mjcf(model_of(
        '<sdf version="1.9"><world name="w"><model name="a"><link name="l"/></model>'
        '<model name="b"><link name="l"/></model></world></sdf>'))[1]
    assert [one.subjects for one in report if 'pinocchio reads' in one.message] == [('b/l',)]


@pytest.mark.parametrize('is_free', [True, False])
@pytest.mark.parametrize(('pose', 'is_told'), [('0 0 1 0 0 0', True), ('0 0 0 0 0 0', False)])
def test_poses_of_the_first_body_that_pinocchio_misreads_are_told(
    pose: str, is_told: bool, is_free: bool,
) -> None:
    model = model_of(
        f'<sdf version="1.9"><model name="m"><link name="l"><pose>{pose}</pose></link></model>'
        '</sdf>')
    report = write_mjcf(model, free_base=is_free)[1]
    assert [
        one.subjects for one in report if 'pinocchio takes the pose' in one.message
    ] == [('l',)] * is_told


def test_a_first_body_with_a_hinge_is_where_pinocchio_reads_it() -> None:
    report = write_mjcf(model_of(
        '<sdf version="1.9"><model name="m"><link name="l"><pose>0 0 1 0 0 0</pose></link>'
        '<joint name="j" type="revolute"><parent>world</parent><child>l</child><axis/></joint>'
        '</model></sdf>'))[1]
    assert not [one for one in report if 'pinocchio takes the pose' in one.message]


def test_a_converted_mesh_that_mujoco_refuses_is_reported(tmp_path: Path) -> None:
    corners = ['0 0 0', '3e38 0 0', '0 3e38 0', '0 0 3e38']
    (tmp_path / 'm.ply').write_text(
        'ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n'
        'property float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n'
        + '\n'.join([*corners, '3 0 2 1', '3 0 1 3', '3 0 3 2', '3 1 2 3', '']))
    model = model_of(
        '<robot name="r"><link name="a"><visual><geometry>'
        f'<mesh filename="{tmp_path}/m.ply"/></geometry></visual></link></robot>')
    written = make_mjcf(model, MjcfOptions(mesh_directory=str(tmp_path)))
    assert list(written.meshes)
    assert 'a corner is farther than' in str([each.message for each in written.report])
