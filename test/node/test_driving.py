# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""joint_state_publisher in front of the node: it reports every joint of the URDF."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from xml.etree import ElementTree

from helpers.cdr import serialized
from hrdf_ros.node.live import Live
from hrdf_ros.node.perform import load_description
from hrdf_ros.node.robot import Robot
from hrdf_ros.node.settings import Settings
from hrdf_ros.node.tf_stream import Throttle, TransformStream
import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / 'examples'
LOOPS = ('four_bar', 'parallel_gripper', 'delta')


class Sliders:
    """What joint_state_publisher reports of a robot's URDF, and a stream that takes it."""

    def __init__(self, file: Path, **settings: object) -> None:
        self.warnings: list[str] = []
        self.told: list[str] = []
        self.settings = Settings(model=str(file))._replace(**settings)
        description = load_description(self.settings).description
        assert description is not None
        self.names = [
            joint.attrib['name']
            for joint in ElementTree.fromstring(description.urdf).findall('joint')
            if joint.get('type') not in ('fixed', 'floating', 'planar')]
        self.live = Live(
            Robot(description, self.settings), lambda *_: lambda *_: None, self.told.append)
        self.stream = TransformStream(self.warnings.append, lambda: 77)
        self.stream.live = self.live
        self.stream.throttle = Throttle(0)

    def move(self, positions: Mapping[str, float] = {}) -> None:
        values = [positions.get(name, 0.0) for name in self.names]
        self.stream.receive(serialized(self.names, values, stamp=(1, 0)))

    def loops_are_closed(self) -> bool:
        robot = self.live.robot
        full = robot.kinematics.dependent_solver()
        return all(bool(state.closed.all()) for state in full.states(self.live.state))


@pytest.mark.parametrize('name', LOOPS)
def test_loops_stay_closed_when_every_joint_is_reported(name: str) -> None:
    sliders = Sliders(EXAMPLES / 'sdf' / f'{name}.sdf')
    robot = sliders.live.robot
    driven = robot.kinematics.independent[0]
    sliders.move()
    assert sliders.loops_are_closed()
    for step in range(1, 6):
        sliders.move({driven: 0.02 * step})
        assert sliders.loops_are_closed()
        assert sliders.live.state[robot.coordinate[driven]] == pytest.approx(0.02 * step)


def test_what_drives_a_loop_is_logged_once() -> None:
    sliders = Sliders(EXAMPLES / 'sdf' / 'four_bar.sdf')
    for step in range(3):
        sliders.move({'crank_pin': 0.1 * step})
    assert sliders.told == [
        'joint_states reports more joints of a closed loop than drive it: drive is used, '
        'crank_pin, pivot are computed (the parameter actuated_joints chooses others)']
    assert sliders.warnings == []


def test_the_user_chooses_what_drives_a_loop() -> None:
    sliders = Sliders(EXAMPLES / 'sdf' / 'four_bar.sdf', actuated_joints=('pivot',))
    sliders.move({'drive': 0.7, 'pivot': 0.05})
    state, known = sliders.live.state, sliders.live.robot.coordinate
    assert sliders.loops_are_closed()
    assert state[known['pivot']] == pytest.approx(0.05)
    assert state[known['drive']] != pytest.approx(0.7)


def test_joints_that_leave_the_loop_free_are_all_used() -> None:
    sliders = Sliders(EXAMPLES / 'sdf' / 'four_bar.sdf')
    sliders.stream.receive(serialized(['pivot'], [0.05], stamp=(1, 0)))
    live = sliders.live
    assert live.state[live.robot.coordinate['pivot']] == pytest.approx(0.05)
    assert sliders.loops_are_closed()
    assert sliders.told == []


@pytest.mark.parametrize('file', [
    'hrdf/gantry.hrdf', 'hrdf/features/joints.hrdf', 'sdf/features/joints.sdf'])
def test_joints_that_only_the_urdf_has_are_not_unknown(file: str) -> None:
    sliders = Sliders(EXAMPLES / file)
    assert set(sliders.names) - set(sliders.live.robot.coordinate)
    sliders.move()
    assert sliders.warnings == []
    sliders.stream.receive(serialized(['ball_joint', 'wheel'], [0.0, 0.0], stamp=(2, 0)))
    assert len(sliders.warnings) == 1


@pytest.mark.parametrize('file, links', [
    ('urdf/rover.urdf', ['base_link', 'drone']), ('sdf/four_bar.sdf', [])])
def test_joints_of_several_axes_that_nobody_reports(file: str, links: list[str]) -> None:
    sliders = Sliders(EXAMPLES / file)
    robot = sliders.live.robot
    edges, unknown = robot.unknown_edges(set())
    assert sorted(child for _, child in robot.frames_of(edges)) == links
    some = set(sorted(unknown)[:1])
    assert robot.unknown_edges(some) == (edges, unknown - some)
    assert robot.unknown_edges(set(unknown)) == ([], frozenset())
