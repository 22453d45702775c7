# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The facts about a running system for ``hrdf doctor``: its endpoints, and what they send."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence
from functools import partial
from math import inf, isfinite
import time
from typing import Any, Optional, Union

from builtin_interfaces.msg import Time
from hrdf_ros.doctor import (
    DescriptionFact,
    Facts,
    JointFact,
    JointStateFact,
    Stamp,
    TransformFact,
)
from hrdf_ros.doctor.case import DESCRIPTION, JOINT_STATES, JOINT_TOPIC
from hrdf_ros.limits import HEARD_CHARACTERS, HEARD_RECORD
from hrdf_ros.node.callbacks import LATCHED_QOS
from hrdf_ros.node.cdr import SECOND
from hrdf_ros.node.endpoints import endpoints_of, full_name
from hrdf_ros.node.running import RunningSystem
from hrdf_ros.node.tf2 import pose_of, refusal_of
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

_TOPICS = ('/tf', '/tf_static', '/clock')
_ANY = QoSProfile(depth=1000, reliability=ReliabilityPolicy.BEST_EFFORT)
"""The QoS that receives from every publisher, reliable or best effort."""
_LATCHED = QoSProfile(
    depth=1000, durability=DurabilityPolicy.TRANSIENT_LOCAL,
    reliability=ReliabilityPolicy.RELIABLE)
"""The QoS that also receives messages that were published before the subscription."""
_PERIOD = 0.1
"""The time in seconds between two searches for new topics."""
_BACK = 1.0
"""The time in seconds by which a stamp may go back, since several publishers take turns."""


def examine(seconds: float, ros_arguments: Sequence[str]) -> Facts:
    """Return the facts about a running system that show within some seconds."""
    with RunningSystem('hrdf_doctor', ros_arguments) as system:
        examination = Examination(system)
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0.0:
            examination.listen()
            system.wait(min(left, _PERIOD))
        return examination.facts(seconds)


class Examination:
    """Listens to a system: keeps the newest message of each kind, and the faults of all."""

    def __init__(self, system: RunningSystem) -> None:
        self._node = system.node
        self._heard: set[str] = set()
        self._clock: Optional[float] = None
        self._descriptions: dict[str, DescriptionFact] = {}
        self._joint_states: dict[str, JointStateFact] = {}
        self._transforms: dict[tuple[str, str, bool], TransformFact] = {}
        self._refused: dict[str, str] = {}
        self._room = HEARD_CHARACTERS
        self._numbers: dict[tuple[object, ...], int] = {}
        """The sequence number of the last message about each joint or transform."""
        subscribe = self._node.create_subscription
        subscribe(TFMessage, '/tf', partial(self._on_transforms, False), _ANY)
        subscribe(TFMessage, '/tf_static', partial(self._on_transforms, True), _LATCHED)
        subscribe(Clock, '/clock', self._on_clock, _ANY)

    def listen(self) -> None:
        """Listen to new topics of descriptions and joint states."""
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
        own = full_name(self._node.get_name(), self._node.get_namespace())
        by_name = {  # of whatever type, even if nobody could hear them
            topic for topic, _ in self._node.get_topic_names_and_types()
            if topic.rpartition('/')[2] == JOINT_TOPIC}
        endpoints = endpoints_of(self._node, sorted({*self._heard, *by_name, *_TOPICS}))
        return Facts(
            seconds=seconds, endpoints=tuple(each for each in endpoints if each.node != own),
            descriptions=tuple(self._descriptions.values()),
            joint_states=tuple(self._joint_states.values()),
            transforms=tuple(self._transforms.values()), refused=tuple(self._refused.items()))

    def _on_clock(self, message: Clock) -> None:
        self._clock = _seconds(message.clock)

    def _on_description(self, topic: str, message: String) -> None:
        self._descriptions[topic] = DescriptionFact(topic, message.data)

    def _on_joint_state(self, topic: str, message: JointState, info: Any) -> None:
        before, stamp = self._joint_states.get(topic), self._stamp(message.header.stamp, info)
        number = info.get('publication_sequence_number')
        joints = dict(before.joints) if before is not None else {}
        repeated = {name for name, count in Counter(message.name).items() if count > 1}
        for name, position in zip(message.name, message.position):
            if not self._has_room(joints, name):
                continue
            is_shared = self._is_from_another((topic, name), number)
            joints[name] = _joined(joints.get(name), position, name in repeated, is_shared)
        faults = before or JointStateFact(topic, {}, stamp, first=stamp, received=0)
        self._joint_states[topic] = faults._replace(
            joints=joints, stamp=stamp, received=faults.received + 1,
            is_uneven=faults.is_uneven or bool(message.position) and len(
                message.position) != len(message.name),
            is_empty=faults.is_empty or bool(message.name) and not message.position,
            went_back=faults.went_back or stamp.seconds < faults.stamp.seconds - _BACK)

    def _on_transforms(self, is_static: bool, message: TFMessage, info: Any) -> None:
        number = info.get('publication_sequence_number')
        for each in message.transforms:
            parent, child = each.header.frame_id.lstrip('/'), each.child_frame_id.lstrip('/')
            key = parent, child, is_static
            if reason := refusal_of(parent, child, each.transform):
                if self._has_room(self._refused, child):
                    self._refused[child] = reason
                continue
            if not self._has_room(self._transforms, key):
                continue
            before = self._transforms.get(key)
            is_shared = self._is_from_another(key, number) or (
                before is not None and before.is_shared)
            self._transforms[key] = TransformFact(
                parent, child, pose_of(each.transform), is_static,
                self._stamp(each.header.stamp, info), is_shared)

    def _has_room(self, known: Container[Any], key: Union[str, tuple[object, ...]]) -> bool:
        """Return whether a name is known, or may be kept besides the others."""
        if key in known:
            return True
        names = (key,) if isinstance(key, str) else key
        self._room -= HEARD_RECORD + sum(len(str(each)) for each in names)
        return self._room > 0

    def _is_from_another(self, key: tuple[object, ...], number: Optional[int]) -> bool:
        """Return whether a message is from another publisher than the last one with this key."""
        last = self._numbers.get(key)
        if number is None:
            return False
        self._numbers[key] = number
        return last is not None and number <= last

    def _stamp(self, stamp: Time, info: Any) -> Stamp:
        """
        Return the age of a stamp at the arrival of its message.

        Messages wait while others are read, and are no older for that. Middleware that does not
        note the arrival has 0 for it.
        """
        seconds = _seconds(stamp)
        arrived = info.get('received_timestamp', 0) / SECOND or time.time()
        return Stamp(
            seconds, arrived - seconds,
            None if self._clock is None else self._clock - seconds)


def _joined(
    before: Optional[JointFact], position: float, is_repeated: bool, is_shared: bool,
) -> JointFact:
    """Return what is known about a joint after one more position."""
    if isfinite(position):
        low = high = position
    else:
        low, high = inf, -inf
    if before is None:
        return JointFact(low, high, isfinite(position), is_repeated, is_shared)
    return JointFact(
        min(low, before.low), max(high, before.high), before.is_finite and isfinite(position),
        before.is_repeated or is_repeated, before.is_shared or is_shared)


def _seconds(stamp: Time) -> float:
    return stamp.sec + stamp.nanosec / SECOND
