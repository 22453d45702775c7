# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Reading URDF: what each element becomes, and the way out again."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Optional

from helpers.loading import model_of
from hrdf_ros import load, load_model, write_urdf
from hrdf_ros.diff import diff_models
from hrdf_ros.load_result import LoadResult
from hrdf_ros.model import (
    Box,
    Capsule,
    Coordinate,
    Cylinder,
    Joint,
    Material,
    Mesh,
    Motion,
    Sphere,
)
from hrdf_ros.pose import Pose
import pytest

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
LINKS = '<link name="a"/><link name="b"/>'
ENDS = '<parent link="a"/><child link="b"/>'
LIMIT = '<limit effort="1" velocity="2"/>'


def read(inside: str, attributes: str = '', **options: Any) -> LoadResult:
    return load(f'<robot name="r" {attributes}>{inside}</robot>', format='urdf', **options)


def joint(kind: str, inside: str = '') -> LoadResult:
    return read(f'{LINKS}<joint name="j" type="{kind}">{ENDS}{inside}</joint>')


def only_joint(kind: str, inside: str = '') -> Joint:
    return model_of(joint(kind, inside)).joints[0]


def codes(loaded: LoadResult) -> list[str]:
    return [found.code for found in loaded.report]


# ---- joints

@pytest.mark.parametrize(('kind', 'inside', 'coordinate', 'motion'), [
    ('revolute', '<limit lower="-1" upper="2" effort="3" velocity="4"/>',
     Coordinate('j', 'angle', -1.0, 2.0, 4.0, 3.0), Motion('revolute', X, (0,))),
    ('continuous', '<axis xyz="0 0 1"/>',
     Coordinate('j', 'angle'), Motion('revolute', Z, (0,))),
    ('prismatic', LIMIT + '<dynamics damping="0.5" friction="0.25"/>',
     Coordinate('j', 'length', 0.0, 0.0, 2.0, 1.0, damping=0.5, friction=0.25),
     Motion('prismatic', X, (0,))),
])
def test_single_axis_joint(
    kind: str, inside: str, coordinate: Coordinate, motion: Motion,
) -> None:
    model = model_of(joint(kind, inside))
    assert model.coordinates[0]._replace(location=None) == coordinate
    assert model.joints[0].motions == (motion,)
    assert model.joints[0].type == kind
    assert model.root == 'a'


@pytest.mark.parametrize(('kind', 'inside', 'names', 'motions'), [
    *(('planar', f'<axis xyz="{axis}"/>', ['j_x', 'j_y', 'j_rot'], [
        ('prismatic', slides[0], (0,)), ('prismatic', slides[1], (1,)), ('revolute', turn, (2,))])
      for axis, slides, turn in (
          ('0 0 1', (X, Y), Z), ('1 0 0', (Y, Z), X), ('0 1 0', (Z, X), Y),
          ('0 0 -1', (X, (0., -1., 0.)), (0., 0., -1.)))),
    ('floating', '', ['j_rot_x', 'j_rot_y', 'j_rot_z', 'j_pos_x', 'j_pos_y', 'j_pos_z'], [
        ('prismatic', X, (3,)), ('prismatic', Y, (4,)), ('prismatic', Z, (5,)),
        ('rotation_vector', X, (0, 1, 2))])])
def test_joint_of_several_axes(
    kind: str, inside: str, names: list[str], motions: list[Any],
) -> None:
    model = model_of(joint(kind, inside))
    assert [item.name for item in model.coordinates] == names
    assert [motion[:3] for motion in model.joints[0].motions] == motions


def test_quaternion_origin() -> None:
    found = model_of(read(
        f'{LINKS}<joint name="j" type="fixed">{ENDS}<origin quat_xyzw="0 0 2 2"/></joint>',
        'version="1.1"'))
    half = 0.5 ** 0.5
    assert found.joints[0].parent_from_joint == pytest.approx(Pose(0, 0, 0, 0, 0, half, half))
    assert found.version == '1.1'


@pytest.mark.parametrize('origin', [
    '<origin quat_xyzw="0 0 0 0"/>', '<origin rpy="0 0 0" quat_xyzw="0 0 0 1"/>'])
