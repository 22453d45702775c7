# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The ring of joint states."""

import math

from hrdf_ros.node.joint_state_buffer import Ring, Room
import numpy as np
import pytest

SECOND = 1_000_000_000
STRAIGHT = np.array([False, False])


def filled(count, period=SECOND // 100, duration=10.0):
    ring = Ring(np.array([0, 1]), duration)
    for step in range(count):
        ring.record(SECOND + step * period, np.array([step, -step], dtype=float))
    return ring


def test_nothing_is_known_while_empty():
    assert Ring(np.array([0]), 1.0).span() is None
    assert Ring(np.array([0]), 1.0).at(5, STRAIGHT[:1]) is None


def test_a_single_state_answers_for_its_stamp():
    ring = filled(1)
    assert ring.at(SECOND, STRAIGHT).tolist() == [0.0, -0.0]
    assert ring.at(SECOND + 1, STRAIGHT) is None


@pytest.mark.parametrize('count', [2, 255, 256, 257, 1000, 5000])
def test_states_between_are_interpolated(count):
    ring = filled(count)
    period = SECOND // 100
    for step in {0, count // 2 - 1, count - 2}:
        if count - step > 1000:
            continue
        value = ring.at(SECOND + step * period + period // 4, STRAIGHT)
        assert value == pytest.approx([step + 0.25, -step - 0.25])


def test_the_duration_is_kept_and_not_much_more():
    ring = filled(5000)
    first, last = ring.span()
    assert last == SECOND + 4999 * SECOND // 100
    assert last - first <= 10 * SECOND
    assert ring.at(last - 9 * SECOND, STRAIGHT) is not None
    assert ring.at(SECOND, STRAIGHT) is None


def test_memory_is_bounded_at_any_rate():
    ring = filled(200_000, period=10, duration=1e9)
    assert sum(array.nbytes for array in ring._state[:2]) <= 64 * 1024 * 1024


def test_rings_share_their_memory():
    room = Room(1_000_000)
    rings = [Ring(np.arange(20), 10.0, room) for _ in range(20)]
    room.share(rings)
    for step in range(2000):
        for ring in rings:
            ring.record(step, np.zeros(20))
    assert sum(ring.size for ring in rings) <= 1_100_000
    assert all(ring.span()[1] == 1999 for ring in rings)
    del ring, rings[1:]
    assert room.left > 0


def test_turning_coordinates_go_the_short_way_round():
    ring = Ring(np.array([0, 1]), 10.0)
    ring.record(0, np.array([3.0, 3.0]))
    ring.record(10, np.array([-3.0, -3.0]))
    middle = ring.at(5, np.array([True, False]))
    assert abs(middle[0]) == pytest.approx(math.pi)
    assert middle[1] == pytest.approx(0.0)


def test_a_stamp_of_the_past_starts_afresh():
    ring = filled(100)
    ring.record(5, np.array([7.0, 7.0]))
    assert ring.span() == (5, 5)
    ring.record(15, np.array([9.0, 9.0]))
    assert ring.at(10, STRAIGHT).tolist() == [8.0, 8.0]


def test_a_repeated_stamp_changes_nothing():
    ring = filled(3)
    ring.record(SECOND + 2 * SECOND // 100, np.array([9.0, 9.0]))
    assert ring.at(SECOND + 2 * SECOND // 100, STRAIGHT).tolist() == [2.0, -2.0]


def test_a_late_state_is_left_out_and_a_clock_that_goes_back_starts_afresh():
    ring = filled(100)
    ring.record(SECOND + SECOND // 2, np.array([7.0, 7.0]))
    assert ring.span() == (SECOND, SECOND + 99 * SECOND // 100)
    assert ring.at(SECOND + SECOND // 2, STRAIGHT).tolist() == [50.0, -50.0]
    ring.record(SECOND // 2, np.array([7.0, 7.0]))
    assert ring.span() == (SECOND // 2, SECOND // 2)
