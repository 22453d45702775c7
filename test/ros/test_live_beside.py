# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Beside robot_state_publisher, where there is one: from the same messages the same transforms."""

from __future__ import annotations

import json
from pathlib import Path

from geometry_msgs.msg import Transform
from helpers.live_node import Client, LATCHED, RunningNode, START, URDF
from hrdf_ros.load import load_model
import numpy as np
import pytest
from rclpy.qos import QoSProfile
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

ROOT = Path(__file__).resolve().parents[2]
EXEC = 'import os, sys; os.execv(sys.argv[1], sys.argv[1:])'
ROBOTS = {
    'gripper arm': (ROOT / 'examples' / 'urdf' / 'gripper_arm.urdf').read_text(), 'slide': URDF}
THEIRS = ['__node:=theirs', *(
    f'{topic}:=/theirs{topic}' for topic in ('/tf', '/tf_static', '/robot_description'))]


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the program of robot_state_publisher."""
    monkeypatch.syspath_prepend(str(ROOT / 'benchmark'))
    from nodes import find_robot_state_publisher
    found = find_robot_state_publisher()
    if found is None:
        pytest.skip('robot_state_publisher is not installed')
    return found


@pytest.mark.parametrize('robot', ROBOTS)
def test_the_transforms_are_the_same(
    program: str, client: Client, domain: int, tmp_path: Path, robot: str,
) -> None:
    text = ROBOTS[robot]
    parameters = tmp_path / 'parameters.yaml'
    parameters.write_text(
        '/**:\n  ros__parameters:\n    ignore_timestamp: true\n'
        f'    robot_description: {json.dumps(text)}\n')
    client.listen('/theirs/tf', TFMessage, QoSProfile(depth=1000))
    client.listen('/theirs/tf_static', TFMessage, LATCHED)
    client.listen('/theirs/robot_description', String, LATCHED)
    arguments = ['--ros-args', '--params-file', str(parameters)]
    remaps = [word for remap in THEIRS for word in ('-r', remap)]
    nodes = [
        RunningNode(domain, arguments, tmp_path / 'ours', START),
        RunningNode(domain, [program, *arguments, *remaps], tmp_path / 'theirs', EXEC)]
    try:
        positions = {
            coordinate.name: 0.1 + 0.05 * index
            for index, coordinate in enumerate(load_model(text).coordinates)
            if coordinate.mimic is None}
        client.wait_for(
            lambda: client.move(positions) and all(client.received.values()), 'every topic')
    finally:
        for node in nodes:
            node.end()
    for topic in ('/tf', '/tf_static'):
        ours, theirs = transforms(client, topic), transforms(client, f'/theirs{topic}')
        assert set(ours) == set(theirs)
        for child, expected in theirs.items():
            np.testing.assert_allclose(ours[child], expected, atol=1e-9, err_msg=child)
    for topic in ('/robot_description', '/theirs/robot_description'):
        assert client.received[topic][-1].data == text


def transforms(client: Client, topic: str) -> dict[str, list[float]]:
    """Return the last transforms of a topic by child frame."""
    return {
        transform.child_frame_id: numbers(transform.transform)
        for message in client.received[topic] for transform in message.transforms}


def numbers(transform: Transform) -> list[float]:
    """Return translation and quaternion; of a quaternion and its negative that with w >= 0."""
    at, turn = transform.translation, transform.rotation
    sign = -1.0 if turn.w < 0.0 else 1.0
    return [at.x, at.y, at.z, *(sign * part for part in (turn.x, turn.y, turn.z, turn.w))]
