# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
from builtin_interfaces.msg import Time

class Clock:
    clock: Time
