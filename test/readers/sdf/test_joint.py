# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Joints: their types, axes, limits, mimics, and what they connect."""

from __future__ import annotations

import math

from helpers.loading import model_of
from helpers.sdf_texts import codes_of, errors_of, in_model, in_world
from hrdf_ros.load import load, load_model
from hrdf_ros.load_result import LoadResult
from hrdf_ros.model import Joint, Mimic, Model
from hrdf_ros.pose import to_matrix
import pytest

AXIS = '<axis><xyz>0 0 2</xyz></axis>'
TWO_AXES = AXIS + '<axis2><xyz>0 1 0</xyz></axis2>'
LINKS = '<link name="a"/><link name="b"/>'


def with_joint(kind: str, inside: str = '', version: str = '1.12') -> Model:
    return load_model(in_model(
        f'{LINKS}<joint name="j" type="{kind}"><parent>a</parent><child>b</child>{inside}</joint>',
        version))


@pytest.mark.parametrize(('kind', 'inside', 'motions', 'coordinates'), [
    ('fixed', AXIS, [], []),
    ('revolute', AXIS, ['revolute'], ['j']),
    (' REVOLUTE ', AXIS, ['revolute'], ['j']),
    ('continuous', AXIS, ['revolute'], ['j']),
    ('prismatic', AXIS, ['prismatic'], ['j']),
    ('screw', AXIS, ['screw'], ['j']),
    ('ball', '', ['rotation_vector'], ['j_x', 'j_y', 'j_z']),
    ('universal', TWO_AXES, ['revolute', 'revolute'], ['j_1', 'j_2']),
    ('revolute2', TWO_AXES, ['revolute', 'revolute'], ['j_1', 'j_2'])])
def test_types(kind: str, inside: str, motions: list[str], coordinates: list[str]) -> None:
    model = with_joint(kind, inside)
    joint = model.joints[0]
    assert joint.type == kind.strip().lower()
    assert [motion.kind for motion in joint.motions] == motions
    assert [coordinate.name for coordinate in model.coordinates] == coordinates
    assert all(math.hypot(*motion.axis) == 1.0 for motion in joint.motions)


@pytest.mark.parametrize(('inside', 'metres_per_turn'), [
    ('', 1.0), ('<screw_thread_pitch>0.5</screw_thread_pitch>', 0.5),
    ('<thread_pitch>4</thread_pitch>', -math.pi / 2),
    ('<thread_pitch>4</thread_pitch><screw_thread_pitch>2</screw_thread_pitch>', 2.0)])
def test_pitch_of_a_screw(inside: str, metres_per_turn: float) -> None:
    motion = with_joint('screw', AXIS + inside).joints[0].motions[0]
    assert motion.scale * 2 * math.pi == pytest.approx(metres_per_turn)


def test_limits_and_dynamics() -> None:
    inside = (
        '<axis><xyz>0 0 1</xyz><limit><lower>-1</lower><upper>2</upper><effort>3</effort>'
        '<velocity>4</velocity></limit><dynamics><damping>5</damping><friction>6</friction>'
        '<spring_reference>8</spring_reference><spring_stiffness>7</spring_stiffness></dynamics>'
        '</axis>')
    [found] = with_joint('revolute', inside).coordinates
    assert (found.lower, found.upper, found.velocity, found.effort) == (-1, 2, 4, 3)
    assert (found.damping, found.friction) == (5, 6)
    assert (found.spring_stiffness, found.spring_reference) == (7, 8)
    inside = inside.replace('>3<', '>-1<').replace('>4<', '>-1<')  # no limits
    [found] = with_joint('revolute', inside).coordinates
    assert (found.velocity, found.effort) == (math.inf, math.inf)
    [found] = with_joint('continuous', inside).coordinates
    assert (found.lower, found.upper) == (-math.inf, math.inf)
    assert (found.velocity, found.effort) == (math.inf, math.inf)


