# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
from typing import ClassVar

from std_msgs.msg import Header

class KeyValue:
    key: str
    value: str
    def __init__(self, *, key: str = ..., value: str = ...) -> None: ...

class DiagnosticStatus:
    OK: ClassVar[bytes]
    WARN: ClassVar[bytes]
    ERROR: ClassVar[bytes]
    level: bytes
    name: str
    message: str
    hardware_id: str
    values: list[KeyValue]
    def __init__(
        self, *,
        level: bytes = ...,
        name: str = ...,
        message: str = ...,
        hardware_id: str = ...,
        values: list[KeyValue] = ...,
    ) -> None: ...

class DiagnosticArray:
    header: Header
    status: list[DiagnosticStatus]
    def __init__(self, *, header: Header = ..., status: list[DiagnosticStatus] = ...) -> None: ...
