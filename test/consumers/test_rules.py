# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Each rule about a consumer: a file in which it finds something, and one in which it does not."""

from __future__ import annotations

import json
from pathlib import Path
import re
from typing import NamedTuple

from hrdf_ros.consumers import check_for, CONSUMERS, gazebo, mujoco, RULES, urdf_readers
from hrdf_ros.consumers.rules import Rule
from hrdf_ros.diagnostics import Diagnostic, Report
from hrdf_ros.load import load
from hrdf_ros.model import ConsumerName
import pytest

ROOT = Path(__file__).resolve().parents[2]
URDF = """<robot name="r" {version}>
  <link name="a">{mass}{visual}</link>
  <link name="b"><inertial><mass value="1"/><inertia
    ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="{effort}" velocity="{velocity}" {limit}/>
  </joint>{more}
</robot>"""
SDF = """<sdf version="1.11"><model name="m">
  <link name="a"><inertial><mass>2</mass><inertia>
    <ixx>2</ixx><iyy>2</iyy><izz>2</izz></inertia></inertial></link>
  <link name="b"><inertial><mass>1</mass><inertia>
    <ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link>
  <joint name="j" type="revolute"><parent>a</parent><child>b</child>
    <axis><xyz>0 0 1</xyz><limit><lower>-1</lower><upper>1</upper><effort>1</effort>
    <velocity>1</velocity></limit></axis></joint>{more}
</model></sdf>"""


def urdf(
    *, version: str = '', visual: str = '', effort: str = '1', velocity: str = '1',
    mass: str = '', limit: str = '', more: str = '',
) -> str:
    return URDF.format(
        version=version, visual=visual, effort=effort, velocity=velocity, mass=mass, limit=limit,
        more=more)


def mesh(tag: str, uri: str) -> str:
    return f'<{tag}><geometry><mesh filename="{uri}"/></geometry></{tag}>'


def ball(tag: str, color: str = '') -> str:
    look = f'<material name="{color}"><color rgba="{color}"/></material>' if color else ''
    return f'<{tag}><geometry><sphere radius="1"/></geometry>{look}</{tag}>'


def painted(uri: str) -> str:
    return mesh('visual', uri).replace(
        '</visual>', '<material name="c"><color rgba="1 0 0 1"/></material></visual>')


def joint(kind: str) -> str:
    return (f'<link name="c"/><joint name="k" type="{kind}"><parent link="b"/><child link="c"/>'
            '<axis xyz="0 0 1"/></joint>')


MASS = """<inertial><mass value="1"/><inertia
  ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>"""
MJCF = """<mujoco><asset><mesh name="m" file="no_such.stl"/></asset><worldbody><body>
  <geom size="1"/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>"""
AUTOMATIC = SDF.format(more="""<link name="c"><inertial auto="true"/>
  <collision name="d"><geometry><mesh><uri>a.stl</uri></mesh></geometry></collision></link>""")
FOLLOWER = """<link name="c"><inertial><mass value="1"/><inertia
    ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="k" type="revolute"><parent link="a"/><child link="c"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/><mimic joint="j"/></joint>"""

FIXED_FOLLOWER = """<link name="d"/><joint name="l" type="fixed"><parent link="a"/>
    <child link="d"/><mimic joint="k"/></joint>"""


PLAIN = (urdf(), SDF.format(more=''))


class Case(NamedTuple):
    """A text in which a rule finds the subjects, and texts in which it finds nothing."""

    rule: Rule
    text: str
    subjects: tuple[str, ...]
    plain: tuple[str, ...] = PLAIN


