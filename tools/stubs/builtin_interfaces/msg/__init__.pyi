# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
class Time:
    sec: int
    nanosec: int
    def __init__(self, *, sec: int = ..., nanosec: int = ...) -> None: ...

class Duration:
    sec: int
    nanosec: int
    def __init__(self, *, sec: int = ..., nanosec: int = ...) -> None: ...
