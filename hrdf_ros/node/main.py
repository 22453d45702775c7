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

from hrdf_ros.limits import WAITING_REQUESTS
from hrdf_ros.node.description import DescriptionError
from hrdf_ros.node.node import HrdfNode
from hrdf_ros.node.settings import BadSetting
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
"""Seconds until a busy thread lets another one run: the delay of a transform by a service."""
_THREADS = WAITING_REQUESTS + 6
"""At most, of each executor: those of requests that wait for the worker, and some others."""
_GRACE = 1.0
"""Seconds that callbacks have to return at the end."""


def run(
    arguments: Optional[Sequence[str]], signals: frozenset[signal.Signals], worker: Worker,
) -> int:
    """Run the node until one of the signals, which are blocked; return 1 if it cannot start."""
    argv = list(sys.argv[1:] if arguments is None else arguments)
    options = _parse(remove_ros_args(args=['hrdf_node', *argv])[1:])
    given = {'model': options.file, 'robots': options.robots}
    sys.setswitchinterval(_SWITCH_INTERVAL)
    _init(argv)
    try:
        node = HrdfNode(worker, parameter_overrides=[
            Parameter(name, value=value) for name, value in given.items() if value])
        if node.settings.robots:
            from hrdf_ros.node.fleet import start_fleet  # one robot starts without YAML
            nodes = start_fleet(node, worker)
        else:
            nodes = [node]
            node.start()
    except (DescriptionError, BadSetting, ParameterException) as error:
        for line in str(error).splitlines():
            get_logger('hrdf_ros').fatal(one_line(line))
        worker.end()
        rclpy.try_shutdown()
        return 1
    _serve(nodes, options.animate, signals)
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
    parser.add_argument(
        '--robots', metavar='FILE', help='serve the robots of a YAML file (the parameter robots)')
    options = parser.parse_args(list(arguments))
    if options.file and options.robots:
        parser.error('give either a file or --robots')
    return options


class _Served:
    """A node that is served by threads of its own."""

    def __init__(self, node: HrdfNode, animate: bool) -> None:
        self.node = node
        self._ended = threading.Event()
        self._executor = MultiThreadedExecutor(_THREADS)
        self._executor.add_node(node)
        self._animation = None
        if animate:
            from hrdf_ros.node.joint_states import Animation
            self._animation = Animation(node, node.stream)
        self._spinning = threading.Thread(target=self._spin, name='executor', daemon=True)
        self._spinning.start()

    def _spin(self) -> None:
        """Serve the node until the end, whatever the callbacks of rclpy raise."""
        while not self._ended.is_set():
            try:
                self._executor.spin()
            except Exception as error:  # noqa: BLE001 - no message may end the node
                if not self._ended.is_set() and self.node.context.ok():
                    self.node.get_logger().error(
                        f'a callback failed unexpectedly: {error!r}', throttle_duration_sec=1.0)

    def stop(self) -> None:
        """Begin to stop, without waiting for it."""
        self._ended.set()
        self.node.stop_requests()
        if self._animation is not None:
            self._animation.end()

    def end(self) -> None:
        """Wait for the callbacks for a while, and end."""
        self._executor.shutdown(timeout_sec=_GRACE)
        self._spinning.join(timeout=_GRACE)
        self.node.destroy_node()


def _serve(nodes: list[HrdfNode], animate: bool, signals: frozenset[signal.Signals]) -> None:
    """Serve nodes on threads, while this one waits for the end."""
    served = [_Served(node, animate) for node in nodes]
    signal.sigwait(signals)
    timer = threading.Timer(2 * _GRACE, os._exit, (0,))  # whatever is still going on
    timer.daemon = True
    timer.start()
    for each in served:
        each.stop()
    ending = [threading.Thread(target=each.end, daemon=True) for each in served]
    for thread in ending:
        thread.start()
    for thread in ending:
        thread.join()
    rclpy.try_shutdown()
