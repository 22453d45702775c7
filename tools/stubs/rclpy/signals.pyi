# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
from enum import IntEnum

class SignalHandlerOptions(IntEnum):
    NO = ...
