# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""joint_state_publisher in front of the node: it reports every joint of the URDF."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from xml.etree import ElementTree

from helpers.tf_stream import Bench
from hrdf_ros.node.perform import load_description
from hrdf_ros.node.robot import Robot
from hrdf_ros.node.settings import Settings
import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / 'examples'
LOOPS = ('four_bar', 'parallel_gripper', 'delta')


class Sliders(Bench):
    """Sends every joint of a robot's URDF, as joint_state_publisher does."""

    def __init__(self, file: Path, **settings: object) -> None:
        made = Settings(model=str(file))._replace(**settings)
        description = load_description(made).description
        assert description is not None
        self.names = [
            joint.attrib['name']
            for joint in ElementTree.fromstring(description.urdf).findall('joint')
            if joint.get('type') not in ('fixed', 'floating', 'planar')]
        super().__init__(Robot(description, made))

    def slide(self, positions: Mapping[str, float] = {}) -> None:
        self.move({name: positions.get(name, 0.0) for name in self.names})

    def position(self, name: str) -> float:
        return float(self.state.positions[self.state.robot.coordinate[name]])

    def loops_are_closed(self) -> bool:
        full = self.state.robot.kinematics.dependent_solver()
        return all(bool(state.closed.all()) for state in full.states(self.state.positions))


@pytest.mark.parametrize('name', LOOPS)
def test_loops_stay_closed_when_every_joint_is_reported(name: str) -> None:
    sliders = Sliders(EXAMPLES / 'sdf' / f'{name}.sdf')
    robot = sliders.state.robot
    driven = robot.kinematics.independent[0]
    sliders.slide()
    assert sliders.loops_are_closed()
    for step in range(1, 6):
        sliders.slide({driven: 0.02 * step})
        assert sliders.loops_are_closed()
        assert sliders.position(driven) == pytest.approx(0.02 * step)


def test_what_drives_a_loop_is_logged_once() -> None:
    sliders = Sliders(EXAMPLES / 'sdf' / 'four_bar.sdf')
    for step in range(3):
        sliders.slide({'crank_pin': 0.1 * step})
    assert sliders.told == [
        'joint_states reports more joints of a closed loop than drive it: drive is used, '
        'crank_pin, pivot are computed (set the parameter actuated_joints to choose others)']
    assert sliders.warnings == []


def test_the_user_chooses_what_drives_a_loop() -> None:
    sliders = Sliders(EXAMPLES / 'sdf' / 'four_bar.sdf', actuated_joints=('pivot',))
    sliders.slide({'drive': 0.7, 'pivot': 0.05})
    assert sliders.loops_are_closed()
    assert sliders.position('pivot') == pytest.approx(0.05)
    assert sliders.position('drive') != pytest.approx(0.7)


def test_joints_that_leave_the_loop_free_are_all_used() -> None:
    sliders = Sliders(EXAMPLES / 'sdf' / 'four_bar.sdf')
    sliders.move({'pivot': 0.05})
    assert sliders.position('pivot') == pytest.approx(0.05)
    assert sliders.loops_are_closed()
    assert sliders.told == []


@pytest.mark.parametrize('file', [
    'hrdf/gantry.hrdf', 'hrdf/features/joints.hrdf', 'sdf/features/joints.sdf'])
def test_joints_that_only_the_urdf_has_are_not_unknown(file: str) -> None:
    sliders = Sliders(EXAMPLES / file)
    assert set(sliders.names) - set(sliders.state.robot.coordinate)
    sliders.slide()
    assert sliders.warnings == []
    sliders.move({'ball_joint': 0.0, 'wheel': 0.0})
    assert len(sliders.warnings) == 1