def geared(first: str, second: str, ratio: float = 3.0, axes: str = TWO_AXES) -> LoadResult:
    """Load two wheels on a case, each on a joint, and the gearbox from the first to the second."""
    return load(in_model(
        '<link name="case"/><link name="a"/><link name="b"><pose>1 0 0 1 0 0</pose></link>'
        f'{first}{second}<joint name="g" type="gearbox"><parent>a</parent><child>b</child>'
        f'<pose relative_to="__model__"/><gearbox_ratio>{ratio}</gearbox_ratio>'
        f'<gearbox_reference_body>case</gearbox_reference_body>{axes}</joint>'))


def wheel(name: str, parent: str, child: str, xyz: str, inside: str = '') -> str:
    return (
        f'<joint name="{name}" type="revolute"><parent>{parent}</parent><child>{child}</child>'
        f'<axis><xyz expressed_in="__model__">{xyz}</xyz>{inside}</axis></joint>')


MINUS_3 = '<mimic joint="j"><multiplier>-3</multiplier></mimic>'


@pytest.mark.parametrize(('first', 'second', 'multiplier'), [
    (wheel('j', 'case', 'a', '0 0 1'), wheel('k', 'case', 'b', '0 1 0'), -3.0),
    (wheel('j', 'case', 'a', '0 0 -1'), wheel('k', 'case', 'b', '0 1 0'), 3.0),
    (wheel('j', 'case', 'a', '0 0 1'), wheel('k', 'b', 'case', '0 1 0'), 3.0),
    (wheel('j', 'a', 'case', '0 0 1'), wheel('k', 'b', 'case', '0 -1 0'), 3.0),
    (wheel('j', 'case', 'a', '0 0 1'), wheel('k', 'case', 'b', '0 1 0', MINUS_3), -3.0)])
def test_a_gearbox_ties_the_angles_of_two_joints(
    first: str, second: str, multiplier: float,
) -> None:
    loaded = geared(first, second)
    assert model_of(loaded).coordinates[1].mimic == pytest.approx((0, multiplier, 0.0))
    assert 'sdf-gearbox-without-effect' not in codes_of(loaded)


@pytest.mark.parametrize(('first', 'second'), [
    (wheel('j', 'case', 'a', '0 0 1'), wheel('k', 'a', 'b', '0 1 0')),
    (wheel('j', 'case', 'a', '1 0 0'), wheel('k', 'case', 'b', '0 1 0')),
    (wheel('j', 'case', 'a', '0 0 1', '<mimic joint="k"/>'), wheel('k', 'case', 'b', '0 1 0'))])
def test_a_gearbox_between_other_joints_ties_nothing(first: str, second: str) -> None:
    loaded = geared(first, second)
    assert model_of(loaded).coordinates[1].mimic is None
    assert 'sdf-gearbox-without-effect' in codes_of(loaded)
    [gearbox] = model_of(loaded).constraints
    assert (gearbox.bodies, gearbox.values[0]) == ((1, 2, 0), ('ratio', 3.0))


def test_mimic_of_the_second_axis() -> None:
    model = load_model(in_model(
        LINKS + '<link name="c"/>'
        f'<joint name="u" type="universal"><parent>a</parent><child>b</child>{TWO_AXES}</joint>'
        '<joint name="f" type="revolute"><parent>b</parent><child>c</child><axis>'
        '<xyz>0 0 1</xyz><mimic joint="u" axis="axis2"><multiplier>2</multiplier>'
        '<offset>1</offset><reference>3</reference></mimic></axis></joint>'))
    assert model.coordinates[2].mimic == Mimic(1, 2.0, -5.0)
    assert to_matrix(model.bodies[2].pose)[0] == pytest.approx(math.cos(5.0))  # where it holds it


def ends(model: Model, joint: Joint) -> tuple[str, str]:
    return model.bodies[joint.parent].source_name, model.bodies[joint.child].source_name


def test_world_joint() -> None:
    model = load_model(in_world(
        '<model name="n"><pose>1 0 0 0 0 0</pose><link name="z"/></model><frame name="f"/>'
        '<joint name="j" type="fixed"><parent>f</parent><child>n::z</child></joint>'))
    assert ends(model, model.joints[0]) == ('world', 'n::z')
    assert model.joints[0].parent_from_joint.position == (1, 0, 0)


