# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Many robots in one process: a node each, with its own topics, services and diagnostics.

They share the processes that read files, which are the larger part of what a node costs, and
the interpreter. A robot whose description has errors waits for its reload; the others go on.
"""

from __future__ import annotations

from typing import Any, Optional, TYPE_CHECKING

from hrdf_ros.node.fleet_file import FleetRobot, read_fleet, shared_prefixes
from hrdf_ros.node.node import HrdfNode
from hrdf_ros.node.settings import BadSetting, Settings
from hrdf_ros.node.shared import FleetError, FleetRequested, Shared
from hrdf_ros.node.texts import one_line
from hrdf_ros.node.worker import make_worker, Worker
from hrdf_ros.node.worker_pool import WorkerPool
from rclpy.exceptions import ParameterException
from rclpy.logging import get_logger
from rclpy.node import Node
from rclpy.parameter import Parameter

if TYPE_CHECKING:
    from hrdf_ros.node.file_server import FileServer, Offered

_WORKERS = 2
"""Processes that read descriptions; a slow file of one robot leaves one for the others."""


def start_fleet(request: FleetRequested, worker: Worker) -> list[HrdfNode]:
    """
    Return a node for each robot of a file; raise FleetError where there is none.

    ``worker`` has been started already.
    """
    robots = read_fleet(request.settings.robots)
    logger = get_logger('hrdf_ros')
    warning = shared_prefixes(robots)
    if warning:
        logger.warning(one_line(warning))
    isolation = request.settings.isolation
    shared = Shared(_make_workers(isolation, worker), _FileServices(isolation).offer)
    nodes = []
    for robot in robots:
        try:
            nodes.append(_make_node(robot, request, shared))
        except (BadSetting, ParameterException) as error:
            logger.error(one_line(f'the robot {robot.namespace} is not served: {error}'))
    if not nodes:
        shared.worker.end()
        raise FleetError('none of the robots can be served')
    logger.info(f'serving {len(nodes)} of {len(robots)} robots')
    return nodes


def _make_workers(isolation: str, worker: Worker) -> Worker:
    count = _WORKERS if isolation == 'process' else 1
    return WorkerPool([
        make_worker(isolation, worker), *(make_worker(isolation) for _ in range(count - 1))])


def _make_node(robot: FleetRobot, request: FleetRequested, shared: Shared) -> HrdfNode:
    """Return the node of a robot; what it is not given is that of the process."""
    name = robot.namespace
    namespace = name if name.startswith('/') else f'{request.namespace.rstrip("/")}/{name}'
    given = {**_given(request.settings), **robot.parameters}
    return HrdfNode(
        shared=shared, cli_args=['--ros-args', '-r', f'__ns:={namespace}'],
        parameter_overrides=[Parameter(key, value=value) for key, value in given.items()])


def _given(settings: Settings) -> dict[str, Any]:
    """Return what the process was given: a launch file gives it to the first node by name."""
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in settings._asdict().items()
        if name != 'robots' and value != Settings._field_defaults[name]}


class _FileServices:
    """Offers validate and convert for each robot, from one process."""

    def __init__(self, isolation: str) -> None:
        self._isolation = isolation
        self._server: Optional[FileServer] = None

    def offer(self, node: Node) -> Offered:
        """Offer the services of one robot."""
        from hrdf_ros.node import file_server  # needs hrdf_ros_interfaces
        if self._isolation != 'process':
            return file_server.offer_file_services(node, self._isolation)
        if self._server is None:
            self._server = file_server.FileServer(node)
        return self._server.offer(node)