def test_quaternion_that_is_none(origin: str) -> None:
    loaded = read(
        f'{LINKS}<joint name="j" type="fixed">{ENDS}{origin}</joint>', 'version="1.2"')
    assert 'bad-value' in codes(loaded)
    assert not loaded.report.ok


def test_joint_names_rename_coordinates() -> None:
    model = model_of(read(
        f'{LINKS}<joint name="j" type="continuous">{ENDS}</joint>',
        joint_names=('elbow',)))
    assert model.coordinates[0].name == 'elbow'
    assert '<joint name="elbow"' in write_urdf(model)[0]


# ---- links

@pytest.mark.parametrize(('text', 'geometry'), [
    ('<box size="1 2 3"/>', Box((1.0, 2.0, 3.0))),
    ('<sphere radius="1"/>', Sphere(1.0)),
    ('<cylinder radius="1" length="2"/>', Cylinder(1.0, 2.0)),
    ('<capsule radius="1" length="2"/>', Capsule(1.0, 2.0)),
    ('<mesh filename="package://p/m.stl" scale="1 2 3"/>',
     Mesh('package://p/m.stl', None, (1.0, 2.0, 3.0))),
])
def test_shapes(text: str, geometry: Any) -> None:
    body = model_of(read(
        f'<link name="a"><visual name="v"><geometry>{text}</geometry></visual><collision>'
        f'<geometry>{text}</geometry></collision></link>', 'version="1.2"')).bodies[0]
    assert [shape.geometry for shape in (*body.visuals, *body.collisions)] == [geometry] * 2
    assert body.visuals[0].name == 'v'


def test_the_first_definition_of_a_material_holds() -> None:
    ball = '<geometry><sphere radius="1"/></geometry>'
    loaded = read(
        f'<link name="a"><visual>{ball}<material name="m"><color rgba="1 0 0 1"/></material>'
        f'</visual></link><link name="b"><visual>{ball}<material name="m"/></visual></link>'
        f'<link name="c"><visual>{ball}<material name="n"/></visual></link>'
        '<material name="n"><texture filename="t.png"/></material>'
        '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>'
        '<joint name="k" type="fixed"><parent link="a"/><child link="c"/></joint>')
    red = Material('m', (1.0, 0.0, 0.0, 1.0))
    assert [body.visuals[0].material for body in model_of(loaded).bodies] == [
        red, red, Material('n', texture='t.png')]
    assert codes(loaded) == ['texture-not-found']


# ---- diagnostics

@pytest.mark.parametrize(('inside', 'hint'), [
    ('<lnik name="x"/>', "did you mean 'link'?"),
    (f'<link name="b"/><joint name="j" type="fixed">{ENDS}<orign/></joint>',
     "did you mean 'origin'?"),
    ('<link name="b"/><joint name="j" type="fixd"><parent link="a"/></joint>',
     "did you mean 'fixed'?"),
    ('<link name="hand"/><joint name="j" type="fixed"><parent link="a"/><child link="hnd"/>'
     '</joint>', "did you mean 'hand'?"),
])
def test_typos_are_understood(inside: str, hint: str) -> None:
    loaded = read('<link name="a"/>' + inside)
    assert hint in [found.hint for found in loaded.report]


def test_a_joint_needs_the_name_of_a_link() -> None:
    loaded = read(f'<link name=""/>{LINKS}<joint name="j" type="fixed"><parent link=""/>'
                  '<child link="b"/></joint>')
    assert loaded.report.first_error is not None
    assert loaded.report.first_error.message == "<parent> attribute 'link' is empty"


# ---- the way out again

