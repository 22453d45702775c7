# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The hot path alone: serialized joint states in, serialized transforms out, at full speed."""

from __future__ import annotations

import os

from chain import chain, states
from helpers.cdr import deserialized
from helpers.node_robot import robot_of
from hrdf_ros.node.cdr import TransformTemplate
from hrdf_ros.node.robot_state import RobotState
from hrdf_ros.node.settings import Settings
from hrdf_ros.node.tf_stream import Throttle, TransformStream
from usage import Usage, usage

JOINTS = 300
SAMPLES = 40
PERIOD = 500_000


def soak(transforms: int) -> list[Usage]:
    """Feed joint states at 2,000 Hz by their stamps until so many transforms were made."""
    stream = TransformStream(print, lambda: 0, deserialized)
    robot = robot_of(chain(JOINTS), Settings(history_duration=0.2))
    made = RobotState(robot, lambda *about: TransformTemplate(*about).fill)
    stream.replace(made)
    stream.throttle = Throttle(0)
    state, stamp, samples = states(JOINTS), 1_000_000_000, []
    turns = max(1, transforms // JOINTS // SAMPLES)
    for _ in range(SAMPLES + 1):
        for _ in range(turns):
            stream.receive(state(stamp))
            stamp += PERIOD
        samples.append(usage(os.getpid(), made.activity.published * JOINTS))
    return samples[1:]
