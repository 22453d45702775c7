# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Robots in namespaces as one model, each where TF has it."""

from math import pi

from hrdf_ros import Kinematics, load_model
from hrdf_ros.model import Model
from hrdf_ros.pose import from_axis_angle, IDENTITY, Pose, translation
from hrdf_ros.view import live as live_robots
from hrdf_ros.view.live import combine, LiveRobot, LiveRobots, TransformTree
import numpy as np
import pytest

Transform = tuple[str, str, Pose]
ARM = """<robot name="arm"><link name="base"/><link name="hand"/><link name="finger"/>
<joint name="turn" type="revolute"><parent link="base"/><child link="hand"/>
<origin xyz="0 0 1"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/>
</joint>
<joint name="grip" type="prismatic"><parent link="hand"/><child link="finger"/>
<axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/>
<mimic joint="turn" multiplier="2"/></joint></robot>"""
Z = (0.0, 0.0, 1.0)


def arm(text: str = ARM) -> Model:
    return load_model(text)


def links(prefix: str) -> list[Transform]:
    return [(f'{prefix}base', f'{prefix}hand', translation(0.0, 0.0, 1.0)),
            (f'{prefix}hand', f'{prefix}finger', IDENTITY)]


def live(*transforms: Transform, names: str = 'left right', model: Model = arm()) -> LiveRobots:
    """Return robots of namespaces after some transforms."""
    found = LiveRobots(names.split())
    for name in names.split():
        assert found.describe(name, model, 2.0)
    found.tree.update(transforms)
    found.arrange()
    return found


def prefixes(found: LiveRobots) -> list[str]:
    return [robot.prefix for robot in found.robots]


def test_names_have_the_prefix_and_each_robot_moves_by_itself() -> None:
    model = combine(
        [LiveRobot(name, arm(), 2.0, 'base') for name in ('left', 'cell/right')])
    assert [body.name for body in model.bodies] == [
        'left/base', 'left/hand', 'left/finger', 'cell/right/base', 'cell/right/hand',
        'cell/right/finger']
    assert [each.name for each in model.coordinates] == [
        'left/turn', 'left/grip', 'cell/right/turn', 'cell/right/grip']
    moved = Kinematics(model).fk({'left/turn': 0.1, 'cell/right/turn': 0.4})
    alone = Kinematics(arm())
    assert moved == pytest.approx(np.concatenate([
        alone.fk({'turn': angle}) for angle in (0.1, 0.4)]))
    names = [frame.name for frame in model.frames]
    assert [model.frames[index].body for index in (
        names.index('left/hand'), names.index('cell/right/hand'))] == [1, 4]


def test_a_shared_root_frame_places_the_robots() -> None:
    found = live(
        *links('left/'), *links('right/'), ('world', 'left/base', translation(0, 2, 0)),
        ('world', 'table', translation(5, 0, 0)),
        ('table', 'right/base', from_axis_angle(Z, pi / 2)))
    assert prefixes(found) == ['left/', 'right/']
    hands = found.link_poses()[1::3]
    assert [hand and hand.position for hand in hands] == [(0, 2, 1), (5, 0, 1)]
    assert 'left, right: where TF has them in world.' in found.about()


def test_robots_apart_stand_side_by_side_and_the_panel_says_so() -> None:
    found = live(*links('left/'), *links('right/'), ('odom', 'left/base', IDENTITY))
    assert [robot.pose.position for robot in found.robots] == [(0, 0, 0), (0, 2.4, 0)]
    text = found.about()
    assert 'left, right: side by side at the origin; no frame of TF connects them' in text
    assert 'waiting for &lt;b&gt;/robot_description.' in LiveRobots(['<b>']).about()


def test_who_is_not_connected_stands_beside_those_who_are() -> None:
    found = live(
        *links('left/'), *links('right/'), *links('third/'),
        ('world', 'left/base', translation(0, 3, 0)),
        ('world', 'right/base', IDENTITY), names='left third right')
    assert [robot.pose.y for robot in found.robots] == [3, pytest.approx(5.4), 0]
    assert 'third: beside them' in found.about()


def test_equal_robots_do_not_take_each_others_frames() -> None:
    assert prefixes(live(*links('left/'), ('right/base', 'right/hand', IDENTITY))) == [
        'left/', 'right/']
    unknown = live(*links('left/'))
    assert prefixes(unknown) == ['left/', '']
    assert unknown.link_poses()[4] is None
    alike = arm(ARM.replace('"finger"', '"left_hand"'))
    assert prefixes(live(
        *links(''), ('hand', 'left_hand', IDENTITY), names='left', model=alike)) == ['']


def test_a_robot_that_gets_connected_is_arranged_anew() -> None:
    found = live(*links('left/'), *links('right/'))
    assert not found.arrange()
    found.tree.update([('world', 'left/base', IDENTITY), ('world', 'right/base', IDENTITY)])
    assert found.arrange()


def test_robots_with_the_same_frames_are_reported() -> None:
    assert 'robots with the same TF frames overlap' in live(*links('')).about()


def test_a_cycle_of_transforms_ends() -> None:
    found = TransformTree()
    found.update([('a', 'b', IDENTITY), ('b', 'a', IDENTITY)])
    assert found.relative('b', 'a') is not None
    assert found.relative('other', 'a') is None


def test_names_without_end_take_bounded_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames that are known go on, and new ones are ignored once there is no room."""
    monkeypatch.setattr(live_robots, 'HEARD_CHARACTERS', 10_000)
    found = TransformTree()
    found.update([('base', 'arm', IDENTITY)])
    for number in range(1000):
        found.update([('base', f'frame_{number}', IDENTITY), (f'{number:05000}', 'arm', IDENTITY)])
    assert 2 < len(found.frames) < 100
    found.update([('base', 'arm', translation(1, 0, 0))])
    arm_in_base = found.relative('base', 'arm')
    assert arm_in_base is not None and arm_in_base.position == (1, 0, 0)


def test_the_newest_transform_counts_and_frames_are_chained() -> None:
    found = TransformTree()
    found.update([('base', 'arm', IDENTITY), ('/arm', '/hand', translation(1, 0, 0))])
    found.update([('base', 'arm', from_axis_angle(Z, pi / 2))])
    hand, base = found.relative('base', 'hand'), found.relative('hand', 'base')
    assert hand is not None and hand.position == pytest.approx((0, 1, 0))
    assert base is not None and base.position == pytest.approx((-1, 0, 0))