ALL = """<robot name="all" version="1.2">
  <material name="red"><color rgba="1 0 0 0.5"/></material>
  <link name="base"><foreign x="1"/></link>
  <link name="arm">
    <inertial>
      <origin xyz="0.1 0.2 0.3" rpy="0.4 -0.5 3"/>
      <mass value="1.5"/>
      <inertia ixx="0.3" ixy="0.01" ixz="0.02" iyy="0.4" iyz="0.03" izz="0.5"/>
    </inertial>
    <visual name="v">
      <origin quat_xyzw="0.1 0.2 0.3 0.4"/>
      <geometry><capsule radius="0.1" length="0.3"/></geometry>
      <material name="red"/>
    </visual>
    <collision><geometry><mesh filename="https://example.com/a.dae" scale="1 2 3"/></geometry>
    </collision>
  </link>
  <link name="hand"/><link name="finger"/><link name="cart"/><link name="drone"/><link name="eye"/>
  <joint name="shoulder" type="revolute">
    <origin xyz="1 2 3" rpy="1.5707963267948966 1.5707963267948966 0"/>
    <parent link="base"/><child link="arm"/>
    <axis xyz="0.36 0.48 0.8"/>
    <limit lower="-1" upper="2" effort="0" velocity="0.1"/>
    <dynamics damping="0.5" friction="0.1"/>
    <safety_controller k_velocity="10" soft_lower_limit="-0.9"/>
    <calibration rising="0.1"/>
  </joint>
  <joint name="wrist" type="continuous"><parent link="arm"/><child link="hand"/>
    <mimic joint="shoulder" multiplier="-0.5" offset="0.25"/></joint>
  <joint name="grip" type="prismatic"><parent link="hand"/><child link="finger"/>
    <limit lower="0" upper="0.1" effort="10" velocity="1"/><mimic joint="wrist"/></joint>
  <joint name="ground" type="planar"><origin rpy="0 0 1"/><parent link="base"/><child link="cart"/>
    <axis xyz="0 0.6 0.8"/><limit effort="1" velocity="2"/></joint>
  <joint name="air" type="floating"><origin xyz="1 0 0"/>
    <parent link="base"/><child link="drone"/></joint>
  <joint name="glue" type="fixed"><origin xyz="0 1 0"/><parent link="hand"/><child link="eye"/>
  </joint>
  <transmission name="t"><type>x</type></transmission>
  <gazebo reference="arm"><sensor:camera xmlns:sensor="s" a='1'/></gazebo>
  <ros2_control name="c" type="system"/>
</robot>
"""


def test_round_trip_through_a_new_text() -> None:
    model = load_model(ALL, format='urdf')
    text, report = write_urdf(model._replace(source=None), version='1.2')
    again = load_model(text, format='urdf')
    assert text != ALL
    assert report.ok
    assert diff_models(model, again, tolerance=1e-12) == []


@pytest.mark.parametrize('change', [
    lambda text: '\ufeff' + text, lambda text: text.replace('\n', '\r\n'), str.rstrip,
    lambda text: '\n<!-- \u00e9 -->' + text])
def test_bytes_of_a_file_go_out_as_they_came(tmp_path: Path, change: Any) -> None:
    file = tmp_path / 'r.urdf'
    file.write_bytes(change(ALL).encode())
    assert write_urdf(load_model(file))[0].encode() == change(ALL).encode()


def test_text_in_another_encoding_is_written_anew(tmp_path: Path) -> None:
    file = tmp_path / 'r.urdf'
    file.write_bytes('<?xml version="1.0" encoding="latin-1"?><robot name="é"><link name="a"/>'
                     '</robot>'.encode('latin-1'))
    loaded = load(file)
    assert [found.code for found in loaded.report] == ['detail-not-preserved']
    text, _ = write_urdf(model_of(loaded))
    assert text == '<?xml version="1.0"?>\n<robot name="é">\n  <link name="a"/>\n</robot>\n'


# ---- what exporters always write

def found_in(loaded: LoadResult) -> list[tuple[str, str, str]]:
    return [(found.severity, found.code, found.message) for found in loaded.report]


@pytest.mark.parametrize(('inside', 'what'), [
    ('<link name="a"><contact><lateral_friction value="1"/></contact></link>',
     '<contact> in <link>'),
    ('<link name="a"><visual><geometry name="g"><sphere radius="1"/></geometry></visual></link>',
     "attribute 'name' of <geometry>"),
    ('<link name="a"/><frame name="f" link="a"/>', '<frame> in <robot>'),
    ('<link name="a"><visual><geometry><sphere radius="1"/></geometry><material name="m"/>'
     '<material name="n"><color/></material></visual></link><material name="m"><color '
     'rgba="1 0 0 1"/></material>', 'a second <material> in <visual>'),
])
def test_what_other_programs_read_is_information(inside: str, what: str) -> None:
    assert found_in(read(inside)) == [
        ('info', 'no-effect', f'{what} has no effect: urdfdom does not read it')]


