# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Angles and lengths as people type them."""

from math import pi

from hrdf_ros.parsing.quantities import parse_quantity, Quantity
from hypothesis import given, strategies
import pytest


@pytest.mark.parametrize(('text', 'value', 'kind'), [
    ('0.5', 0.5, None), ('-1e-3', -1e-3, None), ('.5', 0.5, None), (' 2 ', 2.0, None),
    ('1_000', 1000.0, None), ('30deg', pi / 6, 'angle'), ('-90 deg', -pi / 2, 'angle'),
    ('45°', pi / 4, 'angle'), ('-1.2rad', -1.2, 'angle'), ('pi/6', pi / 6, 'angle'),
    ('-pi', -pi, 'angle'), ('2*pi/3', 2 * pi / 3, 'angle'), ('3pi/4', 3 * pi / 4, 'angle'),
    ('π/2rad', pi / 2, 'angle'), ('50mm', 0.05, 'length'), ('-2.5cm', -0.025, 'length'),
    ('0.3m', 0.3, 'length'), ('pi*0.5', pi / 2, 'angle'), ('pi / 2', pi / 2, 'angle'),
    ('2 * pi', 2 * pi, 'angle'), ('- pi*2/3', -2 * pi / 3, 'angle'),
    ('1/4', 0.25, None), ('1e2mm', 0.1, 'length')])
def test_quantities(text: str, value: float, kind: str | None) -> None:
    found = parse_quantity(text)
    assert (found.value, found.kind) == (pytest.approx(value, rel=1e-15), kind)


@pytest.mark.parametrize('text', [
    '', 'deg', 'nan', 'inf', '-inf', '1e999', '1e999deg', '30degrees', '30 grad', 'pi deg',
    'pimm', '1/0', 'pi/0', '/2', '*pi', 'pi*', '5mm*2',
    '1*2', '--1', '1 2', '1deg2', 'pi/pi', 'elbow'])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError):
        parse_quantity(text)


@given(strategies.floats(allow_nan=False, allow_infinity=False))
def test_a_number_is_read_as_python_reads_it(value: float) -> None:
    assert parse_quantity(repr(value)) == Quantity(value)