CASES = (
    Case(urdf_readers.newer_version, urdf(version='version="1.2"'), ('r',)),
    Case(urdf_readers.visual_meshes, urdf(visual=mesh('visual', 'a.stl')), ('a.stl',)),
    Case(urdf_readers.collision_meshes, urdf(
        visual=mesh('collision', 'package://no_such/a.stl')), ('package://no_such/a.stl',)),
    Case(urdf_readers.textures, urdf(visual=ball('visual', '1 0 0 1').replace(
        '<color rgba="1 0 0 1"/>', '<texture filename="package://no_such/a.png"/>')),
        ('package://no_such/a.png',)),
    Case(urdf_readers.capsules, urdf(
        visual='<visual><geometry><capsule radius="1" length="1"/></geometry></visual>'), ('a',)),
    Case(urdf_readers.limits_of_acceleration, urdf(
        version='version="1.2"', limit='jerk="3"'), ('j',)),
    Case(urdf_readers.links_without_collision, urdf(visual=ball('visual')), ('a',)),
    Case(urdf_readers.other_colors, urdf(
        visual=ball('visual', '1 0 0 1') + ball('visual', '0 1 0 1')), ('a',)),
    Case(urdf_readers.red_links, urdf(visual=ball('visual')), ('a',)),
    Case(urdf_readers.ignored_colors, urdf(visual=painted('a.OBJ') + painted('b.obj')), ('a',), (
        *PLAIN, urdf(visual=painted('a.stl') + mesh('visual', 'a.obj') + ball('visual', '1 0 0 1'))
    )),
    Case(urdf_readers.narrowed_limits, urdf().replace(
        'velocity="1" />', 'velocity="1"/><safety_controller k_velocity="1"/>'), ('j',)),
    Case(urdf_readers.root_inertia, urdf(mass=MASS), ('a',), PLAIN[:1]),
    Case(urdf_readers.floating_joints, urdf(more=joint('floating')), ('k',)),
    Case(urdf_readers.planar_joints, urdf(more=joint('planar')), ('k',)),
    Case(urdf_readers.turned_planes, urdf(more=joint('planar').replace('0 0 1', '1 0 0')), (
        'k',), (*PLAIN, urdf(more=joint('planar')))),
    Case(urdf_readers.no_velocity, urdf(velocity='0'), ('j',)),
    Case(urdf_readers.fixed_mimics, urdf(more=joint('fixed') + FIXED_FOLLOWER), ('l',), (
        *PLAIN, urdf(more=joint('continuous') + FIXED_FOLLOWER))),
    Case(gazebo.foreign_includes, str(ROOT / 'examples' / 'sdf' / 'hrdf_arm.sdf'), ('arm',)),
    Case(gazebo.links_without_inertial, SDF.format(more='<link name="c"/>'), ('c',)),
    Case(gazebo.unfinished_inertials, SDF.format(more="""<link name="c">
        <inertial><mass>3</mass></inertial></link><link name="d">
        <inertial><pose>0 0 1 0 0 0</pose></inertial></link>"""), ('c', 'd'), (*PLAIN, AUTOMATIC)),
    Case(gazebo.meshes, urdf(visual=mesh('visual', 'a.stl')), ('a.stl',)),
    Case(gazebo.welded_joints, SDF.format(more="""<link name="c"/>
        <joint name="k" type="continuous"><parent>a</parent><child>c</child>
        <axis><xyz>0 0 1</xyz></axis></joint>"""), ('k',)),
    Case(gazebo.loops, SDF.format(more="""<joint name="k" type="revolute">
        <parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>"""), ('k',)),
    Case(gazebo.mimics, urdf(more=FOLLOWER), ('k',)),
    Case(gazebo.no_effort, urdf(effort='0'), ('j',)),
    Case(gazebo.no_velocity, urdf(velocity='0'), ('j',)),
    Case(mujoco.meshes, MJCF, ('no_such.stl',)),
)


def reported(text: str, consumer: ConsumerName) -> list[Diagnostic]:
    model = load(text).model
    assert model is not None
    report = Report()
    check_for(model, [consumer], report)
    return list(report)


def of_rule(rule: Rule, text: str, consumer: ConsumerName) -> list[Diagnostic]:
    start = f'{CONSUMERS[consumer].title} {rule.says.partition("{")[0]}'
    return [one for one in reported(text, consumer) if one.message.startswith(start)]


@pytest.mark.parametrize('case', CASES, ids=lambda case: case.rule.find.__name__)
def test_rule_finds_its_items_where_they_are(case: Case) -> None:
    for consumer in case.rule.consumers:
        found = of_rule(case.rule, case.text, consumer)
        assert tuple(one.subjects[0] for one in found) == case.subjects
        assert all(one.resolve() and one.hint == case.rule.cure for one in found)
        assert {one.consumer for one in found} == {consumer}


@pytest.mark.parametrize('case', CASES, ids=lambda case: case.rule.find.__name__)
def test_rule_finds_nothing_in_a_plain_robot(case: Case) -> None:
    for consumer in case.rule.consumers:
        assert not any(of_rule(case.rule, text, consumer) for text in case.plain)


def test_visuals_of_one_color_and_colored_meshes_are_painted_as_they_are() -> None:
    red = ball('visual', '1 0 0 1')
    for visuals in (red + red, red + mesh('visual', 'package://a/a.dae')):
        assert not of_rule(urdf_readers.other_colors, urdf(visual=visuals), 'rviz')


