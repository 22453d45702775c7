# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Coordinates of ball, planar and free joints from the joint's transform."""

from hrdf_ros.kinematics import Kinematics
from hrdf_ros.load import load_model
from hrdf_ros.lowering import lower
from hrdf_ros.lowering.target import TF
from hrdf_ros.node.robot import coordinates_from_transform
from hrdf_ros.pose import from_matrix
from hypothesis import given
from hypothesis import strategies as st
import pytest

JOINT = """<skel version="1.0"><world name="w"><skeleton name="s">
<body name="b"><inertia><mass>1</mass></inertia></body>
<joint type="{}" name="j"><parent>world</parent><child>b</child>{}</joint>
</skeleton></world></skel>"""
PLANE = '<plane type="yz"/>'
angles = st.floats(-1.7, 1.7)


@given(st.lists(angles, min_size=6, max_size=6))
@pytest.mark.parametrize('text', [
    JOINT.format('ball', ''), JOINT.format('free', ''), JOINT.format('planar', PLANE)],
    ids=['ball', 'free', 'planar'])
def test_coordinates_make_the_transform_again(text, values):
    model = load_model(text)
    q = dict(zip((coordinate.name for coordinate in model.coordinates), values))
    matrix = Kinematics(model).pose('b', q, relative_to='world')
    pose = from_matrix(matrix[:3, 3].tolist(), matrix[:3, :3].ravel().tolist())
    assert coordinates_from_transform(model, model.joints[0], pose) == pytest.approx(q, abs=1e-9)


def test_a_revolute_joint_gives_its_angle_and_a_weld_nothing():
    axis = '<axis><xyz>0 0 1</xyz></axis>'
    model = lower(load_model(JOINT.format('weld', '')), TF).model
    assert coordinates_from_transform(model, model.joints[0], model.pose) is None
    model = load_model(JOINT.format('revolute', axis))
    assert coordinates_from_transform(model, model.joints[0], model.pose) == {'j': 0.0}
