# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
from typing import Any

class Parameter:
    name: str
    value: Any
    def __init__(self, name: str, *, value: Any = None) -> None: ...
