# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
from builtin_interfaces.msg import Duration, Time
from geometry_msgs.msg import TransformStamped
from tf2_msgs.msg import TF2Error

class LookupTransform:
    class Goal:
        target_frame: str
        source_frame: str
        source_time: Time
        timeout: Duration
        target_time: Time
        fixed_frame: str
        advanced: bool

    class Result:
        transform: TransformStamped
        error: TF2Error
