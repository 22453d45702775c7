# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Closed loops whose joints are reported far from where they were: TF does not wait for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
import math
from pathlib import Path
from typing import Any

from helpers.cdr import serialized
from helpers.node_robot import robot_of
from hrdf_ros.kinematics import gauss_newton
from hrdf_ros.kinematics.loop_closure import FEW_ITERATIONS
from hrdf_ros.node.live import Live
from hrdf_ros.node.tf_stream import Throttle, TransformStream
import numpy as np
import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / 'examples'
FAR = (3.0, -3.0, 50.0, -50.0, 1e4, -1e4, 1e9, 1e50, -1e99, 1e99)


class Bench:
    """A stream with a planner that works when it is told to, or whose queue is full."""

    def __init__(self, name: str, most: int = 100) -> None:
        self.sent: list[tuple[int, np.ndarray]] = []
        self.work: list[Callable[[], None]] = []
        self.warnings: list[str] = []
        self.most = most
        self.live = Live(robot_of((EXAMPLES / 'sdf' / f'{name}.sdf').read_text()), self.sender)
        self.joint = self.live.robot.kinematics.independent[0]
        self.stream = TransformStream(self.warnings.append, lambda: 77, self.submit)
        self.stream.live = self.live
        self.stream.throttle = Throttle(0)
        self.move(0.0, 1)
        self.plan()

    def sender(self, *_: object) -> Callable[..., None]:
        return lambda seconds, _, numbers: self.sent.append((seconds, np.array(numbers)))

    def submit(self, work: Callable[[], None], size: int) -> bool:
        if len(self.work) >= self.most:
            return False
        self.work.append(work)
        return True

    def plan(self) -> None:
        while self.work:
            self.work.pop(0)()

    def move(self, position: float, second: int) -> None:
        self.stream.receive(serialized([self.joint], [position], stamp=(second, 0)))

    def residual(self) -> float:
        kinematics = self.live.robot.kinematics
        solver = kinematics.dependent_solver()
        return max(float(state.residual[0]) for state in solver.states(self.live.state))


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Count the steps of the solver."""
    counted = [0]
    step = gauss_newton.Equations._step

    def counting(*arguments: Any) -> Any:
        counted[0] += 1
        return step(*arguments)
    monkeypatch.setattr(gauss_newton.Equations, '_step', counting)
    yield counted


@pytest.mark.parametrize('name', ['four_bar', 'parallel_gripper', 'delta'])
def test_the_hot_thread_takes_few_steps_wherever_joints_are(name: str, steps: list[int]) -> None:
    bench = Bench(name)
    loops = len(bench.live.robot.kinematics.dependent_solver().loop_solvers)
    for second, position in enumerate(FAR, 2):
        steps[0] = 0
        bench.move(position, second)
        assert steps[0] <= loops * FEW_ITERATIONS
        bench.plan()
        assert bench.sent[-1][0] == second
        assert np.isfinite(bench.live.state).all()


def test_a_loop_that_is_far_away_is_published_when_it_is_closed() -> None:
    bench = Bench('delta')
    near = bench.sent[-1]
    bench.move(1.5, 2)
    assert bench.sent[-1] is near
    assert len(bench.work) == 1
    bench.plan()
    second, numbers = bench.sent[-1]
    assert second == 2
    assert bench.residual() < 1e-9
    assert not bench.live.far
    resolved = bench.live.robot.kinematics.resolve({bench.joint: 1.5})
    assert np.exp(1j * bench.live.state) == pytest.approx(np.exp(1j * resolved), abs=1e-9)
    bench.move(1.51, 3)
    assert not bench.work
    assert bench.sent[-1][0] == 3


def test_whole_turns_change_nothing() -> None:
    bench = Bench('four_bar')
    bench.move(0.1, 2)
    once = np.abs(bench.sent[-1][1])  # q and -q are one rotation
    for second, turns in enumerate((1, -1, 8, 10_000), 3):
        bench.move(0.1 + turns * math.tau, second)
        assert not bench.work
        assert np.abs(bench.sent[-1][1]) == pytest.approx(once, abs=1e-9)


def test_only_the_latest_far_state_is_reached() -> None:
    bench = Bench('delta')
    for second, position in enumerate((1.5, 1.4, 1.3), 2):
        bench.move(position, second)
    assert len(bench.work) == 1
    count = len(bench.sent)
    bench.plan()
    assert [second for second, _ in bench.sent[count:]] == [4]


def test_a_message_that_comes_meanwhile_is_reached_next() -> None:
    bench = Bench('delta')
    bench.move(1.5, 2)
    movement = next(iter(bench.live.far.values())).movement
    reach = movement.reach

    class Slow:
        def __getattr__(self, name: str) -> Any:
            return getattr(movement, name)

        def reach(self, given: Any, last: Any) -> Any:
            bench.move(-1.5, 3)
            return reach(given, last)
    ring, far = next(iter(bench.live.far.items()))
    bench.live.far[ring] = far._replace(movement=Slow())  # type: ignore[arg-type]
    bench.plan()
    assert [second for second, _ in bench.sent[-2:]] == [2, 3]
    assert bench.residual() < 1e-9
    assert not bench.live.far


def test_an_easier_message_makes_the_far_one_outdated() -> None:
    bench = Bench('delta')
    bench.move(1.5, 2)
    bench.move(0.01, 3)
    bench.plan()
    assert bench.sent[-1][0] == 3
    assert not bench.live.far


def test_far_states_that_the_planner_cannot_take_are_given_up() -> None:
    bench = Bench('delta')
    bench.most = 0
    bench.move(1.5, 2)
    assert not bench.live.far
    bench.most = 100
    bench.move(1.5, 3)
    bench.plan()
    assert bench.sent[-1][0] == 3


def test_a_solver_that_fails_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench('delta')
    bench.move(1.5, 2)
    with monkeypatch.context() as patch:
        patch.setattr(
            'hrdf_ros.node.live.Movement.reach',
            lambda *_: (_ for _ in ()).throw(np.linalg.LinAlgError('singular')))
        with pytest.raises(np.linalg.LinAlgError):
            bench.plan()
    bench.move(1.5, 3)
    bench.plan()
    assert bench.sent[-1][0] == 3


def test_a_robot_that_replaces_another_forgets_what_was_far() -> None:
    bench = Bench('delta')
    bench.move(1.5, 2)
    count = len(bench.sent)
    bench.stream.replace(Live(bench.live.robot, bench.sender))
    bench.plan()
    assert len(bench.sent) == count
