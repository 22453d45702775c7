# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What ``hrdf view --ros`` hears of a running robot."""

from typing import Any

from hrdf_ros import Kinematics, load_model
from hrdf_ros.node.viewer import listen
from hrdf_ros.pose import to_matrix
from hrdf_ros.view.transform_tree import TransformTree
import pytest

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

    end = listen(take, [])
    try:
        start(str(arm))
        client.wait_for_node()
        client.move_until_heard(POSITIONS)
        client.wait_for(lambda: ('joints', POSITIONS) in received, 'the joints')
        text = client.wait_for(
            lambda: next((each for name, each in received if name == 'description'), None),
            'the description')
        model = load_model(text)
        links = [body.name for body in model.bodies]
        assert tree.prefix(links) == ''
        expected = Kinematics(model).fk(POSITIONS)
        for index, link in enumerate(links):
            pose = client.wait_for(lambda link=link: seen(link), link)
            frame = [each.name for each in model.frames].index(link)
            assert pose.position == pytest.approx(expected[frame][:3, 3], abs=1e-9), index
            assert to_matrix(pose) == pytest.approx(expected[frame][:3, :3].ravel(), abs=1e-9)
    finally:
        end()
