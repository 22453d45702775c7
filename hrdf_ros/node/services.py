# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The services: lookup_frame and list_frames, validate and convert."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fnmatch import fnmatchcase
from functools import partial
import threading
from typing import Any

from hrdf_ros.diagnostics import Diagnostic, Location
from hrdf_ros.limits import WAITING_CHARACTERS, WAITING_REQUESTS
from hrdf_ros.listing import count_of
from hrdf_ros.node.answers import FileAnswer
from hrdf_ros.node.callbacks import create_service, refused
from hrdf_ros.node.description import DescriptionLoader
from hrdf_ros.node.log_text import first_error, one_line, refusal
from hrdf_ros.node.lookup import NoAnswer, Question, stamp_of
from hrdf_ros.node.requests import check_or_convert
from hrdf_ros.node.robot import Robot
from hrdf_ros.node.tf2 import TfBuffer, transform_message
from hrdf_ros.node.tf_stream import TransformStream
from hrdf_ros.node.worker import Worker, WorkerError
from hrdf_ros.topology import frame_parents
from hrdf_ros_interfaces import msg, srv
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.node import Node

_PATTERN = 1000
"""The maximum number of characters of a pattern: matching names blocks all other threads."""
_SEVERITIES = {
    'error': msg.Diagnostic.ERROR, 'warning': msg.Diagnostic.WARNING, 'info': msg.Diagnostic.INFO}


class Services:
    """
    Answers lookup_frame and list_frames at once, and validate and convert with a worker.

    A request for the worker blocks its thread until the job is done. Requests for which the queue
    has no room are refused at once.
    """

    def __init__(
        self, node: Node, worker: Worker, loader: DescriptionLoader, stream: TransformStream,
        frames: TfBuffer,
    ) -> None:
        self._worker = worker
        self._loader = loader
        self._stream = stream
        self._frames = frames
        self._lock = threading.Lock()
        self._waiting = 0
        self._characters = 0
        create_service(node, srv.ListFrames, '~/list_frames', self.list_frames, refused)
        create_service(node, srv.LookupFrame, '~/lookup_frame', self.lookup_frame, refused)
        group = ReentrantCallbackGroup()
        create_service(node, srv.Validate, '~/validate', self.validate, _refuse, group)
        create_service(node, srv.Convert, '~/convert', self.convert, _refuse, group)

    # ---- frames

    def lookup_frame(
        self, request: srv.LookupFrame.Request, response: srv.LookupFrame.Response,
    ) -> srv.LookupFrame.Response:
        """Return the pose of a frame, or the reason why it is unknown."""
        try:
            answer = self._frames.answer(_question(request))
        except NoAnswer as reason:
            response.success = False
            response.message = one_line(str(reason))
            return response
        response.success = True
        response.message = answer.note
        response.frame_id = answer.frame
        response.transform = transform_message(
            answer.relative_to, answer.frame, answer.pose, answer.stamp)
        return response

    def list_frames(
        self, request: srv.ListFrames.Request, response: srv.ListFrames.Response,
    ) -> srv.ListFrames.Response:
        """Return the frames of the given kinds whose name, source name or tag matches."""
        state = self._stream.state
        if state is not None and len(request.pattern) <= _PATTERN:
            response.frames = list(_frames(state.robot, request))
        return response

    # ---- files and texts

    def validate(
        self, request: srv.Validate.Request, response: srv.Validate.Response,
    ) -> srv.Validate.Response:
        """Check a file, a text, or the loaded description."""
        answer = self._answer(request, '')
        response.ok = answer.ok
        response.diagnostics = list(map(_diagnostic_message, answer.report))
        return response

    def convert(
        self, request: srv.Convert.Request, response: srv.Convert.Response,
    ) -> srv.Convert.Response:
        """Write a file, a text, or the loaded description in another format."""
        answer = self._answer(request, request.target or 'urdf')
        response.success = answer.ok
        response.message = first_error(answer.report)
        response.text = answer.text
        response.diagnostics = list(map(_diagnostic_message, answer.report))
        return response

    def _answer(self, request: Any, target: str) -> FileAnswer:
        settings, state = self._loader.settings, self._stream.state
        loaded = b'' if state is None or request.path or request.text else state.robot.loaded
        try:
            with self._place(len(request.text)):
                return self._worker.run(settings.request_timeout, partial(
                    check_or_convert, settings, path=request.path, text=request.text,
                    format=request.format, target=target, loaded=loaded))
        except WorkerError as error:
            return FileAnswer(False, '', refusal(str(error)))

    @contextmanager
    def _place(self, characters: int) -> Iterator[None]:
        """Hold a place in the queue; a full queue raises WorkerError."""
        with self._lock:
            if (self._waiting >= WAITING_REQUESTS
                    or self._characters + characters > WAITING_CHARACTERS):
                raise WorkerError(
                    f'too many requests are waiting: {WAITING_REQUESTS}, or '
                    f'{WAITING_CHARACTERS >> 20} MiB of text')
            self._waiting += 1
            self._characters += characters
        try:
            yield
        finally:
            with self._lock:
                self._waiting -= 1
                self._characters -= characters


def _question(request: srv.LookupFrame.Request) -> Question:
    state = request.joint_state
    if len(state.name) != len(state.position):
        raise NoAnswer(
            f'the joint state has {count_of(len(state.name), "name")} but '
            f'{count_of(len(state.position), "position")}')
    positions: dict[str, float] = {}
    for name, position in zip(state.name, state.position):
        positions.setdefault(name, position)  # the first of two counts, as in a JointState
    return Question(
        request.frame, request.relative_to, stamp_of(request.stamp.sec, request.stamp.nanosec),
        positions or None)


def _frames(robot: Robot, request: srv.ListFrames.Request) -> Iterator[msg.FrameInfo]:
    """Yield the frames of the wanted kinds with a name or tag that matches the pattern."""
    model, prefix, kinds = robot.model, robot.prefix, frozenset(request.kinds)
    for frame, parent in zip(model.frames, frame_parents(model, robot.topology)):
        names = prefix + frame.name, frame.name, frame.source_name, frame.tag
        if (not kinds or frame.kind in kinds) and (not request.pattern or any(
                name and fnmatchcase(name, request.pattern) for name in names)):
            location = frame.location.resolve() if frame.location else Location('')
            yield msg.FrameInfo(
                name=names[0], source_name=frame.source_name, kind=frame.kind, tag=frame.tag,
                body=prefix + model.bodies[frame.body].name,
                parent=parent and prefix + parent, file=location.file, line=location.line or 0)


def _diagnostic_message(found: Diagnostic) -> msg.Diagnostic:
    """Return a diagnostic as a message; 0 and empty texts stand for what is unknown."""
    location = found.resolve() or Location('')
    return msg.Diagnostic(
        severity=_SEVERITIES[found.severity], code=found.code, message=one_line(found.message),
        hint=one_line(found.hint or ''), reference=found.reference or '',
        file=one_line(location.file), line=location.line or 0, column=location.column or 0,
        included_from=[one_line(str(place)) for place in location.included_from])


def _refuse(sentence: str, _: Any, response: Any) -> Any:
    """Return a response that only says why there is no answer."""
    empty = refused(one_line(sentence), None, response)
    empty.diagnostics = list(map(_diagnostic_message, refusal(sentence)))
    return empty
