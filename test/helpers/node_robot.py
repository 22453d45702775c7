# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Robots as the node publishes them, made without ROS."""

from __future__ import annotations

from hrdf_ros.node.perform import load_description
from hrdf_ros.node.robot import Robot
from hrdf_ros.node.settings import Settings


def robot_of(text: str, settings: Settings = Settings()) -> Robot:
    """Return the robot of a text; with errors the assertion says the first one."""
    answer = load_description(settings._replace(robot_description=text))
    assert answer.description is not None, answer.report.first_error
    return Robot(answer.description, settings, answer.report)
