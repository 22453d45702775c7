# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Joints and coordinates of SKEL: motions, names, limits, dynamics, start."""

import math

from helpers.skel_texts import AXIS, codes, model, moved, skeleton, world
from hrdf_ros.model import Motion
import pytest

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
UNIVERSAL = '<axis><xyz>0 0 1</xyz></axis><axis2><xyz>1 0 0</xyz></axis2>'


@pytest.mark.parametrize(('type_', 'inner', 'names', 'motions'), [
    ('weld', '', [], []),
    ('revolute', AXIS, ['j'], [Motion('revolute', Z, (0,))]),
    ('prismatic', '<axis><xyz>0 3 0</xyz></axis>', ['j'], [Motion('prismatic', Y, (0,))]),
    ('universal', UNIVERSAL, ['j_1', 'j_2'],
     [Motion('revolute', Z, (0,)), Motion('revolute', X, (1,))]),
    ('ball', '', ['j_x', 'j_y', 'j_z'], [Motion('rotation_vector', X, (0, 1, 2))]),
    ('euler', '<axis_order>xyz</axis_order>', ['j_x', 'j_y', 'j_z'],
     [Motion('revolute', X, (0,)), Motion('revolute', Y, (1,)), Motion('revolute', Z, (2,))]),
    ('euler', '<axis_order>zyx</axis_order>', ['j_z', 'j_y', 'j_x'],
     [Motion('revolute', Z, (0,)), Motion('revolute', Y, (1,)), Motion('revolute', X, (2,))]),
    ('translational', '', ['j_x', 'j_y', 'j_z'],
     [Motion('prismatic', X, (0,)), Motion('prismatic', Y, (1,)), Motion('prismatic', Z, (2,))]),
    ('planar', '<plane type="zx"/>', ['j_z', 'j_x', 'j_rot'],
     [Motion('prismatic', Z, (0,)), Motion('prismatic', X, (1,)), Motion('revolute', Y, (2,))]),
    ('translational2d', '<plane type="yz"/>', ['j_y', 'j_z'],
     [Motion('prismatic', Y, (0,)), Motion('prismatic', Z, (1,))]),
    ('screw', '<axis><xyz>0 1 0</xyz><pitch>0.5</pitch></axis>', ['j'],
     [Motion('screw', Y, (0,), 0.5 / (2.0 * math.pi))]),
    ('free', '', ['j_rot_x', 'j_rot_y', 'j_rot_z', 'j_pos_x', 'j_pos_y', 'j_pos_z'],
     [Motion('prismatic', X, (3,)), Motion('prismatic', Y, (4,)), Motion('prismatic', Z, (5,)),
      Motion('rotation_vector', X, (0, 1, 2))]),
])
def test_joint_type_is_its_motions(
    type_: str, inner: str, names: list[str], motions: list[Motion],
) -> None:
    found = model(moved(type_, inner))
    assert [coordinate.name for coordinate in found.coordinates] == names
    assert list(found.joints[0].motions) == motions
    assert found.joints[0].type == type_


@pytest.mark.parametrize(('first', 'second', 'axes', 'scales'), [
    ('2 0 0', '1 1 0', [X, Y, Z], [1.0, 1.0, 1.0]),
    ('1 0 0', '2 0 0', [X, X, Z], [1.0, 0.0, 0.0])])
def test_arbitrary_plane_is_made_orthogonal(
    first: str, second: str, axes: list[object], scales: list[float],
) -> None:
    found = model(moved('planar', (
        f'<plane type="arbitrary"><translation_axis1><xyz>{first}</xyz></translation_axis1>'
        f'<translation_axis2><xyz>{second}</xyz></translation_axis2></plane>')))
    assert [motion.axis for motion in found.joints[0].motions] == axes
    assert [motion.scale for motion in found.joints[0].motions] == scales
    assert [coordinate.name for coordinate in found.coordinates] == ['j_1', 'j_2', 'j_rot']


@pytest.mark.parametrize(('type_', 'inner', 'axes'), [
    ('revolute', '', [Z]), ('prismatic', '', [Z]), ('universal', '', [X, Y])])
