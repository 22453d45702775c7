# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Timers, services and callbacks that log exceptions: no message or request may end the node."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Optional

from rclpy.callback_groups import CallbackGroup, MutuallyExclusiveCallbackGroup
from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile
from rclpy.timer import Timer

LATCHED_QOS = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
"""The QoS of a topic whose last message is sent to late subscriptions, too."""
SERVICE_QOS = QoSProfile(depth=1000)
"""The QoS of services, with a queue for requests that arrive faster than they are answered."""


def safe_callback(
    callback: Callable[..., Any], node: Node, refuse: Optional[Callable[..., Any]] = None,
) -> Callable[..., Any]:
    """
    Return a callback that logs exceptions.

    After an exception ``refuse`` is called with a sentence and the callback's arguments, and the
    result of ``refuse`` is returned. Exceptions during shutdown are not caught, since there is
    no one to answer.
    """
    @wraps(callback)
    def call(*arguments: Any) -> Any:
        try:
            return callback(*arguments)
        except Exception as error:
            if not node.context.ok():
                raise
            sentence = f'{callback.__name__.strip("_")} failed unexpectedly: {error!r}'
            node.get_logger().error(sentence, throttle_duration_sec=1.0)
            return None if refuse is None else refuse(sentence, *arguments)
    return call


def create_timer(
    node: Node, seconds: float, callback: Callable[[], None],
    group: Optional[CallbackGroup] = None,
) -> Timer:
    """Return a timer that runs in real time, by default in a callback group of its own."""
    return node.create_timer(
        seconds, safe_callback(callback, node), group or MutuallyExclusiveCallbackGroup(),
        clock=Clock(clock_type=ClockType.STEADY_TIME))


def create_service(
    node: Node, kind: Any, name: str, callback: Callable[[Any, Any], Any],
    refuse: Callable[[str, Any, Any], Any], group: Optional[CallbackGroup] = None,
) -> None:
    """Offer a service; if the callback fails, ``refuse`` answers."""
    node.create_service(
        kind, name, safe_callback(callback, node, refuse), qos_profile=SERVICE_QOS,
        callback_group=group or MutuallyExclusiveCallbackGroup())


def refused(sentence: str, _: Any, response: Any) -> Any:
    """Return an empty response; its field ``message``, if there is one, has the sentence."""
    refusal = type(response)()
    if hasattr(refusal, 'message'):
        refusal.message = sentence
    return refusal
