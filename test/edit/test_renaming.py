# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""New names of what other things are named after, and of what is in XML of other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hrdf_ros import edit, load_model, Model, write_mjcf, write_sdf, write_urdf
from hrdf_ros.inertia import Inertia
import pytest

MASS = Inertia(mass=1.0, ixx=0.01, iyy=0.01, izz=0.01)
EXAMPLES = Path(__file__).parents[2] / 'examples'
ARM = load_model(EXAMPLES / 'urdf' / 'gripper_arm.urdf')
BASE = load_model(EXAMPLES / 'sdf' / 'mobile_base.sdf')
WORLD = load_model("""<sdf version="1.11"><world name="w"><model name="cart">
<link name="base"><sensor name="eye" type="imu"/><light name="lamp" type="point"/></link>
<link name="wheel"/>
<joint name="turn" type="revolute"><parent>base</parent><child>wheel</child>
<axis><xyz>1 0 0</xyz></axis><sensor name="torque" type="force_torque"/></joint>
</model><light name="sun" type="point"/></world></sdf>""")
HAND = load_model("""<mujoco model="hand"><worldbody><body name="palm"><geom size="0.1"/>
<camera name="eye" fovy="30"/><light name="lamp" diffuse="1 0 0"/>
<body name="finger"><joint name="close"/><geom size="0.1"/></body></body></worldbody>
<actuator><motor name="pull" joint="close"/></actuator>
<sensor><framepos objtype="camera" objname="eye"/></sensor></mujoco>""")
GRIPPER = load_model("""<robot name="gripper"><link name="palm"/><link name="finger"/>
<joint name="close" type="fixed"><parent link="palm"/><child link="finger"/></joint>
<gazebo reference="finger"><mu1>0.9</mu1></gazebo></robot>""")


def frames(model: Model) -> list[str]:
    """Return the names of the frames of a robot, in order."""
    return sorted(frame.name for frame in model.frames)


def written(model: Model) -> Model:
    """Return what is read of the SDFormat that is written of a Model."""
    text, report = write_sdf(model)
    assert report.ok
    return load_model(text)


@pytest.mark.parametrize(('old', 'new', 'expected'), [
    ('cart/base', 'chassis', 'cart/chassis/eye'), ('cart/base/eye', 'imu', 'cart/base/imu'),
    ('cart/turn', 'spin', 'cart/spin/torque'), ('cart/turn/torque', 'ft', 'cart/turn/ft'),
    ('cart/base/lamp', 'cart/base/led', 'cart/base/led'), ('sun', 'moon', 'moon')])
def test_parts_are_named_after_what_they_are_in(old: str, new: str, expected: str) -> None:
    model = edit.rename(WORLD, {old: new})
    assert expected in frames(model)
    assert frames(written(model)) == frames(model)


@pytest.mark.parametrize('kind', ['joint', 'coordinate', 'frame'])
def test_a_joint_of_sdformat_and_its_frame_have_one_name(kind: Any) -> None:
    model = edit.rename(WORLD, {'cart/turn': 'spin'}, kind=kind)
    assert 'cart/spin' in frames(model) and model.joints[0].name == 'cart/spin'
    assert model.coordinates[0].name == 'cart/spin'
    assert frames(written(model)) == frames(model)


@pytest.mark.parametrize('name', ['cart/base/eye', 'cart/turn/torque', 'cart/wheel', 'sun'])
def test_parts_go_with_their_frames(name: str) -> None:
    model = edit.remove(WORLD, name)
    assert not any(frame.startswith(name) for frame in frames(model))
    assert frames(written(model)) == frames(model)


@pytest.mark.parametrize(('names', 'message'), [
    ({'world': 'x'}, "'world' is the world itself, which keeps its name"),
    ({'cart': 'x'}, "'cart' is a whole model; name the links, joints and frames in it instead"),
    ({'sun': 'cart/sun'}, "'sun' cannot become 'cart/sun': it is not in the model 'cart'")])
