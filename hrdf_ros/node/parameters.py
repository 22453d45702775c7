# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The settings as parameters of a ROS node."""

from __future__ import annotations

from typing import Any

from hrdf_ros.node.settings import changed, DESCRIPTIONS, MAX_FREQUENCY, Settings
from rcl_interfaces.msg import FloatingPointRange, ParameterDescriptor


def declare(node: Any) -> Settings:
    """Declare all parameters on a node and return what they say."""
    values = {}
    for name, default in Settings()._asdict().items():
        # An empty list has no type yet, and a whole number may stand for a float.
        descriptor = ParameterDescriptor(
            description=DESCRIPTIONS[name], dynamic_typing=isinstance(default, (tuple, float)))
        if name == 'publish_frequency':
            descriptor.floating_point_range = [
                FloatingPointRange(from_value=0.0, to_value=MAX_FREQUENCY)]
        declared = node.declare_parameter(
            name, list(default) if isinstance(default, tuple) else default, descriptor)
        if declared.value is not None:
            values[name] = declared.value
    return changed(Settings(), values)
