# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Start the node and end it cleanly."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
import os
import signal
import sys
import threading
from typing import Optional

from hrdf_ros.node.animate import Animation
from hrdf_ros.node.description import DescriptionError
from hrdf_ros.node.node import HrdfNode
from hrdf_ros.node.safe_callback import spin_on
from hrdf_ros.node.settings import BadSetting
import rclpy
from rclpy.exceptions import ParameterException
from rclpy.executors import MultiThreadedExecutor
from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.logging import get_logger
from rclpy.parameter import Parameter
from rclpy.signals import SignalHandlerOptions
from rclpy.utilities import remove_ros_args

_SWITCH_INTERVAL = 0.0005
"""Seconds until a busy thread lets another one run: what a transform may wait for a service."""
_THREADS = 6
"""Of the executor: a load and a parameter that is set may each keep one busy."""
_GRACE = 1.0
"""Seconds that callbacks have for coming to an end."""


def run(arguments: Optional[Sequence[str]], signals: frozenset[signal.Signals]) -> int:
    """Run the node until one of the signals comes, which are blocked; 1 where it cannot start."""
    argv = list(sys.argv[1:] if arguments is None else arguments)
    options = _parse(remove_ros_args(args=['hrdf_node', *argv])[1:])
    sys.setswitchinterval(_SWITCH_INTERVAL)
    _init(argv)
    try:
        node = HrdfNode(parameter_overrides=_overrides(options))
    except (DescriptionError, BadSetting, ParameterException) as error:
        get_logger('hrdf_ros').fatal(str(error))
        rclpy.try_shutdown()
        return 1
    _serve(node, options.animate, signals)
    return 0


def _init(argv: list[str]) -> None:
    """Start ROS, without log files where none can be written."""
    without = SignalHandlerOptions.NO
    try:
        rclpy.init(args=argv, signal_handler_options=without)
    except rclpy_implementation.RCLError as error:
        if 'logging' not in str(error):
            raise
        rclpy.try_shutdown()
        rclpy.init(
            args=[*argv, '--ros-args', '--disable-external-lib-logs'],
            signal_handler_options=without)
        get_logger('hrdf_ros').warning(f'going on without log files: {error}')


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog='hrdf node', description='Publish a robot: robot_description, TF, lookups.',
        epilog='ROS arguments go behind --ros-args, such as -p model:=robot.hrdf')
    parser.add_argument('file', nargs='?', help='the robot file (the parameter model)')
    parser.add_argument(
        '--animate', action='store_true',
        help='animate every joint: publish joint_states that sweep the limits')
    return parser.parse_args(list(arguments))


def _overrides(options: argparse.Namespace) -> list[Parameter]:
    return [Parameter('model', value=options.file)] if options.file else []


def _serve(node: HrdfNode, animate: bool, signals: frozenset[signal.Signals]) -> None:
    """Serve the node on threads, while this one waits for the end."""
    executor = MultiThreadedExecutor(_THREADS)
    executor.add_node(node)
    animation = Animation(node) if animate else None
    ended = threading.Event()
    spinning = threading.Thread(
        target=spin_on, args=(executor, node, ended), name='executor', daemon=True)
    spinning.start()
    signal.sigwait(signals)
    ended.set()
    _end_soon()
    node.stop_requests()
    if animation is not None:
        animation.end()
    executor.shutdown(timeout_sec=_GRACE)
    spinning.join(timeout=_GRACE)
    node.destroy_node()
    rclpy.try_shutdown()


def _end_soon() -> None:
    """End the process after a while, whatever is still going on."""
    timer = threading.Timer(2 * _GRACE, os._exit, (0,))
    timer.daemon = True
    timer.start()
