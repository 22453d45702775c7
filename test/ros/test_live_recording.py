# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A recording of the node's topics, written by Foxglove's SDK and read by MCAP's own reader."""

from collections.abc import Iterator
from importlib import import_module
import os
from pathlib import Path
import re

from helpers.live_node import LATCHED
import pytest
from rclpy.qos import QoSProfile
from rclpy.serialization import deserialize_message

foxglove = pytest.importorskip('foxglove')
read_ros2_messages = pytest.importorskip('mcap_ros2.reader').read_ros2_messages

TOPICS = {
    '/robot_description': 'std_msgs/msg/String', '/tf': 'tf2_msgs/msg/TFMessage',
    '/tf_static': 'tf2_msgs/msg/TFMessage', '/joint_states': 'sensor_msgs/msg/JointState',
    '/diagnostics': 'diagnostic_msgs/msg/DiagnosticArray'}
FIELD = re.compile(r'^([A-Za-z]\w*(?:/\w+)?)(?:<=\d+)?(?:\[.*\])?\s+\w+', re.MULTILINE)
_PLAIN = re.compile(r'bool|byte|char|float\d+|u?int\d+|w?string')


def definition(kind):
    """Return the text of a message type and of all that are in it, as rosbag2 stores them."""
    texts = dict(parts(kind))
    main = texts.pop(kind)
    return '\n'.join([main, *(
        f'{"=" * 80}\nMSG: {name.replace("/msg/", "/")}\n{text}'
        for name, text in texts.items())])


def parts(kind) -> Iterator[tuple[str, str]]:
    """Yield a message type and those of its fields, by name, with their definitions."""
    package, _, name = kind.split('/')
    for prefix in os.environ['AMENT_PREFIX_PATH'].split(os.pathsep):
        file = Path(prefix, 'share', package, 'msg', f'{name}.msg')
        if file.is_file():
            break
    text = file.read_text()
    yield kind, text
    for field in FIELD.findall(text):
        if not _PLAIN.fullmatch(field):
            owner, _, inner = field.rpartition('/')
            yield from parts(f'{owner or package}/msg/{inner}')


def message_class(kind):
    package, _, name = kind.split('/')
    return getattr(import_module(f'{package}.msg'), name)


def as_data(message):
    """Return a message as dicts, lists and numbers, whoever made its class."""
    names = getattr(message, 'get_fields_and_field_types', None)
    if names is not None:
        return {name: as_data(getattr(message, name)) for name in names()}
    if hasattr(message, '__slots__'):
        return {name: as_data(getattr(message, name)) for name in message.__slots__}
    if isinstance(message, bytes):  # what rclpy has for a ``byte``
        return message[0]
    if isinstance(message, (str, int, float)):
        return message
    return [as_data(each) for each in message]


@pytest.fixture
def heard(start, client, arm):
    """Return what the node publishes, serialized, and what it is driven with, by topic."""
    found = {topic: [] for topic in TOPICS}
    for topic, kind in TOPICS.items():
        qos = LATCHED if topic in ('/robot_description', '/tf_static') else QoSProfile(depth=100)
        client.node.create_subscription(
            message_class(kind), topic, found[topic].append, qos, raw=True)
    start(str(arm), '--animate')
    client.wait_for(lambda: all(found.values()), 'the topics')
    return {topic: list(messages) for topic, messages in found.items()}


def record(file, messages):
    """Write messages of all topics to a file, with their schemas."""
    with foxglove.open_mcap(str(file)):
        for topic, kind in TOPICS.items():
            channel = foxglove.Channel(
                topic, message_encoding='cdr', schema=foxglove.Schema(
                    name=kind, encoding='ros2msg', data=definition(kind).encode()))
            for index, data in enumerate(messages[topic]):
                channel.log(bytes(data), log_time=1_000_000_000 + index)
            channel.close()


def test_a_recording_of_every_topic_loads(heard, tmp_path):
    file = tmp_path / 'arm.mcap'
    record(file, heard)
    loaded = {topic: [] for topic in TOPICS}
    for message in read_ros2_messages(str(file)):
        assert message.schema.name == TOPICS[message.channel.topic]
        assert (message.schema.encoding, message.channel.message_encoding) == ('ros2msg', 'cdr')
        loaded[message.channel.topic].append(message.ros_msg)
    for topic, kind in TOPICS.items():
        sent = [deserialize_message(bytes(data), message_class(kind)) for data in heard[topic]]
        assert len(loaded[topic]) == len(sent) > 0, topic
        assert [as_data(each) for each in loaded[topic]] == [as_data(each) for each in sent]
    links = {each.child_frame_id for tf in loaded['/tf'] for each in tf.transforms}
    assert links == {'x5_link_1', 'tool/body'}
    assert '<link name="tool"' in loaded['/robot_description'][-1].data
