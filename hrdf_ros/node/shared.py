# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What the robots of a fleet share, and how a fleet is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TYPE_CHECKING

from hrdf_ros.node.settings import Settings
from hrdf_ros.node.worker import Worker

if TYPE_CHECKING:
    from hrdf_ros.node.file_server import Offered
    from rclpy.node import Node


class Shared(NamedTuple):
    """The parts of which one serves all robots of a process."""

    worker: Worker
    offer_file_services: Callable[[Node], Offered]
    """Offers validate and convert for a node."""


class FleetError(ValueError):
    """A fleet that cannot be started; the message has a line for each error."""


class FleetRequested(Exception):
    """The parameters ask for a fleet: the settings of the process, and where its robots are."""

    def __init__(self, settings: Settings, namespace: str) -> None:
        super().__init__(settings.robots)
        self.settings = settings
        self.namespace = namespace
