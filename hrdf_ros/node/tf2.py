# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Convert transforms to messages, look up other frames with tf2, and serve clients of tf2."""

from __future__ import annotations

from math import isfinite
import threading
import time
from typing import Any

from builtin_interfaces.msg import Time
from geometry_msgs.msg import Transform, TransformStamped
from hrdf_ros.limits import GOAL_NAME, GOALS
from hrdf_ros.node.callbacks import create_timer, safe_callback, SERVICE_QOS
from hrdf_ros.node.cdr import SECOND
from hrdf_ros.node.log_text import one_line
from hrdf_ros.node.lookup import lookup, LookupAnswer, NoAnswer, Question, Reason, stamp_of
from hrdf_ros.node.tf_stream import TransformStream
from hrdf_ros.pose import compose, from_quaternion, Pose
from rclpy.action import ActionServer, GoalResponse
from rclpy.callback_groups import MutuallyExclusiveCallbackGroup
from rclpy.duration import Duration
from rclpy.node import Node
import rclpy.time
from tf2_msgs.action import LookupTransform
from tf2_msgs.msg import TF2Error

_FIRST_WAIT = Duration(seconds=1.0)
"""The time for which the first lookup waits for the first transforms."""
_LISTENING = 10.0
"""The time in seconds to listen after a lookup; listening costs ten times what publishing does."""
_REASONS = {f'{reason.value}Exception': reason for reason in Reason}
"""The reason for each class of tf2's exceptions, by the name of the class."""
_PERIOD = 0.02
"""The time in seconds between two attempts to answer the goals that wait."""
_WAIT_SECONDS = 60.0
"""The maximum time in seconds that a goal waits, whatever timeout it asks for."""
_RESULT_SECONDS = 5
"""
The time in seconds that a result is kept for a client that has not fetched it; the default of ROS
is 900.
"""
_NOT_UNIT = 1e-2
"""The largest deviation of a quaternion's squared length from 1; tf2 has the same bound."""
_ERRORS = {
    Reason.UNKNOWN: TF2Error.LOOKUP_ERROR,
    Reason.NOT_CONNECTED: TF2Error.CONNECTIVITY_ERROR,
    Reason.OUTSIDE_RECORD: TF2Error.EXTRAPOLATION_ERROR,
    Reason.INVALID_NAME: TF2Error.INVALID_ARGUMENT_ERROR}
"""The error code of tf2 for each reason."""


def transform_message(parent: str, child: str, pose: Pose, stamp: int) -> TransformStamped:
    """Return parent_from_child as a message; the stamp is in ns."""
    message = TransformStamped(child_frame_id=child)
    message.header.stamp.sec, message.header.stamp.nanosec = divmod(stamp, SECOND)
    message.header.frame_id = parent
    translation, rotation = message.transform.translation, message.transform.rotation
    translation.x, translation.y, translation.z = pose.position
    rotation.x, rotation.y, rotation.z, rotation.w = pose[3:]
    return message


def pose_of(transform: Transform) -> Pose:
    """
    Return the pose of a message.

    The quaternion is normalized; a quaternion of length zero raises ValueError.
    """
    position, turned = transform.translation, transform.rotation
    return from_quaternion(
        (position.x, position.y, position.z), (turned.x, turned.y, turned.z, turned.w))


def refusal_of(parent: str, child: str, transform: Transform) -> str:
    """Return why tf2 ignores a transform, '' if it accepts it."""
    position, turned = transform.translation, transform.rotation
    numbers = turned.x, turned.y, turned.z, turned.w
    if not all(map(isfinite, (*numbers, position.x, position.y, position.z))):
        return 'it has numbers that are not finite'
    if not parent or not child:
        return 'a name is empty'
    if parent == child:
        return 'it is its own parent'
    length = sum(number * number for number in numbers)
    return '' if abs(length - 1.0) <= _NOT_UNIT else (
        f'its quaternion has the length {length ** 0.5:.3g}, not 1')


class TfBuffer:
    """The frames of the robot, and other frames from a tf2 buffer that listens on demand."""

    def __init__(self, node: Node, stream: TransformStream) -> None:
        self._node = node
        self._stream = stream
        self._buffer: Any = None
        self._listener: Any = None
        self._lock = threading.Lock()
        self._ending = create_timer(node, _LISTENING, self._end)
        self._ending.cancel()

    def answer(self, question: Question) -> LookupAnswer:
        """Answer a question, at the current time for stamp 0; NoAnswer says why that fails."""
        answer = lookup(self._stream.state, question, self.lookup_others)
        return answer._replace(stamp=answer.stamp or self._node.get_clock().now().nanoseconds)

    def lookup_others(self, target: str, source: str, stamp: int) -> Pose:
        """Return target_from_source; raise NoAnswer if tf2 has none or is not installed."""
        try:
            import tf2_ros  # not every environment with rclpy has it
        except ImportError:
            raise NoAnswer(
                '(frames of others require tf2_ros, which is not installed: package '
                'tf2_ros_py)') from None
        wait = Duration()
        with self._lock:
            if self._listener is None:
                self._buffer = tf2_ros.Buffer()
                self._listener = tf2_ros.TransformListener(self._buffer, self._node)
                wait = _FIRST_WAIT
            buffer = self._buffer
        try:
            at = rclpy.time.Time(nanoseconds=stamp)
            found = buffer.lookup_transform(target, source, at, wait)
        except tf2_ros.TransformException as error:
            text = str(error).rstrip('. ')
            reason = _REASONS.get(type(error).__name__, Reason.UNKNOWN)
            raise NoAnswer(f'(tf2: {text})', reason) from None
        finally:
            self._ending.reset()
        return pose_of(found.transform)

    def _end(self) -> None:
        """Stop listening."""
        self._ending.cancel()
        with self._lock:
            listener, self._listener, self._buffer = self._listener, None, None
        if listener is not None:
            listener.unregister()


