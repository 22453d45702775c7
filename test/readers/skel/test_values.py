# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Numbers, vectors, transformations and truth values as DART reads them."""

import math

from hrdf_ros.parsing import skel
from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.pose import compose, from_axis_angle, to_matrix, translation
from hypothesis import given, strategies
import pytest

FINITE = strategies.floats(allow_nan=False, allow_infinity=False)
ANGLES = strategies.floats(-10.0, 10.0)


@pytest.mark.parametrize(('text', 'value', 'ignored'), [
    ('1', 1.0, None),
    (' \t-2.5e3\n', -2500.0, None),
    ('0x10', 16.0, None),
    ('.5', 0.5, None),
    ('1m', 1.0, 1),
    ('0.005s', 0.005, 5),
    ('1,2,3', 1.0, 1),
    ('1 2', 1.0, 1),
    ('1_000', 1.0, 1),
])
def test_number_is_what_stod_reads(text: str, value: float, ignored: int) -> None:
    assert skel.number(text) == skel.Numbers((value,), ignored)


@pytest.mark.parametrize('text', ['', ' ', 'x', '--1', 'nan', 'inf', '1e400', '١'])
def test_number_that_dart_refuses_is_a_fault(text: str) -> None:
    with pytest.raises(ValueSyntaxError):
        skel.number(text)


@given(strategies.lists(FINITE, min_size=1, max_size=6), strategies.sampled_from(' \t\r\n'))
def test_vector_is_read_to_the_last_bit(values: list[float], separator: str) -> None:
    text = separator.join(map(repr, values))
    assert skel.vector(text, len(values)) == skel.Numbers(tuple(values))


@pytest.mark.parametrize(('text', 'index'), [
    ('1 x 3', 2), ('1 2 inf', 4), ('1 1e999 3', 2), ('1 2 \n', 3)])
def test_vector_faults_are_located(text: str, index: int) -> None:
    assert skel.vector('1 2m 3 4', 3) == skel.Numbers((1.0, 2.0, 3.0), 3)
    with pytest.raises(ValueSyntaxError) as fault:
        skel.vector(text, 3)
    assert fault.value.index == index


@given(ANGLES, ANGLES, ANGLES)
def test_pose_turns_about_x_then_the_new_y_then_the_new_z(a: float, b: float, c: float) -> None:
    expected = compose(
        translation(1.0, 2.0, 3.0), compose(
            from_axis_angle((1.0, 0.0, 0.0), a), compose(
                from_axis_angle((0.0, 1.0, 0.0), b), from_axis_angle((0.0, 0.0, 1.0), c))))
    found = skel.pose((1.0, 2.0, 3.0, a, b, c))
    assert found.position == expected.position
    assert to_matrix(found) == pytest.approx(to_matrix(expected), abs=1e-12)


@pytest.mark.parametrize(('text', 'value'), [
    ('1', True), ('TRUE', True), ('0', False), ('False', False), ('yes', None), ('1 ', None),
    ('', None)])
def test_boolean_is_one_of_four_words(text: str, value: bool | None) -> None:
    assert skel.boolean(text) is value


def test_lengths_of_transformations_and_limits() -> None:
    assert skel.transformation('1 2 3').values == (1.0, 2.0, 3.0, 0.0, 0.0, 0.0)
    assert skel.limit('-INFINITY') == skel.Numbers((-math.inf,))
    with pytest.raises(ValueSyntaxError):
        skel.transformation('  ')
