# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
from collections.abc import Sequence

def remove_ros_args(args: Sequence[str]) -> list[str]: ...
