# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Configurations as vectors and mappings, and coordinates that follow others."""

from hrdf_ros.model import Coordinate, Mimic
from hrdf_ros.tree import UnknownNameError
from hrdf_ros.tree.coordinates import Coordinates, Followers
import pytest

# c follows b, which follows a: b = 2 a + 1, c = 3 b - 1; the follower may stand first.
CHAIN = (
    Coordinate('c', 'angle', mimic=Mimic(1, 3.0, -1.0)),
    Coordinate('b', 'angle', mimic=Mimic(2, 2.0, 1.0)),
    Coordinate('a', 'angle', start=0.5),
)


@pytest.mark.parametrize(('q', 'expected'), [
    (None, [5.0, 2.0, 0.5]),
    ({}, [5.0, 2.0, 0.5]),
    ([9.0, 9.0, 1.0], [8.0, 3.0, 1.0]),
    ([[9.0, 9.0, 1.0], [0.0, 0.0, 0.0]], [[8.0, 3.0, 1.0], [2.0, 1.0, 0.0]]),
    ({'a': 1.0}, [8.0, 3.0, 1.0]),
    ({'a': 1.0, 'b': 7.0}, [20.0, 7.0, 1.0]),
    ({'a': 1.0, 'c': 7.0}, [7.0, 3.0, 1.0]),
])
def test_followers_follow_unless_named(q: object, expected: list[float]) -> None:
    assert Coordinates(CHAIN).vector(q).tolist() == expected


def test_vector_is_a_copy() -> None:
    q = [9.0, 9.0, 1.0]
    Coordinates(CHAIN).vector(q)
    assert q == [9.0, 9.0, 1.0]


def test_cycle_of_mimics_leaves_one_leader() -> None:
    table = (Coordinate('a', 'angle', mimic=Mimic(1, 2.0)), Coordinate('b', 'angle',
             mimic=Mimic(0, 3.0)), Coordinate('c', 'angle', mimic=Mimic(2, 5.0)))
    assert Followers(table).indices == (1,)
    assert Coordinates(table).vector([1.0, 0.0, 4.0]).tolist() == [1.0, 3.0, 4.0]


@pytest.mark.parametrize('q', [[1.0], [[1.0, 2.0]], 1.0, [[[1.0, 2.0, 3.0]]]])
def test_wrong_shape_is_refused(q: object) -> None:
    with pytest.raises(ValueError, match=r'needs \(3,\) or \(K, 3\)'):
        Coordinates(CHAIN).vector(q)


def test_unknown_coordinate_is_named() -> None:
    with pytest.raises(UnknownNameError, match="^the model has no coordinate named 'd'$"):
        Coordinates(CHAIN).vector({'d': 1.0})