def test_meshes_with_colors_of_their_own_are_not_red() -> None:
    painted = mesh('visual', 'package://a/a.dae')
    assert not of_rule(urdf_readers.red_links, urdf(visual=painted), 'rviz')
    for red in (mesh('visual', 'package://a/a.stl'), painted + ball('visual', '1 0 0 1')):
        assert of_rule(urdf_readers.red_links, urdf(visual=red), 'rviz')


@pytest.mark.parametrize(('lower', 'upper', 'is_narrower'), [
    ('-1', '1', False), ('-2', '2', False), ('-0.9', '1', True), ('-1', '0.9', True)])
def test_soft_limits_count_where_they_are_narrower(
    lower: str, upper: str, is_narrower: bool,
) -> None:
    text = urdf().replace('velocity="1" />', (
        f'velocity="1"/><safety_controller k_velocity="1" soft_lower_limit="{lower}" '
        f'soft_upper_limit="{upper}"/>'))
    assert bool(of_rule(urdf_readers.narrowed_limits, text, 'moveit')) == is_narrower


def test_a_conversion_names_meshes_so_that_they_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An SDFormat file becomes a URDF with file:// URIs, but keeps the names of packages."""
    (tmp_path / 'share' / 'other').mkdir(parents=True)
    monkeypatch.setenv('AMENT_PREFIX_PATH', str(tmp_path))
    (tmp_path / 'a.stl').write_text('solid a\nendsolid a\n')
    shape = '<{0} name="{0}"><geometry><mesh><uri>{1}</uri></mesh></geometry></{0}>'
    for uri, is_found in (('a.stl', True), ('b.stl', False), ('package://p/a.stl', False)):
        file = tmp_path / 'm.sdf'
        file.write_text('<sdf version="1.9"><model name="m"><link name="l">' + ''.join(
            shape.format(tag, uri) for tag in ('visual', 'collision')) + '</link></model></sdf>')
        for rule, consumer in (
                (urdf_readers.visual_meshes, 'rviz'), (urdf_readers.collision_meshes, 'moveit')):
            assert bool(of_rule(rule, str(file), consumer)) != is_found, uri


def test_links_of_a_static_model_get_no_mass() -> None:
    text = SDF.format(more='<link name="c"/>').replace('name="m">', 'name="m"><static>1</static>')
    assert not of_rule(gazebo.links_without_inertial, text, 'gazebo')


def test_every_rule_has_a_case() -> None:
    assert {case.rule for case in CASES} == set(RULES)


@pytest.mark.parametrize('rule', RULES, ids=lambda rule: rule.find.__name__)
def test_every_rule_cites_a_recorded_answer_or_a_file_with_its_version(rule: Rule) -> None:
    program, _, answer = rule.source.partition(' gives this answer: ')
    if answer:
        recorded = json.loads((ROOT / answer).read_text(encoding='utf-8'))
        assert recorded['reference'].split()[-1] == program.split()[-1]
    else:
        assert re.fullmatch(r'\S+ \d+\.\d+\.\d+(-\w+)?', program.partition(',')[0])


def test_installed_meshes_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    share = tmp_path / 'share' / 'arm_description'
    share.mkdir(parents=True)
    (share / 'a.stl').write_text('solid a\nendsolid a\n')
    text = urdf(visual=mesh('visual', 'package://arm_description/a.stl'))
    assert of_rule(urdf_readers.visual_meshes, text, 'rviz')
    monkeypatch.setenv('AMENT_PREFIX_PATH', str(tmp_path))
    assert not of_rule(urdf_readers.visual_meshes, text, 'rviz')


def test_joints_that_begin_outside_of_their_limits_are_named() -> None:
    moved = urdf().replace('lower="-1" upper="1"', 'lower="0.5" upper="1"')
    [found] = [
        one for one in reported(moved, 'mujoco') if one.code == 'position-outside-limits']
    assert found.message == (
        "MuJoCo: MuJoCo pushes joints that begin outside of their limits into these: 'j'")
    assert not [one for one in reported(urdf(), 'mujoco') if one.code == (
        'position-outside-limits')]


def test_losses_of_the_conversion_name_the_consumer() -> None:
    [found] = [one for one in reported(urdf(), 'mujoco') if 'velocity limit' in one.message]
    assert found.consumer == 'mujoco'
    assert found.message == "MuJoCo: MJCF has no place for a velocity limit: 'j'"


