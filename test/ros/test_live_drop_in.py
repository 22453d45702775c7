# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""In the place of robot_state_publisher: simulated time, names, QoS, other people's frames."""

from pathlib import Path
import time

from builtin_interfaces.msg import Time
from geometry_msgs.msg import TransformStamped
from helpers.live_node import ARM, joint_state, LATCHED, URDF
from hrdf_ros.node import tf2
from hrdf_ros.node.lookup import NoAnswer, Reason
import pytest
from rcl_interfaces.srv import GetParameters
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

TF2_ROS = '''
"""As much of tf2_ros as a lookup needs: the last transform of every frame."""
from time import monotonic, sleep

from tf2_msgs.msg import TFMessage


class TransformException(Exception):
    pass


class Buffer(dict):
    def lookup_transform(self, target, source, time, timeout):
        end = monotonic() + timeout.nanoseconds / 1e9
        while (target, source) not in self and monotonic() < end:
            sleep(0.02)
        if (target, source) not in self:
            raise TransformException(f'"{source}" does not exist at {time.nanoseconds}')
        return self[target, source]


class TransformListener:
    def __init__(self, buffer, node):
        self.buffer = buffer
        self.subscription = node.create_subscription(TFMessage, '/tf', self.take, 10)
        self.unregister = lambda: node.destroy_subscription(self.subscription)

    def take(self, message):
        for transform in message.transforms:
            self.buffer[transform.header.frame_id, transform.child_frame_id] = transform
'''


def tell_time(client, seconds):
    """Return a function that publishes what time it is in the simulation."""
    publisher = client.node.create_publisher(Clock, '/clock', 10)
    client.wait_for(lambda: publisher.get_subscription_count() > 0, 'someone who wants the time')

    def tell(seconds):
        publisher.publish(Clock(clock=Time(sec=seconds)))
    tell(seconds)
    return tell


def test_simulated_time_that_goes_back(run, client, arm):
    run(str(arm), use_sim_time='true', publish_frequency=20.0)
    client.move_until_heard({'base': 0.0, 'elbow': 0.0})
    tell = tell_time(client, 100)
    for now in (100, 101, 3, 4, 200):
        tell(now)
        client.received['/tf'].clear()
        client.move({'base': 0.1 * now, 'elbow': 0.0}, now + 0.5)
        stamp = client.wait_for_message('/tf').transforms[0].header.stamp
        assert (stamp.sec, stamp.nanosec) == (now, 500_000_000)
        assert client.lookup('tool').transform.header.stamp == stamp
    assert client.lookup('tool', stamp=Time(sec=200, nanosec=500_000_000)).success
    early = client.lookup('tool', stamp=Time(sec=1))
    assert 'before the first recorded' in early.message
    late = client.lookup('tool', stamp=Time(sec=300))
    assert late.message == 'the stamp is 99.500 s after the last recorded joint state'
    client.received['/tf'].clear()
    tell(201)
    client.wait_for(
        lambda: client.joint_states.publish(joint_state({'elbow': 0.5})) or any(
            each.header.stamp == Time(sec=201) for message in client.received['/tf']
            for each in message.transforms), 'the time of the node')


def test_remapped_topics(start, client, arm):
    start(str(arm), '--ros-args', '-r', 'joint_states:=/driver/states', '-r', '/tf:=/my/tf',
          '-r', '/tf_static:=/my/tf_static', '-r', 'robot_description:=/my/robot',
          '-r', '__node:=left_arm')
    moving = client.listen('/my/tf', TFMessage, QoSProfile(depth=100))
    static = client.listen('/my/tf_static', TFMessage, LATCHED)
    robot = client.listen('/my/robot', String, LATCHED)
    driver = client.node.create_publisher(JointState, '/driver/states', 10)
    client.wait_for(lambda: driver.get_subscription_count() and static and robot, 'the node')
    client.wait_for(
        lambda: driver.publish(joint_state({'elbow': 0.5}, time.time())) or moving, '/my/tf')
    assert not client.received['/tf']
    assert ('left_arm', '/') in client.node.get_node_names_and_namespaces()


def test_qos_overrides(run, client, arm):
    given = {
        'qos_overrides./joint_states.subscription.reliability': 'reliable',
        'qos_overrides./joint_states.subscription.depth': 7,
        'qos_overrides./tf.publisher.reliability': 'best_effort',
        'qos_overrides./tf.publisher.durability': 'transient_local',
        'qos_overrides./tf_static.publisher.depth': 3}
    run(str(arm), **given)
    [heard] = client.node.get_subscriptions_info_by_topic('/joint_states')
    assert heard.qos_profile.reliability == ReliabilityPolicy.RELIABLE
    [moving] = client.node.get_publishers_info_by_topic('/tf')
    assert moving.qos_profile.reliability == ReliabilityPolicy.BEST_EFFORT
    assert moving.qos_profile.durability == DurabilityPolicy.TRANSIENT_LOCAL
    found = client.call(GetParameters, names=list(given)).values
    assert [each.string_value or each.integer_value for each in found] == list(given.values())


