# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Edits: what comes out is what was asked for, in every target; what makes no sense is refused."""

from __future__ import annotations

from collections.abc import Callable
import math
from pathlib import Path
import random
from typing import Any
import warnings

from helpers.records import put
from hrdf_ros import (
    edit,
    Kinematics,
    load_model,
    UnknownNameError,
    write_mjcf,
    write_sdf,
    write_urdf,
)
from hrdf_ros.inertia import Inertia
from hrdf_ros.model import (
    Body,
    Box,
    Capsule,
    Constraint,
    Cylinder,
    Ellipsoid,
    Frame,
    Geometry,
    Joint,
    Mimic,
    Model,
    Motion,
    RawElement,
    Shape,
    Sphere,
)
from hrdf_ros.model.consistency import InconsistentModelError, require_consistent
from hrdf_ros.pose import from_rpy, IDENTITY, Pose, translation
import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[2] / 'examples'
ARM = load_model(EXAMPLES / 'urdf' / 'gripper_arm.urdf')
GRIPPER = load_model(EXAMPLES / 'sdf' / 'parallel_gripper.sdf')
OF_JOINT = ('frames', next(
    index for index, frame in enumerate(GRIPPER.frames) if frame.kind == 'joint'))
ROBOTS = [
    'hrdf/arm_6dof.hrdf', 'hrdf/hexapod.hrdf', 'sdf/four_bar.sdf', 'sdf/nested_arm.sdf',
    'sdf/mobile_base.sdf', 'urdf/gripper_arm.urdf', 'urdf/rover.urdf']
BOX = Shape('box', Box((0.1, 0.1, 0.1)))
MASS = Inertia(mass=1.0, ixx=0.01, iyy=0.01, izz=0.01)
TARGETS: list[Callable[[Model], Any]] = [write_urdf, write_sdf, write_mjcf]


def write_and_read(write: Callable[[Model], Any]) -> Model:
    return load_model(write(ARM)[0])


def extensions(model: Model) -> str:
    """Return all the XML for other programs."""
    owners: list[Any] = [model, *model.bodies, *model.joints]
    return '\n'.join(raw.text for owner in owners for raw in owner.extensions)


def test_limits_of_a_joint() -> None:
    changed = edit.set_joint(ARM, 'elbow', lower=-0.1, effort=7.0)
    assert changed.joint('elbow').limits == (-0.1, 2.6)
    assert changed.joint('elbow').coordinates[0].effort == 7.0
    assert ARM.joint('elbow').limits == (-0.4, 2.6)
    assert load_model(write_urdf(changed)[0]).joint('elbow').limits == (-0.1, 2.6)


@pytest.mark.parametrize('change', [
    lambda model: edit.set_joint(model, 'mount', origin=Pose(1.0, 2.0, 3.0)),
    lambda model: put(model, ('joints', 3, 'parent_from_joint'), Pose(1.0))])
def test_a_nested_model_moves_with_its_link(change: Callable[[Model], Model]) -> None:
    changed = change(load_model(EXAMPLES / 'sdf' / 'nested_arm.sdf'))
    again = Kinematics(load_model(write_sdf(changed)[0]))
    for frame in changed.frames:
        expected = Kinematics(changed).pose(frame.name)
        assert np.abs(again.pose(frame.name) - expected).max() < 1e-9, frame.name


@pytest.mark.parametrize('write', TARGETS)
def test_a_continuous_joint_gets_limits(write: Callable[[Model], Any]) -> None:
    robot = edit.add_link(
        edit.new('robot'), 'wheel', parent='base_link', joint='continuous', joint_name='spin',
        inertia=MASS)
    limited = edit.set_joint(robot, 'spin', lower=-1.0, upper=2.0)
    again = load_model(write(limited)[0])
    assert again.coordinates[-1].lower == -1.0 and again.coordinates[-1].upper == 2.0
    assert edit.set_joint(robot, 'spin', velocity=1.0).joint('spin').record.type == 'continuous'


