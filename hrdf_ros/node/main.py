# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Start the node and end it cleanly."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
import sys
import threading
from typing import Optional

from hrdf_ros.node.animate import Animation
from hrdf_ros.node.node import DescriptionError, HrdfNode
from hrdf_ros.node.settings import BadSetting
import rclpy
from rclpy.executors import MultiThreadedExecutor
from rclpy.logging import get_logger
from rclpy.parameter import Parameter
from rclpy.signals import SignalHandlerOptions
from rclpy.utilities import remove_ros_args

_SWITCH_INTERVAL = 0.0005
"""Seconds until a busy thread lets another one in: what a transform may wait for a service."""
_THREADS = 3
_CHECK_INTERVAL = 1.0
_GRACE = 1.0
"""Seconds that callbacks have for coming to an end."""


def run(arguments: Optional[Sequence[str]], ended: threading.Event) -> int:
    """Run the node until the event is set; 1 where it cannot start."""
    argv = list(sys.argv[1:] if arguments is None else arguments)
    options = _parse(remove_ros_args(args=['hrdf_node', *argv])[1:])
    sys.setswitchinterval(_SWITCH_INTERVAL)
    rclpy.init(args=argv, signal_handler_options=SignalHandlerOptions.NO)
    try:
        node = HrdfNode(parameter_overrides=_overrides(options))
    except (DescriptionError, BadSetting) as error:
        get_logger('hrdf_ros').fatal(str(error))
        rclpy.try_shutdown()
        return 1
    _spin(node, options.animate, ended)
    return 0


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog='hrdf node', description='Publish a robot: robot_description, TF, lookups.',
        epilog='ROS arguments go behind --ros-args, such as -p model:=robot.hrdf')
    parser.add_argument('file', nargs='?', help='the robot file (the parameter model)')
    parser.add_argument(
        '--animate', action='store_true',
        help='move every joint by itself: publish joint_states that sweep the limits')
    return parser.parse_args(list(arguments))


def _overrides(options: argparse.Namespace) -> list[Parameter]:
    return [Parameter('model', value=options.file)] if options.file else []


def _spin(node: HrdfNode, animate: bool, ended: threading.Event) -> None:
    """Serve the node on threads; this one waits for the end, so that signals are heard at once."""
    executor = MultiThreadedExecutor(_THREADS)
    executor.add_node(node)
    animation = Animation(node) if animate else None
    spinning = threading.Thread(target=executor.spin, name='executor', daemon=True)
    spinning.start()
    while not ended.wait(_CHECK_INTERVAL) and spinning.is_alive():
        pass
    if animation is not None:
        animation.end()
    executor.shutdown(timeout_sec=1.0)
    spinning.join(timeout=1.0)
    node.destroy_node()
    rclpy.try_shutdown()
