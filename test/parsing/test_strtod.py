# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Numbers as C reads them, against C itself; words and what they may have meant."""

import ctypes
from math import isnan

from hrdf_ros.parsing.strtod import leading_number
from hrdf_ros.parsing.suggestions import closest, did_you_mean
from hypothesis import example, given, strategies

PIECES = strategies.sampled_from([
    *'0123456789', '.', 'e', 'E', '+', '-', 'x', 'X', 'p', 'inf', 'INF', 'infinity', 'nan',
    'nan(1)', 'nan(', ' ', '\t', '\n', 'a', 'f', '0x', ',', '1e999', '00', '_', 'i'])
TEXTS = strategies.lists(PIECES, max_size=8).map(''.join)


def c_number(text: str) -> tuple[float, int]:
    """Return what ``strtod`` reads, and how far; nothing read is 0."""
    strtod = ctypes.CDLL(None).strtod
    strtod.restype = ctypes.c_double
    strtod.argtypes = [ctypes.c_char_p, ctypes.POINTER(ctypes.c_char_p)]
    buffer = ctypes.create_string_buffer(text.encode('ascii'))
    rest = ctypes.c_char_p()
    value = strtod(ctypes.cast(buffer, ctypes.c_char_p), ctypes.byref(rest))
    return value, len(text) - len(rest.value or b'')


@given(TEXTS)
@example('0x1.8p3')
@example('0x.p1')
@example('0x')
@example('1e+')
@example('.')
@example('infin')
@example('nan(abc_1)')
@example('0x1p99999')
@example('-.5e-3x')
def test_numbers_are_read_as_c_does(text: str) -> None:
    value, end = c_number(text)
    found = leading_number(text)
    if found is None:
        assert end == 0
    else:
        assert found.end == end
        assert found.value == value or isnan(found.value) and isnan(value)


def test_a_number_may_be_read_from_the_middle() -> None:
    assert leading_number('1 2.5 3', 1) == (2.5, 5)
    assert leading_number('1 x', 1) is None
    assert leading_number('') is None


@given(strategies.floats(allow_nan=False))
def test_what_python_writes_is_read_back(value: float) -> None:
    assert leading_number(repr(value)) == (value, len(repr(value)))


def test_huge_exponents_take_no_time() -> None:
    assert leading_number('1e' + '9' * 4000) == (float('inf'), 4002)
    assert leading_number('0x' + 'f' * 4000 + 'p-16000') == (1.0, 4009)


def test_a_misspelt_word_is_recognized() -> None:
    assert did_you_mean('orign', ['origin', 'axis'])() == "did you mean 'origin'?"
    assert closest('ORIGIN', ['origin', 'axis']) == 'origin'
    assert closest('axsi', ('axis',)) == 'axis'
    assert closest('jnt', ['joint', 'Joint']) == closest('jnt', ['Joint', 'joint'])


def test_a_foreign_word_is_not() -> None:
    assert did_you_mean('wheel', ['origin', 'axis'])() is None
    assert did_you_mean('wheel', ['origin'], 'or else')() == 'or else'
    assert closest('', ['origin']) is None
    assert closest('origin', []) is None