def test_a_visual_without_a_color_is_announced_as_gray() -> None:
    text = urdf(visual=ball('visual'))
    found = [one for one in reported(text, 'mujoco') if 'gray' in one.message]
    assert [(one.subjects, one.resolve().line) for one in found] == [(('a',), 2)]
    for plain in (ball('visual', '1 0 0 1'), mesh('visual', 'no_such.stl')):
        assert not any('gray' in one.message for one in reported(urdf(visual=plain), 'mujoco'))


def test_what_other_readers_of_mjcf_do_not_support_is_not_said_of_mujoco() -> None:
    assert not any('Drake' in one.message for one in reported(urdf(more=FOLLOWER), 'mujoco'))


def test_a_mass_that_mujoco_does_not_need_is_announced() -> None:
    welded = ('<link name="c"><inertial><mass value="0"/><inertia ixx="1" iyy="1" izz="1" ixy="0" '
              'ixz="0" iyz="0"/></inertial></link><joint name="w" type="fixed"><parent link="b"/>'
              '<child link="c"/></joint>')
    [found] = [one for one in reported(urdf(more=welded), 'mujoco') if '1e-09' in one.message]
    assert found.message == (
        'MuJoCo: links with moments of inertia and no mass get 1e-09 kg, because Drake ends at '
        "them: 'c'")


def test_meshes_are_announced_by_their_hulls_and_without_colors(tmp_path: Path) -> None:
    """A mesh that MuJoCo reads and nothing else does may have a hollow, and colors."""
    (tmp_path / 'm.msh').write_bytes(b'')
    file = tmp_path / 'r.urdf'
    file.write_text(urdf(visual=mesh('visual', 'm.msh') + mesh('collision', 'm.msh')))
    said = [(one.message.partition(':')[2], one.subjects) for one in reported(
        str(file), 'mujoco') if one.severity == 'info']
    assert (" MuJoCo collides with the convex hulls of meshes: 'm.msh'", ('m.msh',)) in said
    assert (
        " MuJoCo reads no colors from meshes; these visuals are written in gray: 'a'", ('a',)
    ) in said


def test_gazebo_refuses_a_urdf_with_an_inertia_that_no_body_has() -> None:
    """LINK_INERTIA_INVALID, of the inertia after fixed joints have made links parts of others."""
    impossible = ('<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="3" ixy="0" ixz="0" '
                  'iyz="0"/></inertial>')
    [found] = [one for one in reported(urdf(mass=impossible), 'gazebo') if one.code == (
        'inertia-invalid')]
    assert (found.severity, found.message) == (
        'error', "Gazebo: no body can have the inertia of link 'a'")
    mended = urdf(mass=impossible, more=(
        '<link name="c"><inertial><mass value="1"/><inertia ixx="3" iyy="3" izz="1" ixy="0" '
        'ixz="0" iyz="0"/></inertial></link><joint name="w" type="fixed"><parent link="a"/>'
        '<child link="c"/></joint>'))
    assert not [one for one in reported(mended, 'gazebo') if one.code == 'inertia-invalid']


def test_gazebo_refuses_sensors_of_one_name_on_links_that_become_one() -> None:
    """The answer of libsdformat 12.3 is "sensor with name[cam] already exists"."""
    sensors = ''.join(
        f'<gazebo reference="{link}"><sensor name="cam" type="camera"/></gazebo>'
        for link in ('a', 'c'))
    welded = ('<link name="c"/><joint name="w" type="fixed"><parent link="a"/><child link="c"/>'
              '</joint>')
    [found] = [one for one in reported(urdf(mass=MASS, more=welded + sensors), 'gazebo')
               if one.code == 'duplicate-name']
    assert (found.severity, found.message) == ('error', "Gazebo: duplicate <sensor> 'cam'")
    assert found.resolve() is not None


def child(name: str, joint: str, kind: str, *, parent: str = 'b', more: str = '') -> str:
    """Return a link of mass 1 and the joint above it."""
    return (
        f'<link name="{name}">{MASS}</link><joint name="{joint}" type="{kind}"><parent '
        f'link="{parent}"/><child link="{name}"/><axis xyz="0 0 1"/>{more}</joint>')


PRESERVED = '<gazebo reference="k"><preserveFixedJoint>true</preserveFixedJoint></gazebo>'
LIGHT = joint('continuous')  # of a link without mass
NO_TENSOR = '<inertial><mass value="1"/></inertial>'  # urdfdom keeps the mass


