# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A system to be judged: its facts and its robots, and what several rules ask about them."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Optional

from hrdf_ros.doctor.facts import Facts, JointFact, TransformFact
from hrdf_ros.listing import count_of, first_of
from hrdf_ros.load_result import LoadResult
from hrdf_ros.model import Model

JOINT_STATES = 'sensor_msgs/msg/JointState'
DESCRIPTION = 'robot_description'
JOINT_TOPIC = 'joint_states'
TF_TOPIC, STATIC_TOPIC, CLOCK_TOPIC = '/tf', '/tf_static', '/clock'
_TYPES = {
    TF_TOPIC: 'tf2_msgs/msg/TFMessage', STATIC_TOPIC: 'tf2_msgs/msg/TFMessage',
    CLOCK_TOPIC: 'rosgraph_msgs/msg/Clock'}
LISTED = 6
"""The most names in a message; the others are counted."""


class Robot(NamedTuple):
    """
    A robot of the system: its model, the topic of its description, and its prefix on TF.

    ``joint_topics`` are the topics of joint states to which its node subscribes.
    """

    topic: str
    model: Model
    joint_topics: tuple[str, ...]
    prefix: str


class Case(NamedTuple):
    """
    The facts, and the loaded descriptions by topic, including those that have errors.

    ``types`` has the type that each topic of the robots has to have. ``unreadable`` are the topics
    that somebody publishes with another type, so that no robot can read them.
    """

    facts: Facts
    loaded: tuple[tuple[str, LoadResult], ...]
    robots: tuple[Robot, ...]
    has_file: bool
    types: Mapping[str, str]
    unreadable: frozenset[str]


def make_case(facts: Facts, load: Callable[[str], LoadResult], model: Optional[Model]) -> Case:
    loaded = tuple((each.topic, load(each.text)) for each in facts.descriptions)
    models = [(topic, result.model) for topic, result in loaded if result.model is not None]
    if model is not None:  # the file replaces the first description
        models = [(models[0][0] if models else f'/{DESCRIPTION}', model), *models[1:]]
    from hrdf_ros.view.live import TransformTree  # a node that judges its own robot has no TF
    tree = TransformTree()
    tree.update((each.parent, each.child, each.pose) for each in facts.transforms)
    robots = []
    for topic, found in models:
        namespace = topic.rpartition('/')[0]
        prefix = tree.prefix([body.name for body in found.bodies], namespace.strip('/'))
        robots.append(Robot(topic, found, _joint_topics(facts, topic), prefix))
    return case_of(facts, robots, loaded, has_file=model is not None)


def case_of(
    facts: Facts, robots: Sequence[Robot], loaded: tuple[tuple[str, LoadResult], ...] = (), *,
    has_file: bool = False,
) -> Case:
    """Return the case of some robots; ``has_file`` says whether a file describes the first one."""
    types = _types(facts, robots)
    unreadable = frozenset(
        each.topic for each in facts.endpoints
        if each.is_publisher and each.type != types.get(each.topic, each.type))
    return Case(facts, loaded, tuple(robots), has_file, types, unreadable)


def _joint_topics(facts: Facts, description: str) -> tuple[str, ...]:
    """Return the topics of joint states to which the nodes of a description subscribe."""
    nodes = facts.nodes(description)
    heard = {each.topic for each in facts.endpoints
             if each.node in nodes and each.type == JOINT_STATES and not each.is_publisher}
    return tuple(sorted(heard)) or (f'{description.rpartition("/")[0]}/{JOINT_TOPIC}',)


def _types(facts: Facts, robots: Sequence[Robot]) -> dict[str, str]:
    """Return the type that each topic of the robots has to have."""
    descriptions = {each.topic for each in facts.endpoints
                    if each.topic.rpartition('/')[2] == DESCRIPTION}
    return {
        **_TYPES, **dict.fromkeys(descriptions, 'std_msgs/msg/String'),
        **{topic: JOINT_STATES for robot in robots for topic in robot.joint_topics
           if topic.rpartition('/')[2] == JOINT_TOPIC}}


def needed(robot: Robot) -> list[str]:
    """Return the coordinates that somebody has to report."""
    return [each.name for each in robot.model.coordinates if each.mimic is None]


def reported(case: Case, robot: Robot) -> dict[str, JointFact]:
    """Return the joints that are reported to a robot."""
    return {name: found for state in case.facts.joint_states
            if state.topic in robot.joint_topics for name, found in state.joints.items()}


def is_shared(case: Case, topic: str) -> bool:
    """
    Return whether a topic has several publishers now.

    A publisher that was started again is not counted twice.
    """
    return sum(each.is_publisher and each.topic == topic for each in case.facts.endpoints) > 1


def by_child(case: Case) -> dict[str, list[TransformFact]]:
    found: dict[str, list[TransformFact]] = {}
    for each in case.facts.transforms:
        found.setdefault(each.child, []).append(each)
    return found


def quoted(names: Sequence[str]) -> str:
    return first_of(names, LISTED, "'{}'".format)


def counted(names: Sequence[str], what: str) -> str:
    return count_of(len(names), what)
