# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The grammar of HRDF's numbers, formulas, rotations and translations (FORMAT.md, "Types").

Formulas are evaluated while they are read, with a stack of operators instead of recursion, so
that nesting costs no stack. Each function raises ValueSyntaxError at the faulty character.
``pi`` is the nearest double.
"""

from collections.abc import Callable, Sequence
import math
import operator
import re
from typing import NamedTuple, Optional

from hrdf_ros import pose
from hrdf_ros.parsing.errors import implausible_angle, USUAL, ValueSyntaxError
from hrdf_ros.parsing.numbers import plain_number
from hrdf_ros.parsing.suggestions import did_you_mean
from hrdf_ros.pose import Matrix3, Pose, Vector

ORTHONORMAL_TOLERANCE = 1e-5
"""The largest Frobenius norm of ``R R^T - I`` that hebi-py accepts in a rotation matrix ``R``."""

_BLANKS = ' \t\r\n'
_TOKEN = (
    r'(?s)(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|'
    r'(?P<word>[A-Za-z_][A-Za-z_0-9]*)|(?P<symbol>[-+*/()])|(?P<unknown>.)')
_FLOAT = r'[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?'
_WORD = f'[^{_BLANKS}]+'
_AXES: dict[str, Vector] = {'Rx': pose.X_AXIS, 'Ry': pose.Y_AXIS, 'Rz': pose.Z_AXIS}
_IN_RADIANS = '{0:g}*pi/180'
_DEGREES = ('deg', '{}*pi/180')
_UNITS = {
    **dict.fromkeys(('deg', 'degree', 'degrees', '°', 'deg2rad', 'radians'), _DEGREES),
    'rad': ('rad', '{}'), 'm': ('m', '{}'), 'cm': ('cm', '{}/100'), 'mm': ('mm', '{}/1000'),
    'kg': ('kg', '{}'), 'g': ('g', '{}/1000')}
"""Units, and conversion functions of other languages, each with the unit and its conversion."""
_PRECEDENCE = {'(': 0, '+': 1, '-': 1, '*': 2, '/': 2, 'plus': 3, 'minus': 3}
_OPERATIONS: dict[str, Callable[[float, float], float]] = {
    '+': operator.add, '-': operator.sub, '*': operator.mul, '/': operator.truediv}
_IDENTITY_MATRIX = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


class _Token(NamedTuple):
    """A part of a formula; a sign that is an operator has the text ``plus`` or ``minus``."""

    kind: str
    text: str
    start: int


def formula(text: str) -> float:
    """Return the value of a floating point formula, which is finite."""
    plain = plain_number(text)
    if plain is not None:
        return plain
    tokens = _tokens(text)
    value, stop = _evaluate(tokens, 0)
    if tokens[stop].kind != 'end':
        raise ValueSyntaxError("unmatched ')'", tokens[stop].start)
    return value


def rotation(text: str, *, plausible: bool = False) -> Pose:
    """
    Return a rotation, given by 9 numbers or as a product of Rx(), Ry(), Rz().

    The 9 numbers are row-major; they must be a rotation matrix within ORTHONORMAL_TOLERANCE and
    are made exactly orthonormal. With ``plausible``, angles of more than a full turn raise
    ImplausibleValue.
    """
    if 'R' in text.upper():
        return _product(text, plausible)
    angles = text.split()
    if len(angles) == len(_AXES):
        raise ValueSyntaxError(
            'a rotation matrix is 9 numbers, here are 3', len(text),
            'roll, pitch and yaw are Rz({2})*Ry({1})*Rx({0})'.format(*angles))
    return matrix_rotation(text)


def plausible(angle: float) -> float:
    """Return an angle; one of more than a full turn raises ImplausibleValue."""
    if not -USUAL <= angle <= USUAL:
        raise implausible_angle(angle, 0, angle, _IN_RADIANS.format(angle))
    return angle


def matrix_rotation(text: str) -> Pose:
    """Return a rotation given by 9 numbers, the only form of HRDF 1.0.0."""
    return pose.from_matrix((0.0, 0.0, 0.0), _orthonormal(_numbers(text, 9, 'a rotation matrix')))


def translation(text: str) -> Vector:
    """Return a translation: three numbers, which cannot be formulas in any version of HRDF."""
    x, y, z = _numbers(text, 3, 'a translation')
    return x, y, z


def number(text: str) -> float:
    """Return a plain number with an optional sign, the only form of HRDF 1.0.0."""
    return _numbers(text, 1, 'this value')[0]


# ---- lists of numbers

def _numbers(text: str, count: int, what: str) -> list[float]:
    words = list(re.finditer(_WORD, text))
    values = [_float(word.group(), word.start()) for word in words[:count]]
    if len(words) != count:
        index = words[count].start() if len(words) > count else len(text)
        plural = 's' if count > 1 else ''
        raise ValueSyntaxError(f'{what} is {count} number{plural}, here are {len(words)}', index)
    return values


def _float(word: str, index: int) -> float:
    found = re.match(_FLOAT, word)
    if found is None or found.end() < len(word):
        wrong = found.end() if found is not None else 0
        raise ValueSyntaxError(
            f"'{word}' is not a number (formulas are not allowed here)", index + wrong,
            _as_number(word))
    value = float(word)
    if math.isinf(value):
        raise ValueSyntaxError(f"'{word}' is too large", index)
    return value


def _as_number(word: str) -> Optional[str]:
    """Return a hint with the number that a formula, or a number with a unit, means."""
    found = re.match(_FLOAT, word)
    unit = word[found.end():].lower() if found is not None else ''
    written = _UNITS[unit][1].format(word[:-len(unit)]) if unit in _UNITS else word
    try:
        return f'write {formula(written):.12g}: numbers are in meters, radians and kilograms'
    except ValueSyntaxError:
        return None


def _orthonormal(m: Sequence[float]) -> Matrix3:
    """Return the rotation matrix nearest to an almost orthonormal one."""
    error = math.hypot(*(
        value - unit for value, unit in zip(_times_transposed(m), _IDENTITY_MATRIX)))
    if not error < ORTHONORMAL_TOLERANCE or _determinant(m) <= 0.0:
        raise ValueSyntaxError(
            f'this is not a rotation matrix: |R R^T - I| is {error:.2g} (at most '
            f'{ORTHONORMAL_TOLERANCE:g}), its determinant {_determinant(m):.6g}')
    for _ in range(3):  # Newton's iteration: each step squares the error
        w = _times_transposed(m)
        m = [
            1.5 * m[3 * row + column]
            - 0.5 * sum(w[3 * row + k] * m[3 * k + column] for k in range(3))
            for row in range(3) for column in range(3)
        ]
    return m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]


def _times_transposed(m: Sequence[float]) -> list[float]:
    return [
        sum(m[3 * row + k] * m[3 * column + k] for k in range(3))
        for row in range(3) for column in range(3)
    ]


def _determinant(m: Sequence[float]) -> float:
    return (
        m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6])
        + m[2] * (m[3] * m[7] - m[4] * m[6]))


# ---- formulas

def _tokens(text: str) -> list[_Token]:
    """Return the tokens of a formula, followed by an ``end``."""
    tokens = [
        _Token(found.lastgroup or '', found.group(), found.start())
        for found in re.finditer(_TOKEN, text) if found.group() not in _BLANKS
    ]
    tokens.append(_Token('end', '', len(text)))
    return tokens


def _product(text: str, plausible: bool) -> Pose:
    """Return the product of Rx(), Ry(), Rz() terms."""
    tokens = _tokens(text)
    result, position = pose.IDENTITY, 0
    implausible: Optional[tuple[float, int]] = None
    while True:
        axis = _AXES.get(tokens[position].text)
        if axis is None:
            raise ValueSyntaxError(
                'a rotation is 9 numbers or a product of Rx(), Ry(), Rz()',
                tokens[position].start, did_you_mean(tokens[position].text, _AXES))
        _expect(tokens[position + 1], '(', 'such as Rx(pi/2)*Rz(pi)')
        angle, stop = _evaluate(tokens, position + 2)
        _expect(tokens[stop], ')')
        if implausible is None and not -USUAL <= angle <= USUAL:
            implausible = angle, tokens[position + 2].start
        result = pose.compose(result, pose.from_axis_angle(axis, angle))
        position = stop + 1
        if tokens[position].kind == 'end':
            if plausible and implausible is not None:
                raise implausible_angle(
                    *implausible, result, _IN_RADIANS.format(implausible[0]))
            return result
        _expect(tokens[position], '*')
        position += 1


def _expect(token: _Token, symbol: str, example: Optional[str] = None) -> None:
    if token.text != symbol:
        fault = _wrong(token, f"expected '{symbol}'")
        fault.hint = fault.hint or example
        raise fault


def _wrong(token: _Token, message: str, around: Sequence[_Token] = ()) -> ValueSyntaxError:
    """Return the error for a misplaced token; its hint may cite a number of those ``around``."""
    hint = None
    if token.kind == 'unknown':
        message = f'{token.text!r} is not allowed in a formula'
    elif token.kind == 'word' and token.text not in ('pi', *_AXES):
        message = f"'{token.text}' has no meaning in a formula, only pi has"
    if token.text.lower() in _UNITS:
        number = next((one.text for one in around if one.kind == 'number'), 'x')
        unit, written = _UNITS[token.text.lower()]
        hint = (f'{number} {unit} is written {written.format(number)}: numbers are in meters, '
                'radians and kilograms')
    return ValueSyntaxError(message, token.start, hint)


def _evaluate(tokens: Sequence[_Token], position: int) -> tuple[float, int]:
    """Return the value of the formula at a position and where it ends: at a ``)`` or the end."""
    values: list[float] = []
    operators: list[_Token] = []
    operand_next = True
    while True:
        token = tokens[position]
        if operand_next:
            operand_next = _read_operand(tokens, position, values, operators)
        elif token.text in (')', ''):
            _apply_down_to(1, values, operators)
            if not operators:
                return values[0], position
            opening = operators.pop()
            if token.kind == 'end':
                raise ValueSyntaxError("unmatched '('", opening.start)
        elif token.text not in ('+', '-', '*', '/'):
            raise _wrong(token, 'expected an operator (+ - * /)', tokens[position - 1:position])
        else:
            _apply_down_to(_PRECEDENCE[token.text], values, operators)
            operators.append(token)
            operand_next = True
        position += 1


def _read_operand(
    tokens: Sequence[_Token], position: int, values: list[float], operators: list[_Token],
) -> bool:
    """Read a number, ``pi``, a sign or a ``(``; return whether an operand is still to come."""
    token = tokens[position]
    if token.kind == 'number':
        values.append(_finite(float(token.text), token.start))
        return False
    if token.text == 'pi':
        values.append(math.pi)
        return False
    if token.text in ('+', '-'):
        operators.append(token._replace(text='plus' if token.text == '+' else 'minus'))
    elif token.text == '(':
        operators.append(token)
    else:
        raise _wrong(
            token, "expected a number, pi or '('", tokens[position + 1:position + 3])
    return True


def _apply_down_to(precedence: int, values: list[float], operators: list[_Token]) -> None:
    """Apply the pending operators that bind at least as strongly, the last one first."""
    while operators and _PRECEDENCE[operators[-1].text] >= precedence:
        _, symbol, start = operators.pop()
        right = values.pop()
        if symbol in ('plus', 'minus'):
            values.append(-right if symbol == 'minus' else right)
            continue
        try:
            values.append(_finite(_OPERATIONS[symbol](values.pop(), right), start))
        except ZeroDivisionError:
            raise ValueSyntaxError('division by zero', start) from None


def _finite(value: float, index: int) -> float:
    if math.isinf(value):
        raise ValueSyntaxError('the value is too large', index)
    return value
