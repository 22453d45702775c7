# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A running node in the process of the test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
import threading

from hrdf_ros.node.node import HrdfNode
import rclpy
from rclpy.executors import MultiThreadedExecutor
from rclpy.parameter import Parameter


@contextmanager
def running_node(domain: int, model: Path) -> Iterator[HrdfNode]:
    """Run a node of a robot in an ordinary executor until the end of the context."""
    context = rclpy.Context()
    rclpy.init(context=context, domain_id=domain)
    node = HrdfNode(context=context, parameter_overrides=[Parameter('model', value=str(model))])
    executor = MultiThreadedExecutor(2, context=context)
    executor.add_node(node)
    thread = threading.Thread(target=executor.spin)
    thread.start()
    yield node
    executor.shutdown()
    thread.join(10.0)
    node.destroy_node()
    rclpy.shutdown(context=context)
