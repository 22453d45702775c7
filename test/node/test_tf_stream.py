# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""From JointState to TF, without ROS: bytes in, bytes out."""

from __future__ import annotations

import gc
import math
from pathlib import Path
import random
import weakref

from helpers.cdr import serialized
from helpers.tf_stream import Bench, ENDLESS, NOW, robot_of, SLIDES, star
from hrdf_ros.node.cdr import JointPositions
from hrdf_ros.node.tf_stream import LearningBudget, Throttle
from hrdf_ros.pose import from_matrix
import numpy as np
import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / 'examples'
SECOND = 1_000_000_000
MIMIC = '<mimic joint="j0" multiplier="-0.5" offset="0.25"/>'
BALL = """<skel version="1.0"><world name="w"><skeleton name="s">
<body name="a"><inertia><mass>1</mass></inertia></body>
<body name="b"><transformation>0 0 1 0 0 0</transformation><inertia><mass>1</mass></inertia></body>
<joint type="weld" name="w"><parent>world</parent><child>a</child></joint>
<joint type="ball" name="u"><parent>a</parent><child>b</child></joint></skeleton></world></skel>"""


def chain(count: int, kinds: tuple[str, ...], mimics: bool = False) -> str:
    """Return a URDF of joints of these kinds in turn, with origins and axes off the axes."""
    chance = random.Random(count)
    parts = ['<robot name="r"><link name="l0"/>']
    for index in range(count):
        axis = ' '.join(f'{chance.uniform(-1.0, 1.0):.3f}' for _ in range(3))
        parts.append(
            f'<link name="l{index + 1}"/>'
            f'<joint name="j{index}" type="{kinds[index % len(kinds)]}">'
            f'<parent link="l{index}"/><child link="l{index + 1}"/><origin rpy="{axis}" '
            f'xyz="{axis}"/><axis xyz="{axis}"/>{MIMIC if mimics and index % 3 else ""}'
            '<limit lower="-3" upper="3" effort="1" velocity="1"/></joint>')
    return ''.join([*parts, '</robot>'])


def require_poses(bench: Bench, rows: dict[str, tuple[float, ...]]) -> None:
    """Require that transforms are those of the kinematics at the present positions."""
    model, kinematics = bench.state.robot.model, bench.state.robot.kinematics
    parents = {model.bodies[joint.child].name: model.bodies[joint.parent].name
               for joint in model.joints}
    q = dict(zip((each.name for each in model.coordinates), bench.state.positions.tolist()))
    for child, row in rows.items():
        matrix = kinematics.pose(child, relative_to=parents[child], q={
            name: q[name] for name in kinematics.independent})
        pose = from_matrix(matrix[:3, 3].tolist(), matrix[:3, :3].ravel().tolist())
        sign = math.copysign(1.0, np.dot(pose[3:], row[3:]))
        assert [*pose[:3], *np.multiply(sign, pose[3:])] == pytest.approx(row, abs=1e-12)


@pytest.mark.parametrize('mimics', [False, True])
@pytest.mark.parametrize('kinds', [
    ('revolute',), ('prismatic',), ('revolute', 'prismatic', 'continuous')])
@pytest.mark.parametrize('count', [1, 6, 40])
def test_transforms_are_the_poses_of_the_joints(
    count: int, kinds: tuple[str, ...], mimics: bool,
) -> None:
    bench, chance = Bench(chain(count, kinds, mimics)), random.Random(7)
    names = [f'j{index}' for index in range(count) if not (mimics and index % 3)]
    for second in range(1, 4):
        for order in (names, names[::-1]):
            rows = bench.move({name: chance.uniform(-3.0, 3.0) for name in order}, second * SECOND)
            assert len(rows) == count
            require_poses(bench, rows)


