# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Start the node on a robot: ros2 launch hrdf_ros hrdf.launch.py model:=robot.hrdf."""

from pathlib import Path

from hrdf_ros.node.launching import node_description
from launch import LaunchDescription


def generate_launch_description():
    """Return the node; each of its parameters is an argument."""
    return LaunchDescription(node_description(Path(__file__).parents[1]))
