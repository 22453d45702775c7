# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A robot with the state that joint states have given it, and what messages mean for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Optional, Protocol

from hrdf_ros.kinematics.dependent_solver import DependentSolver
from hrdf_ros.kinematics.loop_closure import LoopSolver
from hrdf_ros.kinematics.tf_transforms import TfTransforms
from hrdf_ros.kinematics.transforms import Array, Indices
from hrdf_ros.node.cdr import JointNames
from hrdf_ros.node.driving import overruled
from hrdf_ros.node.joint_state_buffer import Flags, Ring, Room
from hrdf_ros.node.robot import Robot
from hrdf_ros.node.texts import listed
from hrdf_ros.node.tf_template import FEW, Numbers
import numpy as np

FARTHEST = 1e100
"""Positions from here on (rad, m) count as infinite: their squares and multiples soon are."""
MAX_WARNINGS = 100
_MAX_UNKNOWN = 1000
_MAX_NAME = 80
_MAX_MOVEMENTS = 64
_MAX_RINGS = 64
_AGING = 256
"""How many rings are forgotten until what the others recorded counts half."""
_MOST_COUNTED = 64
"""Of what a ring recorded before that."""


class Sender(Protocol):
    """Sends transforms for fixed pairs of frames."""

    def __call__(self, seconds: int, nanoseconds: int, numbers: Numbers) -> None:
        """Send the numbers (c,) that change."""


MakeSender = Callable[[list[tuple[str, str]], Array, Indices], Sender]
"""
Of parent and child frames, parent_from_child rows (m, 7) x, y, z, qx, qy, qz, qw, and the places
of those numbers in them that change, counted through the rows.
"""


class Movement(NamedTuple):
    """What moves when certain coordinates are given."""

    coordinates: Indices
    """Those that are given."""
    solver: DependentSolver
    """Computes those that follow."""
    is_whole: bool
    """All coordinates are given and none follows."""
    motions: TfTransforms
    send: Optional[Sender]
    """None where nothing moves."""
    ring: Ring
    moved: Indices
    """The given coordinates and those that follow from them."""
    loops: tuple[LoopSolver, ...]
    """The closed loops that they move."""

    def follow(self, given: Array, last: Array) -> Optional[Array]:
        """
        Return the state (n,) with the given coordinates, where ``last`` was the one before.

        None where closed loops are so far from where they were that closing them takes long.
        """
        if self.is_whole:
            return given
        state = last.copy()
        state[self.coordinates] = given
        return state if self.solver.follow(state, last, self.loops) else None

    def reach(self, given: Array, last: Array) -> Array:
        """Return the state (n,) with the given coordinates, however far that is."""
        state = last.copy()
        state[self.coordinates] = given
        return self.solver(state, last)


class FarState(NamedTuple):
    """Given coordinates (c,) at a stamp, which closed loops take long to reach."""

    movement: Movement
    seconds: int
    nanoseconds: int
    given: Array


class Direct(NamedTuple):
    """How the numbers of the transforms come straight from the values of a message."""

    numbers: Callable[[Any], Numbers]
    is_few: bool
    """It takes plain floats, not an array."""


class Plan(NamedTuple):
    """What a message with certain names means: which of its values give which coordinates."""

    source: Optional[Indices]
    """Which values; None for all in their order."""
    movement: Movement
    reported: int
    """How many coordinates had been reported when it was made."""
    direct: Optional[Direct]
    """None where something else than the message must be known."""

    def given(self, values: Array) -> Array:
        """Return the values of the coordinates that are given."""
        return values if self.source is None else values.take(self.source)


class Activity:
    """What came in, for diagnostics."""

    def __init__(self) -> None:
        self.received = 0
        self.published = 0
        self.ignored = 0
        self.not_finite = 0
        self.jumps = 0
        self.faults: dict[str, None] = {}
        self.unknown: dict[str, None] = {}
        self.unknown_warnings = 0
        self.stamp = 0


