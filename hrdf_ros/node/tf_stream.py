# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The hot path: a serialized JointState in, a serialized TFMessage out.

One thread calls ``receive``; everything that others may change (robot, settings) is reached
through one reference each, so there is nothing to lock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, Optional, Protocol

from hrdf_ros.node.cdr import JointNames, JointStateReader, Malformed
from hrdf_ros.node.joint_state_buffer import Ring
from hrdf_ros.node.robot import Robot
import numpy as np

FARTHEST = 1e100
"""Positions from here on (rad, m) count as infinite: their squares and multiples soon are."""
_JUMP = 1_000_000_000
_MOST_PLANS = 256
_MOST_NAMES = 250_000
_MOST_RINGS = 64
_MOST_WARNINGS = 100


class Sender(Protocol):
    """Sends transforms for fixed pairs of frames."""

    def __call__(self, seconds: int, nanoseconds: int, transforms: np.ndarray) -> None:
        """Send parent_from_child rows (m, 7): x, y, z, qx, qy, qz, qw."""


class Plan(NamedTuple):
    """What a message with certain names means for a robot."""

    source: np.ndarray
    """Which of the message's values are used."""
    coordinates: np.ndarray
    """The coordinates that they set."""
    complete: Callable[[np.ndarray, np.ndarray], np.ndarray]
    """Computes the coordinates that follow, in place, given the state before."""
    transforms: Callable[[np.ndarray], np.ndarray]
    send: Optional[Sender]
    """None where nothing moves."""
    ring: Ring


class Throttle(NamedTuple):
    """When to publish: the least time between messages in ns, and whether stamps count at all."""

    interval: int = 50_000_000
    ignore_timestamp: bool = False


class Activity:
    """What came in, for diagnostics; written by the hot thread alone."""

    def __init__(self) -> None:
        self.received = 0
        self.published = 0
        self.ignored = 0
        self.not_finite = 0
        self.jumps = 0
        self.faults: dict[str, None] = {}
        self.unknown: dict[str, None] = {}
        self.stamp = 0


class Live:
    """A robot with the state that joint states have given it; replaced as a whole on reload."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        count = len(robot.model.coordinates)
        self.state = robot.tree.initial_configuration()
        self.reported = np.zeros(count, dtype=bool)
        self.due = np.zeros(count, dtype=np.int64)
        self.plans: dict[JointNames, Plan] = {}
        self.planned_names = 0
        self.rings: dict[tuple[int, ...], Ring] = {}
        self.activity = Activity()

    def continue_from(self, other: Live) -> None:
        """Take over what another robot's joints of the same name were reported to be."""
        for name, index in self.robot.coordinate.items():
            before = other.robot.coordinate.get(name)
            if before is not None and other.reported[before]:
                self.state[index] = other.state[before]
                self.reported[index] = True
        self.state = self.robot.tree.dependent_solver(np.flatnonzero(self.reported))(self.state)
        self.activity.stamp = other.activity.stamp


