# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The hot path: a serialized JointState in, a serialized TFMessage out.

One thread calls ``receive``. What it has not seen before, new names above all, takes time to work
out: a planner does that on a thread of its own, and takes the message, too. Both publish under
one lock; everything else that others may change (robot, settings) is reached through one
reference each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import hypot
import threading
from typing import Any, NamedTuple, Optional

from hrdf_ros.kinematics.transforms import Array, Indices
from hrdf_ros.node.cdr import JointNames, JointPositions, JointStateReader, Layout, Malformed
from hrdf_ros.node.joint_state_buffer import Flags
from hrdf_ros.node.live import (
    Activity,
    Direct,
    FarState,
    FARTHEST,
    Live,
    MAX_WARNINGS,
    Movement,
    Plan,
)
import numpy as np

_JUMP = 1_000_000_000
_MAX_PLANS = 64
_MAX_NAMES = 20_000
_MAX_REMEMBERED = 64
_MAX_FAR = 16
"""Sets of joints whose closed loops are being reached, one after another."""

Submit = Callable[[Callable[[], None], int], bool]
"""Has a function called by the planner; the number of bytes that it holds; False where full."""

Defer = Callable[[Live, Callable[[], None], int], None]


class Throttle(NamedTuple):
    """When to publish: the least time between messages in ns, and whether stamps count at all."""

    interval: int = 50_000_000
    ignore_timestamp: bool = False


class Positions(NamedTuple):
    """Positions of joints at a stamp; ``values`` (n,)."""

    seconds: int
    nanoseconds: int
    joints: JointNames
    values: Array


