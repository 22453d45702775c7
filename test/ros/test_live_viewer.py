# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What ``hrdf view --ros`` hears of a running robot."""

from collections.abc import Sequence
import signal
import socket
from threading import Thread
import time
from typing import Any

from geometry_msgs.msg import TransformStamped
from helpers.live_node import LATCHED, RunningNode, TIMEOUT
from hrdf_ros import Kinematics, load_model
from hrdf_ros.model import Model
from hrdf_ros.node.viewer import ViewerNode
from hrdf_ros.pose import to_matrix
from hrdf_ros.view.live import LiveRobots
from hrdf_ros.view.transform_tree import TransformTree
import pytest
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

HRDF = 'import sys; from hrdf_ros.cli import main; sys.exit(main())'
POSITIONS = {'base': 0.5, 'elbow': 0.25}


def test_description_joints_and_transforms_arrive(
        start, client, arm, domain, monkeypatch) -> None:
    monkeypatch.setenv('ROS_DOMAIN_ID', str(domain))
    received: list[tuple[str, Any]] = []
    tree = TransformTree()

    def take(name: str, content: Any) -> None:
        received.append((name, content))
        if name == 'transforms':
            tree.update(content)

    def seen(link: str) -> Any:
        pose = tree.relative('base_link', link)
        if pose is None:
            client.move(POSITIONS)  # the listener of /tf may have been found after the last one
        return pose

    node = listening(take)
    try:
        start(str(arm))
        client.wait_for_node()
        client.move_until_heard(POSITIONS)
        client.wait_for(lambda: ('joints', ('', POSITIONS)) in received, 'the joints')
        model = client.wait_for(
            lambda: next((each[1] for name, each in received if name == 'description'), None),
            'the description').model
        links = [body.name for body in model.bodies]
        assert tree.prefix(links) == ''
        expected = Kinematics(model).fk(POSITIONS)
        for index, link in enumerate(links):
            pose = client.wait_for(lambda link=link: seen(link), link)
            frame = [each.name for each in model.frames].index(link)
            assert pose.position == pytest.approx(expected[frame][:3, 3], abs=1e-9), index
            assert to_matrix(pose) == pytest.approx(expected[frame][:3, :3].ravel(), abs=1e-9)
    finally:
        node.end()


def test_a_hostile_description_stops_nothing(client, domain, monkeypatch) -> None:
    monkeypatch.setenv('ROS_DOMAIN_ID', str(domain))
    received: list[tuple[str, Any]] = []
    publisher = client.node.create_publisher(String, 'robot_description', LATCHED)
    node = listening(lambda name, content: received.append((name, content)))

    def results() -> list[Any]:
        return [content[1] for name, content in received if name == 'description']

    try:
        publisher.publish(String(data=f'<robot name="r">{"<a/>" * 1_500_000}</robot>'))
        client.wait_for(lambda: len(results()) == 1, 'the first result')
        assert results()[0].report.first_error.code == 'too-many-elements'
        publisher.publish(String(data='<robot name="r"><link name="a"/></robot>'))
        client.wait_for(lambda: len(results()) == 2, 'the second result')
        assert results()[1].model.name == 'r'
    finally:
        node.end()


@pytest.mark.parametrize('options, number', [
    (['--ros', '--namespace', 'left', '--namespace', 'right'], signal.SIGTERM),
    (['--ros', '--publish'], signal.SIGINT)])
def test_the_command_ends_soon(client, domain, tmp_path, options, number) -> None:
    pytest.importorskip('viser')
    heard = '/left/robot_description' if 'left' in options else '/robot_description'
    publisher = client.node.create_publisher(String, heard, LATCHED)
    publisher.publish(String(data=f'<robot name="r">{"<a/>" * 900_000}</robot>'))
    command = RunningNode(
        domain, ['view', *options, '--no-open', '--port', str(free_port())],
        tmp_path / 'view.log', HRDF)
    client.wait_for(lambda: 'http://' in command.log, 'the page')
    client.wait_for(publisher.get_subscription_count, 'the viewer')
    began = time.monotonic()
    assert command.end(number) == 0
    assert time.monotonic() - began < 2.0
    assert 'Traceback' not in command.log


