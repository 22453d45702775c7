# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Every joint of the URDF reported, as by joint_state_publisher; the history of joint states."""

from __future__ import annotations

from collections.abc import Mapping
import math
from pathlib import Path
from xml.etree import ElementTree

from helpers.tf_stream import Bench
from hrdf_ros.node.jobs import load_description
from hrdf_ros.node.robot import Robot
from hrdf_ros.node.robot_state import HistoryBudget, JointHistory
from hrdf_ros.node.settings import Settings
import numpy as np
import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / 'examples'
SECOND = 1_000_000_000
LOOPS = ('four_bar', 'parallel_gripper', 'delta')


class Sliders(Bench):
    """Sends every joint of a robot's URDF, as joint_state_publisher does."""

    def __init__(self, file: Path, **settings: object) -> None:
        made = Settings(model=str(file))._replace(**settings)
        description = load_description(made)
        self.names = [
            joint.attrib['name']
            for joint in ElementTree.fromstring(description.urdf).findall('joint')
            if joint.get('type') not in ('fixed', 'floating', 'planar')]
        super().__init__(Robot(description, made))

    def slide(self, positions: Mapping[str, float] = {}) -> None:
        self.move({name: positions.get(name, 0.0) for name in self.names})

    def position(self, name: str) -> float:
        return float(self.state.positions[self.state.robot.coordinate[name]])

    def loops_are_closed(self) -> bool:
        full = self.state.robot.kinematics.dependent_solver()
        return all(bool(state.closed.all()) for state in full.states(self.state.positions))


@pytest.mark.parametrize('name', LOOPS)
def test_loops_stay_closed_when_every_joint_is_reported(name: str) -> None:
    sliders = Sliders(EXAMPLES / 'sdf' / f'{name}.sdf')
    robot = sliders.state.robot
    driven = robot.kinematics.independent[0]
    sliders.slide()
    assert sliders.loops_are_closed()
    for step in range(1, 6):
        sliders.slide({driven: 0.02 * step})
        assert sliders.loops_are_closed()
        assert sliders.position(driven) == pytest.approx(0.02 * step)


def test_what_drives_a_loop_is_logged_once() -> None:
    sliders = Sliders(EXAMPLES / 'sdf' / 'four_bar.sdf')
    for step in range(3):
        sliders.slide({'crank_pin': 0.1 * step})
    assert sliders.told == [
        'joint_states reports more joints of a closed loop than drive it: drive is used, '
        'crank_pin, pivot are computed (set the parameter actuated_joints to choose others)']
    assert sliders.warnings == []


def test_the_user_chooses_what_drives_a_loop() -> None:
    sliders = Sliders(EXAMPLES / 'sdf' / 'four_bar.sdf', actuated_joints=('pivot',))
    sliders.slide({'drive': 0.7, 'pivot': 0.05})
    assert sliders.loops_are_closed()
    assert sliders.position('pivot') == pytest.approx(0.05)
    assert sliders.position('drive') != pytest.approx(0.7)


@pytest.mark.parametrize('file', [
    'hrdf/gantry.hrdf', 'hrdf/features/joints.hrdf', 'sdf/features/joints.sdf'])
def test_joints_that_only_the_urdf_has_are_not_unknown(file: str) -> None:
    sliders = Sliders(EXAMPLES / file)
    assert set(sliders.names) - set(sliders.state.robot.coordinate)
    sliders.slide()
    assert sliders.warnings == []
    sliders.move({'ball_joint': 0.0, 'wheel': 0.0})
    assert len(sliders.warnings) == 1


# ---- history

STRAIGHT = np.array([False, False])


def filled(count: int) -> JointHistory:
    history = JointHistory(np.array([0, 1]), 10.0, HistoryBudget())
    for step in range(count):
        history.append(SECOND + step * SECOND // 100, np.array([step, -step], dtype=float))
    return history


@pytest.mark.parametrize('count', [2, 5000])
def test_states_between_are_interpolated(count: int) -> None:
    history = filled(count)
    period = SECOND // 100
    for step in {max(0, count - 1000), count - 2}:
        value = history.at(SECOND + step * period + period // 4, STRAIGHT)
        assert value == pytest.approx([step + 0.25, -step - 0.25])
        assert history.at(SECOND + step * period, STRAIGHT).tolist() == [step, -step]


def test_the_duration_is_kept_and_no_more() -> None:
    assert filled(0).span() is filled(0).at(5, STRAIGHT) is None
    history = filled(5000)
    first, last = history.span()
    assert last == SECOND + 4999 * SECOND // 100
    assert last - first == 10 * SECOND
    assert history.at(first, STRAIGHT) is not None
    assert history.at(first - SECOND // 50, STRAIGHT) is None


def test_histories_share_their_memory() -> None:
    budget = HistoryBudget(1_000_000)
    histories = [JointHistory(np.arange(20), 1e6, budget) for _ in range(20)]
    for step in range(2000):
        for history in histories:
            history.append(step, np.zeros(20))
    assert 0 <= budget.left < 1000
    assert all(history.span()[1] == 1999 for history in histories)
    for history in histories:
        history.clear()
    assert budget.left == 1_000_000


def test_continuous_coordinates_go_the_short_way_round() -> None:
    history = JointHistory(np.array([0, 1]), 10.0, HistoryBudget())
    history.append(0, np.array([3.0, 3.0]))
    history.append(10, np.array([-3.0, -3.0]))
    middle = history.at(5, np.array([True, False]))
    assert abs(middle[0]) == pytest.approx(math.pi)
    assert middle[1] == pytest.approx(0.0)


def test_a_late_state_is_left_out_and_a_clock_that_goes_back_starts_afresh() -> None:
    history = filled(100)
    for late in (SECOND + SECOND // 2, SECOND + 99 * SECOND // 100):
        history.append(late, np.array([7.0, 7.0]))
    assert history.span() == (SECOND, SECOND + 99 * SECOND // 100)
    assert history.at(SECOND + SECOND // 2, STRAIGHT).tolist() == [50.0, -50.0]
    history.append(5, np.array([7.0, 7.0]))
    assert history.span() == (5, 5)
    history.append(15, np.array([9.0, 9.0]))
    assert history.at(10, STRAIGHT).tolist() == [8.0, 8.0]
