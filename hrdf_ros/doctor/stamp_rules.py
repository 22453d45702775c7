# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The rules about clocks and stamps."""

from __future__ import annotations

from collections.abc import Iterator

from hrdf_ros.doctor.case import Case, CLOCK_TOPIC, quoted, TF_TOPIC
from hrdf_ros.doctor.facts import Finding, JointStateFact, Stamp

_LATE = 2.0
"""
The seconds by which a stamp may differ from the clock.

Localization stamps its transforms a second ahead.
"""
_SIMULATED = 1e8
"""The seconds below which a stamp is taken for that of a simulated clock, which begins at zero."""
_STANDSTILL = 1.0
"""The seconds after which a stamp that stays the same is a fault."""


def several_clocks(case: Case) -> Iterator[Finding]:
    """Report several nodes that publish simulated time."""
    nodes = case.facts.nodes(CLOCK_TOPIC)
    if len(nodes) > 1:
        yield Finding(
            'several-clocks', f'{len(nodes)} nodes publish {CLOCK_TOPIC}: {quoted(nodes)}',
            'the time of every node with use_sim_time jumps between them',
            'stop one of the simulations or bags', (CLOCK_TOPIC,), tuple(nodes))


def stamps(case: Case) -> Iterator[Finding]:
    """Report messages from the past, from the future, or of another clock, once for each topic."""
    faulty = False
    for state in case.facts.joint_states:
        for finding in _of_joint_states(case, state):
            faulty = True
            yield finding
    moving = [each for each in case.facts.transforms if not each.is_static]
    for each in moving if not faulty else ():  # their stamps are those of joint states
        found = next(_stamp(case, TF_TOPIC, each.stamp), None)
        if found is not None:
            yield found._replace(
                message=f"the transform of '{each.child}': {found.message}",
                subjects=(each.child,))
            return


def _of_joint_states(case: Case, state: JointStateFact) -> Iterator[Finding]:
    topic, nodes = state.topic, tuple(case.facts.nodes(state.topic))
    if not state.received:
        return
    if _stands_still(state):
        yield Finding(
            'frozen', f'all messages on {topic} have the same stamp',
            'TF takes them for one message, and the robot stands still',
            'stamp each message when its positions are read', (topic,), nodes)
    elif state.went_back and not any(each.is_shared for each in state.joints.values()):
        yield Finding(
            'time-jump', f'the stamps on {topic} went back',
            'tf2 drops what is older than the newest transform',
            'restart the other nodes with the bag or the simulation that began again', (topic,),
            nodes)
    else:
        yield from _stamp(case, topic, state.stamp)


def _stands_still(state: JointStateFact) -> bool:
    """Return whether the stamp stays the same although its clock goes on."""
    first, last = state.first, state.stamp
    if first is None or first.seconds != last.seconds or not last.seconds:
        return False
    if first.simulated_age is not None and last.simulated_age is not None:
        return last.simulated_age - first.simulated_age > _STANDSTILL
    return last.simulated_age is None and last.age - first.age > _STANDSTILL


def _stamp(case: Case, topic: str, stamp: Stamp) -> Iterator[Finding]:
    nodes = tuple(case.facts.nodes(topic))
    name = nodes[0] if len(nodes) == 1 else 'NODE'
    simulated = stamp.simulated_age
    age = stamp.age if simulated is None else simulated
    if abs(age) <= _LATE:
        return
    if stamp.seconds == 0.0:
        yield Finding(
            'no-stamp', f'messages on {topic} have no stamp', 'tf2 takes their transforms for '
            'those of the year 1970', 'set header.stamp to the time of the node', (topic,), nodes)
    elif simulated is not None and abs(stamp.age) <= _LATE:
        yield Finding(
            'other-clock', f'messages on {topic} have the time of the computer, but /clock gives '
            'simulated time', 'tf2 finds no common time',
            f'start {name} with --ros-args -p use_sim_time:=true', (topic,), nodes)
    elif simulated is None and stamp.seconds < _SIMULATED:
        yield Finding(
            'other-clock', f'messages on {topic} have simulated time, but nobody publishes /clock',
            'tf2 finds no common time',
            f'start {name} with --ros-args -p use_sim_time:=false, or bridge /clock of the '
            'simulation', (topic,), nodes)
    elif age > 0.0:
        yield Finding(
            'past', f'messages on {topic} are {age:.3g} seconds old',
            'tf2 drops them, or answers with where the robot was',
            'synchronize the clocks of the machines (chrony), or play bags with --clock', (topic,),
            nodes)
    else:
        yield Finding(
            'future', f'messages on {topic} are {-age:.3g} seconds ahead',
            'tf2 has no transform for now', 'synchronize the clocks of the machines (chrony)',
            (topic,), nodes)
