# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Turn serialized JointStates into serialized TFMessages."""

from __future__ import annotations

from collections.abc import Callable
import math
import threading
import time
from typing import Any, NamedTuple, Optional, TypeVar

from hrdf_ros.kinematics.transforms import Array, Indices
from hrdf_ros.limits import JOINT_BYTES, JOINT_STATE_BYTES
from hrdf_ros.node.cdr import JointPositions, JointStateReader, Malformed, SECOND
from hrdf_ros.node.robot_state import FARTHEST, PublishPlan, Reported, RobotState, WARNINGS
import numpy as np

_BLAS_ALONE = 5000
"""The number of values at which BLAS begins to use threads: 8 ms on busy processors."""
_Result = TypeVar('_Result')


class Throttle(NamedTuple):
    """When to publish: the minimum ns between two messages, and whether stamps are ignored."""

    interval: int = 50_000_000
    ignore_timestamp: bool = False


class LearningBudget:
    """
    The CPU time that new names may take: a share of all time, saved up to a maximum in seconds.

    Without it a publisher whose names always change could delay messages with known names.
    """

    def __init__(self, share: float = 0.25, most: float = 0.25) -> None:
        self._share = share
        self._most = most
        self._left = most
        self._since = time.monotonic()

    def run(self, work: Callable[[], _Result]) -> Optional[_Result]:
        """Return the result of a function, None if the time is used up."""
        now = time.monotonic()
        self._left = min(self._most, self._left + self._share * (now - self._since))
        self._since = now
        if self._left <= 0.0:
            return None
        began = time.thread_time()
        try:
            return work()
        finally:
            self._left = max(-self._most, self._left - (time.thread_time() - began))


class TransformStream:
    """
    Turns joint states into transforms.

    ``deserialize`` makes a JointState from bytes, or raises RuntimeError. ``clock`` gives the
    stamp, in ns, for messages without one.
    """

    def __init__(
        self, warn: Callable[[str], object], clock: Callable[[], int],
        deserialize: Callable[[bytes], Any], budget: Optional[LearningBudget] = None,
    ) -> None:
        self._warn = warn
        self._clock = clock
        self._reader = JointStateReader(deserialize)
        self._budget = budget or LearningBudget()
        self._lock = threading.Lock()
        self.state: Optional[RobotState] = None
        self.throttle = Throttle()

    def receive(self, data: bytes) -> None:
        """Take one serialized JointState."""
        with self._lock:
            state = self.state
            if state is None:
                return
            state.activity.received += 1
            message = self._reader.find(data) or self._learn(state, data)
            if message is not None:
                self._take(state, message)

    def receive_named(self, message: JointPositions) -> None:
        """Take positions that did not arrive as a JointState."""
        with self._lock:
            if self.state is not None:
                self.state.activity.received += 1
                self._take(self.state, message)

    def _take(self, state: RobotState, message: JointPositions) -> None:
        """Record the positions of a message, and publish the transforms that they change."""
        if not _sum_of_squares(message.values) < FARTHEST:
            message = self._without_faulty(state, message)
        plan = state.find_plan(message.names) or self._make_plan(state, message.names)
        if plan is None or not plan.moved:
            return
        given = message.values.take(plan.source)
        stamp = message.stamp or self._clock()
        plan.history.append(stamp, given)
        plan.history.last_use = state.activity.received
        if state.pending:
            state.drop_outdated(plan)
        self._follow(state, Reported(plan, stamp, given))

    def go_on(self) -> bool:
        """Take further strides of pending closed loops; return whether any remain."""
        if self.state is None or not self.state.pending:
            return False
        with self._lock:
            state = self.state
            if state.pending:
                self._follow(state, state.pending.pop(0))
            return bool(state.pending)

    def _follow(self, state: RobotState, reported: Reported) -> None:
        """
        Move the robot to reported positions, and publish if it is due.

        A message whose closed loops need more strides becomes pending.
        """
        plan, stamp, given = reported
        positions = state.positions.copy()
        positions[plan.coordinates] = given
        if not plan.solver.follow(positions, state.reached, plan.loops):
            state.pending.append(reported)
            return
        state.positions = positions
        state.activity.stamp = stamp
        if plan.send is None or not self._is_due(state, plan.coordinates, stamp):
            return
        numbers = plan.motions.numbers(positions)
        if _sum_of_squares(numbers) < math.inf:
            plan.send(stamp, numbers)
            state.activity.published += 1
        else:
            self._ignore(state, 'its transforms are not finite')

    def _is_due(self, state: RobotState, coordinates: Indices, stamp: int) -> bool:
        """Return whether the least recently published joint is due; if so, set its next time."""
        interval, ignore = self.throttle
        if ignore or not interval:
            return True
        due = int(state.due[coordinates].min())
        if stamp < due - interval - SECOND:  # the clock has gone back
            self._note_jump(state)
        elif stamp < due:
            return False
        following = due + interval
        state.due[coordinates] = (
            following if stamp < following < stamp + interval else stamp + interval)
        return True

    # ---- new and faulty messages

    def _learn(self, state: RobotState, data: bytes) -> Optional[JointPositions]:
        """Return the positions in a message with a new layout, None if it is ignored."""
        try:
            most = JOINT_STATE_BYTES + JOINT_BYTES * len(state.positions)
            return self._budgeted(state, lambda: self._reader.learn(data, most))
        except Malformed as error:
            self._ignore(state, str(error))
            return None

    def _make_plan(self, state: RobotState, names: tuple[str, ...]) -> Optional[PublishPlan]:
        """Return the plan for new names, None if the message is ignored."""
        def work() -> PublishPlan:
            plan = state.make_plan(names)
            if warning := state.unknown_names(names):
                self._warn(warning)
            return plan

        return self._budgeted(state, work)

    def _budgeted(self, state: RobotState, work: Callable[[], _Result]) -> Optional[_Result]:
        result = self._budget.run(work)
        if result is None:
            self._ignore(state, 'more new names than can be processed')
        return result

    def _without_faulty(self, state: RobotState, message: JointPositions) -> JointPositions:
        """Return a message without the joints whose positions are not finite or too large."""
        keep = np.abs(message.values) < FARTHEST
        if keep.all():
            return message
        state.activity.not_finite.update(
            (name, None) for name, kept in zip(message.names, keep.tolist())
            if not kept and name in state.robot.coordinate)
        names = tuple(name for name, kept in zip(message.names, keep.tolist()) if kept)
        return message._replace(names=names, values=message.values[keep])

    def _note_jump(self, state: RobotState) -> None:
        state.activity.jumps += 1
        if state.activity.jumps <= WARNINGS:
            self._warn('the stamps of joint_states went back; publishing continues')

    def _ignore(self, state: RobotState, fault: str) -> None:
        activity = state.activity
        activity.ignored += 1
        if fault not in activity.faults and len(activity.faults) < WARNINGS:
            activity.faults[fault] = None
            self._warn(f'ignored a message on joint_states: {fault}')

    # ---- another robot

    def replace(self, state: RobotState) -> None:
        """Publish another robot from now on; the reported positions of joints are kept."""
        before = self.state
        if before is not None:
            state.continue_from(before)
        with self._lock:
            if before is not None:
                state.catch_up(before)
            self.state = state


def _sum_of_squares(numbers: Array) -> float:
    """Return the sum of squares, which is finite if all numbers are, and not too large."""
    if len(numbers) < _BLAS_ALONE:
        return float(numbers.dot(numbers))
    return float(np.add.reduce(numbers * numbers))
