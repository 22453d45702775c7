# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf view --publish``: the sliders of the viewer as joint_states."""

from pathlib import Path
import signal
import socket
import threading
import time

from helpers.live_node import RunningNode, TIMEOUT
from hrdf_ros import load
import pytest
from rclpy.qos import QoSProfile
from sensor_msgs.msg import JointState

pytest.importorskip('viser')

from hrdf_ros.node.viewer import ViewerNode
from hrdf_ros.view.live import LiveRobots
from hrdf_ros.view.server import start_server
from hrdf_ros.view.viewer import Source, Viewer

EXAMPLES = Path(__file__).resolve().parents[2] / 'examples'
HRDF = 'import sys; from hrdf_ros.cli import main; sys.exit(main())'


def free_port():
    with socket.create_server(('localhost', 0)) as taken:
        return taken.getsockname()[1]


@pytest.fixture
def server():
    """Return the server of a page that nobody looks at."""
    found = start_server('localhost', free_port())
    yield found
    found.stop()


@pytest.fixture
def run():
    """Return a function that runs a viewer in a thread."""
    running = []

    def start(viewer):
        thread = threading.Thread(target=viewer.run)
        thread.start()
        running.append((viewer, thread))

    yield start
    for viewer, thread in running:
        viewer.stop()
        thread.join(TIMEOUT)


@pytest.fixture
def sliders(domain, monkeypatch):
    """Return a function that makes a node in the test's domain that publishes sliders."""
    monkeypatch.setenv('ROS_DOMAIN_ID', str(domain))
    nodes = []

    def make(*arguments):
        nodes.append(ViewerNode(arguments))
        topic = nodes[-1].advertise()
        nodes[-1].start()
        return nodes[-1], topic

    yield make
    for node in nodes:
        node.end()


def test_the_sliders_are_published_in_a_namespace(client, server, sliders, run):
    heard = client.listen('/left/joint_states', JointState, QoSProfile(depth=10))
    node, topic = sliders('--ros-args', '-r', '__ns:=/left')
    viewer = Viewer(server, Source(
        lambda: load(EXAMPLES / 'hrdf' / 'gantry.hrdf'), publish=node.publish))
    assert topic == '/left/joint_states'
    run(viewer)
    client.wait_for(lambda: heard, 'joint states')
    assert heard[-1].name == ['bridge', 'carriage', 'spindle', 'tool_axis']
    assert heard[-1].header.stamp.sec > 0
    before = list(heard[-1].position)
    viewer.receive('pose', 'Random')
    client.wait_for(lambda: list(heard[-1].position) != before, 'other positions')


@pytest.mark.parametrize('file, free', [
    ('sdf/four_bar.sdf', ['drive']),
    ('urdf/gripper_arm.urdf', None)])
def test_what_follows_is_left_out(client, server, sliders, run, file, free):
    heard = client.listen('/joint_states', JointState, QoSProfile(depth=10))
    node, _ = sliders()
    run(Viewer(server, Source(lambda: load(EXAMPLES / file), publish=node.publish)))
    client.wait_for(lambda: heard, 'joint states')
    model = load(EXAMPLES / file).model
    mimics = {each.name for each in model.coordinates if each.mimic is not None}
    assert heard[-1].name == (free or [
        each.name for each in model.coordinates if each.name not in mimics])


def test_a_running_robot_is_driven_and_shown(start, client, server, sliders, run):
    node = start(str(EXAMPLES / 'hrdf' / 'gantry.hrdf'), publish_frequency=0.0)
    heard = client.listen('/joint_states', JointState, QoSProfile(depth=10))
    publisher, _ = sliders()
    viewer = Viewer(server, Source(live=LiveRobots(), publish=publisher.publish))
    publisher.listen(viewer.receive)
    run(viewer)
    client.wait_for(lambda: heard, 'joint states')
    assert heard[-1].name == ['bridge', 'carriage', 'spindle', 'tool_axis']
    client.wait_for_message('/tf')
    viewer.receive('pose', 'Random')
    client.wait_for(lambda: any(heard[-1].position), 'other positions')
    assert 'does not have' not in node.log


def test_the_command_publishes_and_stops_cleanly(client, arm, domain, tmp_path):
    heard = client.listen('/left/joint_states', JointState, QoSProfile(depth=10))
    command = RunningNode(domain, [
        'view', str(arm), '--publish', '--no-open', '--port', str(free_port()), '--ros-args',
        '-r', '__ns:=/left'], tmp_path / 'view.log', HRDF)
    client.wait_for(lambda: heard, 'joint states')
    assert heard[-1].name == ['base', 'elbow']
    assert command.end(signal.SIGINT) == 0
    heard.clear()
    time.sleep(0.3)
    assert heard == []
    assert 'the sliders are published on /left/joint_states' in command.log
    assert 'Traceback' not in command.log
