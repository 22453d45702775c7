# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
from builtin_interfaces.msg import Time

class Header:
    stamp: Time
    frame_id: str
    def __init__(self, *, stamp: Time = ..., frame_id: str = ...) -> None: ...

class String:
    data: str
    def __init__(self, *, data: str = ...) -> None: ...
