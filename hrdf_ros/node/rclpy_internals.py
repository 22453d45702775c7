# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
All that the node takes from rclpy without its documentation: wait sets, and given parameters.

Where a version of rclpy does not have them (Lyrical has moved parts of Node), the ordinary
executor serves the topics, at a higher price, and unknown parameters are not reported.
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
"""Nanoseconds without a message after which the thread rests."""
_FOREVER = -1
_STEP = 0.005
"""Seconds between calls of ``go_on`` by an ordinary executor."""
_OF_WAIT_SETS = ('add_guard_condition', 'add_subscription', 'clear_entities', 'is_ready', 'wait')


def given_parameters(node: Node) -> Mapping[str, object]:
    """Return the parameters that a node was given, none where rclpy does not reveal them."""
    found = getattr(node, '_parameter_overrides', {})
    return found if isinstance(found, Mapping) else {}


class TopicServer(Protocol):
    """Serves a topic until it is stopped."""

    def stop(self) -> None:
        """Let it stop."""

    def end(self) -> None:
        """Stop it and wait for that."""


def serve_topic(
    node: Node, message_type: Any, topic: str, callback: Callable[[bytes], None],
    go_on: Callable[[], bool] = bool, **options: Any,
) -> TopicServer:
    """Call back with the serialized messages of a topic, on a thread of its own if possible."""
    try:
        return DedicatedExecutor(node, message_type, topic, callback, go_on, **options)
    except _Missing as missing:
        node.get_logger().warning(
            f'{topic} is served by the ordinary executor, which takes more CPU time: this rclpy '
            f'has no {missing}')
    return _OrdinarySubscription(node, message_type, topic, callback, go_on, **options)


class _Missing(Exception):
    """Something that this rclpy does not have; the message is its name."""


class _Internals(NamedTuple):
    """The undocumented parts of rclpy that the dedicated executor uses."""

    WaitSet: Any
    GuardCondition: Any


def _internals(node: Node) -> _Internals:
    """Return what a dedicated executor takes from rclpy; raise _Missing without it."""
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
    """Keeps ordinary executors away from the subscription of a dedicated thread."""

    def can_execute(self, entity: Any) -> bool:
        return False

    def beginning_execution(self, entity: Any) -> bool:
        return False

    def ending_execution(self, entity: Any) -> None:
        pass


class DedicatedExecutor:
    """
    Calls back with the serialized messages of one topic, on a thread.

    ``go_on`` is called again and again while it returns True and no message waits. Creating it
    raises _Missing where rclpy does not have what it takes.

    An ordinary executor builds a new wait set of everything the node has for each message, which
    costs more than the message (half of the CPU time at 30 joints and 500 Hz). The wait set is
    the one that rclpy's executors use.
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
        # Absurd positions overflow: the results are checked, for each message once.
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

        An entity that was ready stays in its wait set, which saves filling it for each message.
        One that was not is removed, and waiting on such a set crashes the process, even if a
        message arrives just after the timeout.
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
        """Let the thread stop."""
        self._ended.set()
        self._wake.trigger()

    def end(self) -> None:
        """Stop the thread and wait for it."""
        self.stop()
        self._thread.join(timeout=2.0)


class _OrdinarySubscription:
    """
    Calls back with the serialized messages of one topic, by the executor of the node.

    ``go_on`` is called by a timer while it returns True.
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
        """Do nothing: the executor of the node stops."""

    def end(self) -> None:
        """Do nothing: the executor of the node has stopped."""
