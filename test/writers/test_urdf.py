# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Writing URDF: what each part of a Model becomes, and what is said about what it cannot say."""

from __future__ import annotations

import math
from typing import Any

from helpers.urdf_writing import attributes, codes, joints, message, written
from hrdf_ros import load_model, write_urdf
from hrdf_ros.document import SourceFile
from hrdf_ros.inertia import Inertia
from hrdf_ros.model import (
    Body,
    Constraint,
    Coordinate,
    Frame,
    Joint,
    Mimic,
    Model,
    Motion,
    RawElement,
)
from hrdf_ros.pose import from_axis_angle, translation
import pytest

Z = (0.0, 0.0, 1.0)


def one_joint(
    *motions: Motion, coordinates: tuple[Coordinate, ...] = (), **joint: Any,
) -> Model:
    """Return two bodies and a joint between them, from no format in particular."""
    found = coordinates or (Coordinate('q', 'angle', -1.0, 2.0, 3.0, 4.0),)
    given = {'name': 'j', 'source_name': 'j', 'type': 't', 'parent': 0, 'child': 1, **joint}
    return Model(
        'arm', 'sdf', '1.12', '__root__', (Body('a', 'a'), Body('b', 'b')),
        (Joint(**given, motions=motions),), found)


# ---- the whole text

def test_text_is_exact_and_in_document_order() -> None:
    model = one_joint(
        Motion('revolute', Z, (0,)), parent_from_joint=translation(0.1, 1e-17, -0.0))
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


# ---- joints

@pytest.mark.parametrize('kind', ['revolute', 'prismatic'])
def test_a_child_frame_along_the_axis_is_folded(kind: Any) -> None:
    of = 'angle' if kind == 'revolute' else 'length'
    root, report = written(one_joint(
        Motion(kind, Z, (0,)), coordinates=(Coordinate('q', of, -1.0, 1.0, 1.0, 1.0),),
        child_from_joint=from_axis_angle((1.0, 0.0, 0.0), math.pi)._replace(z=0.5)))
    assert joints(root) == {'q': f'{kind} a b'}
    assert [round(float(n), 9) for n in attributes(root, 'joint/axis')['xyz'].split()] == [
        0.0, 0.0, -1.0]
    assert not report.diagnostics


def test_a_child_frame_off_the_axis_takes_a_link() -> None:
    # pins: link-added
    root, report = written(one_joint(
        Motion('revolute', Z, (0,)), child_from_joint=translation(0.1, 0.0, 0.0)))
    assert joints(root) == {'q': 'revolute a j/link_1', 'j/child': 'fixed j/link_1 b'}
    assert message(report, 'link-added').endswith("'j/link_1'")


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
    ([Motion('prismatic', Z, (0,))], {'coordinates': (Coordinate('q', 'length'),)},
     {'q': 'prismatic a b'}, 'lower="-1000.0"')])
def test_motions_are_joints_of_one_axis(
    motions: list[Motion], given: dict[str, Any], expected: dict[str, str], text: str,
) -> None:
    model = one_joint(*motions, **given)
    assert joints(written(model)[0]) == expected
    assert text in write_urdf(model)[0]


def ball() -> Model:
    names = ('j_x', 'j_y', 'j_z')
    return one_joint(
        Motion('rotation_vector', Z, (0, 1, 2)),
        coordinates=tuple(Coordinate(name, 'angle') for name in names))


def test_a_ball_floats_or_is_expanded() -> None:
    # pins: joint-floating
    # pins: joint-expanded
    root, report = written(ball())
    assert joints(root) == {'j': 'floating a b'}
    assert codes(report) == ['joint-floating']
    root, report = written(ball(), expand_ball=True)
    assert joints(root) == {
        'j/rot_x': 'continuous a j/link_1', 'j/rot_y': 'continuous j/link_1 j/link_2',
        'j/rot_z': 'continuous j/link_2 b'}
    assert 'joint-expanded' in codes(report)


def test_reversed_joint() -> None:
    # pins: joint-reversed
    model = one_joint(Motion('prismatic', Z, (0,)), coordinates=(
        Coordinate('q', 'length', -1.0, 2.0, 1.0, 1.0),),
        parent_from_joint=translation(0.0, 0.0, 1.0))
    other = Joint('k', 'k', 'fixed', 2, 1)
    root, report = written(model._replace(
        bodies=(*model.bodies, Body('c', 'c')), joints=(*model.joints, other)))
    assert joints(root) == {'q': 'prismatic a b', 'k': 'fixed b c'}
    assert "'k'" in message(report, 'joint-reversed')


def test_a_loop_is_left_out_with_those_who_mimic_it() -> None:
    # pins: loop-not-representable
    # pins: mimic-not-representable
    coordinates = (
        Coordinate('q', 'angle', mimic=Mimic(2)), Coordinate('r', 'angle'),
        Coordinate('s', 'angle'))
    bodies = tuple(Body(name, name) for name in 'abc')
    ends = ((0, 1), (1, 2), (2, 0))
    ring = tuple(
        Joint(name, name, 'revolute', parent, child, motions=(Motion('revolute', Z, (index,)),))
        for index, (name, (parent, child)) in enumerate(zip('xyz', ends)))
    root, report = written(Model('m', 'sdf', '', '', bodies, ring, coordinates))
    assert list(joints(root)) == ['q', 'r']
    assert root.find('joint/mimic') is None
    assert "'z'" in message(report, 'loop-not-representable')
    assert "'q'" in message(report, 'mimic-not-representable')
    ring = (ring[0]._replace(motions=(Motion('revolute', Z, (0,), 2.0),)), *ring[1:])
    root, _ = written(Model('m', 'sdf', '', '', bodies, ring, coordinates))
    assert attributes(root, "joint[@name='q/turn']/mimic")['joint'] == 'q'


