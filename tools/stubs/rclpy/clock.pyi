# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
from enum import IntEnum

from rclpy.time import Time

class ClockType(IntEnum):
    STEADY_TIME = ...

class Clock:
    def __init__(self, *, clock_type: ClockType = ...) -> None: ...
    def now(self) -> Time: ...
