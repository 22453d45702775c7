# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Closed loops against closed-form solutions."""

from collections.abc import Sequence
import math

from helpers.kinematic_models import closed_chain, differences, matrix, plain_fk, plain_joint
from helpers.loop_models import (
    CRANK,
    delta,
    delta_platform,
    FINGER,
    four_bar,
    four_bar_angles,
    gripper,
    ladder,
    slider_crank,
    SPREAD,
)
from hrdf_ros import load_model
from hrdf_ros.kinematics import FullConfiguration, Kinematics
from hrdf_ros.kinematics.forward import as_columns
from hrdf_ros.model import Body, Joint, Model
from hrdf_ros.pose import compose, from_axis_angle, IDENTITY, relative, translation
from hypothesis import given, settings
from hypothesis import strategies as st
import numpy as np
import pytest


@pytest.mark.parametrize('scale', [1e-3, 1.0, 100.0])
@pytest.mark.parametrize('crank', [0.0, 0.1, -1.0, 2.0, 3.1, -3.1])
def test_four_bar(crank: float, scale: float) -> None:
    tree = Kinematics(four_bar(assembled_at=1.0, scale=scale))
    assert tree.dependent == ('coupler', 'rocker', 'tip')
    found = tree.poses({'crank': crank})
    for name, expected in zip(('coupler', 'rocker'), four_bar_angles(1.0 + crank)):
        turned = math.atan2(found[name][1, 0], found[name][0, 0])
        assert abs(math.remainder(turned - expected, math.tau)) < 1e-9
    assert np.abs(found['coupler'][:2, 3] / scale - [
        CRANK * math.cos(1.0 + crank), CRANK * math.sin(1.0 + crank)]).max() < 1e-12


@pytest.mark.parametrize('crank', [
    *(start + turns * math.tau for start in (-1.0, 0.5, 2.0) for turns in (10, 1000, 100_000)),
    1e50, -1e99, 1e300])
def test_whole_turns_change_no_pose(crank: float) -> None:
    tree = Kinematics(four_bar())
    angle = math.atan2(math.sin(crank), math.cos(crank))
    assert tree.loop_states({'crank': crank})[0].closed.all()
    assert np.abs(tree.fk({'crank': crank}) - tree.fk({'crank': angle})).max() < 1e-9


def test_any_joint_may_be_the_one_that_is_given() -> None:
    tree = Kinematics(four_bar())
    rocker = tree.resolve({'crank': 0.4})[2]
    assert abs(tree.resolve({'rocker': rocker})[0] - 0.4) < 1e-8
    driven = Kinematics(four_bar(), actuated=['rocker'])
    assert driven.independent == ('rocker',)
    assert abs(driven.resolve([0.0, 0.0, rocker, 0.0])[0] - 0.4) < 1e-8


def test_given_coordinates_that_yield_are_computed_where_the_rest_does_not_suffice() -> None:
    tree = Kinematics(four_bar())
    expected = tree.resolve({'crank': 0.4})
    for indices in ((0, 1, 2, 3), (0, 1, 2), (0, 2, 3), (0, 2)):
        solver = tree.dependent_solver(indices, yielding=True)
        q = solver(np.array([0.4, 0.0, 0.0, 0.0]))
        assert np.abs(q - expected).max() < 1e-8, indices
        assert solver.states(q)[0].closed.all()
    one = tree.dependent_solver((2,), yielding=True)
    assert abs(one(np.array([0.0, 0.0, expected[2], 0.0]))[0] - 0.4) < 1e-8
    q = {'crank': 1.0, 'coupler': 2.0, 'rocker': 3.0, 'tip': 4.0}
    assert tree.resolve(q).tolist() == [1.0, 2.0, 3.0, 4.0], 'all given do not yield'
    assert not tree.loop_states(q)[0].closed.any()


