# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Writing URDF: what each part of a Model becomes, and what is said about what it cannot say."""

from __future__ import annotations

import math
from pathlib import Path
import pickle
from typing import Any

from helpers.urdf_writing import attributes, codes, joints, message, written
from hrdf_ros import load_model, write_urdf
from hrdf_ros.diff import diff_models
from hrdf_ros.document import SourceFile
from hrdf_ros.inertia import Inertia
from hrdf_ros.model import (
    Body,
    Box,
    Constraint,
    Coordinate,
    Cylinder,
    Frame,
    Joint,
    Material,
    Mesh,
    Mimic,
    Model,
    Motion,
    RawElement,
    Shape,
    Sphere,
)
from hrdf_ros.pose import from_axis_angle, translation
import pytest

Z = (0.0, 0.0, 1.0)
TURN, SLIDE = Motion('revolute', Z, (0,)), Motion('prismatic', Z, (0,))
A, B, C = (Body(name, name) for name in 'abc')


def one_joint(
    *motions: Motion, coordinates: tuple[Coordinate, ...] = (), **joint: Any,
) -> Model:
    """Return two bodies and a joint between them, from no format in particular."""
    found = coordinates or (Coordinate('q', 'angle', -1.0, 2.0, 3.0, 4.0),)
    given = {'name': 'j', 'source_name': 'j', 'type': 't', 'parent': 0, 'child': 1, **joint}
    above = (Joint(**given, motions=motions),)
    return Model('arm', 'sdf', '1.12', '__root__', (A, B), above, found)


def with_c(model: Model, joint: Joint) -> Model:
    """Return a Model with a third body on another joint."""
    return model._replace(bodies=(*model.bodies, C), joints=(*model.joints, joint))


# ---- the whole text

def test_text_is_exact_and_in_document_order() -> None:
    model = one_joint(
        Motion('revolute', Z, (0,)), name='q', parent_from_joint=translation(0.1, 1e-17, -0.0))
    model = model._replace(bodies=(
        model.bodies[0], model.bodies[1]._replace(
            inertia=Inertia(0.1 + 0.2, translation(0.0, 0.0, 1 / 3), 1.0, 2.0, 3.0, 4.0))))
    text, report = write_urdf(model)
    assert text == """<?xml version="1.0"?>
<robot name="arm">
  <link name="a"/>
  <link name="b">
    <inertial>
      <origin xyz="0.0 0.0 0.3333333333333333" rpy="0.0 0.0 0.0"/>
      <mass value="0.30000000000000004"/>
      <inertia ixx="1.0" ixy="4.0" ixz="0.0" iyy="2.0" iyz="0.0" izz="3.0"/>
    </inertial>
  </link>
  <joint name="q" type="revolute">
    <origin xyz="0.1 1e-17 0.0" rpy="0.0 0.0 0.0"/>
    <parent link="a"/>
    <child link="b"/>
    <axis xyz="0.0 0.0 1.0"/>
    <limit lower="-1.0" upper="2.0" effort="4.0" velocity="3.0"/>
  </joint>
</robot>
"""
    assert not report.diagnostics


# ---- joints and roots

# ---- joints

@pytest.mark.parametrize('kind', ['revolute', 'prismatic'])
def test_a_child_frame_along_the_axis_is_folded(kind: Any) -> None:
    of = 'angle' if kind == 'revolute' else 'length'
    root, report = written(one_joint(
        Motion(kind, Z, (0,)), name='q', coordinates=(Coordinate('q', of, -1.0, 1.0, 1.0, 1.0),),
        child_from_joint=from_axis_angle((1.0, 0.0, 0.0), math.pi)._replace(z=0.5)))
    assert joints(root) == {'q': f'{kind} a b'}
    assert [round(float(n), 9) for n in attributes(root, 'joint/axis')['xyz'].split()] == [
        0.0, 0.0, -1.0]
    assert not report.diagnostics


def test_a_ratio_is_a_mimic_of_the_coordinate() -> None:
    root, _ = written(one_joint(Motion('revolute', Z, (0,), -2.0, 0.5)))
    assert joints(root) == {'q': 'revolute a q/coordinate', 'q/turn': 'revolute a b'}
    assert attributes(root, "joint[@name='q/turn']/mimic") == {
        'joint': 'q', 'multiplier': '-2.0', 'offset': '0.5'}
    assert attributes(root, "joint[@name='q/turn']/limit") == {
        'lower': '-3.5', 'upper': '2.5', 'effort': '2.0', 'velocity': '6.0'}


