# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
from collections.abc import Callable
from enum import Enum
from typing import Any

from rclpy.callback_groups import CallbackGroup
from rclpy.node import Node
from rclpy.qos import QoSProfile

class GoalResponse(Enum):
    ACCEPT = ...
    REJECT = ...

class ActionServer:
    def __init__(
        self, node: Node, action_type: type, action_name: str,
        execute_callback: Callable[[Any], Any], *, callback_group: CallbackGroup,
        goal_callback: Callable[[Any], GoalResponse],
        handle_accepted_callback: Callable[[Any], None], goal_service_qos_profile: QoSProfile,
        result_service_qos_profile: QoSProfile, cancel_service_qos_profile: QoSProfile,
        result_timeout: int,
    ) -> None: ...
    def destroy(self) -> None: ...