def test_what_keeps_its_name(names: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        edit.rename(WORLD, names)
    if 'cart' in names:
        with pytest.raises(ValueError, match=message):
            edit.remove(WORLD, 'cart')


def test_cameras_and_lights_of_mjcf_follow() -> None:
    text = write_mjcf(edit.rename(HAND, {'eye': 'view', 'lamp': 'led'}))[0]
    assert '<camera name="view" fovy="30"' in text and '<light name="led" diffuse="1 0 0"' in text
    assert 'objname="view"' in text
    text = write_mjcf(edit.remove(HAND, 'eye'))[0]
    assert 'camera' not in text and 'objname' not in text


def test_a_site_that_has_the_name_of_a_body_keeps_its_own() -> None:
    model = load_model(
        '<mujoco><worldbody><body name="a"><geom size="1"/><site name="a"/><body name="b">'
        '<geom size="1"/></body></body></worldbody><sensor><gyro site="a"/></sensor></mujoco>')
    assert 'a_site' in frames(model)
    assert '<gyro site="a"/>' in write_mjcf(edit.rename(model, {'b': 'c'}))[0]
    assert '<gyro site="s"/>' in write_mjcf(edit.rename(model, {'a_site': 's'}))[0]
    assert '<gyro site="a"/>' in write_mjcf(edit.rename(model, {'a': 'c'}, kind='link'))[0]


def test_a_slash_is_part_of_a_name_where_no_model_has_it() -> None:
    model = edit.attach(WORLD, GRIPPER, to='cart/turn/torque', prefix='cart/turn/left_')
    assert 'cart::turn/left_palm' in {body.source_name for body in model.bodies}
    model = edit.rename(model, {'cart/turn/left_finger': 'tip'})
    assert {'cart/turn/left_palm', 'cart/tip'} <= set(frames(written(model)))
    text = write_urdf(model)[0]
    assert '<gazebo reference="cart/tip">' in text and '<link name="cart/tip"/>' in text
    model = edit.attach(ARM, BASE, to='wrist', prefix='on/')
    assert {'on/chassis', 'on/chassis/lidar'} <= set(frames(model))
    assert 'on/chassis' in {body.name for body in load_model(write_urdf(model)[0]).bodies}


def test_mjcf_in_a_model_of_a_world_is_written_with_its_names() -> None:
    model = edit.attach(WORLD, HAND, to='cart/base', prefix='cart/left_')
    text = write_mjcf(model)[0]
    assert 'joint="cart/left_close"' in text and 'objname="cart/left_eye"' in text
    again = load_model(text)
    assert 'cart/left_finger' in {body.name for body in again.bodies}
    assert 'cart/left_close' not in write_mjcf(edit.remove(model, 'cart/left_finger'))[0]


ANCHORS = load_model("""<mujoco model="m"><worldbody><body name="a"><geom size="0.1"/>
<joint name="x" axis="1 0 0"/><joint name="y" axis="0 1 0" pos="0 0 0.2"/></body></worldbody>
</mujoco>""")


def links(model: Model) -> list[str]:
    """Return the names of the links that are written as MJCF and read again."""
    return [body.name for body in load_model(write_mjcf(model)[0]).bodies]


def test_a_link_without_mass_keeps_its_name_in_mjcf() -> None:
    assert links(ANCHORS) == ['world', 'a/x', 'a'], 'two joints at different places of one body'
    assert links(edit.rename(ANCHORS, {'a': 'b'})) == ['world', 'b/x', 'b']
    assert links(edit.rename(ANCHORS, {'a/x': 'mid'})) == ['world', 'mid', 'a']
    both = edit.attach(edit.new('r'), ANCHORS, to='base_link', prefix='left_')
    assert len(links(both)) == len(both.bodies) + 1, 'and the world'
    model = edit.add_link(HAND, 'ghost', parent='finger', joint='prismatic')
    model = edit.add_link(model, 'tip', parent='ghost', joint='prismatic', inertia=MASS)
    assert links(model) == ['world', 'palm', 'finger', 'ghost', 'tip']


def test_a_coordinate_of_a_free_joint_leads_none_in_mjcf() -> None:
    model = load_model('<mujoco><worldbody><body name="a"><freejoint name="f"/>'
                       '<geom size="0.1"/></body></worldbody></mujoco>')
    model = edit.add_link(
        model, 'b', parent='a', joint='revolute', inertia=MASS, mimic=('f_rot_z', 1.0, 0.0))
    text, report = write_mjcf(model)
    assert '<equality>' not in text
    [found] = [one for one in report if one.code == 'mimic-not-representable']
    assert 'MJCF cannot couple joints with ball and free joints' in found.message