# ---- roots

def test_several_roots_hang_on_one_that_is_added() -> None:
    # pins: root-added
    bodies = (Body('a', 'a'), Body('b', 'b', pose=translation(1.0, 0.0, 0.0)))
    root, report = written(Model('m', 'sdf', '', 'world', bodies, is_world=True))
    assert [link.attrib['name'] for link in root.iter('link')] == ['world', 'a', 'b']
    assert joints(root) == {'world/a': 'fixed world a', 'world/b': 'fixed world b'}
    assert attributes(root, "joint[@name='world/b']/origin")['xyz'] == '1.0 0.0 0.0'
    assert 'root-added' in codes(report)


def test_the_pose_of_a_single_root_is_reported() -> None:
    # pins: root-pose-not-representable
    body = Body('a', 'a', pose=translation(1.0, 0.0, 0.0))
    _, report = written(Model('m', 'sdf', '', '__root__', (body,)))
    assert codes(report) == ['root-pose-not-representable']


# ---- limits

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
    # pins: limit-default-used
    root, report = written(one_joint(
        Motion('revolute', Z, (0,)), coordinates=(Coordinate('q', 'angle', *limits),)))
    assert tuple(attributes(root, 'joint/limit').values()) == expected
    assert set(codes(report)) == {'limit-default-used'}


# ---- what URDF has no place for

def test_what_is_left_out_is_said() -> None:
    # pins: constraint-not-representable
    # pins: detail-not-representable
    # pins: extension-not-representable
    # pins: frame-not-representable
    model = one_joint(Motion('revolute', Z, (0,)), actuator='servo', coordinates=(
        Coordinate('q', 'angle', initial_position=0.5, spring_stiffness=1.0),))
    _, report = written(model._replace(
        constraints=(Constraint('g', 'gearbox', (0,)),), frames=(Frame('tool', '', 'frame', 1),),
        extensions=(RawElement('plugin', '<plugin/>', format='sdf'),)))
    assert set(codes(report)) == {
        'constraint-not-representable', 'detail-not-representable', 'extension-not-representable',
        'frame-not-representable'}
    assert codes(report).count('detail-not-representable') == 3


def test_infinite_numbers_are_left_out_and_said() -> None:
    model = load_model(
        '<sdf version="1.12"><model name="m"><link name="a"><inertial><mass>inf</mass></inertial>'
        '<visual name="v"><geometry><sphere><radius>inf</radius></sphere></geometry></visual>'
        '</link><link name="b"/><joint name="j" type="revolute"><parent>a</parent><child>b</child>'
        '<axis><dynamics><damping>inf</damping></dynamics></axis></joint></model></sdf>')
    text, report = write_urdf(model)
    assert 'inf"' not in text
    assert 'a: inertia' in str([*report]) and 'j: dynamics' in str([*report])
    assert 'geometry-not-representable' in codes(report)


def test_gazebo_blocks() -> None:
    model = one_joint(Motion('revolute', Z, (0,)), coordinates=(
        Coordinate('q', 'angle', spring_stiffness=2.0, spring_reference=0.5),))
    sensor = RawElement('sensor', '<sensor name="s"/>', format='sdf')
    model = model._replace(static=True, bodies=(
        model.bodies[0]._replace(extensions=(sensor,)), model.bodies[1]))
    root, report = written(model, gazebo=True)
    blocks = root.findall('gazebo')
    assert [block.attrib for block in blocks] == [{}, {'reference': 'a'}, {'reference': 'q'}]
    assert blocks[0].findtext('static') == 'true'
    assert attributes(blocks[1], 'sensor') == {'name': 's'}
    assert blocks[2].findtext('springStiffness') == '2.0'
    assert not report.diagnostics


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


def test_a_broken_extra_is_an_error() -> None:
    _, report = write_urdf(one_joint(), extra=source('<robot>'))
    assert codes(report) == ['xml-syntax']
    assert not report.ok


def test_a_frame_that_is_a_link_is_not_left_out() -> None:
    _, report = write_urdf(load_model('<robot version="1.6.0"><joint axis="rz"/></robot>'))
    [found] = report
    assert found.code == 'frame-not-representable'
    assert "'joint_1'" in found.message and 'output' not in found.message


def test_a_name_that_a_coordinate_has_is_not_used_twice() -> None:
    model = one_joint(Motion('revolute', Z, (0,)))
    other = Joint('q', 'q', 'fixed', 1, 2)
    root, report = written(model._replace(
        bodies=(*model.bodies, Body('c', 'c')), joints=(*model.joints, other)))
    assert list(joints(root)) == ['q', 'q_joint']
    assert 'name-changed' in codes(report)


def test_names_are_escaped() -> None:
    name = 'a<b>&"c\n'
    root, _ = written(Model('r&d', 'sdf', '', '', (Body(name, name),)))
    assert root.attrib['name'] == 'r&d'
    assert attributes(root, 'link') == {'name': name}


@pytest.mark.parametrize('gazebo', [False, True])
def test_what_shapes_of_sdformat_hold_is_said_to_be_left_out(gazebo: bool) -> None:
    model = load_model(
        '<sdf version="1.12"><model name="m"><link name="a"><collision name="c"><geometry><empty/>'
        '</geometry><surface/></collision></link></model></sdf>')
    _, report = write_urdf(model, gazebo=gazebo)
    assert 'a/c: surface' in ' '.join(found.message for found in report)