def test_missing_axis_is_darts_default(type_: str, inner: str, axes: list[object]) -> None:
    text = moved(type_, inner)
    assert [motion.axis for motion in model(text).joints[0].motions] == axes
    assert 'axis-missing' in codes(world(skeleton(text)))


def test_limits_and_dynamics_of_axes_go_to_their_coordinates() -> None:
    first, second = model(moved('universal', (
        '<axis><xyz>1 0 0</xyz><limit><lower>-1</lower></limit></axis>'
        '<axis2><xyz>0 1 0</xyz><limit><upper>2</upper></limit><dynamics><damping>0.1</damping>'
        '<friction>0.2</friction><spring_rest_position>0.3</spring_rest_position>'
        '<spring_stiffness>4</spring_stiffness></dynamics></axis2>'))).coordinates
    assert (first.lower, first.upper, second.lower, second.upper) == (
        -1.0, math.inf, -math.inf, 2.0)
    assert (second.damping, second.friction, second.spring_reference, second.spring_stiffness) == (
        0.1, 0.2, 0.3, 4.0)


def test_dof_overrides_axis_and_start() -> None:
    text = moved('revolute', (
        '<axis><xyz>0 0 1</xyz><limit><lower>-1</lower><upper>1</upper></limit></axis>'
        '<init_pos>0.5</init_pos><init_vel>0.25</init_vel><dof name="q"><position lower="-2" '
        'initial="0.75"/><velocity lower="-3" upper="3"/><force lower="-4" upper="4"/></dof>'))
    found = model(text).coordinates[0]
    assert found.name == 'q'
    assert (found.lower, found.upper, found.initial_position) == (-2.0, 1.0, 0.75)
    assert (found.velocity, found.effort, found.initial_velocity) == (3.0, 4.0, 0.25)


def test_documented_values_that_dart_ignores_are_read() -> None:
    text = moved('revolute', (
        '<axis><xyz>0 0 1</xyz><limit><effort>5</effort><velocity>6</velocity></limit>'
        '<dynamics><sprint_stiffness>7</sprint_stiffness></dynamics></axis>'),
        'actuator="torque"')
    found = model(text)
    coordinate = found.coordinates[0]
    assert (coordinate.effort, coordinate.velocity) == (5.0, 6.0)
    assert coordinate.spring_stiffness == 7.0
    assert found.joints[0].actuator == 'force'
    assert codes(world(skeleton(text))) == ['skel-spec-over-dart'] * 4


@pytest.mark.parametrize('index', ['-1', '3', 'x'])
def test_dof_with_a_strange_index_is_discarded(index: str) -> None:
    text = moved('ball', f'<dof local_index="{index}" name="q"/>')
    assert [found.name for found in model(text).coordinates] == ['j_x', 'j_y', 'j_z']
    assert codes(world(skeleton(text))) == ['skel-dof-discarded']


def test_a_start_has_as_many_numbers_as_the_joint() -> None:
    text = moved('ball', '<init_pos>0.1 0.2 0.3</init_pos>')
    assert [found.initial_position for found in model(text).coordinates] == [0.1, 0.2, 0.3]
    assert codes(world(skeleton(text.replace(' 0.3', '')))) == ['bad-value']


@pytest.mark.parametrize('kind', ['weld', 'fixed'])
@pytest.mark.parametrize('tag', ['init_pos', 'init_vel'])
@pytest.mark.parametrize('start', ['0', '0 0 0', '', 'x'])
def test_a_start_of_a_weld_has_no_effect(kind: str, tag: str, start: str) -> None:
    text = moved(kind, f'<{tag}>{start}</{tag}>')
    assert model(text).joints[0].motions == ()
    assert 'no-effect' in codes(world(skeleton(text)))


@pytest.mark.parametrize('kind', ['ball', 'free'])
def test_axis_limits_of_ball_and_free_joints_are_not_read(kind: str) -> None:
    text = moved(kind, '<axis><limit><lower>-1</lower></limit></axis>')
    assert {found.lower for found in model(text).coordinates} == {-math.inf}
    assert codes(world(skeleton(text))) == ['no-effect']
