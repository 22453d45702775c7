# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What a notebook uses: load, items by name, configurations, poses, limits, meshes."""

from collections.abc import Callable
from pathlib import Path
import re
from typing import Any
from urllib.parse import urlsplit
import webbrowser

import hrdf_ros
from hrdf_ros import FullConfiguration, Kinematics
from hrdf_ros.kinematics import UnknownNameError
from hrdf_ros.model import Configuration, Coordinate, Mimic, Model
import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[2] / 'examples'
GRIPPER = EXAMPLES / 'urdf' / 'gripper_arm.urdf'
FOUR_BAR = EXAMPLES / 'sdf' / 'four_bar.sdf'
MESHES = """\
<robot name="r"><link name="a"/>
  <link name="b">
    <visual><origin xyz="1 0 0"/><geometry><mesh filename="v.stl"/></geometry></visual>
    <visual><geometry><sphere radius="1"/></geometry></visual>
    <collision><geometry><mesh filename="c.stl"/></geometry></collision></link>
  <joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
    <limit lower="1" upper="2" effort="1" velocity="1"/></joint>
</robot>
"""


def test_items_have_names() -> None:
    kinematics = Kinematics.load(GRIPPER)
    model = kinematics.model
    for items, found in (
            (model.bodies, kinematics.links), (model.joints, kinematics.joints),
            (model.frames, kinematics.frames)):
        assert list(found.values()) == list(items)
        assert all(found[item.name] is item for item in items)
    with pytest.raises(TypeError):
        kinematics.links['x'] = model.bodies[0]  # type: ignore[index]


def test_poses_by_name() -> None:
    kinematics = Kinematics.load(GRIPPER)
    batch = np.array([kinematics.neutral, kinematics.initial_configuration()])
    poses = kinematics.poses(batch)
    assert list(poses) == [frame.name for frame in kinematics.model.frames]
    for name, pose in poses.items():
        assert pose.shape == (2, 4, 4)
        np.testing.assert_allclose(pose, kinematics.pose(name, q=batch), atol=1e-12)
    assert poses.keys() == kinematics.poses().keys()
    assert kinematics.poses()[name].shape == (4, 4)


def test_limits_and_neutral() -> None:
    kinematics = Kinematics(hrdf_ros.load_model(MESHES))
    assert (kinematics.lower, kinematics.upper, kinematics.neutral) == ([1.0], [2.0], [1.0])
    free = Kinematics.load(EXAMPLES / 'hrdf/arm_6dof.hrdf')
    assert (free.lower == -np.inf).all() and (free.upper == np.inf).all()
    assert (free.neutral == 0.0).all()


def test_random_configurations_are_within_the_limits() -> None:
    for file in (GRIPPER, EXAMPLES / 'hrdf/arm_6dof.hrdf', EXAMPLES / 'skel/humanoid.skel'):
        kinematics = Kinematics.load(file)
        rng = np.random.default_rng(7)
        drawn = np.array([kinematics.random_configuration(rng) for _ in range(20)])
        held = [name in kinematics.independent for name in kinematics.coordinates]
        assert (drawn >= kinematics.lower)[:, held].all()
        assert (drawn <= kinematics.upper)[:, held].all()
        assert np.isfinite(drawn).all()
        assert (drawn.std(0)[held] > 0.0).all()
        again = kinematics.random_configuration(np.random.default_rng(7))
        np.testing.assert_array_equal(again, drawn[0])


def test_a_mapping_takes_arrays_that_broadcast() -> None:
    arm = Kinematics.load(EXAMPLES / 'hrdf/arm_6dof.hrdf')
    sweep = np.linspace(0.0, 1.0, 5)
    poses = arm.pose('tool', {'elbow': sweep, 'base': 0.3})
    assert poses.shape == (5, 4, 4)
    np.testing.assert_allclose(poses[2], arm.pose('tool', {'elbow': 0.5, 'base': 0.3}))
    assert arm.pose('tool', {'elbow': sweep, 'base': [0.3]}).shape == (5, 4, 4)
    for odd in (np.zeros(3), np.zeros((2, 5))):
        with pytest.raises(ValueError, match='positions are numbers or arrays .K,. of one length'):
            arm.fk({'elbow': sweep, 'base': odd})


def test_some_frames_and_single_precision() -> None:
    arm = Kinematics.load(EXAMPLES / 'hrdf/arm_6dof.hrdf')
    q = np.random.default_rng(1).uniform(-1.0, 1.0, (4, 6))
    some = arm.fk(q, frames=['tool', 'elbow'])
    assert some.shape == (4, 2, 4, 4)
    np.testing.assert_allclose(some[:, 0], arm.pose('tool', q), atol=1e-12)
    single = arm.fk(q.astype(np.float32), frames=['tool'])
    assert single.dtype == np.float32
    np.testing.assert_allclose(single[:, 0], some[:, 0], atol=1e-6)
    for each in (q.astype(np.float32), {'elbow': np.float32([0.1, 0.2])}):
        assert arm.pose('tool', each).dtype == arm.jacobian('tool', each).dtype == np.float32
    assert arm.pose('tool', {'elbow': np.float32(0.1), 'base': 1.0}).dtype == np.float64


