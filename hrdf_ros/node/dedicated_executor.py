# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Subscriptions and services that are served by a thread and wait set of their own.

An executor builds a new wait set of everything the node has for each message, which costs more
than the message. The wait set is what rclpy's executors use, but no public interface; where it
is missing the ordinary executor serves them instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
import threading
from typing import Any, NamedTuple

from rclpy.callback_groups import CallbackGroup, MutuallyExclusiveCallbackGroup

try:
    from rclpy.impl.implementation_singleton import rclpy_implementation
    WaitSet = rclpy_implementation.WaitSet
except (ImportError, AttributeError):
    WaitSet = None

_CHECK_INTERVAL = 500_000_000
"""How often the thread looks whether it shall end, in nanoseconds."""


class Topic(NamedTuple):
    """What to subscribe to; ``raw`` hands over serialized bytes instead of a message."""

    message_type: Any
    name: str
    callback: Callable[[Any], None]
    raw: bool = False


class _OwnThreadGroup(CallbackGroup):
    """Keeps executors away from what its own thread serves."""

    def can_execute(self, entity: Any) -> bool:
        return False

    def beginning_execution(self, entity: Any) -> bool:
        return False

    def ending_execution(self, entity: Any) -> None:
        pass


class _Served(NamedTuple):
    """Something that a thread waits for; ``serve`` takes what waits, False where nothing does."""

    handle: Any
    serve: Callable[[], bool]


class _OwnThread:
    """Waits for entities of one kind and serves them, one message or request at a time."""

    kind: str
    """What wait sets call such entities."""

    def __init__(self, node: Any) -> None:
        self._node = node
        self._context = node.context
        self._logger = node.get_logger()
        self.has_own_thread = WaitSet is not None
        self._group = (
            _OwnThreadGroup() if self.has_own_thread else MutuallyExclusiveCallbackGroup())
        self._served: list[_Served] = []
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name=self.kind, daemon=True)

    def _start(self) -> None:
        if self.has_own_thread:
            self._context.on_shutdown(self._ended.set)
            self._thread.start()

    def _guarded(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that outlives whatever a message provokes, False where it raised."""
        def guarded(*arguments: Any) -> Any:
            try:
                return call(*arguments)
            except Exception as error:  # noqa: BLE001 - the thread must go on with the next one
                self._logger.error(
                    f'a message on {name} could not be used: {error!r}',
                    throttle_duration_sec=10.0)
                return False
        return guarded

    def _run(self) -> None:
        with ExitStack() as kept:
            for handle in (*(served.handle for served in self._served), self._context.handle):
                kept.enter_context(handle)
            wait_set = self._wait_set()
            add = getattr(wait_set, f'add_{self.kind}')
            while not self._ended.is_set():
                wait_set.clear_entities()
                for served in self._served:
                    add(served.handle)
                wait_set.wait(_CHECK_INTERVAL)
                for served in self._served:
                    self._serve_all(served)

    def _wait_set(self) -> Any:
        count = len(self._served)
        is_service = self.kind == 'service'
        return WaitSet(
            0 if is_service else count, 0, 0, 0, count if is_service else 0, 0,
            self._context.handle)

    def _serve_all(self, served: _Served) -> None:
        """Serve everything that waits, so that bursts cost one wake-up."""
        while not self._ended.is_set() and served.serve():
            pass

    def end(self) -> None:
        """Stop the thread and wait for it."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join(timeout=2.0)


class HotSubscriptions(_OwnThread):
    """Calls back for each message of some topics."""

    kind = 'subscription'

    def __init__(self, node: Any, topics: Sequence[Topic], qos: Any, **options: Any) -> None:
        super().__init__(node)
        for topic in topics:
            handle = node.create_subscription(
                topic.message_type, topic.name, self._guarded(topic.name, topic.callback), qos,
                raw=topic.raw, callback_group=self._group, **options).handle
            self._served.append(_Served(
                handle, self._guarded(topic.name, _taker(topic, handle.take_message))))
        self._start()


def _taker(topic: Topic, take: Callable[[Any, bool], Any]) -> Callable[[], bool]:
    def serve() -> bool:
        taken = take(topic.message_type, topic.raw)
        if taken is None:
            return False
        topic.callback(taken[0])
        return True
    return serve


class HotServices(_OwnThread):
    """Answers the requests of some services: type, name and callback each."""

    kind = 'service'

    def __init__(
        self, node: Any, services: Sequence[tuple[Any, str, Callable[..., Any]]], qos: Any,
    ) -> None:
        super().__init__(node)
        for kind, name, callback in services:
            service = node.create_service(
                kind, name, callback, qos_profile=qos, callback_group=self._group)
            self._served.append(_Served(
                service.handle, self._guarded(name, _answerer(kind, service, callback))))
        self._start()


def _answerer(kind: Any, service: Any, callback: Callable[..., Any]) -> Callable[[], bool]:
    def serve() -> bool:
        request, header = service.handle.service_take_request(kind.Request)
        if request is None:
            return False
        service.send_response(callback(request, kind.Response()), header)
        return True
    return serve