@pytest.mark.parametrize('crank', [0.3, -1.2, 2.5])
def test_slider_crank_leaves_its_singular_configuration(crank: float) -> None:
    tree = Kinematics(slider_crank(0.2, 0.5))
    x = 0.2 * math.cos(crank) + math.sqrt(0.5**2 - (0.2 * math.sin(crank))**2)
    assert tree.independent == ('crank',)
    assert abs(tree.pose('slider', q={'crank': crank})[0, 3] - x) < 1e-12
    driven = Kinematics(slider_crank(), actuated=['slider'])
    for position, is_singular in ((0.0, True), (-0.1, False)):
        assert driven.loop_states({'slider': position})[0].singular[0] == is_singular


@pytest.mark.parametrize('q', [-0.8, 0.0, 0.5, 1.2, 2.5, -3.0])
def test_jaws_of_a_gripper_stay_parallel(q: float) -> None:
    tree = Kinematics(gripper())
    assert tree.independent == ('left_inner',)
    for side, sign in (('left', 1.0), ('right', -1.0)):
        jaw = tree.pose(f'{side}_jaw', q={'left_inner': q})
        assert np.abs(jaw[:3, :3] - np.eye(3)).max() < 1e-9
        expected = [FINGER * math.cos(q), sign * (SPREAD + FINGER * math.sin(q)), 0.0]
        assert np.abs(jaw[:3, 3] - expected).max() < 1e-9


def test_what_given_coordinates_move() -> None:
    tree = Kinematics(gripper())
    names = tree.coordinates
    for driven, moved in (
        (['left_inner'], set(names)),
        (['left_outer'], set(names)),
        (['left_inner', 'right_inner'], set(names)),
        (['right_inner', 'right_jaw'], {name for name in names if name.startswith('right')}),
        ([], set()),
    ):
        indices = [names.index(name) for name in driven]
        found = tree.dependent_solver(indices).moved_by(indices)
        assert {names[index] for index in found} == moved


@pytest.mark.parametrize('rods', [1, 2])
@pytest.mark.parametrize('angles', [(0.0, 0.0, 0.0), (0.5, 0.5, 0.5), (0.7, -0.2, 0.1)])
def test_delta_robot(rods: int, angles: tuple[float, float, float]) -> None:
    tree = Kinematics(delta(rods))
    assert tree.independent == ('crank_a', 'crank_b', 'crank_c')
    q = dict(zip(('crank_a', 'crank_b', 'crank_c'), angles))
    platform = tree.pose('platform', q=q)
    assert np.abs(platform[:3, 3] - delta_platform(angles)).max() < 1e-9
    assert np.abs(platform[:3, :3] - np.eye(3)).max() < 1e-9


@pytest.mark.parametrize(('model', 'frame', 'driven'), [
    (four_bar(), 'rocker', {'crank': 0.7}),
    (gripper(), 'right_jaw', {'left_inner': 0.4}),
    (delta(), 'platform', {'crank_a': 0.3, 'crank_b': -0.2}),
])
def test_jacobian_of_closed_loops(model: object, frame: str, driven: dict[str, float]) -> None:
    tree = Kinematics(model)
    q = tree.resolve(driven)
    jacobian = tree.jacobian(frame, q)
    assert np.abs(jacobian - differences(tree, frame, q)).max() < 1e-6
    assert np.abs(tree.jacobian(frame, np.tile(q, (2, 1)))[1] - jacobian).max() < 1e-9


@settings(max_examples=40)
@given(st.integers(0, 2**32), st.sampled_from(['revolute', 'ball', 'universal', 'screw', 'free']))
def test_any_loop_closes_by_its_joint(seed: int, kind: str) -> None:
    model = closed_chain(seed, 9, kind)
    tree = Kinematics(model)
    assert tree.loop_states()[0].residual[0] < 1e-12
    q = tree.initial_configuration()
    [solver] = tree.dependent_solver().loop_solvers
    slope = solver.sensitivity(as_columns(q))
    # The nearer to a singular configuration, the less may be in reach.
    q[solver.driven] += 1e-3 / (1.0 + np.abs(slope).max(initial=0.0))**2
    q = tree.resolve(q)
    assert tree.loop_states(FullConfiguration(q))[0].residual[0] < 1e-12
    bodies = plain_fk(model, q)
    closing = model.joints[-1]
    found = relative(bodies[closing.parent], bodies[closing.child])
    assert np.abs(matrix(plain_joint(closing, q)) - matrix(found)).max() < 1e-11