def test_a_frame_in_the_place_of_a_configuration_is_named() -> None:
    arm = Kinematics.load(EXAMPLES / 'hrdf/arm_6dof.hrdf')
    for call in (arm.pose, arm.jacobian):
        with pytest.raises(TypeError, match="relative_to='elbow'"):
            call('tool', 'elbow')


def test_a_scene_has_each_shape_where_its_link_is() -> None:
    trimesh = pytest.importorskip('trimesh')
    robot = Kinematics.load(GRIPPER)
    scene = robot.scene({'shoulder': 0.5})
    assert isinstance(scene, trimesh.Scene)
    transform, _ = scene.graph['palm/5']
    expected = robot.pose('palm', {'shoulder': 0.5})
    np.testing.assert_allclose(transform[:3, :3], expected[:3, :3], atol=1e-12)
    assert len(robot.scene(collision=True).geometry) == sum(
        len(body.collisions) for body in robot.model.bodies)
    with pytest.raises(ValueError, match='one configuration'):
        robot.scene(np.zeros((2, 7)))


def test_show_opens_a_page_outside_of_notebooks(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip('trimesh')
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, 'open', opened.append)
    assert Kinematics.load(GRIPPER).show({'elbow': 0.5}) is None
    page = Path(urlsplit(opened[0]).path)
    assert 'src="http' not in page.read_text()
    page.unlink()


def test_a_configuration_of_the_file_has_a_name() -> None:
    model = hrdf_ros.load_model(GRIPPER)
    elbow = [each.name for each in model.coordinates].index('elbow')
    arm = Kinematics(model._replace(configurations=(Configuration('home', ((elbow, 0.7),)),)))
    assert arm.configuration('home') == pytest.approx(arm.resolve({'elbow': 0.7}))
    with pytest.raises(KeyError, match="no configuration named 'hme'; did you mean 'home'"):
        arm.configuration('hme')


@pytest.mark.parametrize(('arguments', 'options', 'sentence'), [
    ((b'<robot/>',), {}, 'source is a path or a text, not bytes'),
    (('a',), {'joint_names': 'abc'}, "joint_names is a list of strings, not one string; write "
     "['abc']"),
    (('a',), {'path': 'models'}, "path is a list of strings, not one string; write ['models']"),
    (('a',), {'packages': ['a=b']}, 'packages is a mapping from names to directories, not list'),
    ((None,), {}, 'source is a path or a text, not NoneType'),
    ((3,), {}, 'source is a path or a text, not int'),
    (('a',), {'path': None}, 'path is a list of strings, not NoneType'),
    (('a',), {'roots': '/srv'}, "roots is a list of strings, not one string; write ['/srv']"),
    (('a',), {'limits': {'frames': 3}}, 'limits is a ResourceLimits, not dict'),
    (('a',), {'model_name': 3}, 'model_name is a string, not int'),
    (('a',), {'xacro': 'no'}, 'xacro is a bool, not str'),
])
def test_wrong_types_get_a_sentence(
    arguments: tuple[Any], options: dict[str, Any], sentence: str,
) -> None:
    with pytest.raises(TypeError) as raised:
        hrdf_ros.load(*arguments, **options)
    assert str(raised.value) == sentence


def test_a_seed_is_no_generator() -> None:
    with pytest.raises(TypeError) as raised:
        Kinematics.load(GRIPPER).random_configuration(7)  # type: ignore[arg-type]
    assert str(raised.value) == (
        'rng is a numpy.random.Generator, not int; write numpy.random.default_rng(7)')


def test_wrong_arguments_raise_with_a_message(tmp_path: Path) -> None:
    result = hrdf_ros.load(GRIPPER)
    with pytest.raises(TypeError, match='requires a Model, not LoadResult; '):
        Kinematics(result)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match='write requires a Model, not LoadResult'):
        hrdf_ros.write(result, tmp_path / 'a.urdf')  # type: ignore[arg-type]
    for write in (hrdf_ros.write_urdf, hrdf_ros.write_sdf, hrdf_ros.write_dot):
        with pytest.raises(TypeError, match='^write_[a-z]+ requires a Model, not LoadResult$'):
            write(result)  # type: ignore[arg-type]
    gripper = Kinematics.load(GRIPPER)
    with pytest.raises(TypeError, match='^q is a vector of numbers or a mapping '):
        gripper.fk('a')  # type: ignore[arg-type]
    name = gripper.coordinates[0]
    with pytest.raises(TypeError, match=f"^the position of '{name}' is a number, not str$"):
        gripper.fk({name: '1'})  # type: ignore[dict-item]
    with pytest.raises(TypeError, match=f"^actuated is a list of names, .*; write .'{name}'.$"):
        Kinematics.load(GRIPPER, actuated=name)