class TransformStream:
    """
    Turns joint states into transforms.

    ``submit`` is where the work goes that takes time; without one it is done at once.
    """

    def __init__(
        self, warn: Callable[[str], None], clock: Callable[[], int],
        submit: Optional[Submit] = None,
    ) -> None:
        self._warn = warn
        self._clock = clock
        self._submit = submit
        self._lock = threading.Lock()
        self._named: dict[tuple[str, ...], JointNames] = {}
        self._subsets: dict[tuple[JointNames, bytes], JointNames] = {}
        self._reader = JointStateReader()
        self.live: Optional[Live] = None
        self.throttle = Throttle()

    # ---- the hot thread

    def receive(self, data: bytes) -> None:
        """Take one serialized JointState."""
        live = self.live
        if live is None:
            return
        activity = live.activity
        activity.received += 1
        layout = self._reader.find_layout(data)
        if layout is not None:
            plan = live.plans.get(layout.joints)
            if plan is not None and plan.direct is not None and self._pass_on(
                    live, plan, plan.direct, layout, data):
                return
        try:
            message = self._reader.read_known(data)
        except Malformed as error:
            self._ignore(activity, f'bytes that are not a JointState: {error}')
            return
        if message is None:
            self._later(live, lambda: self._learn(data), len(data))
        else:
            self._take_message(live, message, self._later)

    def _pass_on(
        self, live: Live, plan: Plan, direct: Direct, layout: Layout, data: bytes,
    ) -> bool:
        """Publish what a message gives by itself, then remember it; False for the long way."""
        values: Any
        if direct.is_few:
            values = layout.floats(data)
            farthest = hypot(*values)
        else:
            values = layout.array(data)
            farthest = np.maximum.reduce(np.abs(values))
        seconds, nanoseconds = layout.stamp(data)
        stamp = seconds * 1_000_000_000 + nanoseconds
        if not (stamp and farthest < FARTHEST):
            return False
        movement = plan.movement
        with self._lock:
            if movement.send is not None and self._is_due(live, movement.coordinates, stamp):
                movement.send(seconds, nanoseconds, direct.numbers(values))
                live.activity.published += 1
            given = plan.given(layout.array(data) if direct.is_few else values)
            state = movement.follow(given, live.state)
            assert state is not None, 'there are no loops'
            live.state = state
            live.activity.stamp = stamp
            movement.ring.record(stamp, given)
        return True

    def _take_message(self, live: Live, message: JointPositions, defer: Defer) -> None:
        seconds, nanoseconds, joints, values, length = message
        if values is None:
            self._ignore(live.activity, _mismatch(len(joints.names), length))
        else:
            self._take(live, Positions(seconds, nanoseconds, joints, values), defer)

    def receive_named(
        self, seconds: int, nanoseconds: int, positions: Mapping[str, float],
    ) -> None:
        """Take positions by coordinate name."""
        live = self.live
        if live is None:
            return
        live.activity.received += 1
        names = tuple(positions)
        joints = self._named.get(names)
        if joints is None:
            if len(self._named) >= _MAX_REMEMBERED:
                self._named.clear()
            joints = self._named[names] = JointNames(names)
        values = np.array(tuple(positions.values()), dtype=float)
        self._take(live, Positions(seconds, nanoseconds, joints, values), self._later)

    def _take(self, live: Live, positions: Positions, defer: Defer) -> None:
        """Take the positions of joints, deferred where it is not yet known what they mean."""
        joints, values = positions.joints, positions.values
        keep = np.abs(values) < FARTHEST
        if not keep.all():
            live.activity.not_finite += 1
            self._take_subset(live, positions, keep, defer)
            return
        plan = live.plans.get(joints)
        if plan is None:
            defer(live, lambda: self._plan_and_apply(positions), values.nbytes)
        else:
            self._apply(live, plan, positions)

    def _take_subset(
        self, live: Live, positions: Positions, keep: Flags, defer: Defer,
    ) -> None:
        """Take a message without the joints whose position is not a number to compute with."""
        joints = self._subsets.get((positions.joints, keep.tobytes()))
        if joints is None:
            defer(live, lambda: self._learn_subset(positions, keep), positions.values.nbytes)
        else:
            kept = positions._replace(joints=joints, values=positions.values[keep])
            self._take(live, kept, defer)

    def _apply(self, live: Live, plan: Plan, positions: Positions) -> None:
        """Remember the positions, and publish what they move if it is due."""
        movement = plan.movement
        if not len(movement.coordinates):
            return
        seconds, nanoseconds = positions.seconds, positions.nanoseconds
        stamp = seconds * 1_000_000_000 + nanoseconds
        if not stamp:
            stamp = self._clock()
            seconds, nanoseconds = divmod(stamp, 1_000_000_000)
        given = plan.given(positions.values)
        with self._lock:
            state = movement.follow(given, live.state)
            if state is not None:
                self._publish(live, movement, seconds, nanoseconds, state)
                live.far.pop(movement.ring, None)
            live.activity.stamp = stamp
            movement.ring.record(stamp, given)
        if state is None:
            self._reach_later(live, FarState(movement, seconds, nanoseconds, given))

    def _publish(
        self, live: Live, movement: Movement, seconds: int, nanoseconds: int, state: Array,
    ) -> None:
        """Publish a state if it is due, and make it the latest."""
        stamp = seconds * 1_000_000_000 + nanoseconds
        if movement.send is not None and self._is_due(live, movement.coordinates, stamp):
            movement.send(seconds, nanoseconds, movement.motions.numbers(state))
            live.activity.published += 1
        live.state = state

    def _reach_later(self, live: Live, far: FarState) -> None:
        """Let the planner close loops that are far away, in the latest state of each movement."""
        with self._lock:
            is_waiting, is_full = bool(live.far), len(live.far) >= _MAX_FAR
            if not is_full or far.movement.ring in live.far:
                live.far[far.movement.ring] = far
                is_full = False
        if is_full:
            self._ignore(live.activity, 'too many sets of joints move closed loops far')
        elif not is_waiting:
            self._later(live, lambda: self._reach(live), far.given.nbytes)

    def _is_due(self, live: Live, coordinates: Indices, stamp: int) -> bool:
        """Tell whether the least recently published joint is due, and note when it is next."""
        interval, ignore = self.throttle
        if ignore or not interval:
            return True
        due = int(live.due[coordinates].min())
        if stamp < due - interval - _JUMP:
            self._note_jump(live.activity)
        elif stamp < due:
            return False
        following = due + interval
        live.due[coordinates] = (
            following if stamp < following < stamp + interval else stamp + interval)
        return True

    def _note_jump(self, activity: Activity) -> None:
        activity.jumps += 1
        if activity.jumps <= MAX_WARNINGS:
            self._warn_later('the stamps of joint_states went back; publishing continues')

    def _ignore(self, activity: Activity, fault: str) -> None:
        activity.ignored += 1
        if fault not in activity.faults and len(activity.faults) < MAX_WARNINGS:
            activity.faults[fault] = None
            self._warn_later(f'ignored a message on joint_states: {fault}')

    def _later(self, live: Live, work: Callable[[], None], size: int) -> None:
        """Let the planner process a message, ignore it where there are too many."""
        if self._submit is None:
            work()
        elif not self._submit(work, size):
            with self._lock:
                live.far.clear()  # nobody comes for them
            self._ignore(live.activity, 'more new names than can be processed')

    def _warn_later(self, text: str) -> None:
        if self._submit is None:
            self._warn(text)
        else:
            self._submit(lambda: self._warn(text), len(text))

    # ---- the planner's thread

    def _learn(self, data: bytes) -> None:
        """Take a message whose names are new."""
        live = self.live
        if live is None:
            return
        try:
            message = self._reader.read(data)
        except Malformed as error:
            self._ignore(live.activity, f'bytes that are not a JointState: {error}')
            return
        self._take_message(live, message, _at_once)

    def _learn_subset(self, positions: Positions, keep: Flags) -> None:
        live, joints = self.live, positions.joints
        names = tuple(name for name, good in zip(joints.names, keep.tolist()) if good)
        subset = JointNames(names)
        if len(self._subsets) >= _MAX_REMEMBERED:
            self._subsets = {}
        self._subsets[joints, keep.tobytes()] = subset
        if live is not None:
            kept = positions._replace(joints=subset, values=positions.values[keep])
            self._take(live, kept, _at_once)

    def _plan_and_apply(self, positions: Positions) -> None:
        live = self.live
        if live is None:
            return
        joints = positions.joints
        plan = live.plans.get(joints) or live.make_plan(joints)
        self._install(live, {joints: plan})
        self._apply(live, plan, positions)
        stale = [
            other for other in self._remembered()
            if other in live.plans and live.plans[other].reported != plan.reported]
        self._install(live, {other: live.make_plan(other) for other in stale})
        warning = live.unknown_names(joints)
        if warning:
            self._warn(warning)

    def _reach(self, live: Live) -> None:
        """Publish one of the states in which closed loops are far from where they were."""
        with self._lock:
            far, last = next(iter(live.far.values()), None), live.state
        if far is None or live is not self.live:
            return
        movement = far.movement
        try:
            reached = movement.reach(far.given, last)
            with self._lock:
                if movement.ring in live.far:  # or else a later message was easier
                    state = live.state.copy()
                    state[movement.moved] = reached[movement.moved]
                    self._publish(live, movement, far.seconds, far.nanoseconds, state)
        finally:
            with self._lock:
                latest = live.far.pop(movement.ring, None)
                if latest is not None and latest is not far:
                    live.far[movement.ring] = latest
                is_more = bool(live.far)
            if is_more:
                self._later(live, lambda: self._reach(live), far.given.nbytes)

    def _install(self, live: Live, plans: Mapping[JointNames, Plan]) -> None:
        """Let plans be used from now on; the oldest that nobody remembers are dropped."""
        for plan in plans.values():
            live.reported[plan.movement.coordinates] = True
        known = {**live.plans, **plans}
        names = sum(len(joints.names) for joints in known)
        if len(known) > _MAX_PLANS or names > _MAX_NAMES:
            remembered = self._remembered()
            known = {joints: plan for joints, plan in known.items() if joints in remembered}
        live.plans = known

    def _remembered(self) -> set[JointNames]:
        """Return the names that a message may be recognized by."""
        return {*self._reader.recent, *self._named.copy().values(),
                *self._subsets.copy().values()}

    # ---- whoever loads a robot

    def replace(self, live: Live) -> None:
        """Publish another robot from now on; what is known of its joints stays known."""
        before = self.live
        if before is not None:
            live.continue_from(before)
            self._install(live, {
                joints: plan for joints in self._remembered() if joints in before.plans
                and (plan := live.make_plan(joints)).reported == _count(live)})
        with self._lock:
            if before is not None:
                live.catch_up(before)
            self.live = live


def _at_once(_: Live, work: Callable[[], None], __: int) -> None:
    work()


def _count(live: Live) -> int:
    return int(np.count_nonzero(live.reported))


def _mismatch(names: int, positions: int) -> str:
    if not positions:
        return 'it has no positions'
    return f'it has {names} names but {positions} positions'
