# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Our bytes are those that the middleware would have written and reads."""

from functools import partial

from hrdf_ros.node.cdr import JointStateReader, TransformTemplate
from hrdf_ros.node.tf_publisher import bytes_are_understood, tf_message
from hypothesis import given
from hypothesis import strategies as st
import numpy as np
from rclpy.serialization import deserialize_message, serialize_message
from sensor_msgs.msg import JointState
from tf2_msgs.msg import TFMessage

names = st.text(
    st.characters(blacklist_categories=('Cs',), blacklist_characters='\0'), max_size=12)
numbers = st.floats(allow_nan=False, width=64)


def test_this_middleware_understands_our_bytes():
    assert bytes_are_understood()


@given(st.lists(st.tuples(names, names), max_size=8), st.integers(-2**31, 2**31 - 1),
       st.integers(0, 2**32 - 1), st.data())
def test_transforms_are_what_a_broadcaster_sends(frames, seconds, nanoseconds, data):
    rows = np.array([
        data.draw(st.lists(numbers, min_size=7, max_size=7)) for _ in frames]).reshape(-1, 7)
    sent = TransformTemplate(frames, rows, np.arange(0)).fill(seconds, nanoseconds, np.zeros(0))
    expected = tf_message(frames, seconds, nanoseconds, rows)
    assert deserialize_message(sent, TFMessage) == expected
    assert len(sent) == len(serialize_message(expected))


@given(st.dictionaries(names, numbers, max_size=8), names, st.booleans())
def test_joint_states_are_read(positions, frame, with_velocity):
    message = JointState(name=list(positions), position=list(positions.values()))
    message.header.frame_id = frame
    message.header.stamp.sec, message.header.stamp.nanosec = -3, 7
    message.velocity = [1.0] * (len(positions) * with_velocity)
    data = bytes(serialize_message(message))
    reader = JointStateReader(partial(deserialize_message, message_type=JointState))
    for _ in range(2):
        read = reader.find(data) or reader.learn(data)
        assert read[:3] == (-3, 7, tuple(positions))
        assert read.values.tolist() == list(positions.values())
