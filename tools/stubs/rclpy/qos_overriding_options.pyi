# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
from collections.abc import Iterable

from rclpy.qos import QoSPolicyKind

class QoSOverridingOptions:
    policy_kinds: tuple[QoSPolicyKind, ...]
    def __init__(self, policy_kinds: Iterable[QoSPolicyKind]) -> None: ...
    @classmethod
    def with_default_policies(cls) -> QoSOverridingOptions: ...
