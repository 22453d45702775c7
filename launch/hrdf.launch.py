# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Start the node on a robot: ros2 launch hrdf_ros hrdf.launch.py model:=robot.hrdf."""

from pathlib import Path

from hrdf_ros.node.launching import arguments, node
from launch import LaunchDescription
from launch.actions import OpaqueFunction


def generate_launch_description():
    """Return the node; each of its parameters is an argument."""
    return LaunchDescription([
        *arguments(Path(__file__).parents[1]),
        OpaqueFunction(function=lambda context: [node(context.launch_configurations)])])
