# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Serialized TFMessages: numbers written as an array and one by one give the same bytes."""

import struct

from hrdf_ros.node.tf_template import ArrayTemplate, FEW, FewNumbersTemplate, transforms_template
from hypothesis import given
from hypothesis import strategies as st
import numpy as np

names = st.text(
    st.characters(blacklist_categories=('Cs',), blacklist_characters='\0'), max_size=12)
numbers = st.floats(allow_nan=False, width=64)


def test_a_template_can_be_filled_again():
    template = ArrayTemplate([('base', 'a'), ('a', 'tip')])
    first = template.fill(1, 2, np.zeros((2, 7)))
    second = template.fill(3, 4, np.arange(14.0).reshape(2, 7))
    assert struct.unpack_from('<IiI', first, 4) == (2, 1, 2)
    assert struct.unpack_from('<IiI', second, 4) == (2, 3, 4)
    assert first != second
    assert struct.pack('<7d', *np.arange(7.0, 14.0)) in second


@given(st.lists(st.tuples(names, names), max_size=6), st.integers(-2**31, 2**31 - 1),
       st.integers(0, 2**32 - 1), st.data())
def test_both_ways_give_the_same_bytes(frames, seconds, nanoseconds, data):
    places = range(7 * len(frames))
    changing = sorted(data.draw(st.sets(st.sampled_from(places)))) if frames else []
    rows = np.array([
        data.draw(st.lists(numbers, min_size=7, max_size=7)) for _ in frames]).reshape(-1, 7)
    at_zero = rows.copy()
    at_zero.reshape(-1)[changing] = 0.0
    own = rows.reshape(-1)[changing]
    about = frames, at_zero, np.array(changing, dtype=np.intp)
    expected = ArrayTemplate(frames).fill(seconds, nanoseconds, rows)
    few = FewNumbersTemplate(*about)
    for _ in range(2):
        assert ArrayTemplate(*about).fill(seconds, nanoseconds, own) == expected
        assert few.fill(seconds, nanoseconds, own.tolist()) == expected
        few.fill(7, 8, [1.0] * len(own))


def test_the_number_of_numbers_decides():
    frames, rows = [('a', 'b')] * 20, np.zeros((20, 7))
    for count, kind in ((0, FewNumbersTemplate), (FEW, FewNumbersTemplate),
                        (FEW + 1, ArrayTemplate)):
        assert isinstance(transforms_template(frames, rows, np.arange(count)), kind)