@pytest.mark.parametrize(('more', 'code'), [
    (child('c', 'c', 'continuous'), 'duplicate-name'),
    (child('c', 'c', 'fixed'), 'duplicate-name'),
    (child('c', 'a', 'fixed'), 'duplicate-name'),
    (child('k', 'k', 'fixed') + PRESERVED, 'duplicate-name'),
    (child('c', 'k', 'fixed') + child('d', 'c', 'continuous'), 'duplicate-name'),
    (child('c', 'k', 'continuous', more='<mimic joint="x"/>'), 'mimic-invalid'),
    (child('c', 'k', 'continuous', more='<mimic joint="k"/>'), 'mimic-invalid'),
    (child('c', 'k', 'fixed')
     + child('d', 'l', 'continuous', more='<mimic joint="k"/>'), 'mimic-invalid'),
    (LIGHT + child('d', 'l', 'continuous', more='<mimic joint="k"/>'), 'mimic-invalid'),
    (child('c', 'k', 'planar'), 'sdf-relative-to-unknown'),
    (LIGHT + child('d', 'l', 'fixed', parent='c').replace(MASS, ''), 'sdf-attached-to-unknown'),
    (child('c', 'k', 'continuous').replace('0 0 1', '0 0 0'), 'axis-zero'),
])
def test_gazebo_refuses_a_urdf_that_libsdformat_refuses_when_it_is_converted(
    more: str, code: str,
) -> None:
    """The answers are those of libsdformat 17.0.0-pre1; 12.3.0 gives some of them."""
    errors = [one for one in reported(urdf(mass=MASS, more=more), 'gazebo')
              if one.severity == 'error']
    assert code in {one.code for one in errors}
    for error in errors:
        at = error.resolve()
        assert at is not None and at.line is not None and error.consumer == 'gazebo'


def test_the_hint_of_a_dropped_joint_says_that_gazebo_refuses_the_urdf() -> None:
    [dropped] = [
        one for one in reported(urdf(mass=MASS, more=child('c', 'k', 'floating')), 'gazebo')
        if 'has no floating joint' in one.message]
    assert dropped.hint is not None and 'refuses the file' in dropped.hint


@pytest.mark.parametrize('more', [
    LIGHT.replace('"k"', '"c"'),
    child('c', 'k', 'fixed') + PRESERVED
    + child('d', 'l', 'continuous', more='<mimic joint="k"/>'),
    child('c', 'k', 'continuous', more='<mimic joint="l"/>')
    + child('d', 'l', 'continuous', more='<mimic joint="k"/>'),
    child('c', 'k', 'fixed', more='<mimic joint="x"/>'),
    child('c', 'k', 'continuous', more='<mimic joint="l"/>').replace(MASS, NO_TENSOR)
    + child('d', 'l', 'continuous'),
])
def test_gazebo_takes_a_urdf_that_libsdformat_takes_when_it_is_converted(more: str) -> None:
    """The answers are those of libsdformat 17.0.0-pre1."""
    assert not [one for one in reported(urdf(mass=MASS, more=more), 'gazebo')
                if one.severity == 'error']


def test_gazebo_refuses_a_urdf_of_which_libsdformat_keeps_no_link() -> None:
    """The root has no mass, and libsdformat drops it with all that is below a moving joint."""
    [found] = [
        one for one in reported(urdf(), 'gazebo') if one.code == 'sdf-model-without-link']
    assert (found.severity, found.message) == ('error', "Gazebo: model 'r' keeps no link")
    static = '<gazebo><static>true</static></gazebo>'
    for kept in (urdf(mass=MASS), urdf().replace('"a"', '"world"'), urdf(more=static)):
        assert not any(
            one.code == 'sdf-model-without-link' for one in reported(kept, 'gazebo'))


def test_gazebo_gets_a_urdf_as_libsdformat_converts_it() -> None:
    text = urdf(mass=MASS, more=joint('continuous'))
    [found] = [one for one in reported(text, 'gazebo') if one.code == 'sdf-urdf-link-dropped']
    assert found.message.startswith("Gazebo: the link 'c' has no mass")


@pytest.mark.parametrize('name', CONSUMERS)
def test_a_description_that_a_consumer_reads_is_not_converted(name: ConsumerName) -> None:
    texts = {'mujoco': '<mujoco><worldbody><body><geom size="1"/></body></worldbody></mujoco>',
             'gazebo': PLAIN[1]}
    assert [one.code for one in reported(texts.get(name, PLAIN[0]), name)] == []
