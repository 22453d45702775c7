# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
class Duration:
    def __init__(self, *, seconds: float = 0, nanoseconds: int = 0) -> None: ...
