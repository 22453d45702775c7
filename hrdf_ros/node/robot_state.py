# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The state of a robot, as joint states report it, and a plan for each set of joint names.

One thread appends the joint states of the last seconds; others read them without a lock.
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Collection, Iterable, Sequence
import math
from operator import itemgetter
from typing import NamedTuple, Optional

from hrdf_ros.kinematics import DependentSolver
from hrdf_ros.kinematics.loop_closure import LoopSolver
from hrdf_ros.kinematics.tf_transforms import TfTransforms
from hrdf_ros.kinematics.transforms import Array, Indices
from hrdf_ros.limits import HISTORY_BYTES, JOINT_SETS
from hrdf_ros.model import Model
from hrdf_ros.node.cdr import SECOND
from hrdf_ros.node.log_text import listed, one_line
from hrdf_ros.node.robot import Flags, Robot
from hrdf_ros.parsing.suggestions import suggestion
import numpy as np

FARTHEST = 1e100
"""The bound (rad, m) on a position: a greater one counts as infinite, as products overflow."""
WARNINGS = 100
"""The maximum number of warnings of one kind about joint states that a node logs."""
_UNKNOWN_NAMES = 1000
"""The maximum number of unknown names that are kept for /diagnostics."""
_NAME_LENGTH = 80
"""The maximum number of characters that are kept of an unknown name."""
_PLANNED_NAMES = 100_000
"""The maximum number of names of all plans together."""
_OVERHEAD = 256
"""The overhead of a record in bytes, besides its numbers: a tuple, an int, an array's header."""

Sender = Callable[[int, Array], object]
"""
A function that publishes the numbers (c,) that change for fixed frame pairs, with a stamp in ns.
"""
MakeSender = Callable[[list[tuple[str, str]], Array, Indices], Sender]
"""
A function that makes a Sender for pairs of parent and child frames.

It is given their parent_from_child as rows (m, 7) x, y, z, qx, qy, qz, qw, and the flat indices of
the numbers that change.
"""


class HistoryBudget:
    """The memory in bytes that all histories of a robot together may still take."""

    def __init__(self, size: int = HISTORY_BYTES) -> None:
        self.left = size


class JointHistory:
    """The positions (k,) of some coordinates by their stamps in ns."""

    def __init__(self, coordinates: Indices, duration: float, budget: HistoryBudget) -> None:
        self.coordinates = coordinates
        self.last_use = 0
        """The number of the message that was appended last."""
        self._duration = round(duration * 1e9)
        self._budget = budget
        self._record_size = 8 * len(coordinates) + _OVERHEAD
        self._records: deque[tuple[int, Array]] = deque()

    def append(self, stamp: int, values: Array) -> None:
        """
        Append the positions of one message.

        A late message is ignored. If the clock has gone back by a second or more, the history is
        cleared.
        """
        records, budget = self._records, self._budget
        if records and stamp <= records[-1][0]:
            if records[-1][0] - stamp < SECOND:
                return
            self.clear()
        records.append((stamp, values))
        budget.left -= self._record_size
        while len(records) > 1 and (
                budget.left < 0 or stamp - records[1][0] >= self._duration):
            records.popleft()
            budget.left += self._record_size

    def clear(self) -> None:
        """Drop all records, and give their bytes back to the budget."""
        self._budget.left += len(self._records) * self._record_size
        self._records.clear()

    def span(self) -> Optional[tuple[int, int]]:
        """Return the first and the last stamp that can be looked up, None if there is none."""
        records = list(self._records)
        if not records:
            return None
        newest = records[-1][0]
        return max(records[0][0], newest - self._duration), newest

    def at(self, stamp: int, continuous: Flags) -> Optional[Array]:
        """
        Return the positions (k,) at a stamp, interpolated; None outside of the span.

        ``continuous`` (k,) says which coordinates are interpolated the short way round.
        """
        records = list(self._records)  # atomic: no other thread runs meanwhile
        after = bisect_right(records, stamp, key=itemgetter(0))
        if not after or stamp > records[-1][0]:
            return None
        (start, before), (end, following) = records[after - 1], records[min(
            after, len(records) - 1)]
        if start == end:
            return before
        step = following - before
        turn = 2.0 * math.pi
        step[continuous] -= turn * np.round(step[continuous] / turn)
        values: Array = before + (stamp - start) / (end - start) * step
        return values


