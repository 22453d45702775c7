# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
from collections.abc import Callable
from typing import Any

class Context:
    handle: Any
    def ok(self) -> bool: ...
    def get_domain_id(self) -> int: ...
    def on_shutdown(self, callback: Callable[[], None]) -> None: ...