def test_two_robots_in_namespaces_are_on_one_page(
        start, client, arm, domain, monkeypatch) -> None:
    server_module = pytest.importorskip('hrdf_ros.view.server', exc_type=ImportError)
    viewer_module = pytest.importorskip('hrdf_ros.view.viewer', exc_type=ImportError)
    monkeypatch.setenv('ROS_DOMAIN_ID', str(domain))
    static = client.node.create_publisher(TFMessage, '/tf_static', LATCHED)
    static.publish(TFMessage(transforms=[
        placed('left/base_link', 2.0), placed('right/base_link', -3.0)]))
    wanted = {'left': POSITIONS, 'right': {'base': -0.5, 'elbow': 1.0}}
    joints = {name: client.node.create_publisher(JointState, f'/{name}/joint_states', 10)
              for name in wanted}
    texts = client.listen('/left/robot_description', String, LATCHED)
    for name in wanted:
        start(str(arm), '--ros-args', '-r', f'__ns:=/{name}', frame_prefix=f'{name}/')
    server = server_module.start_server('localhost', free_port())
    namespaces = ['left', '/right']
    viewer = viewer_module.Viewer(server, viewer_module.Source(live=LiveRobots(namespaces)))
    thread = Thread(target=viewer.run)
    node = listening(viewer.receive, namespaces)
    thread.start()
    try:
        client.wait_for(lambda: texts, 'the description')
        expected = expected_positions(load_model(texts[0].data), {
            'left': (2.0, wanted['left']), 'right': (-3.0, wanted['right'])})

        def is_shown() -> bool:
            for name, publisher in joints.items():
                publisher.publish(JointState(
                    name=list(wanted[name]), position=list(wanted[name].values())))
            return shown_positions(viewer) == pytest.approx(expected, abs=1e-6)

        client.wait_for(is_shown, 'both robots where TF has them')
        assert 'left, right: where TF has them in world.' in viewer._panel._notes.content
        values = [handle.value for _, handle in viewer._panel._rows.values()]
        names = [slider.name for slider, _ in viewer._panel._rows.values()]
        assert dict(zip(names, values)) == {
            'left/base': 0.5, 'left/elbow': 0.25, 'right/base': -0.5, 'right/elbow': 1.0}
        assert {'left/tool', 'right/tool'} <= set(viewer._panel._find.options)
    finally:
        node.end()
        viewer.stop()
        thread.join(TIMEOUT)
        server.stop()


def listening(receive: Any, namespaces: Sequence[str] = ('',)) -> ViewerNode:
    node = ViewerNode([])
    node.listen(receive, namespaces)
    node.start()
    return node


def free_port() -> int:
    with socket.create_server(('localhost', 0)) as taken:
        return int(taken.getsockname()[1])


def placed(child: str, x: float) -> TransformStamped:
    """Return where the root link of a robot is in the world."""
    transform = TransformStamped(child_frame_id=child)
    transform.header.frame_id = 'world'
    transform.transform.translation.x = x
    return transform


def shown_positions(viewer: Any) -> dict[str, float]:
    """Return coordinates of all links as they are drawn."""
    bodies = viewer._motion.model.bodies if viewer._motion is not None else ()
    nodes = viewer._drawing._bodies.copy()
    return {f'{body.name} {axis}': float(value)
            for index, body in enumerate(bodies) if index in nodes and nodes[index].visible
            for axis, value in zip('xyz', nodes[index].position)}


def expected_positions(model: Model, robots: dict[str, tuple[float, Any]]) -> dict[str, float]:
    """Return coordinates of all links of robots that stand along x."""
    names = [frame.name for frame in model.frames]
    result = {}
    for robot, (x, positions) in robots.items():
        poses = Kinematics(model).fk(positions)
        for body in model.bodies:
            at = poses[names.index(body.name), :3, 3] + (x, 0.0, 0.0)
            result |= {f'{robot}/{body.name} {axis}': float(value)
                       for axis, value in zip('xyz', at)}
    return result
