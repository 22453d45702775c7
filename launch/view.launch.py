# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Look at a robot in RViz: ros2 launch hrdf_ros view.launch.py model:=robot.hrdf.

The joints are moved by hand with joint_state_publisher_gui (gui:=true), or by any publisher of
joint_states (gui:=false). When the node ends, so does the rest.
"""

from pathlib import Path

from hrdf_ros.node.launching import view_description
from launch import LaunchDescription


def generate_launch_description():
    """Return the node, and sliders and RViz if wanted."""
    return LaunchDescription(view_description(Path(__file__).parents[1]))