class PublishPlan(NamedTuple):
    """A plan for messages with certain names: the coordinates they give and move, and a sender."""

    source: Indices
    """The places in the message of the coordinates that are given."""
    coordinates: Indices
    solver: DependentSolver
    moved: frozenset[int]
    """The given coordinates and those that follow from them."""
    loops: tuple[LoopSolver, ...]
    """The closed loops that the given coordinates move."""
    motions: TfTransforms
    send: Optional[Sender]
    """The function that publishes the changing transforms, None if no transform changes."""
    history: JointHistory


class Reported(NamedTuple):
    """The positions (c,) that a message gave for the coordinates of a plan; the stamp is in ns."""

    plan: PublishPlan
    stamp: int
    given: Array


class Activity:
    """Counts of messages and faults, for diagnostics."""

    def __init__(self) -> None:
        self.received = 0
        self.published = 0
        self.ignored = 0
        self.not_finite: dict[str, None] = {}
        self.jumps = 0
        self.faults: dict[str, None] = {}
        self.unknown: dict[str, None] = {}
        self.unknown_warnings = 0
        self.stamp = 0


class RobotState:
    """
    The latest positions of a robot; their array is replaced as a whole, never changed.

    ``reported`` (n,) says which coordinates any message gave, and ``due`` (n,) when each is
    published next (ns). ``histories`` has the recorded positions by the coordinates that came
    together. ``assumed`` are the coordinates whose initial positions are published because they
    are not reported. ``pending`` are messages whose closed loops are not solved yet; ``reached``
    (n,) is the configuration with closed loops that the strides toward them have reached.
    """

    def __init__(
        self, robot: Robot, make_sender: MakeSender,
        tell: Callable[[str], object] = lambda _: None,
    ) -> None:
        count = len(robot.model.coordinates)
        self.robot = robot
        self.make_sender = make_sender
        self.positions: Array = robot.kinematics.initial_configuration()
        self.reached = self.positions.copy()
        self.pending: list[Reported] = []
        self.reported: Flags = np.zeros(count, dtype=bool)
        self.due = np.zeros(count, dtype=np.int64)
        self.assumed: frozenset[int] = frozenset()
        self.plans: dict[tuple[str, ...], PublishPlan] = {}
        self.histories: dict[tuple[int, ...], JointHistory] = {}
        self.activity = Activity()
        self._sets: dict[tuple[int, ...], PublishPlan] = {}
        self._budget = HistoryBudget()
        self._tell = tell
        self._inherited: Indices = np.zeros((0, 2), dtype=np.intp)

    def continue_from(self, other: 'RobotState') -> None:
        """Take over the plans, and the reported positions of joints with the same name."""
        names = other.robot.coordinate
        shared = [
            (index, names[name]) for name, index in self.robot.coordinate.items()
            if name in names and other.reported[names[name]]]
        self._inherited = np.array(shared, dtype=np.intp).reshape(-1, 2)
        self.reported[self._inherited[:, 0]] = True
        self.catch_up(other)
        self.positions = self.robot.solver(self.known)(self.positions)
        self.reached = self.positions.copy()
        for plan in list(other.plans):
            self.make_plan(plan)

    def catch_up(self, other: 'RobotState') -> None:
        """Take over the positions reported since ``continue_from`` for the shared joints."""
        self.positions = self.positions.copy()
        self.positions[self._inherited[:, 0]] = other.positions[self._inherited[:, 1]]
        self.activity.stamp = other.activity.stamp

    def drop_outdated(self, plan: PublishPlan) -> None:
        """Drop the pending messages that move a coordinate that a later message moves."""
        self.pending = [
            pending for pending in self.pending if not pending.plan.moved & plan.moved]

    @property
    def known(self) -> list[int]:
        """The coordinates that have been reported."""
        return [int(index) for index in np.flatnonzero(self.reported)]

    # ---- plans

    def find_plan(self, names: tuple[str, ...]) -> Optional[PublishPlan]:
        """Return the plan for the names of a message, None if they are new."""
        plan = self.plans.pop(names, None)
        if plan is not None:
            self.plans[names] = plan  # plans are in the order of their last use
        return plan

    def make_plan(self, names: tuple[str, ...]) -> PublishPlan:
        """Make the plan for the names of a message, which count as reported from now on."""
        first: dict[int, int] = {}
        for index, name in enumerate(names):
            coordinate = self.robot.coordinate.get(name)
            if coordinate is not None:
                first.setdefault(coordinate, index)
        given = tuple(sorted(first))
        if not self.reported[list(given)].all():
            self.reported[list(given)] = True
            self.plans.clear()
            self._sets.clear()
        if given not in self._sets:
            self._sets[given] = self._make_set(given)
        plan = self._sets[given]._replace(
            source=np.array([first[index] for index in given], dtype=np.intp))
        self.plans[names] = plan
        self._limit_plans()
        return plan

    def _limit_plans(self) -> None:
        """Drop the plans that were used least recently."""
        total = sum(map(len, self.plans))
        while len(self.plans) > 1 and (len(self.plans) > JOINT_SETS or total > _PLANNED_NAMES):
            names = next(iter(self.plans))
            total -= len(names)
            del self.plans[names]

    def _make_set(self, given: tuple[int, ...]) -> PublishPlan:
        robot = self.robot
        solver = robot.solver(self._driving(given))
        if overruled := _overruled(robot.model, solver, given):
            self._tell(overruled)
        moved = solver.moved_by(given)
        edges = robot.moving_edges(moved, self.reported)
        motions = robot.motions(edges)
        coordinates: Indices = np.array(given, dtype=np.intp)
        return PublishPlan(
            source=coordinates, coordinates=coordinates, solver=solver, moved=frozenset(moved),
            loops=solver.loops_moved_by(given), motions=motions,
            send=self.make_sender(
                robot.frames_of(edges), motions.at_zero, motions.changing) if edges else None,
            history=self._history(given))

    def _driving(self, given: Iterable[int]) -> set[int]:
        """
        Return the coordinates from which others are computed when a message gives some.

        Closed loops are driven by all coordinates that were ever reported. A mimic coordinate
        follows its leader in every message that does not give its own value.
        """
        coordinates = self.robot.model.coordinates
        return {*given, *(index for index in self.known if coordinates[index].mimic is None)}

    def _history(self, given: tuple[int, ...]) -> JointHistory:
        """Return the history of these coordinates, which outlives their plans."""
        if given not in self.histories:
            if len(self.histories) >= JOINT_SETS:
                self._forget_oldest()
            self.histories[given] = JointHistory(
                np.array(given, dtype=np.intp), self.robot.history_duration, self._budget)
        return self.histories[given]

    def _forget_oldest(self) -> None:
        """Drop the history and the plans of the joints that were reported least recently."""
        given = min(self.histories, key=lambda key: self.histories[key].last_use)
        oldest = self.histories.pop(given)
        oldest.clear()
        self._sets.pop(given, None)
        self.plans = {
            names: plan for names, plan in self.plans.items() if plan.history is not oldest}

    def unknown_names(self, names: Sequence[str]) -> str:
        """
        Return a warning about names that the robot does not have, '' if there are none.

        The first of them probably means a joint that the message lacks.
        """
        activity, robot = self.activity, self.robot
        if activity.unknown_warnings >= WARNINGS:
            return ''
        new = [
            name for name in names if name not in robot.coordinate
            and name not in robot.helpers and name[:_NAME_LENGTH] not in activity.unknown]
        if not new:
            return ''
        activity.unknown_warnings += 1
        free = _UNKNOWN_NAMES - len(activity.unknown)
        activity.unknown.update((name[:_NAME_LENGTH], None) for name in new[:max(0, free)])
        missing = robot.coordinate.keys() - set(names)
        return one_line(
            f'joint_states names joints that the robot does not have: {listed(new)}'
            f'{suggestion(new[0], missing)}')


def _overruled(model: Model, solver: DependentSolver, given: Collection[int]) -> str:
    """Return a sentence about given coordinates of closed loops that are computed instead."""
    def names(indices: list[int]) -> str:
        found = listed([model.coordinates[index].name for index in indices])
        return f'{found or "none"} {"are" if len(indices) > 1 else "is"}'

    loops = []
    for loop in solver.loop_solvers:
        computed = [index for index in loop.passive.tolist() if index in given]
        if computed:
            driving = [index for index in loop.moving.tolist() if index not in loop.passive]
            loops.append(f'{names(driving)} used, {names(computed)} computed')
    return one_line(
        f'joint_states reports more joints of a closed loop than drive it: {"; ".join(loops)} '
        '(set the parameter actuated_joints to choose others)') if loops else ''