def test_origin_and_axis_of_a_joint() -> None:
    changed = edit.set_joint(
        ARM, 'elbow', origin=from_rpy((1.0, 2.0, 3.0), (0.0, 0.0, 0.0)), axis=(0.0, 0.0, 2.0))
    joint = changed.joint('elbow').record
    assert joint.parent_from_joint.position == (1.0, 2.0, 3.0)
    assert joint.motions[0].axis == (0.0, 0.0, 1.0)


def test_a_coordinate_of_a_joint_with_several() -> None:
    robot = load_model(
        '<sdf version="1.11"><model name="m"><link name="a"/><link name="b"/>'
        '<joint name="u" type="universal"><parent>a</parent><child>b</child>'
        '<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2></joint></model></sdf>')
    with pytest.raises(ValueError, match="'u' has 2 coordinates, not one; .*: u_1, u_2"):
        edit.set_joint(robot, 'u', lower=-1.0)
    assert edit.set_joint(robot, 'u_2', lower=-1.0).coordinates[1].lower == -1.0


def test_inertia_and_shapes_of_a_link() -> None:
    changed = edit.set_link(ARM, 'palm', inertia=MASS, visuals=[BOX], collisions=())
    assert changed.link('palm')[2:5] == (MASS, (BOX,), ())
    assert edit.set_link(ARM, 'palm', inertia=None).link('palm').inertia is None
    assert edit.set_link(ARM, 'palm').link('palm') == ARM.link('palm')


@pytest.mark.parametrize('write', TARGETS)
def test_links_frames_and_configurations_reach_each_target(write: Callable[[Model], Any]) -> None:
    robot = edit.new('robot')
    robot = edit.add_link(
        robot, 'arm', parent='base_link', joint='revolute', joint_name='shoulder', axis=(0, 1, 0),
        pose=translation(0.0, 0.0, 0.5), inertia=MASS, shapes=[BOX], lower=-1.0, upper=2.0,
        velocity=3.0, effort=4.0)
    robot = edit.add_frame(robot, 'tip', parent='arm', pose=translation(0.0, 0.0, 0.3))
    robot = edit.add_link(
        robot, 'slider', parent='tip', joint='prismatic', inertia=MASS, lower=0.0, upper=0.1,
        mimic=('shoulder', 0.5, 0.01))
    text, _ = write(robot)
    again = load_model(text)
    assert [one.lower for one in again.coordinates if one.name == 'shoulder'] == [-1.0]
    for q in (0.0, 0.7):
        for name in ('arm', 'slider'):
            expected = Kinematics(robot).pose(name, {'shoulder': q}, relative_to='base_link')
            found = Kinematics(again).pose(name, {'shoulder': q}, relative_to='base_link')
            assert np.abs(found - expected).max() < 1e-9


def test_a_named_configuration() -> None:
    home = edit.set_configuration(ARM, 'home', {'elbow': 0.5, 'turn': 0.1})
    assert Kinematics(home).configuration('home').tolist()[:3] == [0.1, 0.0, 0.5]
    assert edit.set_configuration(home, 'home', None).configurations == ()


def test_a_four_bar_closes() -> None:
    robot = edit.new('four_bar')
    robot = edit.add_link(robot, 'crank', parent='base_link', joint='continuous', axis=(0, 1, 0))
    robot = edit.add_link(
        robot, 'rocker', parent='base_link', joint='continuous', axis=(0, 1, 0),
        pose=translation(0.4, 0.0, 0.0))
    robot = edit.add_link(
        robot, 'coupler', parent='crank', joint='continuous', axis=(0, 1, 0),
        pose=translation(0.0, 0.0, 0.3))
    robot = edit.add_joint(
        robot, 'closing', parent='rocker', child='coupler', joint='continuous', axis=(0, 1, 0),
        pose=translation(0.0, 0.0, 0.3), child_pose=translation(0.4, 0.0, 0.0))
    poses = Kinematics(robot, ['crank_joint']).poses({'crank_joint': 0.4})
    ends = [poses['rocker'] @ [0.0, 0.0, 0.3, 1.0], poses['coupler'] @ [0.4, 0.0, 0.0, 1.0]]
    assert np.abs(ends[0] - ends[1]).max() < 1e-9


