# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf doctor`` and ``hrdf echo`` on systems whose messages are faulty or too many."""

from __future__ import annotations

from itertools import count
from math import inf, nan
import time

from geometry_msgs.msg import TransformStamped
from helpers.running_systems import System
from hrdf_ros.doctor import JointStateFact, Stamp
from hrdf_ros.node import examination
from hrdf_ros.node.examination import Examination
from hrdf_ros.node.running import RunningSystem
import pytest
from sensor_msgs.msg import JointState

_PATIENCE = 200.0


def test_echo_ignores_what_tf2_ignores(system: System) -> None:
    """A transform that is not finite, or no rotation, is not followed."""
    def not_finite(message: TransformStamped) -> None:
        message.transform.translation.x = nan

    def no_rotation(message: TransformStamped) -> None:
        message.transform.rotation.w = 0.5

    system.transform('base', 'infinite', 'first', change=not_finite)
    system.transform('base', 'sheared', 'second', change=no_rotation)
    system.transform('base', 'arm', 'third')
    with RunningSystem('hrdf_echo', []) as running:
        tree = running.listen_to_tf()
        assert running.wait(_PATIENCE, lambda: running.node.count_publishers('/tf') == 3)
        assert running.wait(_PATIENCE, lambda: tree.has('arm'))
        running.wait(1.0)
        assert tree.frames == {'base', 'arm'}


def test_messages_that_wait_are_not_old(system: System) -> None:
    """The age of a message is that at its arrival, however late it is read."""
    system.drive()
    with RunningSystem('hrdf_doctor', []) as running:
        examined = Examination(running)

        def received() -> int:
            return _state(examined).received

        assert running.wait(_PATIENCE, lambda: _state(examined).stamp.age < 2.0)
        before = received()
        time.sleep(4.0)
        assert running.wait(_PATIENCE, lambda: received() > before)  # the first that waited
        assert _state(examined).stamp.age < 2.0


def test_names_without_end_take_bounded_memory(
    system: System, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A driver with new names in each message is heard, and not all names are kept."""
    monkeypatch.setattr(examination, 'HEARD_CHARACTERS', 10_000)
    numbers = count()
    publisher = system.publisher(system.node('driver'), JointState, 'joint_states')
    system.repeat(lambda: publisher.publish(JointState(
        name=[f'joint_{next(numbers)}' for _ in range(100)], position=[0.0] * 100)))
    with RunningSystem('hrdf_doctor', []) as running:
        examined = Examination(running)

        assert running.wait(_PATIENCE, lambda: _state(examined).received > 5)
        assert 0 < len(_state(examined).joints) < 100


def _state(examined: Examination) -> JointStateFact:
    """Return what is known of the only topic of joint states."""
    examined.listen()
    states = examined.facts(1.0).joint_states
    return states[0] if states else JointStateFact(
        '/joint_states', {}, Stamp(0.0, age=inf), received=0)
