# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
from typing import Any, Union

class Publisher:
    def publish(self, msg: Union[Any, bytes]) -> None: ...
