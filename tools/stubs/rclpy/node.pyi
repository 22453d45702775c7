# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
from collections.abc import Callable
from typing import Any, Optional, Union

from rcl_interfaces.msg import ParameterDescriptor, SetParametersResult
from rclpy.callback_groups import CallbackGroup
from rclpy.clock import Clock
from rclpy.context import Context
from rclpy.logging import RcutilsLogger
from rclpy.parameter import Parameter
from rclpy.publisher import Publisher
from rclpy.qos import QoSProfile
from rclpy.qos_overriding_options import QoSOverridingOptions
from rclpy.subscription import Subscription
from rclpy.timer import Timer

class Node:
    context: Context
    def __init__(
        self, node_name: str, *, context: Optional[Context] = None,
        namespace: Optional[str] = None, use_global_arguments: bool = True,
        enable_rosout: bool = True, start_parameter_services: bool = True,
        parameter_overrides: Optional[list[Parameter]] = None,
    ) -> None: ...
    def add_on_set_parameters_callback(
        self, callback: Callable[[list[Parameter]], SetParametersResult],
    ) -> None: ...
    def add_pre_set_parameters_callback(
        self, callback: Callable[[list[Parameter]], list[Parameter]]) -> None: ...
    def add_post_set_parameters_callback(
        self, callback: Callable[[list[Parameter]], None],
    ) -> None: ...
    def create_publisher(
        self, msg_type: type, topic: str, qos_profile: Union[QoSProfile, int], *,
        qos_overriding_options: Optional[QoSOverridingOptions] = None,
    ) -> Publisher: ...
    def create_service(
        self, srv_type: type, srv_name: str, callback: Callable[[Any, Any], Any], *,
        qos_profile: QoSProfile = ..., callback_group: Optional[CallbackGroup] = None,
    ) -> Any: ...
    def create_subscription(
        self, msg_type: type, topic: str, callback: Callable[[Any], None],
        qos_profile: Union[QoSProfile, int], *, callback_group: Optional[CallbackGroup] = None,
        qos_overriding_options: Optional[QoSOverridingOptions] = None, raw: bool = False,
    ) -> Subscription: ...
    def create_timer(
        self, timer_period_sec: float, callback: Callable[[], None],
        callback_group: Optional[CallbackGroup] = None, clock: Optional[Clock] = None,
    ) -> Timer: ...
    def declare_parameter(
        self, name: str, value: Any = None, descriptor: Optional[ParameterDescriptor] = None,
    ) -> Parameter: ...
    def destroy_node(self) -> None: ...
    def get_clock(self) -> Clock: ...
    def get_fully_qualified_name(self) -> str: ...
    def get_logger(self) -> RcutilsLogger: ...
    def get_name(self) -> str: ...
    def get_namespace(self) -> str: ...
    def has_parameter(self, name: str) -> bool: ...
    def resolve_service_name(self, service: str) -> str: ...
    def resolve_topic_name(self, topic: str) -> str: ...
