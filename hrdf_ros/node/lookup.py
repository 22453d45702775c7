# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Where a frame is: now, at a past stamp, or in a configuration that the question gives."""

from __future__ import annotations

from collections.abc import Mapping
from enum import auto, Enum
from typing import NamedTuple, Optional, Protocol

from hrdf_ros.kinematics import FullConfiguration
from hrdf_ros.kinematics.transforms import Array
from hrdf_ros.node.robot import Robot
from hrdf_ros.node.robot_state import FARTHEST, RobotState
from hrdf_ros.node.texts import listed
from hrdf_ros.parsing.suggestions import suggestion
from hrdf_ros.pose import compose, from_matrix, Pose
import numpy as np


class Reason(Enum):
    """Why a lookup cannot be answered, as far as tf2 tells reasons apart."""

    UNKNOWN = auto()
    NOT_CONNECTED = auto()
    OUTSIDE_RECORD = auto()
    """The stamp is one for which not all joints are known."""
    INVALID_NAME = auto()


class NoAnswer(Exception):
    """A lookup that cannot be answered; the message is for the client."""

    def __init__(self, message: str, reason: Reason = Reason.UNKNOWN) -> None:
        super().__init__(message)
        self.reason = reason


class OtherFrames(Protocol):
    """Knows frames that are not the robot's."""

    def lookup(self, target: str, source: str, stamp: int) -> Pose:
        """Return target_from_source at a stamp in ns (0 latest); raise NoAnswer."""


def stamp_of(seconds: int, nanoseconds: int) -> int:
    """Return a stamp in ns (0 latest); raise NoAnswer for one that a clock never shows."""
    if seconds < 0:
        raise NoAnswer('the stamp is negative', Reason.OUTSIDE_RECORD)
    if nanoseconds >= 1_000_000_000:
        raise NoAnswer('the stamp has a second or more of nanoseconds', Reason.OUTSIDE_RECORD)
    return seconds * 1_000_000_000 + nanoseconds


class Question(NamedTuple):
    """A lookup: frame names or tags, a stamp in ns (0 latest), positions by joint name."""

    frame: str
    relative_to: str = ''
    stamp: int = 0
    positions: Optional[Mapping[str, float]] = None


class LookupAnswer(NamedTuple):
    """
    Where it is: relative_from_frame, the frame ids with the prefix, the stamp it holds for.

    ``note`` says which joints nobody has reported; TF has the answer, too, if it ``is_on_tf``.
    """

    relative_to: str
    frame: str
    pose: Pose
    stamp: int
    note: str = ''
    is_on_tf: bool = True


class _Configuration(NamedTuple):
    q: Array
    stamp: int
    note: str = ''
    is_on_tf: bool = True


def lookup(state: RobotState, question: Question, others: OtherFrames) -> LookupAnswer:
    """Answer a question; raise NoAnswer with the reason where there is no answer."""
    if not question.frame:
        raise NoAnswer('the name of the frame is empty', Reason.INVALID_NAME)
    robot = state.robot
    wanted = robot.frame(question.frame)
    relative_to = question.relative_to or robot.root
    origin = robot.frame(relative_to)
    if wanted is None and origin is None:
        pose = _ask(robot, others, relative_to, question.frame, question)
        return LookupAnswer(relative_to, question.frame, pose, question.stamp)
    known = [_bare(robot, name) for name, found in
             ((question.frame, wanted), (relative_to, origin)) if found is not None]
    at = _configuration(state, question, known)
    ids = [
        name if found is None else robot.prefix + robot.model.frames[found].name
        for name, found in ((relative_to, origin), (question.frame, wanted))]
    pose = _pose(robot, question, relative_to, at.q, others)
    return LookupAnswer(
        relative_to=ids[0], frame=ids[1], pose=pose, stamp=at.stamp, note=at.note,
        is_on_tf=at.is_on_tf)


def _pose(
    robot: Robot, question: Question, relative_to: str, q: Array, others: OtherFrames,
) -> Pose:
    """Return relative_from_frame, of which at most one is not the robot's."""
    root = robot.prefix + robot.root
    if robot.frame(question.frame) is None:
        root_from_frame = _ask(robot, others, root, question.frame, question)
        return compose(_within(robot, robot.root, relative_to, q), root_from_frame)
    if robot.frame(relative_to) is None:
        relative_from_root = _ask(robot, others, relative_to, root, question)
        return compose(relative_from_root, _within(robot, question.frame, robot.root, q))
    return _within(robot, question.frame, relative_to, q)


