# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The facts of a running system for ``hrdf doctor``: its endpoints, and what they send."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
import time
from typing import Any, Optional

from builtin_interfaces.msg import Time
from hrdf_ros.doctor import (
    DescriptionFact,
    Endpoint,
    Facts,
    JointStateFact,
    Stamp,
    TransformFact,
)
from hrdf_ros.doctor.case import DESCRIPTION, JOINT_STATES
from hrdf_ros.node.callbacks import LATCHED_QOS
from hrdf_ros.node.cdr import SECOND
from hrdf_ros.node.running import full_name, RunningSystem
from hrdf_ros.node.tf2 import pose_of
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

_TOPICS = ('/tf', '/tf_static', '/clock')
_ANY = QoSProfile(depth=1000, reliability=ReliabilityPolicy.BEST_EFFORT)
"""The QoS that receives from every publisher, reliable or not."""
_LATCHED = QoSProfile(
    depth=1000, durability=DurabilityPolicy.TRANSIENT_LOCAL,
    reliability=ReliabilityPolicy.RELIABLE)
_PERIOD = 0.5
"""Seconds between two looks for new topics."""


def examine(seconds: float, ros_arguments: Sequence[str]) -> Facts:
    """Return what a running system does in some seconds."""
    with RunningSystem('hrdf_doctor', ros_arguments) as system:
        examination = _Examination(system)
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0.0:
            examination.listen()
            system.wait(min(left, _PERIOD))
        return examination.facts(seconds)


class _Examination:
    """Everything heard so far: the newest message of each kind, and what was wrong in any."""

    def __init__(self, system: RunningSystem) -> None:
        self._node = system.node
        self._heard: set[str] = set()
        self._clock: Optional[float] = None
        self._descriptions: dict[str, DescriptionFact] = {}
        self._joint_states: dict[str, JointStateFact] = {}
        self._transforms: dict[tuple[str, str, bool], TransformFact] = {}
        self._numbers: dict[tuple[str, str, bool], int] = {}
        subscribe = self._node.create_subscription
        subscribe(TFMessage, '/tf', partial(self._on_transforms, False), _ANY)
        subscribe(TFMessage, '/tf_static', partial(self._on_transforms, True), _LATCHED)
        subscribe(Clock, '/clock', self._on_clock, _ANY)

    def listen(self) -> None:
        """Listen to the topics of descriptions and joint states that are new."""
        for topic, kinds in self._node.get_topic_names_and_types():
            if topic in self._heard:
                continue
            if JOINT_STATES in kinds:
                self._heard.add(topic)
                self._node.create_subscription(
                    JointState, topic, partial(self._on_joint_state, topic), _ANY)
            elif topic.rpartition('/')[2] == DESCRIPTION:
                self._heard.add(topic)
                self._node.create_subscription(
                    String, topic, partial(self._on_description, topic), LATCHED_QOS)

    def facts(self, seconds: float) -> Facts:
        """Return the facts."""
        own = full_name(self._node.get_name(), self._node.get_namespace())
        endpoints = [
            Endpoint(
                full_name(each.node_name, each.node_namespace), topic, each.topic_type,
                is_publisher, each.qos_profile.reliability != ReliabilityPolicy.BEST_EFFORT,
                each.qos_profile.durability == DurabilityPolicy.TRANSIENT_LOCAL)
            for topic in sorted({*self._heard, *_TOPICS})
            for is_publisher, found in (
                (True, self._node.get_publishers_info_by_topic(topic)),
                (False, self._node.get_subscriptions_info_by_topic(topic)))
            for each in found]
        return Facts(
            seconds=seconds, endpoints=tuple(each for each in endpoints if each.node != own),
            descriptions=tuple(self._descriptions.values()),
            joint_states=tuple(self._joint_states.values()),
            transforms=tuple(self._transforms.values()))

    def _on_clock(self, message: Clock) -> None:
        self._clock = _seconds(message.clock)

    def _on_description(self, topic: str, message: String) -> None:
        self._descriptions[topic] = DescriptionFact(topic, message.data)

    def _on_joint_state(self, topic: str, message: JointState) -> None:
        before = self._joint_states.get(topic)
        ranges = dict(before.ranges) if before is not None else {}
        for name, position in zip(message.name, message.position):
            low, high = ranges.get(name, (position, position))
            ranges[name] = min(position, low), max(position, high)
        is_uneven = before is not None and before.is_uneven or bool(
            message.position) and len(message.position) != len(message.name)
        self._joint_states[topic] = JointStateFact(
            topic, ranges, self._stamp(message.header.stamp), is_uneven)

    def _on_transforms(self, is_static: bool, message: TFMessage, info: Any) -> None:
        number = info.get('publication_sequence_number')
        for each in message.transforms:
            try:
                pose = pose_of(each.transform)
            except ValueError:
                continue  # not a rotation: tf2 ignores it as well
            key = each.header.frame_id.lstrip('/'), each.child_frame_id.lstrip('/'), is_static
            before, last = self._transforms.get(key), self._numbers.get(key)
            is_shared = before is not None and before.is_shared or (
                number is not None and last is not None and number <= last)
            if number is not None:
                self._numbers[key] = number
            self._transforms[key] = TransformFact(
                *key[:2], pose, is_static, self._stamp(each.header.stamp), is_shared)

    def _stamp(self, stamp: Time) -> Stamp:
        """Return how old a stamp is now, when its message arrives."""
        seconds = _seconds(stamp)
        return Stamp(
            seconds, time.time() - seconds,
            None if self._clock is None else self._clock - seconds)


def _seconds(stamp: Time) -> float:
    return stamp.sec + stamp.nanosec / SECOND
