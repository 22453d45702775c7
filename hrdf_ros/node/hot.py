# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Subscriptions that are served by a thread and wait set of their own.

An executor builds a new wait set of everything the node has for each message, which costs more
than the message. The wait set is what rclpy's executors use, but no public interface; where it
is missing the ordinary executor serves the subscriptions instead.
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


class HotSubscriptions:
    """Calls back for each message of some topics, one at a time."""

    def __init__(self, node: Any, topics: Sequence[Topic], qos: Any, **options: Any) -> None:
        self._context = node.context
        self._logger = node.get_logger()
        self.has_own_thread = WaitSet is not None
        group = _OwnThreadGroup() if self.has_own_thread else MutuallyExclusiveCallbackGroup()
        self._served = [
            (topic, node.create_subscription(
                topic.message_type, topic.name, self._guarded(topic), qos, raw=topic.raw,
                callback_group=group, **options))
            for topic in topics]
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name='joint states', daemon=True)
        if self.has_own_thread:
            self._thread.start()

    def _guarded(self, topic: Topic) -> Callable[[Any], None]:
        """Return the callback that outlives whatever a message provokes."""
        def call(message: Any) -> None:
            try:
                topic.callback(message)
            except Exception as error:  # noqa: BLE001 - the thread must go on with the next one
                self._logger.error(
                    f'a message on {topic.name} could not be used: {error!r}',
                    throttle_duration_sec=10.0)
        return call

    def _run(self) -> None:
        handles = [subscription.handle for _, subscription in self._served]
        with ExitStack() as kept:
            for handle in (*handles, self._context.handle):
                kept.enter_context(handle)
            wait_set = WaitSet(len(handles), 0, 0, 0, 0, 0, self._context.handle)
            while self._context.ok() and not self._ended.is_set():
                wait_set.clear_entities()
                for handle in handles:
                    wait_set.add_subscription(handle)
                wait_set.wait(_CHECK_INTERVAL)
                for index, (topic, subscription) in enumerate(self._served):
                    if wait_set.is_ready('subscription', index):
                        self._take_all(topic, subscription)

    def _take_all(self, topic: Topic, subscription: Any) -> None:
        """Hand over every message that waits, so that bursts cost one wake-up."""
        take = subscription.handle.take_message
        while not self._ended.is_set():
            taken = take(topic.message_type, topic.raw)
            if taken is None:
                return
            subscription.callback(taken[0])

    def end(self) -> None:
        """Stop the thread and wait for it."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join(timeout=2.0)
