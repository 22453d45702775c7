# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Serialized messages, without ROS."""

import struct

from helpers.cdr import serialized
from hrdf_ros.node.cdr import JointStateReader, Malformed, read_string
from hypothesis import given
from hypothesis import strategies as st
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


def known_reader(*messages):
    """Return a reader that has seen each message twice."""
    reader = JointStateReader()
    for data in messages:
        reader.read(data)
        reader.read_known(data)
    return reader


def test_a_layout_gives_what_is_read():
    for names in (['a'], ['shoulder', 'elbow', 'x'], ['n' * size for size in range(1, 40)]):
        values = [0.5 * index for index in range(len(names))]
        for frame in ('', 'base'):
            reader = known_reader(serialized(names, values, frame=frame))
            later = serialized(names, values[::-1], frame=frame, stamp=(-7, 9))
            layout = reader.find_layout(later)
            assert layout.joints.names == tuple(names)
            assert layout.stamp(later) == (-7, 9)
            assert layout.floats(later) == tuple(layout.array(later).tolist()) == tuple(
                values[::-1])


def test_only_messages_that_are_alike_have_a_layout():
    good = serialized(['a', 'bc'], [1.0, 2.0])
    reader = known_reader(good)
    for other in (
            serialized(['a', 'bd'], [1.0, 2.0]), serialized(['a', 'bc'], [1.0]),
            serialized(['a', 'bc'], [1.0, 2.0], frame='x'), good[:40], good[:13], b'',
            serialized(['a', 'bc'], [1.0, 2.0], order='>'), b'\1' + good[1:],
            b'\0\0' + good[2:]):
        assert reader.find_layout(other) is None
    end = good.index(struct.pack('<d', 2.0)) + 8
    assert reader.find_layout(good[:end]) is not None
    assert reader.find_layout(good[:end - 1]) is None


def test_layouts_of_several_publishers_are_known_side_by_side():
    messages = [serialized([f'j{index}'], [1.0]) for index in range(6)]
    reader = known_reader(*messages)
    known = [reader.find_layout(data) is not None for data in messages]
    assert known == [False] * 2 + [True] * 4
    for _ in range(3):
        assert reader.find_layout(messages[-1]).joints.names == ('j5',)


def test_messages_of_the_other_byte_order_and_without_positions_have_no_layout():
    for data in (serialized(['a'], [1.0], order='>'), serialized(['a'], []), serialized([], [])):
        assert known_reader(data).find_layout(data) is None


def string(text, order='<'):
    """Write a String as CDR."""
    encoded = text.encode() + b'\0'
    header = b'\0\1\0\0' if order == '<' else b'\0\0\0\0'
    return header + struct.pack(order + 'I', len(encoded)) + encoded


@pytest.mark.parametrize('order', ['<', '>'])
@pytest.mark.parametrize('text', ['', 'a', '<robot name="é"/>', 'x' * 1000])
def test_texts_are_read(text, order):
    assert read_string(string(text, order)) == text


def test_damaged_texts_are_malformed_or_texts():
    good = string('<robot name="r"/>')
    for end in range(len(good)):
        with pytest.raises(Malformed):
            read_string(good[:end])
    for data in (b'', b'\1\1\0\0', b'\0\7\0\0' + good[4:], good[:4] + b'\xff' * 8):
        with pytest.raises(Malformed):
            read_string(data)
    assert read_string(good[:10] + b'\xff' + good[11:]).count('\ufffd') == 1
    assert read_string(b'\0\1\0\0' + bytes(4)) == ''
