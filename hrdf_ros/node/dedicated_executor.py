# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Subscriptions that are served by a thread and wait set of their own.

An ordinary executor builds a new wait set of everything the node has for each message, which
costs more than the message. The wait set is what rclpy's executors use, but no public interface;
where it is missing the ordinary executor serves the subscriptions.

Services stay with the ordinary executor: benchmark/services.py has measured a lookup of 1.2 ms
there (median; 2.2 ms under joint states at 2,000 Hz, the longest 16 ms) beside 0.7 to 1.1 ms
(1.3 ms, 2.6 ms) on a wait set of its own, and 1.1 ms beside 0.5 to 0.8 ms of CPU time. That is
no reason to use a private interface.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
import threading
from typing import Any, NamedTuple

from hrdf_ros.node.safe_callback import safe_callback
from rclpy.callback_groups import CallbackGroup, MutuallyExclusiveCallbackGroup
from rclpy.node import Node
from rclpy.qos import QoSProfile

try:
    from rclpy.impl.implementation_singleton import rclpy_implementation
    WaitSet: Any = rclpy_implementation.WaitSet
except (ImportError, AttributeError):
    WaitSet = None

_CHECK_INTERVAL = 500_000_000
"""How often the thread looks whether it shall end, in nanoseconds."""


class Topic(NamedTuple):
    """What to subscribe to; with ``raw`` the callback gets serialized bytes, not a message."""

    message_type: Any
    name: str
    callback: Callable[[Any], None]
    raw: bool = False


class _DedicatedGroup(CallbackGroup):
    """Keeps ordinary executors away from what the dedicated thread serves."""

    def can_execute(self, entity: Any) -> bool:
        return False

    def beginning_execution(self, entity: Any) -> bool:
        return False

    def ending_execution(self, entity: Any) -> None:
        pass


class _Served(NamedTuple):
    """A subscription's handle and what takes and serves one message, False where none waits."""

    handle: Any
    serve: Callable[[], bool]


class DedicatedExecutor:
    """Calls back for each message of some topics, on one thread."""

    def __init__(
        self, node: Node, topics: Sequence[Topic], qos: QoSProfile, **options: Any,
    ) -> None:
        self._context = node.context
        self._ended = threading.Event()
        self._served: list[_Served] = []
        self._thread = threading.Thread(target=self._run, name='joint_states', daemon=True)
        group = MutuallyExclusiveCallbackGroup() if WaitSet is None else _DedicatedGroup()
        for topic in topics:
            callback = safe_callback(topic.callback, node)
            handle = node.create_subscription(
                topic.message_type, topic.name, callback, qos, raw=topic.raw,
                callback_group=group, **options).handle
            self._served.append(_Served(
                handle, safe_callback(_taker(topic, callback, handle.take_message), node)))
        if WaitSet is not None:
            self._context.on_shutdown(self._ended.set)
            self._thread.start()

    def _run(self) -> None:
        with ExitStack() as kept:
            for handle in (*(served.handle for served in self._served), self._context.handle):
                kept.enter_context(handle)
            wait_set = WaitSet(len(self._served), 0, 0, 0, 0, 0, self._context.handle)
            while not self._ended.is_set():
                wait_set.clear_entities()
                for served in self._served:
                    wait_set.add_subscription(served.handle)
                wait_set.wait(_CHECK_INTERVAL)
                for served in self._served:
                    self._serve_all(served)

    def _serve_all(self, served: _Served) -> None:
        """Serve everything that waits, so that bursts cost one wake-up."""
        while not self._ended.is_set() and served.serve():
            pass

    def end(self) -> None:
        """Stop the thread and wait for it."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join(timeout=2.0)


def _taker(
    topic: Topic, callback: Callable[[Any], None], take: Callable[[Any, bool], Any],
) -> Callable[[], bool]:
    def serve() -> bool:
        taken = take(topic.message_type, topic.raw)
        if taken is None:
            return False
        callback(taken[0])
        return True
    return serve
