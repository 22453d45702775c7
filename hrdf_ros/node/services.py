# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The services that answer from the live robot: lookup_frame and list_frames."""

from __future__ import annotations

from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import Optional

from builtin_interfaces.msg import Time
from hrdf_ros.node.jobs import FrameRecord
from hrdf_ros.node.lookup import lookup, NoAnswer, OtherFrames, Question, stamp_of
from hrdf_ros.node.robot_state import RobotState
from hrdf_ros.node.safe_callback import refused, safe_callback, SERVICE_QOS
from hrdf_ros.node.texts import one_line
from hrdf_ros.node.tf_publisher import transform_message
from hrdf_ros_interfaces import msg, srv
from rclpy.callback_groups import MutuallyExclusiveCallbackGroup
from rclpy.node import Node

_LONGEST_PATTERN = 1000


class FrameServices:
    """Answers lookup_frame and list_frames, each in a callback group of its own."""

    def __init__(
        self, node: Node, live: Callable[[], Optional[RobotState]], others: OtherFrames,
    ) -> None:
        self._node = node
        self._live = live
        self._others = others
        node.create_service(
            srv.ListFrames, '~/list_frames', safe_callback(self.list_frames, node, refused),
            qos_profile=SERVICE_QOS, callback_group=MutuallyExclusiveCallbackGroup())
        node.create_service(
            srv.LookupFrame, '~/lookup_frame', safe_callback(self.lookup_frame, node, refused),
            qos_profile=SERVICE_QOS, callback_group=MutuallyExclusiveCallbackGroup())

    def lookup_frame(
        self, request: srv.LookupFrame.Request, response: srv.LookupFrame.Response,
    ) -> srv.LookupFrame.Response:
        """Answer where a frame is."""
        try:
            answer = lookup(self._require_live(), _question(request), self._others)
        except NoAnswer as reason:
            response.success = False
            response.message = one_line(str(reason))
            return response
        stamp = answer.stamp or self._node.get_clock().now().nanoseconds
        response.success = True
        response.message = answer.note
        response.frame_id = answer.frame
        response.transform = transform_message(
            answer.relative_to, answer.frame, answer.pose, _time(stamp))
        return response

    def list_frames(
        self, request: srv.ListFrames.Request, response: srv.ListFrames.Response,
    ) -> srv.ListFrames.Response:
        """List the frames whose name, source name or tag matches, of the kinds asked for."""
        live = self._live()
        if len(request.pattern) > _LONGEST_PATTERN:
            self._node.get_logger().warning(
                f'list_frames: a pattern of {len(request.pattern)} characters fits no frame')
        elif live is not None:
            prefix, kinds = live.robot.prefix, frozenset(request.kinds)
            response.frames = [
                _frame_info(frame) for frame in live.robot.description.frames
                if (not kinds or frame.kind in kinds)
                and _matches(frame, prefix, request.pattern)]
        return response

    def _require_live(self) -> RobotState:
        live = self._live()
        if live is None:
            raise NoAnswer('no robot is loaded')
        return live


def _question(request: srv.LookupFrame.Request) -> Question:
    state = request.joint_state
    if len(state.name) != len(state.position):
        raise NoAnswer(
            f'the joint state has {len(state.name)} names but {len(state.position)} positions')
    return Question(
        request.frame, request.relative_to, stamp_of(request.stamp.sec, request.stamp.nanosec),
        dict(zip(state.name, state.position)) or None)


def _time(nanoseconds: int) -> Time:
    seconds, nanosec = divmod(nanoseconds, 1_000_000_000)
    return Time(sec=seconds, nanosec=nanosec)


def _matches(frame: FrameRecord, prefix: str, pattern: str) -> bool:
    names = (frame.name, frame.name[len(prefix):], frame.source_name, frame.tag)
    return not pattern or any(name and fnmatchcase(name, pattern) for name in names)


def _frame_info(frame: FrameRecord) -> msg.FrameInfo:
    return msg.FrameInfo(
        name=frame.name, source_name=frame.source_name, kind=frame.kind, tag=frame.tag,
        body=frame.body, parent=frame.parent, file=frame.file, line=frame.line)
