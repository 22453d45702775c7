# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The grammar of HRDF's values."""

from __future__ import annotations

import math
import random
from typing import Optional

from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.parsing.formula import (
    formula,
    matrix_rotation,
    number,
    rotation,
    translation,
)
from hrdf_ros.pose import compose, from_axis_angle, from_rpy, inverse, Pose, to_matrix
from hypothesis import example, given
from hypothesis import strategies as st
import pytest

# The test list of HRDF's own grammar: what is good with its value, and what is bad.
GOOD = {
    'pi / 4': .785, '1 + 4': 5, '32*45': 1440, '1 + 2 / 3 - 4 * 5': -18.333,
    '1 + 2 / (3-4) * 5': -9, '1 + 2 / (3 - 4) * 5': -9, '1+2/(3 - 4)*5': -9,
    '(100 + 45) / (3*pi)': 15.385, '32e-2*pi': 1.0053, '3.24': 3.24, '0.324': .324, '.324': .324,
    '324': 324, '3.24e2': 324, '-3.24E-2': -.0324, '-3.24e+2': -324, '-32E4': -320000, '1.': 1,
    'pi': 3.1416, '1 + 2.0': 3, '----1': 1, '-1': -1, '-(-(-(-(-1))))': -1, '-(-(-1)-(-1))': -2,
    '2--3': 5, '2/-4': -.5, '1/2/2': .25, '1': 1, '1 + 324.5 * (4 - pi)': 279.553, '1 + 2 + 3': 6,
    'pi / 2': 1.57, '4/5': .8,
}
BAD = (
    '2 pi', 'PI', '2.4.3', '2,000', '32,45', '3e2.4', '.', '1. 02', '2 4', '1 2 3 . 4 5', 'PI2',
    'PI_2', '2PI', 'M_PI',
)
NUMBERS = st.floats(0.0, 1e6, allow_subnormal=False)


@pytest.mark.parametrize('text', GOOD)
def test_good_formula(text: str) -> None:
    assert formula(text) == pytest.approx(GOOD[text], rel=1e-3)


@pytest.mark.parametrize('text', BAD)
def test_bad_formula(text: str) -> None:
    with pytest.raises(ValueSyntaxError):
        formula(text)


@pytest.mark.parametrize(('text', 'index', 'message'), [
    ('', 0, 'expected a number'), ('1+', 2, 'expected a number'), ('(1', 0, "unmatched '('"),
    ('1)', 1, "unmatched ')'"),
    ('2 pi', 2, 'operator'), ('PI', 0, "'PI' has no meaning"), ('1/0', 1, 'division by zero'),
    ('1e400', 0, 'too large'), ('1e300*1e300', 5, 'too large'), ('1+§', 2, "'§' is not allowed"),
    ('((1)', 0, "unmatched '('"), ('1 + (2', 4, "unmatched '('"),
])
def test_fault_has_message_and_location(text: str, index: int, message: str) -> None:
    with pytest.raises(ValueSyntaxError) as raised:
        formula(text)
    assert raised.value.index == index
    assert message in raised.value.message


def test_numbers_in_lists_have_no_units() -> None:
    """A formula or a unit where only numbers are allowed has the number as its hint."""
    for text, hint in (
            ('0 0 100mm', 'write 0.1: '), ('pi/2 0 0', 'write 1.57079632679: '),
            ('0 0 90deg', 'write 1.57079632679: '), ('0 0 up', None)):
        with pytest.raises(ValueSyntaxError) as raised:
            translation(text)
        assert (raised.value.hint or '').startswith(hint or '') and bool(hint) == bool(
            raised.value.hint)


@pytest.mark.parametrize(('text', 'hint'), [
    ('180deg', '180 deg is written 180*pi/180: '), ('-90 degrees', '90 deg is written 90*pi/180'),
    ('90°', '90*pi/180'), ('deg2rad(90)', '90*pi/180'), ('2 * radians(45)', '45*pi/180'),
    ('50mm', '50 mm is written 50/1000: '), ('3.1rad', 'written 3.1:'), ('PI', None),
])
def test_units_are_written_as_formulas(text: str, hint: Optional[str]) -> None:
    with pytest.raises(ValueSyntaxError) as raised:
        formula(text)
    assert raised.value.hint == hint or hint and hint in str(raised.value.hint)


def test_nesting_costs_no_stack() -> None:
    assert formula('(' * 100_000 + '1' + ')' * 100_000) == 1.0
    assert formula('-' * 99_999 + '1') == -1.0


