# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
from typing import ClassVar

from geometry_msgs.msg import TransformStamped

class TFMessage:
    transforms: list[TransformStamped]
    def __init__(self, *, transforms: list[TransformStamped] = ...) -> None: ...

class TF2Error:
    LOOKUP_ERROR: ClassVar[int]
    CONNECTIVITY_ERROR: ClassVar[int]
    EXTRAPOLATION_ERROR: ClassVar[int]
    INVALID_ARGUMENT_ERROR: ClassVar[int]
    error: int
    error_string: str