@pytest.mark.parametrize('motions, given, expected, text', [
    ([], {'child_from_joint': translation(0.0, 2.0, 0.0)}, {'j': 'fixed a b'},
     '<origin xyz="0.0 -2.0 0.0"'),
    ([Motion('revolute', Z, (0,), -1.0)], {}, {'q': 'revolute a b'}, '<axis xyz="0.0 0.0 -1.0"/>'),
    ([Motion('screw', Z, (0,), 0.01)], {},
     {'q': 'revolute a j/link_1', 'q/slide': 'prismatic j/link_1 b'}, 'multiplier="0.01"'),
    ([Motion('revolute', Z, (0,)), Motion('revolute', (1.0, 0.0, 0.0), (1,))],
     {'coordinates': (Coordinate('j_1', 'angle', damping=0.5), Coordinate('j_2', 'angle'))},
     {'j_1': 'continuous a j/link_1', 'j_2': 'continuous j/link_1 b'},
     '<dynamics damping="0.5" friction="0.0"/>'),
    ([SLIDE], {'coordinates': (Coordinate('q', 'length'),)},
     {'q': 'prismatic a b'}, 'lower="-1000.0"')])
def test_motions_are_joints_of_one_axis(
    motions: list[Motion], given: dict[str, Any], expected: dict[str, str], text: str,
) -> None:
    model = one_joint(*motions, **given)
    assert joints(written(model)[0]) == expected
    assert text in write_urdf(model)[0]


BALL = one_joint(
    Motion('rotation_vector', Z, (0, 1, 2)),
    coordinates=tuple(Coordinate(name, 'angle') for name in ('j_x', 'j_y', 'j_z')))
RING = Model('m', 'sdf', '', '', (A, B, C), tuple(
    Joint(name, name, 'revolute', parent, child, motions=(Motion('revolute', Z, (index,)),))
    for index, (name, parent, child) in enumerate((('x', 0, 1), ('y', 1, 2), ('z', 2, 0)))), (
        Coordinate('q', 'angle', mimic=Mimic(2)), Coordinate('r', 'angle'),
        Coordinate('s', 'angle')))
MOVED = Body('b', 'b', pose=translation(1.0, 0.0, 0.0))


@pytest.mark.pins(
    'link-added', 'joint-floating', 'joint-expanded', 'joint-reversed', 'loop-not-representable',
    'mimic-not-representable', 'root-added', 'root-pose-not-representable')
@pytest.mark.parametrize(('model', 'options', 'expected', 'said'), [
    (one_joint(TURN, child_from_joint=translation(0.1, 0.0, 0.0)), {},
     {'q': 'revolute a j/link_1', 'j/child': 'fixed j/link_1 b'}, {'link-added': "'j/link_1'"}),
    (BALL, {}, {'j': 'floating a b'},
     {'joint-floating': '', 'name-changed': "named after the joint: 'j_x', 'j_y', 'j_z'"}),
    (BALL, {'expand_ball': True}, {
        'j/rot_x': 'continuous a j/link_1', 'j/rot_y': 'continuous j/link_1 j/link_2',
        'j/rot_z': 'continuous j/link_2 b'}, {'joint-expanded': ''}),
    (with_c(one_joint(TURN), Joint('k', 'k', 'fixed', 2, 1)), {},
     {'q': 'revolute a b', 'k': 'fixed b c'}, {'joint-reversed': "'k'"}),
    (RING, {}, {'q': 'continuous a b', 'r': 'continuous b c'},
     {'loop-not-representable': "'z'", 'mimic-not-representable': "'q'"}),
    (with_c(one_joint(TURN), Joint('q', 'q', 'fixed', 1, 2)), {},
     {'q': 'revolute a b', 'q_joint': 'fixed b c'}, {'name-changed': ''}),
    (Model('m', 'sdf', '', 'world', (A, MOVED), is_world=True), {},
     {'world/a': 'fixed world a', 'world/b': 'fixed world b'}, {'root-added': ''}),
    (Model('m', 'sdf', '', '__root__', (MOVED,)), {}, {}, {'root-pose-not-representable': ''})])
