# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The rules of ``hrdf doctor``: each looks at the facts and yields its findings.

A rule that depends on another one is silent where that one reports, so that one cause makes one
finding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Optional

from hrdf_ros.doctor import joint_rules, stamp_rules, tf_rules
from hrdf_ros.doctor.case import (
    Case,
    case_of,
    DESCRIPTION,
    JOINT_STATES,
    make_case,
    Robot,
    STATIC_TOPIC,
    TF_TOPIC,
)
from hrdf_ros.doctor.facts import Facts, Finding
from hrdf_ros.load_result import LoadResult
from hrdf_ros.model import Model

Rule = Callable[[Case], Iterator[Finding]]
RULES: Mapping[Rule, bool] = {
    joint_rules.no_description: False,
    joint_rules.several_descriptions: True,
    joint_rules.silent_description: False,
    joint_rules.bad_description: False,
    joint_rules.other_description: False,
    joint_rules.no_joint_states: True,
    joint_rules.silent_joint_states: True,
    joint_rules.joint_not_reported: True,
    joint_rules.unknown_joint: True,
    joint_rules.outside_limits: True,
    joint_rules.degrees_without_limits: True,
    joint_rules.mimic_differs: True,
    joint_rules.joint_twice: False,
    joint_rules.uneven_joint_state: False,
    stamp_rules.several_clocks: True,
    stamp_rules.stamps: True,
    tf_rules.transform_twice: False,
    tf_rules.several_parents: False,
    tf_rules.static_differs: False,
    tf_rules.prefix: False,
    tf_rules.cycle: False,
    tf_rules.not_connected: False,
    tf_rules.refused_transform: False,
    tf_rules.no_tf: False,
    tf_rules.other_type: True,
    tf_rules.not_latched: False,
    tf_rules.qos: False,
}
"""
The rules about a whole system, in the order of their findings.

The value says whether the node of a robot knows what the rule needs, without listening to TF.
"""


def judge(
    facts: Facts, load: Callable[[str], LoadResult], model: Optional[Model] = None,
) -> list[Finding]:
    """
    Return what is wrong with a system.

    ``load`` reads the text of a description. ``model`` is that of a file with which the running
    robot is compared.
    """
    case = make_case(facts, load, model)
    if not any(
            each.type == JOINT_STATES or each.topic in (TF_TOPIC, STATIC_TOPIC)
            or each.topic.endswith(DESCRIPTION) for each in facts.endpoints):
        return [Finding(
            'nothing-runs', 'no node of a robot is running: nobody has a topic for descriptions, '
            'joint states or TF', 'nothing runs, or it runs in another ROS domain',
            'start it: hrdf node FILE --animate; or compare ROS_DOMAIN_ID, RMW_IMPLEMENTATION and '
            'ROS_AUTOMATIC_DISCOVERY_RANGE in both terminals')]
    return list(chain.from_iterable(rule(case) for rule in RULES))


def judge_robot(facts: Facts, robot: Robot) -> list[Finding]:
    """Return what is wrong with a robot in what its node can see."""
    case = case_of(facts, [robot])
    return list(chain.from_iterable(
        rule(case) for rule, is_for_node in RULES.items() if is_for_node))