def test_axes_that_are_rounded_in_the_file() -> None:
    model = four_bar()
    slant = from_axis_angle((1.0, 0.0, 0.0), 1e-4)
    joints = list(model.joints)
    joints[2] = joints[2]._replace(parent_from_joint=compose(joints[2].parent_from_joint, slant))
    tree, exact = Kinematics(model._replace(joints=tuple(joints))), Kinematics(model)
    for crank in (-2.0, 0.5, 2.0):
        state = tree.loop_states({'crank': crank})[0]
        assert state.closed[0] and 1e-6 < state.residual[0]
        q = tree.resolve({'crank': crank})
        assert np.abs(q - exact.resolve({'crank': crank})).max() < 1e-3
        assert np.abs(tree.resolve(q) - q).max() < 1e-9


def test_not_a_number_does_not_crash() -> None:
    tree = Kinematics(four_bar())
    assert np.isfinite(tree.fk({'crank': math.nan})[0]).all()
    assert not tree.loop_states({'crank': math.nan})[0].closed[0]


SCREW = """<sdf version="1.12"><model name="m">
  <link name="base"/><link name="rod"/><link name="nut"/>
  <joint name="turn" type="revolute"><parent>base</parent><child>rod</child>
    <axis><xyz>0 0 1</xyz></axis></joint>
  <joint name="thread" type="screw"><parent>rod</parent><child>nut</child>
    <axis><xyz>0 0 1</xyz></axis><screw_thread_pitch>0.1</screw_thread_pitch></joint>
  <joint name="slide" type="prismatic"><parent>base</parent><child>nut</child>
    <axis><xyz>0 0 1</xyz></axis></joint></model></sdf>"""


@pytest.mark.parametrize('turns', [0.25, 1.0, 2.0, 7.5])
def test_a_spindle_counts_its_turns(turns: float) -> None:
    tree = Kinematics(load_model(SCREW))
    q = tree.resolve({'turn': turns * math.tau})
    assert q == pytest.approx([turns * math.tau, -turns * math.tau, -0.1 * turns])


def test_more_loops_than_can_be_solved_are_left_open() -> None:
    tree = Kinematics(ladder(101))
    assert tree.dependent == ()
    assert tree.loop_states()[0].closed.all()
    assert not tree.loop_states({'foot0': 0.3})[0].closed.any()
    q = np.arange(float(len(tree.coordinates)))
    assert tree.resolve(q).tolist() == q.tolist()
    assert tree.jacobian('bar0', {'foot0': 0.3}).shape == (6, len(q))


def test_far_positions_are_not_followed_but_reached() -> None:
    tree = Kinematics(slider_crank(), actuated=['slider'])
    solver = tree.dependent_solver()
    last = tree.resolve({'slider': -0.1})
    q = last.copy()
    q[2] = -0.39
    assert not solver.follow(q, last, solver.loop_solvers)
    while not solver.follow(q, last, solver.loop_solvers):
        pass
    assert tree.loop_states(FullConfiguration(q))[0].closed.all()


def test_change_points_are_passed_in_small_steps() -> None:
    tree = Kinematics(gripper())
    complete, q = tree.dependent_solver([0]), tree.initial_configuration()
    for step in range(1, 240):
        reached = q.copy()
        q[0] = 0.013 * step
        assert complete.follow(q, reached, complete.loop_solvers)
        jaw = tree.pose('left_jaw', FullConfiguration(q))
        assert np.abs(jaw[:3, :3] - np.eye(3)).max() < 1e-9