def test_joints_and_what_is_said_of_them(
    model: Model, options: dict[str, Any], expected: dict[str, str], said: dict[str, str],
) -> None:
    root, report = written(model, **options)
    assert joints(root) == expected
    for code, text in said.items():
        assert text in message(report, code)


def test_a_ratio_of_a_coordinate_whose_leader_is_left_out_stays() -> None:
    x, *others = RING.joints
    doubled = x._replace(motions=(Motion('revolute', Z, (0,), 2.0),))
    root, _ = written(RING._replace(joints=(doubled, *others)))
    assert attributes(root, "joint[@name='q/turn']/mimic")['joint'] == 'q'
    assert written(RING)[0].find('joint/mimic') is None
    root, _ = written(Model('m', 'sdf', '', 'world', (A, MOVED), is_world=True))
    assert attributes(root, "joint[@name='world/b']/origin")['xyz'] == '1.0 0.0 0.0'


@pytest.mark.pins('limit-default-used')
@pytest.mark.parametrize(('limits', 'expected'), [
    ((-1.0, math.inf, 1.0, 1.0), ('-1.0', '1000.0', '1.0', '1.0')),
    ((-math.inf, 2000.0, 1.0, 1.0), ('-1000.0', '2000.0', '1.0', '1.0')),
    ((5000.0, math.inf, 1.0, 1.0), ('5000.0', '5000.0', '1.0', '1.0')),
    ((-1.0, 1.0, math.inf, math.nan), ('-1.0', '1.0', '1000.0', '100.0')),
    ((math.nan, 1.0, 1.0, 1.0), ('-1000.0', '1.0', '1.0', '1.0')),
])
def test_a_limit_is_always_a_number(
    limits: tuple[float, ...], expected: tuple[str, ...],
) -> None:
    root, report = written(one_joint(
        TURN, name='q', coordinates=(Coordinate('q', 'angle', *limits),)))
    assert tuple(attributes(root, 'joint/limit').values()) == expected
    assert set(codes(report)) == {'limit-default-used'}


# ---- what URDF has no place for

@pytest.mark.pins(
    'constraint-not-representable', 'detail-not-representable', 'extension-not-representable',
    'frame-not-representable')
def test_what_is_left_out_is_said() -> None:
    model = one_joint(TURN, name='q', actuator='servo', coordinates=(
        Coordinate('q', 'angle', initial_position=0.5, spring_stiffness=1.0),))
    _, report = written(model._replace(
        constraints=(Constraint('g', 'gearbox', (0,), (0, 1)),),
        frames=(Frame('tool', '', 'frame', 1),),
        extensions=(RawElement('plugin', '<plugin/>', held_by=('sdf', 'gazebo')),)))
    assert set(codes(report)) == {
        'constraint-not-representable', 'detail-not-representable', 'extension-not-representable',
        'frame-not-representable'}
    assert codes(report).count('detail-not-representable') == 3


SURFACE = ('<sdf version="1.12"><model name="m"><link name="a"><collision name="c"><geometry>'
           '<empty/></geometry><surface/></collision></link></model></sdf>')


@pytest.mark.parametrize(('text', 'gazebo', 'said'), [
    ('<sdf version="1.12"><model name="m"><link name="a"><inertial><mass>inf</mass></inertial>'
     '<visual name="v"><geometry><sphere><radius>inf</radius></sphere></geometry></visual>'
     '</link><link name="b"/><joint name="j" type="revolute"><parent>a</parent><child>b</child>'
     '<axis><dynamics><damping>inf</damping></dynamics></axis></joint></model></sdf>', False,
     ('a: inertia', 'j: dynamics', 'geometry-not-representable')),
    ('<robot version="1.6.0"><joint axis="rz"/></robot>', False,
     ('frame-not-representable', "'joint_1'")),  # a frame that is a link is not left out
    (SURFACE, False, ('a/c: surface',)), (SURFACE, True, ('a/c: surface',))])
def test_what_a_file_loses_is_said(text: str, gazebo: bool, said: tuple[str, ...]) -> None:
    written, report = write_urdf(load_model(text), gazebo=gazebo)
    messages = ' '.join(f'{found.code} {found.message}' for found in report)
    assert all(each in messages for each in said)
    assert 'inf"' not in written and 'output' not in messages


