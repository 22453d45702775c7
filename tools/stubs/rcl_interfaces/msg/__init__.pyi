# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
class FloatingPointRange:
    from_value: float
    to_value: float
    def __init__(self, *, from_value: float = ..., to_value: float = ...) -> None: ...

class ParameterDescriptor:
    description: str
    dynamic_typing: bool
    read_only: bool
    floating_point_range: list[FloatingPointRange]
    def __init__(
        self, *,
        description: str = ...,
        dynamic_typing: bool = ...,
        read_only: bool = ...,
        floating_point_range: list[FloatingPointRange] = ...,
    ) -> None: ...

class SetParametersResult:
    successful: bool
    reason: str
    def __init__(self, *, successful: bool = ..., reason: str = ...) -> None: ...
