# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Look up where a frame is: now, at a past stamp, or in a given configuration."""

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import NamedTuple, Optional

from hrdf_ros.kinematics import FullConfiguration
from hrdf_ros.kinematics.configuration_space import outside_limits
from hrdf_ros.kinematics.transforms import Array, pose_of
from hrdf_ros.node.cdr import SECOND
from hrdf_ros.node.log_text import listed
from hrdf_ros.node.robot import Robot
from hrdf_ros.node.robot_state import FARTHEST, RobotState
from hrdf_ros.parsing.suggestions import suggestion
from hrdf_ros.pose import compose, Pose
from hrdf_ros.topology import frame_hint
import numpy as np


class Reason(Enum):
    """The reason why a lookup has no answer, in the terms of tf2."""

    UNKNOWN = 'Lookup'
    NOT_CONNECTED = 'Connectivity'
    OUTSIDE_RECORD = 'Extrapolation'
    """The error code for a stamp at which not all joints are known."""
    INVALID_NAME = 'InvalidArgument'


class NoAnswer(Exception):
    """An error raised for a lookup without an answer; the message is for the client."""

    def __init__(self, message: str, reason: Reason = Reason.UNKNOWN) -> None:
        super().__init__(message)
        self.reason = reason


OtherFrames = Callable[[str, str, int], Pose]
"""A function that returns target_from_source at a stamp in ns (0: latest), or raises NoAnswer."""


class Question(NamedTuple):
    """A lookup: two frames by name or tag, a stamp in ns (0: latest), positions by joint name."""

    frame: str
    relative_to: str = ''
    stamp: int = 0
    positions: Optional[Mapping[str, float]] = None


class LookupAnswer(NamedTuple):
    """
    The pose relative_from_frame, with the names of both frames and its stamp (ns).

    ``note`` names the joints whose published initial positions were used, and the joints that are
    outside their limits.
    """

    relative_to: str
    frame: str
    pose: Pose
    stamp: int
    note: str = ''


def stamp_of(seconds: int, nanoseconds: int) -> int:
    """Return a stamp in ns (0: latest); a stamp that no clock can show raises NoAnswer."""
    if seconds < 0:
        raise NoAnswer('the stamp is negative', Reason.OUTSIDE_RECORD)
    if nanoseconds >= SECOND:
        raise NoAnswer('the stamp has a second or more of nanoseconds', Reason.OUTSIDE_RECORD)
    return seconds * SECOND + nanoseconds


def lookup(
    state: Optional[RobotState], question: Question, others: OtherFrames,
) -> LookupAnswer:
    """Answer a question; raise NoAnswer if there is no answer."""
    if state is None:
        raise NoAnswer('no robot is loaded')
    if not question.frame:
        raise NoAnswer('the name of the frame is empty', Reason.INVALID_NAME)
    robot = state.robot
    frames = [robot.frame(name) for name in (question.relative_to or robot.root, question.frame)]
    own = [frame for frame in frames if frame is not None]
    if not own:
        relative_to = question.relative_to
        pose = _ask(robot, others, relative_to, question.frame, question.stamp)
        return LookupAnswer(relative_to, question.frame, pose, question.stamp)
    given = state.known
    reported = robot.solver(given).moved_by(given)
    q, known = _configuration(state, question, reported)
    missing = _coordinates_between(robot, own) - known
    if not missing <= state.assumed:
        raise _unknown(state, question, missing - state.assumed, reported)
    names = [None if frame is None else robot.model.frames[frame].name for frame in frames]
    return LookupAnswer(
        relative_to=question.relative_to if names[0] is None else robot.prefix + names[0],
        frame=question.frame if names[1] is None else robot.prefix + names[1],
        pose=_pose(robot, question, names, q, others),
        stamp=question.stamp or state.activity.stamp,
        note='; '.join(_notes(robot, question, q, missing, _coordinates_between(robot, own))))


def _pose(
    robot: Robot, question: Question, names: list[Optional[str]], q: Array, others: OtherFrames,
) -> Pose:
    """
    Return relative_from_frame for the robot's names of both frames.

    A name is None if the frame is not one of the robot.
    """
    root = robot.prefix + robot.root
    relative_to, frame = names
    if frame is None:
        root_from_frame = _ask(robot, others, root, question.frame, question.stamp)
        return compose(_own_pose(robot, relative_to or robot.root, robot.root, q), root_from_frame)
    if relative_to is None:
        relative_from_root = _ask(robot, others, question.relative_to, root, question.stamp)
        return compose(relative_from_root, _own_pose(robot, robot.root, frame, q))
    return _own_pose(robot, relative_to, frame, q)


