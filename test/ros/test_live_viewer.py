# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf view --ros`` and ``--publish``: a viewer that hears running robots, and moves them."""

import signal
import socket

from helpers.live_node import LATCHED, RunningNode
from hrdf_ros import Kinematics
from hrdf_ros.node.viewer import ViewerNode
from hrdf_ros.pose import to_matrix
from hrdf_ros.view.live import TransformTree
import pytest
from rclpy.qos import QoSProfile
from sensor_msgs.msg import JointState
from std_msgs.msg import String

HRDF = 'import sys; from hrdf_ros.cli import main; sys.exit(main())'
POSITIONS = {'base': 0.5, 'elbow': 0.25}


@pytest.fixture
def viewer_node(domain, monkeypatch):
    """Return a viewer's node in the test's domain."""
    monkeypatch.setenv('ROS_DOMAIN_ID', str(domain))
    node = ViewerNode([])
    yield node
    node.end()


def free_port():
    with socket.create_server(('localhost', 0)) as taken:
        return taken.getsockname()[1]


def test_description_joints_and_transforms_arrive(run, client, arm, viewer_node):
    received, tree = [], TransformTree()

    def take(name, content):
        received.append((name, content))
        if name == 'transforms':
            tree.update(content)

    def seen(link):
        pose = tree.relative('base_link', link)
        if pose is None:
            client.move(POSITIONS)  # the listener of /tf may have been found after the last one
        return pose

    viewer_node.listen(take, ['left', 'right'])
    viewer_node.start()
    run(str(arm), '--ros-args', '-r', '__ns:=/left', '-r', 'joint_states:=/joint_states')
    client.move_until_heard(POSITIONS)
    left = client.node.create_publisher(JointState, '/left/joint_states', 10)
    client.wait_for(lambda: left.publish(JointState(
        name=list(POSITIONS), position=list(POSITIONS.values()))) or (
            'joints', ('left', POSITIONS)) in received, 'the joints')
    namespace, result = client.wait_for(
        lambda: next((each[1] for each in received if each[0] == 'description'), None),
        'the description')
    model = result.model
    assert namespace == 'left'
    assert tree.prefix([body.name for body in model.bodies]) == ''
    expected = dict(zip((each.name for each in model.frames), Kinematics(model).fk(POSITIONS)))
    for link in (body.name for body in model.bodies):
        pose = client.wait_for(lambda link=link: seen(link), link)
        assert pose.position == pytest.approx(expected[link][:3, 3], abs=1e-9)
        assert to_matrix(pose) == pytest.approx(expected[link][:3, :3].ravel(), abs=1e-9)


def test_a_hostile_description_stops_nothing(client, viewer_node):
    results = []
    publisher = client.node.create_publisher(String, 'robot_description', LATCHED)
    viewer_node.listen(
        lambda name, content: name == 'description' and results.append(content[1]))
    viewer_node.start()
    publisher.publish(String(data=f'<robot name="r">{"<a/>" * 1_500_000}</robot>'))
    client.wait_for(lambda: len(results) == 1, 'the first result')
    assert results[0].report.first_error.code == 'too-many-elements'
    publisher.publish(String(data='<robot name="r"><link name="a"/></robot>'))
    client.wait_for(lambda: len(results) == 2, 'the second result')
    assert results[1].model.name == 'r'


@pytest.mark.parametrize('options, number', [
    (['--ros', '--namespace', 'left', '--namespace', 'right'], signal.SIGTERM),
    (['--ros', '--publish'], signal.SIGINT)])
def test_the_command_ends_soon(client, domain, tmp_path, options, number):
    pytest.importorskip('viser')
    heard = '/left/robot_description' if 'left' in options else '/robot_description'
    publisher = client.node.create_publisher(String, heard, LATCHED)
    publisher.publish(String(data=f'<robot name="r">{"<a/>" * 900_000}</robot>'))
    command = RunningNode(
        domain, ['view', *options, '--no-open', '--port', str(free_port())],
        tmp_path / 'view.log', HRDF)
    client.wait_for(lambda: 'http://' in command.log, 'the page')
    client.wait_for(publisher.get_subscription_count, 'the viewer')
    assert command.end(number) == 0
    assert 'Traceback' not in command.log


def test_the_command_publishes_and_stops_cleanly(client, arm, domain, tmp_path):
    pytest.importorskip('viser')
    heard = client.listen('/left/joint_states', JointState, QoSProfile(depth=10))
    command = RunningNode(domain, [
        'view', str(arm), '--publish', '--no-open', '--port', str(free_port()), '--ros-args',
        '-r', '__ns:=/left'], tmp_path / 'view.log', HRDF)
    client.wait_for(lambda: heard, 'joint states')
    assert heard[-1].name == ['base', 'elbow']
    assert heard[-1].header.stamp.sec > 0
    assert command.end(signal.SIGINT) == 0
    assert 'the sliders are published on /left/joint_states' in command.log
    assert 'Traceback' not in command.log
