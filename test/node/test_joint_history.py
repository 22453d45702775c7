# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The history of joint states."""

import math

from hrdf_ros.node.joint_history import HistoryBudget, JointHistory
import numpy as np
import pytest

SECOND = 1_000_000_000
STRAIGHT = np.array([False, False])


def filled(count, period=SECOND // 100, duration=10.0):
    history = JointHistory(np.array([0, 1]), duration, HistoryBudget())
    for step in range(count):
        history.append(SECOND + step * period, np.array([step, -step], dtype=float))
    return history


def test_nothing_is_known_while_empty():
    assert filled(0).span() is None
    assert filled(0).at(5, STRAIGHT) is None


@pytest.mark.parametrize('count', [2, 255, 1000, 5000])
def test_states_between_are_interpolated(count):
    history = filled(count)
    period = SECOND // 100
    for step in {max(0, count - 1000), count - 2}:
        value = history.at(SECOND + step * period + period // 4, STRAIGHT)
        assert value == pytest.approx([step + 0.25, -step - 0.25])
        assert history.at(SECOND + step * period, STRAIGHT).tolist() == [step, -step]


def test_the_duration_is_kept_and_no_more():
    history = filled(5000)
    first, last = history.span()
    assert last == SECOND + 4999 * SECOND // 100
    assert last - first == 10 * SECOND
    assert history.at(first, STRAIGHT) is not None
    assert history.at(first - SECOND // 50, STRAIGHT) is None


def test_histories_share_their_memory():
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


def test_continuous_coordinates_go_the_short_way_round():
    history = JointHistory(np.array([0, 1]), 10.0, HistoryBudget())
    history.append(0, np.array([3.0, 3.0]))
    history.append(10, np.array([-3.0, -3.0]))
    middle = history.at(5, np.array([True, False]))
    assert abs(middle[0]) == pytest.approx(math.pi)
    assert middle[1] == pytest.approx(0.0)


def test_a_late_state_is_left_out_and_a_clock_that_goes_back_starts_afresh():
    history = filled(100)
    for late in (SECOND + SECOND // 2, SECOND + 99 * SECOND // 100):
        history.append(late, np.array([7.0, 7.0]))
    assert history.span() == (SECOND, SECOND + 99 * SECOND // 100)
    assert history.at(SECOND + SECOND // 2, STRAIGHT).tolist() == [50.0, -50.0]
    history.append(5, np.array([7.0, 7.0]))
    assert history.span() == (5, 5)
    history.append(15, np.array([9.0, 9.0]))
    assert history.at(10, STRAIGHT).tolist() == [8.0, 8.0]
