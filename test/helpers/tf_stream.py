# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A stream of transforms without ROS: joint states and transforms as bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hrdf_ros.node.cdr import TransformTemplate
from hrdf_ros.node.jobs import load_description
from hrdf_ros.node.lookup import lookup, LookupAnswer, NoAnswer, Question
from hrdf_ros.node.robot import Robot
from hrdf_ros.node.robot_state import RobotState
from hrdf_ros.node.settings import Settings
from hrdf_ros.node.tf_stream import LearningBudget, Throttle, TransformStream
from hrdf_ros.pose import Pose

from helpers.cdr import deserialized, serialized, transforms

NOW = 77
"""The time of the node's clock in ns."""
ENDLESS = LearningBudget(most=1e9)


SLIDES = """<robot name="slides"><link name="rail"/><link name="cart"/><link name="copy"/>
<link name="last"/>
<joint name="s" type="prismatic"><parent link="rail"/><child link="cart"/><axis xyz="1 0 0"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<joint name="m" type="prismatic"><parent link="rail"/><child link="copy"/><axis xyz="1 0 0"/>
<limit lower="-3" upper="3" effort="1" velocity="1"/><mimic joint="s" multiplier="2"/></joint>
<joint name="n" type="prismatic"><parent link="rail"/><child link="last"/><axis xyz="1 0 0"/>
<limit lower="-9" upper="9" effort="1" velocity="1"/><mimic joint="m" multiplier="-1" offset="1"/>
</joint></robot>"""


def robot_of(text: str, settings: Settings = Settings()) -> Robot:
    """Return the robot of a text; with errors the assertion says the first one."""
    answer = load_description(settings._replace(robot_description=text))
    assert answer.model is not None, answer.report.first_error
    return Robot(answer, settings)


def star(names: Sequence[str]) -> str:
    """Return a URDF with a continuous joint of each name on one link."""
    links = ''.join(f'<link name="l{name}"/>' for name in ['base', *names])
    joints = ''.join(
        f'<joint name="{name}" type="continuous"><parent link="lbase"/><child link="l{name}"/>'
        '</joint>' for name in names)
    return f'<robot name="r">{links}{joints}</robot>'


def nobody(target: str, source: str, stamp: int) -> Pose:
    """Find no frame."""
    raise NoAnswer('nobody knows')


class Bench:
    """A stream, and what came of its messages: ``sent`` are stamps and rows by child frame."""

    def __init__(
        self, robot: Robot | str, throttle: Throttle = Throttle(0),
        budget: LearningBudget = ENDLESS,
    ) -> None:
        self.sent: list[tuple[int, dict[str, tuple[float, ...]]]] = []
        self.warnings: list[str] = []
        self.told: list[str] = []
        self.stream = TransformStream(self.warnings.append, lambda: NOW, deserialized, budget)
        self.stream.throttle = throttle
        self.load(robot)

    @property
    def state(self) -> RobotState:
        assert self.stream.state is not None
        return self.stream.state

    def load(self, robot: Robot | str) -> None:
        """Publish a robot, or that of a text, from now on."""
        made = robot_of(robot, Settings()) if isinstance(robot, str) else robot
        self.stream.replace(RobotState(made, self._sender, self.told.append))

    def _sender(self, *about: Any) -> Any:
        template = TransformTemplate(*about)

        def send(*message: Any) -> None:
            stamp, found = transforms(template.fill(*message))
            self.sent.append((stamp, {child: row for (_, child), row in found.items()}))
        return send

    def move(
        self, positions: Mapping[str, float], stamp: int = 1_000_000_000,
    ) -> dict[str, tuple[float, ...]]:
        """Send a joint state; return the transforms that were published for it."""
        count = len(self.sent)
        self.stream.receive(serialized(
            list(positions), list(positions.values()), stamp=divmod(stamp, 1_000_000_000)))
        assert len(self.sent) <= count + 1
        return self.sent[-1][1] if len(self.sent) > count else {}

    def lookup(self, frame: str, **fields: Any) -> LookupAnswer:
        """Look a frame up."""
        return lookup(self.state, Question(frame, **fields), nobody)
