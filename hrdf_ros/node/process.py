# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The process of a node, or of a fleet of nodes: its arguments, its start and its end."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
import os
import signal
import sys
import threading
from typing import Optional

from hrdf_ros.node.log_text import one_line
from hrdf_ros.node.node import GRACE, HrdfNode
from hrdf_ros.node.settings import BadSetting
from hrdf_ros.node.worker import Worker
import rclpy
from rclpy.exceptions import ParameterException
from rclpy.logging import get_logger
from rclpy.parameter import Parameter
from rclpy.signals import SignalHandlerOptions
from rclpy.utilities import remove_ros_args

_SWITCH_INTERVAL = 0.0005
"""The time in seconds after which a busy thread yields, and that a service delays a transform."""


def run(
    arguments: Optional[Sequence[str]], signals: frozenset[signal.Signals], worker: Worker,
) -> int:
    """Run the node until one of the blocked signals comes; return 1 if it cannot start."""
    xacro, argv = _split(list(sys.argv[1:] if arguments is None else arguments))
    options = _parse(remove_ros_args(args=['hrdf_node', *argv])[1:])
    given = {'model': options.file, 'robots': options.robots, 'xacro_arguments': xacro}
    sys.setswitchinterval(_SWITCH_INTERVAL)
    _init(argv)
    try:
        node = HrdfNode(worker, parameter_overrides=[
            Parameter(name, value=value) for name, value in given.items() if value])
        if node.settings.robots:
            from hrdf_ros.node.fleet import start_fleet  # a single robot needs no YAML
            nodes = start_fleet(node, worker)
        else:
            nodes = [node]
            node.start()
    except (BadSetting, ParameterException) as error:
        for line in str(error).splitlines():
            get_logger('hrdf_ros').fatal(one_line(line))
        worker.end()
        rclpy.try_shutdown()
        return 1
    _serve(nodes, options.animate, signals)
    return 0


def _split(argv: list[str]) -> tuple[list[str], list[str]]:
    """Return the arguments for xacro, which ROS would take for remappings, and all others."""
    start = argv.index('--ros-args') if '--ros-args' in argv else len(argv)
    xacro = [word for word in argv[:start] if ':=' in word]
    return xacro, [word for word in argv[:start] if ':=' not in word] + argv[start:]


def _init(argv: list[str]) -> None:
    """Start ROS; if log files cannot be written, without them."""
    no_handlers = SignalHandlerOptions.NO
    try:
        rclpy.init(args=argv, signal_handler_options=no_handlers)
    except RuntimeError as error:  # rclpy raises it for a failure in rcl
        if 'logging' not in str(error):
            raise
        rclpy.try_shutdown()
        rclpy.init(
            args=[*argv, '--ros-args', '--disable-external-lib-logs'],
            signal_handler_options=no_handlers)
        get_logger('hrdf_ros').warning(f'going on without log files: {error}')


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog='hrdf node', description='Publish a robot: robot_description, TF, lookups.',
        epilog='NAME:=VALUE are arguments of a xacro file. ROS arguments follow --ros-args, '
        'such as -p model:=robot.hrdf')
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


def _serve(nodes: list[HrdfNode], animate: bool, signals: frozenset[signal.Signals]) -> None:
    """Serve nodes in threads, while this thread waits for the end."""
    for node in nodes:
        if animate:
            from hrdf_ros.node.joint_states import animate as start_animation
            start_animation(node, node.stream)
        node.serve()
    signal.sigwait(signals)
    timer = threading.Timer(2 * GRACE, os._exit, (0,))  # even if a callback hangs
    timer.daemon = True
    timer.start()
    for node in nodes:
        node.stop()
    ending = [threading.Thread(target=node.destroy_node, daemon=True) for node in nodes]
    for thread in ending:
        thread.start()
    for thread in ending:
        thread.join()
    rclpy.try_shutdown()
