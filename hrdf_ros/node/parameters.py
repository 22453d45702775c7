# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The settings as parameters of a ROS node."""

from __future__ import annotations

from typing import Any

from hrdf_ros.node.settings import changed, DESCRIPTIONS, Settings
from rcl_interfaces.msg import FloatingPointRange, ParameterDescriptor


def declare(node: Any) -> Settings:
    """Declare all parameters on a node and return what they say."""
    values = {}
    for name, default in Settings()._asdict().items():
        is_list = isinstance(default, tuple)
        descriptor = ParameterDescriptor(
            description=DESCRIPTIONS[name], dynamic_typing=is_list)
        if name == 'publish_frequency':
            descriptor.floating_point_range = [FloatingPointRange(from_value=0.0, to_value=1e6)]
        declared = node.declare_parameter(name, list(default) if is_list else default, descriptor)
        values[name] = declared.value
    return changed(Settings(), values)
