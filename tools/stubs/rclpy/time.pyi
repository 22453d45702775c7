# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
import builtin_interfaces.msg

class Time:
    nanoseconds: int
    def __init__(self, *, seconds: float = 0, nanoseconds: int = 0) -> None: ...
    def to_msg(self) -> builtin_interfaces.msg.Time: ...