def test_sensor_data_by_default_and_reliable_transforms(shared):
    node = shared.client.node
    [heard] = node.get_subscriptions_info_by_topic('/joint_states')
    assert heard.qos_profile.reliability == ReliabilityPolicy.BEST_EFFORT
    [publisher] = node.get_publishers_info_by_topic('/tf')
    assert publisher.qos_profile.reliability == ReliabilityPolicy.RELIABLE
    [static] = node.get_publishers_info_by_topic('/tf_static')
    assert static.qos_profile.durability == DurabilityPolicy.TRANSIENT_LOCAL


def test_a_topic_gives_the_description_and_parameters_still_count(start, client):
    node = start()
    talker = client.node.create_publisher(
        String, '/robot_description',
        QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL))
    talker.publish(String(data=URDF))
    client.wait_for_node()
    client.wait_for(lambda: 'publishing' in node.log, 'the description')
    assert client.set_parameter('frame_prefix', 'x/').successful
    assert 'x/cart' in client.move_until_heard({'s': 0.2})
    assert client.set_parameter(
        'robot_description', URDF.replace('"cart"', '"sledge"')).successful
    assert 'x/sledge' in client.move_until_heard({'s': 0.3})
    talker.publish(String(data=URDF))
    assert 'x/sledge' in client.move_until_heard({'s': 0.4})
    assert node.log.count('publishing') == 3


def test_with_the_topic_alone_nothing_is_published_there(start, client, arm):
    node = start(str(arm), use_robot_description_topic='true', robot_description='<ignored/>')
    talker = client.node.create_publisher(String, '/robot_description', LATCHED)
    talker.publish(String(data=URDF))
    client.wait_for_node()
    assert 'cart' in client.move_until_heard({'s': 0.2})
    assert 'model and robot_description are ignored' in node.log
    assert client.node.count_publishers('/robot_description') == 1
    for name, value in (('model', str(arm)), ('robot_description', ARM)):
        refused = client.set_parameter(name, value)
        assert (refused.successful, refused.reason) == (
            False, 'use_robot_description_topic: the description comes from the topic')
    talker.publish(String(data=URDF.replace('"cart"', '"sledge"')))
    client.wait_for(lambda: 'sledge' in client.move_until_heard({'s': 0.3}), 'the next robot')
    assert not client.set_parameter('use_robot_description_topic', False).successful
    assert client.node.count_publishers('/robot_description') == 1


@pytest.fixture
def tf2_ros(tmp_path, monkeypatch):
    """Put a stand-in for tf2_ros on the path of the nodes, where there is no real one."""
    try:
        import tf2_ros as installed  # noqa: F401 - a real one is better than ours
        return
    except ImportError:
        (tmp_path / 'lib').mkdir()
        Path(tmp_path, 'lib', 'tf2_ros.py').write_text(TF2_ROS.lstrip())
        monkeypatch.setenv('PYTHONPATH', str(tmp_path / 'lib'), prepend=':')
        monkeypatch.syspath_prepend(tmp_path / 'lib')


def test_frames_of_others(tf2_ros, run, client, arm):
    run(str(arm), publish_frequency=0.0)
    client.move_until_heard({'base': 0.0, 'elbow': 0.0})
    assert not client.lookup('camera', relative_to='map').success
    other = client.node.create_publisher(TFMessage, '/tf', 10)
    transform = TransformStamped(child_frame_id='base_link')
    transform.header.frame_id = 'map'
    transform.transform.translation.x = 5.0

    def known():
        transform.header.stamp = client.node.get_clock().now().to_msg()
        other.publish(TFMessage(transforms=[transform]))
        return client.lookup('base_link', relative_to='map').success

    client.wait_for(known, 'a frame of others')
    alone = client.lookup('tool', relative_to='base_link').transform.transform.translation
    there = client.lookup('tool', relative_to='map').transform.transform.translation
    assert there.x == pytest.approx(alone.x + 5.0)
    assert client.lookup('tool', relative_to='map').transform.header.frame_id == 'map'
    assert 'tf2' in client.lookup('tool', relative_to='nowhere').message


@pytest.mark.parametrize('kind, reason', [
    ('ConnectivityException', Reason.NOT_CONNECTED),
    ('ExtrapolationException', Reason.OUTSIDE_RECORD),
    ('InvalidArgumentException', Reason.INVALID_NAME),
    ('LookupException', Reason.UNKNOWN), ('TransformException', Reason.UNKNOWN)])
def test_errors_of_tf2_keep_their_meaning(tf2_ros, client, monkeypatch, kind, reason):
    import tf2_ros as installed

    def fail(*_):
        raise type(kind, (installed.TransformException,), {})('it does not exist. ')

    monkeypatch.setattr(installed.Buffer, 'lookup_transform', fail, raising=False)
    with pytest.raises(NoAnswer) as error:
        tf2.TfBuffer(client.node, None).lookup_others('map', 'base_link', 0)
    assert (str(error.value), error.value.reason) == ('(tf2: it does not exist)', reason)
