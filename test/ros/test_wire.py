# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Our bytes are those that the middleware would have written and reads."""

from functools import partial

from hrdf_ros.node.cdr import JointStateReader, TransformTemplate
from hrdf_ros.node.tf2 import transform_message
from hrdf_ros.pose import Pose
from hypothesis import given
from hypothesis import strategies as st
import numpy as np
from rclpy.serialization import deserialize_message, serialize_message
from sensor_msgs.msg import JointState
from tf2_msgs.msg import TFMessage

names = st.text(
    st.characters(blacklist_categories=('Cs',), blacklist_characters='\0'), max_size=12)
numbers = st.floats(allow_nan=False, width=64)


@given(st.lists(st.tuples(names, names), max_size=8),
       st.integers(-2**31 * 10**9, 2**31 * 10**9 - 1), st.data())
def test_transforms_are_what_a_broadcaster_sends(frames, stamp, data):
    rows = np.array([
        data.draw(st.lists(numbers, min_size=7, max_size=7)) for _ in frames]).reshape(-1, 7)
    sent = TransformTemplate(frames, rows, np.arange(0)).fill(stamp, np.zeros(0))
    expected = TFMessage(transforms=[
        transform_message(parent, child, Pose(*row), stamp)
        for (parent, child), row in zip(frames, rows.tolist())])
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
        assert read[:2] == (7 - 3_000_000_000, tuple(positions))
        assert read.values.tolist() == list(positions.values())
