# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
from typing import Any, Union

class Publisher:
    topic_name: str
    def get_subscription_count(self) -> int: ...
    def publish(self, msg: Union[Any, bytes]) -> None: ...
