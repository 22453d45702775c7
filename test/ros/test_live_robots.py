# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Bundled robots of every format, live: what TF says is what the kinematics say."""

from itertools import product
from pathlib import Path
from xml.etree import ElementTree

from hrdf_ros.kinematics import Kinematics
from hrdf_ros.kinematics.transforms import matrices
from hrdf_ros.load import load_model
from hrdf_ros.node.tf2 import pose_of
import numpy as np
import pytest
from rclpy.qos import QoSProfile
from sensor_msgs.msg import JointState

EXAMPLES = Path(__file__).parents[2] / 'examples'
ROBOTS = (
    'hrdf/hexapod.hrdf', 'hrdf/gantry.hrdf', 'sdf/two_arm_world.sdf', 'sdf/hrdf_arm.sdf',
    'sdf/mobile_base.sdf', 'sdf/four_bar.sdf', 'skel/humanoid.skel', 'urdf/gripper_arm.urdf')


LEG = """<body name="leg_{0}{1}" pos="{0} {1} 0"><joint name="hip_{0}{1}" axis="1 0 0" ref="0.2"/>
<geom type="capsule" size="0.05" fromto="0 0 0 0 0 -0.4"/><site name="foot_{0}{1}"/></body>"""
QUADRUPED = (
    '<mujoco model="quadruped"><worldbody><body name="torso" pos="0 0 1"><freejoint name="base"/>'
    '<geom type="box" size="1 1 0.1"/>' + ''.join(
        LEG.format(x, y) for x, y in product((-1, 1), (-1, 1))) + '</body></worldbody></mujoco>')


def matrix(transform):
    """Return the 4x4 matrix of a transform message."""
    return matrices([pose_of(transform)])[0]


def poses(transforms):
    """Return root_from_frame by frame name of transforms that form a tree."""
    above = {t.child_frame_id: t for t in transforms}
    children = set(above)
    roots = {t.header.frame_id for t in transforms} - children
    assert len(roots) == 1, roots
    found = {roots.pop(): np.eye(4)}

    def pose(name):
        if name not in found:
            found[name] = pose(above[name].header.frame_id) @ matrix(above[name].transform)
        return found[name]

    return {name: pose(name) for name in (*above, *found)}


@pytest.mark.parametrize('robot', [*ROBOTS, 'quadruped.xml'])
def test_transforms_are_the_kinematics(start, client, tmp_path, robot):
    file = EXAMPLES / robot
    if robot == 'quadruped.xml':
        file = tmp_path / robot
        file.write_text(QUADRUPED)
    start(str(file), '--animate', publish_frames='all', publish_frequency=0.0)
    states = client.listen('/joint_states', JointState, QoSProfile(depth=1000))
    client.wait_for(lambda: len(states) > 20 and len(client.received['/tf']) > 20, 'movement')
    by_stamp = {str(state.header.stamp): state for state in list(states)}
    moving = next(
        message for message in reversed(list(client.received['/tf']))
        if str(message.transforms[0].header.stamp) in by_stamp)
    state = by_stamp[str(moving.transforms[0].header.stamp)]
    static = client.wait_for_message('/tf_static').transforms
    published = poses([*static, *moving.transforms])

    links = ElementTree.fromstring(client.wait_for_message('/robot_description').data)
    assert {link.get('name') for link in links.findall('link')} <= set(published)
    tree = Kinematics(load_model(file))
    expected = dict(zip(
        (frame.name for frame in tree.model.frames),
        tree.fk(dict(zip(state.name, state.position)))))
    root = next(name for name in published if np.array_equal(published[name], np.eye(4)))
    offset = expected.get(root, np.eye(4))
    assert set(expected) <= set(published)
    for name, pose in expected.items():
        np.testing.assert_allclose(offset @ published[name], pose, atol=1e-9, err_msg=name)
