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

from hrdf_ros.node.description import DescriptionError
from hrdf_ros.node.memory import return_memory_soon
from hrdf_ros.node.node import HrdfNode
from hrdf_ros.node.safe_callback import spin_on
from hrdf_ros.node.settings import BadSetting
from hrdf_ros.node.shared import FleetError, FleetRequested
from hrdf_ros.node.texts import one_line
from hrdf_ros.node.worker import Worker
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
_THREADS_IN_FLEET = 3
"""Of each executor, where there is one for each robot."""
_GRACE = 1.0
"""Seconds that callbacks have for coming to an end."""


def run(
    arguments: Optional[Sequence[str]], signals: frozenset[signal.Signals], worker: Worker,
) -> int:
    """Run the node until one of the signals comes, which are blocked; 1 where it cannot start."""
    argv = list(sys.argv[1:] if arguments is None else arguments)
    options = _parse(remove_ros_args(args=['hrdf_node', *argv])[1:])
    sys.setswitchinterval(_SWITCH_INTERVAL)
    return_memory_soon()
    _init(argv)
    try:
        nodes = _nodes(_overrides(options), worker)
    except (DescriptionError, BadSetting, FleetError, ParameterException) as error:
        for line in str(error).splitlines():
            get_logger('hrdf_ros').fatal(one_line(line))
        rclpy.try_shutdown()
        return 1
    _serve(nodes, options.animate, signals)
    return 0


def _nodes(overrides: list[Parameter], worker: Worker) -> list[HrdfNode]:
    """Return the node, or those of a fleet where that is what the parameters ask for."""
    try:
        return [HrdfNode(worker, parameter_overrides=overrides)]
    except FleetRequested as request:
        from hrdf_ros.node.fleet import start_fleet  # what few need, start without
        return start_fleet(request, worker)


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
    parser.add_argument(
        '--robots', metavar='FILE', help='serve the robots of a YAML file (the parameter robots)')
    options = parser.parse_args(list(arguments))
    if options.file and options.robots:
        parser.error('give either a file or --robots')
    return options


def _overrides(options: argparse.Namespace) -> list[Parameter]:
    given = {'model': options.file, 'robots': options.robots}
    return [Parameter(name, value=value) for name, value in given.items() if value]


class _Served:
    """A node that is served by threads of its own."""

    def __init__(self, node: HrdfNode, threads: int, animate: bool) -> None:
        self.node = node
        self._ended = threading.Event()
        self._executor = MultiThreadedExecutor(threads)
        self._executor.add_node(node)
        self._animation = None
        if animate:
            from hrdf_ros.node.animate import Animation
            self._animation = Animation(node)
        self._spinning = threading.Thread(
            target=spin_on, args=(self._executor, node, self._ended), name='executor',
            daemon=True)
        self._spinning.start()

    def stop(self) -> None:
        """Begin to stop, without waiting for it."""
        self._ended.set()
        self.node.stop_requests()
        if self._animation is not None:
            self._animation.end()

    def end(self) -> None:
        """Wait for callbacks that run, for a while, and end."""
        self._executor.shutdown(timeout_sec=_GRACE)
        self._spinning.join(timeout=_GRACE)
        self.node.destroy_node()


def _serve(nodes: list[HrdfNode], animate: bool, signals: frozenset[signal.Signals]) -> None:
    """Serve nodes on threads, while this one waits for the end."""
    threads = _THREADS if len(nodes) == 1 else _THREADS_IN_FLEET
    served = [_Served(node, threads, animate) for node in nodes]
    signal.sigwait(signals)
    _end_soon(2 * _GRACE)
    for each in served:
        each.stop()
    ending = [threading.Thread(target=each.end, daemon=True) for each in served]
    for thread in ending:
        thread.start()
    for thread in ending:
        thread.join()
    rclpy.try_shutdown()


def _end_soon(seconds: float) -> None:
    """End the process after a while, whatever is still going on."""
    timer = threading.Timer(seconds, os._exit, (0,))
    timer.daemon = True
    timer.start()
