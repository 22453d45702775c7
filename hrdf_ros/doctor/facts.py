# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The facts about a running system, and a finding about it."""

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
    The stamp of a message in seconds, and the age of the message when it arrived.

    ``age`` is by the clock of this machine. ``simulated_age`` is by /clock, None if nobody
    publishes that.
    """

    seconds: float
    age: float
    simulated_age: Optional[float] = None


class DescriptionFact(NamedTuple):
    """The newest text on a topic ``robot_description``."""

    topic: str
    text: str


class JointFact(NamedTuple):
    """
    The positions of a joint in the messages of a topic: the lowest and the highest finite one.

    ``is_finite`` says whether all positions were finite, and ``is_repeated`` whether a message had
    the joint twice. ``is_shared`` says whether several publishers sent the joint: then a message
    has a sequence number that is not above that of the message before.
    """

    low: float
    high: float
    is_finite: bool = True
    is_repeated: bool = False
    is_shared: bool = False


class JointStateFact(NamedTuple):
    """
    What the messages of a topic of joint states had in common, and their first and newest stamp.

    ``is_uneven`` says whether a message had more or fewer positions than names, ``is_empty``
    whether one had names but no positions, and ``went_back`` whether a stamp was more than a
    second before that of an earlier message.
    """

    topic: str
    joints: Mapping[str, JointFact]
    stamp: Stamp
    """The stamp of the newest message."""
    first: Optional[Stamp] = None
    received: int = 1
    """How many messages were received."""
    is_uneven: bool = False
    is_empty: bool = False
    went_back: bool = False


class TransformFact(NamedTuple):
    """
    The newest transform of a child in a parent; ``pose`` is parent_from_child.

    ``is_shared`` says whether several publishers sent the transform: then a message has a sequence
    number that is not above that of the message before.
    """

    parent: str
    child: str
    pose: Pose
    is_static: bool
    stamp: Stamp
    is_shared: bool = False


class Facts(NamedTuple):
    """The facts seen of a running system in ``seconds``, except for the observing node."""

    seconds: float
    endpoints: tuple[Endpoint, ...] = ()
    descriptions: tuple[DescriptionFact, ...] = ()
    joint_states: tuple[JointStateFact, ...] = ()
    transforms: tuple[TransformFact, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    """The children of transforms that tf2 ignores, each with the reason."""

    def nodes(self, topic: str, is_publisher: bool = True) -> list[str]:
        """Return the nodes that publish a topic, or those that subscribe to it."""
        return sorted({
            each.node for each in self.endpoints
            if each.topic == topic and each.is_publisher == is_publisher})

    def topics(self, kind: str) -> list[str]:
        """Return the topics of a type that somebody publishes."""
        return sorted({
            each.topic for each in self.endpoints if each.type == kind and each.is_publisher})


class Finding(NamedTuple):
    """
    Something that is wrong, why it matters, and the line that fixes it.

    ``subjects`` are the names of joints, frames or topics; ``nodes`` are those that may be the
    cause.
    """

    rule: str
    message: str
    why: str
    fix: str
    subjects: tuple[str, ...] = ()
    nodes: tuple[str, ...] = ()