def test_gazebo_blocks() -> None:
    model = one_joint(TURN, name='q', coordinates=(
        Coordinate('q', 'angle', spring_stiffness=2.0, spring_reference=0.5),))
    sensor = RawElement('sensor', '<sensor name="s"/>', held_by=('sdf', 'gazebo'))
    model = model._replace(static=True, bodies=(
        model.bodies[0]._replace(extensions=(sensor,)), model.bodies[1]))
    root, report = written(model, gazebo=True)
    blocks = root.findall('gazebo')
    assert [block.attrib for block in blocks] == [{}, {'reference': 'a'}, {'reference': 'q'}]
    assert blocks[0].findtext('static') == 'true'
    assert attributes(blocks[1], 'sensor') == {'name': 's'}
    assert blocks[2].findtext('springStiffness') == '2.0'
    assert not report.diagnostics


# ---- the order of visuals

def test_the_first_visual_is_the_largest_because_its_material_is_that_of_all_in_rviz() -> None:
    red, blue = Material('red', (1.0, 0.0, 0.0, 1.0)), Material('blue', (0.0, 0.0, 1.0, 1.0))
    shapes = tuple(Shape(name, geometry, material=material) for name, geometry, material in (
        ('colors_of_its_own', Mesh('a.dae'), None), ('ball', Sphere(0.1), blue),
        ('rod', Cylinder(0.01, 9.0), red), ('box', Box((0.2, 0.2, 0.21)), blue),
        ('case', Mesh('a.stl'), red), ('cube', Box((0.2, 0.2, 0.2)), red)))
    model = one_joint()._replace(bodies=(A._replace(visuals=shapes, collisions=shapes), B))
    text = write_urdf(model)[0]
    link = load_model(text).bodies[0]
    assert [shape.name for shape in link.visuals] == [
        'case', 'box', 'ball', 'cube', 'rod', 'colors_of_its_own']
    assert [shape.name for shape in link.collisions] == [shape.name for shape in shapes]
    same = {shape.name: shape for shape in shapes}
    assert all(
        (shape.geometry, shape.material) == (same[shape.name].geometry, same[shape.name].material)
        for shape in link.visuals)
    again = load_model(text)
    assert 'visual' not in {found.what for found in diff_models(again, model)}
    assert write_urdf(again._replace(name='other'))[0] == text.replace('"arm"', '"other"')


# ---- texts of others

SOURCE = '<robot name="r">\r\n  <!-- mine -->\r\n  <link   name="a"/>\r\n</robot>\r\n'


def test_urdf_input_is_written_byte_for_byte() -> None:
    text, report = write_urdf(load_model(SOURCE, format='urdf'))
    assert text == SOURCE
    assert not report.diagnostics


def source(text: str) -> SourceFile:
    return SourceFile('extra.xml', text.encode())


def test_extra_blocks_are_merged() -> None:
    extra = source('<robot><!-- c --><ros2_control name="x" a="1"  /><gazebo/></robot>')
    text, _ = write_urdf(load_model(SOURCE, format='urdf'), extra=extra)
    assert text == SOURCE.replace(
        '</robot>', '  <ros2_control name="x" a="1"  />\n  <gazebo/>\n</robot>')
    root, _ = written(one_joint(), extra=source('<gazebo reference="a"/>'))
    assert attributes(root, 'gazebo') == {'reference': 'a'}
    assert codes(write_urdf(one_joint(), extra=source('<robot>'))[1]) == ['xml-syntax']


def test_names_are_escaped() -> None:
    name = 'a<b>&"c\n'
    root, _ = written(Model('r&d', 'sdf', '', '', (Body(name, name),)))
    assert root.attrib['name'] == 'r&d'
    assert attributes(root, 'link') == {'name': name}


def test_a_changed_model_is_not_written_from_its_old_text() -> None:
    file = Path(__file__).parents[2] / 'examples' / 'urdf' / 'gripper_arm.urdf'
    model = load_model(file)
    assert write_urdf(model)[0] == file.read_text()
    assert write_urdf(pickle.loads(pickle.dumps(model)))[0] == file.read_text()
    heavier = model.bodies[0]._replace(inertia=Inertia(mass=7.25, ixx=1.0, iyy=1.0, izz=1.0))
    text, _ = write_urdf(model._replace(bodies=(heavier, *model.bodies[1:])))
    assert '<mass value="7.25"/>' in text
    assert load_model(text).bodies[0].inertia is not None
