# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The services that read what clients name or send: validate and convert."""

from __future__ import annotations

from collections.abc import Callable
import sys
import threading
from typing import Any, NamedTuple, Optional

from hrdf_ros.node.jobs import DiagnosticRecord, FileAnswer, FileJob, refuse
from hrdf_ros.node.safe_callback import safe_callback, SERVICE_QOS
from hrdf_ros.node.settings import Settings
from hrdf_ros.node.texts import one_line
from hrdf_ros.node.worker import Worker, WorkerError
from hrdf_ros_interfaces import msg, srv
from rclpy.callback_groups import CallbackGroup
from rclpy.node import Node

MAX_WAITING = 100
"""Requests that wait at a time, each on a thread of its own."""
_MAX_BYTES = 64 << 20
"""Bytes of the requests that wait, all together."""
_SEVERITIES = {
    'error': msg.Diagnostic.ERROR, 'warning': msg.Diagnostic.WARNING, 'info': msg.Diagnostic.INFO}


class Published(NamedTuple):
    """The node's settings and what it has loaded: a LoadResult, pickled and compressed."""

    settings: Settings = Settings()
    loaded: Optional[bytes] = None


class FileServices:
    """
    Answers validate and convert by a worker.

    A request blocks its thread until the worker has had its turn. Those for which there is no
    room in the queue are refused at once.
    """

    def __init__(
        self, node: Node, names: tuple[str, str], worker: Worker,
        published: Callable[[], Published], group: CallbackGroup,
    ) -> None:
        self._worker = worker
        self._published = published
        self._lock = threading.Lock()
        self._waiting = 0
        self._bytes = 0
        validate, convert = names
        node.create_service(
            srv.Validate, validate, safe_callback(self.validate, node, _refuse),
            qos_profile=SERVICE_QOS, callback_group=group)
        node.create_service(
            srv.Convert, convert, safe_callback(self.convert, node, _refuse),
            qos_profile=SERVICE_QOS, callback_group=group)

    def validate(
        self, request: srv.Validate.Request, response: srv.Validate.Response,
    ) -> srv.Validate.Response:
        """Check a file, a text, or what is loaded."""
        answer = self._answer(request, '')
        response.ok = answer.ok
        response.diagnostics = list(map(diagnostic_message, answer.diagnostics))
        return response

    def convert(
        self, request: srv.Convert.Request, response: srv.Convert.Response,
    ) -> srv.Convert.Response:
        """Write a file, a text, or what is loaded, in another format."""
        answer = self._answer(request, request.target or 'urdf')
        response.success = answer.ok
        response.message = answer.first_error
        response.text = answer.text
        response.diagnostics = list(map(diagnostic_message, answer.diagnostics))
        return response

    def _answer(self, request: Any, target: str) -> FileAnswer:
        size = sum(map(sys.getsizeof, (request.path, request.text, request.format, target)))
        if not self._enter(size):
            return refuse(
                f'too many requests are waiting: {MAX_WAITING}, or {_MAX_BYTES >> 20} MiB of text')
        try:
            settings, loaded = self._published()
            job = FileJob(
                settings=settings, path=request.path, text=request.text, format=request.format,
                target=target, loaded=None if request.path or request.text else loaded)
            answer = self._worker.run(job, settings.request_timeout)
            assert isinstance(answer, FileAnswer)
            return answer
        except WorkerError as error:
            return refuse(str(error))
        finally:
            self._leave(size)

    def _enter(self, size: int) -> bool:
        """Take a place in the queue, where there is one."""
        with self._lock:
            is_free = self._waiting < MAX_WAITING and self._bytes + size <= _MAX_BYTES
            if is_free:
                self._waiting += 1
                self._bytes += size
            return is_free

    def _leave(self, size: int) -> None:
        with self._lock:
            self._waiting -= 1
            self._bytes -= size


def _refuse(sentence: str, _: Any, response: Any) -> Any:
    """Return a response that says no more than why there is none."""
    refusal = type(response)()
    refusal.diagnostics = list(map(diagnostic_message, refuse(sentence).diagnostics))
    if hasattr(refusal, 'message'):
        refusal.message = one_line(sentence)
    return refusal


def diagnostic_message(found: DiagnosticRecord) -> msg.Diagnostic:
    """Return a diagnostic as a message."""
    return msg.Diagnostic(
        severity=_SEVERITIES[found.severity], code=found.code, message=found.message,
        hint=found.hint, reference=found.reference, file=found.file, line=found.line,
        column=found.column, included_from=list(found.included_from))
