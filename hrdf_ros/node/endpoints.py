# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The publishers and subscriptions of a running system that a node knows."""

from __future__ import annotations

from collections.abc import Iterable

from hrdf_ros.doctor.facts import Endpoint
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, ReliabilityPolicy


def full_name(name: str, namespace: str) -> str:
    """Return the name of a node with its namespace, such as ``/left/hrdf_ros``."""
    return f'{namespace.rstrip("/")}/{name}'


def endpoints_of(node: Node, topics: Iterable[str]) -> list[Endpoint]:
    """Return the publishers and subscriptions of topics, including those of the node itself."""
    return [
        Endpoint(
            full_name(each.node_name, each.node_namespace), topic, each.topic_type,
            is_publisher, each.qos_profile.reliability != ReliabilityPolicy.BEST_EFFORT,
            each.qos_profile.durability == DurabilityPolicy.TRANSIENT_LOCAL)
        for topic in topics
        for is_publisher, found in (
            (True, node.get_publishers_info_by_topic(topic)),
            (False, node.get_subscriptions_info_by_topic(topic)))
        for each in found]
