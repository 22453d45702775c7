# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The node with models of MuJoCo: an arm, and a quadruped with a free base."""

from itertools import product
import math
from xml.etree import ElementTree

import pytest

ARM = """<mujoco model="arm"><compiler angle="radian"/><worldbody>
<body name="upper" pos="0 0 0.5"><joint name="shoulder" axis="0 1 0" ref="0.2"/>
<geom type="capsule" size="0.05" fromto="0 0 0 0.4 0 0"/>
<body name="fore" pos="0.4 0 0"><joint name="elbow" axis="0 1 0" pos="0 0 0.1"/>
<geom type="capsule" size="0.04" fromto="0 0 0 0.3 0 0"/><site name="tip" pos="0.3 0 0"/></body>
</body></worldbody></mujoco>"""
LEG = """<body name="leg_{0}{1}" pos="{0} {1} 0"><joint name="hip_{0}{1}" axis="1 0 0"/>
<geom type="capsule" size="0.05" fromto="0 0 0 0 0 -0.4"/></body>"""
QUADRUPED = (
    '<mujoco model="quadruped"><worldbody><body name="torso" pos="0 0 1"><freejoint name="base"/>'
    '<geom type="box" size="1 1 0.1"/>' + ''.join(
        LEG.format(x, y) for x, y in product((-1, 1), (-1, 1))) + '</body></worldbody></mujoco>')


def test_arm_is_on_tf_with_mujocos_joint_positions(start, client, tmp_path):
    file = tmp_path / 'arm.xml'
    file.write_text(ARM)
    start(str(file))
    client.wait_for_node()
    urdf = ElementTree.fromstring(client.wait_for_message('/robot_description').data)
    assert {link.get('name') for link in urdf.iter('link')} >= {'world', 'upper', 'fore'}
    moving = client.move_until_heard({'shoulder': 0.2, 'elbow': math.pi / 2})
    upper = moving['upper']
    assert upper.header.frame_id == 'world'
    assert upper.transform.rotation.y == pytest.approx(0.0, abs=1e-12)  # at its ref
    fore = client.lookup('fore', relative_to='upper')
    assert fore.success
    # about a point 0.1 above the origin of the body
    assert fore.transform.transform.translation.x == pytest.approx(0.3, abs=1e-12)
    assert fore.transform.transform.translation.z == pytest.approx(0.1, abs=1e-12)
    tip = client.lookup('tip', relative_to='fore')
    assert tip.transform.transform.translation.x == pytest.approx(0.3, abs=1e-12)


def test_quadruped_is_on_tf_with_its_free_base(start, client, tmp_path):
    file = tmp_path / 'quadruped.xml'
    file.write_text(QUADRUPED)
    start(str(file))
    client.wait_for_node()
    moving = client.move_until_heard({
        'base_pos_x': 1.0, 'base_pos_y': 2.0, 'base_pos_z': 3.0, 'base_rot_x': 0.0,
        'base_rot_y': 0.0, 'base_rot_z': math.pi / 2, 'hip_11': 0.5})
    torso, leg = moving['torso'].transform, moving['leg_11'].transform
    assert [torso.translation.x, torso.translation.y, torso.translation.z] == pytest.approx(
        [1.0, 2.0, 3.0], abs=1e-12)
    assert torso.rotation.z == pytest.approx(math.sqrt(0.5), abs=1e-12)
    assert leg.rotation.x == pytest.approx(math.sin(0.25), abs=1e-12)
