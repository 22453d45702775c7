# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
All undocumented parts of rclpy that the node uses: wait sets, and the given parameters.

In a version of rclpy without these parts (Lyrical has moved some of Node), the ordinary executor
serves the topics with more CPU time, and unknown parameters are not reported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
import threading
from typing import Any, NamedTuple, Protocol

from hrdf_ros.node.callbacks import create_timer, safe_callback
import numpy as np
from rclpy.callback_groups import CallbackGroup, MutuallyExclusiveCallbackGroup
from rclpy.node import Node

_PAUSE = 100_000_000
"""
The time in nanoseconds without a message after which the thread waits in the other wait set,
which the end of the thread also wakes.
"""
_FOREVER = -1
"""The timeout of a wait set that waits until something happens."""
_STEP = 0.005
"""The time in seconds between two calls of ``go_on`` by an ordinary executor."""
_OF_WAIT_SETS = ('add_guard_condition', 'add_subscription', 'clear_entities', 'is_ready', 'wait')
"""The methods of wait sets that the dedicated executor calls."""


def given_parameters(node: Node) -> Mapping[str, object]:
    """Return the parameters that a node was given; none if rclpy does not reveal them."""
    found = getattr(node, '_parameter_overrides', {})
    return found if isinstance(found, Mapping) else {}


class TopicServer(Protocol):
    """Serves a topic until it is stopped."""

    def stop(self) -> None:
        """Tell the server to stop, and return before it has stopped."""

    def end(self) -> None:
        """Stop the server, and wait until it has stopped."""


def serve_topic(
    node: Node, message_type: Any, topic: str, callback: Callable[[bytes], None],
    go_on: Callable[[], bool] = bool, **options: Any,
) -> TopicServer:
    """
    Call ``callback`` with each serialized message of a topic.

    The calls are made in a thread of their own if rclpy allows that.
    """
    try:
        return DedicatedExecutor(node, message_type, topic, callback, go_on, **options)
    except _Missing as missing:
        node.get_logger().warning(
            f'{topic} is served by the ordinary executor, which takes more CPU time: this rclpy '
            f'has no {missing}')
    return _OrdinarySubscription(node, message_type, topic, callback, go_on, **options)


class _Missing(Exception):
    """This version of rclpy lacks a part; the message is the name of the part."""


class _Internals(NamedTuple):
    """The undocumented parts of rclpy that a dedicated executor uses."""

    WaitSet: Any
    GuardCondition: Any


def _internals(node: Node) -> _Internals:
    """Return the parts of rclpy that a dedicated executor uses; without one, raise _Missing."""
    found = []
    for module, *path in (
        ('rclpy.impl.implementation_singleton', 'rclpy_implementation', 'WaitSet'),
        ('rclpy.guard_condition', 'GuardCondition'),
        ('rclpy.impl.implementation_singleton', 'rclpy_implementation', 'Subscription',
         'take_message'),
    ):
        try:
            value: Any = import_module(module)
            for name in path:
                value = getattr(value, name)
        except (ImportError, AttributeError):
            raise _Missing('.'.join((module, *path))) from None
        found.append(value)
    internals = _Internals(*found[:2])
    for name in _OF_WAIT_SETS:
        if not hasattr(internals.WaitSet, name):
            raise _Missing(f'WaitSet.{name}')
    try:
        internals.WaitSet(1, 1, 0, 0, 0, 0, node.context.handle)
    except (AttributeError, TypeError):
        raise _Missing('WaitSet of seven arguments') from None
    return internals


class _DedicatedGroup(CallbackGroup):
    """A callback group that keeps ordinary executors away from a subscription."""

    def can_execute(self, entity: Any) -> bool:
        return False

    def beginning_execution(self, entity: Any) -> bool:
        return False

    def ending_execution(self, entity: Any) -> None:
        pass