def test_other_programs_elements_are_not_suggested() -> None:
    [found] = read('<link name="a"><contac/></link>').report
    assert (found.severity, found.code, found.hint) == ('warning', 'unknown-element', None)


def test_limits_of_fixed_joints_are_said_once_a_file() -> None:
    loaded = read(
        '<link name="a"/><link name="b"/><link name="c"/>'
        + ''.join(
            f'<joint name="to_{child}" type="fixed"><parent link="a"/><child link="{child}"/>'
            '<limit effort="1" velocity="1"/><dynamics damping="1"/></joint>' for child in 'bc'))
    assert found_in(loaded) == [
        ('info', 'no-effect', f"<{tag}> has no effect in a fixed joint: 'to_b', 'to_c'")
        for tag in ('limit', 'dynamics')]


@pytest.mark.parametrize(('kind', 'inside', 'severity', 'message'), [
    ('fixed', '<mimic joint="k"/>', 'warning', '<mimic> has no effect in a fixed joint'),
    ('floating', LIMIT, 'warning', '<limit> has no effect in a floating joint'),
    ('continuous', '<limit lower="-1" upper="1" effort="1" velocity="1"/>', 'warning',
     'a continuous joint has no position limits; ignored'),
    ('continuous', '<limit lower="-3.14" upper="3.14" effort="1" velocity="1"/>', 'info',
     "position limits of a full turn have no effect in a continuous joint: 'j'")])
def test_what_has_no_effect_in_a_joint(
    kind: str, inside: str, severity: str, message: str,
) -> None:
    assert found_in(joint(kind, inside)) == [(severity, 'no-effect', message)]


def meshes(*uris: str) -> str:
    return '<robot name="r"><link name="a">' + ''.join(
        f'<visual><geometry><mesh filename="{uri}"/></geometry></visual>' for uri in uris
    ) + '</link></robot>'


def test_a_mesh_relative_to_a_directory_above_is_information(tmp_path: Path) -> None:
    above = tmp_path / 'my robots'
    file = above / 'arm' / 'arm.urdf'
    (above / 'meshes').mkdir(parents=True)
    file.parent.mkdir()
    (above / 'meshes' / 'a.stl').touch()
    (above / 'meshes' / 'b.stl').touch()
    for names, expected in (
            ('a', ['info']), ('c', ['warning']), ('ac', ['info', 'warning']), ('ab', ['info'])):
        file.write_text(meshes(*(f'meshes/{name}.stl' for name in names)))
        found = load(file).report.diagnostics
        assert [one.severity for one in found] == expected
        assert found[0].hint == (
            '--path DIR and --package NAME=DIR say where to look' if names == 'c' else
            f"--path '{above}' says where to look")
    assert f"2 mesh files are only found relative to '{above}'" in found[0].message
    assert load(file, path=[str(above)]).report.diagnostics == []


@pytest.mark.parametrize(('known', 'named', 'severity', 'hint'), [
    ('arm_description', 'hand', 'warning', '--package hand=DIR says where the package is'),
    ('arm_description', 'arm_descripton', 'warning',
     "did you mean the package 'arm_description'?"),
    ('arm_description', 'arm_description', 'warning', None),
    ('arm_description', '', 'warning', 'write package://NAME/...'),
    ('sr_description', 'ur_description', 'warning',
     '--package ur_description=DIR says where the package is')])
def test_a_package_that_is_not_found(
    known: str, named: str, severity: str, hint: Optional[str], tmp_path: Path,
) -> None:
    (tmp_path / 'package.xml').write_text(f'<package><name>{known}</name></package>')
    (tmp_path / 'arm.urdf').write_text(meshes(*(f'package://{named}/{file}.stl' for file in 'ab')))
    [found, *_] = load(tmp_path / 'arm.urdf').report
    assert (found.severity, found.hint) == (severity, hint)


