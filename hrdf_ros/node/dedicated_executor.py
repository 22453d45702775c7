# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
A subscription that is served by a thread and wait set of its own.

An ordinary executor builds a new wait set of everything the node has for each message, which
costs more than the message. The wait set is what rclpy's executors use, but no public interface;
where it is missing the ordinary executor serves the subscription.

Services stay with the ordinary executor: benchmark/services.py has measured a lookup of 1.2 ms
there (median; 2.2 ms under joint states at 2,000 Hz, the longest 16 ms) beside 0.7 to 1.1 ms
(1.3 ms, 2.6 ms) on a wait set of its own, and 1.1 ms beside 0.5 to 0.8 ms of CPU time. That is
no reason to use a private interface.
"""

from __future__ import annotations

from collections.abc import Callable
import threading
from typing import Any, NamedTuple

from hrdf_ros.node.safe_callback import safe_callback
import numpy as np
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


def _nothing() -> bool:
    return False


class Topic(NamedTuple):
    """
    A topic, and the callback that gets its messages as serialized bytes.

    ``go_on`` is called again and again while it returns True and no message waits.
    """

    message_type: Any
    name: str
    callback: Callable[[bytes], None]
    go_on: Callable[[], bool] = _nothing


class _DedicatedGroup(CallbackGroup):
    """Keeps ordinary executors away from what the dedicated thread serves."""

    def can_execute(self, entity: Any) -> bool:
        return False

    def beginning_execution(self, entity: Any) -> bool:
        return False

    def ending_execution(self, entity: Any) -> None:
        pass


class DedicatedExecutor:
    """Calls back for each message of one topic, on a thread."""

    def __init__(self, node: Node, topic: Topic, qos: QoSProfile, **options: Any) -> None:
        self._context = node.context
        self._topic = topic
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name=topic.name, daemon=True)
        callback = safe_callback(topic.callback, node)
        group = MutuallyExclusiveCallbackGroup() if WaitSet is None else _DedicatedGroup()
        self._handle = node.create_subscription(
            topic.message_type, topic.name, callback, qos, raw=True, callback_group=group,
            **options).handle
        self._serve_safely = safe_callback(self._serve, node)
        if WaitSet is not None:
            self._context.on_shutdown(self._ended.set)
            self._thread.start()

    def _run(self) -> None:
        # Absurd positions overflow: the results are checked, for each message once.
        with self._handle, self._context.handle, np.errstate(over='ignore', invalid='ignore'):
            self._wait_and_serve()

    def _wait_and_serve(self) -> None:
        """Serve until the end, then destroy the wait set before its handles."""
        wait_set = WaitSet(1, 0, 0, 0, 0, 0, self._context.handle)
        while not self._ended.is_set():
            self._serve_safely(wait_set)

    def _serve(self, wait_set: Any) -> None:
        """
        Serve messages until none has come for a while.

        What was ready stays in the wait set, which saves filling it for each message. What was not
        is taken out of it, and to wait for that ends the process: a message may still be there, if
        it came a moment after the time was over.
        """
        message_type, _, callback, go_on = self._topic
        has_ended, wait, take = self._ended.is_set, wait_set.wait, self._handle.take_message
        is_ready = wait_set.is_ready
        wait_set.clear_entities()
        wait_set.add_subscription(self._handle)
        wait(0 if go_on() else _CHECK_INTERVAL)
        while is_ready('subscription', 0) and not has_ended() and (
                taken := take(message_type, True)) is not None:
            callback(taken[0])
            wait(0 if go_on() else _CHECK_INTERVAL)

    def end(self) -> None:
        """Stop the thread and wait for it."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join(timeout=2.0)