def _ask(robot: Robot, others: OtherFrames, target: str, source: str, stamp: int) -> Pose:
    try:
        return others(target, source, stamp)
    except NoAnswer as error:
        unknown = source if robot.frame(source) is None else target
        hint = frame_hint(robot.model, unknown, robot.prefix)
        raise NoAnswer(
            f"'{unknown}' is not a frame of the robot; {hint} {error}", error.reason) from None


def _own_pose(robot: Robot, target: str, source: str, q: Array) -> Pose:
    """Return target_from_source for two frames of the robot."""
    return pose_of(robot.kinematics.pose(source, relative_to=target, q=FullConfiguration(q)))


def _configuration(
    state: RobotState, question: Question, reported: set[int],
) -> tuple[Array, set[int]]:
    """Return all positions (n,), and the coordinates whose positions are known."""
    robot = state.robot
    if not question.positions:
        return _recorded(state, question.stamp) if question.stamp else (state.positions, reported)
    unknown = [name for name in question.positions if name not in robot.coordinate]
    if unknown:
        raise NoAnswer(
            f'the robot does not have the joints: {listed(unknown)}'
            f'{suggestion(unknown[0], robot.coordinate)}')
    given = [robot.coordinate[name] for name in question.positions]
    q = state.positions.copy()
    q[given] = list(question.positions.values())
    if not (np.abs(q) < FARTHEST).all():
        raise NoAnswer('the positions of the joint state are not all finite')
    solver = robot.solver(given)
    return solver(q), reported | solver.moved_by(given)


def _recorded(state: RobotState, stamp: int) -> tuple[Array, set[int]]:
    """Return the positions at a past stamp, interpolated from the recorded joint states."""
    q = state.positions.copy()
    recorded: set[int] = set()
    for history in list(state.histories.values()):
        values = history.at(stamp, state.robot.continuous[history.coordinates])
        if values is not None:
            q[history.coordinates] = values
            recorded.update(history.coordinates.tolist())
    solver = state.robot.solver(recorded)
    return solver(q), solver.moved_by(recorded)


def _notes(
    robot: Robot, question: Question, q: Array, assumed: set[int], used: set[int],
) -> Iterator[str]:
    """Yield what the client should know about the positions behind an answer."""
    if assumed:
        name = robot.kinematics.initial_name
        at = '' if name == 'initial' else f', at {name}'
        yield f'{_unreported(robot, assumed)}; the initial positions are used{at}'
    given = {robot.coordinate[name] for name in question.positions or ()}
    for index in sorted(used | given):
        message = outside_limits(robot.model.coordinates[index], q[index])
        if message:
            yield message


def _coordinates_between(robot: Robot, frames: list[int]) -> set[int]:
    """Return the coordinates of the joints between two frames, or between one and the root."""
    topology = robot.topology
    between: set[int] = set()
    for frame in frames:
        body = robot.model.frames[frame].body
        while body >= 0 and topology.joint[body] >= 0:
            between ^= {topology.joint[body]}
            body = topology.parent[body]
    return set().union(*(robot.used[joint] for joint in between))


def _unknown(
    state: RobotState, question: Question, missing: set[int], reported: set[int],
) -> NoAnswer:
    """Return why the positions of some coordinates are unknown."""
    if not missing <= reported:
        return NoAnswer(_unreported(state.robot, missing - reported))
    stamp, histories = question.stamp, list(state.histories.values())
    spans = [span for history in histories if (span := history.span()) is not None]
    first = max((span[0] for span in spans), default=stamp)
    last = min((span[1] for span in spans), default=stamp)
    text = 'not every joint between the two frames has been reported by then'
    if stamp > last:
        text = f'the stamp is {(stamp - last) / 1e9:.3f} s after the last recorded joint state'
    elif stamp < first:
        text = f'the stamp is {(first - stamp) / 1e9:.3f} s before the first recorded joint state'
    return NoAnswer(text, Reason.OUTSIDE_RECORD)


def _unreported(robot: Robot, coordinates: set[int]) -> str:
    names = [robot.model.coordinates[index].name for index in sorted(coordinates)]
    return f'no joint state has been received for {listed(names)}'
