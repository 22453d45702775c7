# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Callbacks that answer whatever happens in them: one bad request must not end the node."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from rclpy.qos import QoSProfile

SERVICE_QOS = QoSProfile(depth=1000)
"""That of services, with room for requests that come faster than they are answered."""


def guarded(
    callback: Callable[..., Any], node: Any, refuse: Callable[..., Any],
) -> Callable[..., Any]:
    """
    Return the callback with a way out: an exception is logged and refused with a sentence.

    ``refuse`` gets the sentence and the callback's arguments, and returns in its place. While the
    node is being shut down exceptions pass: nobody waits for an answer.
    """
    @wraps(callback)
    def call(*arguments: Any) -> Any:
        try:
            return callback(*arguments)
        except Exception as error:
            if not node.context.ok():
                raise
            sentence = f'{callback.__name__.strip("_")} failed unexpectedly: {error!r}'
            node.get_logger().error(sentence)
            return refuse(sentence, *arguments)
    return call


def refused(sentence: str, _: Any, response: Any) -> Any:
    """Return a response that carries a sentence: as its message, or as its one finding."""
    refusal = type(response)()
    if hasattr(refusal, 'message'):
        refusal.message = sentence
    return refusal