def written(generator: random.Random, depth: int) -> str:
    """Return a random formula that Python understands as well."""
    choice = generator.randrange(6 if depth else 2)
    if choice == 0:
        return 'pi'
    if choice == 1:
        return repr(generator.uniform(0.1, 10.0))
    left, right = written(generator, depth - 1), written(generator, depth - 1)
    if choice == 2:
        return f'({left} {generator.choice("+-")} {right})'
    if choice == 3:
        return f'{generator.choice("+-")}{left}'
    return f'{left}{generator.choice(("*", " + ", "-", " *"))}{right}'


@given(st.integers(0, 2**32), st.integers(0, 6))
def test_formula_agrees_with_python(seed: int, depth: int) -> None:
    text = written(random.Random(seed), depth)
    expected = eval(text, {'pi': math.pi})  # the text is the test's own
    assert formula(text) == expected


@given(st.text('0123456789.eE+-*/() piRxyz\t,', max_size=40))
@example('1' * 5000)
def test_any_text_is_a_number_or_a_fault_inside_it(text: str) -> None:
    for parse in (formula, rotation, translation, number, matrix_rotation):
        try:
            parse(text)
        except ValueSyntaxError as fault:
            assert 0 <= fault.index <= len(text)
            assert fault.message


# ---- rotations and translations

@pytest.mark.parametrize(('text', 'pose'), [
    ('Rx(pi/2)', from_axis_angle((1.0, 0.0, 0.0), math.pi / 2)),
    ('Rx(1)*Ry(2)', compose(
        from_axis_angle((1.0, 0.0, 0.0), 1.0), from_axis_angle((0.0, 1.0, 0.0), 2.0))),
    (' Rz ( -pi / 2 ) * Rz(pi/2) ', Pose()),
    ('0 -1 0 1 0 0 0 0 1', from_axis_angle((0.0, 0.0, 1.0), math.pi / 2)),
])
def test_rotation(text: str, pose: Pose) -> None:
    assert rotation(text) == pytest.approx(pose, abs=1e-15)


@given(st.tuples(*[st.floats(-3.0, 3.0)] * 3))
def test_nine_numbers_give_the_rotation_back(angles: tuple[float, float, float]) -> None:
    pose = from_rpy((0.0, 0.0, 0.0), angles)
    back = rotation(' '.join(repr(value) for value in to_matrix(pose)))
    assert compose(inverse(pose), back).orientation == pytest.approx((0, 0, 0, 1), abs=1e-14)


def test_rounded_matrix_becomes_the_nearest_rotation() -> None:
    a = 1 + 4e-6  # |R R^T - I| is 8e-6 for one axis
    assert rotation(f'{a} 0 0 0 1 0 0 0 1') == pytest.approx(Pose(), abs=1e-15)
    skewed = to_matrix(rotation('1 3e-6 0 3e-6 1 0 0 0 1'))
    assert skewed == pytest.approx((1, 0, 0, 0, 1, 0, 0, 0, 1), abs=1e-15)


@pytest.mark.parametrize('text', [
    f'{1 + 5.1e-6} 0 0 0 1 0 0 0 1', '-1 0 0 0 1 0 0 0 1', '0 0 0 0 0 0 0 0 0',
    '1e200 0 0 0 1e200 0 0 0 1e200', '0.7071 -0.7071 0 0.7071 0.7071 0 0 0 1',
])
def test_matrix_that_is_not_a_rotation(text: str) -> None:
    with pytest.raises(ValueSyntaxError, match='not a rotation matrix'):
        rotation(text)


@pytest.mark.parametrize(('text', 'index'), [
    ('1 2', 3), ('1 2 3 4', 6), ('', 0), ('pi 0 0', 0), ('1 1/2 0', 3), ('1,2,3', 1),
    ('- 1 2', 0)])
def test_bad_translation(text: str, index: int) -> None:
    with pytest.raises(ValueSyntaxError) as raised:
        translation(text)
    assert raised.value.index == index


@pytest.mark.parametrize(('text', 'value'), [
    ('1/2/2', .25), ('2-3-4', -5.0), ('2*-3', -6.0), ('2/-4', -.5), ('+-+1', -1.0), ('-2*3', -6.0),
    ('2--3', 5.0), ('2+-3', -1.0), ('- 1', -1.0), ('-pi', -math.pi), ('5.e3', 5000.0),
    ('1E3', 1000.0), ('\t1\r\n+\n1 ', 2.0), ('-(1+2)', -3.0), ('1-2*3-4', -9.0), ('pi', math.pi),
])
def test_precedence_and_signs(text: str, value: float) -> None:
    assert formula(text) == value


@given(st.tuples(*[st.floats(-1e9, 1e9)] * 3))
def test_translation_is_exact(vector: tuple[float, float, float]) -> None:
    assert translation(' '.join(map(repr, vector))) == vector
