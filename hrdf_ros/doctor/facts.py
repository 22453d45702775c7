# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The facts of a running system, and a finding about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Optional

from hrdf_ros.pose import Pose


class Endpoint(NamedTuple):
    """A publisher or subscription of a node; ``node`` and ``topic`` are full names."""

    node: str
    topic: str
    type: str  # noqa: A003
    is_publisher: bool
    is_reliable: bool = True
    is_latched: bool = False
    """Whether the durability is transient local."""


class Stamp(NamedTuple):
    """
    The stamp of a message in seconds, and how old the message was when it arrived.

    ``age`` is by the clock of this machine, ``simulated_age`` by /clock, None where nobody
    publishes it.
    """

    seconds: float
    age: float
    simulated_age: Optional[float] = None


class DescriptionFact(NamedTuple):
    """The newest text of a topic ``robot_description``."""

    topic: str
    text: str


class JointStateFact(NamedTuple):
    """
    The messages of a topic of joint states.

    ``ranges`` has the lowest and the highest position of each joint. ``is_uneven`` says whether
    there was a message with another number of positions than of names.
    """

    topic: str
    ranges: Mapping[str, tuple[float, float]]
    stamp: Stamp
    is_uneven: bool = False


class TransformFact(NamedTuple):
    """
    The newest transform of a child in a parent; ``pose`` is parent_from_child.

    ``is_shared`` says whether several publishers sent it: the numbers that each gives to its
    messages did not grow from one to the next.
    """

    parent: str
    child: str
    pose: Pose
    is_static: bool
    stamp: Stamp
    is_shared: bool = False


class Facts(NamedTuple):
    """Everything that was seen of a running system in some seconds, without the own node."""

    seconds: float
    endpoints: tuple[Endpoint, ...] = ()
    descriptions: tuple[DescriptionFact, ...] = ()
    joint_states: tuple[JointStateFact, ...] = ()
    transforms: tuple[TransformFact, ...] = ()

    def nodes(self, topic: str, is_publisher: bool = True) -> list[str]:
        """Return the nodes that publish a topic, or subscribe to it."""
        return sorted({
            each.node for each in self.endpoints
            if each.topic == topic and each.is_publisher == is_publisher})

    def topics(self, kind: str) -> list[str]:
        """Return the topics of a type that somebody publishes."""
        return sorted({
            each.topic for each in self.endpoints if each.type == kind and each.is_publisher})


class Finding(NamedTuple):
    """
    Something that is wrong, why that matters, and the line that mends it.

    ``subjects`` are the names of joints, frames or topics; ``nodes`` are those that may cause it.
    """

    rule: str
    message: str
    why: str
    fix: str
    subjects: tuple[str, ...] = ()
    nodes: tuple[str, ...] = ()