class DedicatedExecutor:
    """
    Calls ``callback`` with each serialized message of one topic, in a thread.

    ``go_on`` is called repeatedly while it returns True and no message waits. _Missing is raised
    if rclpy lacks a necessary part.

    For each message an ordinary executor builds a new wait set of everything that the node has,
    which takes longer than the message (half of the CPU time for 30 joints at 500 Hz). The wait
    sets used here are those of rclpy's own executors.
    """

    def __init__(
        self, node: Node, message_type: Any, topic: str, callback: Callable[[bytes], None],
        go_on: Callable[[], bool] = bool, **options: Any,
    ) -> None:
        internals = _internals(node)
        self._new_wait_set = internals.WaitSet
        self._context = node.context
        self._message_type = message_type
        self._callback = callback
        self._go_on = go_on
        self._ended = threading.Event()
        self._wake = internals.GuardCondition(None, None, self._context)
        self._thread = threading.Thread(target=self._run, name=topic, daemon=True)
        self._serve_safely = safe_callback(self._serve, node)
        self._handle = node.create_subscription(
            message_type, topic, safe_callback(callback, node), raw=True,
            callback_group=_DedicatedGroup(), **options).handle
        self._context.on_shutdown(self.stop)
        self._thread.start()

    def _run(self) -> None:
        # Absurd positions overflow: the results are checked once for each message.
        with self._handle, self._context.handle, np.errstate(over='ignore', invalid='ignore'):
            self._wait_and_serve()

    def _wait_and_serve(self) -> None:
        """Serve until the end, then destroy the wait sets before their handles."""
        resting: Any = self._new_wait_set(1, 1, 0, 0, 0, 0, self._context.handle)
        busy: Any = self._new_wait_set(1, 0, 0, 0, 0, 0, self._context.handle)
        while not self._ended.is_set():
            self._serve_safely(resting, busy)

    def _serve(self, resting: Any, busy: Any) -> None:
        """
        Wait for a message or the end, then serve messages until none has come for a while.

        An entity that was ready stays in its wait set, so the set need not be filled again for
        each message. An entity that was not ready is removed, and waiting with such a set crashes
        the process, even if a message arrives just after the timeout.
        """
        message_type, callback, go_on = self._message_type, self._callback, self._go_on
        has_ended, wait, take = self._ended.is_set, busy.wait, self._handle.take_message
        is_ready = busy.is_ready
        resting.clear_entities()
        resting.add_subscription(self._handle)
        resting.add_guard_condition(self._wake.handle)
        resting.wait(0 if go_on() else _FOREVER)
        busy.clear_entities()
        busy.add_subscription(self._handle)
        is_served = resting.is_ready('subscription', 0)
        while is_served and not has_ended() and (taken := take(message_type, True)) is not None:
            callback(taken[0])
            wait(0 if go_on() else _PAUSE)
            is_served = is_ready('subscription', 0)

    def stop(self) -> None:
        """Tell the thread to stop, and return before it has stopped."""
        self._ended.set()
        self._wake.trigger()

    def end(self) -> None:
        """Stop the thread and wait for it."""
        self.stop()
        self._thread.join(timeout=2.0)


class _OrdinarySubscription:
    """
    Calls ``callback`` with each serialized message of one topic, in the node's executor.

    A timer calls ``go_on`` while it returns True.
    """

    def __init__(
        self, node: Node, message_type: Any, topic: str, callback: Callable[[bytes], None],
        go_on: Callable[[], bool], **options: Any,
    ) -> None:
        group = MutuallyExclusiveCallbackGroup()
        self._callback, self._go_on = callback, go_on
        self._timer = create_timer(node, _STEP, self._step, group)
        self._timer.cancel()
        node.create_subscription(
            message_type, topic, safe_callback(self._serve, node), raw=True, callback_group=group,
            **options)

    def _serve(self, data: bytes) -> None:
        with np.errstate(over='ignore', invalid='ignore'):
            self._callback(data)
        self._timer.reset()

    def _step(self) -> None:
        with np.errstate(over='ignore', invalid='ignore'):
            if not self._go_on():
                self._timer.cancel()

    def stop(self) -> None:
        """Do nothing: the node's executor stops."""

    def end(self) -> None:
        """Do nothing: the node's executor has stopped."""