def test_random_configurations_close_loops() -> None:
    kinematics = Kinematics.load(FOUR_BAR)
    rng = np.random.default_rng(3)
    for _ in range(5):
        vector = kinematics.random_configuration(rng)
        assert all(state.closed.all() for state in kinematics.loop_states(vector))


def test_a_file_is_loaded() -> None:
    assert Kinematics.load(GRIPPER) == Kinematics(hrdf_ros.load_model(GRIPPER))
    assert Kinematics.load(EXAMPLES / 'hrdf/arm_6dof.hrdf', naming='hebi').coordinates
    with pytest.raises(hrdf_ros.LoadError, match='the file nosuch'):
        Kinematics.load('nosuch')


# c follows b, which follows a: b = 2 a + 1, c = 3 b - 1; the mimic may stand first.
MODEL = Model('m', 'urdf', '1.0', 'w', coordinates=(
    Coordinate('c', 'angle', mimic=Mimic(1, 3.0, -1.0)),
    Coordinate('b', 'angle', mimic=Mimic(2, 2.0, 1.0)),
    Coordinate('a', 'angle', initial_position=0.5)))


@pytest.mark.parametrize(('q', 'expected'), [
    (None, [5.0, 2.0, 0.5]),
    ({}, [5.0, 2.0, 0.5]),
    ([9.0, 9.0, 1.0], [8.0, 3.0, 1.0]),
    ([[9.0, 9.0, 1.0], [0.0, 0.0, 0.0]], [[8.0, 3.0, 1.0], [2.0, 1.0, 0.0]]),
    ({'a': 1.0}, [8.0, 3.0, 1.0]),
    ({'a': 1.0, 'b': 7.0}, [20.0, 7.0, 1.0]),
    ({'a': 1.0, 'c': 7.0}, [7.0, 3.0, 1.0]),
    (FullConfiguration(np.array([9.0, 8.0, 7.0])), [9.0, 8.0, 7.0]),
])
def test_mimics_are_computed_unless_named(q: object, expected: list[float]) -> None:
    before = np.copy(q) if isinstance(q, list) else q
    assert Kinematics(MODEL).resolve(before).tolist() == expected
    assert not isinstance(q, list) or before.tolist() == q, 'the result is a copy'


@pytest.mark.parametrize('q', [[1.0], [[1.0, 2.0]], 1.0, [[[1.0, 2.0, 3.0]]]])
def test_wrong_shape_is_refused(q: object) -> None:
    with pytest.raises(ValueError, match=r'not \(3,\) or \(K, 3\)'):
        Kinematics(MODEL).fk(q)


def test_a_misspelled_name_says_which_one_is_near() -> None:
    arm = Kinematics.load(
        '<robot version="1.5.0"><actuator type="X5-4" tag="base"/>'
        '<end-effector type="custom" tag="tool"/></robot>')
    calls: list[tuple[Callable[[], object], str]] = [
        (lambda: arm.pose('tol'), "frame named 'tol'; did you mean 'tool'?"),
        (lambda: arm.fk({'bsae': 1.0}), "coordinate named 'bsae'; did you mean 'base'?"),
        (lambda: arm.joints['bse'], "joint named 'bse'; did you mean 'base'?"),
        (lambda: arm.poses()['tol'], "frame named 'tol'; did you mean 'tool'?"),
        (lambda: Kinematics(MODEL).fk({'d': 1.0}), "coordinate named 'd'")]
    for call, message in calls:
        with pytest.raises(UnknownNameError, match=f'^the model has no {re.escape(message)}$'):
            call()
    assert 'tool' in arm.frames and 'tol' not in arm.frames
    with pytest.raises(TypeError, match='^a frame is given by its name, not dict$'):
        arm.pose({'base': 1.0})  # type: ignore[arg-type]  # as callers without types do


def test_cycle_of_mimics_leaves_one_leader() -> None:
    mimics = (Mimic(1, 2.0), Mimic(0, 3.0), Mimic(2, 5.0))
    table = tuple(Coordinate(name, 'angle', mimic=each) for name, each in zip('abc', mimics))
    tree = Kinematics(Model('m', 'urdf', '1.0', 'w', coordinates=table))
    assert tree.resolve([1.0, 0.0, 4.0]).tolist() == [1.0, 3.0, 4.0]
