# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What ros2_control reads beside a URDF: the block of the hardware, and controllers."""

from hrdf_ros.ros2_control.block import Hardware, INTERFACES, MOCK_PLUGIN, write_block
from hrdf_ros.ros2_control.controllers import write_controllers

__all__ = ['Hardware', 'INTERFACES', 'MOCK_PLUGIN', 'write_block', 'write_controllers']
