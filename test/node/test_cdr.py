# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Serialized messages, without ROS."""

import struct

from helpers.cdr import serialized
from hrdf_ros.node.cdr import JointStateReader, Malformed, TransformsTemplate
from hypothesis import given
from hypothesis import strategies as st
import numpy as np
import pytest


@pytest.mark.parametrize('order', ['<', '>'])
@pytest.mark.parametrize('frame', ['', 'a', 'ab', 'abc', 'abcd'])
def test_both_byte_orders_and_every_alignment(order, frame):
    read = JointStateReader().read(
        serialized(['j', 'jo', 'joi', 'join'], [1.0, 2.0, 3.0, 4.0], frame=frame, order=order))
    assert (read.seconds, read.nanoseconds) == (1, 2)
    assert read.joints.names == ('j', 'jo', 'joi', 'join')
    assert read.values.tolist() == [1.0, 2.0, 3.0, 4.0]


def test_names_are_found_again_whatever_the_padding_holds():
    reader = JointStateReader()
    first = reader.read(serialized(['a', 'bcdef'], [1.0, 2.0], frame='x', padding=b'\0'))
    again = reader.read(serialized(['a', 'bcdef'], [3.0, 4.0], frame='xyz', padding=b'\xee'))
    other = reader.read(serialized(['b', 'bcdef'], [3.0, 4.0], frame='xyz', padding=b'\xee'))
    assert again.joints is first.joints
    assert again.values.tolist() == [3.0, 4.0]
    assert other.joints.names == ('b', 'bcdef')


def test_several_publishers_keep_an_entry_each():
    reader = JointStateReader()
    messages = [serialized([f'j{index}'], [float(index)]) for index in range(20)]
    first = [reader.read(message).joints for message in messages]
    assert [reader.read(message).joints for message in messages] == first


def test_lengths_that_do_not_match_have_no_values():
    read = JointStateReader().read(serialized(['a', 'b'], [1.0]))
    assert (read.values, read.length) == (None, 1)
    assert JointStateReader().read(serialized(['a'], [])).values is None


@pytest.mark.parametrize('data', [
    b'', b'\0\1', b'\0\1\0\0', b'\0\7\0\0' + bytes(40), b'\1\1\0\0' + bytes(40),
    serialized(['a'], [1.0])[:-20],
    serialized(['a', 'b'], [1.0, 2.0])[:28],
])
def test_bytes_that_are_not_a_joint_state_are_malformed(data):
    with pytest.raises(Malformed):
        JointStateReader().read(data)


def test_a_million_names_are_refused():
    data = serialized([], [])
    data = data[:20] + struct.pack('<I', 1_000_000) + bytes(8_000_000)
    with pytest.raises(Malformed, match='1000000 names'):
        JointStateReader().read(data)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_malformed(tail):
    reader = JointStateReader()
    good = serialized(['a', 'bc'], [1.0, 2.0])
    reader.read(good)
    for data in (b'\0\1\0\0' + tail, good[:len(good) - len(tail) % len(good)] + tail):
        try:
            read = reader.read(data)
        except Malformed:
            continue
        assert read.values is None or len(read.values) == len(read.joints.names)


def test_a_template_can_be_filled_again():
    template = TransformsTemplate([('base', 'a'), ('a', 'tip')])
    first = template.fill(1, 2, np.zeros((2, 7)))
    second = template.fill(3, 4, np.arange(14.0).reshape(2, 7))
    assert struct.unpack_from('<IiI', first, 4) == (2, 1, 2)
    assert struct.unpack_from('<IiI', second, 4) == (2, 3, 4)
    assert first != second
    assert struct.pack('<7d', *np.arange(7.0, 14.0)) in second