def published(rate: int, throttle: Throttle, jitter: int = 0) -> int:
    bench = Bench(SLIDES, throttle=throttle)
    for step in range(1000):
        bench.move({'s': 0.1}, 10 * SECOND + step * SECOND // rate + jitter * (step % 3 - 1))
    return len(bench.sent)


def test_frequency_is_met_without_rounding() -> None:
    assert published(100, Throttle(50_000_000)) == 200
    assert published(100, Throttle(20_000_000)) == 500
    assert published(100, Throttle(33_333_333)) in (300, 301)
    assert published(100, Throttle(50_000_000), jitter=2_000_000) in range(199, 202)
    assert published(100, Throttle(0)) == 1000
    assert published(100, Throttle(50_000_000, ignore_timestamp=True)) == 1000


def test_the_least_recently_published_joint_decides() -> None:
    bench = Bench(SLIDES, throttle=Throttle(50_000_000))
    assert bench.move({'s': 0.1}, SECOND)
    assert not bench.move({'s': 0.1}, SECOND + 1_000_000)
    assert bench.move({'s': 0.1, 'n': 0.1}, SECOND + 2_000_000)


def test_two_publishers_whose_clocks_differ_are_both_throttled() -> None:
    bench = Bench(SLIDES, throttle=Throttle(50_000_000))
    for step in range(100):
        bench.move({'s': 0.1}, 100 * SECOND + step * 10_000_000)
        bench.move({'n': 0.1}, 5 * SECOND + step * 10_000_000)
    assert len(bench.sent) == 40
    assert not bench.warnings


def test_a_clock_that_goes_back_starts_afresh() -> None:
    bench = Bench(SLIDES, throttle=Throttle(50_000_000))
    assert bench.move({'s': 0.1}, 9 * SECOND)
    assert bench.move({'s': 0.1}, 2 * SECOND)
    assert not bench.move({'s': 0.1}, 2 * SECOND + 10_000_000)
    [warning] = bench.warnings
    assert 'went back' in warning
    for second in (9, 2) * 150:
        assert bench.move({'s': 0.1}, second * SECOND)
    assert len(bench.warnings) == 100


def test_a_stamp_of_zero_is_the_time_of_the_node() -> None:
    bench = Bench(SLIDES, throttle=Throttle(50))
    bench.move({'s': 0.5}, 0)
    assert [stamp for stamp, _ in bench.sent] == [NOW]
    assert bench.state.activity.stamp == NOW


def test_mimics_follow_through_chains_and_their_own_value_wins() -> None:
    bench = Bench(SLIDES)
    for positions, expected in (
            ({'s': 0.25}, {'cart': 0.25, 'copy': 0.5, 'last': 0.5}),
            ({'m': 1.5, 's': 0.25}, {'cart': 0.25, 'copy': 1.5, 'last': -0.5})):
        rows = bench.move(positions)
        assert {child: row[0] for child, row in rows.items()} == pytest.approx(expected)
    assert set(bench.move({'m': 2.0})) == {'copy', 'last'}


def test_part_of_a_joint_with_several_coordinates_waits_for_the_rest() -> None:
    bench = Bench(BALL)
    assert bench.move({'u_x': 0.3}) == {}
    assert bench.move({'u_y': 0.3}) == {}
    assert set(bench.move({'u_z': 0.1})) == {'b'}
    assert set(bench.move({'u_x': 0.2})) == {'b'}
    robot = bench.state.robot
    fixed = [index for index in robot.edges if not robot.used[index]]
    static = {child for _, child in robot.frames_of(fixed)}
    assert {body.name for body in robot.model.bodies} == {'world', *static, 'b'}


def test_the_first_of_two_values_for_a_joint_counts() -> None:
    bench = Bench(SLIDES)
    bench.stream.receive(serialized(['n', 'n'], [0.25, 0.75]))
    assert bench.sent[-1][1]['last'][0] == 0.25


# ---- messages that are odd

@pytest.mark.filterwarnings('ignore:overflow:RuntimeWarning')
def test_positions_that_are_not_finite_leave_out_their_joints() -> None:
    bench = Bench(SLIDES)
    for huge in (math.nan, math.inf, -math.inf, 1.7e308, -1e100):
        assert set(bench.move({'s': huge, 'n': 0.5})) == {'last'}
    assert list(bench.state.activity.not_finite) == ['s']
    assert bench.move({'s': math.nan, 'n': -math.inf}) == {}
    assert bench.move({'s': 9e99, 'n': 0.5}).keys() == {'cart', 'copy', 'last'}


@pytest.mark.filterwarnings('ignore:overflow:RuntimeWarning')
def test_transforms_that_are_not_finite_are_not_published() -> None:
    bench = Bench(SLIDES.replace('multiplier="2"', 'multiplier="1e250"'))
    assert bench.move({'s': 1e90}) == {}
    assert 'its transforms are not finite' in bench.warnings[0]
    assert bench.move({'s': 0.0}).keys() == {'cart', 'copy', 'last'}


def test_ignored_messages_are_reported_with_their_reason() -> None:
    bench = Bench(SLIDES)
    for data in (serialized(['s', 'n'], [1.0]), serialized(['s', 'n'], []),
                 b'\0\1\0\0garbage'):
        bench.stream.receive(data)
    assert bench.sent == []
    assert [warning.partition(': ')[2] for warning in bench.warnings] == [
        'it has 2 names but 1 position', 'it has no positions',
        'its bytes are not a JointState']
    assert bench.state.activity.ignored == 3
    bench.stream.receive(serialized(['x' * 600_000], [1.0]))  # more than 512 KiB
    assert bench.state.activity.ignored == 4
    for count in range(3, 200):
        for _ in range(2):
            bench.stream.receive(serialized(['s'] * count, [1.0]))
    assert len(bench.warnings) == 100


def test_warnings_about_unknown_names_end() -> None:
    bench = Bench(SLIDES)
    for turn in range(500):
        bench.move({f'new_{turn}\x1b[2J\n[FATAL]': 1.0})
    assert len(bench.warnings) == 100
    assert all(warning.isprintable() for warning in bench.warnings)


@pytest.mark.parametrize(('names', 'meant'), [
    (('elbo', 'wrist'), "elbo; did you mean 'elbow'?"),
    (('elbo', 'gripper', 'elbow'), 'elbo, gripper'),  # the joint that is near is there
    (('gripper', 'elbo'), 'gripper, elbo')])
def test_an_unknown_name_suggests_a_joint_that_is_not_there(
    names: tuple[str, ...], meant: str,
) -> None:
    bench = Bench(star(['elbow', 'wrist']))
    bench.move(dict.fromkeys(names, 0.1))
    assert bench.warnings == [
        f'joint_states names joints that the robot does not have: {meant}']


# ---- new names

def test_what_publishers_can_fill_is_bounded() -> None:
    names = [f'j{index}' for index in range(10)]
    bench = Bench(star(names))
    for subset in range(1, 1024):
        bench.move({name: 0.1 for bit, name in enumerate(names) if subset >> bit & 1}, subset)
    for turn in range(11):
        bench.move({f'unknown_{turn}_{index}': 0.0 for index in range(10_000)})
    state = bench.state
    assert len(bench.sent) == 1023
    assert len(state.histories) <= 64
    assert len(state.plans) <= 64
    assert sum(map(len, state.plans)) <= 100_000
    assert len(state.activity.unknown) <= 1000


@pytest.mark.parametrize('budget', [ENDLESS, LearningBudget(share=0.0, most=0.1)])
def test_known_names_stay_known_among_ever_new_ones(budget: LearningBudget) -> None:
    bench = Bench(star([f'j{index}' for index in range(12)]), budget=budget)
    for turn in range(1, 1500):
        assert bench.move({'j0': 0.1})
        bench.move({f'j{bit}': 0.0 for bit in range(1, 12) if turn >> bit - 1 & 1})
    if budget is not ENDLESS:
        assert 'more new names than can be processed' in bench.state.activity.faults


# ---- another robot

def test_another_robot_keeps_what_is_known_of_its_joints() -> None:
    bench = Bench(SLIDES, budget=LearningBudget(share=0.0, most=1e-9))
    bench.stream.receive_named(JointPositions(SECOND, ('s',), np.array([0.5])))
    bench.load(SLIDES)
    assert bench.state.positions.tolist() == pytest.approx([0.5, 1.0, 0.0])
    assert bench.state.reported.tolist() == [True, False, False]
    bench.stream.receive_named(JointPositions(SECOND, ('s',), np.array([0.25])))
    assert bench.sent[-1][1]['cart'][0] == 0.25


def test_a_robot_that_is_replaced_is_freed_without_a_collection() -> None:
    bench = Bench(SLIDES)
    bench.move({'s': 0.25})
    before = weakref.ref(bench.state.robot)
    gc.collect()
    gc.disable()
    try:
        bench.load(robot_of(SLIDES))
        bench.move({'s': 0.5})
        assert before() is None
    finally:
        gc.enable()


# ---- closed loops

class Loops(Bench):
    """A bench for a mechanism of the examples, moved by its first joint."""

    def __init__(self, name: str) -> None:
        super().__init__((EXAMPLES / 'sdf' / f'{name}.sdf').read_text())
        self.joint = self.state.robot.kinematics.independent[0]
        self.turn(0.0, 1)

    def turn(self, position: float, second: int) -> bool:
        """Send a position; return whether it was published."""
        return bool(self.move({self.joint: position}, second * SECOND))

    def residual(self) -> float:
        solver = self.state.robot.kinematics.dependent_solver()
        return max(float(state.residual[0]) for state in solver.states(self.state.positions))


def test_a_loop_that_is_far_away_is_published_when_it_is_closed() -> None:
    bench = Loops('delta')
    assert not bench.turn(1.5, 2)
    assert bench.lookup(bench.state.robot.root).stamp == SECOND
    while bench.stream.go_on():
        assert len(bench.sent) == 1
    assert bench.sent[-1][0] == 2 * SECOND
    assert bench.residual() < 1e-9
    resolved = bench.state.robot.kinematics.resolve({bench.joint: 1.5})
    assert np.exp(1j * bench.state.positions) == pytest.approx(np.exp(1j * resolved), abs=1e-9)
    assert bench.turn(1.51, 3)
    assert not bench.stream.go_on()


def test_the_next_messages_go_on_with_a_loop_that_is_far_away() -> None:
    bench = Loops('delta')
    sent = [bench.turn(1.5 + 0.001 * second, second) for second in range(2, 20)]
    first = sent.index(True)
    assert 0 < first < 10 and all(sent[first:])
    assert not bench.stream.go_on()


def test_an_easier_message_makes_the_far_one_outdated() -> None:
    bench = Loops('delta')
    assert not bench.turn(1.5, 2)
    while not bench.turn(0.01, 3):
        pass
    assert not bench.stream.go_on()
    assert [stamp for stamp, _ in bench.sent] == [SECOND, 3 * SECOND]


@pytest.mark.parametrize('name', ['four_bar', 'parallel_gripper', 'delta'])
@pytest.mark.parametrize(
    'position', [3.0, -3.0, 50.0, -50.0, 1e4, -1e4, 1e9, 1e50, -1e99, 1e99])
def test_every_position_is_published_after_bounded_work(name: str, position: float) -> None:
    bench = Loops(name)
    bench.turn(position, 2)
    calls = sum(1 for _ in iter(bench.stream.go_on, False))
    assert calls < 200
    assert bench.sent[-1][0] == 2 * SECOND
    assert np.isfinite(bench.state.positions).all()


def test_whole_turns_change_nothing() -> None:
    bench = Loops('four_bar')
    bench.turn(0.1, 2)
    once = {child: np.abs(row) for child, row in bench.sent[-1][1].items()}
    for second, turns in enumerate((1, -1, 8, 10_000), 3):
        assert bench.turn(0.1 + turns * math.tau, second)
        for child, row in bench.sent[-1][1].items():  # q and -q are one rotation
            assert np.abs(row) == pytest.approx(once[child], abs=1e-9)