JOINT = '<joint name="j" type="revolute"><parent>{}</parent><child>{}</child>{}</joint>'


@pytest.mark.parametrize(('joint', 'reference'), [
    (JOINT.format('a', 'x', AXIS), 'JOINT_CHILD_LINK_INVALID'),
    (JOINT.format('x', 'b', AXIS), 'JOINT_PARENT_LINK_INVALID'),
    (JOINT.format('a', 'world', AXIS), 'JOINT_CHILD_LINK_INVALID'),
    (JOINT.format('a', 'a', AXIS), 'JOINT_PARENT_SAME_AS_CHILD'),
    (JOINT.format('f', 'a', AXIS), 'JOINT_PARENT_SAME_AS_CHILD'),
    (JOINT.format('j', 'a', AXIS), 'JOINT_PARENT_LINK_INVALID'),
    (JOINT.format('a', 'j', AXIS), 'FRAME_ATTACHED_TO_CYCLE'),
    (JOINT.format('__root__', 'b', AXIS), 'RESERVED_NAME'),
    (JOINT.format('a', 'b', '<axis><xyz>0 0 1e-7</xyz></axis>'), 'ELEMENT_INVALID'),
    (JOINT.format('a', 'b', '<axis><xyz expressed_in="x">1 0 0</xyz></axis>'),
     'JOINT_AXIS_EXPRESSED_IN_INVALID'),
    (JOINT.format('a', 'b', '<axis><xyz>1 0 0</xyz><mimic joint="x"/></axis>'),
     'JOINT_AXIS_MIMIC_INVALID'),
    (JOINT.format('a', 'b', '<axis><xyz>1 0 0</xyz><mimic joint="j"/></axis>'),
     'JOINT_AXIS_MIMIC_INVALID'),
    (JOINT.format('a', 'b', AXIS).replace('revolute', 'revolut'), 'ATTRIBUTE_INVALID')])
def test_faults(joint: str, reference: str) -> None:
    frame = '<frame name="f" attached_to="a"/>'
    assert errors_of(in_model(LINKS + frame + joint))[:1] == [reference]


@pytest.mark.parametrize(('name', 'parent', 'is_found'), [
    ('a  b', 'a  b', False), ('a b', ' a\n  b ', True), ('a b', 'a&#9;&#32;b', True),
    ('a\u00a0 b', 'a\u00a0  b', True), ('a  b', '<![CDATA[a  b]]>', True),
    ('a b', '<![CDATA[a  b]]>', False)])
def test_white_space_in_a_text_is_one_space(name: str, parent: str, is_found: bool) -> None:
    errors = errors_of(in_model(
        f'<link name="{name}"/><link name="c"/>' + JOINT.format(parent, 'c', AXIS)))
    assert errors == ([] if is_found else ['JOINT_PARENT_LINK_INVALID'])


@pytest.mark.parametrize('joint', [
    JOINT.format('x', 'b', AXIS), JOINT.format('f', 'a', AXIS),
    JOINT.format('a', 'b', '<axis><xyz expressed_in="x">1 0 0</xyz></axis>')])
def test_faults_in_nested_models_that_libsdformat_accepts_are_warnings(joint: str) -> None:
    loaded = load(in_model(
        f'<model name="n">{LINKS}<frame name="f" attached_to="a"/>{joint}</model>'))
    assert loaded.model is not None
    assert [found.severity for found in loaded.report if found.reference] == ['warning']


def test_coordinates_that_follow_each_other_stay_free() -> None:
    follow = '<axis><xyz>0 0 1</xyz><mimic joint="{}"/></axis>'
    loaded = load(in_model(
        LINKS + '<link name="c"/>'
        '<joint name="j" type="revolute"><parent>a</parent><child>b</child>'
        + follow.format('k') + '</joint>'
        '<joint name="k" type="revolute"><parent>b</parent><child>c</child>'
        + follow.format('j') + '</joint>'))
    assert 'sdf-mimic-ignored' in codes_of(loaded)
    assert [each.mimic for each in model_of(loaded).coordinates] == [Mimic(1, 1.0, 0.0), None]
