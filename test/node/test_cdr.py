# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Serialized messages, without ROS."""

import struct

from helpers.cdr import deserialized, serialized, transforms
from hrdf_ros.limits import JOINT_STATE_BYTES, LAYOUT_BYTES
from hrdf_ros.node.cdr import JointStateReader, Malformed, read_string, TransformTemplate
from hypothesis import given
from hypothesis import strategies as st
import numpy as np
import pytest

names = st.text(
    st.characters(blacklist_categories=('Cs',), blacklist_characters='\0'), max_size=12)
numbers = st.floats(allow_nan=False, width=64)


def reader_of(*messages):
    """Return a reader that has learned from some messages."""
    reader = JointStateReader(deserialized)
    for data in messages:
        reader.learn(data)
    return reader


@pytest.mark.parametrize('order', ['<', '>'])
@pytest.mark.parametrize('frame', ['', 'a', 'ab', 'abc', 'abcd'])
def test_both_byte_orders_and_every_alignment(order, frame):
    data = serialized(['j', 'jo', 'joi', 'join'], [1.0, 2.0, 3.0, 4.0], frame=frame, order=order)
    reader = JointStateReader(deserialized)
    for read in (reader.learn(data), reader.find(data)):
        if read is not None:
            assert read[:2] == (1_000_000_002, ('j', 'jo', 'joi', 'join'))
            assert read.values.tolist() == [1.0, 2.0, 3.0, 4.0]
    assert (read is None) == (order == '>')


def test_a_layout_is_found_whatever_the_padding_holds():
    reader = reader_of(serialized(['a', 'bcdef'], [1.0, 2.0], frame='x', padding=b'\0'))
    again = reader.find(serialized(
        ['a', 'bcdef'], [3.0, 4.0], frame='x', padding=b'\xee', stamp=(-7, 9)))
    assert again[:2] == (9 - 7_000_000_000, ('a', 'bcdef'))
    assert again.values.tolist() == [3.0, 4.0]


def test_only_messages_that_are_alike_have_a_layout():
    good = serialized(['a', 'bc'], [1.0, 2.0])
    reader = reader_of(good)
    for other in (
            serialized(['a', 'bd'], [1.0, 2.0]), serialized(['a', 'bc'], [1.0]),
            serialized(['a', 'bc'], [1.0, 2.0], frame='x'), good[:40], good[:13], b'',
            good[:-1], serialized(['a', 'bc'], [1.0, 2.0], order='>'), b'\1' + good[1:],
            b'\0\0' + good[2:]):
        assert reader.find(other) is None


def test_what_is_remembered_is_bounded():
    reader = reader_of(*(serialized([f'j{index}'], [1.0]) for index in range(100)))
    known = [index for index in range(100) if reader.find(serialized([f'j{index}'], [1.0]))]
    assert 98 in known and 0 not in known
    long = [serialized([f'{index}' * (LAYOUT_BYTES // 4)], [1.0]) for index in range(8)]
    reader = JointStateReader(deserialized)
    for data in long:
        reader.learn(data, LAYOUT_BYTES)
    assert [reader.find(data) is not None for data in long] == [False] * 5 + [True] * 3


def test_names_with_bytes_behind_their_end_have_no_layout():
    """A middleware may end a name at its first NUL; found by fuzzing."""
    def cut(data):
        message = deserialized(data)
        message.name = [name.partition('\0')[0] for name in message.name]
        return message

    reader = JointStateReader(cut)
    data = serialized(['s\0\0\0\1' + 15 * '\0'], [0.0])
    assert reader.learn(data).names == ('s',)
    assert reader.find(data) is None


@pytest.mark.parametrize('data', [
    b'', b'\0\1\0\0', b'\0\7\0\0' + bytes(40), serialized(['a'], [1.0])[:-20],
    serialized(['a', 'b'], [1.0, 2.0])[:28], bytes(JOINT_STATE_BYTES + 1)])
def test_bytes_that_are_not_a_joint_state_are_malformed(data):
    with pytest.raises(Malformed):
        JointStateReader(deserialized).learn(data)


@given(st.lists(names, min_size=1, max_size=4), st.integers(0, 300), st.binary(max_size=9))
def test_a_layout_reads_what_the_middleware_reads(texts, at, junk):
    data = serialized(texts, [0.5] * len(texts), frame='f')
    reader = reader_of(data)
    changed = data[:at % len(data)] + junk + data[at % len(data) + len(junk):]
    found = reader.find(changed)
    if found is not None:
        message = deserialized(changed)
        assert found.names == tuple(message.name)
        assert found.values.tobytes() == struct.pack(f'<{len(texts)}d', *message.position)


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


@given(st.lists(st.tuples(names, names), max_size=6, unique=True),
       st.integers(-2**31 * 10**9, 2**31 * 10**9 - 1), st.data())
def test_templates_are_filled_again_and_again(frames, at, data):
    rows = np.array([data.draw(st.lists(numbers, min_size=7, max_size=7)) for _ in frames])
    rows = rows.reshape(-1, 7)
    changing = np.array(data.draw(st.lists(
        st.integers(0, max(0, rows.size - 1)), unique=True, max_size=rows.size)), dtype=np.intp)
    template = TransformTemplate(frames, rows, changing)
    for new in (np.zeros(len(changing)), np.arange(float(len(changing)))):
        stamp, found = transforms(template.fill(at, new))
        rows.reshape(-1)[changing] = new
        assert found == {pair: tuple(row) for pair, row in zip(frames, rows.tolist())}
        assert not frames or stamp == at
