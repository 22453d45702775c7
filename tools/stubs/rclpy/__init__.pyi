# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
from collections.abc import Sequence
from typing import Optional

from rclpy.signals import SignalHandlerOptions

def init(
    *, args: Optional[Sequence[str]] = None, domain_id: Optional[int] = None,
    signal_handler_options: Optional[SignalHandlerOptions] = None,
) -> None: ...
def try_shutdown() -> None: ...
