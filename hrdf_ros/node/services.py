# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The node's services, on messages of hrdf_ros_interfaces."""

from __future__ import annotations

from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import Any, Optional

from builtin_interfaces.msg import Time
import hrdf_ros
from hrdf_ros import codes
from hrdf_ros.diagnostics import Diagnostic, Location, Report
from hrdf_ros.load import load, LoadResult
from hrdf_ros.node.dedicated_executor import HotServices
from hrdf_ros.node.diagnostics import shortened
from hrdf_ros.node.lookup import Foreign, lookup, NoAnswer, Question
from hrdf_ros.node.robot import read_roots, Robot
from hrdf_ros.node.safe_callback import guarded, refused, SERVICE_QOS
from hrdf_ros.node.settings import Settings
from hrdf_ros.node.tf_publisher import transform_message
from hrdf_ros.node.tf_stream import Live
from hrdf_ros.readers.registry import format_names
from hrdf_ros.resolve import is_text
from hrdf_ros_interfaces import msg, srv
from rclpy.callback_groups import MutuallyExclusiveCallbackGroup

_SEVERITIES = {
    'error': msg.Diagnostic.ERROR, 'warning': msg.Diagnostic.WARNING, 'info': msg.Diagnostic.INFO}
_LONGEST_PATTERN = 1000
_TARGETS = ('urdf', 'sdf', 'dot')


class Services:
    """
    Answers from the live robot.

    Lookups have a thread of their own, and the two services that may read files a callback group,
    so that a long conversion does not keep the others waiting.
    """

    def __init__(
        self, node: Any, live: Callable[[], Optional[Live]], settings: Callable[[], Settings],
        foreign: Foreign,
    ) -> None:
        self._node = node
        self._live = live
        self._settings = settings
        self._foreign = foreign
        quick, slow = MutuallyExclusiveCallbackGroup(), MutuallyExclusiveCallbackGroup()
        for name, kind, callback, group in (
            ('list_frames', srv.ListFrames, self.list_frames, quick),
            ('validate', srv.Validate, self.validate, slow),
            ('convert', srv.Convert, self.convert, slow),
        ):
            node.create_service(
                kind, f'~/{name}', guarded(callback, node, _refuse), qos_profile=SERVICE_QOS,
                callback_group=group)
        self._lookups = HotServices(
            node, ((srv.LookupFrame, '~/lookup_frame', guarded(
                self.lookup_frame, node, _refuse)),), SERVICE_QOS)

    def end(self) -> None:
        """Stop the thread of the lookups."""
        self._lookups.end()

    def lookup_frame(
        self, request: srv.LookupFrame.Request, response: srv.LookupFrame.Response,
    ) -> srv.LookupFrame.Response:
        """Answer where a frame is."""
        try:
            live = self._require_live()
            answer = lookup(live, _question(request), self._foreign)
        except NoAnswer as reason:
            response.success = False
            response.message = shortened(str(reason))
            return response
        stamp = answer.stamp or self._node.get_clock().now().nanoseconds
        response.success = True
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
            response.frames = [
                info for info in _frame_infos(live.robot)
                if (not request.kinds or info.kind in request.kinds)
                and _matches(info, request.pattern)]
        return response

    def validate(
        self, request: srv.Validate.Request, response: srv.Validate.Response,
    ) -> srv.Validate.Response:
        """Check a file, a text, or what is loaded."""
        report = self._read(request).report
        response.ok = report.ok
        response.diagnostics = [diagnostic_message(found) for found in report]
        return response

    def convert(
        self, request: srv.Convert.Request, response: srv.Convert.Response,
    ) -> srv.Convert.Response:
        """Write a file, a text, or what is loaded, in another format."""
        target = request.target or 'urdf'
        if target not in _TARGETS:
            response.message = shortened(
                f"the target '{target}' is none of {', '.join(_TARGETS)}")
            return response
        loaded = self._read(request)
        findings = list(loaded.report)
        if loaded.model is not None:
            response.text, written = getattr(hrdf_ros, f'write_{target}')(loaded.model)
            findings += written
        response.success = loaded.model is not None
        response.message = '' if response.success else shortened(_first_error(loaded.report))
        response.diagnostics = [diagnostic_message(found) for found in findings]
        return response

    def _require_live(self) -> Live:
        live = self._live()
        if live is None:
            raise NoAnswer('no robot is loaded')
        return live

    def _read(self, request: Any) -> LoadResult:
        """Load what a request names, reading only below the allowed roots."""
        settings = self._settings()
        if request.format and request.format not in format_names():
            return _refused(
                f"the format '{request.format}' is none of {', '.join(format_names())}")
        if request.path and request.text:
            return _refused('give a path or a text, not both')
        if not request.path and not request.text:
            live = self._live()
            if live is None:
                return _refused('no robot is loaded')
            return LoadResult(live.robot.described, live.robot.report, live.robot.files)
        if request.text and not is_text(request.text):
            return _refused('the text does not begin with <')
        return load(
            request.path or request.text, path=settings.path,
            packages=settings.package_directories, roots=read_roots(settings),
            format=request.format or None, limits=settings.bounds)


def _refuse(sentence: str, request: Any, response: Any) -> Any:
    """Return a response that says no more than why there is none."""
    refusal = refused(sentence, request, response)
    if hasattr(refusal, 'diagnostics'):
        refusal.diagnostics = [diagnostic_message(found) for found in _refused(sentence).report]
    return refusal


def _refused(message: str) -> LoadResult:
    report = Report()
    report.add(codes.REQUEST_REFUSED, message)
    return LoadResult(None, report, ())


def _first_error(report: Report) -> str:
    return next((found.message for found in report if found.severity == 'error'), '')


def _question(request: srv.LookupFrame.Request) -> Question:
    state = request.joint_state
    if len(state.name) != len(state.position):
        raise NoAnswer(
            f'the joint state has {len(state.name)} names but {len(state.position)} positions')
    stamp = request.stamp.sec * 1_000_000_000 + request.stamp.nanosec
    if stamp < 0:
        raise NoAnswer('the stamp is negative')
    return Question(
        request.frame, request.relative_to, stamp, dict(zip(state.name, state.position)) or None)


def _time(nanoseconds: int) -> Time:
    seconds, rest = divmod(nanoseconds, 1_000_000_000)
    return Time(sec=seconds, nanosec=rest)


def _matches(info: msg.FrameInfo, pattern: str) -> bool:
    names = (info.name, info.source_name, info.tag)
    return not pattern or any(name and fnmatchcase(name, pattern) for name in names)


def _frame_infos(robot: Robot) -> list[msg.FrameInfo]:
    """Describe every frame, with the prefix and the place in its file."""
    infos = []
    for frame, parent in zip(robot.model.frames, robot.parents):
        at = frame.location.resolve() if frame.location is not None else Location('')
        infos.append(msg.FrameInfo(
            name=robot.prefix + frame.name, source_name=frame.source_name, kind=frame.kind,
            tag=frame.tag, body=robot.prefix + robot.model.bodies[frame.body].name,
            parent=robot.prefix + parent if parent else '', file=at.file, line=at.line or 0))
    return infos


def diagnostic_message(found: Diagnostic) -> msg.Diagnostic:
    """Return a finding as a message; what is unknown is 0 or empty."""
    at = found.resolve() or Location('')
    return msg.Diagnostic(
        severity=_SEVERITIES[found.severity], code=found.code, message=shortened(found.message),
        hint=found.hint or '', reference=found.reference or '', file=at.file, line=at.line or 0,
        column=at.column or 0,
        included_from=[f'{point.file}:{point.line}:{point.column}' for point in at.included_from])