def test_two_grippers_of_another_format_on_an_arm() -> None:
    robot = edit.add_frame(ARM, 'other_side', parent='wrist', pose=translation(0.0, 0.0, 0.1))
    for side, to in (('left_', 'wrist'), ('right_', 'other_side')):
        robot = edit.attach(
            robot, GRIPPER, to=to, pose=translation(0.0, 0.1, 0.0), prefix=side)
    palm = Kinematics(robot).pose('right_palm', relative_to='wrist')
    assert palm[:3, 3].tolist() == pytest.approx([0.0, 0.1, 0.1])
    root = Kinematics(GRIPPER)
    relative = Kinematics(robot).pose('left_left_jaw', relative_to='left_palm')
    assert np.abs(relative - root.pose('left_jaw', relative_to='palm')).max() < 1e-12
    assert load_model(write_sdf(robot)[0]).link('right_left_jaw').inertia is not None


def test_a_name_that_both_have_is_refused() -> None:
    with pytest.raises(InconsistentModelError, match='2 links have the name'):
        edit.attach(ARM, ARM, to='tool')


def test_a_free_robot_leaves_its_world() -> None:
    ball = load_model(
        '<mujoco model="ball"><worldbody><body name="ball"><freejoint/><geom size="1"/></body>'
        '</worldbody></mujoco>')
    robot = edit.attach(ARM, ball, to='tool')
    assert len(robot.bodies) == len(ARM.bodies) + 1
    assert len(robot.coordinates) == len(ARM.coordinates)


def test_all_below_a_link_goes_with_it() -> None:
    kept = edit.remove(ARM, 'wrist')
    assert [body.name for body in kept.bodies] == ['base_link', 'turret', 'upper_arm', 'forearm']
    assert [one.name for one in kept.coordinates] == ['turn', 'shoulder', 'elbow']
    assert 'transmission' in extensions(ARM)
    assert 'transmission' not in extensions(kept)
    assert 'left_finger' not in extensions(kept)
    assert edit.remove(ARM, 'bend') == kept


def test_a_follower_of_what_is_removed_moves_on_its_own() -> None:
    robot = edit.new('robot')
    robot = edit.add_link(robot, 'a', parent='base_link', joint='revolute')
    robot = edit.add_link(
        robot, 'b', parent='base_link', joint='revolute', mimic=('a_joint', 2.0, 0.0))
    assert robot.coordinates[1].mimic == Mimic(0, 2.0, 0.0)
    assert edit.remove(robot, 'a').coordinates[0].mimic is None


def test_names_are_changed_in_blocks_of_other_programs() -> None:
    robot = edit.rename(ARM, {'finger': 'grip', 'left_finger': 'left_tip', 'turn': 'yaw'})
    text = extensions(robot)
    assert '<joint name="grip"/>' in text
    assert '<gazebo reference="left_tip">' in text
    assert '<joint name="yaw">' in text
    assert robot.joint('yaw').coordinates[0].name == 'yaw'
    assert load_model(write_urdf(robot)[0]).joint('grip').name == 'grip'


def test_names_are_swapped() -> None:
    robot = edit.rename(ARM, {'palm': 'wrist', 'wrist': 'palm'})
    assert [body.name for body in robot.bodies][4:6] == ['palm', 'wrist']


def test_sections_of_mjcf_follow() -> None:
    robot = load_model(
        '<mujoco model="m"><worldbody><body name="a"><joint name="j"/><geom size="1"/>'
        '<body name="b"><joint name="k"/><geom size="1"/></body></body></worldbody>'
        '<actuator><motor joint="j"/><motor jointinparent="k"/></actuator>'
        '<sensor><framepos objtype="body" objname="b"/><contact subtree1="b"/></sensor></mujoco>')
    text = extensions(edit.rename(robot, {'j': 'elbow', 'k': 'wrist', 'b': 'hand'}))
    assert '<motor joint="elbow"/>' in text
    assert '<motor jointinparent="wrist"/>' in text
    assert 'objname="hand"' in text
    assert 'subtree1="hand"' in text
    text = extensions(edit.remove(robot, 'b'))
    assert '<motor joint="j"/>' in text
    assert '="k"' not in text
    assert 'objname' not in text
    assert 'subtree1' not in text


