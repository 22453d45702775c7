# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0

from typing import Any

class GuardCondition:
    handle: Any
    def __init__(self, callback: Any, callback_group: Any, context: Any = ...) -> None: ...
    def trigger(self) -> None: ...
