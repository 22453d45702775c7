# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Configurations as vectors and mappings, and coordinates that follow others."""

from hrdf_ros.kinematics import FullConfiguration, Kinematics, UnknownNameError
from hrdf_ros.model import Coordinate, Mimic, Model
import numpy as np
import pytest

# c follows b, which follows a: b = 2 a + 1, c = 3 b - 1; the mimic may stand first.
CHAIN = (
    Coordinate('c', 'angle', mimic=Mimic(1, 3.0, -1.0)),
    Coordinate('b', 'angle', mimic=Mimic(2, 2.0, 1.0)),
    Coordinate('a', 'angle', initial_position=0.5),
)


MODEL = Model('m', 'urdf', '1.0', 'w', coordinates=CHAIN)


@pytest.mark.parametrize(('q', 'expected'), [
    (None, [5.0, 2.0, 0.5]),
    ({}, [5.0, 2.0, 0.5]),
    ([9.0, 9.0, 1.0], [8.0, 3.0, 1.0]),
    ([[9.0, 9.0, 1.0], [0.0, 0.0, 0.0]], [[8.0, 3.0, 1.0], [2.0, 1.0, 0.0]]),
    ({'a': 1.0}, [8.0, 3.0, 1.0]),
    ({'a': 1.0, 'b': 7.0}, [20.0, 7.0, 1.0]),
    ({'a': 1.0, 'c': 7.0}, [7.0, 3.0, 1.0]),
    (FullConfiguration(np.array([9.0, 8.0, 7.0])), [9.0, 8.0, 7.0]),
])
def test_mimics_are_computed_unless_named(q: object, expected: list[float]) -> None:
    assert Kinematics(MODEL).resolve(q).tolist() == expected


@pytest.mark.parametrize('q', [[1.0], [[1.0, 2.0]], 1.0, [[[1.0, 2.0, 3.0]]]])
def test_wrong_shape_is_refused(q: object) -> None:
    with pytest.raises(ValueError, match=r'not \(3,\) or \(K, 3\)'):
        Kinematics(MODEL).fk(q)


def test_a_misspelled_name_says_which_one_is_near() -> None:
    arm = Kinematics.load(
        '<robot version="1.5.0"><actuator type="X5-4" tag="base"/>'
        '<end-effector type="custom" tag="tool"/></robot>')
    with pytest.raises(UnknownNameError, match="^the model has no frame named 'tol'; did you mean "
                                               "'tool'\\?$"):
        arm.pose('tol')
    with pytest.raises(UnknownNameError, match="^the model has no coordinate named 'bsae'; did "
                                               "you mean 'base'\\?$"):
        arm.fk({'bsae': 1.0})
    with pytest.raises(KeyError, match="no joint named 'bse'; did you mean 'base'"):
        arm.joints['bse']
    with pytest.raises(KeyError, match="no frame named 'tol'; did you mean 'tool'"):
        arm.poses()['tol']
    assert 'tool' in arm.frames and 'tol' not in arm.frames
    with pytest.raises(TypeError, match='^a frame is given by its name, not dict$'):
        arm.pose({'base': 1.0})  # type: ignore[arg-type]  # as callers without types do


def test_unknown_coordinate_is_named() -> None:
    with pytest.raises(UnknownNameError, match="^the model has no coordinate named 'd'$"):
        Kinematics(MODEL).fk({'d': 1.0})


def test_vector_is_a_copy() -> None:
    q = np.array([9.0, 9.0, 1.0])
    Kinematics(MODEL).resolve(q)
    assert q.tolist() == [9.0, 9.0, 1.0]


def test_cycle_of_mimics_leaves_one_leader() -> None:
    mimics = (Mimic(1, 2.0), Mimic(0, 3.0), Mimic(2, 5.0))
    table = tuple(Coordinate(name, 'angle', mimic=each) for name, each in zip('abc', mimics))
    tree = Kinematics(Model('m', 'urdf', '1.0', 'w', coordinates=table))
    assert tree.resolve([1.0, 0.0, 4.0]).tolist() == [1.0, 3.0, 4.0]