def test_a_faulty_color_has_no_consequences() -> None:
    visual = ('<visual><geometry><sphere radius="1"/></geometry><material name="steel"/>'
              '</visual>')
    loaded = read('<material name="steel"><color rgba="1 0 0"/></material>'
                  f'<link name="a">{visual}{visual}</link>')
    assert [one[:2] for one in found_in(loaded)] == [('warning', 'bad-value')]
    empty = read(f'<material name="steel"/><link name="a">{visual}{visual}</link>')
    assert found_in(empty) == [
        ('warning', 'missing-element', "the material 'steel' has no color and no texture")]


@pytest.mark.parametrize('inside', [
    '<joint name="j" type="fixed"><origin xyz="0,0,1"/>{}</joint>',
    '<joint name="j" type="fixed"><origin xyz="0 0 0,1"/>{}</joint>'])
def test_commas_in_numbers(inside: str) -> None:
    [found] = read(LINKS + inside.format(ENDS)).report
    assert found.hint == 'numbers have a decimal point and spaces between them, no commas'


VISUAL = '<visual><geometry>{}</geometry></visual>'
COLLISION = '<collision><geometry>{}</geometry></collision>'
BOX = '<box size="1 1 1"/>'
BAD = '<mesh filename="m.stl" scale="1 x 1"/>'


@pytest.mark.parametrize(('bad', 'kept', 'consequence'), [
    ('<inertial><mass value="1"/></inertial>', (2, 1), 'ignores all shapes of the link'),
    (VISUAL.format(BAD), (2, 1), 'the visuals after it and all collisions of the link'),
    (COLLISION.format(BAD), (2, 1), 'the collisions after it'),
    (VISUAL.format(BOX + '</geometry><material/><geometry>'), (2, 1), 'visuals after it'),
    (VISUAL.format('<capsule radius="1" length="2"/>'), (3, 1), None)])
def test_the_rest_of_a_link_with_a_faulty_part_is_kept(
        bad: str, kept: tuple[int, int], consequence: str | None) -> None:
    loaded = load(
        f'<robot name="r"><link name="a">{bad}{2 * VISUAL.format(BOX)}{COLLISION.format(BOX)}'
        '</link></robot>')
    assert loaded.model is not None
    [body] = loaded.model.bodies
    assert (len(body.visuals), len(body.collisions)) == kept
    found = [one for one in loaded.report if one.code != 'mesh-not-found']
    if consequence is None:
        assert 'urdfdom ignores it and all shapes of the link after it' in (found[0].hint or '')
    else:
        assert consequence in found[0].message
    assert found[0].severity == 'warning'


def test_each_material_with_an_empty_name_is_its_own() -> None:
    ball = '<geometry><sphere radius="1"/></geometry>'
    loaded = read(''.join(
        f'<link name="{name}"><visual>{ball}<material name=""><color rgba="{rgba}"/></material>'
        '</visual></link>' for name, rgba in (('a', '1 0 0 1'), ('b', '0 1 0 1'))) +
        '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>')
    assert 'urdf-material-redefined' not in {found.code for found in loaded.report}
    materials = [body.visuals[0].material for body in model_of(loaded).bodies]
    assert [material and material.diffuse for material in materials] == [
        (1.0, 0.0, 0.0, 1.0), (0.0, 1.0, 0.0, 1.0)]


def test_prefixed_elements_belong_to_others_everywhere() -> None:
    shape = '<geometry><sphere radius="1"/><drake:convex/></geometry>'
    text = f'<link name="a"><drake:x/><collision>{shape}<drake:y><z/></drake:y></collision></link>'
    assert codes(read(text, 'xmlns:drake="d"')) == []


def test_what_other_programs_read_is_said_once_a_file() -> None:
    links = ''.join(
        f'<link name="{name}"><contact/><collision><geometry><sphere radius="1"/></geometry>'
        '<material name="m"/><material name="m"/></collision></link>' for name in 'ab')
    loaded = read(f'{links}<joint name="j" type="fixed">{ENDS}</joint>')
    assert found_in(loaded) == [
        ('info', 'no-effect', f'{what} has no effect: urdfdom does not read it ({count} times in '
         'this file)') for what, count in (('<contact> in <link>', 2),
                                          ('<material> in <collision>', 4))]
    assert [str(found.resolve()) for found in loaded.report] == ['<text>:1:33', '<text>:1:95']