def test_a_word_that_may_mean_the_name_is_said() -> None:
    robot = load_model(
        '<robot name="r"><link name="camera"/><gazebo><plugin name="p" filename="f">'
        '<label>camera</label><link_name>camera</link_name></plugin></gazebo></robot>')
    with pytest.warns(edit.EditWarning, match='camera in <label>'):
        renamed = edit.rename(robot, {'camera': 'eye'})
    assert '<label>camera</label><link_name>eye</link_name>' in extensions(renamed)


@pytest.mark.parametrize(('change', 'error', 'message'), [
    (lambda: edit.set_joint(ARM, 'elbo', lower=0.0), UnknownNameError, "did you mean 'elbow'"),
    (lambda: edit.set_link(ARM, 'plam'), UnknownNameError, "did you mean 'palm'"),
    (lambda: edit.set_joint(ARM, 'elbow', lower=3.0, upper=1.0), ValueError, 'above the upper'),
    (lambda: edit.set_joint(ARM, 'elbow', lower=math.nan), ValueError, 'not a number'),
    (lambda: edit.set_joint(ARM, 'elbow', axis=(0.0, 0.0, 0.0)), ValueError, 'no direction'),
    (lambda: edit.set_joint(ARM, 'elbow', axis=(0.0, 1.0)), ValueError, 'has 3 components'),
    (lambda: edit.set_joint(ARM, 'elbow', lower=math.inf), ValueError, 'lower .* is infinite'),
    (lambda: edit.set_joint(ARM, 'elbow', velocity=-1.0), ValueError,
     "the velocity of 'elbow' is -1, which is negative"),
    (lambda: edit.set_joint(ARM, 'elbow', damping=-0.5), ValueError, 'damping .* is negative'),
    (lambda: edit.set_joint(ARM, 'elbow', friction=math.inf), ValueError, 'friction .* infinite'),
    (lambda: edit.set_joint(ARM, 'elbow', upper=10 ** 400), ValueError,
     "the upper of 'elbow' is beyond the largest number"),
    (lambda: edit.set_joint(ARM, 'elbow', effort='much'), ValueError, "not a number: 'much'"),
    (lambda: edit.set_joint(ARM, 'elbow', origin=Pose(x=10 ** 400)), ValueError, 'x of the pose'),
    (lambda: edit.add_link(ARM, 'x', parent='wrist', joint='revolute', effort=-1.0), ValueError,
     "the effort of 'x_joint' is -1"),
    (lambda: edit.add_link(ARM, 'x', parent='wrist', joint='revolute', lower=-10 ** 400),
     ValueError, 'beyond'),
    (lambda: edit.add_link(ARM, 'x', parent='wrist', shapes=[Shape('', Sphere(-1.0))]),
     ValueError, 'the radius of a sphere is negative'),
    (lambda: edit.add_frame(ARM, 'x', parent='wrist', pose=[[10 ** 400]]), ValueError, 'beyond'),
    (lambda: edit.set_link(ARM, 'palm', inertia=Inertia(10 ** 400)), ValueError, 'beyond'),
    (lambda: edit.set_link(ARM, 'palm', inertia=Inertia(1.0, Pose(qw=0.5))), ValueError,
     'no unit quaternion'),
    (lambda: edit.set_link(ARM, 'palm', visuals=[Shape('', Box((1.0, 1.0, math.nan)))]),
     ValueError, 'the size of a box is not a number'),
    (lambda: edit.set_configuration(ARM, 'h', {'elbow': 10 ** 400}), ValueError,
     "the position of 'elbow' is beyond"),
    (lambda: edit.rename(ARM, {'palm': 7}), ValueError, '7 is no name'),  # type: ignore
    (lambda: edit.add_link(ARM, 'palm', parent='wrist'), ValueError, '2 links have the name'),
    (lambda: edit.add_link(ARM, 'x', parent='wrst'), UnknownNameError, "did you mean 'wrist'"),
    (lambda: edit.add_link(ARM, 'x', parent='wrist', joint='hinge'), ValueError, "not 'hinge'"),
    (lambda: edit.add_link(ARM, '', parent='wrist'), ValueError, 'is no name'),
    (lambda: edit.add_link(ARM, 'x', parent='wrist', joint='revolute', upper=math.nan),
     ValueError, 'not a number'),
    (lambda: edit.add_link(ARM, 'x', parent='wrist', joint='revolute',
                           mimic=('elbow', math.nan, 0.0)), ValueError,
     'multiplier of a mimic is not a number'),
    (lambda: edit.add_joint(write_and_read(write_mjcf), 'x', parent='palm', child='world'),
     ValueError, "'world' is on the world, which no joint moves"),
    (lambda: edit.set_link(ARM, 'palm', inertia=Inertia(mass=-1.0)), ValueError, 'is negative'),
    (lambda: edit.set_link(write_and_read(write_mjcf), 'world', inertia=MASS), ValueError,
     'the world itself, which has no mass'),
    (lambda: edit.add_link(ARM, 'x', parent='wrist', inertia=Inertia(1.0, ixx=math.inf)),
     ValueError, 'ixx of the inertia is infinite'),
    (lambda: edit.add_frame(ARM, 'x', parent='wrist', pose=2 * np.eye(4)), ValueError, 'last row'),
    (lambda: edit.add_frame(ARM, 'x', parent='wrist', pose=np.diag([1, 1, -1, 1])), ValueError,
     'mirrors'),
    (lambda: edit.add_frame(ARM, 'x', parent='wrist', pose=np.diag([2, 1, 1, 1])), ValueError,
     'not orthonormal'),
    (lambda: edit.add_frame(ARM, 'x', parent='wrist', pose=Pose(qw=2.0)), ValueError,
     'quaternion'),
    (lambda: edit.remove(ARM, 'base_link'), ValueError, 'carries the whole robot'),
    (lambda: edit.remove(ARM, 'palmm'), UnknownNameError, "did you mean 'palm'"),
    (lambda: edit.rename(ARM, {'palm': 'wrist'}), ValueError, "2 links have the name 'wrist'"),
    (lambda: edit.set_configuration(ARM, 'h', {'elbw': 1.0}), UnknownNameError, "'elbow'"),
    (lambda: Kinematics(ARM).ik('tool', 3 * np.eye(4)), ValueError, 'last row'),
])
def test_what_makes_no_sense_is_refused(
        change: Callable[[], Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        change()


def mass_of(model: Model) -> float:
    return sum(body.inertia.mass for body in model.bodies if body.inertia is not None)


def inconsistent(**changes: Any) -> Model:
    return ARM._replace(**changes)


@pytest.mark.parametrize(('model', 'message'), [
    (inconsistent(joints=ARM.joints[1:]), 'there are 2 root links'),
    (inconsistent(joints=(*ARM.joints[:-1], ARM.joints[-1]._replace(child=99))), 'is no link'),
    (inconsistent(joints=(ARM.joints[0]._replace(motions=()), *ARM.joints[1:])), 'has no motion'),
    (inconsistent(joints=(ARM.joints[0]._replace(motions=(
        Motion('revolute', (0.0, 0.0, 1.0), (77,)),)), *ARM.joints[1:])), 'reads no coordinate'),
    (inconsistent(joints=(ARM.joints[0]._replace(motions=(
        Motion('revolute', (0.0, 0.0, 2.0), (0,)),)), *ARM.joints[1:])), 'the length 2'),
    (inconsistent(frames=(*ARM.frames, Frame('x', 'x', 'frame', 50))), 'is on no link'),
    (inconsistent(coordinates=(ARM.coordinates[0]._replace(mimic=Mimic(40)),
                               *ARM.coordinates[1:])), 'follows no coordinate'),
    (inconsistent(canonical_body=33), 'canonical link'),
    (put(ARM, ('frames', 2, 'body'), 3), f"the frame '{ARM.bodies[2].name}' is not on the link"),
    (put(ARM, ('frames', 2, 'pose'), Pose(1.0)), 'with the identity pose'),
    (put(ARM, ('frames', 2, 'name'), 'x'), "the frame 'x' of a link has no link of this name"),
    (put(ARM, ('bodies', 2, 'name'), 'x'), 'edit.rename changes both'),
    (Model('m', 'x', '', 'a', (Body('a', 'a'), Body('a', 'a'))), '2 links have the name'),
    (Model('m', 'x', '', 'a', (Body('a', 'a'), Body('b', 'b')),
           (Joint('j', 'j', 'revolute', 0, 1),)), 'is revolute and has no motion'),
    (inconsistent(constraints=(Constraint('g', 'gearbox', bodies=(0, 1), values=(
        ('ratio', 2.0), ('axis2_x', 1.0), ('axis2_y', 0.0))),)),
     "the axis2 of gearbox 'g' lacks axis2_z"),
    *((inconsistent(constraints=(Constraint('g', 'gearbox', bodies=tuple(range(count))),)),
       f"gearbox 'g' relates {count} links") for count in (0, 1, 4)),
    (inconsistent(extensions=(RawElement('asset', '<asset', held_by=('mjcf',)),)),
     "the raw <asset> of the model '.*' is no XML element"),
    (inconsistent(bodies=(ARM.bodies[0]._replace(extensions=(
        RawElement('site', 'text', held_by=('mjcf',)),)), *ARM.bodies[1:])),
     "the raw <site> of link '.*' is no XML element"),
    (inconsistent(joints=(ARM.joints[0]._replace(extensions=(
        RawElement('joint', '<joint/><joint/>', held_by=('mjcf',)),)), *ARM.joints[1:])),
     "the raw <joint> of joint '.*' is no XML element"),
    (inconsistent(bodies=(ARM.bodies[0]._replace(visuals=(Shape('v', Box((1.0, 1.0, 1.0)),
        extensions=(RawElement('geom', '<geom>', held_by=('mjcf',)),)),)), *ARM.bodies[1:])),
     "the raw <geom> of a shape of link '.*' is no XML element"),
])
def test_inconsistent_records_are_refused_by_name(model: Model, message: str) -> None:
    for use in (require_consistent, Kinematics, *TARGETS):
        with pytest.raises(InconsistentModelError, match=message):
            use(model)


@pytest.mark.parametrize(('model', 'message'), [
    (put(GRIPPER, (*OF_JOINT, 'pose'), Pose(1.0)), "the frame of joint '.*' is not on its child"),
    (put(GRIPPER, (*OF_JOINT, 'body'), 0), "the frame of joint '.*' is not on its child"),
    (put(GRIPPER, (*OF_JOINT, 'name'), 'x'), "the frame 'x' of a joint has no joint"),
    (put(GRIPPER, ('frames', 0, 'name'), 'x'), "the frame 'x' of a model has another name"),
    (put(GRIPPER, ('scopes', 0, 'name'), 'x'), "has another name than the model 'x'"),
])
def test_frames_of_joints_and_models_are_refused_where_they_would_be_lost(
    model: Model, message: str,
) -> None:
    for use in (require_consistent, *TARGETS):
        with pytest.raises(InconsistentModelError, match=message):
            use(model)
    assert Kinematics(model).pose('palm')[3, 3] == 1.0


PARTS = load_model(
    '<sdf version="1.11"><model name="r"><link name="a"><sensor name="s" type="imu">'
    '<pose>0 0 1 0 0 0</pose></sensor></link><link name="b"/><joint name="j" type="revolute">'
    '<pose>0 1 0 0 0 0</pose><parent>a</parent><child>b</child><axis><xyz>1 0 0</xyz></axis>'
    '<sensor name="ft" type="force_torque"/></joint></model></sdf>')


@pytest.mark.parametrize('name', ['a/s', 'j/ft'])
@pytest.mark.parametrize('field, value, message', [
    ('pose', Pose(2.0), "'{}' is not where its <sensor> is"), ('name', 'x', "'x' of a sensor has"),
    ('body', None, "'{}' is not where its <sensor> is")])
def test_the_frame_of_a_sensor_is_that_of_its_element(
        name: str, field: str, value: Any, message: str) -> None:
    index = [frame.name for frame in PARTS.frames].index(name)
    other = 1 - PARTS.frames[index].body if field == 'body' else value
    require_consistent(PARTS)
    with pytest.raises(InconsistentModelError, match=message.format(name)):
        write_sdf(put(PARTS, ('frames', index, field), other))


def test_a_joint_of_a_link_with_itself_leaves_a_frame() -> None:
    model = load_model(
        '<sdf version="1.11"><model name="r"><link name="l"/><model name="m"><model name="n">'
        '<link name="a"/><frame name="g"/></model><frame name="f" attached_to="n::g"/>'
        '<joint name="j" type="fixed"><parent>f</parent><child>n::g</child></joint></model>'
        '</model></sdf>')
    assert not model.joints and [frame.name for frame in model.frames][-1] == 'm/j'
    require_consistent(model)


def random_edit(rng: random.Random, model: Model, count: int) -> Model:
    """Return a model after one of the edits."""
    body = rng.choice(model.bodies).name
    pose = from_rpy([rng.uniform(-1, 1) for _ in range(3)], [rng.uniform(-3, 3) for _ in range(3)])
    choice = rng.randrange(8)
    if choice == 0:
        return edit.set_link(model, body, inertia=MASS, collisions=[BOX])
    if choice == 1:
        return edit.add_link(
            model, f'new_{count}', parent=body, pose=pose, inertia=MASS,
            joint=rng.choice(('fixed', 'revolute', 'prismatic')), lower=-0.5, upper=0.5,
            velocity=1.0, effort=2.0, axis=(0.0, 0.6, 0.8))
    if choice == 2:
        return edit.add_frame(model, f'frame_{count}', parent=body, pose=pose)
    if choice == 3:
        return edit.rename(model, {body: f'link_{count}'}, kind='link')
    if choice == 4:
        return edit.attach(model, GRIPPER, to=body, pose=pose, prefix=f'grip_{count}_')
    if choice == 5 and model.coordinates:
        return edit.set_configuration(model, f'home_{count}', {
            rng.choice(model.coordinates).name: 0.1})
    limited = [one.name for one in model.coordinates if one.mimic is None]
    if choice == 6 and limited:
        return edit.set_joint(model, rng.choice(limited), lower=-0.3, upper=0.4)
    removable = [each.name for each in model.bodies if each.name.startswith(('new_', 'grip_'))]
    if choice == 7 and removable:
        return edit.remove(model, rng.choice(removable))
    return model


@pytest.mark.parametrize('robot', ROBOTS)
@pytest.mark.parametrize('seed', range(3))
def test_what_random_edits_make_is_what_is_written(robot: str, seed: int) -> None:
    rng = random.Random(f'{robot}{seed}')
    model = load_model(EXAMPLES / robot)
    with warnings.catch_warnings():
        warnings.simplefilter('ignore', edit.EditWarning)
        for count in range(10):
            model = random_edit(rng, model, count)
    text, _ = write_sdf(model)
    again = load_model(text)
    assert mass_of(again) == pytest.approx(mass_of(model), rel=1e-12)
    links = {body.name for body in again.bodies}
    names = [body.name for body in model.bodies if body.name in links]
    assert len(names) >= 0.4 * len(model.bodies)  # others share their names with joints
    kinematics, other = Kinematics(model), Kinematics(again)
    has_loops = len(model.joints) >= len(model.bodies)
    positions = {
        one.name: rng.uniform(-0.2, 0.2) for one in model.coordinates
        if one.name in other.coordinates and one.mimic is None and not has_loops}
    for name in names:
        expected = kinematics.pose(name, positions, relative_to=names[0])
        found = other.pose(name, positions, relative_to=names[0])
        assert np.abs(found - expected).max() < 1e-9, name


def test_an_edited_robot_has_no_pose_of_its_own() -> None:
    assert edit.new('robot').pose == IDENTITY


def test_a_new_robot_is_understood_as_a_urdf() -> None:
    read = load_model('<robot name="robot"><link name="base_link"/></robot>')
    assert edit.new('robot').conventions == read.conventions


@pytest.mark.parametrize(('geometry', 'tag', 'other'), [
    (Box((0.1, 0.2, 0.3)), 'box size="0.1 0.2 0.3"', Ellipsoid((0.1, 0.2, 0.3))),
    (Cylinder(0.1, 0.2), 'cylinder radius="0.1" length="0.2"', Capsule(0.1, 0.2))])
def test_a_geometry_of_another_kind_is_written(
        geometry: Geometry, tag: str, other: Geometry) -> None:
    model = load_model(f'<robot name="r"><link name="a"><collision><geometry><{tag}/></geometry>'
                       '</collision></link></robot>')
    shape, = model.link('a').collisions
    assert shape.geometry == geometry != other != geometry
    changed = edit.set_link(model, 'a', collisions=[shape._replace(geometry=other)])
    assert load_model(write_sdf(changed)[0]).link('a').collisions[0].geometry == other
    seen = edit.set_link(model, 'a', visuals=[shape])
    for write in TARGETS:  # MJCF has a visual and a collision that are equal as one
        assert write(model)[0] != write(changed)[0]
        assert write(seen)[0] != write(edit.set_link(changed, 'a', visuals=[shape]))[0]


def test_a_limit_replaces_a_range_of_mjcf_that_did_not_count() -> None:
    model = load_model('<mujoco><worldbody><body name="a"><geom size="1"/><joint name="j" '
                       'range="-180 180" limited="false"/></body></worldbody></mujoco>')
    assert 'limited="false"' in write_mjcf(model)[0]
    again = load_model(write_mjcf(edit.set_joint(model, 'j', lower=-1.0, upper=0.5))[0])
    assert again.joint('j').limits == (-1.0, 0.5)


DRIVEN = load_model(
    '<mujoco><option timestep="0.01" gravity="0 0 -9"/><worldbody><body name="a">'
    '<joint name="j" actuatorfrcrange="-3 3"/><geom size="1"/></body></worldbody>'
    '<actuator><motor joint="j" ctrlrange="-2 2"/></actuator></mujoco>')


@pytest.mark.parametrize(('effort', 'expected', 'told'), [
    (2.0, '-3.0 3.0', []), (1.5, '-1.5 1.5', []),
    (5.0, '-5.0 5.0', ["MuJoCo's own actuators give these joints less effort: 'j'"])])
def test_effort_beside_actuators_of_mjcf(effort: float, expected: str, told: list[str]) -> None:
    text, report = write_mjcf(edit.set_joint(DRIVEN, 'j', effort=effort))
    assert f'actuatorfrcrange="{expected}"' in text
    assert [found.message for found in report] == told
    assert load_model(text).coordinates[0].effort == min(effort, 2.0)
    assert 'effort>' not in str(list(write_urdf(DRIVEN)[1]))


def test_gravity_beside_options_of_mjcf() -> None:
    assert write_mjcf(DRIVEN)[0].count('<option') == 1
    text, _ = write_mjcf(DRIVEN._replace(gravity=(0.0, 0.0, -1.6)))
    again = load_model(text)
    assert again.gravity == (0.0, 0.0, -1.6)
    assert 'timestep="0.01"' in text
    assert write_mjcf(again)[0] == text


def test_a_link_between_two_joints_of_a_body_goes_alone() -> None:
    robot = load_model(
        '<mujoco><worldbody><body name="leg"><geom size="1"/><site name="s"/><body name="foot">'
        '<joint name="x" pos="1 0 0"/><joint name="y"/><geom size="1"/></body></body>'
        '</worldbody></mujoco>')
    between = next(body for body in robot.bodies if not body.source_name)
    kept = edit.remove(robot, between.name)
    assert [body.name for body in kept.bodies] == ['world', 'leg']
    assert [frame.name for frame in kept.frames] == ['world', 'leg', 's']


def test_a_loop_may_end_between_two_joints_of_a_body() -> None:
    robot = load_model(
        '<mujoco><worldbody><body name="a"><joint name="x" pos="1 0 0"/><joint name="y"/>'
        '<geom size="1"/></body><body name="b" pos="0 0 1"><joint name="z"/><geom size="1"/>'
        '</body></worldbody></mujoco>')
    between = next(body for body in robot.bodies if not body.source_name)
    closed = edit.add_joint(
        robot, 'loop', parent=between.name, child='b', pose=Pose(0.0, 0.0, 1.0))
    again = load_model(write_mjcf(closed)[0])
    ends = again.joint('loop').record
    assert [again.bodies[index].name for index in (ends.parent, ends.child)] == [
        between.name, 'b']
