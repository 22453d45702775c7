# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
from geometry_msgs.msg import TransformStamped

class TFMessage:
    transforms: list[TransformStamped]
    def __init__(self, *, transforms: list[TransformStamped] = ...) -> None: ...