class Live:
    """
    A robot with its state; replaced as a whole by another robot.

    ``plans`` are found by the identity of the names, which the reader remembers; ``movements``
    and ``rings`` by the coordinates that are given. All three are bounded. ``assumed`` are
    coordinates that nobody reports and that are published all the same, at their initial values.
    ``tell`` gets what a user should know once.
    """

    def __init__(
        self, robot: Robot, make_sender: MakeSender, tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.robot = robot
        count = len(robot.model.coordinates)
        self.state = robot.kinematics.initial_configuration()
        self.reported: Flags = np.zeros(count, dtype=bool)
        self.due = np.zeros(count, dtype=np.int64)
        self.plans: dict[JointNames, Plan] = {}
        self.rings: dict[tuple[int, ...], Ring] = {}
        self._room = Room()
        self._forgotten = 0
        self._not_counted: dict[tuple[int, ...], int] = {}
        self.activity = Activity()
        self._movements: dict[tuple[int, ...], Movement] = {}
        self.make_sender = make_sender
        self.far: dict[Ring, FarState] = {}
        """What the planner is to reach: the latest state of each movement, by its ring."""
        self._tell = tell
        self._told = ''
        self.assumed: frozenset[int] = frozenset()
        self._inherited: list[tuple[int, int]] = []

    def continue_from(self, other: Live) -> None:
        """Take over what another robot's joints of the same name were reported to be."""
        for name, index in self.robot.coordinate.items():
            before = other.robot.coordinate.get(name)
            if before is not None and other.reported[before]:
                self._inherited.append((index, before))
                self.reported[index] = True
        self.catch_up(other)
        given = np.flatnonzero(self.reported).tolist()
        self.state = self.robot.solver(given)(self.state)

    def catch_up(self, other: Live) -> None:
        """Take over what they were reported to be meanwhile."""
        if self._inherited:
            mine, others = np.array(self._inherited, dtype=np.intp).T
            self.state[mine] = other.state[others]
        self.activity.stamp = other.activity.stamp

    # ---- what a message means; by the thread that makes plans

    def make_plan(self, joints: JointNames) -> Plan:
        """Work out what these names mean; coordinates that they give count as reported."""
        known = self.robot.coordinate
        first: dict[int, int] = {}
        for index, name in enumerate(joints.names):
            if name in known:
                first.setdefault(known[name], index)
        coordinates = sorted(first)
        key = tuple(coordinates)
        if not self.reported[coordinates].all():
            reported = self.reported.copy()
            reported[coordinates] = True
            self._movements.clear()
        else:
            reported = self.reported
        if key not in self._movements:
            if len(self._movements) >= _MAX_MOVEMENTS:
                self._movements.clear()
            self._movements[key] = self._make_movement(key, reported)
        movement = self._movements[key]
        source = [first[index] for index in coordinates]
        return Plan(
            source=None if source == [*range(len(joints.names))] else np.array(
                source, dtype=np.intp),
            movement=movement, reported=int(np.count_nonzero(reported)),
            direct=_direct(movement, first))

    def _make_movement(self, given: tuple[int, ...], reported: Flags) -> Movement:
        robot = self.robot
        solver = robot.solver(self._driving(given, reported))
        self._tell_of_loops(overruled(robot.model, solver, given))
        moved = solver.moved_by(given)
        edges = robot.moving_edges(moved, reported)
        motions = robot.motions(edges)
        return Movement(
            coordinates=np.array(given, dtype=np.intp), solver=solver,
            is_whole=len(given) == len(self.state) and not solver.indices, motions=motions,
            ring=self._ring(given), moved=np.array(sorted(moved), dtype=np.intp),
            loops=solver.loops_moved_by(given),
            send=self.make_sender(
                robot.frames_of(edges), motions.at_zero, motions.changing) if edges else None)

    def _tell_of_loops(self, text: str) -> None:
        if text and text != self._told:
            self._told = text
            self._tell(text)

    def _driving(self, given: tuple[int, ...], reported: Flags) -> set[int]:
        """
        Return the coordinates that others are computed from, when a message gives some.

        Closed loops are driven by all that was ever reported; a mimic follows its leader in every
        message that does not give its own value.
        """
        coordinates = self.robot.model.coordinates
        return {*given, *(
            index for index in np.flatnonzero(reported).tolist()
            if coordinates[index].mimic is None)}

    def _ring(self, given: tuple[int, ...]) -> Ring:
        """Return the ring of these coordinates, which outlives a plan."""
        ring = self.rings.get(given)
        if ring is None:
            rings = dict(self.rings)
            if len(rings) >= _MAX_RINGS:
                self._forget_one(rings)
            ring = rings[given] = Ring(
                np.array(given, dtype=np.intp), self.robot.history_duration, self._room)
            self._room.share(rings.values())
            self.rings = rings
        return ring

    def _forget_one(self, rings: dict[tuple[int, ...], Ring]) -> None:
        """
        Drop the ring of those joints that were least often reported together of late.

        That does not depend on stamps: whoever floods the topic with ever new sets of joints
        chooses those.
        """
        ignored = self._not_counted
        least = min(rings, key=lambda key: rings[key].records - ignored.get(key, 0))
        forgotten = rings.pop(least)
        ignored.pop(least, None)
        self._movements.pop(least, None)
        self._forgotten += 1
        if self._forgotten % _AGING == 0:
            self._not_counted = {key: ring.records - min(
                (ring.records - ignored.get(key, 0)) // 2, _MOST_COUNTED)
                for key, ring in rings.items()}
        self.plans = {
            joints: plan for joints, plan in self.plans.items()
            if plan.movement.ring is not forgotten}

    def unknown_names(self, joints: JointNames) -> str:
        """Return a warning about names that the robot does not have, '' where there is none."""
        activity, robot = self.activity, self.robot
        if activity.unknown_warnings >= MAX_WARNINGS:
            return ''
        new = [
            name for name in joints.names if name not in robot.coordinate
            and name not in robot.helpers and name[:_MAX_NAME] not in activity.unknown]
        if not new:
            return ''
        activity.unknown_warnings += 1
        free = _MAX_UNKNOWN - len(activity.unknown)
        activity.unknown.update((name[:_MAX_NAME], None) for name in new[:max(0, free)])
        return f'joint_states names joints that the robot does not have: {listed(new)}'


def _direct(movement: Movement, position: Mapping[int, int]) -> Optional[Direct]:
    """Return how a message gives the numbers, which has coordinates at certain positions."""
    waves, mimic = movement.motions.waves, movement.solver.mimic_solver
    if movement.send is None or waves is None or movement.solver.loop_solvers:
        return None
    own = waves.coordinates
    leaders = mimic.leader[own].tolist()
    if not all(leader in position for leader in leaders):
        return None
    source = np.array([position[leader] for leader in leaders], dtype=np.intp)
    numbers = waves.rebased(source, mimic.multiplier[own], mimic.offset[own])
    is_few = len(own) <= FEW and bool((np.abs(numbers.rate) < FARTHEST).all())
    return Direct(numbers.few() if is_few else numbers, is_few)