class BufferServer:
    """
    The action ~/tf2_buffer_server, for ``tf2_ros.BufferClient`` and its C++ counterpart.

    A goal is answered as soon as its transform is known, or with an error when its time is over.
    """

    def __init__(self, node: Node, frames: TfBuffer) -> None:
        self._frames = frames
        self._waiting: list[tuple[Any, float]] = []
        """The handles of goals, each with the latest time of its answer."""
        group = MutuallyExclusiveCallbackGroup()
        self._timer = create_timer(node, _PERIOD, self._look_again, group)
        self._timer.cancel()
        self._server = ActionServer(
            node, LookupTransform, '~/tf2_buffer_server', safe_callback(self._finish, node),
            callback_group=group, goal_callback=self._accept, result_timeout=_RESULT_SECONDS,
            goal_service_qos_profile=SERVICE_QOS, result_service_qos_profile=SERVICE_QOS,
            cancel_service_qos_profile=SERVICE_QOS,
            handle_accepted_callback=safe_callback(self._wait, node))

    def end(self) -> None:
        """Stop offering the action."""
        self._timer.cancel()
        self._server.destroy()

    def _accept(self, goal: LookupTransform.Goal) -> GoalResponse:
        """Reject goals for which there is no room: rclpy keeps goals until after their results."""
        names = goal.target_frame, goal.source_frame, goal.fixed_frame
        is_accepted = len(self._waiting) < GOALS and max(map(len, names)) <= GOAL_NAME
        return GoalResponse.ACCEPT if is_accepted else GoalResponse.REJECT

    def _wait(self, handle: Any) -> None:
        timeout = handle.request.timeout
        seconds = min(_WAIT_SECONDS, timeout.sec + timeout.nanosec / 1e9)
        self._waiting.append((handle, time.monotonic() + seconds))
        self._look_again()
        self._timer.reset()

    def _look_again(self) -> None:
        """Answer the goals whose transform is known or whose time is over."""
        now = time.monotonic()
        waiting, self._waiting = self._waiting, []
        for handle, deadline in waiting:
            if (now >= deadline or handle.is_cancel_requested
                    or self._is_settled(handle.request)):
                handle.execute()
            else:
                self._waiting.append((handle, deadline))
        if not self._waiting:
            self._timer.cancel()

    def _is_settled(self, goal: LookupTransform.Goal) -> bool:
        """Return whether the transform is known, or can never be known."""
        try:
            self._lookup(goal)
        except NoAnswer as error:
            return error.reason is Reason.INVALID_NAME
        return True

    def _finish(self, handle: Any) -> LookupTransform.Result:
        """Return the result of a goal as ``tf2_ros`` does: an error is a result, too."""
        goal, result = handle.request, LookupTransform.Result()
        try:
            pose, stamp = self._lookup(goal)
        except NoAnswer as error:
            result.error.error = _ERRORS[error.reason]
            result.error.error_string = one_line(str(error))
        else:
            result.transform = transform_message(
                goal.target_frame, goal.source_frame, pose, stamp)
        handle.succeed()
        return result

    def _lookup(self, goal: LookupTransform.Goal) -> tuple[Pose, int]:
        """Return target_from_source and its stamp (ns); raise NoAnswer if it is unknown."""
        if not goal.advanced:
            return self._pose(goal.target_frame, goal.source_frame, goal.source_time)
        fixed_from_source, _ = self._pose(
            goal.fixed_frame, goal.source_frame, goal.source_time)
        target_from_fixed, stamp = self._pose(
            goal.target_frame, goal.fixed_frame, goal.target_time)
        return compose(target_from_fixed, fixed_from_source), stamp

    def _pose(self, target: str, source: str, at: Time) -> tuple[Pose, int]:
        if not target:  # lookup would take the robot's root
            raise NoAnswer('the name of the target frame is empty', Reason.INVALID_NAME)
        question = Question(source, target, stamp_of(at.sec, at.nanosec))
        answer = self._frames.answer(question)
        return answer.pose, answer.stamp
