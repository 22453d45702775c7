# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The values of SDFormat: what libsdformat reads, refuses and ignores."""

import math

from hrdf_ros.parsing import sdf
from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.pose import from_rpy, IDENTITY
from hypothesis import given
from hypothesis import strategies as st
import pytest

FINITE = st.floats(allow_nan=False, allow_infinity=False, allow_subnormal=False)


@pytest.mark.parametrize('written, value, rest', [
    ('1', 1.0, None), (' -2.5e3 ', -2500.0, None), ('+3', 3.0, None), ('.5', 0.5, None),
    ('5.', 5.0, None), ('0', 0.0, None), ('0e5', 0.0, None), ('0x10', 16.0, None),
    ('inf', math.inf, None), ('-Infinity', -math.inf, None),
    ('1,', 1.0, 1), ('1abc', 1.0, 1), ('1.5f', 1.5, 3), ('1d0', 1.0, 1), ('1_0', 1.0, 1),
    ('1 2', 1.0, 1),
])
def test_double_is_read_as_far_as_it_goes(written, value, rest):
    loose = []
    assert sdf.double(written, loose) == value and math.isnan(sdf.double('nan'))
    assert loose == ([] if rest is None else [rest])


@pytest.mark.parametrize('read, written, value, rest', [
    (sdf.boolean, 'true', True, None), (sdf.boolean, ' TRUE ', True, None),
    (sdf.boolean, '1', True, None), (sdf.boolean, 'False', False, None),
    (sdf.integer, '3', 3, None), (sdf.integer, '-1', -1, None), (sdf.integer, '0x1F', 31, None),
    (sdf.integer, '3.7', 3, 1), (sdf.color, '1 0.5 0', (1.0, 0.5, 0.0, 1.0), None),
    (sdf.color, '0 0 0 0.25', (0.0, 0.0, 0.0, 0.25), None)])
def test_other_types(read, written, value, rest):
    loose = []
    assert (read(written) if read is sdf.boolean else read(written, loose)) == value
    assert loose == ([] if rest is None else [rest])


@pytest.mark.parametrize('read, texts', [
    (sdf.double, ['', '  ', 'abc', '1e999', '-1e999', '1e-400', '--1', '\u0661']),
    (sdf.boolean, ['yes', 'T', '', '2', 'true false']),
    (sdf.integer, ['', 'x', '99999999999']),
    (sdf.color, ['', '1 0', '1 0 0 0 0', '2 0 0', '-0.1 0 0', '1,1,1', '1 x 0'])])
def test_values_that_are_refused(read, texts):
    for text in texts:
        with pytest.raises(ValueSyntaxError):
            read(text)


@given(FINITE)
def test_double_reads_back_what_repr_writes(value):
    assert sdf.double(repr(value)) == value


@pytest.mark.parametrize('written, value, rest', [
    ('1 2 3', (1.0, 2.0, 3.0), None), ('1 0 0 0', (1.0, 0.0, 0.0), 5),
    ('1 2 3abc', (1.0, 2.0, 3.0), 5), ('1-2+3', (1.0, -2.0, 3.0), None),
    ('1e-400 0 0', (0.0, 0.0, 0.0), None),
])
def test_vector_requires_its_numbers_and_ignores_more(written, value, rest):
    loose = []
    assert sdf.vector(written, 3, loose) == value
    assert loose == ([] if rest is None else [rest])


@pytest.mark.parametrize('written, index', [
    ('', 0), ('1 2', 3), ('1, 2, 3', 1), ('nan 0 0', 0), ('0 inf 0', 2), ('1e999 0 0', 0),
    ('1e 2 3', 0), ('0x10 0 0', 1)])
def test_vector_refuses(written, index):
    with pytest.raises(ValueSyntaxError) as caught:
        sdf.vector(written, 3)
    assert caught.value.index == index


@given(st.tuples(FINITE, FINITE, FINITE))
def test_vector_reads_back_what_repr_writes(values):
    assert sdf.vector(' '.join(map(repr, values)), 3) == values


@pytest.mark.parametrize('written', ['', ' \n', '0 0 0 0 0 0', '0.0 -0 0 0 0 0'])
def test_pose_is_the_shared_identity(written):
    assert sdf.pose(written) is IDENTITY


def test_pose_in_degrees_and_radians():
    assert sdf.pose('1 2 3 90 0 0', degrees=True) == pytest.approx(
        from_rpy((1, 2, 3), (math.pi / 2, 0, 0)))
    assert sdf.pose('1 2 3 0.1 0.2 0.3') == from_rpy((1, 2, 3), (0.1, 0.2, 0.3))


def test_a_quaternion_without_a_direction_does_not_turn():
    loose = []
    assert sdf.pose('1 2 3 0 0 0 0', quaternion=True, loose=loose) == (1, 2, 3, 0, 0, 0, 1)
    assert loose == [6]


def test_pose_with_a_quaternion_of_any_length():
    assert sdf.pose('0 0 0 0 0 2 2', quaternion=True)[3:] == pytest.approx(
        (0, 0, math.sqrt(0.5), math.sqrt(0.5)))


@pytest.mark.parametrize('written, options, index', [
    ('1 2 3', {}, 0), ('1 2 3 4 5 6 7', {}, 12), ('nan 0 0 0 0 0', {}, 0),
    ('0 0 inf 0 0 0', {}, 4), ('0 1e999 0 0 0 0', {}, 2), ('0 0 1e-400 0 0 0', {}, 4),
    ('0 0 x 0 0 0', {}, 4), ('0 \u20021 0 0 0 0', {}, 2), ('0 0 0 0 0 0', {'quaternion': True}, 0),
    ('0 0 0 0 0 0 1', {'quaternion': True, 'degrees': True}, 0)])
def test_pose_refuses(written, options, index):
    with pytest.raises(ValueSyntaxError) as caught:
        sdf.pose(written, **options)
    assert caught.value.index == index


def test_pose_numbers_are_prefixes():
    loose = []
    assert sdf.pose('1, 2 3f 0 0 0', loose=loose)[:3] == (1.0, 2.0, 3.0)
    assert loose == [1, 6]


@pytest.mark.parametrize('name, reserved', [
    ('world', True), ('____', True), ('__model__', True), ('___', False), ('__x', False),
    ('worlds', False)])
def test_reserved_names(name, reserved):
    assert sdf.is_reserved(name) is reserved