def _ask(
    robot: Robot, others: OtherFrames, target: str, source: str, question: Question,
) -> Pose:
    """Return target_from_source of frames of which one at least is not the robot's."""
    try:
        return others.lookup(target, source, question.stamp)
    except NoAnswer as error:
        unknown = source if robot.frame(source) is None else target
        hint = suggestion(unknown, robot.named)
        raise NoAnswer(f"'{unknown}': {error}{hint}", error.reason) from None


def _within(robot: Robot, frame: str, relative_to: str, q: Array) -> Pose:
    matrix = robot.kinematics.pose(
        _bare(robot, frame), _bare(robot, relative_to), FullConfiguration(q))
    return from_matrix(matrix[:3, 3].tolist(), matrix[:3, :3].ravel().tolist())


def _bare(robot: Robot, name: str) -> str:
    """Return a name as the model has it, without the prefix."""
    if name not in robot.named and name.startswith(robot.prefix):
        return name[len(robot.prefix):]
    return name


def _configuration(state: RobotState, question: Question, frames: list[str]) -> _Configuration:
    """Return the coordinates of the moment that is asked for."""
    robot = state.robot
    if question.positions:
        return _Configuration(
            _given(state, question.positions), question.stamp or state.activity.stamp)
    used = _used(robot, frames)
    if question.stamp:
        return _Configuration(_recorded(state, question.stamp, used), question.stamp)
    reported = np.flatnonzero(state.reported).tolist()
    missing = used - robot.solver(reported).moved_by(reported)
    note = ''
    if missing:
        names = listed([robot.model.coordinates[index].name for index in sorted(missing)])
        note = f'no joint state has been received for {names}; the initial positions are used'
    return _Configuration(state.positions, state.activity.stamp, note, missing <= state.assumed)


def _given(state: RobotState, positions: Mapping[str, float]) -> Array:
    """Return the latest state with the positions of the question in it."""
    robot = state.robot
    unknown = [name for name in positions if name not in robot.coordinate]
    if unknown:
        raise NoAnswer(f'the robot does not have the joints: {listed(unknown)}')
    q = state.positions.copy()
    given = [robot.coordinate[name] for name in positions]
    q[given] = list(positions.values())
    if not (np.abs(q) < FARTHEST).all():
        raise NoAnswer('the positions of the joint state are not all finite')
    return robot.solver(given)(q)


def _used(robot: Robot, frames: list[str]) -> set[int]:
    """Return the coordinates of the joints between frames, or between one and the root."""
    topology = robot.topology
    between: set[int] = set()
    for name in frames:
        found = robot.frame(name)
        body = robot.model.frames[found].body if found is not None else -1
        while body >= 0 and topology.joint[body] >= 0:
            between ^= {topology.joint[body]}
            body = topology.parent[body]
    return set().union(*(robot.used[joint] for joint in between))


def _recorded(state: RobotState, stamp: int, used: set[int]) -> Array:
    """Return the state at a past stamp, interpolated from the recorded joint states."""
    q = state.positions.copy()
    recorded: set[int] = set()
    for history in list(state.histories.values()):
        values = history.at(stamp, state.robot.continuous[history.coordinates])
        if values is not None:
            q[history.coordinates] = values
            recorded.update(history.coordinates.tolist())
    solver = state.robot.solver(recorded)
    missing = used - solver.moved_by(recorded) - state.assumed
    if missing:
        raise NoAnswer(_outside(state, stamp), Reason.OUTSIDE_RECORD)
    return solver(q)


def _outside(state: RobotState, stamp: int) -> str:
    """Say that and by how much a stamp is outside of what is recorded."""
    histories = list(state.histories.values())
    spans = [span for history in histories if (span := history.span()) is not None]
    if not spans:
        return 'no joint state is recorded'
    first, last = max(span[0] for span in spans), min(span[1] for span in spans)
    if stamp > last:
        return f'the stamp is {(stamp - last) / 1e9:.3f} s after the last recorded joint state'
    if stamp < first:
        return f'the stamp is {(first - stamp) / 1e9:.3f} s before the first recorded joint state'
    return 'not every joint between the two frames has been reported by then'