class TransformStream:
    """Turns joint states into transforms."""

    def __init__(
        self, make_sender: Callable[[list[tuple[str, str]]], Sender],
        warn: Callable[[str], None], clock: Callable[[], int],
    ) -> None:
        self._make_sender = make_sender
        self._warn = warn
        self._clock = clock
        self._named: dict[tuple[str, ...], JointNames] = {}
        self._subsets: dict[tuple[JointNames, bytes], JointNames] = {}
        self._reader = JointStateReader()
        self.live: Optional[Live] = None
        self.throttle = Throttle()

    def receive(self, data: bytes) -> None:
        """Take one serialized JointState."""
        live = self.live
        if live is None:
            return
        activity = live.activity
        activity.received += 1
        try:
            message = self._reader.read(data)
        except Malformed as error:
            self._ignore(activity, f'bytes that are no JointState: {error}')
            return
        if message.values is None:
            self._ignore(activity, _mismatch(len(message.joints.names), message.count))
            return
        self._take(live, message.seconds, message.nanoseconds, message.joints, message.values)

    def receive_named(
        self, seconds: int, nanoseconds: int, positions: Mapping[str, float],
    ) -> None:
        """Take positions by coordinate name."""
        live = self.live
        if live is None:
            return
        live.activity.received += 1
        names = tuple(positions)
        if names not in self._named:
            if len(self._named) >= _MOST_PLANS:
                self._named.clear()
            self._named[names] = JointNames(names)
        values = np.array(tuple(positions.values()))
        self._take(live, seconds, nanoseconds, self._named[names], values)

    def _take(
        self, live: Live, seconds: int, nanoseconds: int, joints: JointNames, values: np.ndarray,
    ) -> None:
        """Take the positions of joints: remember them, and publish what they move if it is due."""
        activity = live.activity
        if not -FARTHEST < sum(values.tolist()) < FARTHEST:
            joints, values = self._finite(activity, joints, values)
        plan = live.plans.get(joints) or self._plan(live, joints)
        if not len(plan.coordinates):
            return
        stamp = seconds * 1_000_000_000 + nanoseconds
        if not stamp:
            stamp = self._clock()
            seconds, nanoseconds = divmod(stamp, 1_000_000_000)
        taken = values[plan.source]
        state = live.state.copy()
        state[plan.coordinates] = taken
        live.state = plan.complete(state, live.state)
        activity.stamp = stamp
        plan.ring.record(stamp, taken)
        if plan.send is not None and self._is_due(live, plan, stamp):
            plan.send(seconds, nanoseconds, plan.transforms(state))
            activity.published += 1

    def _ignore(self, activity: Activity, fault: str) -> None:
        activity.ignored += 1
        if fault not in activity.faults and len(activity.faults) < _MOST_WARNINGS:
            activity.faults[fault] = None
            self._warn(f'ignored a message on joint_states: {fault}')

    def _is_due(self, live: Live, plan: Plan, stamp: int) -> bool:
        """Tell whether the least recently published joint is due, and note when it is next."""
        interval, ignore = self.throttle
        if ignore or not interval:
            return True
        due = int(live.due[plan.coordinates].min())
        if stamp < due - interval - _JUMP:
            self._note_jump(live.activity)
        elif stamp < due:
            return False
        following = due + interval
        live.due[plan.coordinates] = (
            following if stamp < following < stamp + interval else stamp + interval)
        return True

    def _note_jump(self, activity: Activity) -> None:
        activity.jumps += 1
        if activity.jumps <= _MOST_WARNINGS:
            self._warn('the stamps of joint_states went back; publishing goes on from there')

    def _plan(self, live: Live, joints: JointNames) -> Plan:
        """Work out what these names mean, once."""
        live.planned_names += len(joints.names)
        if len(live.plans) >= _MOST_PLANS or live.planned_names > _MOST_NAMES:
            live.plans.clear()
            live.planned_names = 0
        robot = live.robot
        known = [
            (index, robot.coordinate[name])
            for index, name in enumerate(joints.names) if name in robot.coordinate]
        self._note_unknown(live, joints)
        first = {coordinate: index for index, coordinate in reversed(known)}
        coordinates = np.array(sorted(first), dtype=np.intp)
        source = np.array([first[coordinate] for coordinate in sorted(first)], dtype=np.intp)
        if not live.reported[coordinates].all():
            live.reported[coordinates] = True
            live.plans.clear()
        solver = robot.tree.dependent_solver(self._driving(live, first))
        moved = solver.moved_by(first)
        edges = robot.moving_edges(moved, live.reported)
        plan = Plan(
            source, coordinates, solver, robot.motions(edges),
            self._make_sender(robot.frames_of(edges)) if edges else None,
            _ring(live, coordinates))
        live.plans[joints] = plan
        return plan

    @staticmethod
    def _driving(live: Live, given: Iterable[int]) -> set[int]:
        """
        Return the coordinates that others are computed from, when a message gives some.

        Closed loops are driven by all that was ever reported; a mimic follows its leader in every
        message that does not give its own value.
        """
        coordinates = live.robot.model.coordinates
        reported = np.flatnonzero(live.reported).tolist()
        return {*given, *(index for index in reported if coordinates[index].mimic is None)}

    def _finite(
        self, activity: Activity, joints: JointNames, values: np.ndarray,
    ) -> tuple[JointNames, np.ndarray]:
        """Return a message without the joints whose position is no number to compute with."""
        keep = np.abs(values) < FARTHEST
        if keep.all():
            return joints, values
        activity.not_finite += 1
        key = joints, keep.tobytes()
        if key not in self._subsets:
            if len(self._subsets) >= _MOST_PLANS:
                self._subsets.clear()
            names = tuple(name for name, good in zip(joints.names, keep) if good)
            self._subsets[key] = JointNames(names)
        return self._subsets[key], values[keep]

    def _note_unknown(self, live: Live, joints: JointNames) -> None:
        """Warn once about names that the robot does not have; fixed joints do not move."""
        unknown = live.activity.unknown
        new = [
            name for name in joints.names if name not in live.robot.coordinate
            and name not in live.robot.fixed and name not in unknown]
        if new and len(unknown) < 10_000:
            unknown.update(dict.fromkeys(new))
            shown = ', '.join(new[:5]) + (f' and {len(new) - 5} more' if len(new) > 5 else '')
            self._warn(f'joint_states names joints that the robot does not have: {shown}')


def _mismatch(names: int, positions: int) -> str:
    if not positions:
        return 'it has no positions'
    return f'it has {names} names but {positions} positions'


def _ring(live: Live, coordinates: np.ndarray) -> Ring:
    """Return the ring of these coordinates, which outlives a plan."""
    key = tuple(coordinates.tolist())
    if key not in live.rings:
        if len(live.rings) >= _MOST_RINGS:
            _forget_a_ring(live)
        live.rings[key] = Ring(coordinates, live.robot.history_duration)
    return live.rings[key]


def _forget_a_ring(live: Live) -> None:
    """Make room by the joints that were not reported together for longest."""
    oldest = min(live.rings, key=lambda key: live.rings[key].span() or (0, 0))
    forgotten = live.rings.pop(oldest)
    live.plans = {
        joints: plan for joints, plan in live.plans.items() if plan.ring is not forgotten}