def test_batch_with_some_out_of_reach() -> None:
    tree = Kinematics(four_bar(), actuated=['rocker'])
    q = np.zeros((3, 4))
    q[:, 2] = 0.1, 1.5, 0.8
    closed = tree.loop_states(q)[0].closed
    assert closed.tolist() == [True, False, True]


def follow(tree: Kinematics, positions: Sequence[float]) -> np.ndarray:
    """Return the configuration after a sequence of positions of the first coordinate."""
    solver = tree.dependent_solver([0])
    last = tree.initial_configuration()
    for position in positions:
        q = last.copy()
        q[0] = position
        assert solver.follow(q, last, solver.loop_solvers)
        last = q
    return last


@pytest.mark.parametrize('is_wrapped', [False, True])
def test_steady_motion_stays_on_its_branch(is_wrapped: bool) -> None:
    tree = Kinematics(four_bar())
    turns = np.arange(0.0, 5.0 * math.tau + 0.5, 0.1)
    for end in (40, 100, 200, len(turns)):
        sent = np.remainder(turns[:end] + math.pi, math.tau) - math.pi if is_wrapped else (
            turns[:end])
        last = follow(tree, sent.tolist())
        start, now = four_bar_angles(1.0), four_bar_angles(1.0 + turns[end - 1])
        assert math.remainder(last[2] - (now[1] - start[1]), math.tau) == pytest.approx(
            0.0, abs=1e-9)


def test_loop_that_is_stretched_out_where_it_starts() -> None:
    model = four_bar()
    at_zero = tuple(
        joint._replace(parent_from_joint=translation(*joint.parent_from_joint.position))
        for joint in model.joints)
    tree = Kinematics(model._replace(joints=at_zero))
    assert tree.loop_states()[0].closed.all()
    assert tree.resolve({'crank': 1.0})[0] == 1.0
    assert tree.loop_states({'crank': 1.0})[0].residual[0] < 1e-12


def test_loop_without_any_coordinate() -> None:
    there, back = (
        Joint('j', 'j', 'fixed', 0, 1), Joint('k', 'k', 'fixed', 1, 0, translation(0.0, 0.0, 1.0)))
    bodies = Body('a', 'a'), Body('b', 'b')
    states = [
        Kinematics(Model('m', 'sdf', '', '', bodies, (there, joint))).loop_states()[0]
        for joint in (back, back._replace(parent_from_joint=IDENTITY))]
    assert [bool(state.closed[0]) for state in states] == [False, True]


def test_many_loops_that_depend_on_each_other() -> None:
    tree = Kinematics(ladder(20))
    state, = tree.loop_states({'foot0': 0.3})
    assert state.closed.all() and len(state.driven) == 1
    assert np.abs(tree.resolve({'foot0': 0.3})[:21] - 0.3).max() < 1e-9


def test_turns_count_where_a_screw_is_in_the_loop() -> None:
    tree = Kinematics(load_model(SCREW))
    solver = tree.dependent_solver([0])
    reached = tree.resolve({'turn': 0.5})
    q = reached.copy()
    q[0] += math.tau
    while not solver.follow(q, reached, solver.loop_solvers):
        pass
    assert q[2] == pytest.approx(-0.1 * (0.5 / math.tau + 1.0))


def test_vector_and_mapping_and_batch_agree() -> None:
    tree = Kinematics(four_bar())
    cranks = np.linspace(-3.0, 3.0, 7)
    batch = tree.fk(np.column_stack((cranks, np.zeros((7, 3)))))
    for crank, frames in zip(cranks, batch):
        assert np.abs(tree.fk([crank, 0.0, 0.0, 0.0]) - frames).max() < 1e-9
        assert np.abs(tree.fk({'crank': crank}) - frames).max() < 1e-9
