# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
A subscription that is served by a thread and wait set of its own.

An executor builds a new wait set of everything the node has for each message, which costs more
than the message. The wait set is what rclpy's executors use, but no public interface; where it
is missing the ordinary executor serves the subscription instead.
"""

from __future__ import annotations

from collections.abc import Callable
import threading
from typing import Any

from rclpy.callback_groups import CallbackGroup, MutuallyExclusiveCallbackGroup

try:
    from rclpy.impl.implementation_singleton import rclpy_implementation
    WaitSet = rclpy_implementation.WaitSet
except (ImportError, AttributeError):
    WaitSet = None

_CHECK_INTERVAL = 500_000_000
"""How often the thread looks whether it shall end, in nanoseconds."""


class _OwnThreadGroup(CallbackGroup):
    """Keeps executors away from what its own thread serves."""

    def can_execute(self, entity: Any) -> bool:
        return False

    def beginning_execution(self, entity: Any) -> bool:
        return False

    def ending_execution(self, entity: Any) -> None:
        pass


class HotSubscription:
    """Calls back with the serialized bytes of each message."""

    def __init__(
        self, node: Any, message_type: Any, topic: str, callback: Callable[[bytes], None],
        qos: Any, **options: Any,
    ) -> None:
        self._callback = callback
        self._logger = node.get_logger()
        self._context = node.context
        self.has_own_thread = WaitSet is not None
        group = _OwnThreadGroup() if self.has_own_thread else MutuallyExclusiveCallbackGroup()
        self._subscription = node.create_subscription(
            message_type, topic, callback, qos, raw=True, callback_group=group, **options)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f'{topic} reader', daemon=True)
        if self.has_own_thread:
            self._thread.start()

    def _run(self) -> None:
        subscription, context = self._subscription, self._context
        with subscription.handle, context.handle:
            wait_set = WaitSet(1, 0, 0, 0, 0, 0, context.handle)
            take = subscription.handle.take_message
            while context.ok() and not self._ended.is_set():
                wait_set.clear_entities()
                wait_set.add_subscription(subscription.handle)
                wait_set.wait(_CHECK_INTERVAL)
                self._take_all(take, subscription.msg_type)

    def _take_all(self, take: Callable[..., Any], message_type: Any) -> None:
        """Hand over every message that waits, so that bursts cost one wake-up."""
        while not self._ended.is_set():
            taken = take(message_type, True)
            if taken is None:
                return
            try:
                self._callback(taken[0])
            except Exception as error:  # noqa: BLE001 - it must outlive any message
                self._logger.error(f'a joint state could not be used: {error!r}', once=True)

    def end(self) -> None:
        """Stop the thread and wait for it."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join(timeout=2.0)
